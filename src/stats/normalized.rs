//! Likelihood under a difference in normalized Elo.
//!
//! The hypothesis is that the mean pair score is `t` standard deviations above a half, with
//! `t = √2 · elo · ln 10 / 800` (Van den Bergh, *Comments on Normalized Elo*). It leaves the spread free, so
//! the likeliest distribution has to be searched for, and its likelihood can have several local maxima
//! along the spread. What follows finds the highest of them and proves that it is.
//!
//! # The hypothesis without its square root
//!
//! With `b` the score less a half, `M = E b` and `S = E b²`, the condition `M = t √(S − M²)` is the same as
//!
//! ```text
//! M = τ √S,   τ = t / √(1 + t²)
//! ```
//!
//! A negative difference is the mirror image of a positive one; none at all is a plain condition on the
//! mean. So let `τ > 0`. Since `√S = min over r of (r + S/r)/2`, attained at `r = √S`,
//!
//! ```text
//! M ≥ τ √S  exactly if  E hᵣ ≥ 0 for some r,   hᵣ(b) = b − (τ/2)(r + b²/r)
//! ```
//!
//! Each `r` gives a *linear* condition, and [`nearest()`] the likeliest distribution on its good side.
//!
//! # Two cases
//!
//! *The pairs lie above* (`M > τ √S`). The distributions with `M ≤ τ √S` are a convex set, because `√S` is
//! concave. The likeliest of a convex set is unique, is on its border when the pairs are outside, and is the
//! only point that meets the multiplier rule. There is nothing to search: one root, of `E b² − r²` under the
//! likeliest distribution with `E hᵣ ≤ 0`, between the two `r` for which the pairs themselves have
//! `E hᵣ = 0`.
//!
//! *The pairs lie below*. The distributions with `M ≥ τ √S` are the union of the half-spaces above, so the
//! least cost is the least over `r` of the cost `G(r)` of one of them. `G` may have several minima. For all
//! `r` between `l` and `h` at once, `(E b, E b²) = (τ r, r²)` lies on an arc of a parabola, hence on one
//! side of its chord:
//!
//! ```text
//! E [b − τ (b² + l h) / (l + h)] ≥ 0
//! ```
//!
//! one more linear condition, whose cost is a *lower bound* on `G` over the whole stretch, tight to second
//! order in its width (with `l = h` it is `hᵣ` itself). [`Search`] covers all spreads with stretches whose
//! bound is not below the minimum in hand, splitting those where it is, so the answer is the global
//! minimum by proof and not by the density of a grid. With the pairs and hypotheses of a real match seven
//! stretches do, and the whole takes microseconds.
//!
//! At the optimum the two equations solved here, `E hᵣ = 0` and `E b² = r²`, are the stationarity condition
//! of the problem with multipliers for mean and spread; the third, `Σ p = 1`, follows from the first.

use super::nearest::{Nearest, nearest, sum};
use super::root::falling_root;
use super::shares::{OFFSETS, Shares};

/// Elo per unit of the mean over the standard deviation of one game; a pair's is √2 times as large.
const ELO_PER_T: f64 = 800.0 / std::f64::consts::LN_10;

/// Relative step in `r` after which Newton's quadratic convergence has reached full precision.
const CLOSE: f64 = 1e-9;

/// Largest amount by which a fitted distribution may miss its hypothesis.
const MISS: f64 = 1e-9;

/// Stretches after which a search is given up. The hardest counts known need a few hundred.
const MOST_STRETCHES: usize = 20_000;

/// Mean of a pair's score over its standard deviation at a difference in normalized Elo.
pub(super) fn t_value(elo: f64) -> f64 {
    std::f64::consts::SQRT_2 * elo / ELO_PER_T
}

/// Log likelihood lost per pair by saying that the mean score lies `t` standard deviations above a half.
///
/// `None` when no distribution was found to meet that.
pub(super) fn cost(shares: &Shares, t: f64) -> Option<f64> {
    fit(shares, t).map(|fit| fit.cost)
}

/// The likeliest distribution of a hypothesis.
#[derive(Clone, Copy, Debug)]
struct Fit {
    /// Root of the mean square of the offset from an even pair.
    r: f64,
    /// Log likelihood lost per pair.
    cost: f64,
    nearest: Nearest,
}

