//! What an engine is asked and what it answers.

use shakmaty::{Chess, Move, MoveList, Position};

use crate::notation::MoveScore;
use crate::openings::PositionKey;

/// A position to find a move in, and how far to look.
#[derive(Debug)]
pub(super) struct Question<'a> {
    pub(super) position: &'a Chess,
    /// The moves to choose from; at least one, all legal.
    pub(super) moves: &'a MoveList,
    /// Positions the game has been through, this one included.
    pub(super) past: &'a [PositionKey],
    /// Plies to look at most, at least one.
    pub(super) depth: u32,
    /// Positions to look at, at most; a search may pass it by one move's answers.
    pub(super) nodes: u64,
    /// Decides between moves of equal worth.
    pub(super) seed: u32,
}

/// The move found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) score: MoveScore,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) best: Move,
    /// The answer expected, when one was looked for.
    pub(super) answer: Option<Move>,
}

impl Question<'_> {
    /// One of so many equal moves: any, but always the same for this seed and position.
    pub(super) fn pick(&self, count: usize) -> usize {
        let position = self.position;
        let counters = u64::from(position.fullmoves().get()) << 8 | u64::from(position.halfmoves());
        let mixed = mix(mix(PositionKey::of(position).get() ^ u64::from(self.seed)) ^ counters);
        // The high half of the product is uniform below the count.
        usize::try_from((u128::from(mixed) * count as u128) >> 64).expect("below the count")
    }
}

/// A bijection of 64 bits that leaves no pattern (the finisher of SplitMix64: Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
