//! Games of a run that are on disk already: what a resumed run need not play again.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::manifest::{GamesFile, sha256_of};
use super::{Blame, Fault, FinishedGame, Side};
use crate::notation::pgn::{self, Record, Tags};
use crate::plan::Played;

/// Torn records cut from the end of `games.pgn` are kept here.
pub const TORN: &str = "games.torn.pgn";
/// Games of half pairs taken out of `games.pgn` are kept here.
pub const HALF: &str = "games.half.pgn";

/// Why a run cannot go on from the games in its folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The system would not let us read or write a file.
    #[error("cannot take up the games in {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A game between others.
    #[error(
        "{}: game {game} is between `{}` and `{}`, not between this run's engines",
        path.display(), white.escape_debug(), black.escape_debug()
    )]
    Strangers {
        /// The file.
        path: PathBuf,
        /// One-based number of the game in it.
        game: usize,
        /// Who has White.
        white: String,
        /// Who has Black.
        black: String,
    },
    /// A game of no pair of this run.
    #[error("{}: game {game} has the Round `{}`, and this run has the pairs 1 to {pairs}", path.display(), round.escape_debug())]
    Round {
        /// The file.
        path: PathBuf,
        /// One-based number of the game in it.
        game: usize,
        /// Its Round tag.
        round: String,
        /// Pairs of the run.
        pairs: usize,
    },
}

/// Whose games a file holds.
#[derive(Clone, Copy, Debug)]
pub struct Match<'a> {
    /// Name of the engine under test.
    pub first: &'a str,
    /// Name of the other.
    pub second: &'a str,
    /// Highest Round.
    pub pairs: usize,
}

/// The finished games of a file, each where it stands.
#[derive(Debug)]
pub struct Games {
    path: PathBuf,
    text: Vec<u8>,
    found: Vec<(Range<usize>, FinishedGame)>,
    torn: Option<usize>,
}

impl Games {
    /// Reads a file of games that a runner wrote; no games when it is not there. Records without a result are
    /// passed over, and so is a torn one, unless it is the last: see [`Games::mend`].
    ///
    /// # Errors
    /// When it cannot be read, or holds games of another match.
    pub fn read(path: &Path, of: Match<'_>) -> Result<Self, ResumeError> {
        let text = read_file(path).map_err(|source| io_error(path, source))?;
        let mut reader = Reader::default();
        pgn::scan(&text, &mut reader);
        let torn = reader.torn_end(&text);
        let mut found = Vec::new();
        for record in reader.records.iter().filter(|record| record.is_finished()) {
            found.push((record.span.clone(), record.game(path, of)?));
        }
        Ok(Self {
            path: path.to_owned(),
            text,
            found,
            torn,
        })
    }

