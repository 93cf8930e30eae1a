//! Who plays what: which pair of a match plays which opening.

mod capacity;
mod ladder;
mod schedule;

pub use capacity::{Capacity, game_seconds};
pub use ladder::{Ladder, LadderError, Rung};
pub use schedule::{Played, schedule};

use crate::openings::Opening;

/// A pair to be played: two games from one opening, colours swapped. The first engine has White in the first.
#[derive(Clone, Debug)]
pub struct PlannedPair {
    /// One-based number of the pair in this run; the PGN's Round.
    pub round: usize,
    /// What both games start from.
    pub opening: Opening,
    /// Which of its games are still to be played.
    pub missing: Missing,
}

/// The games of a pair that are not on disk yet: a resumed run completes half pairs and repeats none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// Neither game was played.
    #[default]
    Both,
    /// Only the game in which the first engine has White.
    FirstWhite,
    /// Only the game in which the second engine has White.
    SecondWhite,
}

impl Missing {
    /// How many games that is: 1 or 2.
    #[must_use]
    pub const fn games(self) -> usize {
        match self {
            Self::Both => 2,
            Self::FirstWhite | Self::SecondWhite => 1,
        }
    }
}
