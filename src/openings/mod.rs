//! Openings: books, the slice of a book a shard plays, position keys.

mod slice;
mod whole_number;

pub use slice::{Repeats, Slice, SliceError, SliceRequest};
pub use whole_number::{NotWhole, WholeNumber};

use shakmaty::{CastlingMode, Chess, Move};

/// Which rules a match is played by.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Chess as it is always played.
    #[default]
    Standard,
    /// Chess960 (Fischer random): castling is written king takes rook.
    Chess960,
}

impl Variant {
    /// How castling rights and moves are written and read.
    #[must_use]
    pub const fn castling_mode(self) -> CastlingMode {
        match self {
            Self::Standard => CastlingMode::Standard,
            Self::Chess960 => CastlingMode::Chess960,
        }
    }
}

/// Where a game begins: a position and the book moves played from it. Every move is legal in its turn.
#[derive(Clone, Debug)]
pub struct Opening {
    /// One-based place in its book.
    pub number: usize,
    /// The position before the book moves, with its own move counters.
    pub start: Chess,
    /// Book moves from there.
    pub moves: Vec<Move>,
}
