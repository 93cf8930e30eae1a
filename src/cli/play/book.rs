//! Which openings are played: a book and a slice of it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::cli::exit::Refused;
use crate::openings::{Book, Opening, Slice, SliceRequest, Variant, WholeNumber};
use crate::play::manifest::{BookRecord, SliceRecord};

/// What is played from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Openings")]
pub(super) struct OpeningArgs {
    /// Pairs to play; with shards or batches, the pairs of one shard in one batch
    #[arg(long, value_name = "N")]
    pairs: NonZeroUsize,
    /// Book of openings: PGN, or EPD and FEN lines, known by content; may be packed (.gz, .zst, .zip)
    /// [default: a book of 500 balanced openings inside the program]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Rules [default: found out from the book]
    #[arg(long, value_enum)]
    variant: Option<VariantArg>,
    /// Number of the first opening, from 1
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["shards", "shard", "seed", "batches", "batch"]
    )]
    start: Option<NonZeroUsize>,
    /// Shards the match is cut into; which stretch of the book each plays is what `mache book-slice` prints
    #[arg(
        long,
        value_name = "N",
        requires = "shard",
        allow_negative_numbers = true
    )]
    shards: Option<WholeNumber>,
    /// Which shard to play, from 0
    #[arg(
        long,
        value_name = "I",
        requires = "shards",
        allow_negative_numbers = true
    )]
    shard: Option<WholeNumber>,
    /// Where the match begins in the book; the same for all its shards and batches
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<WholeNumber>,
    /// Batches in the whole test
    #[arg(
        long,
        value_name = "N",
        requires = "batch",
        allow_negative_numbers = true
    )]
    batches: Option<WholeNumber>,
    /// Which batch to play, from 0
    #[arg(
        long,
        value_name = "I",
        requires = "batches",
        allow_negative_numbers = true
    )]
    batch: Option<WholeNumber>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum VariantArg {
    Standard,
    Chess960,
}

impl From<VariantArg> for Variant {
    fn from(variant: VariantArg) -> Self {
        match variant {
            VariantArg::Standard => Self::Standard,
            VariantArg::Chess960 => Self::Chess960,
        }
    }
}

/// The openings of a run, all of them read.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) openings: Vec<Opening>,
    pub(super) variant: Variant,
    pub(super) book: BookRecord,
    pub(super) slice: SliceRecord,
    /// What a person should know about them.
    pub(super) remark: Option<String>,
}

impl OpeningArgs {
    /// Pairs of the run.
    pub(super) const fn pairs(&self) -> NonZeroUsize {
        self.pairs
    }

    /// Reads the openings of this run and no others.
    pub(super) fn draw(&self) -> anyhow::Result<Drawn> {
        let book = self.book()?;
        let (first, slice, remark) = self.slice(&book)?;
        let openings: Result<Vec<Opening>, _> = (0..self.pairs.get())
            .map(|index| book.opening((first + index) % book.len() + 1))
            .collect();
        Ok(Drawn {
            openings: openings?,
            variant: book.variant(),
            book: BookRecord {
                name: book.name().into_owned(),
                sha256: book.sha256()?,
                openings: book.len(),
                variant: book.variant(),
            },
            slice,
            remark,
        })
    }

    fn book(&self) -> anyhow::Result<Book> {
        let book = match &self.book {
            Some(path) => Book::open(path)?,
            None => Book::embedded(),
        };
        Ok(match self.variant {
            Some(variant) => book.with_variant(variant.into()),
            None => book,
        })
    }

    /// The place of the first opening counted from 0 within the book, and what is recorded and said.
    fn slice(&self, book: &Book) -> anyhow::Result<(usize, SliceRecord, Option<String>)> {
        match self.start {
            Some(start) => self.starting_at(start, book),
            None => self.of_shard(book),
        }
    }

    fn starting_at(
        &self,
        start: NonZeroUsize,
        book: &Book,
    ) -> anyhow::Result<(usize, SliceRecord, Option<String>)> {
        let (start, holds) = (start.get(), book.len());
        if start > holds {
            let message = format!("--start {start}: the book holds {holds} openings");
            return Err(Refused(message).into());
        }
        let record = SliceRecord {
            first: start.to_string(),
            pairs: self.pairs.get(),
            seed: None,
            shard: None,
            shards: None,
            batch: None,
            batches: None,
        };
        let left = holds - (start - 1);
        let remark = (self.pairs.get() > left).then(|| {
            format!("from opening {start} the book holds {left} and the run wants {}, so it is read on from its start", self.pairs)
        });
        Ok((start - 1, record, remark))
    }

    fn of_shard(&self, book: &Book) -> anyhow::Result<(usize, SliceRecord, Option<String>)> {
        let given = |number: &Option<WholeNumber>, default: u64| {
            number.clone().unwrap_or_else(|| default.into())
        };
        let wide = |number: usize| WholeNumber::from(number as u64);
        let request = SliceRequest {
            openings: wide(book.len()),
            pairs: wide(self.pairs.get()),
            shards: given(&self.shards, 1),
            shard: given(&self.shard, 0),
            seed: given(&self.seed, 0),
            batches: given(&self.batches, 1),
            batch: given(&self.batch, 0),
        };
        let slice = Slice::new(&request).map_err(|error| Refused(error.to_string()))?;
        let text = |number: &WholeNumber| Some(number.to_string());
        let record = SliceRecord {
            first: slice.start().to_string(),
            pairs: self.pairs.get(),
            seed: text(&request.seed),
            shard: text(&request.shard),
            shards: text(&request.shards),
            batch: text(&request.batch),
            batches: text(&request.batches),
        };
        let first = usize::try_from(slice.number(0) - 1).context("the book is too large")?;
        let repeats = slice
            .repeats()
            .filter(|repeats| repeats.wanted > repeats.openings);
        Ok((first, record, repeats.map(|repeats| repeats.to_string())))
    }
}