fn fit(shares: &Shares, t: f64) -> Option<Fit> {
    if t < 0.0 {
        return fit(&shares.flipped(), -t).map(Fit::mirrored);
    }
    if t == 0.0 {
        return Some(level(shares));
    }
    let parabola = Parabola {
        shares: *shares.by_score(),
        tau: t / t.hypot(1.0),
    };
    let (mean, square) = (shares.mean(), shares.square());
    let fit = if mean > parabola.tau * square.sqrt() {
        parabola.lowered(mean, square)?
    } else {
        Search::over(&parabola, shares.pairs(), parabola.raised(square)?)?
    };
    parabola.is_met_by(&fit).then_some(fit)
}

/// No difference: the mean is a half, whatever the spread.
fn level(shares: &Shares) -> Fit {
    if shares.mean() > 0.0 {
        return level(&shares.flipped()).mirrored();
    }
    let nearest = nearest(shares.by_score(), &OFFSETS).expect("a win is above a half");
    let square = sum(|i| nearest.weights[i] * OFFSETS[i] * OFFSETS[i]);
    Fit {
        r: square.sqrt(),
        cost: nearest.cost(shares.by_score()),
        nearest,
    }
}

impl Fit {
    fn mirrored(mut self) -> Self {
        self.nearest.weights.reverse();
        self
    }
}

/// The hypothesis `E b = τ √(E b²)`, with `τ > 0`, for given pairs.
struct Parabola {
    shares: [f64; 5],
    tau: f64,
}

/// On which side of the hypothesis a distribution is wanted.
#[derive(Clone, Copy)]
enum Side {
    /// `E hᵣ ≥ 0`, for pairs that lie below.
    Above,
    /// `E hᵣ ≤ 0`, for pairs that lie above.
    Below,
}

impl Side {
    const fn sign(self) -> f64 {
        match self {
            Self::Above => 1.0,
            Self::Below => -1.0,
        }
    }
}

impl Parabola {
    /// The fit to pairs with `mean > τ √square`: the only stationary point there is.
    fn lowered(&self, mean: f64, square: f64) -> Option<Fit> {
        let Self { tau, .. } = *self;
        let root = (mean * mean - tau * tau * square).max(0.0).sqrt();
        let (low, high) = (tau * square / (mean + root), (mean + root) / tau);
        self.stationary(Side::Below, low, high.min(0.5), square.sqrt())
    }

    /// A local minimum for pairs with `mean ≤ τ √square`.
    fn raised(&self, square: f64) -> Option<Fit> {
        let low = self.least_spread();
        self.stationary(Side::Above, low, 0.5, square.sqrt().clamp(2.0 * low, 0.5))
    }

    /// The `r` below which no score has `hᵣ > 0`.
    fn least_spread(&self) -> f64 {
        0.25 * self.tau / (1.0 + (1.0 - self.tau * self.tau).sqrt())
    }

    /// The fit at a root of `E b² − r²`, which is positive at `low` and negative at `high`.
    fn stationary(&self, side: Side, low: f64, high: f64, start: f64) -> Option<Fit> {
        self.at(
            side,
            falling_root(low..=high, start, CLOSE, |r| self.excess(side, r)),
        )
    }

    /// The likeliest distribution on one side of the condition at `r`.
    fn at(&self, side: Side, r: f64) -> Option<Fit> {
        let nearest = nearest(&self.shares, &self.tangent(side, r))?;
        Some(Fit {
            r,
            cost: nearest.cost(&self.shares),
            nearest,
        })
    }

    /// `E b² − r²` under the likeliest distribution on the wanted side, and its derivative in `r`.
    fn excess(&self, side: Side, r: f64) -> (f64, f64) {
        let gain = self.tangent(side, r);
        let Some(Nearest {
            multiplier,
            weights,
            ..
        }) = nearest(&self.shares, &gain)
        else {
            return (f64::INFINITY, f64::NAN); // only `r` too small leaves every score without a gain
        };
        let squares = OFFSETS.map(|b| b * b);
        let value = sum(|i| weights[i] * squares[i]) - r * r;
        // How gains, multiplier and weights move with r; the condition Σ p k = 0 gives the multiplier's part.
        let moved = squares.map(|square| side.sign() * 0.5 * self.tau * (square / (r * r) - 1.0));
        let stiffness = [0, 1, 2, 3, 4].map(|i| weights[i] * weights[i] / self.shares[i]);
        let turn = -(multiplier * sum(|i| stiffness[i] * gain[i] * moved[i])
            + sum(|i| weights[i] * moved[i]))
            / sum(|i| stiffness[i] * gain[i] * gain[i]);
        let change = sum(|i| stiffness[i] * (turn * gain[i] + multiplier * moved[i]) * squares[i]);
        (value, change - 2.0 * r)
    }

