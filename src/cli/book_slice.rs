//! `mache book-slice`: which opening of a book a shard starts at.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use super::{exit, remark};
use crate::openings::{Slice, SliceRequest, WholeNumber};

/// Say which opening of a book a shard starts at
///
/// Prints the one-based number of the first opening, and nothing else. The seed picks where in the book
/// the block of the whole test begins; inside it the slices of all batches and shards follow each other, so
/// no two of them share an opening while the book has room.
#[derive(Debug, Args)]
pub(super) struct BookSlice {
    /// Openings the book holds
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    openings: WholeNumber,
    /// Pairs one shard of one batch plays, each from an opening of its own
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pairs: WholeNumber,
    /// Shards in a batch
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    shards: WholeNumber,
    /// Which shard, from 0
    #[arg(long, value_name = "I", allow_negative_numbers = true)]
    shard: WholeNumber,
    /// Where the test begins in the book: any whole number from 0 up, of any size
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: WholeNumber,
    /// Batches in the whole test
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        allow_negative_numbers = true
    )]
    batches: WholeNumber,
    /// Which batch, from 0
    #[arg(
        long,
        value_name = "I",
        default_value = "0",
        allow_negative_numbers = true
    )]
    batch: WholeNumber,
}

impl BookSlice {
    /// Prints the number, and a remark when the shards repeat each other.
    ///
    /// # Errors
    /// When there is no such slice or it cannot be printed.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let slice = Slice::new(&self.into())?;
        if let Some(repeats) = slice.repeats() {
            remark(&repeats.to_string());
        }
        writeln!(out, "{}", slice.start())?;
        Ok(exit::ANSWERED)
    }
}

impl From<BookSlice> for SliceRequest {
    fn from(given: BookSlice) -> Self {
        Self {
            openings: given.openings,
            pairs: given.pairs,
            shards: given.shards,
            shard: given.shard,
            seed: given.seed,
            batches: given.batches,
            batch: given.batch,
        }
    }
}
