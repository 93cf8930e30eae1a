//! The command line: one file per command, shared argument groups, exit codes.

mod book;
mod book_slice;
mod ci;
mod close;
mod demo;
mod design_args;
mod elo;
mod engine;
pub mod exit;
mod games_args;
mod in_process;
mod match_estimate;
mod match_terminations;
mod number;
mod order;
mod plan;
mod play;
mod rating_estimate;
mod rating_list;
mod simulate;
mod sprt_args;
mod verify;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use crate::play::watchdog;
use crate::report::escape;
use book::Book;
use book_slice::BookSlice;
use ci::Ci;
use demo::Demo;
use elo::Elo;
use engine::Engine;
use match_estimate::MatchEstimate;
use match_terminations::MatchTerminations;
use plan::Plan;
use play::Play;
use rating_estimate::RatingEstimate;
use rating_list::RatingList;
use simulate::Simulate;
use verify::Verify;

/// Measure A CHess Engine: play game pairs, pool them, say how much stronger one engine is
#[derive(Debug, Parser)]
#[command(
    name = "mache",
    version,
    infer_long_args = true,
    args_override_self = true,
    max_term_width = 100,
    after_help = "Exit codes: 0 answered (whatever the answer), 1 failed, 2 arguments refused."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What mache can do, one variant a command.
#[derive(Debug, Subcommand)]
enum Command {
    Play(Box<Play>),
    MatchEstimate(MatchEstimate),
    RatingEstimate(RatingEstimate),
    RatingList(RatingList),
    Elo(Elo),
    MatchTerminations(MatchTerminations),
    Verify(Verify),
    Plan(Plan),
    Simulate(Simulate),
    Book(Book),
    BookSlice(BookSlice),
    Engine(Engine),
    Demo(Demo),
    Ci(Box<Ci>),
    /// Kill the engines of a run that was killed itself
    #[command(hide = true)]
    Watchdog,
}

impl Cli {
    /// Reads the arguments of this process. Ends it when they ask for help or cannot be read.
    #[must_use]
    pub fn from_arguments() -> Self {
        let words = joined(std::env::args_os());
        let words = ci::words(words).unwrap_or_else(|error| error.exit());
        Self::try_parse_from(&words).unwrap_or_else(|error| {
            let error = ambiguous(&words, error);
            ci::annotate_refusal(&words, &error);
            error.exit()
        })
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Whatever the command could not do; [`exit::of_error`] gives its exit code.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let mut out = io::stdout().lock();
        let code = match self.command {
            Command::Play(command) => command.run(&mut out)?,
            Command::MatchEstimate(command) => command.run(&mut out)?,
            Command::RatingEstimate(command) => command.run(&mut out)?,
            Command::RatingList(command) => command.run(&mut out)?,
            Command::Elo(command) => command.run(&mut out)?,
            Command::MatchTerminations(command) => command.run(&mut out)?,
            Command::Verify(command) => command.run(&mut out)?,
            Command::Plan(command) => command.run(&mut out)?,
            Command::Simulate(command) => command.run(&mut out)?,
            Command::Book(command) => command.run(&mut out)?,
            Command::BookSlice(command) => command.run(&mut out)?,
            Command::Engine(command) => command.run(&mut out)?,
            Command::Demo(command) => command.run(&mut out)?,
            Command::Ci(command) => command.run(&mut out)?,
            Command::Watchdog => {
                watchdog::watch(io::stdin().lock())?;
                exit::ANSWERED
            }
        };
        out.flush()?;
        Ok(code)
    }
}

/// Writes a remark to standard error: one line whatever is in it.
fn remark(text: &str) {
    // Remarks are asides; that nobody can read them is no reason to lose the answer.
    let _ = writeln!(io::stderr(), "{}", escape::one_line(text));
}

/// The same error, but for a flag cut so short that it fits several: then one that names them.
fn ambiguous(words: &[OsString], error: clap::Error) -> clap::Error {
    let flag = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if error.kind() == ErrorKind::UnknownArgument => flag,
        Some(_) | None => return error,
    };
    let mut program = Cli::command();
    program.build();
    let named = words
        .iter()
        .skip(1)
        .find_map(|word| program.find_subcommand(word));
    let longs = named.into_iter().flat_map(clap::Command::get_arguments);
    let flags = longs.filter_map(|argument| Some(format!("--{}", argument.get_long()?)));
    let fitting: Vec<String> = flags
        .filter(|long| long.starts_with(flag.as_str()))
        .collect();
    if !flag.starts_with("--") || fitting.len() < 2 {
        return error;
    }
    let message = format!("'{flag}' could be {}; write it out\n", fitting.join(" or "));
    clap::Error::raw(ErrorKind::UnknownArgument, message)
}

/// Joins a flag and a negative fraction written without a leading nought (`--elo0 -.5`), which would be read
/// as a flag of its own.
fn joined(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    for argument in arguments {
        match (words.last_mut(), argument.to_str()) {
            (Some(flag), Some(value)) if takes_value(flag) && number::is_bare_fraction(value) => {
                flag.push("=");
                flag.push(value);
            }
            (Some(_), Some(_)) | (_, None) | (None, _) => words.push(argument),
        }
    }
    words
}

/// Whether the word is a long flag without a value joined to it.
fn takes_value(word: &OsString) -> bool {
    word.to_str()
        .and_then(|word| word.strip_prefix("--"))
        .is_some_and(|name| !name.is_empty() && !name.contains('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_argument_definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_negative_fraction_stays_with_its_flag() {
        let words = [
            "mache",
            "x",
            "--elo0",
            "-.5",
            "--elo1=-.5",
            "-.5",
            "--",
            "-.5",
        ];
        let joined = joined(words.into_iter().map(OsString::from));
        assert_eq!(
            joined,
            ["mache", "x", "--elo0=-.5", "--elo1=-.5", "-.5", "--", "-.5"]
        );
    }
}
