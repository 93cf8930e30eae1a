//! Sequential tests of one strength difference against another.

use super::shares::Shares;
use super::{DrawElo, Pentanomial, Trinomial, logistic, normalized};

/// What the hypotheses of a test are differences in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// Elo: about the mean pair score alone.
    Logistic,
    /// Normalized Elo: about the mean pair score in units of its own spread.
    Normalized,
    /// BayesElo: about the mean pair score that it comes to at this draw Elo. [`Sprt::for_games`] takes the draw Elo from
    /// the games.
    Bayesian(DrawElo),
}

impl Model {
    /// Largest difference, either way, that a hypothesis may be about.
    #[must_use]
    pub const fn cap(self) -> f64 {
        match self {
            Self::Logistic | Self::Bayesian(_) => 1000.0,
            Self::Normalized => 100.0,
        }
    }
}

/// What the pairs so far decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Stop: the pairs favour the larger difference, H1.
    Passed,
    /// Stop: the pairs favour the smaller difference, H0.
    Failed,
    /// Play on.
    Inconclusive,
}

/// One of a test's two error rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorRate {
    /// Chance of passing although H0 holds.
    Alpha,
    /// Chance of failing although H1 holds.
    Beta,
}

impl ErrorRate {
    /// The name its argument goes by: `alpha` or `beta`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Beta => "beta",
        }
    }
}

/// One of a test's two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hypothesis {
    /// The smaller difference.
    H0,
    /// The larger difference.
    H1,
}

impl Hypothesis {
    /// The name its argument goes by: `elo0` or `elo1`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::H0 => "elo0",
            Self::H1 => "elo1",
        }
    }
}

/// Why figures do not make a test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidSprt {
    /// An error rate that is not strictly between 0 and 0.5, or is not a number.
    #[error("{} is between 0 and 0.5, not {value}", rate.name())]
    ErrorRate {
        /// Which rate.
        rate: ErrorRate,
        /// What it was given as.
        value: f64,
    },
    /// A hypothesis that is not a number or is beyond the model's cap.
    #[error("{} is an elo difference, so it is between -{cap} and {cap}", hypothesis.name())]
    Difference {
        /// Which hypothesis.
        hypothesis: Hypothesis,
        /// What it was given as.
        value: f64,
        /// [`Model::cap`] of the test's model; the cap itself is allowed.
        cap: f64,
    },
    /// Hypotheses that are equal or the wrong way round.
    #[error("elo0 {elo0} is not below elo1 {elo1}")]
    Order {
        /// What H0 was given as.
        elo0: f64,
        /// What H1 was given as.
        elo1: f64,
    },
}

/// No distribution of pair scores was found that meets a hypothesis, so there is no ratio to give.
///
/// Within [`Model::cap`] there always is one, and the search for the likeliest ends in a proof. But beyond
/// some 10¹⁵ pairs doubles no longer hold the weight of an unseen score, and then it is better to say so
/// than to give a number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the sequential test cannot be fitted to these pairs: no distribution is {t} of its spread above a half"
)]
pub struct Unfittable {
    /// Distance of the mean pair score from a half, in standard deviations, that the hypothesis asks for.
    pub t: f64,
}

