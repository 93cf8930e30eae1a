//! The likeliest ratings and White advantage.
//!
//! A game's score is expected to be `1 / (1 + e^−x)`, `x` the difference on the natural scale, with the advantage of having White
//! added. A draw is half a win and half a loss. So the likelihood is that of a logistic regression and has one maximum.

use super::super::expectation::{ELO_PER_UNIT, drawn};
use super::matrix::{Cholesky, Matrix};
use super::meetings::{Meeting, Meetings, Sums};
use crate::stats::root::falling_crossing;

/// Newton steps after which a fit is given up: White's advantage then has no likeliest value.
const MOST_STEPS: usize = 100;

/// Steps smaller than this, on the natural scale, are the end of it: the next one would be of the order of their square.
const CLOSE: f64 = 1e-8;

/// A White advantage beyond this many Elo is taken for one without end.
const MOST_WHITE: f64 = 1200.0;

/// Which ratings are free to move.
#[derive(Clone, Debug)]
pub(super) struct Unknowns {
    /// For every engine its place among the unknowns; `None` when its rating is fixed.
    place: Vec<Option<u32>>,
    count: usize,
    white: bool,
}

/// Ratings and White advantage on the natural scale.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strengths {
    pub(super) engines: Vec<f64>,
    pub(super) white: f64,
}

/// There is no likeliest White advantage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoWhite;

impl Unknowns {
    pub(super) fn new(free: &[bool], white: bool) -> Self {
        let mut count = 0;
        let place = free.iter().map(|free| {
            free.then(|| {
                count += 1;
                count - 1
            })
        });
        let place = place.collect();
        let count = count as usize;
        Self {
            place,
            count,
            white,
        }
    }

    pub(super) const fn white(&self) -> bool {
        self.white
    }

    /// The same without White's advantage.
    pub(super) fn without_white(&self) -> Self {
        Self {
            white: false,
            ..self.clone()
        }
    }

    pub(super) fn place(&self, engine: usize) -> Option<usize> {
        self.place[engine].map(|place| place as usize)
    }

    /// White's place comes behind all engines.
    pub(super) fn white_place(&self) -> Option<usize> {
        self.white.then_some(self.count)
    }

    pub(super) fn size(&self) -> usize {
        self.count + usize::from(self.white)
    }

    /// The engines' places of a meeting, and the sign with which White's advantage comes in for each colour of the lower.
    fn signs(&self, meeting: &Meeting) -> ([Option<usize>; 2], [f64; 2]) {
        let places = [meeting.lower, meeting.upper].map(|engine| self.place(engine as usize));
        (places, [1.0, -1.0])
    }

    /// The greatest change that a step makes to a difference between two that met, with White's advantage for either.
    fn reach(&self, meetings: &[Meeting], step: &[f64]) -> f64 {
        let of = |engine: u32| self.place(engine as usize).map_or(0.0, |place| step[place]);
        let white = self.white_place().map_or(0.0, |place| step[place].abs());
        let apart = meetings
            .iter()
            .map(|met| (of(met.lower) - of(met.upper)).abs());
        apart.fold(0.0, f64::max) + white
    }

    fn moved(&self, from: &Strengths, step: &[f64], share: f64) -> Strengths {
        let mut to = from.clone();
        for (strength, place) in to.engines.iter_mut().zip(&self.place) {
            if let Some(place) = place {
                *strength += share * step[*place as usize];
            }
        }
        if self.white {
            to.white += share * step[self.count];
        }
        to
    }
}

/// Expected points a game of the lower engine, with White and with Black.
pub(super) fn expected(meeting: &Meeting, powers: &[f64], white: f64) -> [f64; 2] {
    let (lower, upper) = (
        powers[meeting.lower as usize],
        powers[meeting.upper as usize],
    );
    [
        lower * white / (lower * white + upper),
        lower / (lower + upper * white),
    ]
}

/// The exponentials of the strengths, and of White's advantage.
pub(super) fn powers(strengths: &Strengths) -> (Vec<f64>, f64) {
    let engines = strengths.engines.iter().map(|strength| strength.exp());
    (engines.collect(), strengths.white.exp())
}

/// Derivative of the log likelihood by every unknown.
fn slope(
    unknowns: &Unknowns,
    meetings: &[Meeting],
    sums: &[Sums],
    strengths: &Strengths,
    slope: &mut Vec<f64>,
) {
    let (powers, white) = powers(strengths);
    let mut of_engines = vec![0.0; powers.len()];
    let mut of_white = 0.0;
    let mut sums = sums;
    for own in meetings.chunk_by(|one, other| one.lower == other.lower) {
        let (own_sums, rest) = sums.split_at(own.len());
        sums = rest;
        let off = off(own, own_sums, &powers, white, &mut of_engines);
        of_engines[own[0].lower as usize] += off[0] + off[1];
        of_white += off[0] - off[1];
    }
    slope.clear();
    slope.resize(unknowns.size(), 0.0);
    for (place, off) in unknowns.place.iter().zip(of_engines) {
        if let Some(place) = place {
            slope[*place as usize] = off;
        }
    }
    if let Some(place) = unknowns.white_place() {
        slope[place] = of_white;
    }
}

