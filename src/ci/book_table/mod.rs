//! Books by a table: the program's own, a caller's file, or a caller's program with the verbs `list`, `pin`, `file`,
//! `format`, `count`, `fetch` and `verify`.

mod error;
mod fetch;

pub use error::BooksError;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::openings::{Book, BookForm, BookTable, KnownBook, Sha256Sum, TableError};
use crate::play::program::Program;

/// How long a caller's program may take for anything but fetching.
const ANSWER: Duration = Duration::from_secs(60);

/// Where books are looked up.
#[derive(Clone, Debug)]
pub enum Table {
    /// The table inside this program.
    Ours(BookTable),
    /// A table in a file of the caller's.
    File(BookTable),
    /// A program of the caller's that answers the verbs.
    Program(PathBuf),
}

impl Table {
    /// The table that a setting names: none or an empty one is ours, a file that ends in `.toml` is read, anything
    /// else is a program, in this folder when the name has no slash.
    ///
    /// # Errors
    /// When the file cannot be read or is no table.
    pub fn open(setting: Option<&Path>) -> Result<Self, BooksError> {
        match setting.filter(|path| !path.as_os_str().is_empty()) {
            None => Ok(Self::Ours(BookTable::ours())),
            Some(path) if path.extension().is_some_and(|it| it == "toml") => {
                Ok(Self::File(BookTable::open(path)?))
            }
            // Joined to the folder it is in, so that the system does not look along its search path.
            Some(path) => Ok(Self::Program(Path::new(".").join(path))),
        }
    }

