//! What a sequential test will take, before it is played and while it is undecided.

use super::brownian::Motion;
use super::estimate::{ELO_PER_SPREAD, mean_score, variance};
use super::normal::below;
use super::steps::{self, Standing};
use super::unbiased::RatioMotion;
use super::{Correction, Design, Difference, Model, PairChances, Pentanomial, Rule, Sprt};

/// Mean overshoot of a walk with normal steps, in deviations of one: −ζ(½) / √(2π) (Siegmund, *Sequential Analysis*,
/// 1985, section 10.4).
const OVERSHOOT: f64 = 0.582_597_157_939;

/// Deviation of the ratio between two looks, as a share of the distance of the bounds, from which steps are taken
/// one by one. Smaller ones are a motion between bounds moved by [`OVERSHOOT`].
const COARSE: f64 = 0.05;

/// Stretches that a mean time is divided into where it is not summed by batches.
const STRETCHES: f64 = 500.0;

/// Units in a test's mean length from where on it is taken to end anywhere in one, so half of one is added: the error is
/// of the order of one over the square of this.
const MANY: f64 = 1000.0;

/// Less undecided than this is nothing.
const NOTHING: f64 = 1e-9;

/// Mean and variance of a pair's score, as a fraction of its two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Mean, 0 to 1.
    pub score: f64,
    /// Variance, above nought.
    pub variance: f64,
}

impl Strength {
    /// That of pairs with these chances.
    #[must_use]
    pub fn of(chances: &PairChances) -> Self {
        Self {
            score: chances.score(),
            variance: chances.variance(),
        }
    }

    /// That of pairs that were played; `None` when they show no spread.
    #[must_use]
    pub fn measured(pairs: Pentanomial) -> Option<Self> {
        let score = mean_score(pairs);
        let variance = variance(pairs, score);
        (variance > 0.0).then_some(Self { score, variance })
    }

    /// Another difference with the same spread.
    #[must_use]
    pub fn at(self, difference: Difference) -> Self {
        let score = match difference.model {
            Model::Logistic => super::logistic::score(difference.elo),
            Model::Bayesian(draws) => super::logistic::score(draws.logistic(difference.elo)),
            Model::Normalized => {
                0.5 + difference.elo / ELO_PER_SPREAD * (2.0 * self.variance).sqrt()
            }
        };
        Self { score, ..self }
    }
}

/// What to expect of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Chance to pass.
    pub passed: f64,
    /// Chance to fail.
    pub failed: f64,
    /// Chance to meet the cap undecided.
    pub inconclusive: f64,
    /// Mean number of pairs until the decision or the cap.
    pub judged: f64,
    /// Mean number of pairs played: whole batches.
    pub played: f64,
    /// Pairs played by half of all tests at most.
    pub median: f64,
    /// Pairs played by nine tests in ten at most.
    pub ninety: f64,
}

impl Forecast {
    /// What to expect of a test when pairs have this strength.
    ///
    /// The ratio is taken for Brownian motion with the drift and the variance that one pair gives it. Where looks
    /// are close its exit times are known as a series; where a step is large against the distance of the
    /// bounds, steps are taken one by one. Against simulated tests means and chances are within 2 %.
    #[must_use]
    pub fn of(design: &Design, strength: Strength) -> Self {
        Self::from(design, strength, 0.0)
    }

    /// What to expect of a test that stands at this ratio, from here on; between the bounds.
    #[must_use]
    pub fn from(design: &Design, strength: Strength, llr: f64) -> Self {
        let (lower, upper) = design.test.bounds();
        let bounds = (lower - llr, upper - llr);
        let course = RatioMotion::with(&design.test, strength.variance);
        let (drift, spread) = (course.drift(strength.score), course.spread());
        let look = match (design.batch, design.rule) {
            (Some(batch), Rule::Totals) => batch.get(),
            (Some(_), Rule::Ordered) | (None, _) => design.look.get(),
        } as f64;
        let deviation = (spread * look).sqrt();
        let moved = match design.correction {
            Correction::Off => 0.0,
            Correction::Dynamic => OVERSHOOT * deviation,
        };
        if deviation > COARSE * (upper - lower) {
            let bounds = (bounds.0 + moved, bounds.1 - moved);
            let most = design
                .cap
                .map(|cap| (cap.get() as f64 / look).ceil() as usize);
            let standings = steps::walk(bounds, drift * look, deviation, most);
            return Stepped { standings, look }.forecast(design);
        }
        let out = OVERSHOOT * deviation - moved;
        let motion = Motion::new((bounds.0 - out, bounds.1 + out), drift, spread);
        Smooth(motion).forecast(design)
    }
}

/// The unit that is played whole.
fn unit(design: &Design) -> Option<f64> {
    design.batch.map(|batch| batch.get() as f64)
}

/// Pairs at which a capped test ends: a whole number of batches, or looks.
fn end(design: &Design) -> Option<f64> {
    let unit = unit(design).unwrap_or(design.look.get() as f64);
    design
        .cap
        .map(|cap| (cap.get() as f64 / unit).ceil() * unit)
}

/// A walk that was followed look by look.
struct Stepped {
    standings: Vec<Standing>,
    look: f64,
}

