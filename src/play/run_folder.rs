//! The folder of a run: its games, and those of the parts it was taken up in.
//!
//! The built-in runner goes on in the same `games.pgn`. fastchess numbers its Rounds from 1 and plays whole pairs
//! only, so each time it goes on it does so in a folder of its own, `resume-1`, `resume-2` …, whose manifest says which
//! pairs of the run its Rounds are.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::{GamesFile, Manifest, ManifestError};
use super::resume::{Games, Match, ResumeError};
use super::tally::Tally;
use super::{Event, FinishedGame, Side};
use crate::plan::Played;

/// The file of games in a run's folder.
pub const GAMES: &str = "games.pgn";
/// The folder of a part is called so, with its number behind.
const PART: &str = "resume-";

/// Why the folder of a run cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It cannot be made or read.
    #[error("cannot use the folder {}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process plays there.
    #[error("another match is being played into {}", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A manifest cannot be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Its games cannot be used.
    #[error(transparent)]
    Games(#[from] ResumeError),
}

/// A run's folder, ours alone while this lives.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    _lock: Option<File>,
}

impl RunFolder {
    /// Makes the folder if need be and keeps other processes of mache from playing into it.
    ///
    /// # Errors
    /// When it cannot be made, or another process has it.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let io_error = |source| FolderError::Io {
            path: path.to_owned(),
            source,
        };
        fs::create_dir_all(path).map_err(io_error)?;
        // Where a folder cannot be opened or locked there is no guard.
        let lock = File::open(path).ok();
        if let Some(Err(TryLockError::WouldBlock)) = lock.as_ref().map(File::try_lock) {
            let path = path.to_owned();
            return Err(FolderError::Busy { path });
        }
        Ok(Self {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there are games of an earlier run, in whatever shape.
    #[must_use]
    pub fn holds_games(&self) -> bool {
        let filled = |path: PathBuf| fs::metadata(path).is_ok_and(|file| file.len() > 0);
        filled(self.path.join(GAMES)) || self.resumed() > 0
    }

    /// How many parts there are beside the first.
    fn resumed(&self) -> usize {
        (1..)
            .take_while(|&number| self.part_path(number).is_dir())
            .count()
    }

    fn part_path(&self, number: usize) -> PathBuf {
        self.path.join(format!("{PART}{number}"))
    }

    /// A folder for the next part; not made yet.
    #[must_use]
    pub fn next_part(&self) -> PathBuf {
        self.part_path(self.resumed() + 1)
    }

    /// Reads the games of all parts.
    ///
    /// # Errors
    /// When a file cannot be read or holds games of another match.
    pub fn read(&self, of: Match<'_>) -> Result<OnDisk, FolderError> {
        let mut parts = vec![Part {
            rounds: None,
            games: Games::read(&self.path.join(GAMES), of)?,
        }];
        for number in 1..=self.resumed() {
            let folder = self.part_path(number);
            let rounds = Manifest::read(&folder)?.and_then(|manifest| manifest.rounds);
            let rounds = rounds.unwrap_or_default();
            let of = Match {
                pairs: rounds.len(),
                ..of
            };
            let games = Games::read(&folder.join(GAMES), of)?;
            let rounds = Some(rounds);
            parts.push(Part { rounds, games });
        }
        Ok(OnDisk { parts })
    }
}

/// The games of one file.
#[derive(Debug)]
struct Part {
    /// Pairs of the run by the file's Rounds; `None` when they are the same.
    rounds: Option<Vec<usize>>,
    games: Games,
}

impl Part {
    fn round(&self, round: usize) -> usize {
        match &self.rounds {
            Some(rounds) => rounds[round - 1],
            None => round,
        }
    }
}

/// All games of a run that are on disk.
#[derive(Debug)]
pub struct OnDisk {
    parts: Vec<Part>,
}

impl OnDisk {
    /// The finished games, each with the number its pair has in the run.
    pub fn games(&self) -> impl Iterator<Item = FinishedGame> {
        self.parts.iter().flat_map(|part| {
            part.games.games().map(|game| FinishedGame {
                round: part.round(game.round),
                ..game.clone()
            })
        })
    }

    /// Which games of which pairs they are, and how many are there for the second time.
    #[must_use]
    pub fn played(&self) -> (Played, usize) {
        let mut played = Played::default();
        let again = self
            .games()
            .filter(|game| !played.record(game.round, game.white == Side::First))
            .count();
        (played, again)
    }

    /// Counts of the finished games, each game once.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut seen = Played::default();
        let mut tally = Tally::default();
        for game in self.games() {
            if seen.record(game.round, game.white == Side::First) {
                tally.take(&Event::GameFinished(game));
            }
        }
        tally
    }

    /// The files as they are now, for the run's manifest; those without a byte are left out.
    #[must_use]
    pub fn files(&self) -> Vec<GamesFile> {
        let named = |(number, part): (usize, &Part)| {
            let name = match number {
                0 => GAMES.to_owned(),
                number => format!("{PART}{number}/{GAMES}"),
            };
            part.games.pinned(&name)
        };
        self.parts.iter().enumerate().filter_map(named).collect()
    }

    /// Makes every file end in a whole record. Answers whether something torn was moved aside.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn mend(&mut self) -> Result<bool, ResumeError> {
        let mut torn = false;
        for part in &mut self.parts {
            torn |= part.games.mend()?;
        }
        Ok(torn)
    }

    /// Moves the games of half pairs aside, for a runner that plays whole pairs only. Answers how many they were.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn set_half_pairs_aside(&mut self) -> Result<usize, ResumeError> {
        let half = self.played().0.half_pairs();
        let mut moved = 0;
        for part in &mut self.parts {
            let rounds: BTreeSet<usize> = part
                .games
                .games()
                .map(|game| game.round)
                .filter(|&round| half.contains(&part.round(round)))
                .collect();
            moved += part.games.set_aside(&rounds)?;
        }
        Ok(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Missing;

    const OF: Match<'_> = Match {
        first: "new",
        second: "old",
        pairs: 5,
    };

    fn game(round: usize, white: &str, black: &str) -> String {
        format!(
            "[Event \"x\"]\n[Site \"?\"]\n[Date \"?\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"1-0\"]\n\n1. e4 {{+0.10/2 0.010s}} 1-0\n\n"
        )
    }

    #[test]
    fn a_folder_belongs_to_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        let ours = RunFolder::open(&path).unwrap();
        assert!(!ours.holds_games());
        assert!(matches!(
            RunFolder::open(&path),
            Err(FolderError::Busy { .. })
        ));
        drop(ours);
        assert!(RunFolder::open(&path).is_ok());
    }

    #[test]
    fn a_file_in_the_place_of_the_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        fs::write(&path, "").unwrap();
        let error = RunFolder::open(&path).unwrap_err();
        assert!(error.to_string().ends_with("run"), "{error}");
    }

    #[test]
    fn parts_keep_the_pairs_of_the_run_apart_from_their_own_rounds() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::open(folder.path()).unwrap();
        let first = [
            game(1, "new", "old"),
            game(1, "old", "new"),
            game(4, "old", "new"),
        ];
        fs::write(folder.path().join(GAMES), first.concat()).unwrap();
        assert_eq!(run.next_part(), folder.path().join("resume-1"));
        fs::create_dir(run.next_part()).unwrap();
        let text = r#"{"format":1,"rounds":[2,3,4,5]}"#;
        let mut manifest: serde_json::Value = serde_json::from_str(text).unwrap();
        let whole = serde_json::to_value(crate::play::manifest::example()).unwrap();
        for (key, value) in whole.as_object().unwrap() {
            manifest
                .as_object_mut()
                .unwrap()
                .entry(key.clone())
                .or_insert(value.clone());
        }
        fs::write(
            folder.path().join("resume-1/manifest.json"),
            manifest.to_string(),
        )
        .unwrap();
        let second = [
            game(2, "new", "old"),
            game(2, "old", "new"),
            game(4, "new", "old"),
        ];
        fs::write(folder.path().join("resume-1/games.pgn"), second.concat()).unwrap();

        let mut on_disk = run.read(OF).unwrap();
        let missing = |on_disk: &OnDisk| {
            let (played, again) = on_disk.played();
            assert_eq!(again, 0);
            (1..=5)
                .map(|round| played.missing(round))
                .collect::<Vec<_>>()
        };
        let both = Some(Missing::Both);
        let before = [
            None,
            both,
            None,
            Some(Missing::FirstWhite),
            Some(Missing::SecondWhite),
        ];
        assert_eq!(missing(&on_disk), before);
        assert_eq!(on_disk.set_half_pairs_aside().unwrap(), 2);
        assert_eq!(missing(&on_disk), [None, both, None, both, both]);
        assert_eq!(
            missing(&run.read(OF).unwrap()),
            [None, both, None, both, both]
        );
        assert_eq!(run.next_part(), folder.path().join("resume-2"));
        let files = run.read(OF).unwrap().files();
        let names: Vec<(&str, u64)> = files.iter().map(|f| (&*f.name, f.games)).collect();
        assert_eq!(names, [("games.pgn", 2), ("resume-1/games.pgn", 2)]);
    }
}
