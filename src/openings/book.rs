//! A book of openings.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::content::{Content, UnpackError};
use super::reading::{self, OpeningError};
use super::records::{BookForm, Index, record_in};
use super::{Opening, Variant};

/// The book inside the program, see `books/README.md`.
pub(super) const DEFAULT_BOOK: &[u8] = include_bytes!("../../books/default.epd");

/// Openings in a file: PGN, or EPD and FEN lines, known by content; also packed as `.gz`, `.zst` or `.zip`.
///
/// Opening a book finds its openings and reads none of them, so [`Book::opening`] is where a bad one shows. A
/// book that is not packed stays in its file, however large it is.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    form: BookForm,
    content: Content,
    index: Index,
    variant: Variant,
}

/// Why a book, or an opening of it, could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// Its text could not be had.
    #[error("book {}", path.display())]
    Unpack {
        /// The book.
        path: PathBuf,
        /// Why.
        source: UnpackError,
    },
    /// It could not be read to its end.
    #[error("cannot read book {}", path.display())]
    Io {
        /// The book.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It begins like neither form.
    #[error("book {}: neither PGN games nor EPD or FEN lines", path.display())]
    Form {
        /// The book.
        path: PathBuf,
    },
    /// It has no opening.
    #[error("book {}: holds no opening", path.display())]
    Empty {
        /// The book.
        path: PathBuf,
    },
    /// One of its openings is none.
    #[error("book {}: opening {number} (line {line})", path.display())]
    Opening {
        /// The book.
        path: PathBuf,
        /// One-based number of the opening.
        number: usize,
        /// One-based line it begins on, in the unpacked text.
        line: u64,
        /// What is wrong with it.
        source: OpeningError,
    },
}