/// Points beyond those expected in all meetings of one lower engine, with White and with Black; taken from what the upper ones
/// have in `of_engines`.
fn off(
    meetings: &[Meeting],
    sums: &[Sums],
    powers: &[f64],
    white: f64,
    of_engines: &mut [f64],
) -> [f64; 2] {
    let mut all = [0.0; 2];
    for (meeting, sums) in meetings.iter().zip(sums) {
        let expected = expected(meeting, powers, white);
        let off = [0, 1].map(|at| sums.points[at] - sums.games[at] * expected[at]);
        all = [0, 1].map(|at| all[at] + off[at]);
        of_engines[meeting.upper as usize] -= off[0] + off[1];
    }
    all
}

/// Minus the second derivatives of the log likelihood with `spread` the variance of one game, by its expected score.
pub(super) fn curvature(
    unknowns: &Unknowns,
    meetings: &[Meeting],
    sums: &[Sums],
    strengths: &Strengths,
    spread: impl Fn(f64) -> f64,
) -> Matrix {
    let (powers, white) = powers(strengths);
    let mut matrix = Matrix::zero(unknowns.size());
    for (meeting, sums) in meetings.iter().zip(sums) {
        let expected = expected(meeting, &powers, white);
        let of = [0, 1].map(|colour| sums.games[colour] * spread(expected[colour]));
        let (places, signs) = unknowns.signs(meeting);
        let both = of[0] + of[1];
        let aside = of[0] * signs[0] + of[1] * signs[1];
        for (place, sign) in places.into_iter().zip([1.0, -1.0]) {
            let Some(place) = place else { continue };
            matrix.add(place, place, both);
            if let Some(white) = unknowns.white_place() {
                matrix.add(white, place, sign * aside);
                matrix.add(place, white, sign * aside);
            }
        }
        if let [Some(lower), Some(upper)] = places {
            matrix.add(lower, upper, -both);
            matrix.add(upper, lower, -both);
        }
        if let Some(white) = unknowns.white_place() {
            matrix.add(white, white, both);
        }
    }
    matrix
}

/// The variance of a game without draws.
pub(super) fn decided(expected: f64) -> f64 {
    expected * (1.0 - expected)
}

/// Climbs to the likeliest strengths from `start`, with Newton's method.
///
/// Steps are shortened to `ln(1 + D)/D`, `D` the greatest change of a difference that was played, which never overshoots on a
/// logistic likelihood (Bach, *Self-concordant analysis for logistic regression*, Electronic Journal of Statistics 4, 2010).
pub(super) fn likeliest(
    unknowns: &Unknowns,
    meetings: &[Meeting],
    sums: &[Sums],
    start: &Strengths,
) -> Result<Strengths, NoWhite> {
    let mut strengths = start.clone();
    let mut step = Vec::new();
    for _ in 0..MOST_STEPS {
        slope(unknowns, meetings, sums, &strengths, &mut step);
        let matrix = curvature(unknowns, meetings, sums, &strengths, decided);
        let Ok(factor) = Cholesky::of(matrix) else {
            return Err(NoWhite);
        };
        factor.solve(&mut step);
        let furthest = furthest(&step);
        let reach = unknowns.reach(meetings, &step);
        strengths = unknowns.moved(
            &strengths,
            &step,
            if reach > 0.0 {
                reach.ln_1p() / reach
            } else {
                1.0
            },
        );
        if strengths.white.abs() > MOST_WHITE / ELO_PER_UNIT && unknowns.white() {
            return Err(NoWhite);
        }
        if furthest < CLOSE {
            break;
        }
    }
    Ok(strengths)
}

/// Climbs from nearby with the curvature found there, which costs a hundredth of a Newton step; `None` when it does not arrive
/// within `close`.
///
/// Each step is about the same share of the one before, which tells how much all further ones would add.
pub(super) fn nearby(
    unknowns: &Unknowns,
    meetings: &[Meeting],
    sums: &[Sums],
    start: &Strengths,
    factor: &Cholesky,
    close: f64,
) -> Option<Strengths> {
    let mut strengths = start.clone();
    let mut step = Vec::new();
    let mut before = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        slope(unknowns, meetings, sums, &strengths, &mut step);
        factor.solve(&mut step);
        let furthest = furthest(&step);
        // Steps that shrink slowly or not at all are better made by Newton.
        if furthest.is_nan() || furthest > 0.7 * before {
            return None;
        }
        strengths = unknowns.moved(&strengths, &step, 1.0);
        let share = if before.is_finite() {
            furthest / before
        } else {
            1.0
        };
        if furthest * share.max(0.1) < close * (1.0 - share).max(0.1) {
            return Some(strengths);
        }
        before = furthest;
    }
    None
}

fn furthest(step: &[f64]) -> f64 {
    step.iter().fold(0.0, |most: f64, part| {
        if part.is_nan() {
            f64::NAN
        } else {
            most.max(part.abs())
        }
    })
}

/// How many of all games between equal engines are drawn, if as many draws as there were are to be expected.
pub(super) fn draw_rate(meetings: &Meetings, strengths: &Strengths) -> f64 {
    let (powers, white) = powers(strengths);
    let expected: Vec<([f64; 2], [f64; 2])> = meetings
        .all
        .iter()
        .zip(&meetings.sums)
        .map(|(meeting, sums)| (expected(meeting, &powers, white), sums.games))
        .collect();
    if meetings.draws == 0 {
        return 0.0;
    }
    let guess = meetings.draws as f64 / meetings.games as f64;
    falling_crossing(0.0..=1.0, guess, 0.05, 1e-12, |level| {
        let of = |(scores, games): &([f64; 2], [f64; 2])| {
            games[0] * drawn(scores[0], level) + games[1] * drawn(scores[1], level)
        };
        let expected: f64 = expected.iter().map(of).sum();
        meetings.draws as f64 - expected
    })
}
