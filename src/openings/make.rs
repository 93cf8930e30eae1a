//! Making a book: random play, kept where an engine finds both sides about equal.

use std::collections::HashSet;

use rand::Rng;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};

use super::PositionKey;
use crate::notation::MoveScore;

/// What a book shall be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Random moves from the initial position.
    pub plies: u32,
    /// Openings wanted.
    pub count: usize,
    /// Centipawns an opening may be away from equality, either way.
    pub limit: u32,
}

/// Why a book could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakeError<E> {
    /// Random play brings nothing new any more.
    #[error(
        "only {found} openings were found; ask for more plies, fewer openings or a wider limit"
    )]
    Exhausted {
        /// How many there are.
        found: usize,
    },
    /// The judge of balance failed.
    #[error(transparent)]
    Judge(#[from] E),
}

/// Random games in a row that lead nowhere new before the search is given up.
const PATIENCE: u32 = 20_000;

/// Makes a book of distinct positions, each reached by random legal moves, with the side to move not in check and
/// the game not over. `judge` says what a position is worth to the side to move; a position with a mate is never
/// kept. `progress` hears after each position judged how many are kept.
///
/// The same recipe, generator and judge give the same book.
///
/// # Errors
/// When the judge fails, or there are not as many openings.
pub fn make<E>(
    recipe: Recipe,
    generator: &mut impl Rng,
    mut judge: impl FnMut(&Chess) -> Result<MoveScore, E>,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Chess>, MakeError<E>> {
    let mut seen = HashSet::new();
    let mut book = Vec::with_capacity(recipe.count);
    let mut failures = 0;
    while book.len() < recipe.count {
        let fresh =
            random_line(recipe.plies, generator).filter(|end| seen.insert(PositionKey::of(end)));
        let Some(position) = fresh else {
            failures += 1;
            if failures == PATIENCE {
                return Err(MakeError::Exhausted { found: book.len() });
            }
            continue;
        };
        failures = 0;
        if is_balanced(judge(&position)?, recipe.limit) {
            book.push(position);
        }
        progress(book.len());
    }
    Ok(book)
}

/// The end of a random game so many plies long; `None` when it ends earlier, or in check or without a move.
fn random_line(plies: u32, generator: &mut impl Rng) -> Option<Chess> {
    let mut position = Chess::default();
    for _ in 0..plies {
        let played = random_move(&position, generator)?;
        position.play_unchecked(played);
    }
    (!position.is_check() && !position.is_game_over()).then_some(position)
}

fn random_move(position: &Chess, generator: &mut impl Rng) -> Option<Move> {
    let mut moves = position.legal_moves();
    // By name, so that a book does not depend on the order in which moves are generated.
    moves.sort_by_key(|&played| UciMove::from_chess960(played).to_string());
    let place = (u64::from(generator.next_u32()) * moves.len() as u64) >> 32;
    moves.get(usize::try_from(place).ok()?).copied()
}

const fn is_balanced(score: MoveScore, limit: u32) -> bool {
    match score {
        MoveScore::Centipawns(value) => value.unsigned_abs() <= limit,
        MoveScore::Mate(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use shakmaty::Color;
    use std::convert::Infallible;

    /// Material, which needs no engine.
    fn material(position: &Chess) -> Result<MoveScore, Infallible> {
        let count = |color: Color| position.board().by_color(color).count();
        let lead = count(position.turn()) as i32 - count(!position.turn()) as i32;
        Ok(MoveScore::Centipawns(lead * 100))
    }

    fn made(
        plies: u32,
        count: usize,
        limit: u32,
        seed: u64,
    ) -> Result<Vec<Chess>, MakeError<Infallible>> {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        make(
            Recipe {
                plies,
                count,
                limit,
            },
            &mut generator,
            material,
            |_| {},
        )
    }

    #[test]
    fn openings_are_distinct_quiet_and_balanced() {
        let book = made(9, 300, 0, 1).unwrap();
        let keys: HashSet<_> = book.iter().map(PositionKey::of).collect();
        assert_eq!(keys.len(), 300);
        for position in &book {
            assert_eq!(
                (position.turn(), position.fullmoves().get()),
                (Color::Black, 5)
            );
            assert!(!position.is_check() && !position.is_game_over());
            assert_eq!(material(position), Ok(MoveScore::Centipawns(0)));
        }
    }

    #[test]
    fn a_seed_decides_the_book() {
        assert_eq!(made(8, 20, 100, 1).unwrap(), made(8, 20, 100, 1).unwrap());
        assert_ne!(made(8, 20, 100, 1).unwrap(), made(8, 20, 100, 2).unwrap());
    }

    #[test]
    fn there_are_twenty_first_moves() {
        assert_eq!(made(1, 20, 0, 1).unwrap().len(), 20);
        assert!(matches!(
            made(1, 21, 0, 1),
            Err(MakeError::Exhausted { found: 20 })
        ));
    }

    #[test]
    fn mates_and_lopsided_positions_are_left_out() {
        assert!(is_balanced(MoveScore::Centipawns(-80), 80));
        assert!(!is_balanced(MoveScore::Centipawns(81), 80));
        assert!(!is_balanced(MoveScore::Centipawns(i32::MIN), 80));
        assert!(!is_balanced(MoveScore::Mate(9), u32::MAX));
    }
}
