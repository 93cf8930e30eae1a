//! Where games are read from: files as they stand, compressed ones, folders, standard input.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

use super::error::ReadError;
use crate::notation::pgn;

/// About so many bytes are read at a time.
const PIECE: usize = 1 << 20;

/// One file of games, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    path: PathBuf,
}

impl Source {
    /// The path as it was given, or as it was found below a folder that was.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `true` for `-`.
    #[must_use]
    pub fn is_standard_input(&self) -> bool {
        self.path == Path::new("-")
    }

    /// The file itself, whatever way its path is written.
    pub(super) fn identity(&self) -> PathBuf {
        fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    fn error(&self, source: io::Error) -> ReadError {
        let path = self.path.clone();
        ReadError::Io { path, source }
    }

    fn open(&self) -> io::Result<Text> {
        if self.is_standard_input() {
            return unpacked(Box::new(io::stdin()));
        }
        let file = File::open(&self.path)?;
        if !file.metadata()?.is_file() {
            return unpacked(Box::new(file));
        }
        match map(&file) {
            Some(map) if Packing::of(&map) == Packing::None => Ok(Text::Mapped(Arc::new(map))),
            _ => unpacked(Box::new(file)),
        }
    }
}

/// All of a plain file, unpacked; `None` when that is more than `most` bytes.
///
/// # Errors
/// When it is a link, a device or a folder, cannot be read, or its compressed text breaks off.
pub fn read_whole(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a plain file"));
    }
    let bytes = unpacked_bytes(Box::new(File::open(path)?))?;
    let mut text = Vec::new();
    bytes.take(most.saturating_add(1)).read_to_end(&mut text)?;
    Ok((text.len() as u64 <= most).then_some(text))
}

/// Maps a file into memory; `None` when the system will not, as for an empty one.
#[allow(unsafe_code)]
fn map(file: &File) -> Option<Mmap> {
    // SAFETY: the map is only read, as bytes without any assumption on them: every value is checked where it is
    // used. A runner only appends to its file, which leaves the mapped part as it is. If someone
    // cuts the file short while it is read, the system ends this process; nothing is written that could suffer.
    unsafe { Mmap::map(file) }.ok()
}

/// The files that the given paths mean: a folder means every `games.pgn` (also `.gz`, `.zst`) below it, in the order of
/// their paths; `-` is standard input; anything else is a file.
///
/// # Errors
///
/// When a path does not exist, a folder cannot be listed or holds no games.
pub fn gather(paths: &[PathBuf]) -> Result<Vec<Source>, ReadError> {
    let mut sources = Vec::new();
    for path in paths {
        let source = Source { path: path.clone() };
        if source.is_standard_input() {
            sources.push(source);
            continue;
        }
        let about = fs::metadata(path).map_err(|error| source.error(error))?;
        if !about.is_dir() {
            sources.push(source);
            continue;
        }
        let found = sources.len();
        below(path, &mut sources)?;
        if sources.len() == found {
            return Err(ReadError::NothingBelow { path: path.clone() });
        }
    }
    Ok(sources)
}

fn below(folder: &Path, sources: &mut Vec<Source>) -> Result<(), ReadError> {
    let here = Source {
        path: folder.to_owned(),
    };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(|error| here.error(error))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let kind = entry.file_type().map_err(|error| here.error(error))?;
        if kind.is_dir() {
            below(&path, sources)?;
        } else if is_games(&path) && path.is_file() {
            sources.push(Source { path });
        }
    }
    Ok(())
}

fn is_games(path: &Path) -> bool {
    let names = ["games.pgn", "games.pgn.gz", "games.pgn.zst"];
    path.file_name()
        .is_some_and(|name| names.iter().any(|games| name == *games))
}

/// How a file is compressed, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    None,
    Gzip,
    Zstandard,
}

impl Packing {
    fn of(first: &[u8]) -> Self {
        match first {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Self::Zstandard,
            _ => Self::None,
        }
    }
}

type Bytes = Box<dyn Read + Send>;

enum Text {
    Mapped(Arc<Mmap>),
    Stream(Bytes),
}

fn unpacked(bytes: Bytes) -> io::Result<Text> {
    unpacked_bytes(bytes).map(Text::Stream)
}

fn unpacked_bytes(mut bytes: Bytes) -> io::Result<Bytes> {
    let mut first = Vec::new();
    bytes.by_ref().take(4).read_to_end(&mut first)?;
    let packing = Packing::of(&first);
    let bytes: Bytes = Box::new(io::Cursor::new(first).chain(bytes));
    Ok(match packing {
        Packing::None => bytes,
        Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        Packing::Zstandard => Box::new(zstd::Decoder::new(bytes)?),
    })
}

/// Whole records of one file, at most one of them torn: the last of the file.
pub(super) struct Piece {
    /// Which of the sources it comes from.
    pub(super) source: usize,
    text: PieceText,
}

enum PieceText {
    Mapped(Arc<Mmap>, Range<usize>),
    Read(Vec<u8>),
}

impl Piece {
    pub(super) fn text(&self) -> &[u8] {
        match &self.text {
            PieceText::Mapped(map, range) => &map[range.clone()],
            PieceText::Read(text) => text,
        }
    }

