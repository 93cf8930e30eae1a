//! Who plays what: shards, batches and runs of a match, and which of its pairs plays which opening.

mod capacity;
mod ladder;
mod play_time;
mod schedule;
mod shards;
mod stage;

pub use capacity::{Capacity, game_seconds};
pub use ladder::{Ladder, LadderError, Rung};
pub use play_time::{PlayTime, PlayTimeError};
pub use schedule::{Played, schedule};
pub use shards::{MOST_JOBS, Shards, ShardsError};
pub use stage::{MOST_BATCHES, MOST_RUNS, Stage, StageError};

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
