//! Any legal move.

use super::search::{Finding, Question};
use super::values;
use crate::notation::MoveScore;

pub(super) fn answer(question: &Question<'_>) -> Finding {
    let best = question.moves[question.pick(question.moves.len())];
    Finding {
        score: MoveScore::Centipawns(
            values::material(question.position) + values::material_gain(best),
        ),
        depth: 1,
        nodes: question.moves.len() as u64,
        best,
        answer: None,
    }
}
