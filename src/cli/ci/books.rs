//! Whether a plan's book is known, and how many openings it has.

use std::path::Path;

use anyhow::Context;

use crate::ci::{BooksError, Table};
use crate::cli::exit::Refused;
use crate::openings::{Book, TableError};

/// The word for the book inside the program.
const EMBEDDED: &str = "embedded";

/// A book that a match can be planned with.
#[derive(Clone, Debug)]
pub(super) struct PlannedBook {
    /// What the jobs that play are told.
    pub(super) name: String,
    /// Openings in it; `None` when the caller's table can only count those of a file.
    pub(super) openings: Option<u64>,
    /// Whether those jobs have to fetch it first.
    pub(super) wanted: bool,
}

/// The book of that name: of the table, else a file in the folder we are in.
///
/// # Errors
/// When there is none, it has no sum to be checked by, or its table or itself cannot be read.
pub(super) fn planned(name: &str, table: Option<&Path>) -> anyhow::Result<PlannedBook> {
    let here = |book: &Book| PlannedBook {
        name: name.to_owned(),
        openings: Some(book.len() as u64),
        wanted: false,
    };
    if name == EMBEDDED {
        return Ok(here(&Book::embedded()));
    }
    let table = Table::open(table)?;
    match table.openings(name) {
        Ok(openings) => {
            summed(&table, name)?;
            Ok(PlannedBook {
                name: name.to_owned(),
                openings,
                wanted: true,
            })
        }
        Err(BooksError::Table(TableError::Unknown { .. })) if Path::new(name).is_file() => {
            let book = Book::open(Path::new(name)).with_context(|| format!("the book `{name}`"))?;
            Ok(here(&book))
        }
        Err(BooksError::Table(error @ TableError::Unknown { .. })) => {
            Err(Refused(error.to_string()).into())
        }
        Err(other) => Err(other.into()),
    }
}

/// Refuses a book that nobody could check once it is fetched.
fn summed(table: &Table, name: &str) -> anyhow::Result<()> {
    let known = match table {
        Table::Ours(table) | Table::File(table) => table.book(name)?,
        Table::Program(_) => return Ok(()),
    };
    if known.sha256().is_some() {
        return Ok(());
    }
    Err(Refused(format!(
        "the table has no SHA-256 of the book `{name}` to check it by: give a table of your own, with the sum, as book_table"
    ))
    .into())
}
