//! Fetching and checking a book by its row in a table.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::BooksError;
use crate::ci::archive::{ArchiveForm, unpack};
use crate::ci::http::{Address, Bounds, Client};
use crate::ci::part_file::PartFile;
use crate::openings::{BookSource, KnownBook, Sha256Sum};

/// Bytes an archive of a book may have.
const LARGEST_ARCHIVE: u64 = 256 << 20;
/// Bytes a book may have.
const LARGEST_BOOK: u64 = 1 << 30;

/// The book with the given sum, which may not contradict the recorded one.
pub(super) fn with_sum(book: &KnownBook, sum: Option<Sha256Sum>) -> Result<KnownBook, BooksError> {
    match (book.sha256(), sum) {
        (Some(wanted), Some(found)) if wanted != found => Err(BooksError::Sum {
            what: format!("the sum given for book `{}`", book.name()),
            found,
            wanted,
        }),
        (None, Some(sum)) => Ok(book.clone().with_sum(sum)),
        (Some(_), _) | (None, None) => Ok(book.clone()),
    }
}

/// Checks the file at a path against the row.
pub(super) fn verify(book: &KnownBook, path: &Path) -> Result<(), BooksError> {
    let wanted = known_sum(book)?;
    let found = File::open(path).and_then(Sha256Sum::of_reader);
    let found = found.map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => BooksError::Missing(path.to_owned()),
        _ => unwritable(path, source),
    })?;
    same(&path.display().to_string(), found, wanted)
}

fn known_sum(book: &KnownBook) -> Result<Sha256Sum, BooksError> {
    book.sha256()
        .ok_or_else(|| BooksError::NoSum(book.name().to_owned()))
}

fn same(what: &str, found: Sha256Sum, wanted: Sha256Sum) -> Result<(), BooksError> {
    if found == wanted {
        return Ok(());
    }
    let what = what.to_owned();
    Err(BooksError::Sum {
        what,
        found,
        wanted,
    })
}

fn unwritable(path: &Path, source: io::Error) -> BooksError {
    BooksError::Io {
        path: path.to_owned(),
        source,
    }
}

/// Puts the book into a folder that exists, unless it is there.
pub(super) fn fetch(
    book: &KnownBook,
    folder: &Path,
    time: Duration,
) -> Result<PathBuf, BooksError> {
    let wanted = known_sum(book)?;
    let path = folder.join(book.file());
    if verify(book, &path).is_ok() {
        return Ok(path);
    }
    let failed = |source| unwritable(&path, source);
    let mut part = PartFile::begin(&path).map_err(failed)?;
    let from = match book.source() {
        BookSource::Embedded(text) => {
            part.write_all(text).map_err(failed)?;
            "the book in this program".to_owned()
        }
        BookSource::File(address) => {
            let (address, text) = download(book, address, LARGEST_BOOK, time)?;
            part.write_all(&text).map_err(failed)?;
            address.to_string()
        }
        BookSource::Zip { address, sha256 } => {
            let (address, archive) = download(book, address, LARGEST_ARCHIVE, time)?;
            if let Some(wanted) = sha256 {
                same(&address.to_string(), Sha256Sum::of(&archive), *wanted)?;
            }
            unzip(book, &archive, &address, &mut part)?;
            format!("{} in {address}", book.file())
        }
    };
    same(&from, part.sum(), wanted)?;
    part.keep(false).map_err(failed)?;
    Ok(path)
}

fn unzip(
    book: &KnownBook,
    archive: &[u8],
    address: &Address,
    part: &mut PartFile,
) -> Result<(), BooksError> {
    let unpacked = unpack(archive, ArchiveForm::Zip, book.file(), LARGEST_BOOK, part);
    unpacked.map_err(|source| BooksError::Archive {
        book: book.name().to_owned(),
        address: address.clone(),
        source,
    })
}

fn download(
    book: &KnownBook,
    address: &str,
    limit: u64,
    time: Duration,
) -> Result<(Address, Vec<u8>), BooksError> {
    let failed = |source| BooksError::Fetch {
        book: book.name().to_owned(),
        source,
    };
    let address = Address::parse(address).map_err(failed)?;
    let client = Client::new(Bounds::file(limit).within(time));
    let answer = client.get(&address).map_err(failed)?;
    if answer.status != 200 {
        return Err(BooksError::Status {
            book: book.name().to_owned(),
            address,
            status: answer.status,
        });
    }
    Ok((address, answer.body))
}