    /// The names of its books, in its order.
    ///
    /// # Errors
    /// When the caller's program cannot say.
    pub fn names(&self) -> Result<Vec<String>, BooksError> {
        match self {
            Self::Ours(table) | Self::File(table) => {
                let names = table.books().iter().map(KnownBook::name);
                Ok(names.map(str::to_owned).collect())
            }
            Self::Program(program) => {
                let answer = ask(program, &["list"])?;
                let names = answer.lines().map(str::trim);
                Ok(names
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned)
                    .collect())
            }
        }
    }

    /// What changes when its books do: kept books are kept under it.
    ///
    /// # Errors
    /// When the caller's program cannot say.
    pub fn pin(&self) -> Result<String, BooksError> {
        match self {
            Self::Ours(table) | Self::File(table) => Ok(table.pin().to_owned()),
            Self::Program(program) => ask(program, &["pin"]),
        }
    }

    /// Checks that a book is in the table.
    ///
    /// # Errors
    /// When it is not; the message lists those that are.
    pub fn check(&self, book: &str) -> Result<(), BooksError> {
        match self {
            Self::Ours(table) | Self::File(table) => Ok(table.book(book).map(drop)?),
            Self::Program(_) => {
                let known = self.names()?;
                if known.iter().any(|name| name == book) {
                    return Ok(());
                }
                let name = book.to_owned();
                Err(TableError::Unknown { name, known }.into())
            }
        }
    }

    /// The name of a book's file, without a folder.
    ///
    /// # Errors
    /// When there is no such book, or the caller's program answers with a path.
    pub fn file(&self, book: &str) -> Result<String, BooksError> {
        match self {
            Self::Ours(table) | Self::File(table) => Ok(table.book(book)?.file().to_owned()),
            Self::Program(program) => {
                let answer = self.asked(program, "file", book)?;
                let plain = !answer.is_empty()
                    && !answer.starts_with(['.', '-'])
                    && !answer.contains(['/', '\\', '\n', '\0']);
                if plain {
                    return Ok(answer);
                }
                Err(unexpected(
                    "file",
                    book,
                    answer,
                    "the name of a file was wanted",
                ))
            }
        }
    }

    /// Whether a book is PGN or EPD.
    ///
    /// # Errors
    /// When there is no such book, or the caller's program names another format.
    pub fn form(&self, book: &str) -> Result<BookForm, BooksError> {
        match self {
            Self::Ours(table) | Self::File(table) => Ok(table.book(book)?.form()),
            Self::Program(program) => match &*self.asked(program, "format", book)? {
                "pgn" => Ok(BookForm::Pgn),
                "epd" => Ok(BookForm::Epd),
                other => Err(unexpected(
                    "format",
                    book,
                    other.to_owned(),
                    "pgn or epd was wanted",
                )),
            },
        }
    }

    /// How many openings the table says a book has; a caller's program can only count those of a file.
    ///
    /// # Errors
    /// When there is no such book.
    pub fn openings(&self, book: &str) -> Result<Option<u64>, BooksError> {
        match self {
            Self::Ours(table) | Self::File(table) => Ok(Some(table.book(book)?.openings().get())),
            Self::Program(_) => self.check(book).map(|()| None),
        }
    }

    /// How many openings the book's file at a path has.
    ///
    /// # Errors
    /// When there is no such book, or the file is none.
    pub fn count(&self, book: &str, path: &Path) -> Result<u64, BooksError> {
        self.check(book)?;
        match self {
            Self::Ours(_) | Self::File(_) => Ok(Book::open(path)?.len() as u64),
            Self::Program(program) => {
                let path = path.to_string_lossy();
                let answer = ask(program, &["count", book, &path])?;
                answer
                    .trim()
                    .parse()
                    .map_err(|_| unexpected("count", book, answer, "a number was wanted"))
            }
        }
    }

    /// Checks the book's file in a folder against the table.
    ///
    /// # Errors
    /// When it is not there, is another, or the table has no sum for it.
    pub fn verify(&self, book: &str, folder: &Path) -> Result<PathBuf, BooksError> {
        let path = folder.join(self.file(book)?);
        match self {
            Self::Ours(table) | Self::File(table) => fetch::verify(table.book(book)?, &path)?,
            Self::Program(program) => {
                ask(program, &["verify", book, &folder.to_string_lossy()])?;
            }
        }
        Ok(path)
    }

    /// Fetches a book into a folder, which is made; one that is there and is the right one is left alone. Nothing
    /// comes to lie under the book's name that is not the book. `sum` is taken for a book without a recorded one.
    ///
    /// # Errors
    /// When it cannot be had whole within the time, or is not what the table says.
    pub fn fetch(
        &self,
        book: &str,
        folder: &Path,
        sum: Option<Sha256Sum>,
        time: Duration,
    ) -> Result<PathBuf, BooksError> {
        let unusable = |source| BooksError::Io {
            path: folder.to_owned(),
            source,
        };
        match self {
            Self::Ours(table) | Self::File(table) => {
                let known = fetch::with_sum(table.book(book)?, sum)?;
                fs::create_dir_all(folder).map_err(unusable)?;
                fetch::fetch(&known, folder, time)
            }
            Self::Program(program) => {
                self.check(book)?;
                fs::create_dir_all(folder).map_err(unusable)?;
                if let Ok(path) = self.verify(book, folder) {
                    return Ok(path);
                }
                let words = ["fetch", book, &folder.to_string_lossy()];
                ask_within(program, &words, time)?;
                self.verify(book, folder)
            }
        }
    }

    /// What changes when this book does: its sum where the table has one, else the pin of the table.
    ///
    /// # Errors
    /// When there is no such book, or the caller's program cannot say.
    pub fn content(&self, book: &str) -> Result<String, BooksError> {
        self.check(book)?;
        let sum = match self {
            Self::Ours(table) | Self::File(table) => table.book(book)?.sha256(),
            Self::Program(_) => None,
        };
        sum.map_or_else(|| self.pin(), |sum| Ok(sum.to_string()))
    }

    /// Copies a book from a folder it was fetched to into another, which is made, and checks the copy.
    ///
    /// # Errors
    /// When it cannot be copied, or the copy is not what the table says; then it is removed.
    pub fn copy(&self, book: &str, from: &Path, into: &Path) -> Result<PathBuf, BooksError> {
        let file = self.file(book)?;
        let place = into.join(&file);
        let copied = fs::create_dir_all(into).and_then(|()| fs::copy(from.join(file), &place));
        copied.map_err(|source| BooksError::Io {
            path: place.clone(),
            source,
        })?;
        self.verify(book, into).inspect_err(|_| {
            // What matters is that it is not what it should be; that is said.
            let _ = fs::remove_file(&place);
        })
    }

    fn asked(&self, program: &Path, verb: &str, book: &str) -> Result<String, BooksError> {
        self.check(book)?;
        ask(program, &[verb, book])
    }
}

fn ask(program: &Path, words: &[&str]) -> Result<String, BooksError> {
    ask_within(program, words, ANSWER)
}

fn ask_within(program: &Path, words: &[&str], time: Duration) -> Result<String, BooksError> {
    let answer = Program::new(program).arguments(words).within(time).answer();
    answer.map_err(|source| BooksError::Program {
        verb: words.join(" "),
        source,
    })
}

fn unexpected(verb: &str, book: &str, answer: String, wanted: &'static str) -> BooksError {
    BooksError::Answer {
        verb: format!("{verb} {book}"),
        answer,
        wanted,
    }
}
