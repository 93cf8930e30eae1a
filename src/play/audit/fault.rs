//! What can be wrong with a match that came from strangers.

use std::fmt;
use std::path::Path;

use serde::Serialize;

/// A kind of fault, by the word that documents use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// A file cannot be read, is too large, or is not what its name says.
    Unreadable,
    /// A shard, a batch, a file or a pair that should be there is not.
    Missing,
    /// A shard, a file or a game is there twice.
    Repeated,
    /// Something is not as the run left it.
    Altered,
    /// The run was killed, so nothing says how it left its games.
    Unpinned,
    /// A shard or a game of another match.
    Foreign,
    /// Two pairs begin from one position although their places in the book differ or must not meet.
    Overlap,
    /// A pair does not begin from its place in the book.
    Opening,
    /// The report is not the document it says it is.
    Schema,
    /// Figures of the report do not follow from its counts.
    Arithmetic,
    /// A batch does not go on from the one before.
    Chain,
    /// The report does not follow from the games.
    Mismatch,
}

impl FaultKind {
    /// The word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Missing => "missing",
            Self::Repeated => "repeated",
            Self::Altered => "altered",
            Self::Unpinned => "unpinned",
            Self::Foreign => "foreign",
            Self::Overlap => "overlap",
            Self::Opening => "opening",
            Self::Schema => "schema",
            Self::Arithmetic => "arithmetic",
            Self::Chain => "chain",
            Self::Mismatch => "mismatch",
        }
    }
}

/// One fault. Texts may hold words of strangers and are not escaped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// The file or folder; empty when it is about the match as a whole.
    pub file: String,
    /// One-based place of the game in the file.
    pub game: Option<u64>,
    /// What is wrong, in words.
    pub what: String,
}

/// Longest text of a fault, in characters: a name in it may be of any length.
const LONGEST: usize = 400;

impl Fault {
    /// A fault of a file or folder.
    #[must_use]
    pub fn of(kind: FaultKind, path: &Path, what: impl Into<String>) -> Self {
        Self::named(kind, &path.display().to_string(), what)
    }

    /// A fault of something that has a name of its own; empty for the match as a whole.
    #[must_use]
    pub fn named(kind: FaultKind, file: &str, what: impl Into<String>) -> Self {
        Self {
            kind,
            file: shortened(file),
            game: None,
            what: shortened(&what.into()),
        }
    }

    /// The same, of one game of the file.
    #[must_use]
    pub fn at_game(self, game: u64) -> Self {
        Self {
            game: Some(game),
            ..self
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.word())?;
        if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        if let Some(game) = self.game {
            write!(f, "game {game}: ")?;
        }
        f.write_str(&self.what)
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_its_place_and_stays_short() {
        let fault = Fault::of(FaultKind::Altered, Path::new("a/games.pgn"), "it changed");
        assert_eq!(fault.to_string(), "altered: a/games.pgn: it changed");
        assert_eq!(
            fault.at_game(7).to_string(),
            "altered: a/games.pgn: game 7: it changed"
        );
        let long = Fault::named(FaultKind::Chain, "", "é".repeat(5000));
        assert_eq!(long.what.chars().count(), LONGEST + 1);
    }
}
