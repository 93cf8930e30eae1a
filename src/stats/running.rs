//! The log likelihood ratio of a test that grows by a few pairs at a time.
//!
//! The likeliest distribution of a hypothesis hardly moves between two looks, so a Newton step or two from
//! where it was does what the search of [`Sprt::llr`] does from nothing. The equations are those of
//! `normalized` and `logistic`: with `b` the score less a half and `p = q / (1 + λ h)`,
//!
//! ```text
//! logistic     h = b − m                       Σ p h = 0
//! normalized   h = b − (τ/2) (r + b²/r)        Σ p h = 0  and  Σ p (b² − r²) = 0
//! ```
//!
//! Where the distribution is far from the pairs, which is where there may be more than one solution, the search
//! is made all the same.

use super::shares::{OFFSETS, UNSEEN};
use super::{Model, Pentanomial, Sprt, Unfittable, logistic, normalized};

/// Largest `λ h` at which a fit counts as near to the pairs.
const NEAR: f64 = 0.5;

/// A step in `λ` or `r` after which the next one would be lost in rounding: convergence is quadratic, and the ratio
/// is stationary in both.
const CLOSE: f64 = 1e-6;

/// Newton steps after which the search is made instead.
const MOST_STEPS: usize = 8;

/// Works out the ratios of one growing test, each from the last.
#[derive(Clone, Debug)]
pub struct RunningRatio {
    test: Sprt,
    fits: [Fit; 2],
}

impl RunningRatio {
    /// For a test without a pair so far.
    #[must_use]
    pub fn new(test: Sprt) -> Self {
        let fit = |elo| Fit::new(test.model(), elo);
        Self {
            test,
            fits: [fit(test.elo0()), fit(test.elo1())],
        }
    }

    /// What [`Sprt::llr`] gives for these pairs, to about 10⁻⁹.
    ///
    /// # Errors
    ///
    /// As [`Sprt::llr`].
    pub fn llr(&mut self, pairs: Pentanomial) -> Result<f64, Unfittable> {
        match self.near(pairs) {
            Some(llr) => Ok(llr),
            None => self.test.llr(pairs),
        }
    }

    /// `None` where the search has to be made, and without a pair, of which [`Sprt::llr`] knows.
    fn near(&mut self, pairs: Pentanomial) -> Option<f64> {
        if pairs.pairs() == 0 {
            return None;
        }
        let seen = pairs
            .counts()
            .map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let whole: f64 = seen.iter().sum();
        let shares = seen.map(|count| count / whole);
        let [first, second] = &mut self.fits;
        let (under0, under1) = (first.follow(&shares)?, second.follow(&shares)?);
        let mut sum = 0.0;
        for i in 0..5 {
            sum += seen[i] * ((under0[i] - under1[i]) / (1.0 + under1[i])).ln_1p();
        }
        Some(sum)
    }
}

/// The likeliest distribution of one hypothesis.
#[derive(Clone, Debug)]
struct Fit {
    kind: Kind,
    /// λ
    multiplier: f64,
}

#[derive(Clone, Debug)]
enum Kind {
    Mean { gain: [f64; 5] },
    Ratio { tau: f64, spread: f64 },
}

impl Kind {
    /// A mean score, that of a difference in logistic Elo.
    fn mean(elo: f64) -> Self {
        let mean = logistic::score(elo) - 0.5;
        Self::Mean {
            gain: OFFSETS.map(|offset| offset - mean),
        }
    }
}

impl Fit {
    fn new(model: Model, elo: f64) -> Self {
        let kind = match model {
            Model::Logistic => Kind::mean(elo),
            Model::Bayesian(draws) => Kind::mean(draws.logistic(elo)),
            Model::Normalized => {
                let t = normalized::t_value(elo);
                let tau = t / t.hypot(1.0);
                Kind::Ratio { tau, spread: 0.0 }
            }
        };
        Self {
            kind,
            multiplier: 0.0,
        }
    }

    /// `λ h` for each score; `None`, and a fresh start, where they are not all small.
    fn follow(&mut self, shares: &[f64; 5]) -> Option<[f64; 5]> {
        let found = match &mut self.kind {
            Kind::Mean { gain } => follow_mean(shares, gain, &mut self.multiplier),
            Kind::Ratio { tau, spread } => {
                if *spread == 0.0 {
                    *spread = root_mean_square(shares);
                }
                follow_ratio(shares, *tau, spread, &mut self.multiplier)
            }
        };
        if found.is_none() {
            self.multiplier = 0.0;
            if let Kind::Ratio { spread, .. } = &mut self.kind {
                *spread = 0.0;
            }
        }
        found
    }
}

fn root_mean_square(shares: &[f64; 5]) -> f64 {
    let square = |i: usize| shares[i] * OFFSETS[i] * OFFSETS[i];
    (square(0) + square(1) + square(3) + square(4)).sqrt()
}

