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
    /// Log likelihood lost per pair against the shares themselves; nought when they meet the condition.
    pub cost: f64,
    /// The multiplier of the condition, nought when the shares meet it.
    pub multiplier: f64,
    /// The distribution, by score.
    pub weights: [f64; 5],
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
        return Some(Nearest {
            cost: 0.0,
            multiplier: 0.0,
            weights: *shares,
        });
    }
    let secular = Secular { shares, gain, best };
    Some(
        secular.at(falling_root(0.0..=1.0, secular.start(mean), CLOSE, |u| {
            secular.balance(u)
        })),
    )
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
struct Secular<'a> {
    shares: &'a [f64; 5],
    gain: &'a [f64; 5],
    best: usize,
}

impl Secular<'_> {
    /// One Newton step from the shares themselves, which is where ordinary matches end up; if that goes too
    /// far, the place where the best score alone makes up for the worse ones.
    fn start(&self, mean: f64) -> f64 {
        let Self { shares, gain, best } = *self;
        let first = 1.0 + mean / sum(|i| shares[i] * gain[i] * gain[i]) * gain[best];
        let weight = shares[best] * gain[best];
        first.max(weight / (weight - mean + weight))
    }

    /// `u Σ qᵢ kᵢ / (1 − y kᵢ)` and its derivative: positive at 0, negative at 1.
    fn balance(&self, u: f64) -> (f64, f64) {
        let multiplier = self.multiplier(u);
        let (mut others, mut change) = (0.0, 0.0);
        for i in (0..5).filter(|i| *i != self.best) {
            let factor = 1.0 - multiplier * self.gain[i];
            let term = self.shares[i] * self.gain[i] / factor;
            others += term;
            change -= term * self.gain[i] / (self.gain[self.best] * factor);
        }
        (
            self.shares[self.best] * self.gain[self.best] + u * others,
            others + u * change,
        )
    }

    fn multiplier(&self, u: f64) -> f64 {
        (1.0 - u) / self.gain[self.best]
    }

    fn at(&self, u: f64) -> Nearest {
        let Self { shares, gain, best } = *self;
        let multiplier = self.multiplier(u);
        let mut cost = shares[best] * if u < 0.5 { u.ln() } else { (u - 1.0).ln_1p() };
        let mut weights = [0.0; 5];
        weights[best] = shares[best] / u;
        for i in (0..5).filter(|i| *i != best) {
            cost += shares[i] * (-multiplier * gain[i]).ln_1p();
            weights[i] = shares[i] / (1.0 - multiplier * gain[i]);
        }
        Nearest {
            cost,
            multiplier,
            weights,
        }
    }
}
