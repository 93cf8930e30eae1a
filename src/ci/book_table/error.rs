//! Why a table of books could not help.

use std::io;
use std::path::PathBuf;

use crate::ci::archive::ArchiveError;
use crate::ci::http::{Address, HttpError};
use crate::openings::{BookError, Sha256Sum, TableError};
use crate::play::program::ProgramError;

/// Why a table of books could not help.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BooksError {
    /// The table cannot be used, or has no such book.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The caller's program failed.
    #[error("the table of books failed on `{verb}`")]
    Program {
        /// What it was asked.
        verb: String,
        /// What went wrong.
        source: ProgramError,
    },
    /// The caller's program answered with what cannot be.
    #[error("the table of books says `{}` to `{verb}`; {wanted}", answer.escape_debug())]
    Answer {
        /// What it was asked.
        verb: String,
        /// What it answered.
        answer: String,
        /// What was wanted.
        wanted: &'static str,
    },
    /// Its openings cannot be counted.
    #[error(transparent)]
    Book(#[from] BookError),
    /// It is in the table without the sum that it would be known by.
    #[error(
        "the table has no SHA-256 for book `{0}`, so it is neither fetched nor verified; look at it once and give its sum with --sha256 or in a table of your own with --table"
    )]
    NoSum(String),
    /// It is not there.
    #[error("{} is not there to check", .0.display())]
    Missing(PathBuf),
    /// It is another file than the table names.
    #[error("{what} is {found}, not the {wanted} this table names")]
    Sum {
        /// The file, or the address it came from.
        what: String,
        /// Its sum.
        found: Sha256Sum,
        /// The sum in the table.
        wanted: Sha256Sum,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot use {}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It could not be fetched.
    #[error("cannot fetch book `{book}`")]
    Fetch {
        /// Name of the book.
        book: String,
        /// Why.
        source: HttpError,
    },
    /// The other side has no such file, or does not give it.
    #[error("cannot fetch book `{book}`: {address} answers {status}")]
    Status {
        /// Name of the book.
        book: String,
        /// Where it should be.
        address: Address,
        /// Such as 404.
        status: u16,
    },
    /// What was fetched holds no book.
    #[error("cannot unpack book `{book}` from {address}")]
    Archive {
        /// Name of the book.
        book: String,
        /// Where it came from.
        address: Address,
        /// Why.
        source: ArchiveError,
    },
}
