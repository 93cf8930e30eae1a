//! What a run records about itself: `manifest.json`, beside its games.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::machine::Machine;
use super::tally::{Faults, Tally};
use super::{Adjudication, EngineSetup, Limit, Side, Stop};
use crate::openings::Variant;

/// The file's name.
pub const NAME: &str = "manifest.json";

/// Everything a run says about itself. Fields are added at the end; none is removed or changes its meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this document: 1.
    pub format: u32,
    /// Version of mache.
    pub mache: String,
    /// The command line, the program first.
    pub command_line: Vec<String>,
    /// What played: `built-in 0.1.0` or fastchess's own version line.
    pub runner: String,
    /// The engine under test.
    pub candidate: Engine,
    /// What it is compared with.
    pub baseline: Engine,
    /// The openings it plays from.
    pub book: BookRecord,
    /// Which of them.
    pub slice: SliceRecord,
    /// Early endings.
    pub adjudication: AdjudicationRecord,
    /// Whether the match goes on after a crash or a stall.
    pub recover: bool,
    /// Games played at once.
    pub concurrency: usize,
    /// Cap on wall time in minutes.
    pub max_minutes: Option<f64>,
    /// The machine.
    pub machine: Machine,
    /// When it began, RFC 3339 in UTC.
    pub started: String,
    /// When it ended; null while it plays, and for good when it was killed.
    pub ended: Option<String>,
    /// Why it ended; null while it plays, and for good when it was killed or failed.
    pub stopped: Option<Stop>,
    /// Finished games in the folder.
    pub games: u64,
    /// Pairs of which both games are finished.
    pub pairs: u64,
    /// Faults of both engines in this run.
    pub faults: FaultsRecord,
    /// How many times it was taken up again.
    pub resumed: u32,
    /// Which pairs of the slice the Rounds 1, 2, 3 … of these games are; absent when each is its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Vec<usize>>,
    /// The files of games as the run left them; absent while it plays, for good when it was killed, and in the
    /// manifest of a part, whose games its run's manifest pins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<GamesFile>>,
}

/// A file of games as a run left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesFile {
    /// Its path below the folder of the run, with `/` between names.
    pub name: String,
    /// SHA-256 of its content, unpacked, in hexadecimal.
    pub sha256: String,
    /// Finished games in it.
    pub games: u64,
}

/// An engine of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engine {
    /// The name it plays under.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder it is started in.
    pub directory: Option<String>,
    /// UCI options that differ from the engine's own, in the order they are sent.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub limit: LimitRecord,
    /// Milliseconds past the flag that are forgiven.
    pub margin_ms: u64,
    /// A new process for every game.
    pub restart: bool,
    /// SHA-256 of the program in hexadecimal; null when it cannot be read.
    pub sha256: Option<String>,
    /// What it calls itself.
    pub id_name: String,
    /// Who it says wrote it.
    pub id_author: String,
    /// The commit it was built from, as the person who started the run says.
    pub commit: Option<String>,
}

/// Limits as they are written on a command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitRecord {
    /// Time control, such as `10+0.1`.
    pub tc: Option<String>,
    /// Milliseconds a move.
    pub movetime_ms: Option<u64>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u32>,
}

/// A book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookRecord {
    /// Its file name, or what the built-in one is called.
    pub name: String,
    /// SHA-256 of its content in hexadecimal.
    pub sha256: String,
    /// Openings it holds.
    pub openings: usize,
    /// The rules it is played by.
    pub variant: Variant,
}

/// A slice of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceRecord {
    /// One-based number of its first opening; may lie past the end of the book, which is then read on from its start.
    pub first: String,
    /// Pairs.
    pub pairs: usize,
    /// What picked the test's block of openings, a whole number of any size; null when `--start` did.
    pub seed: Option<String>,
    /// Which shard, from 0.
    pub shard: Option<String>,
    /// Shards in a batch.
    pub shards: Option<String>,
    /// Which batch, from 0.
    pub batch: Option<String>,
    /// Batches in the whole test.
    pub batches: Option<String>,
}

