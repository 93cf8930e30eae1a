//! The files of games a command reads.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};

/// One or more files or folders of games, standing next to each other on the command line.
///
/// A second run of files behind a flag is refused: it is more often a flag that lost its value than a file.
#[derive(Clone, Debug)]
pub(super) struct GamesArgs {
    /// As given, in their order.
    pub(super) paths: Vec<PathBuf>,
}

const ID: &str = "pgn";

impl Args for GamesArgs {
    fn augment_args(command: Command) -> Command {
        let help = "Files of games, each one shard's: PGN, plain, .gz or .zst; a folder means every \
                    games.pgn below it, `-` standard input";
        command.arg(
            Arg::new(ID)
                .value_name("PGN")
                .help(help)
                .help_heading("Games")
                .required(true)
                .num_args(1..)
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf)),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GamesArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let paths: Vec<PathBuf> = matches
            .get_many(ID)
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        let places: Vec<usize> = matches.indices_of(ID).into_iter().flatten().collect();
        let gap = places.windows(2).position(|pair| pair[1] != pair[0] + 1);
        match gap {
            None => Ok(Self { paths }),
            Some(last) => Err(stray(&paths[last + 1])),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn stray(path: &std::path::Path) -> clap::Error {
    let message = format!(
        "stray argument after the flags: '{}'; put all files of games next to each other\n",
        path.display()
    );
    clap::Error::raw(ErrorKind::UnknownArgument, message)
}