impl Book {
    /// Opens a book.
    ///
    /// # Errors
    /// When it cannot be read or unpacked, is of neither form, or holds no opening.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let content = Content::open(path).map_err(|source| BookError::Unpack {
            path: path.to_owned(),
            source,
        })?;
        Self::index(path.to_owned(), content)
    }

    /// The book that is part of the program: 500 balanced openings of eight plies.
    #[must_use]
    pub fn embedded() -> Self {
        let content = Content::Memory(Cow::Borrowed(DEFAULT_BOOK));
        Self::index(PathBuf::from("default.epd"), content).expect("the program's own book is whole")
    }

    fn index(path: PathBuf, content: Content) -> Result<Self, BookError> {
        let unreadable = |source| BookError::Io {
            path: path.clone(),
            source,
        };
        let beginning = content
            .block(0..content.len().min(1 << 16))
            .map_err(unreadable)?;
        let form =
            BookForm::of(&beginning).ok_or_else(|| BookError::Form { path: path.clone() })?;
        drop(beginning);
        let index = content
            .read_through(|reader| Index::build(form, reader))
            .map_err(unreadable)?;
        if index.len() == 0 {
            return Err(BookError::Empty { path });
        }
        let variant = index.variant();
        Ok(Self {
            path,
            form,
            content,
            index,
            variant,
        })
    }

    /// The same book, played by other rules than those found out from it.
    #[must_use]
    pub fn with_variant(self, variant: Variant) -> Self {
        Self { variant, ..self }
    }

    /// Openings in the book, at least one.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.index.len()
    }

    /// Never: a book without an opening cannot be opened.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rules its openings are read by: Chess960 when the book needs it or [`Book::with_variant`] said so.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// PGN or EPD.
    #[must_use]
    pub const fn form(&self) -> BookForm {
        self.form
    }

    /// The file's name without its folder.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        self.path
            .file_name()
            .unwrap_or(self.path.as_os_str())
            .to_string_lossy()
    }

    /// An opening by its one-based number. A number past the end goes on round the book.
    ///
    /// # Errors
    /// When the record is no opening: unreadable, impossible, with an illegal move, or the game is over after it.
    pub fn opening(&self, number: usize) -> Result<Opening, BookError> {
        let place = number.saturating_sub(1) % self.len();
        let (mark, end, passed) = self.index.locate(place);
        let block = self.content.block(mark.offset..end);
        let block = block.map_err(|source| self.unreadable(source))?;
        let (record, lines) = record_in(self.form, &block, passed).ok_or_else(|| self.changed())?;
        let (start, moves) = reading::read(self.form, record, self.variant).map_err(|source| {
            BookError::Opening {
                path: self.path.clone(),
                number: place + 1,
                line: mark.line + lines,
                source,
            }
        })?;
        Ok(Opening {
            number: place + 1,
            start,
            moves,
        })
    }

    /// SHA-256 of the unpacked text, in lower-case hexadecimal: the same however the book is packed.
    ///
    /// # Errors
    /// When the file cannot be read any more.
    pub fn sha256(&self) -> Result<String, BookError> {
        let digest = self.content.read_through(|reader| {
            let mut hasher = Sha256::new();
            let mut buffer = vec![0; 1 << 16];
            loop {
                let read = reader.read(&mut buffer)?;
                if read == 0 {
                    return Ok(hasher.finalize());
                }
                hasher.update(&buffer[..read]);
            }
        });
        let digest = digest.map_err(|source| self.unreadable(source))?;
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn unreadable(&self, source: io::Error) -> BookError {
        BookError::Io {
            path: self.path.clone(),
            source,
        }
    }

    fn changed(&self) -> BookError {
        self.unreadable(io::Error::new(
            io::ErrorKind::InvalidData,
            "it has changed since it was opened",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::PositionKey;
    use std::collections::HashSet;
    use std::error::Error;
    use std::fs;

    const EPD: &str = "# two openings\n\
        rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n\n\
        rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n";

    fn write(name: &str, text: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    /// The error and its causes without the folder.
    fn message(error: &BookError, path: &Path) -> String {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            text = format!("{text}: {error}");
            source = error.source();
        }
        text.replace(path.parent().unwrap().to_str().unwrap(), "DIR")
    }

    #[track_caller]
    fn refused(name: &str, text: &[u8], wanted: &str) {
        let (_folder, path) = write(name, text);
        let error = Book::open(&path)
            .and_then(|book| (1..=book.len()).try_for_each(|n| book.opening(n).map(drop)));
        assert_eq!(message(&error.unwrap_err(), &path), wanted);
    }

    #[test]
    fn numbers_go_on_round_the_book() {
        let (_folder, path) = write("two.epd", EPD.as_bytes());
        let book = Book::open(&path).unwrap();
        assert_eq!(
            (book.len(), book.form(), book.variant()),
            (2, BookForm::Epd, Variant::Standard)
        );
        assert_eq!(book.name(), "two.epd");
        for (number, wanted) in [(1, 1), (2, 2), (3, 1), (4, 2), (1001, 1)] {
            assert_eq!(book.opening(number).unwrap().number, wanted);
        }
        assert_eq!(book.opening(1).unwrap().end().fullmoves().get(), 2);
    }

    #[test]
    fn a_packed_book_is_the_same_book() {
        let (_plain, path) = write("book", EPD.as_bytes());
        let (_packed, packed) = write("book", &zstd::encode_all(EPD.as_bytes(), 3).unwrap());
        let (plain, packed) = (Book::open(&path).unwrap(), Book::open(&packed).unwrap());
        assert_eq!(plain.sha256().unwrap(), packed.sha256().unwrap());
        assert_eq!(
            plain.sha256().unwrap(),
            "1d6cb69cdf83234e34095e3fd0668ef3b1d3f8b758bbee59ccb627fc32d488ad"
        );
        let keys = |book: &Book| {
            [1, 2].map(|number| PositionKey::of(&book.opening(number).unwrap().end()))
        };
        assert_eq!(keys(&plain), keys(&packed));
    }

    #[test]
    fn a_bad_opening_is_named_with_its_place() {
        let bad = EPD.replace("3p4/3P4", "3p4/3P5");
        refused(
            "bad.epd",
            bad.as_bytes(),
            "book DIR/bad.epd: opening 2 (line 4): invalid board part in fen",
        );
        refused(
            "bad.pgn",
            b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e4 e5 2. Ke3 *\n",
            "book DIR/bad.pgn: opening 2 (line 5): 2. Ke3 is not legal",
        );
    }

    #[test]
    fn files_that_are_no_books() {
        refused("a.epd", b"", "book DIR/a.epd: holds no opening");
        refused("a.epd", b"# nothing\n", "book DIR/a.epd: holds no opening");
        refused(
            "a.pgn",
            b"hello\n",
            "book DIR/a.pgn: neither PGN games nor EPD or FEN lines",
        );
        refused(
            "a.zip",
            b"PK\x05\x06",
            "book DIR/a.zip: cannot be unpacked: invalid Zip archive: Unexpected end of zip::format::blocks::Zip32CDEBlock",
        );
    }

    #[test]
    fn chess960_is_found_out_and_can_be_asked_for() {
        let text =
            format!("{EPD}bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n");
        let (_folder, path) = write("frc.epd", text.as_bytes());
        let book = Book::open(&path).unwrap();
        assert_eq!(book.variant(), Variant::Chess960);
        assert!((1..=3).all(|number| book.opening(number).is_ok()));
        let error = book.with_variant(Variant::Standard).opening(3).unwrap_err();
        assert_eq!(
            message(&error, &path),
            "book DIR/frc.epd: opening 3 (line 5): its castling rights need Chess960"
        );
    }

    #[test]
    fn the_embedded_book_holds_distinct_openings() {
        let book = Book::embedded();
        let opening = |number| book.opening(number).unwrap();
        let keys: HashSet<_> = (1..=book.len())
            .map(|number| PositionKey::of(&opening(number).end()))
            .collect();
        assert_eq!((book.len(), keys.len()), (500, 500));
        for number in 1..=book.len() {
            let end = opening(number).end();
            assert_eq!(
                (end.fullmoves().get(), end.turn().is_white(), end.is_check()),
                (5, true, false)
            );
        }
    }

    use proptest::prelude::*;
    use shakmaty::Position;

    proptest! {
        /// Whatever a file holds, every opening counted is either read or refused.
        #[test]
        fn no_file_panics(text in "(\\[Event \"a\"\\]|\\[FEN \"[ -~]{0,9}\"\\]|[ -~\\n]{0,9}|1\\. e4|\\{|\\}|\\(|\\)|\\*|\r?\n\n?|8/8/8/8/8/8/8/8 w - -){0,30}") {
            let content = Content::Memory(Cow::Owned(text.into_bytes()));
            if let Ok(book) = Book::index(PathBuf::from("any"), content) {
                for number in 1..=book.len() {
                    if let Ok(opening) = book.opening(number) {
                        prop_assert_eq!(opening.number, number);
                    }
                }
            }
        }
    }
}