/// Early endings as they are written on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicationRecord {
    /// `MOVES,SCORE` or `MOVES,SCORE,twosided`.
    pub resign: Option<String>,
    /// `MOVE,MOVES,SCORE`.
    pub draw: Option<String>,
    /// Drawn after so many moves of each side beyond the book.
    pub max_moves: Option<u32>,
}

/// Faults by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultsRecord {
    /// Of the engine under test.
    pub candidate: Faults,
    /// Of the other.
    pub baseline: Faults,
}

impl Engine {
    /// An engine as it is set up, with what it says of itself. Reads the program to hash it.
    #[must_use]
    pub fn new(
        setup: &EngineSetup,
        id_name: &str,
        id_author: &str,
        commit: Option<String>,
    ) -> Self {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Self {
            name: setup.name.clone(),
            command: text(&setup.command),
            arguments: setup.arguments.clone(),
            directory: setup.directory.as_deref().map(text),
            options: setup.options.clone(),
            limit: LimitRecord::from(setup.limit),
            margin_ms: milliseconds(setup.margin),
            restart: setup.restart,
            sha256: sha256(&setup.command).ok(),
            id_name: id_name.to_owned(),
            id_author: id_author.to_owned(),
            commit,
        }
    }
}

impl From<Limit> for LimitRecord {
    fn from(limit: Limit) -> Self {
        Self {
            tc: limit.clock.map(|clock| clock.to_string()),
            movetime_ms: limit.movetime.map(milliseconds),
            nodes: limit.nodes,
            depth: limit.depth,
        }
    }
}

fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl From<Adjudication> for AdjudicationRecord {
    fn from(rules: Adjudication) -> Self {
        Self {
            resign: rules.resign.map(|rule| rule.to_string()),
            draw: rules.draw.map(|rule| rule.to_string()),
            max_moves: rules.max_moves,
        }
    }
}

/// SHA-256 of a file's content in hexadecimal.
///
/// # Errors
/// When it cannot be read, or is no file.
pub fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 64 * 1024];
    loop {
        match file.read(&mut block)? {
            0 => break,
            count => hash.update(&block[..count]),
        }
    }
    Ok(hexadecimal(&hash.finalize()))
}

/// SHA-256 of bytes at hand in hexadecimal.
#[must_use]
pub fn sha256_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Now, to the second, RFC 3339 in UTC.
#[must_use]
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second())
        .map_or_else(|_| now.to_string(), |at| at.to_string())
}

/// Why a manifest could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// The system would not let us read it.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system would not let us write it.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is no manifest, or one of a later format.
    #[error("{} is not a manifest this version can read", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What was wrong.
        source: serde_json::Error,
    },
}

impl Manifest {
    /// Takes in what was played.
    pub fn count(&mut self, tally: &Tally) {
        self.games = tally.total();
        self.pairs = tally.pairs().pairs();
        self.faults = FaultsRecord {
            candidate: tally.faults(Side::First),
            baseline: tally.faults(Side::Second),
        };
    }

