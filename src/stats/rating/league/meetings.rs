//! Encounters added up by who met whom.

use super::super::Encounter;
use crate::stats::GameScore;

/// Two engines that met, which are told from the one with the lower number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meeting {
    pub(super) lower: u32,
    pub(super) upper: u32,
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

/// Encounters by meeting, in the order of the lower engine and then of the upper one.
#[derive(Clone, Debug, Default)]
pub(super) struct Meetings {
    pub(super) all: Vec<Meeting>,
    /// By meeting.
    pub(super) sums: Vec<Sums>,
    /// Every encounter: its meeting, and what kind it is of. In the order of meetings.
    clusters: Vec<(u32, Kind)>,
    pub(super) draws: u64,
    pub(super) games: u64,
}

impl Meetings {
    pub(super) fn of<'e>(encounters: impl Iterator<Item = &'e Encounter>) -> Self {
        let mut met: Vec<(Meeting, Kind)> = encounters
            .map(|encounter| (Meeting::of(encounter), Kind::of(encounter)))
            .collect();
        met.sort_unstable_by_key(|(meeting, kind)| (meeting.lower, meeting.upper, *kind));
        Self::of_sorted(met.into_iter())
    }

    /// The meetings of some engines only.
    pub(super) fn only(&self, keep: impl Fn(&Meeting) -> bool) -> Self {
        let met = self.clusters.iter();
        let met = met.map(|(meeting, kind)| (self.all[*meeting as usize], *kind));
        Self::of_sorted(met.filter(|(meeting, _)| keep(meeting)))
    }

    fn of_sorted(met: impl Iterator<Item = (Meeting, Kind)>) -> Self {
        let mut meetings = Self::default();
        for (meeting, kind) in met {
            if meetings.all.last() != Some(&meeting) {
                meetings.all.push(meeting);
                meetings.sums.push(Sums::default());
            }
            let last = meetings.all.len() - 1;
            meetings.sums[last].add(&kind.sums(), 1.0);
            meetings.clusters.push((last as u32, kind));
            for score in kind.scores() {
                meetings.games += 1;
                meetings.draws += u64::from(score == GameScore::Draw as u8);
            }
        }
        meetings
    }

    /// How many weights [`Self::reweighted`] takes.
    pub(super) const fn encounters(&self) -> usize {
        self.clusters.len()
    }

    /// Sums of the meetings with every encounter counted as often as its weight says, into `sums`.
    pub(super) fn reweighted(&self, sums: &mut Vec<Sums>, weights: impl Iterator<Item = f64>) {
        sums.clear();
        sums.resize(self.all.len(), Sums::default());
        let kinds: [Sums; Kind::COUNT] = std::array::from_fn(|kind| Kind(kind as u8).sums());
        for ((meeting, kind), weight) in self.clusters.iter().zip(weights) {
            sums[*meeting as usize].add(&kinds[kind.0 as usize], weight);
        }
    }
}

impl Meeting {
    fn of(encounter: &Encounter) -> Self {
        let (white, black) = (encounter.white.place(), encounter.black.place());
        Self {
            lower: white.min(black) as u32,
            upper: white.max(black) as u32,
        }
    }
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

    /// The lower engine's scores, as half points.
    fn scores(self) -> impl Iterator<Item = u8> {
        let (first, second) = (self.0 % 12 / 4, self.0 % 4);
        [first, second].into_iter().filter(|score| *score < 3)
    }

    fn sums(self) -> Sums {
        let first = usize::from(self.0 / 12);
        let mut sums = Sums::default();
        for (colour, score) in [first, 1 - first].into_iter().zip(self.scores()) {
            sums.games[colour] = 1.0;
            sums.points[colour] = f64::from(score) / 2.0;
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Player;
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
        let ends: Vec<(u32, u32)> = meetings.all.iter().map(|at| (at.lower, at.upper)).collect();
        assert_eq!(ends, [(0, 3), (1, 3)]);
        let [first, second] = meetings.sums[..] else {
            panic!("{meetings:?}");
        };
        assert_eq!((first.games, first.points), ([1.0, 0.0], [0.0, 0.0]));
        // As White: a draw returned, a draw, a win. As Black: a loss, a loss returned.
        assert_eq!(second.games, [3.0, 2.0]);
        assert_eq!(second.points, [2.0, 0.0]);
        assert_eq!((meetings.games, meetings.draws), (6, 2));
        let mut sums = Vec::new();
        meetings.reweighted(&mut sums, std::iter::repeat_n(2.0, meetings.encounters()));
        assert_eq!(sums[1].games, [6.0, 4.0]);
    }

    #[test]
    fn meetings_of_some_engines_are_those_of_their_encounters() {
        use GameScore::{Draw, Loss, Win};
        let encounters = [
            met(2, 1, Win, Some(Draw)),
            met(0, 2, Draw, None),
            met(1, 2, Win, Some(Loss)),
            met(0, 1, Draw, Some(Draw)),
        ];
        let only = Meetings::of(encounters.iter()).only(|meeting| meeting.upper == 2);
        let alone = Meetings::of(encounters[..3].iter());
        assert_eq!((only.all, only.sums), (alone.all, alone.sums));
        assert_eq!((only.games, only.draws), (5, 2));
        assert_eq!(only.clusters, alone.clusters);
    }
}
