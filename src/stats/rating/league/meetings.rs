//! Encounters added up by who met whom.

use std::collections::HashMap;

use super::super::{Encounter, Player};
use crate::stats::GameScore;

/// All games between two engines, told from the one with the lower number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
    pub(super) lower: u32,
    pub(super) upper: u32,
    pub(super) sums: Sums,
}

/// Games and the lower engine's points in them: those in which it has White, then those in which it has Black.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    pub(super) games: [f64; 2],
    pub(super) points: [f64; 2],
}

impl Sums {
    /// Adds other sums, so many times over.
    pub(super) fn add(&mut self, other: &Self, times: f64) {
        for colour in 0..2 {
            self.games[colour] += times * other.games[colour];
            self.points[colour] += times * other.points[colour];
        }
    }

    pub(super) fn all_games(&self) -> f64 {
        self.games[0] + self.games[1]
    }

    pub(super) fn all_points(&self) -> f64 {
        self.points[0] + self.points[1]
    }
}

/// Encounters by meeting, in the order in which two engines first met.
#[derive(Clone, Debug, Default)]
pub(super) struct Meetings {
    pub(super) all: Vec<Meeting>,
    /// Every encounter: its meeting, and what kind it is of. In the order of meetings.
    clusters: Vec<(u32, Kind)>,
    pub(super) draws: u64,
    pub(super) games: u64,
}

impl Meetings {
    pub(super) fn of<'e>(encounters: impl Iterator<Item = &'e Encounter>) -> Self {
        let mut places = HashMap::new();
        let mut meetings = Self::default();
        for encounter in encounters {
            let kind = Kind::of(encounter);
            let (lower, upper) = ordered(encounter);
            let next = meetings.all.len();
            let place = *places.entry((lower, upper)).or_insert(next);
            if place == next {
                let number = |player: Player| player.place() as u32;
                meetings.all.push(Meeting {
                    lower: number(lower),
                    upper: number(upper),
                    sums: Sums::default(),
                });
            }
            meetings.all[place].sums.add(&kind.sums(), 1.0);
            meetings.clusters.push((place as u32, kind));
            let scores = [Some(encounter.score), encounter.returned];
            for score in scores.into_iter().flatten() {
                meetings.games += 1;
                meetings.draws += u64::from(score == GameScore::Draw);
            }
        }
        meetings.clusters.sort_unstable();
        meetings
    }

    /// Sums of the meetings with every encounter counted as often as `weight` says, into `sums`.
    pub(super) fn reweighted(&self, sums: &mut Vec<Sums>, mut weight: impl FnMut() -> f64) {
        sums.clear();
        sums.resize(self.all.len(), Sums::default());
        let kinds: [Sums; Kind::COUNT] = std::array::from_fn(|kind| Kind(kind as u8).sums());
        for (meeting, kind) in &self.clusters {
            sums[*meeting as usize].add(&kinds[kind.0 as usize], weight());
        }
    }
}

fn ordered(encounter: &Encounter) -> (Player, Player) {
    let (white, black) = (encounter.white, encounter.black);
    (white.min(black), white.max(black))
}

/// Who had White first, the first score, and the second or none: all that sums need of an encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind(u8);

impl Kind {
    const COUNT: usize = 24;

    fn of(encounter: &Encounter) -> Self {
        let lower_is_white = encounter.white < encounter.black;
        let score = |score: GameScore| {
            if lower_is_white {
                score as u8
            } else {
                score.flipped() as u8
            }
        };
        let second = encounter.returned.map_or(3, score);
        Self(if lower_is_white { 0 } else { 12 } + 4 * score(encounter.score) + second)
    }

    fn sums(self) -> Sums {
        let (first, second) = (usize::from(self.0 / 12), self.0 % 4);
        let mut sums = Sums::default();
        sums.games[first] = 1.0;
        sums.points[first] = f64::from(self.0 % 12 / 4) / 2.0;
        if second < 3 {
            sums.games[1 - first] = 1.0;
            sums.points[1 - first] = f64::from(second) / 2.0;
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(white: usize, black: usize, score: GameScore, returned: Option<GameScore>) -> Encounter {
        Encounter {
            white: Player::new(white),
            black: Player::new(black),
            score,
            returned,
        }
    }

    #[test]
    fn encounters_add_up_from_the_lower_side() {
        use GameScore::{Draw, Loss, Win};
        let encounters = [
            met(3, 1, Win, Some(Draw)),
            met(1, 3, Draw, None),
            met(1, 3, Win, Some(Loss)),
            met(0, 3, Loss, None),
        ];
        let meetings = Meetings::of(encounters.iter());
        let [first, second] = meetings.all[..] else {
            panic!("{meetings:?}");
        };
        assert_eq!((first.lower, first.upper), (1, 3));
        // As White: a draw returned, a draw, a win. As Black: a loss, a loss returned.
        assert_eq!(first.sums.games, [3.0, 2.0]);
        assert_eq!(first.sums.points, [2.0, 0.0]);
        assert_eq!((second.lower, second.sums.points), (0, [0.0, 0.0]));
        assert_eq!((meetings.games, meetings.draws), (6, 2));
        let mut sums = Vec::new();
        meetings.reweighted(&mut sums, || 2.0);
        assert_eq!(sums[0].games, [6.0, 4.0]);
    }
}
