//! Sequential tests of one strength difference against another.

use super::shares::Shares;
use super::{Pentanomial, logistic, normalized};

/// What the hypotheses of a test are differences in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// Elo: about the mean pair score alone.
    Logistic,
    /// Normalized Elo: about the mean pair score in units of its own spread.
    Normalized,
}

impl Model {
    /// Largest difference, either way, that a hypothesis may be about.
    #[must_use]
    pub const fn cap(self) -> f64 {
        match self {
            Self::Logistic => 1000.0,
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
/// Within [`Model::cap`] there always is one and the search is proven to find it; this says so rather than
/// print a number should that ever be untrue.
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
            if !(value.abs() <= cap) {
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
    /// as a thousandth of a pair. Exact to double precision, for any counts: the error is about 10⁻¹⁶ of a
    /// single hypothesis's log likelihood.
    ///
    /// # Errors
    ///
    /// [`Unfittable`] when a hypothesis cannot be met, which no pairs are known to do.
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
            Model::Normalized => {
                let t = normalized::t_value(elo);
                normalized::cost(shares, t).ok_or(Unfittable { t })
            }
        }
    }

    /// The mean pair score under each hypothesis, for pairs with this spread.
    pub(super) fn scores(&self, shares: &Shares) -> (f64, f64) {
        let score = |elo: f64| match self.model {
            Model::Logistic => logistic::score(elo),
            Model::Normalized => 0.5 + normalized::t_value(elo) * shares.variance().sqrt(),
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
