//! The shards of a match as a workflow leaves them: a folder for each, with its games and the manifest of its run.
//!
//! What is in such a folder was written by jobs that run what a pull request brought. So each is held against what was
//! asked for, against the others, and its manifest against its games; what does not fit is named and left out.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::games::shard_index;
use crate::play::manifest::{self, Engine, Manifest};
use crate::play::resume::Match;
use crate::play::run_folder::{FolderError, GAMES, RunFolder};
use crate::play::tally::Tally;

/// Bytes a manifest may have.
const LONGEST_MANIFEST: u64 = 1 << 20;
/// Folders inside each other that are looked into.
const DEEPEST: usize = 8;
/// Letters of a name that are repeated in a remark.
const WIDEST: usize = 80;

/// An engine as a plan names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedEngine {
    /// The name it plays under.
    pub name: String,
    /// Its commit; `None` holds for any.
    pub commit: Option<String>,
}

/// The match whose shards are looked for. What is `None` holds for any.
#[derive(Clone, Debug)]
pub struct WantedMatch {
    /// The engine under test.
    pub candidate: WantedEngine,
    /// Whom it plays: one in a match, one a shard in a gauntlet.
    pub opponents: Vec<WantedEngine>,
    /// How many shards there are to be.
    pub shards: u64,
    /// What picks the openings.
    pub seed: Option<String>,
    /// Which batch of the test.
    pub batch: Option<String>,
    /// Pairs of a shard.
    pub pairs: Option<usize>,
    /// The time controls of the engine under test and of the others.
    pub clocks: [Option<String>; 2],
}

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

/// Why a shard cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// Nothing says what its games are.
    #[error("it has no {}", manifest::NAME)]
    NoManifest,
    /// Nothing was played.
    #[error("it has no {GAMES}")]
    NoGames,
    /// The manifest is torn, too long or no manifest.
    #[error("its {} cannot be read", manifest::NAME)]
    Unreadable,
    /// The manifest is that of another match.
    #[error("it is of another match: {}", .0.join("; "))]
    OtherMatch(Vec<String>),
    /// The folder's name and the manifest contradict each other.
    #[error(
        "its folder is that of shard {folder}, its {} that of shard {manifest}",
        manifest::NAME
    )]
    Misnamed {
        /// As the folder's name says.
        folder: u64,
        /// As the manifest says.
        manifest: u64,
    },
    /// Another folder has its place.
    #[error("it is shard {index} again, as {first} is")]
    Again {
        /// The place of both.
        index: u64,
        /// The other folder's name.
        first: String,
    },
    /// The games are torn, or not those of the manifest's match.
    #[error("its games cannot be used: {0}")]
    Games(#[from] FolderError),
    /// The games are fewer or more than the manifest says.
    #[error(
        "its {} says {said} games in {said_pairs} pairs, and there are {found} in {found_pairs}: \
         the file is cut short, or not its own",
        manifest::NAME
    )]
    Counts {
        /// Games of the manifest.
        said: u64,
        /// Pairs of the manifest.
        said_pairs: u64,
        /// Games found.
        found: u64,
        /// Pairs found.
        found_pairs: u64,
    },
}

/// Why there is nothing to judge.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardsError {
    /// The folder cannot be looked through.
    #[error("cannot read {}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No shard can be used.
    #[error("no shard of {shards} can be used{why}; rerun all of them")]
    Nothing {
        /// How many there were to be.
        shards: u64,
        /// What is wrong with those there are.
        why: String,
    },
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
        self.sift(|shard| check_games(shard).err());
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

/// A place among shards or batches; that of what was not divided is the first.
fn place(number: &Option<String>) -> Option<u64> {
    match number {
        Some(number) => number.parse().ok(),
        None => Some(0),
    }
}

