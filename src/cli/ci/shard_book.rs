//! The book that a shard plays from.

use std::path::{Path, PathBuf};

use crate::ci::Table;
use crate::openings::{Book, BookForm};

/// What the book inside the program is called.
const EMBEDDED: &str = "embedded";

/// A book that is there, and is what its table says.
#[derive(Debug)]
pub(super) struct ShardBook {
    /// Its file; `None` for the one inside the program.
    pub(super) path: Option<PathBuf>,
    /// What it is called in outputs.
    pub(super) file: String,
    /// PGN or EPD.
    pub(super) form: BookForm,
    /// Openings in it.
    pub(super) openings: usize,
}

/// The book of that name: `embedded`, a book of the table that was fetched into `folder` and is what the table says, or
/// a file there or here.
///
/// # Errors
/// When there is no such book, it cannot be read, or it is not what the table says.
pub(super) fn book_file(
    name: &str,
    table: Option<&Path>,
    folder: &Path,
) -> anyhow::Result<ShardBook> {
    if name == EMBEDDED {
        return Ok(shard_book(None, &Book::embedded()));
    }
    let table = Table::open(table)?;
    let path = match table.check(name) {
        Ok(()) => table.verify(name, folder)?,
        Err(unknown) => [folder.join(name), PathBuf::from(name)]
            .into_iter()
            .find(|path| path.is_file())
            .ok_or(unknown)?,
    };
    let book = Book::open(&path)?;
    Ok(shard_book(Some(path), &book))
}

fn shard_book(path: Option<PathBuf>, book: &Book) -> ShardBook {
    let file = match &path {
        Some(_) => book.name().into_owned(),
        None => EMBEDDED.to_owned(),
    };
    ShardBook {
        path,
        file,
        form: book.form(),
        openings: book.len(),
    }
}
