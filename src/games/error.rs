//! Why games could not be read.

use std::io;
use std::path::PathBuf;

/// Why files of games could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system would not let us read it.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder was given and no games lie in it.
    #[error("no games.pgn (nor games.pgn.gz, games.pgn.zst) in or below {}", path.display())]
    NothingBelow {
        /// The folder.
        path: PathBuf,
    },
    /// The engine under test finished no game in any of the files.
    #[error("no finished game of `{candidate}` in {files} {}{}", if *files == 1 { "file" } else { "files" }, others(names))]
    NoGames {
        /// The name looked for.
        candidate: String,
        /// How many files were read.
        files: usize,
        /// Names the games do have, in order of appearance, for a suggestion.
        names: Vec<String>,
    },
}

fn others(names: &[String]) -> String {
    match names {
        [] => ", and no game of anyone".into(),
        names => format!("; the games name {}", names.join(", ")),
    }
}
