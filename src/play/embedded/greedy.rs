//! The move that leaves most material, a ply ahead.

use shakmaty::{Chess, Move, Position};

use super::search::{Finding, Question};
use super::values;
use crate::notation::MoveScore;

/// More than any material.
const MATE: i32 = 1_000_000;

pub(super) fn answer(question: &Question<'_>) -> Finding {
    let balance = values::material(question.position);
    let worth = |&played: &Move| worth(question.position, balance, played);
    let worths: Vec<i32> = question.moves.iter().map(worth).collect();
    let highest = worths.iter().copied().max().unwrap_or(balance);
    let equal = || (0..worths.len()).filter(|&index| worths[index] == highest);
    let chosen = equal()
        .nth(question.pick(equal().count()))
        .expect("the highest is there");
    Finding {
        score: if highest == MATE {
            MoveScore::Mate(1)
        } else {
            MoveScore::Centipawns(highest)
        },
        depth: 1,
        nodes: worths.len() as u64,
        best: question.moves[chosen],
        answer: None,
    }
}

fn worth(position: &Chess, balance: i32, played: Move) -> i32 {
    let mut after = position.clone();
    after.play_unchecked(played);
    if !after.legal_moves().is_empty() {
        balance + values::material_gain(played)
    } else if after.is_check() {
        MATE
    } else {
        0
    }
}
