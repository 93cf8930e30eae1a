//! Openings: books, the slice of a book a shard plays, position keys.

mod book;
mod chess960;
mod content;
mod key;
mod make;
mod reading;
mod records;
mod slice;
mod sum;
mod table;
mod whole_number;

pub use book::{Book, BookError};
pub use content::UnpackError;
pub use key::PositionKey;
pub use make::{MakeError, Recipe, make};
pub use reading::{GameOver, OpeningError};
pub use records::{BookForm, OpenBracket};
pub use slice::{Repeats, Slice, SliceError, SliceRequest};
pub use sum::{NoSum, RunningSum, Sha256Sum};
pub use table::{BookSource, BookTable, KnownBook, TableError};
pub use whole_number::{NotWhole, WholeNumber};

use shakmaty::{CastlingMode, Chess, Move, Position};

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

impl Opening {
    /// The position after the book moves, where the engines begin.
    #[must_use]
    pub fn end(&self) -> Chess {
        let mut position = self.start.clone();
        for &book_move in &self.moves {
            position.play_unchecked(book_move);
        }
        position
    }
}