    /// Memory it holds of its own, in bytes.
    pub(super) fn weight(&self) -> usize {
        match &self.text {
            PieceText::Mapped(..) => 0,
            PieceText::Read(text) => text.capacity(),
        }
    }
}

/// All sources, piece by piece in their order.
pub(super) struct Pieces {
    sources: Vec<Source>,
    /// The source that is opened next.
    next: usize,
    open: Option<Open>,
    /// Sources whose compressed text breaks off.
    pub(super) broken: Vec<usize>,
}

enum Open {
    Mapped(Arc<Mmap>, std::vec::IntoIter<Range<usize>>),
    Stream(Bytes, Vec<u8>),
}

impl Pieces {
    pub(super) fn new(sources: Vec<Source>) -> Self {
        Self {
            sources,
            next: 0,
            open: None,
            broken: Vec::new(),
        }
    }

    /// The next piece; `None` when all is read.
    pub(super) fn next_piece(&mut self) -> Result<Option<Piece>, ReadError> {
        loop {
            if let Some(text) = self.piece_of_open()? {
                let source = self.next - 1;
                return Ok(Some(Piece { source, text }));
            }
            let Some(source) = self.sources.get(self.next) else {
                return Ok(None);
            };
            let text = source.open().map_err(|error| source.error(error))?;
            self.next += 1;
            self.open = Some(match text {
                Text::Mapped(map) => {
                    let pieces = pgn::pieces(&map, PIECE).into_iter();
                    Open::Mapped(map, pieces)
                }
                Text::Stream(bytes) => Open::Stream(bytes, Vec::new()),
            });
        }
    }

    fn piece_of_open(&mut self) -> Result<Option<PieceText>, ReadError> {
        match &mut self.open {
            None => Ok(None),
            Some(Open::Mapped(map, pieces)) => Ok(pieces
                .next()
                .map(|range| PieceText::Mapped(Arc::clone(map), range))),
            Some(Open::Stream(bytes, left)) => match next_text(bytes, left) {
                Ok(text) => Ok(text.map(PieceText::Read)),
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    self.broken.push(self.next - 1);
                    let text = std::mem::take(left);
                    self.open = None;
                    Ok((!text.is_empty()).then_some(PieceText::Read(text)))
                }
                Err(error) => Err(self.sources[self.next - 1].error(error)),
            },
        }
    }
}

/// Reads on until a record is whole; keeps what follows in `left`.
fn next_text(bytes: &mut Bytes, left: &mut Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    let mut wanted = PIECE;
    loop {
        let missing = wanted.saturating_sub(left.len());
        left.reserve_exact(missing);
        let got = bytes.by_ref().take(missing as u64).read_to_end(left)?;
        if got < missing {
            let text = std::mem::take(left);
            return Ok((!text.is_empty()).then_some(text));
        }
        if let Some(cut) = pgn::last_cut(left) {
            let rest = left.split_off(cut);
            return Ok(Some(std::mem::replace(left, rest)));
        }
        wanted = left.len() * 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(path: &Path) -> String {
        let mut pieces = Pieces::new(gather(&[path.to_owned()]).unwrap());
        let mut text = Vec::new();
        while let Some(piece) = pieces.next_piece().unwrap() {
            text.extend_from_slice(piece.text());
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn packed_files_read_as_the_plain_one() {
        let folder = tempfile::tempdir().unwrap();
        let game = "[Event \"x\"]\n[Site \"?\"]\n[Date \"?\"]\n\n1. e4 {a comment to fill the line} 1-0\n\n";
        let text = game.repeat(40_000);
        let plain = folder.path().join("plain");
        fs::write(&plain, &text).unwrap();
        let gzip = folder.path().join("gzip");
        let mut packer = flate2::write::GzEncoder::new(
            File::create(&gzip).unwrap(),
            flate2::Compression::fast(),
        );
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap();
        let zst = folder.path().join("zst");
        fs::write(&zst, zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
        for path in [plain, gzip, zst] {
            assert!(read(&path) == text, "{} differs", path.display());
        }
    }

    #[test]
    fn a_packed_file_that_breaks_off_gives_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let text = "[Event \"x\"]\n".repeat(1000);
        let packed = zstd::encode_all(text.as_bytes(), 1).unwrap();
        let path = folder.path().join("games.pgn.zst");
        fs::write(&path, &packed[..packed.len() - 3]).unwrap();
        let mut pieces = Pieces::new(gather(&[path]).unwrap());
        while pieces.next_piece().unwrap().is_some() {}
        assert_eq!(pieces.broken, [0]);
    }

    #[test]
    fn a_folder_means_the_games_below_it() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "shard-1/games.pgn",
            "shard-0/deep/games.pgn.gz",
            "other/notes.pgn",
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found: Vec<PathBuf> = gather(&[folder.path().to_owned()])
            .unwrap()
            .iter()
            .map(|source| source.path().strip_prefix(&folder).unwrap().to_owned())
            .collect();
        assert_eq!(
            found,
            [
                Path::new("shard-0/deep/games.pgn.gz"),
                Path::new("shard-1/games.pgn")
            ]
        );
        let error = gather(&[folder.path().join("other")]).unwrap_err();
        assert!(matches!(error, ReadError::NothingBelow { .. }));
        assert!(gather(&[folder.path().join("missing")]).is_err());
    }
}
