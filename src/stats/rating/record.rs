//! What an engine did against one opponent.

use super::Encounter;
use crate::stats::{GameScore, Pentanomial};

/// Games against one opponent, from the side of the engine that is rated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Losses, draws and wins of all games.
    games: [u64; 3],
    pairs: Pentanomial,
    /// Losses, draws and wins of the games that are part of no pair.
    single: [u64; 3],
}

impl Record {
    /// Adds what happened in an encounter; `white` tells whether the engine that is rated had White in its first game.
    pub fn add(&mut self, encounter: &Encounter, white: bool) {
        let ours = |score: GameScore| if white { score } else { score.flipped() };
        let first = ours(encounter.score);
        self.games[first as usize] += 1;
        match encounter.returned.map(ours) {
            Some(second) => {
                self.games[second as usize] += 1;
                self.pairs.record(first, second);
            }
            None => self.single[first as usize] += 1,
        }
    }

    /// So many single games, all of them won or all of them lost.
    pub(super) fn one_sided(games: u64, won: bool) -> Self {
        let games = if won { [0, 0, games] } else { [games, 0, 0] };
        Self {
            games,
            pairs: Pentanomial::default(),
            single: games,
        }
    }

    /// Games won.
    #[must_use]
    pub const fn wins(&self) -> u64 {
        self.games[2]
    }

    /// Games drawn.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.games[1]
    }

    /// Games lost.
    #[must_use]
    pub const fn losses(&self) -> u64 {
        self.games[0]
    }

    /// All games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        let [losses, draws, wins] = self.games;
        losses + draws + wins
    }

    /// Pairs among the games.
    #[must_use]
    pub const fn pairs(&self) -> u64 {
        self.pairs.pairs()
    }

    /// Points from all games.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins() as f64 + self.draws() as f64 / 2.0
    }

    /// Points over games; `None` without a game.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Sum of squares of the games' scores about their mean, as if no two games had to do with each other.
    pub(super) fn spread(&self) -> f64 {
        let Some(mean) = self.score() else { return 0.0 };
        let games = self.games() as f64;
        let squares = (self.wins() as f64 + self.draws() as f64 / 4.0) / games;
        games * (squares - mean * mean).max(0.0)
    }

    /// Sum of squares of the pairs' and single games' points about what the mean score makes of them.
    pub(super) fn spread_of_pairs(&self) -> f64 {
        let Some(mean) = self.score() else { return 0.0 };
        let off = |points: f64, expected: f64| (points - expected) * (points - expected);
        let pairs = self.pairs.counts().into_iter().enumerate();
        let single = self.single.into_iter().enumerate();
        let of_pairs = pairs.map(|(half, count)| count as f64 * off(half as f64 / 2.0, 2.0 * mean));
        let of_games = single.map(|(half, count)| count as f64 * off(half as f64 / 2.0, mean));
        of_pairs.sum::<f64>() + of_games.sum::<f64>()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::stats::rating::Player;

    /// Single games: wins, draws, losses.
    pub(in crate::stats::rating) fn singles(wins: u64, draws: u64, losses: u64) -> Record {
        let games = [losses, draws, wins];
        Record {
            games,
            single: games,
            pairs: Pentanomial::default(),
        }
    }

    #[test]
    fn an_encounter_counts_from_the_rated_engines_side() {
        let encounter = Encounter {
            white: Player::new(0),
            black: Player::new(1),
            score: GameScore::Win,
            returned: Some(GameScore::Draw),
        };
        let single = Encounter {
            returned: None,
            ..encounter
        };
        let (mut white, mut black) = (Record::default(), Record::default());
        for encounter in [encounter, single] {
            white.add(&encounter, true);
            black.add(&encounter, false);
        }
        assert_eq!((white.wins(), white.draws(), white.losses()), (2, 1, 0));
        assert_eq!((black.wins(), black.draws(), black.losses()), (0, 1, 2));
        assert_eq!((white.pairs(), white.games()), (1, 3));
        assert_eq!(white.points() + black.points(), 3.0);
        assert!((white.spread_of_pairs() - black.spread_of_pairs()).abs() < 1e-15);
    }

    #[test]
    fn pairs_that_always_share_the_points_have_no_spread() {
        let mut record = Record::default();
        let shared = Encounter {
            white: Player::new(0),
            black: Player::new(1),
            score: GameScore::Win,
            returned: Some(GameScore::Loss),
        };
        for _ in 0..10 {
            record.add(&shared, true);
        }
        assert_eq!(record.spread_of_pairs(), 0.0);
        assert_eq!(record.spread(), 5.0);
    }
}
