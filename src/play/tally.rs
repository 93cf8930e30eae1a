//! Running counts of a match, kept from its events.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Event, Fault, FinishedGame, Side};
use crate::stats::{GameScore, Pentanomial};

/// Faults of one engine by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Faults {
    /// Games lost on time.
    pub time: u64,
    /// Games lost because the process ended or closed its output.
    pub disconnect: u64,
    /// Games lost because it lived and did not answer.
    pub stall: u64,
    /// Games lost by a move that was illegal, malformed or missing.
    pub illegal_move: u64,
}

impl Faults {
    /// Counts one more.
    pub const fn record(&mut self, fault: Fault) {
        match fault {
            Fault::Time => self.time += 1,
            Fault::Disconnect => self.disconnect += 1,
            Fault::Stall => self.stall += 1,
            Fault::IllegalMove => self.illegal_move += 1,
        }
    }

    /// Faults of all kinds.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.time + self.disconnect + self.stall + self.illegal_move
    }
}

/// What was played so far, seen from the first engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    open: BTreeMap<usize, GameScore>,
    pairs: Pentanomial,
    even_decided: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    first: Faults,
    second: Faults,
}

impl Tally {
    /// Takes an event in; only finished games count.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::GameFinished(game) => self.game(game),
            Event::GameStarted { .. } | Event::Warning { .. } => {}
        }
    }

    fn game(&mut self, game: &FinishedGame) {
        if let Some(blame) = game.blame {
            match blame.side {
                Side::First => self.first.record(blame.fault),
                Side::Second => self.second.record(blame.fault),
            }
        }
        if let Some(score) = game.score() {
            self.score(game.round, score);
        }
    }

    /// Counts a finished game of the pair `round`; the second one of a pair completes it.
    pub fn score(&mut self, round: usize, score: GameScore) {
        match score {
            GameScore::Win => self.wins += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Loss => self.losses += 1,
        }
        match self.open.remove(&round) {
            None => {
                self.open.insert(round, score);
            }
            Some(other) => {
                self.pairs.record(other, score);
                let decided = other != GameScore::Draw && other == score.flipped();
                self.even_decided += u64::from(decided);
            }
        }
    }

    /// Pairs whose two games are finished.
    #[must_use]
    pub const fn pairs(&self) -> Pentanomial {
        self.pairs
    }

    /// Pairs among the even ones with a win and a loss rather than two draws.
    #[must_use]
    pub const fn even_decided(&self) -> u64 {
        self.even_decided
    }

    /// Finished games won, drawn and lost by the first engine, those of half pairs included.
    #[must_use]
    pub const fn games(&self) -> [u64; 3] {
        [self.wins, self.draws, self.losses]
    }

    /// The same of complete pairs only, over which every figure is.
    #[must_use]
    pub fn paired_games(&self) -> [u64; 3] {
        let open = |wanted| self.open.values().filter(|&&score| score == wanted).count() as u64;
        [
            self.wins - open(GameScore::Win),
            self.draws - open(GameScore::Draw),
            self.losses - open(GameScore::Loss),
        ]
    }

    /// Finished games in all.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Faults of one engine.
    #[must_use]
    pub const fn faults(&self, side: Side) -> Faults {
        match side {
            Side::First => self.first,
            Side::Second => self.second,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Blame;

    fn game(round: usize, white: Side, result: &str, blame: Option<Blame>) -> Event {
        Event::GameFinished(FinishedGame {
            round,
            game: 1,
            white,
            result: result.to_owned(),
            reason: String::new(),
            termination: "normal".to_owned(),
            plies: None,
            blame,
        })
    }

    #[test]
    fn pairs_complete_in_any_order_and_colours_are_seen_from_the_first_engine() {
        let mut tally = Tally::default();
        for event in [
            game(2, Side::First, "1-0", None),
            game(1, Side::First, "1/2-1/2", None),
            game(2, Side::Second, "1-0", None),
            game(3, Side::First, "*", None),
            game(1, Side::Second, "0-1", None),
            game(4, Side::First, "0-1", None),
        ] {
            tally.take(&event);
        }
        assert_eq!(tally.pairs().counts(), [0, 0, 1, 1, 0]);
        assert_eq!(tally.even_decided(), 1);
        assert_eq!(tally.games(), [2, 1, 2]);
        assert_eq!(tally.paired_games(), [2, 1, 1], "the half pair is left out");
        assert_eq!(tally.total(), 5, "the stopped game does not count");
    }

    #[test]
    fn faults_fall_on_their_side() {
        let mut tally = Tally::default();
        let blame = |side, fault| Some(Blame { side, fault });
        tally.take(&game(
            1,
            Side::First,
            "0-1",
            blame(Side::First, Fault::Time),
        ));
        tally.take(&game(
            1,
            Side::Second,
            "0-1",
            blame(Side::Second, Fault::Stall),
        ));
        assert_eq!(tally.faults(Side::First).time, 1);
        assert_eq!(tally.faults(Side::Second).stall, 1);
        assert_eq!(tally.faults(Side::Second).total(), 1);
    }
}
