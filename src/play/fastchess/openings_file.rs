//! The openings of a run, written for fastchess to play in order.

use std::fmt::Write as _;

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::openings::{Opening, Variant};
use crate::plan::PlannedPair;

/// How a file of openings is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A position a line, all six FEN fields.
    Epd,
    /// Book moves, which fastchess plays and marks as such.
    Pgn,
}

impl Format {
    /// Positions alone go to an EPD file; book moves need a PGN file.
    #[must_use]
    pub fn of(pairs: &[PlannedPair]) -> Self {
        if pairs.iter().all(|pair| pair.opening.moves.is_empty()) {
            Self::Epd
        } else {
            Self::Pgn
        }
    }

    /// fastchess's word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Epd => "epd",
            Self::Pgn => "pgn",
        }
    }

    /// The openings of the pairs in this format, in order.
    #[must_use]
    pub fn render(self, pairs: &[PlannedPair], variant: Variant) -> String {
        let mut text = String::new();
        for pair in pairs {
            match self {
                Self::Epd => writeln!(text, "{}", fen(&pair.opening.start)),
                Self::Pgn => write_game(&mut text, &pair.opening, variant),
            }
            .expect("a string takes all text");
        }
        text
    }
}

fn fen(position: &Chess) -> Fen {
    Fen::from_position(position, EnPassantMode::Legal)
}

fn write_game(text: &mut String, opening: &Opening, variant: Variant) -> std::fmt::Result {
    writeln!(text, "[Event \"opening {}\"]", opening.number)?;
    if variant == Variant::Chess960 {
        writeln!(text, "[Variant \"Chess960\"]")?;
    }
    writeln!(text, "[SetUp \"1\"]\n[FEN \"{}\"]", fen(&opening.start))?;
    writeln!(text, "[Result \"*\"]\n")?;
    let mut position = opening.start.clone();
    for &played in &opening.moves {
        let number = position.fullmoves();
        let dots = if position.turn().is_white() {
            "."
        } else {
            "..."
        };
        let san = SanPlus::from_move_and_play_unchecked(&mut position, played);
        writeln!(text, "{number}{dots} {san}")?;
    }
    writeln!(text, "*\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Missing;
    use shakmaty::CastlingMode;
    use shakmaty::san::San;

    fn pair(fen: &str, moves: &[&str], mode: CastlingMode) -> PlannedPair {
        let start: Chess = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
        let mut position = start.clone();
        let moves = moves.iter().map(|text| {
            let played = text.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(played);
            played
        });
        let moves = moves.collect();
        PlannedPair {
            round: 1,
            opening: Opening {
                number: 7,
                start,
                moves,
            },
            missing: Missing::Both,
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn positions_keep_their_counters() {
        let pairs = [
            pair(START, &[], CastlingMode::Standard),
            pair(
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR b HFhf - 2 9",
                &[],
                CastlingMode::Chess960,
            ),
        ];
        assert_eq!(Format::of(&pairs), Format::Epd);
        insta::assert_snapshot!(Format::Epd.render(&pairs, Variant::Chess960), @r"
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
        bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR b KQkq - 2 9
        ");
    }

    #[test]
    fn book_moves_are_numbered_from_the_position() {
        let pairs = [
            pair(START, &["e4", "e5"], CastlingMode::Standard),
            pair(
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                &["e5", "Nf3"],
                CastlingMode::Standard,
            ),
        ];
        assert_eq!(Format::of(&pairs), Format::Pgn);
        insta::assert_snapshot!(Format::Pgn.render(&pairs, Variant::Standard), @r#"
        [Event "opening 7"]
        [SetUp "1"]
        [FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
        [Result "*"]

        1. e4
        1... e5
        *

        [Event "opening 7"]
        [SetUp "1"]
        [FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]
        [Result "*"]

        1... e5
        2. Nf3
        *
        "#);
    }
}