/// In what a manifest is not that of the match asked for.
fn strangeness(manifest: &Manifest, wanted: &WantedMatch) -> Vec<String> {
    let mut found = Vec::new();
    let slice = &manifest.slice;
    let mut note = |what: &str, is: &str, asked: Option<&str>| {
        if let Some(asked) = asked.filter(|asked| *asked != is) {
            found.push(format!("{what} is {}, not {}", shown(is), shown(asked)));
        }
    };
    let opponent = wanted
        .opponents
        .iter()
        .find(|engine| engine.name == manifest.baseline.name);
    let expected = opponent.or(wanted.opponents.first());
    let sides = [
        (
            "candidate",
            &manifest.candidate,
            Some(&wanted.candidate),
            &wanted.clocks[0],
        ),
        ("baseline", &manifest.baseline, expected, &wanted.clocks[1]),
    ];
    for (side, engine, asked, clock) in sides {
        note(
            &format!("its {side}"),
            &engine.name,
            asked.map(|engine| &*engine.name),
        );
        let commits = (
            engine.commit.as_deref(),
            asked.and_then(|engine| engine.commit.as_deref()),
        );
        if let (Some(is), Some(asked)) = commits
            && !same_commit(is, asked)
        {
            note(&format!("the commit of its {side}"), is, Some(asked));
        }
        let tc = engine.limit.tc.as_deref().unwrap_or("none");
        note(
            &format!("the time control of its {side}"),
            tc,
            clock.as_deref(),
        );
    }
    let text = |number: &Option<String>, default: &str| {
        number.clone().unwrap_or_else(|| default.to_owned())
    };
    note(
        "its seed",
        &text(&slice.seed, "none"),
        wanted.seed.as_deref(),
    );
    note(
        "its batch",
        &text(&slice.batch, "0"),
        wanted.batch.as_deref(),
    );
    note(
        "its number of shards",
        &text(&slice.shards, "1"),
        Some(&wanted.shards.to_string()),
    );
    let pairs = wanted.pairs.map(|pairs| pairs.to_string());
    note(
        "its number of pairs",
        &slice.pairs.to_string(),
        pairs.as_deref(),
    );
    if place(&slice.shard).is_none_or(|index| index >= wanted.shards) {
        let is = shown(&text(&slice.shard, "0"));
        found.push(format!("it is shard {is} of {}", wanted.shards));
    }
    found
}

/// Whether two commits are the same, one of them perhaps cut short.
fn same_commit(one: &str, other: &str) -> bool {
    let least = one.len().min(other.len());
    one == other || (least >= 7 && (one.starts_with(other) || other.starts_with(one)))
}

/// In what two shards are not of the same match. The opponents of a gauntlet may differ.
fn differences(one: &Manifest, other: &Manifest) -> Vec<String> {
    let mut like = one.clone();
    like.slice.shard.clone_from(&other.slice.shard);
    like.slice.first.clone_from(&other.slice.first);
    if one.baseline.name != other.baseline.name {
        like.baseline = Engine {
            limit: one.baseline.limit.clone(),
            margin_ms: one.baseline.margin_ms,
            ..other.baseline.clone()
        };
    }
    like.differences(other)
}

/// Holds the manifest against the games.
fn check_games(shard: &UsableShard) -> Result<(), Flaw> {
    let Manifest {
        candidate,
        baseline,
        slice,
        games,
        pairs,
        ended,
        ..
    } = &shard.manifest;
    let of = Match {
        first: &candidate.name,
        second: &baseline.name,
        pairs: slice.pairs,
    };
    let tally: Tally = RunFolder::open(&shard.folder)?.read(of)?.tally();
    let (found, found_pairs) = (tally.total(), tally.pairs().pairs());
    // A run that was killed had no time to count its last games.
    let fits = match ended {
        Some(_) => (found, found_pairs) == (*games, *pairs),
        None => found >= *games && found_pairs >= *pairs,
    };
    if fits && found > 0 {
        return Ok(());
    }
    if fits {
        return Err(Flaw::NoGames);
    }
    Err(Flaw::Counts {
        said: *games,
        said_pairs: *pairs,
        found,
        found_pairs,
    })
}

/// A stranger's word in a remark.
fn shown(text: &str) -> String {
    let text: String = text.chars().take(WIDEST).collect();
    format!("`{}`", text.escape_debug())
}
