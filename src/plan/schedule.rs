//! Pairs of a slice that are still to be played.

use std::collections::BTreeSet;

use super::{Missing, PlannedPair};
use crate::openings::Opening;

/// Games of a run that are on disk already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    first_white: BTreeSet<usize>,
    second_white: BTreeSet<usize>,
}

impl Played {
    /// Notes a finished game of the pair `round`; answers whether it was not known yet.
    pub fn record(&mut self, round: usize, first_is_white: bool) -> bool {
        if first_is_white {
            self.first_white.insert(round)
        } else {
            self.second_white.insert(round)
        }
    }

    /// Finished games, each counted once.
    #[must_use]
    pub fn games(&self) -> usize {
        self.first_white.len() + self.second_white.len()
    }

    /// Which games of the pair `round` are still to be played; `None` when both are on disk.
    #[must_use]
    pub fn missing(&self, round: usize) -> Option<Missing> {
        let first = self.first_white.contains(&round);
        let second = self.second_white.contains(&round);
        match (first, second) {
            (true, true) => None,
            (true, false) => Some(Missing::SecondWhite),
            (false, true) => Some(Missing::FirstWhite),
            (false, false) => Some(Missing::Both),
        }
    }

    /// Pairs of which exactly one game is on disk, in ascending order.
    #[must_use]
    pub fn half_pairs(&self) -> BTreeSet<usize> {
        self.first_white
            .symmetric_difference(&self.second_white)
            .copied()
            .collect()
    }
}

/// The pairs of a slice, numbered from 1 in the order of `openings`, without the games that were played.
#[must_use]
pub fn schedule(openings: impl IntoIterator<Item = Opening>, played: &Played) -> Vec<PlannedPair> {
    (1..)
        .zip(openings)
        .filter_map(|(round, opening)| {
            played.missing(round).map(|missing| PlannedPair {
                round,
                opening,
                missing,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::Chess;

    fn openings(count: usize) -> Vec<Opening> {
        let opening = |number| Opening {
            number,
            start: Chess::default(),
            moves: Vec::new(),
        };
        (101..101 + count).map(opening).collect()
    }

    fn planned(pairs: &[PlannedPair]) -> Vec<(usize, usize, Missing)> {
        pairs
            .iter()
            .map(|pair| (pair.round, pair.opening.number, pair.missing))
            .collect()
    }

    #[test]
    fn a_fresh_run_plays_every_pair_in_the_order_of_the_book() {
        let pairs = schedule(openings(2), &Played::default());
        assert_eq!(
            planned(&pairs),
            [(1, 101, Missing::Both), (2, 102, Missing::Both)]
        );
    }

    #[test]
    fn a_resumed_run_keeps_numbers_and_completes_half_pairs() {
        let mut played = Played::default();
        for (round, first_is_white) in [(1, true), (1, false), (2, false), (4, true)] {
            assert!(played.record(round, first_is_white));
        }
        assert!(!played.record(4, true), "the same game twice");
        let pairs = schedule(openings(4), &played);
        assert_eq!(
            planned(&pairs),
            [
                (2, 102, Missing::FirstWhite),
                (3, 103, Missing::Both),
                (4, 104, Missing::SecondWhite)
            ]
        );
        assert_eq!(played.half_pairs().into_iter().collect::<Vec<_>>(), [2, 4]);
    }

    proptest! {
        #[test]
        fn played_and_planned_games_make_up_the_slice(
            count in 0usize..30,
            games in prop::collection::vec((1usize..30, any::<bool>()), 0..60),
        ) {
            let mut played = Played::default();
            for (round, first) in games.into_iter().filter(|game| game.0 <= count) {
                played.record(round, first);
            }
            let planned: usize = schedule(openings(count), &played)
                .iter()
                .map(|pair| pair.missing.games())
                .sum();
            prop_assert_eq!(played.games() + planned, 2 * count);
        }
    }
}
