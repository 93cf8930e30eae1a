//! Lines of the Universal Chess Interface: what an engine offers, says while it thinks, and plays.

mod info;
mod option;

pub use info::{Bound, Info};
pub use option::{OptionKind, OptionLine, WrongValue};

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, CastlingSide, Chess, Move, Position, Role, Square};

/// The move of a `bestmove` line, as the engine spelled it; `None` when the line is another one.
/// A `bestmove` without a move gives an empty text.
///
/// ```
/// use mache::notation::uci::bestmove;
///
/// assert_eq!(bestmove("bestmove e2e4 ponder e7e5"), Some("e2e4"));
/// assert_eq!(bestmove("bestmove"), Some(""));
/// assert_eq!(bestmove("info depth 1"), None);
/// ```
#[must_use]
pub fn bestmove(line: &str) -> Option<&str> {
    let mut words = line.split_ascii_whitespace();
    (words.next()? == "bestmove").then(|| words.next().unwrap_or(""))
}

/// Reads a legal move in any spelling engines use: squares in small letters, a promotion letter of either case,
/// castling as the king's two squares or as king takes rook, in standard chess and Chess960 alike.
///
/// `None` for an illegal move, a null move and everything that is no move. Where a plain king move and castling
/// would be spelled alike, it is the king move.
#[must_use]
pub fn read_move(position: &Chess, text: &str) -> Option<Move> {
    let uci = UciMove::from_ascii(text.as_bytes()).ok()?;
    let UciMove::Normal {
        from,
        to,
        promotion: _,
    } = uci
    else {
        return None;
    };
    uci.to_move(position)
        .ok()
        .or_else(|| castling_by_target(position, from, to))
}

/// Castling written as the king's way to its final square, wherever king and rook stand.
fn castling_by_target(position: &Chess, from: Square, to: Square) -> Option<Move> {
    if position.board().role_at(from) != Some(Role::King) || from.rank() != to.rank() {
        return None;
    }
    let side = [CastlingSide::KingSide, CastlingSide::QueenSide]
        .into_iter()
        .find(|side| side.king_to_file() == to.file())?;
    let castling = position.castling_moves(side);
    castling
        .iter()
        .find(|found| found.from() == Some(from))
        .copied()
}

/// A move as engines are told it: castling as the king's two squares in standard chess, as king takes rook in Chess960.
#[must_use]
pub fn write_move(played: Move, mode: CastlingMode) -> UciMove {
    UciMove::from_move(played, mode)
}

/// A text from an engine, made harmless: without control characters, blanks trimmed, at most `limit` characters.
#[must_use]
pub fn cleaned(text: &str, limit: usize) -> String {
    let text = text.trim().chars().filter(|letter| !letter.is_control());
    text.take(limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::fen::Fen;

    fn position(fen: &str, mode: CastlingMode) -> Chess {
        let fen: Fen = fen.parse().unwrap();
        fen.into_position(mode).unwrap()
    }

    #[track_caller]
    fn case(fen: &str, mode: CastlingMode, text: &str, told: Option<&str>) {
        let read = read_move(&position(fen, mode), text);
        let written = read.map(|played| write_move(played, mode).to_string());
        assert_eq!(written.as_deref(), told, "{text} in {fen}");
    }

    const BARE: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn standard_castling_in_both_spellings() {
        let mode = CastlingMode::Standard;
        case(BARE, mode, "e1g1", Some("e1g1"));
        case(BARE, mode, "e1h1", Some("e1g1"));
        case(BARE, mode, "e1c1", Some("e1c1"));
        case(BARE, mode, "e1a1", Some("e1c1"));
        case("4k3/8/8/8/8/8/8/4K2R w - - 0 1", mode, "e1g1", None);
    }

    #[test]
    fn chess960_castling_in_both_spellings() {
        let mode = CastlingMode::Chess960;
        let fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
        case(fen, mode, "e1g1", Some("e1g1"));
        case(fen, mode, "e1c1", Some("e1b1"));
        case(fen, mode, "e1b1", Some("e1b1"));
        case(BARE, mode, "e1g1", Some("e1h1"));
        // King f1, rook h1: f1g1 is a king move, f1h1 castles.
        let fen = "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1";
        case(fen, mode, "f1g1", Some("f1g1"));
        case(fen, mode, "f1h1", Some("f1h1"));
        assert!(!read_move(&position(fen, mode), "f1g1").unwrap().is_castle());
    }

    #[test]
    fn what_is_no_move() {
        let mode = CastlingMode::Standard;
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        case(start, mode, "e2e4", Some("e2e4"));
        for text in [
            "", "0000", "(none)", "E2E4", "Nf3", "e4", "a1a1", "e7e5", "e2e5", "e2e4q", "Q@e4",
            "e2e4 ", "é2e4",
        ] {
            case(start, mode, text, None);
        }
    }

    #[test]
    fn promotions() {
        let mode = CastlingMode::Standard;
        let fen = "8/4P2k/8/8/8/8/8/K7 w - - 0 1";
        case(fen, mode, "e7e8q", Some("e7e8q"));
        case(fen, mode, "e7e8N", Some("e7e8n"));
        case(fen, mode, "e7e8k", None);
        case(fen, mode, "e7e8", None);
    }

    #[test]
    fn cleaning_leaves_letters() {
        assert_eq!(
            cleaned(" Fine\r\x1b[31m engine\u{7f}  ", 100),
            "Fine[31m engine"
        );
        assert_eq!(cleaned("ééééé", 3), "ééé");
    }

    proptest! {
        #[test]
        fn every_legal_move_is_read_back(picks in prop::collection::vec(any::<prop::sample::Index>(), 1..60)) {
            for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
                let mut position = Chess::default();
                for pick in &picks {
                    let legal = position.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    let played = legal[pick.index(legal.len())];
                    let text = write_move(played, mode).to_string();
                    prop_assert_eq!(read_move(&position, &text), Some(played));
                    position.play_unchecked(played);
                }
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,12}", line in ".*") {
            _ = read_move(&Chess::default(), &text);
            _ = bestmove(&line);
            prop_assert!(cleaned(&line, 20).chars().count() <= 20);
        }
    }
}