    /// Writes it to the run's folder in one step: whoever reads it sees the old one or the new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ManifestError> {
        let path = folder.join(NAME);
        let fresh = folder.join("manifest.json.new");
        let mut text = serde_json::to_string_pretty(self).expect("a manifest is plain data");
        text.push('\n');
        File::create(&fresh)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .and_then(|()| fs::rename(&fresh, &path))
            .map_err(|source| ManifestError::Write { path, source })
    }

    /// Reads the one in a run's folder; `None` when there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>, ManifestError> {
        let path = folder.join(NAME);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ManifestError::Read { path, source }),
        };
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|source| ManifestError::Parse { path, source })
    }

    /// Games it finished in an hour, all slots together; `None` for a run that has not ended, was taken up again
    /// (its games are from several sittings), or finished none.
    #[must_use]
    pub fn games_per_hour(&self) -> Option<f64> {
        let started: jiff::Timestamp = self.started.parse().ok()?;
        let ended: jiff::Timestamp = self.ended.as_ref()?.parse().ok()?;
        let seconds = ended.duration_since(started).as_secs_f64();
        let usable = self.resumed == 0 && self.games > 0 && seconds > 0.0;
        usable.then(|| self.games as f64 * 3600.0 / seconds)
    }

    /// In what this run differs from an earlier one so that their games do not belong together; empty when the
    /// one can go on with the other.
    ///
    /// The place of the programs, the machine, the concurrency and the cap on time may differ.
    #[must_use]
    pub fn differences(&self, earlier: &Self) -> Vec<String> {
        let mut found = self.other_terms(earlier);
        if self.slice != earlier.slice {
            found.push("the slice of the book".to_owned());
        }
        found
    }

    /// In what this run differs from another so that the two are no shards of one match; empty when they are.
    ///
    /// Beside what [`Self::differences`] allows, the stretch of the book, the shard and the batch may differ.
    #[must_use]
    pub fn foreign_to(&self, other: &Self) -> Vec<String> {
        let mut found = self.other_terms(other);
        let mut note = |what: &str, same: bool| {
            if !same {
                found.push(what.to_owned());
            }
        };
        for (side, new, old) in [
            ("candidate", &self.candidate, &other.candidate),
            ("baseline", &self.baseline, &other.baseline),
        ] {
            note(&format!("the {side}'s commit"), new.commit == old.commit);
        }
        let (new, old) = (&self.slice, &other.slice);
        note("the seed", new.seed == old.seed);
        note("the pairs of a shard", new.pairs == old.pairs);
        note("the number of shards", new.shards == old.shards);
        note("the number of batches", new.batches == old.batches);
        note(
            "the size of the book",
            self.book.openings == other.book.openings,
        );
        note("recovery from faults", self.recover == other.recover);
        found
    }

    /// In what the two differ, their slices aside.
    fn other_terms(&self, earlier: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut note = |what: &str, same: bool| {
            if !same {
                found.push(what.to_owned());
            }
        };
        note(
            "the runner",
            runner_kind(&self.runner) == runner_kind(&earlier.runner),
        );
        note("the book", self.book.sha256 == earlier.book.sha256);
        note("the variant", self.book.variant == earlier.book.variant);
        note("adjudication", self.adjudication == earlier.adjudication);
        for (side, new, old) in [
            ("candidate", &self.candidate, &earlier.candidate),
            ("baseline", &self.baseline, &earlier.baseline),
        ] {
            note(&format!("the {side}'s name"), new.name == old.name);
            note(
                &format!("the {side}'s arguments"),
                new.arguments == old.arguments,
            );
            note(&format!("the {side}'s options"), new.options == old.options);
            note(&format!("the {side}'s limit"), new.limit == old.limit);
            note(
                &format!("the {side}'s margin"),
                new.margin_ms == old.margin_ms,
            );
            note(&format!("the {side}'s program"), same_program(new, old));
        }
        found
    }
}

/// `built-in` or `fastchess`.
fn runner_kind(runner: &str) -> &str {
    runner.split(' ').next().unwrap_or_default()
}

/// By content where both are known, by what they call themselves otherwise.
fn same_program(new: &Engine, old: &Engine) -> bool {
    match (&new.sha256, &old.sha256) {
        (Some(new), Some(old)) => new == old,
        (_, None) | (None, _) => new.id_name == old.id_name,
    }
}

#[cfg(test)]
fn example_engine(name: &str) -> Engine {
    Engine {
        name: name.to_owned(),
        command: format!("/engines/{name}"),
        arguments: Vec::new(),
        directory: None,
        options: vec![("Hash".to_owned(), "16".to_owned())],
        limit: LimitRecord {
            tc: Some("10+0.1".to_owned()),
            movetime_ms: None,
            nodes: None,
            depth: None,
        },
        margin_ms: 0,
        restart: false,
        sha256: Some("00".repeat(32)),
        id_name: name.to_owned(),
        id_author: "nobody".to_owned(),
        commit: None,
    }
}

