//! What a runner tells while it plays.

use serde::{Deserialize, Serialize};

use crate::stats::GameScore;

/// One of the two engines of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The engine under test.
    First,
    /// What it is compared with.
    Second,
}

/// What an engine did that lost it a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Its clock ran out.
    Time,
    /// Its process ended or its output closed.
    Disconnect,
    /// It lives and does not answer.
    Stall,
    /// A move that is illegal, malformed or missing.
    IllegalMove,
}

/// A fault and the engine it falls on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blame {
    /// Who.
    pub side: Side,
    /// What.
    pub fault: Fault,
}

/// A game that is on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedGame {
    /// Number of the pair; the PGN's Round.
    pub round: usize,
    /// Which of the pair's two games, 1 or 2.
    pub game: u8,
    /// Who had White.
    pub white: Side,
    /// `1-0`, `0-1` or `1/2-1/2`; `*` for a game that was stopped.
    pub result: String,
    /// The ending's text, such as `White mates`.
    pub reason: String,
    /// The PGN's Termination.
    pub termination: String,
    /// Half moves played, book moves included; `None` when the runner does not say.
    pub plies: Option<usize>,
    /// The fault that ended it, if one did.
    pub blame: Option<Blame>,
}

impl FinishedGame {
    /// The game's score for the first engine; `None` when it was stopped.
    #[must_use]
    pub fn score(&self) -> Option<GameScore> {
        let white = match self.result.as_str() {
            "1-0" => GameScore::Win,
            "0-1" => GameScore::Loss,
            "1/2-1/2" => GameScore::Draw,
            _ => return None,
        };
        Some(match self.white {
            Side::First => white,
            Side::Second => white.flipped(),
        })
    }
}

/// What happens in a match, in the order it happens. One JSON object a line with `--json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A game begins.
    GameStarted {
        /// Number of the pair.
        round: usize,
        /// 1 or 2.
        game: u8,
        /// Who has White.
        white: Side,
    },
    /// A game ended and is on disk.
    GameFinished(FinishedGame),
    /// Something a person should know: a restarted engine, a strange line. Text for people, escaped by who prints it.
    Warning {
        /// What.
        text: String,
    },
}
