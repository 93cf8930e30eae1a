//! The files of a run: games, log, faults.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::ZonedDateTime;

use super::game::Played;
use crate::notation::uci::cleaned;
use crate::play::PlayError;
use crate::play::engine::EngineProcess;

/// Folders of faults kept in a run.
const MOST_FAULTS: usize = 100;
/// Letters of a log line.
const WIDEST_LINE: usize = 2000;

/// Open files of a run, shared by its slots.
#[derive(Debug)]
pub(super) struct Files {
    games: Mutex<Appended>,
    log: Mutex<Appended>,
    faults: PathBuf,
    kept: AtomicUsize,
}

impl Files {
    /// Opens `games.pgn` and `log` in the run's folder; what they hold stays.
    pub(super) fn open(out: &Path) -> Result<Self, PlayError> {
        let mut games = Appended::open(out.join("games.pgn"))?;
        games.end_record()?;
        Ok(Self {
            games: Mutex::new(games),
            log: Mutex::new(Appended::open(out.join("log"))?),
            faults: out.join("faults"),
            kept: AtomicUsize::new(0),
        })
    }

    /// Puts a game on disk, whole or not at all.
    pub(super) fn write_game(&self, record: &str) -> Result<(), PlayError> {
        lock(&self.games).append(record)
    }

    /// Writes a line into the log, with the time before it.
    pub(super) fn log(&self, line: &str) -> Result<(), PlayError> {
        let now = ZonedDateTime::now();
        let line = cleaned(line, WIDEST_LINE);
        let stamped = format!("{} {line}\n", now.strftime("%Y-%m-%dT%H:%M:%S%.3f"));
        lock(&self.log).append(&stamped)
    }

    /// Keeps what is known of a fault in `faults/<round>-<white|black>/`; `None` once enough were kept.
    pub(super) fn keep_fault(
        &self,
        name: &str,
        engine: &mut EngineProcess,
        played: &Played,
    ) -> Result<Option<PathBuf>, PlayError> {
        if self.kept.fetch_add(1, Ordering::Relaxed) >= MOST_FAULTS {
            return Ok(None);
        }
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| PlayError::Write { path, source }
        };
        let folder = new_folder(&self.faults, name).map_err(failed(&self.faults))?;
        let contents = [
            ("protocol.txt", engine.protocol()),
            ("stderr.txt", engine.standard_error()),
            ("position.fen", format!("{}\n", played.board.fen())),
            ("moves.txt", format!("{}\n", played.board.command())),
            ("ending.txt", format!("{}\n", played.ending)),
        ];
        for (file, content) in contents {
            let path = folder.join(file);
            fs::write(&path, content).map_err(failed(&path))?;
        }
        Ok(Some(folder))
    }
}

/// A panic in one slot leaves the file as whole as before: games are appended in one piece.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes `name`, or `name-2` and so on when another fault has it already.
fn new_folder(parent: &Path, name: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(parent)?;
    let names = (2..).map(|number| format!("{name}-{number}"));
    for name in std::iter::once(name.to_owned()).chain(names) {
        let folder = parent.join(name);
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| folder),
        }
    }
    unreachable!("there is always a further number")
}

/// A file that only grows, by whole pieces.
#[derive(Debug)]
struct Appended {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Appended {
    fn open(path: PathBuf) -> Result<Self, PlayError> {
        let opened = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .and_then(|file| Ok((file.metadata()?.len(), file)));
        match opened {
            Ok((length, file)) => Ok(Self { path, file, length }),
            Err(source) => Err(PlayError::Write { path, source }),
        }
    }

    /// Appends all of `text` in one write, or takes back what a failed write left.
    fn append(&mut self, text: &str) -> Result<(), PlayError> {
        let written = self.file.write_all(text.as_bytes());
        match written.and_then(|()| self.file.flush()) {
            Ok(()) => {
                self.length += text.len() as u64;
                Ok(())
            }
            Err(source) => {
                // If even that fails, the cut record at the end of the file is what readers expect of a full disk.
                _ = self.file.set_len(self.length);
                let path = self.path.clone();
                Err(PlayError::Write { path, source })
            }
        }
    }

    /// Ends a record that was cut off, so that the next one begins on a line of its own.
    fn end_record(&mut self) -> Result<(), PlayError> {
        let missing = self.missing_feeds();
        let missing = missing.map_err(|source| PlayError::Write {
            path: self.path.clone(),
            source,
        })?;
        self.append(missing)
    }

    fn missing_feeds(&mut self) -> io::Result<&'static str> {
        if self.length == 0 {
            return Ok("");
        }
        let mut end = Vec::new();
        self.file
            .seek(SeekFrom::Start(self.length.saturating_sub(2)))?;
        self.file.read_to_end(&mut end)?;
        Ok(match end.as_slice() {
            [b'\n', b'\n'] => "",
            [.., b'\n'] => "\n",
            _ => "\n\n",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_follow_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        for (before, after) in [
            ("", "x\n\n"),
            ("1. e4 {+0.1", "1. e4 {+0.1\n\nx\n\n"),
            ("*\n", "*\n\nx\n\n"),
            ("*\n\n", "*\n\nx\n\n"),
        ] {
            fs::write(&path, before).unwrap();
            let files = Files::open(folder.path()).unwrap();
            files.write_game("x\n\n").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), after);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/dev/full", folder.path().join("games.pgn")).unwrap();
        let files = Files::open(folder.path()).unwrap();
        let error = files.write_game("x\n\n").unwrap_err();
        assert!(error.to_string().starts_with("cannot write "), "{error}");
    }

    #[test]
    fn log_lines_are_single_lines() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        files.log("a\n::error::b").unwrap();
        let log = fs::read_to_string(folder.path().join("log")).unwrap();
        assert!(log.ends_with(" a::error::b\n"), "{log}");
        assert_eq!(log.lines().count(), 1);
    }

    #[test]
    fn folders_of_faults_never_meet() {
        let folder = tempfile::tempdir().unwrap();
        let made = |name| new_folder(folder.path(), name).unwrap();
        assert_eq!(made("3-white"), folder.path().join("3-white"));
        assert_eq!(made("3-white"), folder.path().join("3-white-2"));
        assert_eq!(made("3-white"), folder.path().join("3-white-3"));
    }
}
