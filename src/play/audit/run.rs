//! One run: its manifest, its files, its games, each held against the others.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::fault::{Fault, FaultKind};
use super::find::Found;
use super::stretch::Stretch;
use crate::games::{RollEntry, read_whole, roll};
use crate::play::Stop;
use crate::play::manifest::{self, GamesFile, Manifest, sha256_of};

/// A manifest is a few kilobytes, and some more where a run of many pairs was taken up again.
const LARGEST_MANIFEST: u64 = 4 << 20;
/// A file of games, unpacked.
const LARGEST_FILE: u64 = 256 << 20;
/// Missing pairs that are named one by one.
const NAMED: usize = 8;

/// What may still be read, so that no input takes more memory or time than a large match.
#[derive(Debug)]
pub(super) struct Budget {
    bytes: u64,
    games: usize,
}

impl Budget {
    pub(super) const fn new() -> Self {
        Self {
            bytes: 4 << 30,
            games: 4_000_000,
        }
    }
}

/// A run that was looked at.
#[derive(Debug)]
pub struct Run {
    /// Its folder.
    pub folder: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
    /// Its place; `None` when the manifest gives none that makes sense.
    pub stretch: Option<Stretch>,
    /// Its files that could be read.
    pub files: Vec<File>,
}

/// A file of games that was read.
#[derive(Debug)]
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// SHA-256 of its unpacked content.
    pub sha256: String,
    /// Its games, their rounds numbered as the run's pairs; a round that is none of them is `None`.
    pub games: Vec<RollEntry>,
}

impl File {
    /// Its finished games.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.games.iter().filter(|game| game.finished).count() as u64
    }
}

/// Reads the manifest of a folder.
pub(super) fn read_manifest(folder: &Path) -> Result<Manifest, Fault> {
    let path = folder.join(manifest::NAME);
    let unreadable = |what: String| Fault::of(FaultKind::Unreadable, &path, what);
    let text = read_whole(&path, LARGEST_MANIFEST)
        .map_err(|error| unreadable(error.to_string()))?
        .ok_or_else(|| unreadable(format!("larger than {LARGEST_MANIFEST} bytes")))?;
    let manifest: Manifest = serde_json::from_slice(&text)
        .map_err(|error| unreadable(format!("no manifest this version can read: {error}")))?;
    if manifest.format == 1 {
        Ok(manifest)
    } else {
        Err(unreadable(format!(
            "a manifest of format {}",
            manifest.format
        )))
    }
}

impl Run {
    /// The run of this folder, without its games.
    pub(super) fn new(folder: &Path, manifest: Manifest, faults: &mut Vec<Fault>) -> Self {
        let stretch = Stretch::of(&manifest)
            .map_err(|what| {
                let path = folder.join(manifest::NAME);
                faults.push(Fault::of(FaultKind::Altered, &path, what));
            })
            .ok();
        Self {
            folder: folder.to_owned(),
            manifest,
            stretch,
            files: Vec::new(),
        }
    }

    /// Reads the games of one of its folders; `rounds` says which pairs of the run the folder's Rounds are.
    pub(super) fn read(
        &mut self,
        found: &Found,
        rounds: Option<&[usize]>,
        budget: &mut Budget,
        faults: &mut Vec<Fault>,
    ) {
        for path in &found.games {
            match self.file(path, rounds, budget) {
                Ok(file) => self.files.push(file),
                Err(what) => faults.push(Fault::of(FaultKind::Unreadable, path, what)),
            }
        }
    }

    fn file(
        &self,
        path: &Path,
        rounds: Option<&[usize]>,
        budget: &mut Budget,
    ) -> Result<File, String> {
        let most = LARGEST_FILE.min(budget.bytes);
        let text = read_whole(path, most).map_err(|error| error.to_string())?;
        let text = text.ok_or_else(|| format!("larger than {most} bytes; it was not looked at"))?;
        budget.bytes -= text.len() as u64;
        let (candidate, baseline) = (&self.manifest.candidate.name, &self.manifest.baseline.name);
        let mut games = roll(&text, candidate, baseline, budget.games);
        budget.games -= games.len();
        if budget.games == 0 {
            return Err("too many games; it was not looked at".to_owned());
        }
        for game in &mut games {
            game.round = game.round.and_then(|round| match rounds {
                None => Some(round),
                Some(rounds) => rounds.get(round.checked_sub(1)?).copied(),
            });
            game.round = game
                .round
                .filter(|&round| (1..=self.manifest.slice.pairs).contains(&round));
        }
        Ok(File {
            path: path.to_owned(),
            sha256: sha256_of(&text),
            games,
        })
    }

    /// Whether the run is what its manifest says.
    pub(super) fn check(&self, faults: &mut Vec<Fault>, notes: &mut Vec<String>) {
        self.check_pins(faults);
        let pairs = self.check_games(faults);
        self.check_completeness(&pairs, faults, notes);
    }

