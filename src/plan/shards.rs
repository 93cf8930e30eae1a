//! A match cut into shards: jobs that each play the same number of whole pairs.

use std::fmt;

use super::Stage;

/// Jobs a matrix may have.
pub const MOST_JOBS: u64 = 256;
/// No match has more games in one batch.
const MOST_GAMES: u64 = 100_000_000;

/// Shards of one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shards {
    count: u64,
    pairs: u64,
}

/// Why games cannot be shared out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardsError {
    /// Nobody to play.
    #[error("shards must be at least one")]
    None,
    /// More jobs than a matrix has.
    #[error("a matrix has {MOST_JOBS} jobs at most, not {0} shards")]
    Many(u64),
    /// A shard without a pair.
    #[error("{games} games over {shards} shards is under a pair each: a pair is two games")]
    UnderAPair {
        /// Games asked for.
        games: u64,
        /// Shards asked for.
        shards: u64,
    },
    /// More games than anybody plays.
    #[error("{0} games are too many: a batch has {MOST_GAMES} at most")]
    Games(u64),
}

impl Shards {
    /// So many games over so many shards, in whole pairs: what does not divide is left out.
    ///
    /// # Errors
    /// When there is no shard, more than a matrix has jobs, or less than a pair for each.
    pub const fn new(games: u64, shards: u64) -> Result<Self, ShardsError> {
        if shards == 0 {
            return Err(ShardsError::None);
        }
        if shards > MOST_JOBS {
            return Err(ShardsError::Many(shards));
        }
        if games > MOST_GAMES {
            return Err(ShardsError::Games(games));
        }
        let pairs = games / shards / 2;
        if pairs == 0 {
            return Err(ShardsError::UnderAPair { games, shards });
        }
        Ok(Self {
            count: shards,
            pairs,
        })
    }

    /// How many shards, 1 to [`MOST_JOBS`].
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Pairs each shard plays in one batch, at least one.
    #[must_use]
    pub const fn pairs(self) -> u64 {
        self.pairs
    }

    /// Games of all shards in one batch.
    #[must_use]
    pub const fn games(self) -> u64 {
        2 * self.pairs * self.count
    }

    /// What is played, for a reader: `5 shards of 100 games each, 500 in all, batch 1 of 4 of the sprt`. `stage` is
    /// that of a test, `None` without one.
    #[must_use]
    pub fn remark(self, stage: Option<Stage>) -> String {
        let test = stage.map_or_else(String::new, |stage| format!(", {stage} of the sprt"));
        format!("{self}{test}")
    }
}

impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = 2 * self.pairs;
        match self.count {
            1 => write!(f, "one shard of {each} games"),
            count => write!(
                f,
                "{count} shards of {each} games each, {} in all",
                self.games()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn refused(games: u64, shards: u64) -> String {
        Shards::new(games, shards).expect_err("refused").to_string()
    }

    #[test]
    fn games_are_shared_out_in_whole_pairs() {
        for (games, shards, pairs) in [(500, 4, 62), (100, 3, 16), (100, 1, 50), (512, 256, 1)] {
            let cut = Shards::new(games, shards).expect("shards");
            assert_eq!((cut.count(), cut.pairs()), (shards, pairs));
        }
    }

    #[test]
    fn what_cannot_be_shared_out_is_refused() {
        insta::assert_snapshot!(refused(100, 0), @"shards must be at least one");
        insta::assert_snapshot!(refused(4, 8), @"4 games over 8 shards is under a pair each: a pair is two games");
        insta::assert_snapshot!(refused(0, 1), @"0 games over 1 shards is under a pair each: a pair is two games");
        insta::assert_snapshot!(refused(1000, 257), @"a matrix has 256 jobs at most, not 257 shards");
        insta::assert_snapshot!(refused(u64::MAX, 2), @"18446744073709551615 games are too many: a batch has 100000000 at most");
    }

    #[test]
    fn the_remark_counts_from_one() {
        let five = Shards::new(500, 5).expect("shards");
        let stage = |run| Stage::of_run(4, 3, run).expect("a stage");
        insta::assert_snapshot!(five.remark(Some(stage(0))), @"5 shards of 100 games each, 500 in all, batch 1 of 12 of the sprt");
        insta::assert_snapshot!(five.remark(Some(stage(1))), @"5 shards of 100 games each, 500 in all, batch 5 of 12 of the sprt");
        let one = Shards::new(101, 1).expect("a shard");
        insta::assert_snapshot!(one.remark(None), @"one shard of 100 games");
    }

    proptest! {
        #[test]
        fn less_than_a_pair_a_shard_is_left_out(games in 0..100_000_u64, count in 1..=MOST_JOBS) {
            match Shards::new(games, count) {
                Ok(cut) => {
                    prop_assert!(cut.games() <= games);
                    prop_assert!(games - cut.games() < 2 * count);
                }
                Err(error) => prop_assert_eq!((error, games < 2 * count), (ShardsError::UnderAPair { games, shards: count }, true)),
            }
        }
    }
}
