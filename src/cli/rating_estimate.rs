//! `mache rating-estimate`: an engine's rating on the scale of a list.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::number::real;
use super::{exit, remark};
use crate::games::Crosstable;
use crate::report::{LadderEntry, RatingReport, escape, gauntlet_remarks};

/// Say what an engine's rating is, from a gauntlet against engines of a rating list
///
/// The ladder holds the opponents and their ratings: `Stash 21:2714,Marvin 5.2:2860`. Opponents that are not on it, and games
/// of other engines, are left out.
#[derive(Debug, Args)]
#[command(override_usage = "mache rating-estimate [OPTIONS] <PGN>... <ENGINE> <LADDER>")]
pub(super) struct RatingEstimate {
    #[command(flatten)]
    asked: Asked,
    /// The list that the ratings come from
    #[arg(long, value_name = "TEXT", default_value = "ccrl blitz")]
    scale: String,
    /// Print one line
    #[arg(long, group = "mode")]
    line: bool,
    /// Print the JSON document of format 1
    #[arg(long, group = "mode")]
    json: bool,
}

/// Files, an engine and a ladder, one after the other: the last two words are the engine and the ladder.
#[derive(Clone, Debug)]
struct Asked {
    paths: Vec<PathBuf>,
    engine: String,
    ladder: String,
}

impl RatingEstimate {
    /// Prints the rating.
    ///
    /// # Errors
    /// When the ladder cannot be read, no game of the engine against it is found, or the answer not printed.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let report = self.report()?;
        let text = if self.json {
            report.json()
        } else if self.line {
            report.line() + "\n"
        } else {
            escape::lines(&report.markdown())
        };
        out.write_all(text.as_bytes())
            .context("cannot print the rating")?;
        if !report.note().is_empty() {
            remark(&format!("note: {}", report.note()));
        }
        Ok(exit::ANSWERED)
    }

    /// Reads the games and fits the rating.
    ///
    /// # Errors
    /// When the ladder cannot be read, or no game of the engine against it is found.
    pub(super) fn report(&self) -> anyhow::Result<RatingReport> {
        let scale = self.scale.trim();
        if scale.is_empty() {
            bail!("--scale is blank: name the list that the ratings come from");
        }
        let engine = &self.asked.engine;
        let ladder = read_ladder(&self.asked.ladder)?;
        let table = Crosstable::read(&self.asked.paths)?;
        gauntlet_remarks(&table, engine, &ladder)
            .iter()
            .for_each(|text| remark(text));
        Ok(RatingReport::new(&table, engine, ladder, scale)?)
    }
}

/// `name:rating` with commas between them. A name may hold colons: the last one is the rating's.
pub(super) fn read_ladder(text: &str) -> anyhow::Result<Vec<LadderEntry>> {
    let mut ladder: Vec<LadderEntry> = Vec::new();
    let entries = text.split(',').map(str::trim);
    for entry in entries.filter(|entry| !entry.is_empty()) {
        let (name, rating) = entry.rsplit_once(':').unwrap_or(("", entry));
        let name = name.trim();
        let Ok(rating) = real(rating) else {
            bail!("`{entry}` on the ladder is not name:rating, such as Stash 21:2714");
        };
        if name.is_empty() {
            bail!("`{entry}` on the ladder is not name:rating, such as Stash 21:2714");
        }
        if !rating.is_finite() {
            bail!("the rating of `{name}` on the ladder is not finite: {rating}");
        }
        if ladder.iter().any(|known| known.name == name) {
            bail!("`{name}` is on the ladder twice: give it one rating");
        }
        ladder.push(LadderEntry {
            name: name.to_owned(),
            rating,
        });
    }
    if ladder.is_empty() {
        bail!("the ladder is empty: write it as name:rating,name:rating");
    }
    Ok(ladder)
}

const ID: &str = "words";

impl Args for Asked {
    fn augment_args(command: Command) -> Command {
        let help = "Files of games (PGN, plain, .gz or .zst; a folder means every games.pgn below it, `-` \
                    standard input), then the engine's name, then the ladder as name:rating,name:rating";
        command.arg(
            Arg::new(ID)
                .value_name("PGN, ENGINE, LADDER")
                .help(help)
                .required(true)
                .num_args(1..)
                .action(ArgAction::Append)
                .value_parser(value_parser!(OsString)),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Asked {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let words = matches.get_many::<OsString>(ID).into_iter().flatten();
        let mut words: Vec<OsString> = words.cloned().collect();
        let (Some(ladder), Some(engine), false) = (words.pop(), words.pop(), words.is_empty())
        else {
            return Err(refused(
                "give files of games, the engine's name and the ladder",
            ));
        };
        let text = |word: OsString| {
            word.into_string()
                .map_err(|_| refused("the engine's name and the ladder have to be UTF-8"))
        };
        Ok(Self {
            paths: words.into_iter().map(PathBuf::from).collect(),
            engine: text(engine)?,
            ladder: text(ladder)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn refused(why: &str) -> clap::Error {
    clap::Error::raw(
        ErrorKind::MissingRequiredArgument,
        format!("{why}; --help shows how\n"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn read(text: &str) -> Vec<(String, f64)> {
        let ladder = read_ladder(text).unwrap();
        ladder
            .into_iter()
            .map(|entry| (entry.name, entry.rating))
            .collect()
    }

    #[test]
    fn entries_are_trimmed_and_blank_ones_passed_over() {
        assert_eq!(
            read(" a-1 : 1690 , ,b:2:1_750.5,,"),
            [("a-1".to_owned(), 1690.0), ("b:2".to_owned(), 1750.5)]
        );
        assert_eq!(read("a:-250"), [("a".to_owned(), -250.0)]);
    }

    #[test]
    fn what_is_no_ladder_is_told() {
        let why = |text: &str| read_ladder(text).unwrap_err().to_string();
        insta::assert_snapshot!(why(" , "), @"the ladder is empty: write it as name:rating,name:rating");
        insta::assert_snapshot!(why("a:1600,b"), @"`b` on the ladder is not name:rating, such as Stash 21:2714");
        insta::assert_snapshot!(why(":1600"), @"`:1600` on the ladder is not name:rating, such as Stash 21:2714");
        insta::assert_snapshot!(why("a:strong"), @"`a:strong` on the ladder is not name:rating, such as Stash 21:2714");
        insta::assert_snapshot!(why("a:nan"), @"the rating of `a` on the ladder is not finite: NaN");
        insta::assert_snapshot!(why("a:inf"), @"the rating of `a` on the ladder is not finite: inf");
        insta::assert_snapshot!(why("a:1,b:2,a:3"), @"`a` is on the ladder twice: give it one rating");
    }
}
