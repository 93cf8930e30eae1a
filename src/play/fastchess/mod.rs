//! The runner that plays through fastchess: its command line, its output, its end.
//!
//! fastchess plays what it is given to the last game and writes the PGN; that PGN is what counts, whatever the
//! program prints or exits with.

mod argv;
mod exit;
mod openings_file;
mod output;
mod process;
mod words;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use argv::{Files, argv};
pub use exit::{Ended, Run};
pub use openings_file::Format;
pub use output::{Line, event, parse};

use super::resume::{Games, Match};
use super::watchdog::Watchdog;
use super::{Event, MatchSetup, PlayError, Runner, Stop, StopRequest};
use crate::plan::Missing;
use process::Process;

/// Why fastchess did not play a match.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FastchessError {
    /// There is no such program.
    #[error("fastchess is not there (looked for `{}`): put it on the path, or take --runner built-in", program.display())]
    NotFound {
        /// What was looked for.
        program: PathBuf,
    },
    /// The program is there and does not run.
    #[error("cannot run `{}`", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program answers `--version` with something else.
    #[error("`{}` is not fastchess: asked for its version it says `{said}`", program.display())]
    NotFastchess {
        /// The program.
        program: PathBuf,
        /// The first line it printed.
        said: String,
    },
    /// A value that its command line cannot carry.
    #[error(
        "engine `{}`: fastchess cannot be given the {what} `{}`; take --runner built-in or another {what}",
        engine.escape_debug(), value.escape_debug()
    )]
    Unspeakable {
        /// The engine.
        engine: String,
        /// What the value is, such as `argument`.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// An event name that its command line cannot carry.
    #[error("fastchess cannot be given the event `{}`", text.escape_debug())]
    Event {
        /// The name.
        text: String,
    },
    /// It plays whole pairs only.
    #[error("fastchess cannot play the missing game of the half pair {round}")]
    HalfPair {
        /// The pair.
        round: usize,
    },
    /// It ended well and not all games are in its PGN.
    #[error(
        "fastchess ended without an error, and of {planned} games only {found} are in its PGN: is the disk full, or the folder not to be written?"
    )]
    GamesMissing {
        /// Games it was to play.
        planned: usize,
        /// Games in its PGN.
        found: usize,
    },
    /// It failed.
    #[error("fastchess failed with exit code {code} after printing: {last_lines}")]
    Failed {
        /// Its exit code.
        code: i32,
        /// The end of its output.
        last_lines: String,
    },
    /// Somebody else ended it.
    #[error("fastchess was ended by signal {signal} after printing: {last_lines}")]
    Killed {
        /// The signal's number.
        signal: i32,
        /// The end of its output.
        last_lines: String,
    },
}

/// fastchess, found and asked for its version.
#[derive(Clone, Debug)]
pub struct Fastchess {
    program: PathBuf,
    version: String,
    watchdog: Option<PathBuf>,
}

impl Fastchess {
    /// The program's name on the path.
    pub const PROGRAM: &'static str = "fastchess";

    /// Asks the program for its version.
    ///
    /// # Errors
    /// When it is missing, does not run, or is something else.
    pub fn new(program: &Path) -> Result<Self, FastchessError> {
        let said = process::first_line(program, "--version")?;
        if !said.starts_with("fastchess") {
            return Err(FastchessError::NotFastchess {
                program: program.to_owned(),
                said: said.escape_debug().to_string(),
            });
        }
        Ok(Self {
            program: program.to_owned(),
            version: said.escape_debug().to_string(),
            watchdog: None,
        })
    }

    /// The same, ended with its engines even when this process is killed: `program watchdog` has to call
    /// [`super::watchdog::watch`].
    #[must_use]
    pub fn with_watchdog(self, program: PathBuf) -> Self {
        let watchdog = Some(program);
        Self { watchdog, ..self }
    }

    /// The whole command line for a match that is played in the folder `setup.out`, the program first.
    ///
    /// # Errors
    /// When fastchess cannot be given what the match asks for.
    pub fn command_line(&self, setup: &MatchSetup) -> Result<Vec<OsString>, FastchessError> {
        let half = |pair: &&crate::plan::PlannedPair| pair.missing != Missing::Both;
        if let Some(pair) = setup.pairs.iter().find(half) {
            return Err(FastchessError::HalfPair { round: pair.round });
        }
        let paths = Paths::of(setup);
        let mut words = vec![self.program.clone().into_os_string()];
        words.extend(argv(setup, &paths.files())?);
        Ok(words)
    }
}

impl Fastchess {
    /// Without it the match goes on, with a warning.
    fn start_watchdog(&self, events: &(dyn Fn(Event) + Sync)) -> Option<Watchdog> {
        let started = Watchdog::start(self.watchdog.as_ref()?);
        let watchdog = started.inspect_err(|error| {
            let text = format!("no watchdog: {error}; fastchess may outlive a killed run");
            events(Event::Warning { text });
        });
        watchdog.ok()
    }
}

/// The files of a run in its folder.
#[derive(Debug)]
struct Paths {
    format: Format,
    openings: PathBuf,
    games: PathBuf,
    log: PathBuf,
    config: PathBuf,
    output: PathBuf,
}

impl Paths {
    fn of(setup: &MatchSetup) -> Self {
        let format = Format::of(&setup.pairs);
        let place = |name: &str| setup.out.join(name);
        Self {
            format,
            openings: place(&format!("openings.{}", format.word())),
            games: place("games.pgn"),
            log: place("log"),
            config: place("fastchess.json"),
            output: place("fastchess.log"),
        }
    }

    fn files(&self) -> Files<'_> {
        Files {
            openings: &self.openings,
            format: self.format,
            games: &self.games,
            log: &self.log,
            config: &self.config,
        }
    }
}

impl Runner for Fastchess {
    fn identity(&self) -> String {
        self.version.clone()
    }

    /// The folder of the run holds no games yet; pairs are whole.
    fn play(
        &self,
        setup: &MatchSetup,
        stop: &StopRequest,
        events: &(dyn Fn(Event) + Sync),
    ) -> Result<Stop, PlayError> {
        if setup.pairs.is_empty() {
            return Ok(Stop::Finished);
        }
        let paths = Paths::of(setup);
        let words = self.command_line(setup)?;
        let openings = paths.format.render(&setup.pairs, setup.variant);
        fs::write(&paths.openings, openings).map_err(|source| PlayError::Write {
            path: paths.openings.clone(),
            source,
        })?;
        let rounds: Vec<usize> = setup.pairs.iter().map(|pair| pair.round).collect();
        let process = Process {
            words: &words,
            output: &paths.output,
            max_time: setup.max_time,
            grace: process::GRACE,
            watchdog: self.start_watchdog(events),
        };
        let over = process.run(stop, &|line| {
            if let Some(event) = parse(line).and_then(|line| event(line, &rounds)) {
                events(event);
            }
        })?;
        let of = Match {
            first: &setup.first.name,
            second: &setup.second.name,
            pairs: setup.pairs.len(),
        };
        let found = Games::read(&paths.games, of)?.games().len();
        let run = Run {
            ended: over.ended,
            asked: over.asked,
            recover: setup.recover,
            planned: 2 * setup.pairs.len(),
            found,
            last_lines: &over.last_lines,
        };
        Ok(run.judge()?)
    }
}
