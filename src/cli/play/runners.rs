//! Which program plays.

use std::path::Path;

use clap::ValueEnum;

use crate::play::builtin::Builtin;
use crate::play::fastchess::{Fastchess, FastchessError};
use crate::play::{MatchSetup, Runner};

/// `--runner`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum RunnerArg {
    /// fastchess when it is on the path, the built-in one when not; a resumed run takes the one it began with
    Auto,
    /// mache's own
    BuiltIn,
    /// fastchess
    Fastchess,
}

/// A runner that is there.
#[derive(Debug)]
pub(super) enum Chosen {
    BuiltIn(Builtin),
    Fastchess(Fastchess),
}

impl RunnerArg {
    /// The runner to take; `before` names the one that played the games to be gone on from, `fastchess` the program
    /// that is fastchess.
    pub(super) fn choose(
        self,
        before: Option<&str>,
        fastchess: Option<&Path>,
    ) -> Result<Chosen, FastchessError> {
        let program = fastchess.unwrap_or(Path::new(Fastchess::PROGRAM));
        let was_fastchess = before.map(|runner| runner.starts_with(Fastchess::PROGRAM));
        let is_there = || fastchess.is_some() || on_path(Fastchess::PROGRAM);
        match (self, was_fastchess) {
            (Self::BuiltIn, _) | (Self::Auto, Some(false)) => Ok(Chosen::built_in()),
            (Self::Fastchess, _) | (Self::Auto, Some(true)) => Chosen::fastchess(program),
            (Self::Auto, None) if is_there() => Chosen::fastchess(program),
            (Self::Auto, None) => Ok(Chosen::built_in()),
        }
    }
}

fn on_path(program: &str) -> bool {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(&name).is_file())
}

impl Chosen {
    fn built_in() -> Self {
        Self::BuiltIn(
            std::env::current_exe().map_or_else(|_| Builtin::new(), Builtin::with_watchdog),
        )
    }

    fn fastchess(program: &Path) -> Result<Self, FastchessError> {
        let runner = Fastchess::new(program)?;
        Ok(Self::Fastchess(match std::env::current_exe() {
            Ok(program) => runner.with_watchdog(program),
            Err(_) => runner,
        }))
    }

    /// As a runner.
    pub(super) fn runner(&self) -> &(dyn Runner + Sync) {
        match self {
            Self::BuiltIn(runner) => runner,
            Self::Fastchess(runner) => runner,
        }
    }

    /// Whether it plays whole pairs only and numbers them from 1.
    pub(super) const fn plays_whole_pairs(&self) -> bool {
        match self {
            Self::BuiltIn(_) => false,
            Self::Fastchess(_) => true,
        }
    }

    /// What would be played, a line each: the command line, or the schedule.
    pub(super) fn plan(&self, setup: &MatchSetup) -> Result<String, FastchessError> {
        match self {
            Self::BuiltIn(_) => Ok(super::dry_run::schedule(setup)),
            Self::Fastchess(runner) => {
                let words = runner.command_line(setup)?;
                let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
                Ok(super::command_line::join(&words) + "\n")
            }
        }
    }
}
