//! The likeliest distribution on one side of a linear condition.
//!
//! Every hypothesis of a sequential test comes down to this. For shares `q` of the pairs seen and a gain
//! `k` for each score, the distribution `p` that makes the pairs likeliest among those with
//! `Σ pᵢ kᵢ ≥ 0` is, by the multiplier rule,
//!
//! ```text
//! pᵢ = qᵢ / (1 − y kᵢ),   y ≥ 0 with Σ qᵢ kᵢ / (1 − y kᵢ) = 0
//! ```
//!
//! (Owen, *Empirical Likelihood*, 2001, section 2.9; Van den Bergh, *The Generalized Maximum Likelihood
//! Ratio for the Expectation Value of a Distribution*). What the condition costs, a pair, is
//! `Σ qᵢ ln(qᵢ/pᵢ) = Σ qᵢ ln(1 − y kᵢ)`, which is also the greatest value the right side has for any `y`.
//! So an inexact `y` understates it by the square of the error only.
//!
//! # Precision
//!
//! One sided matches drive `y` to where the factor `u = 1 − y kⱼ` of the score with the largest gain all but
//! vanishes: with 10⁸ pairs `u` is 10⁻¹¹, and computed from `y` it would keep five digits. So `u` is the
//! unknown. Multiplied by `u` the condition has no pole, is nearly straight, and Newton's method wants a
//! handful of steps from anywhere.

use super::root::falling_root;

/// Relative step after which Newton's quadratic convergence has reached full precision.
const CLOSE: f64 = 1e-12;

/// The likeliest distribution that meets a condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// The multiplier of the condition, nought when the shares meet it.
    pub multiplier: f64,
    /// The distribution, by score.
    pub weights: [f64; 5],
    /// `qᵢ/pᵢ − 1`.
    changes: [f64; 5],
    /// `u`, which its entry in `changes` may be too near to −1 to hold.
    least_factor: f64,
    best: usize,
}

impl Nearest {
    /// Shares that meet the condition as they are.
    const fn unchanged(shares: &[f64; 5]) -> Self {
        Self {
            multiplier: 0.0,
            weights: *shares,
            changes: [0.0; 5],
            least_factor: 1.0,
            best: 0,
        }
    }

    /// Log likelihood lost per pair against the shares themselves; nought when they meet the condition.
    pub(super) fn cost(&self, shares: &[f64; 5]) -> f64 {
        let mut logarithms = self.changes.map(f64::ln_1p);
        if self.least_factor < 0.5 {
            logarithms[self.best] = self.least_factor.ln();
        }
        sum(|i| shares[i] * logarithms[i])
    }
}

/// The likeliest distribution `p` with `Σ pᵢ gainᵢ ≥ 0`, for pairs with these shares (all above nought).
///
/// `None` when no score has a gain, so that no distribution with weight on every score will do.
pub(super) fn nearest(shares: &[f64; 5], gain: &[f64; 5]) -> Option<Nearest> {
    let best = largest(gain);
    if gain[best] <= 0.0 {
        return None;
    }
    let mean = sum(|i| shares[i] * gain[i]);
    if mean >= 0.0 {
        return Some(Nearest::unchanged(shares));
    }
    let secular = Secular::new(shares, gain, best);
    let start = secular.start(mean, sum(|i| shares[i] * gain[i] * gain[i]) / gain[best]);
    let u = falling_root(0.0..=1.0, start, CLOSE, |u| secular.balance(u));

    let multiplier = (1.0 - u) / gain[best];
    let changes = gain.map(|gain| -multiplier * gain);
    let mut weights = [0, 1, 2, 3, 4].map(|i| shares[i] / (1.0 + changes[i]));
    weights[best] = shares[best] / u;
    Some(Nearest {
        multiplier,
        weights,
        changes,
        least_factor: u,
        best,
    })
}

/// Index of the largest gain.
fn largest(gain: &[f64; 5]) -> usize {
    let mut best = 0;
    for i in 1..5 {
        if gain[i] > gain[best] {
            best = i;
        }
    }
    best
}

/// Sum over the scores.
pub(super) fn sum(term: impl Fn(usize) -> f64) -> f64 {
    (0..5).map(term).sum()
}

