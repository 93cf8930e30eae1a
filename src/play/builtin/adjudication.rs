//! Ending lost, dead and endless games from outside.

use shakmaty::{ByColor, Color};

use super::ending::Ending;
use crate::notation::MoveScore;
use crate::play::{Adjudication, DrawRule, ResignRule};

/// What the rules need to know of a move an engine made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    /// Who made it.
    pub(super) mover: Color,
    /// What the mover thinks of its position.
    pub(super) score: Option<MoveScore>,
    /// A capture or a pawn move.
    pub(super) zeroing: bool,
    /// The full-move number after it.
    pub(super) fullmoves: u32,
}

/// Counts moves on which a rule would hold.
#[derive(Clone, Debug)]
pub(super) struct Adjudicator {
    rules: Adjudication,
    /// Moves in a row on which a side called itself lost.
    lost: ByColor<u32>,
    /// Plies in a row on which either side was called lost.
    decided: u32,
    /// Plies in a row with a score near nought.
    quiet: u32,
    /// Plies made by the engines.
    plies: u32,
}

impl Adjudicator {
    pub(super) fn new(rules: Adjudication) -> Self {
        Self {
            rules,
            lost: ByColor::default(),
            decided: 0,
            quiet: 0,
            plies: 0,
        }
    }

    /// Takes a move in. Answers whether the game is over by it.
    pub(super) fn judge(&mut self, judged: Judged) -> Option<Ending> {
        self.plies += 1;
        let resigned = self.rules.resign.and_then(|rule| self.resign(rule, judged));
        let drawn = self.rules.draw.is_some_and(|rule| self.draw(rule, judged));
        let long = self
            .rules
            .max_moves
            .is_some_and(|moves| self.plies >= 2 * moves);
        resigned.or((drawn || long).then_some(Ending::AdjudicatedDraw))
    }

    fn resign(&mut self, rule: ResignRule, judged: Judged) -> Option<Ending> {
        let own = self.lost.get_mut(judged.mover);
        *own = match judged.score {
            Some(score) if is_lost(score, rule.score) => *own + 1,
            Some(_) | None => 0,
        };
        let own = *own;
        self.decided = match judged.score {
            Some(score) if is_decided(score, rule.score) => self.decided + 1,
            Some(_) | None => 0,
        };
        let enough = if rule.two_sided {
            self.decided >= 2 * rule.moves
        } else {
            own >= rule.moves
        };
        let winner = judged.mover.other();
        (enough && judged.score.is_some_and(is_negative))
            .then_some(Ending::AdjudicatedWin { winner })
    }

    fn draw(&mut self, rule: DrawRule, judged: Judged) -> bool {
        if judged.zeroing {
            self.quiet = 0;
        }
        self.quiet = match judged.score {
            Some(MoveScore::Centipawns(value)) if value.unsigned_abs() <= rule.score => {
                self.quiet + 1
            }
            Some(_) | None => 0,
        };
        self.quiet >= 2 * rule.moves && judged.fullmoves.saturating_sub(1) >= rule.from_move
    }
}

fn is_lost(score: MoveScore, limit: u32) -> bool {
    match score {
        MoveScore::Centipawns(value) => i64::from(value) <= -i64::from(limit),
        MoveScore::Mate(moves) => moves < 0,
    }
}

const fn is_decided(score: MoveScore, limit: u32) -> bool {
    match score {
        MoveScore::Centipawns(value) => value.unsigned_abs() >= limit,
        MoveScore::Mate(_) => true,
    }
}

