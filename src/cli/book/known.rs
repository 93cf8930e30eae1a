//! `mache book list`, `pin`, `file`, `format`, `fetch` and `verify`: books of a table.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::ci::{BooksError, Table};
use crate::cli::exit::{self, Refused};
use crate::cli::remark;
use crate::openings::{KnownBook, Sha256Sum, TableError, Variant};

#[derive(Debug, Args)]
struct TableArgs {
    /// Table of books: a .toml file like books/books.toml, or a program that answers list, pin, file, format, count,
    /// fetch and verify [default: the table in this program]
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

impl TableArgs {
    fn open(&self) -> Result<Table, BooksError> {
        Table::open(self.table.as_deref())
    }
}

/// Name the books of the table, one a line
#[derive(Debug, Args)]
pub(super) struct List {
    /// Say what is known of each as well
    #[arg(long)]
    long: bool,
    #[command(flatten)]
    table: TableArgs,
}

impl List {
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        match self.table.open()? {
            Table::Ours(table) | Table::File(table) if self.long => {
                for book in table.books() {
                    writeln!(out, "{}", row(book))?;
                }
            }
            table @ (Table::Ours(_) | Table::File(_) | Table::Program(_)) => {
                for name in table.names()? {
                    writeln!(out, "{name}")?;
                }
            }
        }
        Ok(exit::ANSWERED)
    }
}

fn row(book: &KnownBook) -> String {
    let variant = match book.variant() {
        Variant::Standard => "standard",
        Variant::Chess960 => "chess960",
    };
    let sum = book.sha256().map_or("no sum", |_| "sum known");
    format!(
        "{:<24} {} {:<8} {:>8} openings  {sum:<9}  {}",
        book.name(),
        book.form().word(),
        variant,
        book.openings(),
        book.licence(),
    )
}

/// Print what changes when the books of the table do
#[derive(Debug, Args)]
pub(super) struct Pin {
    #[command(flatten)]
    table: TableArgs,
}

impl Pin {
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        writeln!(out, "{}", self.table.open()?.pin()?)?;
        Ok(exit::ANSWERED)
    }
}

/// Print the name of a book's file
#[derive(Debug, Args)]
pub(super) struct FileName {
    /// Name of the book
    #[arg(value_name = "NAME")]
    book: String,
    #[command(flatten)]
    table: TableArgs,
}

impl FileName {
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let table = self.table.open()?;
        writeln!(out, "{}", table.file(&self.book).map_err(refused)?)?;
        Ok(exit::ANSWERED)
    }
}

/// Print whether a book is pgn or epd
#[derive(Debug, Args)]
pub(super) struct Format {
    /// Name of the book
    #[arg(value_name = "NAME")]
    book: String,
    #[command(flatten)]
    table: TableArgs,
}

impl Format {
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let form = self.table.open()?.form(&self.book).map_err(refused)?;
        writeln!(out, "{}", form.word())?;
        Ok(exit::ANSWERED)
    }
}

/// Fetch books of the table and check them
///
/// Prints where each is. A book that is there already and is the recorded one is not fetched again. A file that is not
/// the recorded one never comes to lie under the book's name.
#[derive(Debug, Args)]
pub(super) struct Fetch {
    /// Names of the books
    #[arg(value_name = "NAME", required = true)]
    books: Vec<String>,
    /// Folder they go to, made if it is not there
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Sum of a book that the table records none for
    #[arg(long, value_name = "SUM")]
    sha256: Option<Sha256Sum>,
    /// Seconds each may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=21_600))]
    timeout: u64,
    #[command(flatten)]
    table: TableArgs,
}

impl Fetch {
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        if self.sha256.is_some() && self.books.len() > 1 {
            let message = "--sha256 is the sum of one book; name one";
            return Err(Refused(message.to_owned()).into());
        }
        let table = self.table.open()?;
        self.books
            .iter()
            .try_for_each(|book| table.check(book).map_err(refused))?;
        let time = Duration::from_secs(self.timeout);
        for book in &self.books {
            let path = table.fetch(book, &self.into, self.sha256, time)?;
            writeln!(out, "{}", path.display())?;
        }
        Ok(exit::ANSWERED)
    }
}

/// Check that a book in a folder is the one the table records
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Name of the book
    #[arg(value_name = "NAME")]
    book: String,
    /// Folder it is in
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    table: TableArgs,
}

impl Verify {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let table = self.table.open()?;
        table.check(&self.book).map_err(refused)?;
        let path = table.verify(&self.book, &self.folder)?;
        remark(&format!("{} is the recorded one", path.display()));
        Ok(exit::ANSWERED)
    }
}

/// An unknown name is a refused argument; anything else is a failure.
fn refused(error: BooksError) -> anyhow::Error {
    match error {
        BooksError::Table(error @ TableError::Unknown { .. }) => Refused(error.to_string()).into(),
        other => other.into(),
    }
}
