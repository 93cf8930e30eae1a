//! What pieces and squares are worth, in centipawns.

use shakmaty::{Chess, Color, Move, Position, Role, Square};

/// Material alone.
pub(super) const fn piece(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 310,
        Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 920,
        Role::King => 0,
    }
}

/// Material of the side to move less the other's.
pub(super) fn material(position: &Chess) -> i32 {
    let board = position.board();
    let side = |color: Color| -> i32 {
        let count = |role| board.by_color(color).intersect(board.by_role(role)).count();
        Role::ALL
            .iter()
            .map(|&role| piece(role) * i32::try_from(count(role)).unwrap_or(0))
            .sum()
    };
    side(position.turn()) - side(!position.turn())
}

/// What the mover gains in material.
pub(super) fn material_gain(played: Move) -> i32 {
    let captured = match played {
        Move::Normal { capture, .. } => capture.map_or(0, piece),
        Move::EnPassant { .. } => piece(Role::Pawn),
        Move::Castle { .. } | Move::Put { .. } => 0,
    };
    let promoted = played
        .promotion()
        .map_or(0, |role| piece(role) - piece(Role::Pawn));
    captured + promoted
}

/// How far from the rim, 0 to 6.
const fn centrality(file: i32, rank: i32) -> i32 {
    let (from_middle, up) = ((2 * file - 7).abs(), (2 * rank - 7).abs());
    (14 - from_middle - up) / 2
}

/// A piece's worth on a square as White sees it.
const fn square_bonus(role: Role, file: i32, rank: i32, few_pieces: bool) -> i32 {
    let centre = centrality(file, rank);
    match role {
        Role::Pawn if few_pieces => 3 * rank * rank,
        Role::Pawn => {
            2 * rank * rank - 2
                + if file == 3 || file == 4 {
                    6 * centre / 2
                } else {
                    centre
                }
        }
        Role::Knight => 8 * centre - 24,
        Role::Bishop => 5 * centre - 12 - if rank == 0 { 8 } else { 0 },
        Role::Rook => (if rank == 6 { 20 } else { 0 }) + centrality(file, 0),
        Role::Queen => 2 * centre - if rank == 0 { 0 } else { 3 },
        Role::King if few_pieces => 8 * centre,
        Role::King => -20 * rank + (2 * file - 7).abs() * 4,
    }
}

/// Piece-square tables for one stage of the game.
pub(super) struct Tables([[i32; 64]; 6]);

const fn tables(few_pieces: bool) -> Tables {
    const ROLES: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];
    let mut all = [[0; 64]; 6];
    let mut index = 0;
    while index < 6 {
        let mut square = 0;
        while square < 64 {
            let bonus = square_bonus(ROLES[index], square % 8, square / 8, few_pieces);
            all[index][square as usize] = piece(ROLES[index]) + bonus;
            square += 1;
        }
        index += 1;
    }
    Tables(all)
}

static MANY_PIECES: Tables = tables(false);
static FEW_PIECES: Tables = tables(true);

impl Tables {
    /// The tables for a position: kings come out once little is left beside pawns.
    pub(super) fn for_position(position: &Chess) -> &'static Self {
        let board = position.board();
        let pieces = board.occupied() ^ board.pawns() ^ board.kings();
        if pieces.count() <= 5 {
            &FEW_PIECES
        } else {
            &MANY_PIECES
        }
    }

    fn worth(&self, color: Color, role: Role, square: Square) -> i32 {
        let seen = match color {
            Color::White => square,
            Color::Black => square.flip_vertical(),
        };
        self.0[role as usize - 1][usize::from(seen)]
    }

    /// Everything the side to move has less everything the other has.
    pub(super) fn balance(&self, position: &Chess) -> i32 {
        let us = position.turn();
        position
            .board()
            .iter()
            .map(|(square, piece)| {
                let worth = self.worth(piece.color, piece.role, square);
                if piece.color == us { worth } else { -worth }
            })
            .sum()
    }

    /// What the mover gains, where it comes to stand included.
    pub(super) fn gain(&self, mover: Color, played: Move) -> i32 {
        match played {
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => {
                let taken = capture.map_or(0, |role| self.worth(!mover, role, to));
                let arrives = self.worth(mover, promotion.unwrap_or(role), to);
                taken + arrives - self.worth(mover, role, from)
            }
            Move::EnPassant { from, to } => {
                let taken = Square::from_coords(to.file(), from.rank());
                self.worth(!mover, Role::Pawn, taken) + self.worth(mover, Role::Pawn, to)
                    - self.worth(mover, Role::Pawn, from)
            }
            Move::Castle { king, rook } => {
                let side = shakmaty::CastlingSide::from_king_side(king < rook);
                self.worth(mover, Role::King, side.king_to(mover))
                    - self.worth(mover, Role::King, king)
                    + self.worth(mover, Role::Rook, side.rook_to(mover))
                    - self.worth(mover, Role::Rook, rook)
            }
            // Pieces are never dropped in the variants played here.
            Move::Put { .. } => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_start_is_even() {
        let start = Chess::default();
        assert_eq!(material(&start), 0);
        assert_eq!(MANY_PIECES.balance(&start), 0);
    }

    proptest! {
        /// Adding gains along a game gives what counting the board gives.
        #[test]
        fn gains_add_up(choices in proptest::collection::vec(any::<prop::sample::Index>(), 1..200)) {
            let mut position = Chess::default();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() { break; }
                let played = moves[choice.index(moves.len())];
                for tables in [&MANY_PIECES, &FEW_PIECES] {
                    let mut after = position.clone();
                    after.play_unchecked(played);
                    let gained = tables.balance(&position) + tables.gain(position.turn(), played);
                    prop_assert_eq!(gained, -tables.balance(&after));
                    prop_assert_eq!(material(&position) + material_gain(played), -material(&after));
                }
                position.play_unchecked(played);
            }
        }
    }
}
