//! What a stopped sequential test measured, without the bias of having stopped where the figure looked decided.

use super::brownian::Motion;
use super::root::falling_crossing;
use super::shares::Shares;
use super::{Pentanomial, Sprt};

/// Figures this close together, in Elo, are one.
const CLOSE: f64 = 1e-11;

/// The difference in strength that the outcome of a sequential test shows.
///
/// A test stops when the pairs happen to favour one side, so the plain estimate overstates what it found. The
/// outcomes of a test can be put in order: quick fails, late fails, undecided ones by their ratio, late
/// passes, quick passes. Each figure here is the difference at which an outcome below the one observed has a
/// given chance: a half for the estimate, 97.5 % and 2.5 % for the ends of the interval (Siegmund,
/// *Estimation following sequential tests*, Biometrika 65, 1978). The ratio is taken for Brownian motion with
/// the variance the pairs show, and for a test that looked after every pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnbiasedEstimate {
    /// Median-unbiased estimate in logistic Elo, whatever the model of the test: too high as often as too low.
    pub elo: f64,
    /// Lower end of the 95 % interval, in logistic Elo.
    pub low: f64,
    /// Upper end of the 95 % interval, in logistic Elo.
    pub high: f64,
    /// Likelihood of superiority: the chance of an outcome below the one observed between equal engines.
    pub los: f64,
}

impl UnbiasedEstimate {
    /// Farthest a figure may lie from nought, in Elo; one that would lie farther is given as this.
    pub const FARTHEST: f64 = 1000.0;

    /// What the pairs of a test show, at the moment it was stopped or looked at; `None` without a pair.
    ///
    /// Pairs beyond the crossing are taken to have gone on as those before it: the time of the crossing is
    /// scaled down from them.
    #[must_use]
    pub fn of(test: &Sprt, pairs: Pentanomial) -> Option<Self> {
        (pairs.pairs() > 0).then(|| Outcome::of(test, pairs).estimate())
    }
}

/// How a ratio moves under any true score.
#[derive(Clone, Copy, Debug)]
pub(super) struct RatioMotion {
    bounds: (f64, f64),
    /// Score half way between the hypotheses.
    middle: f64,
    /// Their distance.
    width: f64,
    /// Variance of a pair's score.
    variance: f64,
}

impl RatioMotion {
    /// The course for pairs that show this spread.
    pub(super) fn of(test: &Sprt, shares: &Shares) -> Self {
        Self::with(test, shares.variance())
    }

    /// The course for pairs whose score has this variance.
    pub(super) fn with(test: &Sprt, variance: f64) -> Self {
        let (low, high) = test.scores(variance);
        Self {
            bounds: test.bounds(),
            middle: f64::midpoint(low, high),
            width: high - low,
            variance,
        }
    }

    /// Mean change of the ratio for a pair when the mean score is `score`.
    pub(super) fn drift(&self, score: f64) -> f64 {
        (score - self.middle) * self.width / self.variance
    }

    /// Variance of that change.
    pub(super) fn spread(&self) -> f64 {
        self.width * self.width / self.variance
    }

    /// The motion of the ratio from nought, in pairs, when the mean score is `score`.
    pub(super) fn motion(&self, score: f64) -> Motion {
        Motion::new(self.bounds, self.drift(score), self.spread())
    }
}

/// Where a test stands, or the bound it met and when.
struct Outcome {
    course: RatioMotion,
    time: f64,
    level: f64,
    /// The plain estimate in Elo, from where the search starts.
    plain: f64,
    /// Its standard error in Elo, the first step of the search.
    error: f64,
}

impl Outcome {
    fn of(test: &Sprt, pairs: Pentanomial) -> Self {
        let shares = Shares::of(pairs);
        let course = RatioMotion::of(test, &shares);
        let slope = course.drift(0.5 + shares.mean());
        let (lower, upper) = course.bounds;
        let ratio = shares.pairs() * slope;
        let level = ratio.clamp(lower, upper);
        let time = if level == ratio {
            shares.pairs()
        } else {
            level / slope
        };
        let (plain, error) = plain(&shares);
        Self {
            course,
            time,
            level,
            plain,
            error,
        }
    }

    fn worse_at(&self, elo: f64) -> f64 {
        let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        self.course.motion(score).worse_than(self.time, self.level)
    }

    /// The difference at which a worse outcome has this chance.
    fn elo_at(&self, chance: f64, guess: f64) -> f64 {
        let reach = 0.5 * self.error;
        let range = -UnbiasedEstimate::FARTHEST..=UnbiasedEstimate::FARTHEST;
        falling_crossing(range, guess, reach, CLOSE, |elo| {
            self.worse_at(elo) - chance
        })
    }

    fn estimate(&self) -> UnbiasedEstimate {
        let elo = self.elo_at(0.5, self.plain);
        UnbiasedEstimate {
            elo,
            low: self.elo_at(0.975, elo - 2.0 * self.error),
            high: self.elo_at(0.025, elo + 2.0 * self.error),
            los: self.worse_at(0.0),
        }
    }
}

/// The plain estimate and its standard error, kept to what a search can start with.
fn plain(shares: &Shares) -> (f64, f64) {
    let score = (0.5 + shares.mean()).clamp(0.003, 0.997);
    let elo = -400.0 * (1.0 / score - 1.0).log10();
    let slope = 400.0 / (std::f64::consts::LN_10 * score * (1.0 - score));
    let error = slope * (shares.variance() / shares.pairs()).sqrt();
    (elo, error.clamp(0.01, 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Estimate, Model};
    use proptest::prelude::*;

    fn test(model: Model) -> Sprt {
        Sprt::new(model, 0.0, 10.0, 0.05, 0.05).unwrap()
    }

    #[test]
    fn nothing_played_shows_nothing() {
        assert_eq!(
            UnbiasedEstimate::of(&test(Model::Logistic), Pentanomial::default()),
            None
        );
    }

    #[test]
    fn a_test_far_from_its_bounds_has_no_bias_to_mend() {
        let pairs = Pentanomial::new([20, 80, 200, 81, 20]);
        let plain = Estimate::of(pairs);
        let unbiased = UnbiasedEstimate::of(&test(Model::Logistic), pairs).unwrap();
        assert!((unbiased.elo - plain.elo.unwrap()).abs() < 0.05);
        assert!((unbiased.low - plain.low.unwrap()).abs() < 0.5);
    }

    #[test]
    fn a_pass_is_marked_down_and_a_fail_up() {
        let passed = Pentanomial::new([30, 190, 420, 260, 60]);
        for model in [Model::Logistic, Model::Normalized] {
            let plain = Estimate::of(passed).elo.unwrap();
            let unbiased = UnbiasedEstimate::of(&test(model), passed).unwrap();
            assert!(unbiased.elo < plain, "{model:?}: {} {plain}", unbiased.elo);
            assert!(unbiased.low < unbiased.elo && unbiased.elo < unbiased.high);
        }
    }

    proptest! {
        #[test]
        fn all_figures_are_numbers_in_order(counts in proptest::array::uniform5(0_u64..3000), nelo in any::<bool>()) {
            let model = if nelo { Model::Normalized } else { Model::Logistic };
            if let Some(got) = UnbiasedEstimate::of(&test(model), Pentanomial::new(counts)) {
                prop_assert!(got.low <= got.elo + 1e-6 && got.elo <= got.high + 1e-6, "{got:?}");
                prop_assert!((0.0..=1.0).contains(&got.los), "{got:?}");
            }
        }
    }
}
