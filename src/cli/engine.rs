//! `mache engine`: one of the small engines inside the program.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::exit;
use crate::play::embedded::{self, EmbeddedEngine, LARGEST_SEED};

/// Be a small UCI engine: random, greedy or minimax
///
/// Speaks UCI on standard input and output until `quit`. All three answer at once, whatever time they are
/// given, and play Chess960 too.
#[derive(Debug, Args)]
pub(super) struct Engine {
    /// Which engine to be
    #[arg(value_enum)]
    engine: Name,
    /// Decides between moves of equal worth; a UCI option of the same name overrides it
    #[arg(long, value_name = "N", default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(..=i64::from(LARGEST_SEED)))]
    seed: u32,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    /// Plays any legal move
    Random,
    /// Takes what it can, one ply ahead
    Greedy,
    /// Looks two plies ahead and knows where pieces stand well
    Minimax,
}

impl From<Name> for EmbeddedEngine {
    fn from(name: Name) -> Self {
        match name {
            Name::Random => Self::Random,
            Name::Greedy => Self::Greedy,
            Name::Minimax => Self::Minimax,
        }
    }
}

impl Engine {
    /// Speaks until there is nothing more to say.
    ///
    /// # Errors
    /// When standard input cannot be read.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        embedded::speak(self.engine.into(), self.seed, io::stdin().lock(), out)?;
        Ok(exit::ANSWERED)
    }
}
