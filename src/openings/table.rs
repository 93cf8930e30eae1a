//! The table of known books: where each is fetched from and what sum it has to have.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::book::DEFAULT_BOOK;
use super::sum::Sha256Sum;
use super::{BookForm, Variant};

/// The table inside the program.
const OURS: &str = include_str!("../../books/books.toml");
/// Bytes a caller's table may have.
const LONGEST: u64 = 1 << 20;

/// Known books, in the order of their table.
#[derive(Clone, Debug)]
pub struct BookTable {
    pin: String,
    books: Vec<KnownBook>,
}

/// A book of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownBook {
    name: String,
    file: String,
    form: BookForm,
    variant: Variant,
    openings: NonZeroU64,
    licence: String,
    sha256: Option<Sha256Sum>,
    source: BookSource,
}

/// Where a book comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookSource {
    /// It is part of the program: this text.
    Embedded(&'static [u8]),
    /// The file as it is, at an address.
    File(String),
    /// An archive that holds the file.
    Zip {
        /// Where the archive is.
        address: String,
        /// Sum of the archive, where it is recorded.
        sha256: Option<Sha256Sum>,
    },
}

/// Why a table could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The system would not let us read it.
    #[error("cannot read the table of books {}", path.display())]
    Io {
        /// The table.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No table is that long.
    #[error("the table of books has more than {LONGEST} bytes")]
    Long,
    /// Not TOML, or not of the form of a table.
    #[error("the table of books, line {line}: {message}")]
    Form {
        /// One-based line.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// A value that cannot be.
    #[error("the table of books: `{field}` of book `{}` {wanted}", book.escape_debug())]
    Value {
        /// Name of the book.
        book: String,
        /// Key of the value.
        field: &'static str,
        /// What it has to be.
        wanted: &'static str,
    },
    /// Two books that cannot be told apart.
    #[error("the table of books has two with the {what} `{value}`")]
    Twice {
        /// `name` or `file`.
        what: &'static str,
        /// The value they share.
        value: String,
    },
    /// A name that is in no row.
    #[error("no book named `{}`; this table has {}", name.escape_debug(), known.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// Names of the table.
        known: Vec<String>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableText {
    pin: Option<String>,
    book: Vec<BookText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BookText {
    name: String,
    file: String,
    format: BookForm,
    #[serde(default)]
    variant: Variant,
    openings: NonZeroU64,
    licence: String,
    address: Option<String>,
    zip_sha256: Option<String>,
    sha256: Option<String>,
}

impl BookTable {
    /// The table that is part of the program.
    #[must_use]
    pub fn ours() -> Self {
        Self::parse(OURS).expect("the program's own table is sound")
    }

    /// Reads a caller's table from a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is no table.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let unreadable = |source| TableError::Io {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(unreadable)?;
        let mut text = String::new();
        file.take(LONGEST + 1)
            .read_to_string(&mut text)
            .map_err(unreadable)?;
        if text.len() as u64 > LONGEST {
            return Err(TableError::Long);
        }
        Self::parse(&text)
    }

    /// Reads a table.
    ///
    /// # Errors
    /// When the text is not TOML of the form that `books/books.toml` describes, or two books share a name or a file.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let table: TableText = toml::from_str(text).map_err(|error| form_error(text, &error))?;
        let books: Vec<KnownBook> = table
            .book
            .into_iter()
            .map(KnownBook::try_from)
            .collect::<Result<_, _>>()?;
        all_differ("name", books.iter().map(KnownBook::name))?;
        all_differ("file", books.iter().map(KnownBook::file))?;
        let pin = table
            .pin
            .unwrap_or_else(|| Sha256Sum::of(text.as_bytes()).to_string());
        Ok(Self { pin, books })
    }

    /// What changes when the books of the table do: the state of their source, or else the SHA-256 of the table.
    #[must_use]
    pub fn pin(&self) -> &str {
        &self.pin
    }

    /// The books.
    #[must_use]
    pub fn books(&self) -> &[KnownBook] {
        &self.books
    }

    /// The book of that name.
    ///
    /// # Errors
    /// When there is none.
    pub fn book(&self, name: &str) -> Result<&KnownBook, TableError> {
        let found = self.books.iter().find(|book| book.name == name);
        found.ok_or_else(|| TableError::Unknown {
            name: name.to_owned(),
            known: self.books.iter().map(|book| book.name.clone()).collect(),
        })
    }
}

fn form_error(text: &str, error: &toml::de::Error) -> TableError {
    let before = error.span().and_then(|span| text.get(..span.start));
    TableError::Form {
        line: before.unwrap_or_default().matches('\n').count() + 1,
        message: error.message().to_owned(),
    }
}

fn all_differ<'a>(
    what: &'static str,
    values: impl Iterator<Item = &'a str>,
) -> Result<(), TableError> {
    let mut seen = HashSet::new();
    // Some systems do not tell capitals from small letters in the name of a file.
    for value in values {
        if !seen.insert(value.to_lowercase()) {
            let value = value.to_owned();
            return Err(TableError::Twice { what, value });
        }
    }
    Ok(())
}

