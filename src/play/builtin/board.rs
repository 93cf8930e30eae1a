//! A game's position: what ends it by the rules, and the line that tells an engine of it.

use std::fmt::Write;

use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position};

use super::ending::Ending;
use crate::notation::uci;

/// A position with what came before it.
#[derive(Clone, Debug)]
pub(super) struct Board {
    position: Chess,
    mode: CastlingMode,
    /// Positions since the last capture or pawn move, the present one included.
    seen: Vec<Zobrist64>,
    /// `position … moves …` without its line feed.
    command: String,
    /// Whether no move was made yet.
    fresh: bool,
}

impl Board {
    pub(super) fn new(start: &Chess, mode: CastlingMode) -> Self {
        Self {
            position: start.clone(),
            mode,
            seen: vec![start.zobrist_hash(EnPassantMode::Legal)],
            command: match fen(start, mode) {
                Some(fen) => format!("position fen {fen}"),
                None => "position startpos".to_owned(),
            },
            fresh: true,
        }
    }

    pub(super) const fn position(&self) -> &Chess {
        &self.position
    }

    pub(super) fn turn(&self) -> Color {
        self.position.turn()
    }

    /// `position … moves …` without its line feed.
    pub(super) fn command(&self) -> &str {
        &self.command
    }

    /// Makes a legal move.
    pub(super) fn play(&mut self, played: Move) {
        let told = uci::write_move(played, self.mode);
        let lead = if self.fresh { " moves " } else { " " };
        write!(self.command, "{lead}{told}").expect("a string takes all text");
        self.position.play_unchecked(played);
        self.fresh = false;
        if self.position.halfmoves() == 0 {
            self.seen.clear();
        }
        self.seen
            .push(self.position.zobrist_hash(EnPassantMode::Legal));
    }

    /// The ending the rules demand at the start of a turn: no claim is needed, and a mate beats the fifty moves.
    pub(super) fn ending(&self) -> Option<Ending> {
        let stuck = self.position.legal_moves().is_empty();
        let mated = stuck && self.position.is_check();
        if self.position.halfmoves() >= 100 && !mated {
            Some(Ending::FiftyMoves)
        } else if self.position.is_insufficient_material() {
            Some(Ending::InsufficientMaterial)
        } else if self.is_third_occurrence() {
            Some(Ending::Threefold)
        } else if mated {
            let winner = self.turn().other();
            Some(Ending::Mate { winner })
        } else {
            stuck.then_some(Ending::Stalemate)
        }
    }

    fn is_third_occurrence(&self) -> bool {
        let Some((now, before)) = self.seen.split_last() else {
            return false;
        };
        before.iter().filter(|&seen| seen == now).count() >= 2
    }

    /// The position as a FEN; castling rights as file letters in Chess960.
    pub(super) fn fen(&self) -> String {
        full_fen(&self.position, self.mode)
    }
}

/// The FEN a start position needs: none for the initial position of standard chess.
pub(super) fn fen(start: &Chess, mode: CastlingMode) -> Option<String> {
    match mode {
        CastlingMode::Standard if *start == Chess::default() => None,
        CastlingMode::Standard | CastlingMode::Chess960 => Some(full_fen(start, mode)),
    }
}

fn full_fen(position: &Chess, mode: CastlingMode) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    match mode {
        CastlingMode::Standard => fen,
        CastlingMode::Chess960 => {
            let rights = castling_files(position);
            let mut fields: Vec<&str> = fen.split(' ').collect();
            fields[2] = &rights;
            fields.join(" ")
        }
    }
}

/// Castling rights by the files of the rooks, king's side first: `FDfd`.
fn castling_files(position: &Chess) -> String {
    let rights = position.castles().castling_rights();
    let mut text = String::new();
    for color in Color::ALL {
        let rooks = (rights & color.backrank()).into_iter().rev();
        text.extend(rooks.map(|rook| match color {
            Color::White => rook.file().char().to_ascii_uppercase(),
            Color::Black => rook.file().char(),
        }));
    }
    if text.is_empty() {
        text.push('-');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        let fen: Fen = fen.parse().unwrap();
        let mode = CastlingMode::Standard;
        Board::new(&fen.into_position(mode).unwrap(), mode)
    }

    fn play(board: &mut Board, moves: &str) {
        for text in moves.split(' ') {
            assert_eq!(board.ending(), None, "before {text}");
            let played = uci::read_move(board.position(), text).expect(text);
            board.play(played);
        }
    }

    #[track_caller]
    fn case(fen: &str, ending: Option<Ending>) {
        assert_eq!(board(fen).ending(), ending, "{fen}");
    }

    #[test]
    fn endings_on_the_board() {
        let winner = Color::White;
        case(
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            Some(Ending::Mate { winner }),
        );
        case(
            "7k/6Q1/6K1/8/8/8/8/8 b - - 100 90",
            Some(Ending::Mate { winner }),
        );
        case("7k/8/6QK/8/8/8/8/8 b - - 100 90", Some(Ending::FiftyMoves));
        case("7k/8/6QK/8/8/8/8/8 b - - 99 90", Some(Ending::Stalemate));
        case(
            "7k/8/6NK/8/8/8/8/8 b - - 0 1",
            Some(Ending::InsufficientMaterial),
        );
        case("7k/8/6BK/8/8/8/8/6b1 b - - 0 1", None);
        case(
            "7k/8/6BK/8/8/8/8/5b2 b - - 0 1",
            Some(Ending::InsufficientMaterial),
        );
        case("7k/8/6PK/8/8/8/8/8 b - - 0 1", None);
    }

    #[test]
    fn the_third_occurrence_ends_the_game() {
        let mut board = Board::new(&Chess::default(), CastlingMode::Standard);
        play(&mut board, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        assert_eq!(board.ending(), Some(Ending::Threefold));
    }

    #[test]
    fn a_lost_castling_right_makes_another_position() {
        let mut board = board("4k3/7p/8/8/8/8/8/4K2R w K - 0 1");
        play(&mut board, "h1g1 e8e7 g1h1 e7e8 h1g1 e8e7 g1h1 e7e8");
        assert_eq!(board.ending(), None);
        play(&mut board, "h1g1");
        assert_eq!(board.ending(), Some(Ending::Threefold));
    }

    #[test]
    fn engines_are_told_the_start_and_all_moves() {
        let mut board = Board::new(&Chess::default(), CastlingMode::Standard);
        assert_eq!(board.command(), "position startpos");
        play(&mut board, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1");
        assert_eq!(
            board.command(),
            "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1"
        );
    }

    #[test]
    fn chess960_has_file_letters_and_king_takes_rook() {
        let mode = CastlingMode::Chess960;
        let fen: Fen = "qn1rkrbb/ppppppp1/3n4/7p/8/1P5P/P1PPPPP1/QNNRKRBB w KQkq - 1 3"
            .parse()
            .unwrap();
        let mut board = Board::new(&fen.into_position(mode).unwrap(), mode);
        let start = "qn1rkrbb/ppppppp1/3n4/7p/8/1P5P/P1PPPPP1/QNNRKRBB w FDfd - 1 3";
        assert_eq!(board.fen(), start);
        play(&mut board, "g1h2 g8h7 e1g1");
        let told = format!("position fen {start} moves g1h2 g8h7 e1f1");
        assert_eq!(board.command(), told);
        let initial = Board::new(&Chess::default(), mode);
        assert_eq!(
            initial.command(),
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
        );
    }
}
