//! Who played whom, and how it came out.

use crate::stats::GameScore;

/// An engine, as its place in a list of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(u32);

impl Player {
    /// The engine at this place, counted from nought.
    ///
    /// # Panics
    /// When the place is past the four thousand millionth.
    #[must_use]
    pub fn new(place: usize) -> Self {
        Self(u32::try_from(place).expect("no list of engines is that long"))
    }

    /// Its place in the list.
    #[must_use]
    pub const fn place(self) -> usize {
        self.0 as usize
    }
}

/// One pair of games, or a game that is part of no pair. Encounters do not depend on each other; the two games of a
/// pair, which share their opening, may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Who had White in the first game.
    pub white: Player,
    /// Who had Black in it.
    pub black: Player,
    /// The first game, from the side of [`white`](Self::white).
    pub score: GameScore,
    /// The game with colours swapped, from the side of [`white`](Self::white) too, which has Black in it; `None`
    /// for a single game.
    pub returned: Option<GameScore>,
}