    /// The games, in the order of the file.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &FinishedGame> {
        self.found.iter().map(|(_, game)| game)
    }

    /// The file as it is now, under this name; `None` when it is empty or not there.
    #[must_use]
    pub fn pinned(&self, name: &str) -> Option<GamesFile> {
        (!self.text.is_empty()).then(|| GamesFile {
            name: name.to_owned(),
            sha256: sha256_of(&self.text),
            games: self.found.len() as u64,
        })
    }

    /// Which games of which pairs they are, and how many are there for the second time.
    #[must_use]
    pub fn played(&self) -> (Played, usize) {
        let mut played = Played::default();
        let mut twice = 0;
        for game in self.games() {
            let is_new = played.record(game.round, game.white == Side::First);
            twice += usize::from(!is_new);
        }
        (played, twice)
    }

    /// Makes the file end in a whole record, so that games can be appended. What was torn is moved to
    /// [`TORN`] beside it. Answers whether there was anything to move.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn mend(&mut self) -> Result<bool, ResumeError> {
        let Some(end) = self.torn.take() else {
            self.close_last_record()?;
            return Ok(false);
        };
        append(&self.path.with_file_name(TORN), &self.text[end..])?;
        let cut = File::options().write(true).open(&self.path);
        cut.and_then(|file| file.set_len(end as u64).and_then(|()| file.sync_all()))
            .map_err(|source| io_error(&self.path, source))?;
        self.text.truncate(end);
        self.close_last_record()?;
        Ok(true)
    }

    /// A record ends in an empty line; a crash may have taken the line breaks.
    fn close_last_record(&mut self) -> Result<(), ResumeError> {
        let missing: &[u8] = if self.text.is_empty() || self.text.ends_with(b"\n\n") {
            b""
        } else if self.text.ends_with(b"\n") {
            b"\n"
        } else {
            b"\n\n"
        };
        self.text.extend_from_slice(missing);
        if missing.is_empty() {
            Ok(())
        } else {
            append(&self.path, missing)
        }
    }

    /// Moves the games of these pairs out of the file to [`HALF`] beside it. Answers how many they were.
    ///
    /// # Errors
    /// When a file cannot be written; the games are in one of the two files, or both.
    pub fn set_aside(&mut self, rounds: &BTreeSet<usize>) -> Result<usize, ResumeError> {
        let (aside, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.found)
            .into_iter()
            .partition(|(_, game)| rounds.contains(&game.round));
        self.found = kept;
        if aside.is_empty() {
            return Ok(0);
        }
        let mut moved = Vec::new();
        let mut rest = Vec::new();
        let mut at = 0;
        for (span, _) in &aside {
            rest.extend_from_slice(&self.text[at..span.start]);
            moved.extend_from_slice(&self.text[span.clone()]);
            at = span.end;
        }
        rest.extend_from_slice(&self.text[at..]);
        append(&self.path.with_file_name(HALF), &moved)?;
        replace(&self.path, &rest)?;
        Ok(aside.len())
    }
}

/// A device or a pipe in the place of the file holds no games, and may have no end.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    match fs::metadata(path) {
        Ok(file) if file.is_file() => fs::read(path),
        Ok(_) => Ok(Vec::new()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn io_error(path: &Path, source: io::Error) -> ResumeError {
    let path = path.to_owned();
    ResumeError::Io { path, source }
}

fn append(path: &Path, bytes: &[u8]) -> Result<(), ResumeError> {
    let file = File::options().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .map_err(|source| io_error(path, source))
}

/// In one step: whoever reads the file sees the old text or the new one.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), ResumeError> {
    let fresh = path.with_extension("new");
    File::create(&fresh)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&fresh, path))
        .map_err(|source| io_error(path, source))
}

/// What of a record is needed here.
#[derive(Debug, Default)]
struct Found {
    number: usize,
    span: Range<usize>,
    /// Where its result ends.
    closed: usize,
    torn: bool,
    round: String,
    white: String,
    black: String,
    result: String,
    termination: String,
    last_comment: String,
}

#[derive(Debug, Default)]
struct Reader {
    records: Vec<Found>,
    last_comment: Vec<u8>,
}

impl Reader {
    /// Where the whole records of the text end, when something follows them; a torn last record is dropped.
    fn torn_end(&mut self, text: &[u8]) -> Option<usize> {
        if let Some(torn) = self.records.pop_if(|record| record.torn) {
            return Some(torn.span.start);
        }
        let end = self.records.last()?.closed;
        let blank = text[end..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let start = end + blank.count();
        (start < text.len()).then_some(start)
    }
}

impl<'t> pgn::Visitor<'t> for Reader {
    fn begin(&mut self, _tags: &Tags<'t>) -> bool {
        self.last_comment.clear();
        true
    }

    fn comment(&mut self, _mover: Option<shakmaty::Color>, text: &'t [u8]) {
        self.last_comment.clear();
        self.last_comment.extend_from_slice(text);
    }

