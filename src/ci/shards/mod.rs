//! The shards of a match as a workflow leaves them: a folder for each, with its games and the manifest of its run.
//!
//! What is in such a folder was written by jobs that run what a pull request brought. So each is held against what was
//! asked for, against the others, and its manifest against its games; what does not fit is named and left out.

mod flaw;
mod wanted;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::games::shard_index;
use crate::play::manifest::{self, Manifest};
use crate::play::run_folder::GAMES;
pub use flaw::{Flaw, ShardsError};
pub use wanted::{WantedEngine, WantedMatch};
use wanted::{check_games, differences, place, shown, strangeness};

/// Bytes a manifest may have.
const LONGEST_MANIFEST: u64 = 1 << 20;
/// Folders inside each other that are looked into.
const DEEPEST: usize = 8;

/// A shard that can be counted on.
#[derive(Clone, Debug)]
pub struct UsableShard {
    /// Its folder's name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its place in the match, from 0.
    pub index: u64,
    /// What its run says of itself.
    pub manifest: Manifest,
}

/// A folder that cannot be used.
#[derive(Debug)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// The place in the match that it, or else its manifest, gives it.
    pub index: Option<u64>,
    /// Why.
    pub flaw: Flaw,
}

/// The shards of a folder.
#[derive(Debug)]
pub struct Shards {
    /// Those that can be used, by their place.
    pub usable: Vec<UsableShard>,
    /// Those that cannot.
    pub left_out: Vec<LeftOut>,
    wanted: u64,
}

impl Shards {
    /// Looks through a folder for the shards of a match.
    ///
    /// # Errors
    /// When it cannot be read, or holds no shard that can be used.
    pub fn read(folder: &Path, wanted: &WantedMatch) -> Result<Self, ShardsError> {
        let mut shards = Self {
            usable: Vec::new(),
            left_out: Vec::new(),
            wanted: wanted.shards,
        };
        for path in folders(folder)? {
            match shard(&path, wanted) {
                Ok(shard) => shards.usable.push(shard),
                Err(left_out) => shards.left_out.push(left_out),
            }
        }
        shards.leave_others_out();
        shards.leave_repeats_out();
        shards.leave_liars_out();
        shards.usable.sort_by_key(|shard| shard.index);
        if shards.usable.is_empty() {
            return Err(shards.nothing());
        }
        Ok(shards)
    }

    /// Places in the match of which there is nothing at all.
    #[must_use]
    pub fn missing(&self) -> Vec<u64> {
        let there = self.usable.iter().map(|shard| Some(shard.index));
        let there: Vec<Option<u64>> = there
            .chain(self.left_out.iter().map(|left| left.index))
            .collect();
        (0..self.wanted)
            .filter(|index| !there.contains(&Some(*index)))
            .collect()
    }

    /// Of all matches there are shards of, the one with most of them is taken for ours.
    fn leave_others_out(&mut self) {
        let agree = |one: &UsableShard, other: &UsableShard| {
            differences(&one.manifest, &other.manifest).is_empty()
        };
        let followers = |of: &UsableShard| self.usable.iter().filter(|one| agree(one, of)).count();
        let Some(most) = self.usable.iter().map(followers).max() else {
            return;
        };
        let ours = self.usable.iter().find(|shard| followers(shard) == most);
        let ours = ours.expect("one has the most").manifest.clone();
        self.sift(|shard| match differences(&shard.manifest, &ours) {
            same if same.is_empty() => None,
            found => Some(Flaw::OtherMatch(
                found
                    .into_iter()
                    .map(|what| format!("{what} differs"))
                    .collect(),
            )),
        });
    }

    fn leave_repeats_out(&mut self) {
        let mut known: BTreeMap<u64, String> = BTreeMap::new();
        self.sift(|shard| match known.get(&shard.index) {
            Some(first) => Some(Flaw::Again {
                index: shard.index,
                first: shown(first),
            }),
            None => {
                known.insert(shard.index, shard.name.clone());
                None
            }
        });
    }

    fn leave_liars_out(&mut self) {
        self.sift(|shard| check_games(&shard.folder, &shard.manifest).err());
    }

    /// Moves shards with a flaw among those left out.
    fn sift(&mut self, mut flaw: impl FnMut(&UsableShard) -> Option<Flaw>) {
        let mut kept = Vec::new();
        for shard in std::mem::take(&mut self.usable) {
            match flaw(&shard) {
                None => kept.push(shard),
                Some(flaw) => self.left_out.push(LeftOut {
                    name: shard.name,
                    index: Some(shard.index),
                    flaw,
                }),
            }
        }
        self.usable = kept;
    }

    fn nothing(&self) -> ShardsError {
        let each = self.left_out.iter().map(ToString::to_string);
        let each: Vec<String> = each.collect();
        ShardsError::Nothing {
            shards: self.wanted,
            why: match each.as_slice() {
                [] => ": there is none".to_owned(),
                each => format!(": {}", each.join("; ")),
            },
        }
    }
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", shown(&self.name), self.flaw)
    }
}

/// Folders with games or a manifest in them, by path; what lies inside such a folder is part of it.
fn folders(top: &Path) -> Result<Vec<PathBuf>, ShardsError> {
    let mut found = Vec::new();
    match gather(top, DEEPEST, &mut found) {
        // Where nothing was fetched there is no folder either.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(source) => {
            let path = top.to_owned();
            return Err(ShardsError::Io { path, source });
        }
        Ok(()) => {}
    }
    found.sort();
    Ok(found)
}

fn gather(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let is_shard = [GAMES, manifest::NAME]
        .iter()
        .any(|name| folder.join(name).is_file());
    if is_shard {
        found.push(folder.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if depth > 0 && entry.file_type()?.is_dir() {
            gather(&entry.path(), depth - 1, found)?;
        }
    }
    Ok(())
}

/// The shard of a folder, held against what was asked for.
fn shard(folder: &Path, wanted: &WantedMatch) -> Result<UsableShard, LeftOut> {
    let name = folder
        .file_name()
        .unwrap_or(folder.as_os_str())
        .to_string_lossy()
        .into_owned();
    let by_name = shard_index(&name);
    let left_out = |index: Option<u64>, flaw: Flaw| LeftOut {
        name: name.clone(),
        index: by_name.or(index),
        flaw,
    };
    let manifest = read_manifest(folder).map_err(|flaw| left_out(None, flaw))?;
    let index = place(&manifest.slice.shard);
    let found = strangeness(&manifest, wanted);
    if !found.is_empty() {
        return Err(left_out(index, Flaw::OtherMatch(found)));
    }
    let index = index.expect("a place that is none is strange");
    if let Some(folder) = by_name.filter(|&by_name| by_name != index) {
        let manifest = index;
        return Err(left_out(None, Flaw::Misnamed { folder, manifest }));
    }
    if !folder.join(GAMES).is_file() {
        return Err(left_out(Some(index), Flaw::NoGames));
    }
    Ok(UsableShard {
        name: name.clone(),
        folder: folder.to_owned(),
        index,
        manifest,
    })
}

fn read_manifest(folder: &Path) -> Result<Manifest, Flaw> {
    match fs::metadata(folder.join(manifest::NAME)) {
        Err(_) => return Err(Flaw::NoManifest),
        Ok(about) if about.len() > LONGEST_MANIFEST => return Err(Flaw::Unreadable),
        Ok(_) => {}
    }
    match Manifest::read(folder) {
        Ok(Some(manifest)) if manifest.format == 1 => Ok(manifest),
        Ok(None) => Err(Flaw::NoManifest),
        Ok(Some(_)) | Err(_) => Err(Flaw::Unreadable),
    }
}