    /// The gains `hᵣ` for one side.
    fn tangent(&self, side: Side, r: f64) -> [f64; 5] {
        OFFSETS.map(|b| side.sign() * (b - 0.5 * self.tau * (r + b * b / r)))
    }

    /// The gains of the condition that every distribution with a spread between `low` and `high` meets.
    fn chord(&self, low: f64, high: f64) -> [f64; 5] {
        OFFSETS.map(|b| b - self.tau * (b * b + low * high) / (low + high))
    }

    /// Whether the fitted distribution is one, and has the mean and the spread it should.
    fn is_met_by(&self, fit: &Fit) -> bool {
        let weights = &fit.nearest.weights;
        let total = sum(|i| weights[i]) - 1.0;
        let mean = sum(|i| weights[i] * OFFSETS[i]) - self.tau * fit.r;
        let square = sum(|i| weights[i] * OFFSETS[i] * OFFSETS[i]) - fit.r * fit.r;
        [total, mean, square]
            .into_iter()
            .all(|miss| miss.abs() < MISS)
    }
}

/// A proof that no spread is better than the one in hand, or the better one it came upon.
struct Search<'a> {
    parabola: &'a Parabola,
    pairs: f64,
    best: Fit,
    open: Vec<(f64, f64)>,
}

impl<'a> Search<'a> {
    /// The global minimum, given a local one. `None` if the proof does not come to an end.
    fn over(parabola: &'a Parabola, pairs: f64, best: Fit) -> Option<Fit> {
        let mut search = Self {
            parabola,
            pairs,
            best,
            open: Vec::new(),
        };
        search.restart();
        for _ in 0..MOST_STRETCHES {
            let Some((low, high)) = search.open.pop() else {
                return Some(search.best);
            };
            if !search.is_beaten(low, high) {
                search.split(low, high)?;
            }
        }
        None
    }

    /// Costs closer than this count as equal: 10⁻¹¹ in the ratio, or the rounding of the cost.
    fn tolerance(&self) -> f64 {
        1e-11 / self.pairs + 4.0 * f64::EPSILON * (self.best.cost + self.best.nearest.multiplier)
    }

    /// Whether no spread of the stretch costs less than the one in hand.
    fn is_beaten(&self, low: f64, high: f64) -> bool {
        let Parabola { shares, .. } = self.parabola;
        nearest(shares, &self.parabola.chord(low, high))
            .is_none_or(|bound| bound.cost(shares) >= self.best.cost - 2.0 * self.tolerance())
    }

    /// Opens all spreads: the neighbourhood of the best one, where the bound falls short by
    /// `y τ δ² / 2r` and so passes, and what is left of it and right of it.
    fn restart(&mut self) {
        let r = self.best.r;
        let steepness = self.best.nearest.multiplier * self.parabola.tau;
        let around = (2.0 * r * self.tolerance() / steepness).sqrt().min(0.5 * r);
        let (low, high) = (r - around, (r + around).min(0.5));
        self.open.clear();
        self.open.extend([(0.0, low), (low, high)]);
        if high < 0.5 {
            self.open.push((high, 0.5));
        }
    }

    /// Cuts a stretch in two, unless the cut itself is better than the one in hand.
    fn split(&mut self, low: f64, high: f64) -> Option<()> {
        let cut = self.cut(low, high);
        match self.parabola.at(Side::Above, cut) {
            Some(here) if here.cost < self.best.cost - self.tolerance() => {
                self.best = self.downhill(here)?;
                self.restart();
            }
            Some(_) | None => self.open.extend([(low, cut), (cut, high)]),
        }
        Some(())
    }

