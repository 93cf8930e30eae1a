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
//! minimum by proof and not by the density of a grid. With the pairs of a real match three to six stretches
//! do, and the whole takes microseconds.
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
    fit(shares, t).map(|fit| fit.nearest.cost)
}

/// The likeliest distribution of a hypothesis.
#[derive(Clone, Copy, Debug)]
struct Fit {
    /// Root of the mean square of the offset from an even pair.
    r: f64,
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
        parabola.from_above(mean, square)?
    } else {
        Search::over(&parabola, shares.pairs(), parabola.from_below(square)?)?
    };
    parabola.is_met_by(&fit).then_some(fit)
}

/// No difference: the mean is a half, whatever the spread.
fn level(shares: &Shares) -> Fit {
    let up = shares.mean() <= 0.0;
    let near = if up { *shares } else { shares.flipped() };
    let nearest = nearest(near.by_score(), &OFFSETS).expect("a win is above a half");
    let fit = Fit {
        r: sum(|i| nearest.weights[i] * OFFSETS[i] * OFFSETS[i]).sqrt(),
        nearest,
    };
    if up { fit } else { fit.mirrored() }
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
    fn from_above(&self, mean: f64, square: f64) -> Option<Fit> {
        let Self { tau, .. } = *self;
        let root = (mean * mean - tau * tau * square).max(0.0).sqrt();
        let (low, high) = (tau * square / (mean + root), (mean + root) / tau);
        self.stationary(Side::Below, low, high.min(0.5), square.sqrt())
    }

    /// A local minimum for pairs with `mean ≤ τ √square`.
    fn from_below(&self, square: f64) -> Option<Fit> {
        let low = self.least_spread();
        self.stationary(Side::Above, low, 0.5, square.sqrt().clamp(2.0 * low, 0.5))
    }

    /// The `r` below which no score has `hᵣ > 0`.
    fn least_spread(&self) -> f64 {
        0.25 * self.tau / (1.0 + (1.0 - self.tau * self.tau).sqrt())
    }

    /// The fit at a root of `E b² − r²`, which is positive at `low` and negative at `high`.
    fn stationary(&self, side: Side, low: f64, high: f64, start: f64) -> Option<Fit> {
        let r = falling_root(low..=high, start, CLOSE, |r| self.excess(side, r));
        let nearest = nearest(&self.shares, &self.tangent(side, r))?;
        Some(Fit { r, nearest })
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
        let Nearest {
            cost, multiplier, ..
        } = self.best.nearest;
        1e-11 / self.pairs + 4.0 * f64::EPSILON * (cost + multiplier)
    }

    /// Whether no spread of the stretch costs less than the one in hand.
    fn is_beaten(&self, low: f64, high: f64) -> bool {
        nearest(&self.parabola.shares, &self.parabola.chord(low, high))
            .is_none_or(|bound| bound.cost >= self.best.nearest.cost - 2.0 * self.tolerance())
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
        let here = nearest(
            &self.parabola.shares,
            &self.parabola.tangent(Side::Above, cut),
        );
        match here {
            Some(nearest) if nearest.cost < self.best.nearest.cost - self.tolerance() => {
                self.best = self.descend(Fit { r: cut, nearest })?;
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
    fn descend(&self, from: Fit) -> Option<Fit> {
        let Parabola { ref shares, .. } = *self.parabola;
        let _ = shares;
        let (excess, _) = self.parabola.excess(Side::Above, from.r);
        let (low, high) = if excess > 0.0 {
            (from.r, 0.5)
        } else {
            (self.parabola.least_spread(), from.r)
        };
        let found = self.parabola.stationary(Side::Above, low, high, from.r)?;
        Some(if found.nearest.cost <= from.nearest.cost {
            found
        } else {
            from
        })
    }
}
