//! Runs below the given folders: which files are there, without following links.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::fault::{Fault, FaultKind};
use crate::play::manifest;

/// Folders below folders.
const DEEPEST: usize = 16;
/// Files and folders looked at in all.
const MOST_ENTRIES: usize = 200_000;
/// Folders with games or a manifest.
pub(super) const MOST_FOLDERS: usize = 4096;

/// What of a run a folder holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) has_manifest: bool,
    /// Files of games, by path.
    pub(super) games: BTreeSet<PathBuf>,
}

/// All folders that hold games or a manifest, by path.
#[derive(Debug, Default)]
pub(super) struct Finds {
    pub(super) folders: BTreeMap<PathBuf, Found>,
    pub(super) faults: Vec<Fault>,
    entries: usize,
    seen: BTreeSet<PathBuf>,
}

impl Finds {
    /// Looks below these folders, into each once.
    pub(super) fn below(paths: &[PathBuf]) -> Self {
        let mut finds = Self::default();
        for path in paths {
            let before = finds.folders.len() + finds.faults.len();
            // What was asked for may be a link; what lies below may not.
            let real = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            if finds.seen.contains(&real) {
                finds.fault(FaultKind::Repeated, path, "the folder is given twice");
                continue;
            }
            finds.look(path, &real, DEEPEST);
            if finds.folders.len() + finds.faults.len() == before {
                finds.fault(FaultKind::Missing, path, "no games and no manifest below");
            }
        }
        finds
    }

    fn fault(&mut self, kind: FaultKind, path: &Path, what: &str) {
        self.faults.push(Fault::of(kind, path, what));
    }

    fn look(&mut self, folder: &Path, real: &Path, deeper: usize) {
        if !self.seen.insert(real.to_owned()) {
            return self.fault(FaultKind::Repeated, folder, "the folder is given twice");
        }
        let mut entries =
            match fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
                Ok(entries) => entries,
                Err(error) => {
                    return self.fault(FaultKind::Unreadable, folder, &error.to_string());
                }
            };
        self.entries += entries.len();
        if self.entries > MOST_ENTRIES || self.folders.len() >= MOST_FOLDERS {
            let what = "too many files and folders; what is from here on was not looked at";
            return self.fault(FaultKind::Unreadable, folder, what);
        }
        entries.sort_by_key(fs::DirEntry::file_name);
        let mut found = Found::default();
        let mut folders = Vec::new();
        for entry in entries {
            let name = entry.file_name();
            let kind = entry.file_type().ok();
            if kind.is_some_and(|kind| kind.is_dir()) {
                folders.push(name);
            } else if is_games(&name.to_string_lossy()) {
                found.games.insert(entry.path());
            } else if name == manifest::NAME {
                found.has_manifest = true;
            }
        }
        if found != Found::default() {
            self.folders.insert(folder.to_owned(), found);
        }
        for name in folders {
            match deeper.checked_sub(1) {
                Some(deeper) => self.look(&folder.join(&name), &real.join(&name), deeper),
                None => self.fault(FaultKind::Unreadable, folder, "folders are too deep here"),
            }
        }
    }
}

fn is_games(name: &str) -> bool {
    ["games.pgn", "games.pgn.gz", "games.pgn.zst"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_once_and_links_are_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for name in ["a/manifest.json", "a/games.pgn", "b/c/games.pgn.zst"] {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(path("a"), path("b/link")).unwrap();
        let finds = Finds::below(&[path("a"), path("b"), path("b/c"), path("none")]);
        let folders: Vec<&PathBuf> = finds.folders.keys().collect();
        assert_eq!(folders, [&path("a"), &path("b/c")]);
        let kinds: Vec<FaultKind> = finds.faults.iter().map(|fault| fault.kind).collect();
        assert_eq!(kinds, [FaultKind::Repeated, FaultKind::Unreadable]);
    }

    #[test]
    fn depth_has_an_end() {
        let place = tempfile::tempdir().unwrap();
        let deep: PathBuf = std::iter::repeat_n("x", DEEPEST + 3).collect();
        fs::create_dir_all(place.path().join(deep)).unwrap();
        let finds = Finds::below(&[place.path().to_owned()]);
        assert_eq!(finds.faults[0].kind, FaultKind::Unreadable);
    }
}