    /// Stretches get shorter in proportion to their distance from the best spread.
    fn cut(&self, low: f64, high: f64) -> f64 {
        let r = self.best.r;
        if low > r {
            r + ((low - r) * (high - r)).sqrt()
        } else if high < r {
            r - ((r - low) * (r - high)).sqrt()
        } else {
            low.midpoint(high)
        }
    }

    /// The local minimum downhill of a point, or the point itself should that be the lower.
    fn downhill(&self, from: Fit) -> Option<Fit> {
        let (excess, _) = self.parabola.excess(Side::Above, from.r);
        let (low, high) = if excess > 0.0 {
            (from.r, 0.5)
        } else {
            (self.parabola.least_spread(), from.r)
        };
        let found = self.parabola.stationary(Side::Above, low, high, from.r)?;
        Some(if found.cost <= from.cost { found } else { from })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stats::{Pentanomial, logistic};

    const COUNTS: [[u64; 5]; 8] = [
        [2, 3, 14, 3, 8],
        [223, 9863, 21279, 10037, 246],
        [900, 3600, 16000, 3900, 1000],
        [0, 0, 500_000, 10, 0],
        [0, 1, 44_300, 1, 0],
        [0, 0, 0, 0, 99_999_999],
        [978_558, 0, 0, 114_589, 0],
        [0, 0, 0, 1000, 0],
    ];

    const ELO: [f64; 9] = [-100.0, -20.0, -3.0, -0.01, 0.0, 0.5, 5.0, 40.0, 100.0];

    fn mean(p: &[f64; 5]) -> f64 {
        sum(|i| p[i] * OFFSETS[i])
    }

    /// `(mean − ½) / sd`, in offsets.
    fn t_of(p: &[f64; 5]) -> f64 {
        let mean = mean(p);
        mean / sum(|i| p[i] * (OFFSETS[i] - mean).powi(2)).sqrt()
    }

    /// A distribution on the hypothesis: `p` with as much of a certain win or loss mixed in as it takes.
    fn pulled_to(t: f64, p: [f64; 5]) -> [f64; 5] {
        let end = if t_of(&p) < t { 4 } else { 0 };
        let mixed = |share: f64| {
            let mut mixed = p.map(|weight| weight * (1.0 - share));
            mixed[end] += share;
            mixed
        };
        let (mut low, mut high) = (0.0, 1.0 - 1e-15);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if (t_of(&mixed(middle)) < t) == (end == 4) {
                low = middle;
            } else {
                high = middle;
            }
        }
        mixed(f64::midpoint(low, high))
    }

    fn cost_of(shares: &Shares, p: &[f64; 5]) -> f64 {
        let q = shares.by_score();
        sum(|i| q[i] * (q[i] / p[i]).ln())
    }

    fn distribution(weights: [f64; 5]) -> [f64; 5] {
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    }

    #[test]
    fn fits_are_distributions_on_their_hypothesis() {
        for counts in COUNTS {
            let shares = Shares::of(Pentanomial::new(counts));
            for elo in ELO {
                let t = t_value(elo);
                let weights = fit(&shares, t)
                    .expect("all counts can be fitted")
                    .nearest
                    .weights;
                assert!(
                    (sum(|i| weights[i]) - 1.0).abs() < 1e-12,
                    "{counts:?} at {elo}"
                );
                assert!((t_of(&weights) - t).abs() < 1e-10, "{counts:?} at {elo}");
            }
        }
    }

    #[test]
    fn the_multipliers_are_stationary() {
        // The fit in terms of mean m and spread s: p = q / (1 + x (a − m) + y ((a − m)² − s²)), x t + 2 y s = 0.
        for counts in &COUNTS[..3] {
            let shares = Shares::of(Pentanomial::new(*counts));
            for t in [-0.3, -0.02, 0.02, 0.4] {
                let weights = fit(&shares, t)
                    .expect("all counts can be fitted")
                    .nearest
                    .weights;
                let m = mean(&weights);
                let s = m / t;
                let factor = [0, 1, 2].map(|i| shares.by_score()[i] / weights[i]);
                let y = 8.0 * (factor[0] - 2.0 * factor[1] + factor[2]);
                let x = (factor[2] - 1.0 - y * (m * m - s * s)) / -m;
                assert!(
                    (x * t + 2.0 * y * s).abs() < 1e-9,
                    "{counts:?} at {t}: {x} {y}"
                );
            }
        }
    }