const fn is_negative(score: MoveScore) -> bool {
    match score {
        MoveScore::Centipawns(value) | MoveScore::Mate(value) => value < 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MoveScore::{Centipawns, Mate};

    const WHITE_LOST: Option<Ending> = Some(Ending::AdjudicatedWin {
        winner: Color::Black,
    });

    /// Plays scores alternately, White first; answers the ply of the ending and the ending.
    fn end(rules: Adjudication, scores: &[Option<MoveScore>]) -> Option<(usize, Ending)> {
        let mut adjudicator = Adjudicator::new(rules);
        let mut mover = Color::White;
        for (index, &score) in scores.iter().enumerate() {
            let judged = Judged {
                mover,
                score,
                zeroing: false,
                fullmoves: 1 + u32::try_from(index.div_ceil(2)).unwrap(),
            };
            if let Some(ending) = adjudicator.judge(judged) {
                return Some((index + 1, ending));
            }
            mover = mover.other();
        }
        None
    }

    fn resign(moves: u32, score: u32, two_sided: bool) -> Adjudication {
        Adjudication {
            resign: Some(ResignRule {
                moves,
                score,
                two_sided,
            }),
            ..Adjudication::default()
        }
    }

    fn draw(from_move: u32, moves: u32, score: u32) -> Adjudication {
        Adjudication {
            draw: Some(DrawRule {
                from_move,
                moves,
                score,
            }),
            ..Adjudication::default()
        }
    }

    fn cp(values: &[i32]) -> Vec<Option<MoveScore>> {
        values
            .iter()
            .map(|&value| Some(Centipawns(value)))
            .collect()
    }

    #[test]
    fn a_side_resigns_after_its_own_moves_in_a_row() {
        let scores = cp(&[-400, 0, -399, 0, -500, 0, -400, 0, -401]);
        assert_eq!(
            end(resign(3, 400, false), &scores).map(|end| end.0),
            Some(9)
        );
        assert_eq!(
            end(resign(1, 400, false), &scores).unwrap().1,
            WHITE_LOST.unwrap()
        );
    }

    #[test]
    fn a_missing_score_starts_the_count_again() {
        let scores = [
            Some(Mate(-3)),
            None,
            None,
            None,
            Some(Centipawns(-900)),
            None,
        ];
        assert_eq!(end(resign(2, 400, false), &scores), None);
        let scores = [Some(Mate(-3)), None, Some(Mate(-2))];
        assert_eq!(
            end(resign(2, 400, false), &scores),
            Some((3, WHITE_LOST.unwrap()))
        );
    }

    #[test]
    fn two_sided_needs_both_and_ends_on_the_losers_move() {
        let rules = resign(2, 400, true);
        let scores = cp(&[-500, 300, -500, 500, -500, 500, -500]);
        assert_eq!(end(rules, &scores).map(|end| end.0), Some(7));
        let scores = cp(&[-500, 500, -500, 500]);
        assert_eq!(end(rules, &scores), None);
    }

    #[test]
    fn quiet_games_are_drawn_from_the_move_on() {
        let scores = cp(&[0; 40]);
        assert_eq!(
            end(draw(0, 2, 8), &scores),
            Some((4, Ending::AdjudicatedDraw))
        );
        // The tenth full move is complete when move eleven comes.
        assert_eq!(end(draw(10, 2, 8), &scores).map(|end| end.0), Some(20));
        let scores = cp(&[8, -8, 9, 0, 0, 0, 0]);
        assert_eq!(end(draw(0, 2, 8), &scores).map(|end| end.0), Some(7));
        let scores = [Some(Mate(1)), Some(Centipawns(0)), Some(Centipawns(0))];
        assert_eq!(end(draw(0, 1, 8), &scores).map(|end| end.0), Some(3));
    }

    #[test]
    fn a_capture_counts_as_the_first_quiet_ply() {
        let mut adjudicator = Adjudicator::new(draw(0, 1, 8));
        let judged = Judged {
            mover: Color::White,
            score: Some(Centipawns(0)),
            zeroing: false,
            fullmoves: 30,
        };
        assert_eq!(adjudicator.judge(judged), None);
        let zeroing = Judged {
            zeroing: true,
            ..judged
        };
        assert_eq!(adjudicator.judge(zeroing), None);
        assert_eq!(adjudicator.judge(judged), Some(Ending::AdjudicatedDraw));
    }

    #[test]
    fn the_longest_game() {
        let rules = Adjudication {
            max_moves: Some(3),
            ..Adjudication::default()
        };
        let scores = vec![None; 10];
        assert_eq!(end(rules, &scores), Some((6, Ending::AdjudicatedDraw)));
    }
}
