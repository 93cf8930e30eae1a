//! `mache ci book-key` and `mache ci fetch-book`: the book of a match in a job's folder, by way of a cache.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::JobArgs;
use crate::ci::{BooksError, Table};
use crate::cli::exit::{self, Refused};
use crate::openings::{Sha256Sum, TableError};

/// Say under which key the book of a match is kept
///
/// The key changes when the book does.
#[derive(Debug, Args)]
pub(super) struct BookKey {
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    job: JobArgs,
}

/// Put the book of a match into the job's folder, fetched or from a cache, and check it
///
/// A book that is a file of the checkout is left where it is.
#[derive(Debug, Args)]
pub(super) struct FetchBook {
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Book")]
struct BookArgs {
    /// Name of the book in the table
    #[arg(long, value_name = "NAME")]
    book: String,
    /// Table of books: a .toml file, or a program with the verbs of one [default: the table in this program]
    #[arg(long, value_name = "FILE")]
    book_table: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Place")]
struct PlaceArgs {
    /// Folder the book goes to, made if it is not there
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Folder in which books are kept between jobs
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Seconds the download may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// Where a match's book comes from.
enum Origin {
    /// A table, which knows it.
    Table(Table),
    /// A file of the caller's, or the book inside the program.
    Here,
}

impl BookArgs {
    fn origin(&self) -> anyhow::Result<Origin> {
        if self.book == "embedded" {
            return Ok(Origin::Here);
        }
        let table = Table::open(self.book_table.as_deref())?;
        match table.check(&self.book) {
            Ok(()) => Ok(Origin::Table(table)),
            Err(BooksError::Table(TableError::Unknown { .. }))
                if Path::new(&self.book).is_file() =>
            {
                Ok(Origin::Here)
            }
            Err(BooksError::Table(error @ TableError::Unknown { .. })) => {
                Err(Refused(error.to_string()).into())
            }
            Err(other) => Err(other.into()),
        }
    }
}

impl BookKey {
    /// Puts the key out.
    ///
    /// # Errors
    /// When there is no such book, or its table cannot say.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache book-key");
        let book = &self.book.book;
        let content = match self.book.origin()? {
            Origin::Here => "here".to_owned(),
            Origin::Table(table) => table.content(book)?,
        };
        // Whatever a caller's table answers, a key is made of digits.
        let key = Sha256Sum::of(format!("{book}\n{content}").as_bytes());
        job.output("key", &format!("mache-book-{key}"), out)?;
        Ok(exit::ANSWERED)
    }
}

impl FetchBook {
    /// Fetches the book, checks it, and puts its file out.
    ///
    /// # Errors
    /// When there is no such book, or it cannot be had whole.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache fetch-book");
        let (book, place) = (&self.book.book, &self.place);
        let table = match self.book.origin()? {
            Origin::Table(table) => table,
            Origin::Here => {
                job.notice(&format!("the book `{book}` is here already"));
                job.output("book_file", book, out)?;
                return Ok(exit::ANSWERED);
            }
        };
        let time = Duration::from_secs(place.timeout);
        let path = match &place.cache {
            None => table.fetch(book, &place.into, None, time)?,
            Some(cache) => {
                table.fetch(book, cache, None, time)?;
                table.copy(book, cache, &place.into)?
            }
        };
        job.output("book_file", &path.display().to_string(), out)?;
        Ok(exit::ANSWERED)
    }
}
