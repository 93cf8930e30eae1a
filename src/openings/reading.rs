//! From the text of a record to the opening it describes.

use std::str::Utf8Error;

use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Move, Position, Setup};

use crate::notation::pgn::{BookGame, BookGameError, BookGames};
use crate::notation::{EpdError, EpdRecord};

use super::Variant;
use super::records::{BookForm, OpenBracket, left_open};

/// Why a record of a book is not an opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The line is no text.
    #[error("not UTF-8")]
    Encoding(#[from] Utf8Error),
    /// The line, or the FEN tag, is no position.
    #[error(transparent)]
    Position(#[from] EpdError),
    /// A position that cannot come about, such as one with a king that could be taken.
    #[error("{0}")]
    Impossible(String),
    /// A position of Chess960 in a book that is played as standard chess.
    #[error("its castling rights need Chess960")]
    NeedsChess960,
    /// A bracket left open.
    #[error(transparent)]
    Open(#[from] OpenBracket),
    /// A word that is no move; playing on without it would shorten the opening in silence.
    #[error("'{0}' is no move")]
    Unreadable(String),
    /// Moves that cannot be told apart.
    #[error("its moves cannot be read")]
    Moves,
    /// A move that cannot be played.
    #[error("{number} {word} is not legal")]
    Illegal {
        /// The move.
        word: String,
        /// Its number and side.
        number: String,
    },
    /// A second game behind the result.
    #[error("more moves stand behind the result")]
    AfterResult,
    /// Tags without moves and without a result: the rest is missing.
    #[error("neither moves nor a result")]
    NoMoves,
    /// Nothing is left to play.
    #[error("the game is over: {0}")]
    Over(GameOver),
}

/// How an opening ends the game it should begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameOver {
    /// The side to move is mated.
    #[error("checkmate")]
    Checkmate,
    /// The side to move has no move.
    #[error("stalemate")]
    Stalemate,
    /// Nobody can mate.
    #[error("insufficient material")]
    InsufficientMaterial,
    /// A hundred plies without a capture or a pawn move.
    #[error("fifty moves without progress")]
    FiftyMoves,
}

/// A record's start and its moves.
pub(super) type Line = (Chess, Vec<Move>);

pub(super) fn read(form: BookForm, record: &[u8], variant: Variant) -> Result<Line, OpeningError> {
    let (start, moves) = match form {
        BookForm::Epd => {
            let line = record
                .split(|&byte| byte == b'\n')
                .next()
                .unwrap_or_default();
            (read_position(line, variant)?, Vec::new())
        }
        BookForm::Pgn => read_game(record, variant)?,
    };
    let mut end = start.clone();
    for &book_move in &moves {
        end.play_unchecked(book_move);
    }
    match game_over(&end) {
        Some(over) => Err(OpeningError::Over(over)),
        None => Ok((start, moves)),
    }
}

fn read_position(text: &[u8], variant: Variant) -> Result<Chess, OpeningError> {
    let record: EpdRecord = std::str::from_utf8(text)?.parse()?;
    position(record.setup(), variant)
}

fn position(setup: &Setup, variant: Variant) -> Result<Chess, OpeningError> {
    let impossible = match Chess::from_setup(setup.clone(), variant.castling_mode()) {
        Ok(position) => return Ok(position),
        Err(impossible) => impossible,
    };
    if Chess::from_setup(setup.clone(), CastlingMode::Chess960).is_ok() {
        return Err(OpeningError::NeedsChess960);
    }
    Err(OpeningError::Impossible(impossible.to_string()))
}

fn read_game(record: &[u8], variant: Variant) -> Result<Line, OpeningError> {
    if let Some(open) = left_open(record) {
        return Err(open.into());
    }
    let game = only_game(record)?;
    let start = match &game.fen {
        Some(fen) => read_position(fen.as_bytes(), variant)?,
        None => Chess::from_setup(Setup::initial(), variant.castling_mode())
            .expect("the initial position is possible"),
    };
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(game.moves.len());
    for san in game.moves {
        let book_move = legal(san, &position)?;
        position.play_unchecked(book_move);
        moves.push(book_move);
    }
    Ok((start, moves))
}

fn only_game(record: &[u8]) -> Result<BookGame, OpeningError> {
    let is_header = |line: &[u8]| matches!(line.trim_ascii().first(), None | Some(b'[' | b'%'));
    if record.split(|&byte| byte == b'\n').all(is_header) {
        return Err(OpeningError::NoMoves);
    }
    let mut games = BookGames::new(record);
    let game = games.next().ok_or(OpeningError::NoMoves)?;
    if games.next().is_some() {
        return Err(OpeningError::AfterResult);
    }
    game.map_err(|error| match error {
        BookGameError::NoMove { word, .. } => OpeningError::Unreadable(word),
        BookGameError::Unreadable { .. } => OpeningError::Moves,
    })
}

fn legal(san: SanPlus, position: &Chess) -> Result<Move, OpeningError> {
    san.san.to_move(position).map_err(|_| {
        let dots = match position.turn() {
            Color::White => ".",
            Color::Black => "...",
        };
        let number = format!("{}{dots}", position.fullmoves());
        OpeningError::Illegal {
            word: san.to_string(),
            number,
        }
    })
}

fn game_over(position: &Chess) -> Option<GameOver> {
    if position.is_checkmate() {
        Some(GameOver::Checkmate)
    } else if position.is_stalemate() {
        Some(GameOver::Stalemate)
    } else if position.is_insufficient_material() {
        Some(GameOver::InsufficientMaterial)
    } else if position.halfmoves() >= 100 {
        Some(GameOver::FiftyMoves)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::EnPassantMode;
    use shakmaty::fen::Fen;

    fn read_as(
        form: BookForm,
        text: &str,
        variant: Variant,
    ) -> Result<(String, usize), OpeningError> {
        let (mut position, moves) = read(form, text.as_bytes(), variant)?;
        for &played in &moves {
            position = position.play(played).expect("a book move is legal");
        }
        Ok((
            Fen::from_position(&position, EnPassantMode::Legal).to_string(),
            moves.len(),
        ))
    }

    #[track_caller]
    fn game(text: &str, plies: usize, fen: &str) {
        let read = read_as(BookForm::Pgn, text, Variant::Standard).unwrap();
        assert_eq!(read, (fen.to_owned(), plies));
    }

    #[track_caller]
    fn refused(form: BookForm, text: &str, message: &str) {
        let error = read_as(form, text, Variant::Standard).unwrap_err();
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn games_of_a_pgn_book() {
        game(
            "[Event \"x\"]\r\n[Site \"[FEN]\"]\r\n\r\n1. e4 e5 {best by test} 2. Nf3 (2. f4 exf4) Nc6 $1 1/2-1/2\r\n",
            4,
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        );
        game(
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0",
            7,
            "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4",
        );
        game(
            "[Event \"start\"]\n\n*",
            0,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        );
    }

    #[test]
    fn a_game_from_a_position_with_black_to_move() {
        game(
            "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\n1... c5 2. Nf3 *",
            2,
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        );
    }

    #[test]
    fn castling_in_chess960() {
        let fen = "bqnbrkr1/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKR1 w GEge - 0 1";
        let text = format!("[FEN \"{fen}\"]\n[Variant \"Chess960\"]\n\n1. O-O *");
        let (castled, plies) = read_as(BookForm::Pgn, &text, Variant::Chess960).unwrap();
        assert_eq!(
            (castled.as_str(), plies),
            ("bqnbrkr1/pppppppp/8/8/8/8/PPPPPPPP/BQNBRRK1 b kq - 1 1", 1)
        );
        refused(BookForm::Pgn, &text, "its castling rights need Chess960");
        refused(BookForm::Epd, fen, "its castling rights need Chess960");
    }

    #[test]
    fn moves_that_are_none() {
        refused(BookForm::Pgn, "1. e4 e5 2. Ke3 *", "2. Ke3 is not legal");
        refused(BookForm::Pgn, "1. e4 e5 2. Nf3 Nz6", "'Nz6' is no move");
        refused(BookForm::Pgn, "1. e4 -- 2. d4 *", "1... -- is not legal");
        refused(BookForm::Pgn, "1. e4 {open", "a comment is not closed");
        refused(
            BookForm::Pgn,
            "1. e4 (1. d4 {)}\n\nd5 *",
            "a variation is not closed",
        );
        refused(
            BookForm::Pgn,
            "1. e4 * 1. d4 *",
            "more moves stand behind the result",
        );
        refused(
            BookForm::Pgn,
            "[Event \"torn\"]\n\n",
            "neither moves nor a result",
        );
    }

    #[test]
    fn games_that_are_over() {
        refused(
            BookForm::Pgn,
            "1. f3 e5 2. g4 Qh4# *",
            "the game is over: checkmate",
        );
        refused(
            BookForm::Epd,
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "the game is over: stalemate",
        );
        refused(
            BookForm::Epd,
            "7k/8/6K1/8/8/8/8/7B b - - 0 1",
            "the game is over: insufficient material",
        );
        refused(
            BookForm::Epd,
            "7k/8/6K1/8/8/8/8/7R b - - 100 90",
            "the game is over: fifty moves without progress",
        );
    }

    #[test]
    fn positions_that_cannot_be() {
        refused(
            BookForm::Epd,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1",
            "illegal position: missing king",
        );
        refused(
            BookForm::Epd,
            "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
            "illegal position: invalid castling rights",
        );
        refused(
            BookForm::Epd,
            "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
            "illegal position: opposite check",
        );
        refused(
            BookForm::Epd,
            "4k3/8/8/8/8/8/8/4K2R w K e3 0 1",
            "illegal position: invalid ep square",
        );
        refused(
            BookForm::Pgn,
            "[FEN \"8/8\"]\n\n*",
            "a position has at least four fields, this has 1",
        );
    }
}
