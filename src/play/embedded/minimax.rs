//! Two plies ahead: each move, and the best answer to it.

use shakmaty::{Chess, Move, MoveList, Position};

use super::search::{Finding, Question};
use super::values::Tables;
use crate::notation::MoveScore;
use crate::openings::PositionKey;

/// More than any board is worth.
const MATE: i32 = 1_000_000;

/// Moves within so many centipawns of the best are as good, so that games differ by seed.
const TOLERANCE: i32 = 4;

/// A move at the root with what it is worth.
struct Choice {
    played: Move,
    worth: i32,
    answer: Option<Move>,
}

pub(super) fn answer(question: &Question<'_>) -> Finding {
    let mut search = Search::new(question);
    let mut choices = search.choices();
    choices.sort_by_key(|choice| -choice.worth);
    search.shun_mates(&mut choices);
    let equal = choices
        .iter()
        .take_while(|choice| choices[0].worth - choice.worth <= TOLERANCE);
    let chosen = &choices[question.pick(equal.count())];
    Finding {
        score: score(chosen.worth),
        depth: search.depth,
        nodes: search.nodes,
        best: chosen.played,
        answer: chosen.answer,
    }
}

const fn score(worth: i32) -> MoveScore {
    if worth.abs() == MATE {
        MoveScore::Mate(worth.signum())
    } else {
        MoveScore::Centipawns(worth)
    }
}

struct Search<'a> {
    tables: &'static Tables,
    question: &'a Question<'a>,
    /// Of the position asked about.
    balance: i32,
    /// One or two plies.
    depth: u32,
    nodes: u64,
}

impl<'a> Search<'a> {
    fn new(question: &'a Question<'a>) -> Self {
        let tables = Tables::for_position(question.position);
        let balance = tables.balance(question.position);
        let depth = question.depth.min(2);
        Self {
            tables,
            question,
            balance,
            depth,
            nodes: 0,
        }
    }

    /// Every move and its worth by the tables alone; answers that mate are looked for later.
    fn choices(&mut self) -> Vec<Choice> {
        let mut choices = Vec::with_capacity(self.question.moves.len());
        while choices.len() < self.question.moves.len() {
            if self.depth == 2 && self.nodes > self.question.nodes {
                // Moves looked at unequally far cannot be compared.
                self.depth = 1;
                choices.clear();
            }
            choices.push(self.choice(self.question.moves[choices.len()]));
        }
        choices
    }

    fn choice(&mut self, played: Move) -> Choice {
        let position = self.question.position;
        let worth = self.balance + self.tables.gain(position.turn(), played);
        self.nodes += 1;
        let mut after = position.clone();
        after.play_unchecked(played);
        let answers = after.legal_moves();
        if let Some(worth) = self.end(&after, &answers) {
            return Choice {
                played,
                worth,
                answer: None,
            };
        }
        if self.depth < 2 {
            return Choice {
                played,
                worth,
                answer: None,
            };
        }
        self.nodes += answers.len() as u64;
        let gain = |answer: &Move| self.tables.gain(after.turn(), *answer);
        let best = answers.iter().max_by_key(|answer| gain(answer)).copied();
        Choice {
            played,
            worth: worth - best.as_ref().map_or(0, gain),
            answer: best,
        }
    }

    /// What a position is worth to the mover before it when the game ends there, or will if it likes.
    fn end(&self, after: &Chess, answers: &MoveList) -> Option<i32> {
        if answers.is_empty() {
            return Some(if after.is_check() { MATE } else { 0 });
        }
        let repeats = || self.question.past.contains(&PositionKey::of(after));
        (after.is_insufficient_material() || repeats()).then_some(0)
    }

    /// Moves the choices that allow mate to the end, as far as they could have been played.
    fn shun_mates(&mut self, choices: &mut [Choice]) {
        let mut sound = 0;
        for index in 0..choices.len() {
            if sound > 0 && choices[0].worth - choices[index].worth > TOLERANCE {
                break;
            }
            if let Some(mate) = self.mating_answer(&choices[index]) {
                choices[index].worth = -MATE;
                choices[index].answer = Some(mate);
            } else {
                choices.swap(sound, index);
                sound += 1;
            }
        }
    }

    fn mating_answer(&mut self, choice: &Choice) -> Option<Move> {
        // Without an answer the game is over, or nobody asked for the second ply.
        choice.answer?;
        let mut after = self.question.position.clone();
        after.play_unchecked(choice.played);
        let answers = after.legal_moves();
        answers.iter().copied().find(|&answer| {
            let mut end = after.clone();
            end.play_unchecked(answer);
            end.is_check() && end.legal_moves().is_empty()
        })
    }
}