/// A test of H1, a difference of `elo1`, against H0, one of `elo0`.
///
/// Wald's sequential probability ratio test (*Sequential Tests of Statistical Hypotheses*, 1945) with the
/// generalized likelihood ratio over pairs: each hypothesis fixes one figure of the distribution of pair
/// scores, and is given the likeliest distribution that agrees with it (Van den Bergh, *The Generalized
/// Maximum Likelihood Ratio for the Expectation Value of a Distribution* and *Comments on Normalized Elo*).
/// The pairs that decide are those of the whole test, of every batch.
///
/// ```
/// use mache::stats::{Model, Pentanomial, Sprt, Verdict};
///
/// let test = Sprt::new(Model::Logistic, 0.0, 10.0, 0.05, 0.05)?;
/// let llr = test.llr(Pentanomial::new([2, 3, 14, 3, 8]))?;
/// assert_eq!(format!("{llr:.2}"), "0.44");
/// assert_eq!(test.verdict(llr), Verdict::Inconclusive);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    model: Model,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// A test with these hypotheses, in Elo or normalized Elo, and these chances of a wrong pass (`alpha`) and
    /// of a wrong fail (`beta`).
    ///
    /// # Errors
    ///
    /// In this order: a rate that is not strictly between 0 and 0.5, a hypothesis beyond the model's cap,
    /// `elo0` not below `elo1`. What is not a number is refused like what is too large.
    pub fn new(
        model: Model,
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
    ) -> Result<Self, InvalidSprt> {
        for (rate, value) in [(ErrorRate::Alpha, alpha), (ErrorRate::Beta, beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(InvalidSprt::ErrorRate { rate, value });
            }
        }
        let cap = model.cap();
        for (hypothesis, value) in [(Hypothesis::H0, elo0), (Hypothesis::H1, elo1)] {
            if value.is_nan() || value.abs() > cap {
                return Err(InvalidSprt::Difference {
                    hypothesis,
                    value,
                    cap,
                });
            }
        }
        if elo0 >= elo1 {
            return Err(InvalidSprt::Order { elo0, elo1 });
        }
        Ok(Self {
            model,
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// The same test of games such as these: one of BayesElo has their draw Elo, any other is as it was.
    #[must_use]
    pub fn for_games(self, games: Trinomial) -> Self {
        let model = match self.model {
            Model::Bayesian(_) => Model::Bayesian(DrawElo::of(games)),
            Model::Logistic | Model::Normalized => self.model,
        };
        Self { model, ..self }
    }

    /// What the hypotheses are differences in.
    #[must_use]
    pub const fn model(&self) -> Model {
        self.model
    }

    /// The difference under H0, in the model's Elo.
    #[must_use]
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The difference under H1, in the model's Elo.
    #[must_use]
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Chance of passing although H0 holds.
    #[must_use]
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Chance of failing although H1 holds.
    #[must_use]
    pub const fn beta(&self) -> f64 {
        self.beta
    }

    /// Wald's bounds on the log likelihood ratio, `ln(β/(1−α))` and `ln((1−β)/α)`: below nought and above.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The generalized log likelihood ratio of H1 over H0, for all pairs of the test.
    ///
    /// Positive when the pairs favour H1, exactly nought without a pair. A pair score that never came up counts
    /// as a thousandth of a pair. The error is about 10⁻¹⁶ of either hypothesis's log likelihood, however
    /// lopsided the pairs.
    ///
    /// # Errors
    ///
    /// [`Unfittable`] when the fit misses its hypothesis, which takes more than 10¹⁵ pairs.
    pub fn llr(&self, pairs: Pentanomial) -> Result<f64, Unfittable> {
        if pairs == Pentanomial::default() {
            return Ok(0.0);
        }
        let shares = Shares::of(pairs);
        Ok(shares.pairs() * (self.cost(&shares, self.elo0)? - self.cost(&shares, self.elo1)?))
    }

    fn cost(&self, shares: &Shares, elo: f64) -> Result<f64, Unfittable> {
        match self.model {
            Model::Logistic => Ok(logistic::cost(shares, elo)),
            Model::Bayesian(draws) => Ok(logistic::cost(shares, draws.logistic(elo))),
            Model::Normalized => {
                let t = normalized::t_value(elo);
                normalized::cost(shares, t).ok_or(Unfittable { t })
            }
        }
    }

    /// The mean pair score under each hypothesis, for pairs whose score has this variance.
    pub(super) fn scores(&self, variance: f64) -> (f64, f64) {
        let score = |elo: f64| match self.model {
            Model::Logistic => logistic::score(elo),
            Model::Bayesian(draws) => logistic::score(draws.logistic(elo)),
            Model::Normalized => 0.5 + normalized::t_value(elo) * variance.sqrt(),
        };
        (score(self.elo0), score(self.elo1))
    }

    /// What a ratio decides: reaching a bound is enough.
    #[must_use]
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Verdict::Passed
        } else if llr <= lower {
            Verdict::Failed
        } else {
            Verdict::Inconclusive
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn test(model: Model, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("a valid test")
    }

    fn llr(model: Model, elo0: f64, elo1: f64, counts: [u64; 5]) -> f64 {
        test(model, elo0, elo1)
            .llr(Pentanomial::new(counts))
            .expect("all counts can be fitted")
    }

    #[test]
    fn rates_are_refused_first() {
        for value in [0.0, -0.1, 0.5, 0.9, f64::NAN, f64::INFINITY] {
            let refused = Sprt::new(Model::Logistic, 10.0, 0.0, value, 0.05).expect_err("no rate");
            assert!(matches!(
                refused,
                InvalidSprt::ErrorRate {
                    rate: ErrorRate::Alpha,
                    ..
                }
            ));
            let refused = Sprt::new(Model::Logistic, 10.0, 0.0, 0.05, value).expect_err("no rate");
            assert!(matches!(
                refused,
                InvalidSprt::ErrorRate {
                    rate: ErrorRate::Beta,
                    ..
                }
            ));
        }
    }

    #[test]
    fn hypotheses_are_refused_beyond_the_cap_and_not_at_it() {
        for (model, cap) in [(Model::Logistic, 1000.0), (Model::Normalized, 100.0)] {
            assert!(Sprt::new(model, -cap, cap, 0.05, 0.05).is_ok());
            for value in [
                cap * 1.001,
                -cap * 1.001,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
            ] {
                let refused = Sprt::new(model, value, 0.0, 0.05, 0.05).expect_err("no difference");
                assert!(matches!(
                    refused,
                    InvalidSprt::Difference {
                        hypothesis: Hypothesis::H0,
                        ..
                    }
                ));
                let refused = Sprt::new(model, 0.0, value, 0.05, 0.05).expect_err("no difference");
                assert!(matches!(
                    refused,
                    InvalidSprt::Difference {
                        hypothesis: Hypothesis::H1,
                        ..
                    }
                ));
            }
        }
    }

    #[test]
    fn messages() {
        let message = |model, elo0, elo1, alpha| {
            Sprt::new(model, elo0, elo1, alpha, 0.05)
                .expect_err("not a test")
                .to_string()
        };
        insta::assert_snapshot!(message(Model::Logistic, 0.0, 5.0, 0.5), @"alpha is between 0 and 0.5, not 0.5");
        insta::assert_snapshot!(
            message(Model::Normalized, 0.0, 101.0, 0.05),
            @"elo1 is an elo difference, so it is between -100 and 100"
        );
        insta::assert_snapshot!(message(Model::Logistic, 10.0, 0.0, 0.05), @"elo0 10 is not below elo1 0");
        insta::assert_snapshot!(
            Unfittable { t: 0.5 },
            @"the sequential test cannot be fitted to these pairs: no distribution is 0.5 of its spread above a half"
        );
    }

    #[test]
    fn bounds_are_walds() {
        let bounds = |alpha, beta| {
            let (lower, upper) = Sprt::new(Model::Logistic, 0.0, 10.0, alpha, beta)
                .expect("a valid test")
                .bounds();
            format!("{lower:.2} {upper:.2}")
        };
        assert_eq!(bounds(0.05, 0.05), "-2.94 2.94");
        assert_eq!(bounds(0.01, 0.01), "-4.60 4.60");
        assert_eq!(bounds(0.2, 0.01), "-4.38 1.60");
    }

    #[test]
    fn reaching_a_bound_decides() {
        let test = test(Model::Logistic, 0.0, 10.0);
        let (lower, upper) = test.bounds();
        assert_eq!(test.verdict(upper), Verdict::Passed);
        assert_eq!(test.verdict(upper.next_down()), Verdict::Inconclusive);
        assert_eq!(test.verdict(lower.next_up()), Verdict::Inconclusive);
        assert_eq!(test.verdict(lower), Verdict::Failed);
    }

    #[test]
    fn no_pair_is_no_evidence() {
        for model in [Model::Logistic, Model::Normalized] {
            assert_eq!(llr(model, 0.0, 10.0, [0; 5]), 0.0);
            assert!(llr(model, 0.0, 10.0, [0, 0, 4, 0, 0]) < 0.0);
            assert!(llr(model, 0.0, 10.0, [0, 0, 0, 0, 4]) > 0.0);
        }
    }

    #[test]
    fn the_ratio_of_a_pool_is_not_the_sum_of_ratios() {
        let parts = [[10, 0, 0, 0, 10], [0, 0, 20, 0, 0]]
            .map(|counts| llr(Model::Logistic, 0.0, 10.0, counts));
        let pool = llr(Model::Logistic, 0.0, 10.0, [10, 0, 20, 0, 10]);
        assert!((pool - parts[0] - parts[1]).abs() > 0.5);
    }

    fn counts(range: std::ops::Range<u64>) -> impl Strategy<Value = [u64; 5]> {
        prop::array::uniform5(range)
    }

    proptest! {
        #[test]
        fn flipping_negates_the_ratio(
            counts in counts(0..2000), elo0 in -100.0..99.0_f64, part in 0.001..1.0_f64,
        ) {
            let elo1 = elo0 + part * (100.0 - elo0);
            for model in [Model::Logistic, Model::Normalized] {
                let [ll, ld, even, wd, ww] = counts;
                let mirrored = llr(model, -elo1, -elo0, [ww, wd, even, ld, ll]);
                prop_assert_eq!(llr(model, elo0, elo1, counts), -mirrored);
            }
        }

        // Both fits give a score its share over a line in the score; their quotient is monotone in the score,
        // and rising because the mean under H1 is the larger. It is what one more pair adds to the ratio.
        #[test]
        fn a_better_pair_raises_the_logistic_ratio(
            counts in counts(1..500), score in 0_usize..4, elo0 in -300.0..300.0, width in 0.1..300.0,
        ) {
            let mut worse = counts;
            worse[score] += 1;
            let mut better = counts;
            better[score + 1] += 1;
            let of = |counts| llr(Model::Logistic, elo0, elo0 + width, counts);
            prop_assert!(of(better) > of(worse));
        }

        #[test]
        fn ratios_of_touching_tests_add_up(
            counts in counts(0..2000), elo in prop::array::uniform3(-100.0..100.0),
        ) {
            let mut elo = elo;
            elo.sort_by(f64::total_cmp);
            let [low, middle, high] = elo;
            prop_assume!(low < middle && middle < high);
            for model in [Model::Logistic, Model::Normalized] {
                let parts = llr(model, low, middle, counts) + llr(model, middle, high, counts);
                let whole = llr(model, low, high, counts);
                prop_assert!((whole - parts).abs() < 1e-9 * (1.0 + parts.abs()));
            }
        }
    }
}
