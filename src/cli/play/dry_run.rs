//! `--dry-run`: the schedule of the built-in runner.

use std::fmt::Write;

use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;

use crate::notation::uci::write_move;
use crate::plan::{Missing, PlannedPair};
use crate::play::MatchSetup;

/// A pair a line: its number, the opening's number in the book, the games to play, the position, the book moves.
pub(super) fn schedule(setup: &MatchSetup) -> String {
    let mut page = String::new();
    for pair in &setup.pairs {
        write_pair(&mut page, pair, setup).expect("a string takes all text");
    }
    page
}

fn write_pair(page: &mut String, pair: &PlannedPair, setup: &MatchSetup) -> std::fmt::Result {
    let opening = &pair.opening;
    let games = match pair.missing {
        Missing::Both => "both",
        Missing::FirstWhite => "first",
        Missing::SecondWhite => "second",
    };
    let fen = Fen::from_position(&opening.start, EnPassantMode::Legal);
    write!(page, "{}\t{}\t{games}\t{fen}\t", pair.round, opening.number)?;
    let mode = setup.variant.castling_mode();
    let moves: Vec<String> = opening
        .moves
        .iter()
        .map(|&played| write_move(played, mode).to_string())
        .collect();
    writeln!(page, "{}", moves.join(" "))
}
