//! Comparing positions.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position};

/// Two positions with one key are the same position: board, side to move, castling rights, and an en-passant
/// square only where a capture on it is legal. Move counters do not count.
///
/// 64 bits of Zobrist hash: among a million positions a chance collision has a probability of about 3·10⁻⁸.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(u64);

impl PositionKey {
    /// The key of a position.
    #[must_use]
    pub fn of(position: &impl Position) -> Self {
        Self::from_hash(position.zobrist_hash(EnPassantMode::Legal))
    }

    fn from_hash(hash: Zobrist64) -> Self {
        Self(u64::from(hash))
    }

    /// The hash itself.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess};

    fn key(fen: &str) -> PositionKey {
        let fen: Fen = fen.parse().unwrap();
        PositionKey::of(&fen.into_position::<Chess>(CastlingMode::Standard).unwrap())
    }

    #[test]
    fn an_en_passant_square_counts_only_where_a_capture_is_legal() {
        let idle = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        assert_eq!(
            key(&format!("{idle} e3 0 1")),
            key(&format!("{idle} - 7 9"))
        );
        let open = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq";
        assert_ne!(
            key(&format!("{open} e3 0 1")),
            key(&format!("{open} - 0 1"))
        );
    }

    #[test]
    fn side_and_castling_rights_count() {
        let board = "4k3/8/8/8/8/8/8/4K2R";
        let keys = ["w K", "w -", "b K", "b -"].map(|rest| key(&format!("{board} {rest} - 0 1")));
        for (index, one) in keys.iter().enumerate() {
            assert!(keys[index + 1..].iter().all(|other| other != one));
        }
    }
}
