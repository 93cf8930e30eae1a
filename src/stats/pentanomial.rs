//! Counts of game pairs by the points they brought.

use std::fmt;
use std::ops::{Add, AddAssign};

/// A finished game, seen from the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameScore {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

impl GameScore {
    /// Points of the game: 0, ½ or 1.
    #[must_use]
    pub const fn points(self) -> f64 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }

    /// The same game, seen from the second engine.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Pairs worth 0, ½, 1, 1½ and 2 points to the first engine.
///
/// Adding is associative and commutative, so shards pool in any order.
///
/// ```
/// use mache::stats::{GameScore, Pentanomial};
///
/// let mut pairs = Pentanomial::default();
/// pairs.record(GameScore::Win, GameScore::Draw);
/// assert_eq!(pairs.to_string(), "0,0,0,1,0");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pentanomial([u64; 5]);

impl Pentanomial {
    /// Counts in the order `LL LD WL+DD WD WW`.
    #[must_use]
    pub const fn new(counts: [u64; 5]) -> Self {
        Self(counts)
    }

    /// Counts in the order `LL LD WL+DD WD WW`.
    #[must_use]
    pub const fn counts(self) -> [u64; 5] {
        self.0
    }

    /// Number of pairs.
    #[must_use]
    pub const fn pairs(self) -> u64 {
        let [a, b, c, d, e] = self.0;
        a + b + c + d + e
    }

    /// Adds one pair of games.
    pub const fn record(&mut self, first: GameScore, second: GameScore) {
        self.0[first as usize + second as usize] += 1;
    }

    /// The same pairs, seen from the second engine.
    #[must_use]
    pub const fn flipped(self) -> Self {
        let [ll, ld, even, wd, ww] = self.0;
        Self([ww, wd, even, ld, ll])
    }
}

impl Add for Pentanomial {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// Writes the counts as they travel between batches: `2,9,36,19,9`.
impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ll, ld, even, wd, ww] = self.0;
        write!(f, "{ll},{ld},{even},{wd},{ww}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_pair_lands_in_the_bin_of_its_points() {
        let mut pairs = Pentanomial::default();
        pairs.record(GameScore::Loss, GameScore::Loss);
        pairs.record(GameScore::Win, GameScore::Loss);
        pairs.record(GameScore::Draw, GameScore::Draw);
        pairs.record(GameScore::Win, GameScore::Win);
        assert_eq!(pairs.counts(), [1, 0, 2, 0, 1]);
        assert_eq!(pairs.pairs(), 4);
    }

    #[test]
    fn flipping_mirrors_the_counts() {
        let pairs = Pentanomial::new([1, 2, 3, 4, 5]);
        assert_eq!(pairs.flipped().counts(), [5, 4, 3, 2, 1]);
        assert_eq!(pairs.flipped().flipped(), pairs);
    }

    proptest! {
        #[test]
        fn pooling_ignores_order(shards in prop::collection::vec(prop::array::uniform5(0_u64..1_000_000), 0..20)) {
            let pool = |shards: &mut dyn Iterator<Item = &[u64; 5]>| {
                shards.fold(Pentanomial::default(), |pool, counts| pool + Pentanomial::new(*counts))
            };
            prop_assert_eq!(pool(&mut shards.iter()), pool(&mut shards.iter().rev()));
        }
    }
}
