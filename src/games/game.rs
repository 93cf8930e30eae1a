//! A finished game.

use std::path::Path;

use shakmaty::Color;

use super::error::ReadError;
use super::source::{Pieces, gather};
use crate::notation::pgn::{Record, Tags, Visitor, decoded, scan, unescaped};
use crate::stats::GameScore;

/// How a finished game came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`.
    WhiteWins,
    /// `1/2-1/2`.
    Draw,
    /// `0-1`.
    BlackWins,
}

impl GameResult {
    /// Reads a Result tag; `None` for `*` and anything else that is no result.
    #[must_use]
    pub fn from_tag(text: &[u8]) -> Option<Self> {
        match text {
            b"1-0" => Some(Self::WhiteWins),
            b"0-1" => Some(Self::BlackWins),
            b"1/2-1/2" | b"1/2" => Some(Self::Draw),
            _ => None,
        }
    }

    /// Who lost; `None` for a draw.
    #[must_use]
    pub const fn loser(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::Black),
            Self::Draw => None,
            Self::BlackWins => Some(Color::White),
        }
    }

    /// The result as White's score.
    #[must_use]
    pub const fn white_score(self) -> GameScore {
        match self {
            Self::WhiteWins => GameScore::Win,
            Self::Draw => GameScore::Draw,
            Self::BlackWins => GameScore::Loss,
        }
    }
}

/// A finished game as a later run needs to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The Round tag; empty when there is none.
    pub round: String,
    /// Who had White.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// How it came out.
    pub result: GameResult,
    /// The `GameStartTime` tag.
    pub start_time: Option<String>,
    /// The moves are cut off, as a killed run leaves its last game.
    pub torn: bool,
}

/// The finished games of one file, in its order. Records that are no finished game are passed over.
///
/// # Errors
///
/// When the file cannot be read.
pub fn finished_games(path: &Path) -> Result<Vec<PlayedGame>, ReadError> {
    let mut finished = Finished(Vec::new());
    let mut pieces = Pieces::new(gather(&[path.to_owned()])?);
    while let Some(piece) = pieces.next_piece()? {
        scan(piece.text(), &mut finished);
    }
    Ok(finished.0)
}

struct Finished(Vec<PlayedGame>);

impl<'t> Visitor<'t> for Finished {
    fn begin(&mut self, _tags: &Tags<'t>) -> bool {
        false
    }

    fn end(&mut self, record: &Record<'t>) {
        let tags = &record.tags;
        let Some((white, black)) = tags.players() else {
            return;
        };
        let Some(result) = tags.result.and_then(GameResult::from_tag) else {
            return;
        };
        let text = |value: &[u8]| unescaped(&decoded(value)).into_owned();
        self.0.push(PlayedGame {
            round: tags.round.map(text).unwrap_or_default(),
            white: text(white),
            black: text(black),
            result,
            start_time: tags.start_time.map(text),
            torn: record.torn(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_games_are_listed_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let text = "[Event \"x\"]\n[Round \"7\"]\n[White \"a \\\"b\\\"\"]\n[Black \"c\"]\n[Result \"0-1\"]\n\
                    [GameStartTime \"now\"]\n\n1. e4 {book} 0-1\n\n\
                    [Event \"x\"]\n[White \"c\"]\n[Black \"a\"]\n[Result \"*\"]\n\n1. e4 *\n\n\
                    [Event \"x\"]\n[White \"c\"]\n[Black \"a\"]\n[Result \"1/2-1/2\"]\n\n1. e4 {+0.1";
        std::fs::write(&path, text).unwrap();
        let games = finished_games(&path).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(
            (games[0].round.as_str(), games[0].white.as_str()),
            ("7", "a \"b\"")
        );
        assert_eq!(games[0].result, GameResult::BlackWins);
        assert_eq!(games[0].start_time.as_deref(), Some("now"));
        assert!(!games[0].torn && games[1].torn);
        assert!(finished_games(&folder.path().join("none.pgn")).is_err());
    }
}