/// A manifest for tests.
#[cfg(test)]
pub(crate) fn example() -> Manifest {
    Manifest {
        format: 1,
        mache: "0.1.0".to_owned(),
        command_line: vec!["mache".to_owned(), "play".to_owned()],
        runner: "built-in 0.1.0".to_owned(),
        candidate: example_engine("new"),
        baseline: example_engine("old"),
        book: BookRecord {
            name: "book.epd".to_owned(),
            sha256: "11".repeat(32),
            openings: 500,
            variant: Variant::Standard,
        },
        slice: SliceRecord {
            first: "1".to_owned(),
            pairs: 40,
            seed: None,
            shard: None,
            shards: None,
            batch: None,
            batches: None,
        },
        adjudication: AdjudicationRecord::default(),
        recover: true,
        concurrency: 2,
        max_minutes: None,
        machine: Machine::current(),
        started: "2026-01-02T03:04:05Z".to_owned(),
        ended: None,
        stopped: None,
        games: 0,
        pairs: 0,
        faults: FaultsRecord::default(),
        resumed: 0,
        rounds: None,
        files: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), None);
        let written = Manifest {
            rounds: Some(vec![3, 5]),
            stopped: Some(Stop::Time),
            files: Some(vec![GamesFile {
                name: "games.pgn".to_owned(),
                sha256: sha256_of(b"abc"),
                games: 2,
            }]),
            ..example()
        };
        written.write(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), Some(written));
        let names = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1, "the temporary file is gone");
    }

    #[test]
    fn a_broken_manifest_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(NAME), "{").unwrap();
        let error = Manifest::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("manifest.json is not a manifest"), "{error}");
    }

    #[test]
    fn a_rate_needs_a_whole_run() {
        let run = Manifest {
            ended: Some("2026-01-02T03:34:05Z".to_owned()),
            games: 60,
            ..example()
        };
        assert_eq!(run.games_per_hour(), Some(120.0));
        assert_eq!(example().games_per_hour(), None);
        assert_eq!(
            Manifest {
                resumed: 1,
                ..run.clone()
            }
            .games_per_hour(),
            None
        );
        assert_eq!(Manifest { games: 0, ..run }.games_per_hour(), None);
    }

    #[test]
    fn what_may_differ_when_a_run_is_taken_up_again() {
        let mut moved = example();
        moved.candidate.command = "/elsewhere/new".to_owned();
        moved.concurrency = 8;
        moved.max_minutes = Some(5.0);
        moved.runner = "built-in 0.2.0".to_owned();
        assert_eq!(moved.differences(&example()), [""; 0]);
    }

    #[test]
    fn what_makes_games_another_runs() {
        let mut other = example();
        other.candidate.sha256 = Some("22".repeat(32));
        other.baseline.limit.nodes = Some(1000);
        other.slice.first = "41".to_owned();
        other.runner = "fastchess alpha 1.8.2".to_owned();
        assert_eq!(
            other.differences(&example()),
            [
                "the runner",
                "the candidate's program",
                "the baseline's limit",
                "the slice of the book"
            ]
        );
    }

    #[test]
    fn shards_of_one_match_differ_in_their_stretch_alone() {
        let mut shard = example();
        shard.slice.first = "41".to_owned();
        shard.slice.shard = Some("1".to_owned());
        assert_eq!(shard.foreign_to(&example()), [""; 0]);
        shard.slice.seed = Some("7".to_owned());
        shard.candidate.commit = Some("abc".to_owned());
        assert_eq!(
            shard.foreign_to(&example()),
            ["the candidate's commit", "the seed"]
        );
    }

    #[test]
    fn a_hash_of_known_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        fs::write(&path, "abc").unwrap();
        assert_eq!(
            sha256(&path).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn now_is_a_second_of_utc() {
        let text = now();
        assert!(
            text.ends_with('Z') && text.len() == "2026-01-02T03:04:05Z".len(),
            "{text}"
        );
    }
}
