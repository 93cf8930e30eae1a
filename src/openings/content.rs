//! The bytes of a book: a file left where it is, or text unpacked into memory.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

/// A book unpacks to at most this many bytes, 1 GiB.
const UNPACKED_LIMIT: u64 = 1 << 30;

/// Why the bytes of a book could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// The system would not let us read it, or a compressed file is damaged.
    #[error("cannot be read")]
    Io(#[from] io::Error),
    /// It is no archive after all.
    #[error("cannot be unpacked")]
    Zip(#[from] zip::result::ZipError),
    /// An archive without a book.
    #[error("holds no .pgn or .epd file")]
    NoBook,
    /// An archive with several: nobody said which.
    #[error("holds more than one book: {}; unpack it and name one", .0.join(", "))]
    SeveralBooks(Vec<String>),
    /// More text than any book holds.
    #[error("unpacks to more than {0} bytes")]
    TooLarge(u64),
}

/// Where a book's text is.
#[derive(Debug)]
pub(super) enum Content {
    /// Read as needed, so that a large book costs no memory.
    File { file: Mutex<File>, length: u64 },
    /// Unpacked, or from a pipe, or part of the program.
    Memory(Cow<'static, [u8]>),
}

impl Content {
    /// Opens a file; `.gz`, `.zst` and `.zip` are known by their first bytes and unpacked.
    pub(super) fn open(path: &Path) -> Result<Self, UnpackError> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            let reader = io::Cursor::new(bounded(file, UNPACKED_LIMIT)?);
            return Self::unpack(reader).map(Self::Memory);
        }
        if Packing::of(&mut file)? != Packing::None {
            return Self::unpack(file).map(Self::Memory);
        }
        Ok(Self::File {
            file: Mutex::new(file),
            length: metadata.len(),
        })
    }

    fn unpack(mut reader: impl Read + Seek) -> Result<Cow<'static, [u8]>, UnpackError> {
        let text = match Packing::of(&mut reader)? {
            Packing::None => bounded(reader, UNPACKED_LIMIT),
            Packing::Gzip => bounded(MultiGzDecoder::new(reader), UNPACKED_LIMIT),
            Packing::Zstandard => bounded(zstd::Decoder::new(reader)?, UNPACKED_LIMIT),
            Packing::Zip => only_book(reader),
        };
        text.map(Cow::Owned)
    }

    /// Bytes in all.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::File { length, .. } => *length,
            Self::Memory(text) => text.len() as u64,
        }
    }

    /// Reads the text from its beginning.
    pub(super) fn read_through<T>(
        &self,
        visit: impl FnOnce(&mut dyn BufRead) -> io::Result<T>,
    ) -> io::Result<T> {
        match self {
            Self::File { file, .. } => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.rewind()?;
                visit(&mut BufReader::with_capacity(1 << 16, &mut *file))
            }
            Self::Memory(text) => visit(&mut &**text),
        }
    }

    /// A stretch of the text, shorter when the file has shrunk since.
    pub(super) fn block(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::File { file, .. } => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(range.start))?;
                let mut block = Vec::new();
                file.by_ref()
                    .take(range.end - range.start)
                    .read_to_end(&mut block)?;
                Ok(Cow::Owned(block))
            }
            Self::Memory(text) => Ok(Cow::Borrowed(within(text, range))),
        }
    }
}

fn within(text: &[u8], range: Range<u64>) -> &[u8] {
    let clip = |offset: u64| usize::try_from(offset).map_or(text.len(), |at| at.min(text.len()));
    &text[clip(range.start)..clip(range.end)]
}

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    None,
    Gzip,
    Zstandard,
    Zip,
}

impl Packing {
    /// Told by the first bytes; the reader stands at its beginning before and after.
    fn of(reader: &mut (impl Read + Seek)) -> io::Result<Self> {
        let mut magic = Vec::new();
        reader.take(4).read_to_end(&mut magic)?;
        reader.rewind()?;
        Ok(match magic.as_slice() {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Self::Zstandard,
            [b'P', b'K', 3, 4] | [b'P', b'K', 5, 6] => Self::Zip,
            _ => Self::None,
        })
    }
}

fn bounded(reader: impl Read, limit: u64) -> Result<Vec<u8>, UnpackError> {
    let mut text = Vec::new();
    let read = reader.take(limit + 1).read_to_end(&mut text)?;
    if read as u64 > limit {
        return Err(UnpackError::TooLarge(limit));
    }
    Ok(text)
}

fn only_book(reader: impl Read + Seek) -> Result<Vec<u8>, UnpackError> {
    let mut archive = ZipArchive::new(reader)?;
    let names = archive.file_names().collect::<Result<Vec<_>, _>>()?;
    let mut books: Vec<String> = names
        .into_iter()
        .filter(|name| is_book(name))
        .map(Cow::into_owned)
        .collect();
    match books.as_slice() {
        [] => Err(UnpackError::NoBook),
        [book] => bounded(archive.by_name(book)?, UNPACKED_LIMIT),
        _ => {
            books.sort();
            Err(UnpackError::SeveralBooks(books))
        }
    }
}

fn is_book(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|it| it.eq_ignore_ascii_case("pgn") || it.eq_ignore_ascii_case("epd"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: &[u8] = b"one\ntwo\n";

    fn unpacked(packed: Vec<u8>) -> Result<Vec<u8>, UnpackError> {
        Content::unpack(io::Cursor::new(packed)).map(Cow::into_owned)
    }

    fn zipped(names: &[&str]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for name in names {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            writer.write_all(TEXT).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn gzipped() -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(TEXT).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn every_packing_is_known_by_its_first_bytes() {
        assert_eq!(unpacked(TEXT.to_vec()).unwrap(), TEXT);
        assert_eq!(unpacked(gzipped()).unwrap(), TEXT);
        assert_eq!(unpacked(zstd::encode_all(TEXT, 1).unwrap()).unwrap(), TEXT);
        assert_eq!(
            unpacked(zipped(&["read me.txt", "a/Book.EPD"])).unwrap(),
            TEXT
        );
        assert_eq!(unpacked(Vec::new()).unwrap(), b"");
    }

    #[test]
    fn an_archive_holds_one_book() {
        let error = unpacked(zipped(&["readme.txt"])).unwrap_err();
        assert_eq!(error.to_string(), "holds no .pgn or .epd file");
        let error = unpacked(zipped(&["b.pgn", "a.epd"])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "holds more than one book: a.epd, b.pgn; unpack it and name one"
        );
        assert!(matches!(
            unpacked(b"PK\x03\x04rubbish".to_vec()),
            Err(UnpackError::Zip(_))
        ));
    }

    #[test]
    fn a_torn_or_endless_file_is_refused() {
        let mut torn = gzipped();
        torn.truncate(torn.len() - 5);
        assert!(matches!(unpacked(torn), Err(UnpackError::Io(_))));
        let error = bounded(io::repeat(b'x'), 1000).unwrap_err();
        assert_eq!(error.to_string(), "unpacks to more than 1000 bytes");
        assert_eq!(
            bounded(io::repeat(b'x').take(1000), 1000).unwrap().len(),
            1000
        );
    }
}