    #[test]
    fn no_difference_is_a_condition_on_the_mean_alone() {
        for counts in COUNTS {
            let shares = Shares::of(Pentanomial::new(counts));
            assert_eq!(
                cost(&shares, 0.0),
                Some(logistic::cost(&shares, 0.0)),
                "{counts:?}"
            );
        }
    }

    #[test]
    fn a_vanishing_difference_is_none() {
        for counts in COUNTS {
            let shares = Shares::of(Pentanomial::new(counts));
            for t in [1e-300, 1e-30, 1e-14] {
                let near = cost(&shares, t).expect("all counts can be fitted");
                let none = logistic::cost(&shares, 0.0);
                assert!(
                    (near - none).abs() <= 1e-13 + 2.0 * t,
                    "{counts:?} at {t}: {near} for {none}"
                );
            }
        }
    }

    #[test]
    fn lopsided_shares_have_their_likelihood_worked_out_elsewhere() {
        let shares = Shares::of(Pentanomial::new([6_070_000, 3_570_000, 358_000, 68, 10]));
        let entropy = sum(|i| shares.by_score()[i] * shares.by_score()[i].ln());
        let cost = cost(&shares, 0.4055).expect("all counts can be fitted");
        assert!(
            (entropy - cost - -1.782_295_306_4).abs() < 1e-8,
            "{}",
            entropy - cost
        );
    }

    /// A plain scan of the spread, with the condition written down from its definition.
    #[test]
    fn a_dense_scan_finds_nothing_better() {
        for counts in COUNTS {
            let shares = Shares::of(Pentanomial::new(counts));
            for elo in [0.5, 5.0, 40.0, 100.0] {
                for near in [shares, shares.flipped()] {
                    let t = t_value(elo);
                    if mean(near.by_score()) > t * (near.square() - near.mean().powi(2)).sqrt() {
                        continue; // a convex problem: the scan below is of the other one
                    }
                    let found = cost(&near, t).expect("all counts can be fitted");
                    let least = (1..4_000)
                        .filter_map(|step| {
                            let r = 0.5 * (f64::from(step) / 4_000.0).powi(3);
                            let tau = t / t.hypot(1.0);
                            let gain = OFFSETS.map(|b| b - tau * (r * r + b * b) / (2.0 * r));
                            nearest(near.by_score(), &gain).map(|at| at.cost(near.by_score()))
                        })
                        .fold(f64::INFINITY, f64::min);
                    assert!(
                        found <= least + 1e-15,
                        "{counts:?} at {elo}: {found} above {least}"
                    );
                    assert!(
                        found >= least * (1.0 - 1e-3),
                        "{counts:?} at {elo}: {found} below {least}"
                    );
                }
            }
        }
    }

    fn counts() -> impl Strategy<Value = Pentanomial> {
        prop::array::uniform5(prop_oneof![Just(0.0), 0.0..8.5]).prop_map(|powers: [f64; 5]| {
            Pentanomial::new(powers.map(|power| 10_f64.powf(power) as u64 - 1))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn every_fit_is_found_and_none_is_likelier(
            counts in counts(), elo in -100.0..100.0, weights in prop::array::uniform5(-9.0..0.0),
        ) {
            prop_assume!(counts != Pentanomial::default());
            let (shares, t) = (Shares::of(counts), t_value(elo));
            let fit = fit(&shares, t).expect("all counts can be fitted");
            prop_assert!((t_of(&fit.nearest.weights) - t).abs() < 1e-9);

            let weights = weights.map(|power: f64| 10_f64.powf(power));
            let far = pulled_to(t, distribution(weights));
            prop_assert!(cost_of(&shares, &far) >= fit.cost - 1e-13 * (1.0 + fit.cost));
            let beside = [0, 1, 2, 3, 4].map(|i| fit.nearest.weights[i] * (1.0 + weights[i]));
            let near = pulled_to(t, distribution(beside));
            prop_assert!(cost_of(&shares, &near) >= fit.cost - 1e-13 * (1.0 + fit.cost));
        }
    }
}