/// The condition as a function of `u`, the factor of the score with the largest gain.
struct Secular {
    /// Share times gain of the best score.
    pull: f64,
    /// Share times gain of the others.
    terms: [f64; 5],
    /// Gain over the largest gain, of the others.
    ratios: [f64; 5],
}

impl Secular {
    fn new(shares: &[f64; 5], gain: &[f64; 5], best: usize) -> Self {
        let mut terms = [0, 1, 2, 3, 4].map(|i| shares[i] * gain[i]);
        let mut ratios = gain.map(|other| other / gain[best]);
        let pull = terms[best];
        (terms[best], ratios[best]) = (0.0, 0.0);
        Self {
            pull,
            terms,
            ratios,
        }
    }

    /// One Newton step from the shares themselves, which is where ordinary matches end up; if that goes too
    /// far, the place where the best score alone makes up for the worse ones.
    fn start(&self, mean: f64, slope: f64) -> f64 {
        (1.0 + mean / slope).max(self.pull / (2.0 * self.pull - mean))
    }

    /// `u Σ qᵢ kᵢ / (1 − y kᵢ)` and its derivative: positive at 0, negative at 1.
    fn balance(&self, u: f64) -> (f64, f64) {
        let (mut others, mut change) = (0.0, 0.0);
        for (term, ratio) in self.terms.into_iter().zip(self.ratios) {
            let inverse = 1.0 / (1.0 - (1.0 - u) * ratio);
            others += term * inverse;
            change -= term * inverse * ratio * inverse;
        }
        (self.pull + u * others, others + u * change)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stats::shares::OFFSETS;

    fn shares() -> impl Strategy<Value = [f64; 5]> {
        prop::array::uniform5(-11.0..0.0).prop_map(|powers: [f64; 5]| {
            let weights = powers.map(|power| 10_f64.powf(power));
            let total: f64 = weights.iter().sum();
            weights.map(|weight| weight / total)
        })
    }

    #[test]
    fn shares_on_the_good_side_stay_as_they_are() {
        let shares = [0.1, 0.2, 0.3, 0.2, 0.2];
        let nearest = nearest(&shares, &[-2.0, -1.0, 0.0, 1.0, 2.0]).expect("two scores gain");
        assert_eq!(nearest.weights, shares);
        assert_eq!(nearest.cost(&shares), 0.0);
    }

    #[test]
    fn without_a_gain_there_is_nothing_to_move_to() {
        assert!(nearest(&[0.2; 5], &[-1.0, -0.5, 0.0, -0.5, -1.0]).is_none());
    }

    #[test]
    fn two_scores_with_a_gain_can_be_worked_out_by_hand() {
        // Only the ends matter: p = (1/2, 1/2) for q = (0.9, 0.1).
        let shares = [0.9, 0.0, 0.0, 0.0, 0.1];
        let nearest = nearest(&shares, &[-1.0, 0.0, 0.0, 0.0, 1.0]).expect("a win gains");
        assert!((nearest.weights[0] - 0.5).abs() < 1e-15);
        assert!((nearest.weights[4] - 0.5).abs() < 1e-15);
        let cost = 0.9 * 1.8_f64.ln() + 0.1 * 0.2_f64.ln();
        assert!((nearest.cost(&shares) - cost).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn the_answer_is_a_distribution_that_meets_the_condition(shares in shares(), level in -0.49..0.49) {
            let gain = OFFSETS.map(|b| b - level);
            let nearest = nearest(&shares, &gain).expect("a win gains");
            prop_assert!((sum(|i| nearest.weights[i]) - 1.0).abs() < 1e-13);
            prop_assert!(sum(|i| nearest.weights[i] * gain[i]) > -1e-14);
            let cost = sum(|i| shares[i] * (shares[i] / nearest.weights[i]).ln());
            prop_assert!((nearest.cost(&shares) - cost).abs() < 1e-13);
        }

        #[test]
        fn no_distribution_that_meets_the_condition_is_likelier(
            shares in shares(), other in shares(), below in 0.0..0.99,
        ) {
            let mean = sum(|i| other[i] * OFFSETS[i]);
            let level = mean - below * (mean + 0.5);
            let gain = OFFSETS.map(|b| b - level);
            let nearest = nearest(&shares, &gain).expect("a win gains");
            let cost = sum(|i| shares[i] * (shares[i] / other[i]).ln());
            prop_assert!(cost >= nearest.cost(&shares) - 1e-14);
        }
    }
}