impl KnownBook {
    /// What it is asked for by: letters, digits and `.+_-`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name of its file, without a folder.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// PGN or EPD.
    #[must_use]
    pub const fn form(&self) -> BookForm {
        self.form
    }

    /// The rules its openings are for.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Openings in it.
    #[must_use]
    pub const fn openings(&self) -> NonZeroU64 {
        self.openings
    }

    /// The terms its makers offer it under.
    #[must_use]
    pub fn licence(&self) -> &str {
        &self.licence
    }

    /// Sum of the file; a book without one is never taken for the recorded one.
    #[must_use]
    pub const fn sha256(&self) -> Option<Sha256Sum> {
        self.sha256
    }

    /// Where it comes from.
    #[must_use]
    pub const fn source(&self) -> &BookSource {
        &self.source
    }

    /// The same book with the sum that somebody who looked at it gives.
    #[must_use]
    pub fn with_sum(self, sum: Sha256Sum) -> Self {
        Self {
            sha256: Some(sum),
            ..self
        }
    }
}

impl TryFrom<BookText> for KnownBook {
    type Error = TableError;

    fn try_from(text: BookText) -> Result<Self, TableError> {
        let wrong = |field, wanted| TableError::Value {
            book: text.name.clone(),
            field,
            wanted,
        };
        let sum = |field, sum: &Option<String>| {
            let parsed = sum.as_deref().map(str::parse::<Sha256Sum>).transpose();
            parsed.map_err(|_| wrong(field, "is not a SHA-256 sum"))
        };
        for (field, value) in [("name", &text.name), ("file", &text.file)] {
            if !is_plain_name(value) {
                return Err(wrong(field, "is not made of letters, digits and .+_-"));
            }
        }
        let (sha256, zip_sha256) = (
            sum("sha256", &text.sha256)?,
            sum("zip_sha256", &text.zip_sha256)?,
        );
        let source = match text.address.clone() {
            Some(address) if address.ends_with(".zip") => BookSource::Zip {
                address,
                sha256: zip_sha256,
            },
            Some(_) if zip_sha256.is_some() => {
                return Err(wrong("address", "does not end in .zip as its sum says"));
            }
            Some(address) => BookSource::File(address),
            None if sha256 == Some(Sha256Sum::of(DEFAULT_BOOK)) => {
                BookSource::Embedded(DEFAULT_BOOK)
            }
            None => return Err(wrong("address", "is missing")),
        };
        Ok(Self {
            name: text.name,
            file: text.file,
            form: text.format,
            variant: text.variant,
            openings: text.openings,
            licence: text.licence,
            sha256,
            source,
        })
    }
}

