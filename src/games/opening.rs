//! Whether two games began alike.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

use crate::openings::PositionKey;

/// A line break parts the start from the book moves; blanks part the moves.
const PART: u8 = b'\n';

/// Writes down how a game began. Empty when neither a FEN tag nor a `{book}` comment tells: then it is not known.
pub(super) fn describe(text: &mut Vec<u8>, fen: Option<&[u8]>, moves: &[u8]) {
    text.clear();
    if fen.is_none() && moves.is_empty() {
        return;
    }
    text.extend_from_slice(fen.unwrap_or_default());
    text.push(PART);
    text.extend_from_slice(moves);
}

/// `true` unless the games are known to have begun apart.
///
/// Positions count, not the moves to them or the way they are written; and where one game has fewer book moves than the
/// other, those it has must lead to a position of the other.
pub(super) fn alike(one: &[u8], other: &[u8]) -> bool {
    if one == other || one.is_empty() || other.is_empty() {
        return true;
    }
    let (Some(one), Some(other)) = (path(one), path(other)) else {
        return false;
    };
    let within = |end: &[u64], path: &[u64]| end.last().is_some_and(|key| path.contains(key));
    within(&one, &other) || within(&other, &one)
}

/// The position behind the book moves; `None` where it is not known or cannot be read.
pub(super) fn end(text: &[u8]) -> Option<PositionKey> {
    path_of(text)?
        .pop()
        .map(|position| PositionKey::of(&position))
}

/// Keys of the start position and of the position after each book move.
fn path(text: &[u8]) -> Option<Vec<u64>> {
    let positions = path_of(text)?;
    Some(positions.iter().map(key).collect())
}

/// The start position and the position after each book move.
fn path_of(text: &[u8]) -> Option<Vec<Chess>> {
    let part = text.iter().position(|byte| *byte == PART)?;
    let (fen, moves) = (text[..part].trim_ascii(), &text[part + 1..]);
    let mut position = match fen {
        b"" => Chess::default(),
        fen => Fen::from_ascii(fen)
            .ok()?
            .into_position(CastlingMode::Chess960)
            .ok()?,
    };
    let mut positions = vec![position.clone()];
    for word in moves
        .split(|byte| *byte == b' ')
        .filter(|word| !word.is_empty())
    {
        let played = read_move(&position, word)?;
        position = position.play(played).ok()?;
        positions.push(position.clone());
    }
    Some(positions)
}

fn read_move(position: &Chess, word: &[u8]) -> Option<Move> {
    let san = SanPlus::from_ascii(word).ok();
    let by_san = san.and_then(|san| san.san.to_move(position).ok());
    by_san.or_else(|| UciMove::from_ascii(word).ok()?.to_move(position).ok())
}

fn key(position: &Chess) -> u64 {
    PositionKey::of(position).get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(one: (&str, &str), other: (&str, &str), expected: bool) {
        let text = |(fen, moves): (&str, &str)| {
            let mut text = Vec::new();
            describe(
                &mut text,
                (!fen.is_empty()).then_some(fen.as_bytes()),
                moves.as_bytes(),
            );
            text
        };
        assert_eq!(alike(&text(one), &text(other)), expected);
        assert_eq!(alike(&text(other), &text(one)), expected);
    }

    const X_FEN: &str = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
    const SHREDDER_FEN: &str = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1";

    #[test]
    fn positions_count_and_not_their_writing() {
        case(("", "e4 e5"), ("", "e4 e5"), true);
        case(("", "e4 e5"), ("", "e4 c5"), false);
        case(("", "Nf3 Nf6 g3"), ("", "g3 Nf6 Nf3"), true);
        case(("", "e4 Nf6"), ("", "e2e4 g8f6"), true);
        case((X_FEN, ""), (SHREDDER_FEN, ""), true);
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let with_square = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        case((after_e4, ""), (with_square, ""), true);
        case((after_e4, "e5"), ("", "e4 e5"), true);
        case((after_e4, ""), ("", "d4"), false);
    }

    #[test]
    fn what_is_not_known_is_not_held_against_a_pair() {
        case(("", ""), (X_FEN, ""), true);
        case(("", "e4"), ("", ""), true);
        case(("", "e4"), ("", "e4 e5 Nf3"), true);
        case(("no fen", ""), (X_FEN, ""), false);
    }
}