    fn end(&mut self, record: &Record<'t>) {
        let text = |tag: Option<&[u8]>| pgn::decoded(tag.unwrap_or_default()).into_owned();
        let tags = &record.tags;
        let (closed, torn) = end_of_game(record);
        self.records.push(Found {
            number: self.records.len() + 1,
            span: record.start..record.start + record.text.len(),
            closed: record.start + closed,
            torn,
            round: text(tags.round),
            white: text(tags.white),
            black: text(tags.black),
            result: text(tags.result),
            termination: text(tags.termination),
            last_comment: pgn::decoded(&self.last_comment).into_owned(),
        });
    }
}

/// Where in the record its result ends, and whether it has none.
///
/// A few bytes of a next record are taken for words of this one, so a result before an empty line counts too:
/// neither runner writes one inside a game.
fn end_of_game(record: &Record<'_>) -> (usize, bool) {
    let Some(result) = record.tags.result.filter(|result| !result.is_empty()) else {
        return (0, true);
    };
    if !record.torn() {
        let before = record.text.as_ptr() as usize;
        return (record.last_word.as_ptr_range().end as usize - before, false);
    }
    let ending = [result, b"\n\n["].concat();
    match memmem::rfind(record.text, &ending) {
        Some(at) if !record.open_comment => (at + result.len(), false),
        Some(_) | None => (0, true),
    }
}

impl Found {
    fn is_finished(&self) -> bool {
        !self.torn && matches!(self.result.as_str(), "1-0" | "0-1" | "1/2-1/2")
    }

    fn game(&self, path: &Path, of: Match<'_>) -> Result<FinishedGame, ResumeError> {
        let white = self.white_side(of).ok_or_else(|| ResumeError::Strangers {
            path: path.to_owned(),
            game: self.number,
            white: self.white.clone(),
            black: self.black.clone(),
        })?;
        let in_run = |round: &usize| (1..=of.pairs).contains(round);
        let round = self.round.parse().ok().filter(in_run);
        let round = round.ok_or_else(|| ResumeError::Round {
            path: path.to_owned(),
            game: self.number,
            round: self.round.clone(),
            pairs: of.pairs,
        })?;
        let reason = self.last_comment.rsplit(", ").next().unwrap_or_default();
        Ok(FinishedGame {
            round,
            game: if white == Side::First { 1 } else { 2 },
            white,
            result: self.result.clone(),
            reason: reason.to_owned(),
            termination: self.termination.clone(),
            plies: None,
            blame: self.blame(white),
        })
    }

    /// One runner escapes quotes in names, the other does not.
    fn white_side(&self, of: Match<'_>) -> Option<Side> {
        let is = |tag: &str, name: &str| tag == name || pgn::unescaped(tag) == name;
        if is(&self.white, of.first) && is(&self.black, of.second) {
            Some(Side::First)
        } else if is(&self.white, of.second) && is(&self.black, of.first) {
            Some(Side::Second)
        } else {
            None
        }
    }

    /// The loser of a game that ended by a fault.
    fn blame(&self, white: Side) -> Option<Blame> {
        let fault = match self.termination.as_str() {
            "time forfeit" => Fault::Time,
            "illegal move" => Fault::IllegalMove,
            "abandoned" if self.last_comment.contains("'s connection stalls") => Fault::Stall,
            "abandoned" => Fault::Disconnect,
            _ => return None,
        };
        let side = match (self.result.as_str(), white) {
            ("0-1", side) => side,
            ("1-0", Side::First) => Side::Second,
            ("1-0", Side::Second) => Side::First,
            _ => return None,
        };
        Some(Blame { side, fault })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(round: &str, white: &str, black: &str, result: &str) -> String {
        format!(
            "[Event \"x\"]\n[Site \"?\"]\n[Date \"?\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"{result}\"]\n[Termination \"normal\"]\n\n1. e4 {{+0.10/2 0.010s}} e5 {{0.00/2 0.010s, White mates}} {result}\n\n"
        )
    }

    const OF: Match<'_> = Match {
        first: "new",
        second: r#"old "1""#,
        pairs: 3,
    };

    fn read(text: &str) -> (tempfile::TempDir, Result<Games, ResumeError>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, text).unwrap();
        let games = Games::read(&path, OF);
        (folder, games)
    }