/// A name that is one word everywhere: on a command line, in a folder, in a workflow.
fn is_plain_name(name: &str) -> bool {
    name.len() <= 100
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || ".+_-".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::Book;

    const ROW: &str = r#"
[[book]]
name = "mine"
file = "mine.epd"
format = "epd"
openings = 2
licence = "mine"
address = "https://example.org/mine.epd"
"#;

    fn refused(text: &str) -> String {
        BookTable::parse(text).expect_err("no table").to_string()
    }

    #[test]
    fn our_table_holds_our_book_and_fifteen_others() {
        let table = BookTable::ours();
        assert_eq!((table.books().len(), table.pin().len()), (16, 40));
        let ours = table.book("mache_8ply").expect("our own");
        let embedded = Book::embedded();
        assert_eq!(
            ours.sha256().map(|sum| sum.to_string()),
            embedded.sha256().ok()
        );
        assert_eq!(ours.openings().get(), embedded.len() as u64);
        assert!(matches!(ours.source(), BookSource::Embedded(_)));
        for book in &table.books()[1..] {
            let BookSource::Zip { address, sha256 } = book.source() else {
                panic!("{book:?}");
            };
            assert!(address.contains(table.pin()), "{address}");
            assert!(
                address.ends_with(&format!("/{}.zip", book.file())),
                "{address}"
            );
            assert_eq!(sha256.is_some(), book.sha256().is_some(), "{}", book.name());
            assert!(book.file().ends_with(book.form().word()), "{}", book.file());
        }
        let unknown: Vec<_> = table
            .books()
            .iter()
            .filter(|book| book.sha256().is_none())
            .collect();
        let unknown: Vec<_> = unknown.into_iter().map(KnownBook::name).collect();
        assert_eq!(
            unknown,
            ["UHO_Lichess_4852_v1", "UHO_XXL_+0.90_+1.19", "noob_4moves"]
        );
    }

    #[test]
    fn the_sums_that_other_tables_record_are_ours_too() {
        let table = BookTable::ours();
        let row = |name: &str| {
            let book = table.book(name).expect("a known book");
            (
                book.openings().get(),
                book.sha256().expect("a sum").to_string(),
            )
        };
        let sum = "5835239f88cc2c7511b177c32392a69f3ede21819cf0616f80a7f907cd21d17e";
        assert_eq!(row("8moves_v3"), (34_700, sum.to_owned()));
        let sum = "36f2ec751ab78def6be1307430cbe2cd2ba65ade8d2aaae8f10e3df7d0ea83e1";
        assert_eq!(row("UHO_4060_v2"), (242_201, sum.to_owned()));
    }

    #[test]
    fn a_table_of_ones_own() {
        let table = BookTable::parse(ROW).expect("a table");
        let mine = table.book("mine").expect("its book");
        let address = "https://example.org/mine.epd".to_owned();
        assert_eq!(mine.source(), &BookSource::File(address));
        assert_eq!((mine.variant(), mine.sha256()), (Variant::Standard, None));
        // Without a pin the table's own sum stands for it.
        assert_eq!(table.pin(), Sha256Sum::of(ROW.as_bytes()).to_string());
        let sum = Sha256Sum::of(b"mine");
        assert_eq!(mine.clone().with_sum(sum).sha256(), Some(sum));
        insta::assert_snapshot!(table.book("MINE").expect_err("another name"), @"no book named `MINE`; this table has mine");
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_place() {
        insta::assert_snapshot!(refused("book = 1"), @"the table of books, line 1: invalid type: integer `1`, expected a sequence");
        insta::assert_snapshot!(refused("\n[[book]\n"), @"the table of books, line 2: unclosed array table, expected `]`");
        insta::assert_snapshot!(refused(&ROW.replace("openings = 2", "openings = 0")), @"the table of books, line 6: invalid value: integer `0`, expected a nonzero u64");
        insta::assert_snapshot!(refused(&ROW.replace("licence", "license")), @"the table of books, line 7: unknown field `license`, expected one of `name`, `file`, `format`, `variant`, `openings`, `licence`, `address`, `zip_sha256`, `sha256`");
        insta::assert_snapshot!(refused(&ROW.replace("\"mine.epd\"", "\"../mine.epd\"")), @"the table of books: `file` of book `mine` is not made of letters, digits and .+_-");
        insta::assert_snapshot!(refused(&ROW.replace("\"mine\"\nfile", "\"-rf\"\nfile")), @"the table of books: `name` of book `-rf` is not made of letters, digits and .+_-");
        insta::assert_snapshot!(refused(&ROW.replace("address", "sha256")), @"the table of books: `sha256` of book `mine` is not a SHA-256 sum");
        insta::assert_snapshot!(refused(&ROW.replace("address = \"https://example.org/mine.epd\"", "")), @"the table of books: `address` of book `mine` is missing");
        insta::assert_snapshot!(refused(&format!("{ROW}{}", ROW.replace("mine.epd", "MINE.epd").replace("\"mine\"", "\"other\""))), @"the table of books has two with the file `MINE.epd`");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let error = BookTable::open(Path::new("no/such/table.toml")).expect_err("none");
        assert_eq!(
            error.to_string(),
            "cannot read the table of books no/such/table.toml"
        );
    }
}
