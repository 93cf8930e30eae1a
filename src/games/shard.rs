//! One file's share of a match.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::pairing::NumberedPair;
use crate::stats::Pentanomial;

/// The games of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Shard {
    /// The last part of the folder that holds the file, or the file's own name where no folder was given.
    pub name: String,
    /// The first `shard-<digits>` in the name.
    pub index: Option<u64>,
    /// Finished games of the candidate.
    pub games: u64,
    /// The candidate's points from them.
    pub points: f64,
    /// How many of them were drawn.
    pub draws: u64,
    /// Its pairs.
    pub pairs: Pentanomial,
    /// Finished games that are part of no pair.
    pub unpaired: u64,
    /// Games of the candidate without a result.
    pub unfinished: u64,
    /// Games that ended by a fault, whoever played them.
    pub faults: u64,
    /// The file, as it was given or found.
    pub path: PathBuf,
    /// The model of the processor it was played on; `None` while nobody has said. Files of games do not say it.
    pub cpu: Option<String>,
    /// Its pairs, in no particular order.
    pub(super) numbered: Vec<NumberedPair>,
}

impl Shard {
    /// Points over games; `None` without a game.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.points / self.games as f64)
    }
}

/// A shard's name, from its path as it was given.
pub(super) fn name_of(path: &Path) -> String {
    let folder = path
        .parent()
        .and_then(|folder| folder.components().next_back());
    let name = match folder {
        Some(Component::Normal(name)) => name,
        Some(Component::ParentDir) => OsStr::new(".."),
        Some(Component::CurDir | Component::RootDir | Component::Prefix(_)) | None => {
            path.file_name().unwrap_or(path.as_os_str())
        }
    };
    name.to_string_lossy().into_owned()
}

/// The number behind the first `shard-` in a name that digits follow.
pub fn index_of(name: &str) -> Option<u64> {
    number_behind(name, "shard-")
}

/// The number behind a word's first place that has one.
pub(super) fn number_behind(name: &str, word: &str) -> Option<u64> {
    name.match_indices(word).find_map(|(at, _)| {
        let rest = &name[at + word.len()..];
        let digits = rest
            .find(|letter: char| !letter.is_ascii_digit())
            .unwrap_or(rest.len());
        rest[..digits].parse().ok()
    })
}

/// Shards with an index first, by index, then by name.
pub(super) fn order(name: &str) -> (bool, Option<u64>, String) {
    let index = index_of(name);
    (index.is_none(), index, name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices() {
        let cases = [
            ("run-shard-10/games.pgn", "run-shard-10", Some(10)),
            ("a/b/shard-7-shard-1/x.pgn", "shard-7-shard-1", Some(7)),
            ("shard-x-shard-3/games.pgn", "shard-x-shard-3", Some(3)),
            ("games.pgn", "games.pgn", None),
            ("./games.pgn", "games.pgn", None),
            ("../games.pgn", "..", None),
            ("/games.pgn", "games.pgn", None),
            ("-", "-", None),
        ];
        for (path, name, index) in cases {
            assert_eq!(name_of(Path::new(path)), name, "{path}");
            assert_eq!(index_of(name), index, "{path}");
        }
    }

    #[test]
    fn shards_sort_by_number_and_then_by_name() {
        let mut names = ["zeta", "shard-10", "alpha", "x-shard-2"];
        names.sort_by_key(|name| order(name));
        assert_eq!(names, ["x-shard-2", "shard-10", "alpha", "zeta"]);
    }
}