    #[test]
    fn finished_games_are_found_by_pair_and_colour() {
        let text = [
            record("1", "new", r#"old \"1\""#, "1-0"),
            record("1", r#"old "1""#, "new", "1/2-1/2"),
            record("2", "new", r#"old "1""#, "*"),
            record("3", r#"old "1""#, "new", "0-1"),
            record("3", r#"old "1""#, "new", "0-1"),
        ]
        .concat();
        let (_folder, games) = read(&text);
        let games = games.unwrap();
        let (played, twice) = games.played();
        assert_eq!((games.games().len(), twice), (4, 1));
        assert_eq!(played.missing(1), None);
        assert_eq!(played.missing(2), Some(crate::plan::Missing::Both));
        assert_eq!(played.missing(3), Some(crate::plan::Missing::FirstWhite));
        assert_eq!(games.games().next().unwrap().reason, "White mates");
    }

    #[test]
    fn no_file_holds_no_games() {
        let games = Games::read(Path::new("/no/such/games.pgn"), OF).unwrap();
        assert_eq!(games.games().len(), 0);
    }

    #[test]
    fn games_of_another_match_are_refused() {
        let (_folder, games) = read(&record("1", "new", "stranger", "1-0"));
        let error = games.unwrap_err().to_string();
        assert!(
            error.ends_with(
                "games.pgn: game 1 is between `new` and `stranger`, not between this run's engines"
            ),
            "{error}"
        );
        for round in ["4", "0", "1.1", "?"] {
            let (_folder, games) = read(&record(round, "new", r#"old "1""#, "1-0"));
            assert!(matches!(games, Err(ResumeError::Round { .. })), "{round}");
        }
    }

    #[test]
    fn a_torn_end_is_moved_aside_at_any_byte() {
        let whole = record("1", "new", r#"old "1""#, "1-0");
        let last = record("1", r#"old "1""#, "new", "0-1");
        for cut in 1..last.len() - 2 {
            let (folder, games) = read(&format!("{whole}{}", &last[..cut]));
            let mut games = games.unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
            let moved = games.mend().unwrap();
            let left = fs::read_to_string(folder.path().join("games.pgn")).unwrap();
            let aside = fs::read_to_string(folder.path().join(TORN)).unwrap_or_default();
            if moved {
                assert_eq!(
                    (left.as_str(), aside.as_str()),
                    (whole.as_str(), &last[..cut])
                );
                assert_eq!(games.games().len(), 1);
            } else {
                assert!(left.ends_with("\n\n"), "cut at {cut}: {left}");
                assert_eq!(games.games().len(), 2, "cut at {cut}");
            }
        }
    }

    #[test]
    fn half_pairs_are_set_aside_and_nothing_is_lost() {
        let one = record("1", "new", r#"old "1""#, "1-0");
        let half = record("2", r#"old "1""#, "new", "0-1");
        let two = record("1", r#"old "1""#, "new", "1/2-1/2");
        let (folder, games) = read(&[one.as_str(), &half, &two].concat());
        let mut games = games.unwrap();
        let (played, _) = games.played();
        assert_eq!(games.set_aside(&played.half_pairs()).unwrap(), 1);
        let read = |name| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("games.pgn"), [one, two].concat());
        assert_eq!(read(HALF), half);
        assert_eq!(games.played().0.half_pairs(), BTreeSet::new());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn faults_fall_on_the_loser() {
        let fault = |termination: &str, reason: &str, result: &str| {
            let text = record("1", "new", r#"old "1""#, result)
                .replace("\"normal\"", &format!("\"{termination}\""))
                .replace("White mates", reason);
            let (_folder, games) = read(&text);
            games.unwrap().games().next().unwrap().blame
        };
        let blame = |side, fault| Some(Blame { side, fault });
        assert_eq!(
            fault("time forfeit", "White loses on time (3ms overrun)", "0-1"),
            blame(Side::First, Fault::Time)
        );
        assert_eq!(
            fault("abandoned", "Black's connection stalls", "1-0"),
            blame(Side::Second, Fault::Stall)
        );
        assert_eq!(
            fault("abandoned", "Black disconnects", "1-0"),
            blame(Side::Second, Fault::Disconnect)
        );
        assert_eq!(fault("normal", "White mates", "1-0"), None);
    }
}
