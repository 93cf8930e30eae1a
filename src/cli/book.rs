//! `mache book`: books of openings.

mod known;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use shakmaty::{Chess, EnPassantMode, Position};

use super::exit;
use crate::notation::EpdRecord;
use crate::openings::{self, Recipe};
use crate::play::Judge;

/// List, fetch, check, count or make books of openings
#[derive(Debug, Args)]
pub(super) struct Book {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    List(known::List),
    Fetch(known::Fetch),
    Verify(known::Verify),
    File(known::FileName),
    Format(known::Format),
    Pin(known::Pin),
    Count(Count),
    Make(Make),
}

impl Book {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// When a book cannot be read, made or written.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        match self.command {
            BookCommand::List(command) => command.run(out),
            BookCommand::Fetch(command) => command.run(out),
            BookCommand::Verify(command) => command.run(),
            BookCommand::File(command) => command.run(out),
            BookCommand::Format(command) => command.run(out),
            BookCommand::Pin(command) => command.run(out),
            BookCommand::Count(command) => command.run(out),
            BookCommand::Make(command) => command.run(out),
        }
    }
}

/// Say how many openings a book holds
///
/// Prints the number and nothing else. The book is PGN, or EPD or FEN lines, known by its content, and may be
/// packed as .gz, .zst or .zip. Openings are counted, not checked.
#[derive(Debug, Args)]
struct Count {
    /// The book
    #[arg(value_name = "FILE")]
    book: PathBuf,
}

impl Count {
    fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        writeln!(out, "{}", openings::Book::open(&self.book)?.len())?;
        Ok(exit::ANSWERED)
    }
}

/// Make a book of balanced openings by random play
///
/// Plays random legal moves from the initial position and keeps a final position when it is new, nobody is in
/// check and the engine finds it about even. The same seed, engine and depth give the same book.
#[derive(Debug, Args)]
struct Make {
    /// UCI engine that judges the balance
    #[arg(long, value_name = "COMMAND")]
    engine: PathBuf,
    /// Random moves of an opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// Openings wanted
    #[arg(long, value_name = "N", default_value_t = 500)]
    count: usize,
    /// How far from even an opening may be, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 80)]
    limit: u32,
    /// Depth the engine judges at
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File to write, replaced if it is there
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Make {
    fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let mut judge = Judge::start(&self.engine, self.depth)?;
        let mut judged = 0_u64;
        let bar = ProgressBar::new(self.count as u64);
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        let recipe = Recipe {
            plies: self.plies,
            count: self.count,
            limit: self.limit,
        };
        let book = openings::make(
            recipe,
            &mut generator,
            |position| judge.score(position),
            |kept| {
                judged += 1;
                bar.set_position(kept as u64);
            },
        )?;
        bar.finish_and_clear();
        let path = self.out.display();
        self.write(&book)
            .with_context(|| format!("cannot write {path}"))?;
        writeln!(
            out,
            "{} openings of {judged} kept by {}",
            book.len(),
            judge.name()
        )?;
        judge.quit();
        Ok(exit::ANSWERED)
    }

    fn write(&self, book: &[Chess]) -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(&self.out)?);
        for position in book {
            writeln!(
                file,
                "{}",
                EpdRecord::new(position.to_setup(EnPassantMode::Legal))
            )?;
        }
        file.flush()
    }
}