impl Stepped {
    fn forecast(&self, design: &Design) -> Forecast {
        let unit = unit(design).unwrap_or(self.look);
        let last = *self.standings.last().expect("there is a first look");
        // The chance to be undecided before look number k.
        let before = |k: usize| {
            if k == 0 {
                1.0
            } else {
                self.standings[k - 1].undecided()
            }
        };
        let looks: f64 = (0..self.standings.len()).map(before).sum();
        let whole = |looks: f64| (looks * self.look / unit - 1e-9).ceil() * unit;
        let every = (unit / self.look).round().max(1.0) as usize;
        let batches: f64 = (0..self.standings.len()).step_by(every).map(before).sum();
        let quantile = |left: f64| {
            let at = self
                .standings
                .iter()
                .position(|standing| standing.undecided() <= left);
            whole(at.map_or(self.standings.len(), |at| at + 1) as f64)
        };
        Forecast {
            passed: last.passed,
            failed: last.failed,
            inconclusive: if design.cap.is_some() {
                last.undecided()
            } else {
                0.0
            },
            judged: looks * self.look,
            played: batches * unit,
            median: quantile(0.5),
            ninety: quantile(0.1),
        }
    }
}

/// A walk of small steps.
struct Smooth(Motion);

impl Smooth {
    fn forecast(&self, design: &Design) -> Forecast {
        let motion = &self.0;
        let (unit, end) = (unit(design), end(design));
        let failed_by = |time: f64| motion.worse_than(time, f64::NEG_INFINITY);
        let (inconclusive, failed) = match end {
            Some(end) => (motion.undecided(end), failed_by(end)),
            None => (0.0, motion.fails()),
        };
        let judged = end.map_or_else(|| motion.mean_time(), |end| self.mean_until(end));
        let quantile = |share: f64| {
            let pairs = motion.quantile(share);
            let whole = unit.map_or(pairs, |unit| (pairs / unit).ceil() * unit);
            end.map_or(whole, |end| whole.min(end))
        };
        Forecast {
            passed: 1.0 - failed - inconclusive,
            failed,
            inconclusive,
            judged,
            played: match unit {
                Some(unit) if judged > MANY * unit => judged + 0.5 * unit * (1.0 - inconclusive),
                Some(unit) => self.whole(unit, end),
                None => judged,
            },
            median: quantile(0.5),
            ninety: quantile(0.9),
        }
    }

    /// Mean time until a bound or `end`, by Simpson's rule over what is undecided.
    fn mean_until(&self, end: f64) -> f64 {
        let mean = self.0.mean_time();
        let far = self.0.quantile(1.0 - NOTHING).min(end);
        let half = (far / mean * STRETCHES)
            .ceil()
            .clamp(STRETCHES, 20.0 * STRETCHES) as u32;
        let step = far / f64::from(2 * half);
        let at = |i: u32| self.0.undecided(f64::from(i) * step);
        let inner: f64 = (0..half)
            .map(|i| 4.0 * at(2 * i + 1) + 2.0 * at(2 * i))
            .sum();
        (inner - at(0) + at(2 * half)) * step / 3.0
    }

    /// Mean time rounded up to whole units, and cut at `end`.
    fn whole(&self, unit: f64, end: Option<f64>) -> f64 {
        let mut sum = 0.0;
        let mut time = 0.0;
        while end.is_none_or(|end| time < end) {
            let undecided = self.0.undecided(time);
            if undecided < NOTHING {
                break;
            }
            sum += undecided * unit;
            time += unit;
        }
        sum
    }
}

/// The chance that a test which stands at this ratio is decided by its next so many pairs.
#[must_use]
pub fn settles(test: &Sprt, rule: Rule, strength: Strength, llr: f64, pairs: u64) -> f64 {
    let (lower, upper) = test.bounds();
    let course = RatioMotion::with(test, strength.variance);
    let (drift, spread) = (course.drift(strength.score), course.spread());
    let pairs = pairs as f64;
    match rule {
        Rule::Ordered => {
            let motion = Motion::new((lower - llr, upper - llr), drift, spread);
            1.0 - motion.undecided(pairs)
        }
        Rule::Totals => {
            let deviation = (spread * pairs).sqrt();
            let then = llr + drift * pairs;
            below((then - upper) / deviation) + below((lower - then) / deviation)
        }
    }
}

/// Widest test looked for, in Elo.
const WIDEST: f64 = 99.0;

/// How far above the design's `elo0` an `elo1` has to lie for a test to keep within so many pairs at the true
/// difference that takes longest, which is near the middle. `measure` says which length counts: the mean, or that
/// of nine tests in ten.
///
/// The spread of pair scores is that of `strength`, and the lengths are those until the decision. `None` when no test within
/// reach is so short.
#[must_use]
pub fn tightest(
    design: &Design,
    strength: Strength,
    pairs: f64,
    measure: fn(&Forecast) -> f64,
) -> Option<f64> {
    let test = &design.test;
    let (model, elo0) = (test.model(), test.elo0());
    let length = |width: f64| {
        let test = Sprt::new(model, elo0, elo0 + width, test.alpha(), test.beta()).ok()?;
        let uncut = Design {
            test,
            batch: None,
            cap: None,
            ..*design
        };
        let elo = elo0 + width / 2.0;
        Some(measure(&Forecast::of(
            &uncut,
            strength.at(Difference { model, elo }),
        )))
    };
    let fits = |width: f64| length(width).is_some_and(|length| length <= pairs);
    let (mut low, mut high) = (1e-3, WIDEST.min(model.cap() - elo0));
    if !fits(high) {
        return None;
    }
    for _ in 0..40 {
        let middle = (low * high).sqrt();
        if fits(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// Half width of the 95 % interval of a match of so many pairs between equal engines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedMatch {
    /// In logistic Elo.
    pub elo: f64,
    /// In normalized Elo.
    pub nelo: f64,
}

impl FixedMatch {
    /// For pairs whose score has this variance.
    #[must_use]
    pub fn of(pairs: f64, variance: f64) -> Self {
        let nelo = 1.96 * ELO_PER_SPREAD / (2.0 * pairs).sqrt();
        Self {
            elo: nelo * 2.0 * (2.0 * variance).sqrt(),
            nelo,
        }
    }
}