fn follow_mean(shares: &[f64; 5], gain: &[f64; 5], multiplier: &mut f64) -> Option<[f64; 5]> {
    for _ in 0..MOST_STEPS {
        let (mut value, mut slope) = (0.0, 0.0);
        for i in 0..5 {
            let part = gain[i] / (1.0 + *multiplier * gain[i]);
            value += shares[i] * part;
            slope += shares[i] * part * part;
        }
        let step = value / slope;
        *multiplier += step;
        let found = gain.map(|gain| gain * *multiplier);
        if !all_near(&found) {
            return None;
        }
        if step.abs() < CLOSE {
            return Some(found);
        }
    }
    None
}

fn follow_ratio(
    shares: &[f64; 5],
    tau: f64,
    spread: &mut f64,
    multiplier: &mut f64,
) -> Option<[f64; 5]> {
    for _ in 0..MOST_STEPS {
        let (by_multiplier, by_spread) = newton(shares, tau, *spread, *multiplier);
        *multiplier += by_multiplier;
        *spread += by_spread;
        let r = *spread;
        let found = OFFSETS.map(|b| *multiplier * (b - 0.5 * tau * (r + b * b / r)));
        if !(r > 0.0 && r <= 0.5 && all_near(&found)) {
            return None;
        }
        if by_multiplier.abs() < CLOSE && by_spread.abs() < CLOSE {
            return Some(found);
        }
    }
    None
}

/// One step for `λ` and `r` towards meeting both conditions.
fn newton(shares: &[f64; 5], tau: f64, r: f64, multiplier: f64) -> (f64, f64) {
    let (mut mean, mut excess) = (0.0, 0.0);
    let (mut mean_l, mut mean_r, mut excess_l, mut excess_r) = (0.0, 0.0, 0.0, 0.0);
    let inverse = 1.0 / r;
    for i in 0..5 {
        let (b, square) = (OFFSETS[i], OFFSETS[i] * OFFSETS[i]);
        let gain = b - 0.5 * tau * (r + square * inverse);
        let moved = 0.5 * tau * (square * inverse * inverse - 1.0);
        let far = square - r * r;
        let factor = 1.0 / (1.0 + multiplier * gain);
        let weight = shares[i] * factor;
        let stiff = weight * factor;
        mean += weight * gain;
        excess += weight * far;
        mean_l -= stiff * gain * gain;
        mean_r += stiff * moved;
        excess_l -= stiff * gain * far;
        excess_r -= 2.0 * r * weight + stiff * multiplier * moved * far;
    }
    let determinant = mean_l * excess_r - mean_r * excess_l;
    (
        (mean_r * excess - excess_r * mean) / determinant,
        (excess_l * mean - mean_l * excess) / determinant,
    )
}

/// Not so for what is no number.
fn all_near(values: &[f64; 5]) -> bool {
    values.iter().all(|value| value.abs() <= NEAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assert_same(running: &mut RunningRatio, pairs: Pentanomial) {
        let (got, want) = (
            running.llr(pairs).unwrap(),
            running.test.llr(pairs).unwrap(),
        );
        let far = (got - want).abs();
        assert!(
            far < 1e-9 * want.abs().max(1.0),
            "{pairs}: {got} for {want}"
        );
    }

    fn model(normalized: bool) -> Model {
        if normalized {
            Model::Normalized
        } else {
            Model::Logistic
        }
    }

    #[test]
    fn an_ordinary_match_is_followed_and_not_searched() {
        for nelo in [false, true] {
            let test = Sprt::new(model(nelo), 0.0, 5.0, 0.05, 0.05).unwrap();
            let mut running = RunningRatio::new(test);
            for n in 1..2000 {
                let pairs = Pentanomial::new([n / 50, 5 * n / 2, 5 * n, 5 * n / 2 + n / 9, n / 40]);
                assert_same(&mut running, pairs);
                assert!(n < 3 || running.near(pairs).is_some(), "{pairs}");
            }
        }
    }

    #[test]
    fn no_pair_is_no_evidence() {
        for nelo in [false, true] {
            let test = Sprt::new(model(nelo), 0.0, 5.0, 0.05, 0.05).unwrap();
            assert_same(&mut RunningRatio::new(test), Pentanomial::default());
        }
    }

    proptest! {
        #[test]
        fn any_pairs_in_any_order(
            steps in proptest::collection::vec(proptest::array::uniform5(0_u64..60), 1..30),
            weights in proptest::array::uniform5(prop_oneof![Just(0_u64), 0_u64..5]),
            nelo in any::<bool>(), elo0 in -60.0..60.0_f64, width in 0.1..40.0_f64,
        ) {
            let test = Sprt::new(model(nelo), elo0, elo0 + width, 0.05, 0.05).unwrap();
            let mut running = RunningRatio::new(test);
            let mut pairs = Pentanomial::default();
            for step in steps {
                pairs += Pentanomial::new([0, 1, 2, 3, 4].map(|i| step[i] * weights[i]));
                assert_same(&mut running, pairs);
            }
        }
    }
}