    /// The files against the hashes that the run recorded at its end.
    fn check_pins(&self, faults: &mut Vec<Fault>) {
        let path = self.folder.join(manifest::NAME);
        let Some(pinned) = &self.manifest.files else {
            let what = "the run was killed or is older than pins, so nothing says how it left its games; finish it with \
                        `mache play --resume`";
            faults.push(Fault::of(FaultKind::Unpinned, &path, what));
            return;
        };
        let mut left: BTreeSet<&str> = pinned.iter().map(|file| &*file.name).collect();
        for file in &self.files {
            let name = self.name_of(file);
            match pinned.iter().find(|pinned| pinned.name == name) {
                None => faults.push(Fault::of(
                    FaultKind::Foreign,
                    &file.path,
                    "the manifest does not know this file",
                )),
                Some(pinned) => {
                    left.remove(&*name);
                    faults.extend(altered(file, pinned));
                }
            }
        }
        faults.extend(left.into_iter().map(|name| {
            let what = format!("the games `{name}`, which the manifest lists, are not there");
            Fault::of(FaultKind::Missing, &path, what)
        }));
    }

    /// The name under which the manifest knows a file: packing does not count.
    fn name_of(&self, file: &File) -> String {
        let below = file.path.strip_prefix(&self.folder).unwrap_or(&file.path);
        let parts = below.iter().map(|part| part.to_string_lossy());
        let name = parts.collect::<Vec<_>>().join("/");
        let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst"));
        plain.map_or(name.clone(), str::to_owned)
    }

    /// Whose games they are and that none is there twice. Answers the sides seen of each pair.
    fn check_games(&self, faults: &mut Vec<Fault>) -> HashMap<usize, [bool; 2]> {
        let mut seen: HashMap<usize, [bool; 2]> = HashMap::new();
        for (file, game) in self.games() {
            let mut fault = |kind, what: String| {
                faults.push(Fault::of(kind, &file.path, what).at_game(game.number));
            };
            let Some(candidate_is_white) = game.candidate_is_white else {
                fault(
                    FaultKind::Foreign,
                    "not between the engines of this run".to_owned(),
                );
                continue;
            };
            let Some(round) = game.round else {
                let pairs = self.manifest.slice.pairs;
                fault(
                    FaultKind::Foreign,
                    format!("its Round is none of the run's pairs 1 to {pairs}"),
                );
                continue;
            };
            if !game.finished {
                continue;
            }
            let side = &mut seen.entry(round).or_default()[usize::from(candidate_is_white)];
            if std::mem::replace(side, true) {
                fault(
                    FaultKind::Repeated,
                    format!("this game of pair {round} is there for the second time"),
                );
            }
        }
        seen
    }

    fn check_completeness(
        &self,
        seen: &HashMap<usize, [bool; 2]>,
        faults: &mut Vec<Fault>,
        notes: &mut Vec<String>,
    ) {
        let path = self.folder.join(manifest::NAME);
        let whole = |round: &usize| seen.get(round) == Some(&[true, true]);
        let sides = seen.values().flatten().filter(|&&side| side);
        let (games, pairs) = (
            sides.count() as u64,
            seen.keys().filter(|r| whole(r)).count(),
        );
        for (what, recorded, found) in [
            ("games", self.manifest.games, games),
            ("pairs", self.manifest.pairs, pairs as u64),
        ] {
            if self.manifest.files.is_some() && recorded != found {
                let what = format!("it records {recorded} finished {what} and {found} are there");
                faults.push(Fault::of(FaultKind::Altered, &path, what));
            }
        }
        let planned = self.manifest.slice.pairs;
        if pairs >= planned {
            return;
        }
        let mut missing = (1..=planned).filter(|round| !whole(round));
        let named: Vec<String> = missing
            .by_ref()
            .take(NAMED)
            .map(|n| n.to_string())
            .collect();
        let more = planned - pairs - named.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        match self.manifest.stopped {
            Some(Stop::Finished) => {
                let what = format!(
                    "it says it finished, and of its {planned} pairs these are not whole: {}{more}",
                    named.join(", ")
                );
                faults.push(Fault::of(FaultKind::Missing, &path, what));
            }
            Some(Stop::Time | Stop::Signal | Stop::Fault) | None => notes.push(format!(
                "{} was stopped after {pairs} of {planned} pairs",
                self.folder.display()
            )),
        }
    }

    /// All games, with their files.
    pub(super) fn games(&self) -> impl Iterator<Item = (&File, &RollEntry)> {
        let of_file = |file| std::iter::repeat(file);
        self.files
            .iter()
            .flat_map(move |file| of_file(file).zip(&file.games))
    }
}

fn altered(file: &File, pinned: &GamesFile) -> Option<Fault> {
    let finished = file.finished();
    (file.sha256 != pinned.sha256).then(|| {
        let what = format!(
            "it is not as the run left it: {finished} finished games with the SHA-256 {}, and the manifest records {} with {}",
            file.sha256, pinned.games, pinned.sha256
        );
        Fault::of(FaultKind::Altered, &file.path, what)
    })
}
