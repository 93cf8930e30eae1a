//! The figures as fastchess prints them.

use statrs::function::erf::erf;

use super::Pentanomial;
use super::estimate::{ELO_PER_SPREAD, elo_of, mean_score, variance};

/// Standard errors on either side of the mean that hold 95 % of a normal distribution.
const WIDTH: f64 = 1.959_963_984_540_054;

/// What fastchess reports for the same pairs.
///
/// It differs from [`Estimate`](super::Estimate) in the width of its interval, which is taken at the ends of
/// the score's interval and not along the slope, and in what it does when nothing can be measured: a
/// quotient without a value is infinite or not a number here, as it is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FastchessFigures {
    /// Logistic Elo of the mean score.
    pub elo: f64,
    /// Half the distance, in Elo, between the ends of the score's 95 % interval; not a number when an end
    /// is no score.
    pub elo_error: f64,
    /// Normalized Elo.
    pub nelo: f64,
    /// Half width of its 95 % interval.
    pub nelo_error: f64,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
    /// Share of pairs that were even, 0 to 1: not of drawn games.
    pub draw_ratio: f64,
    /// Pairs won over pairs lost.
    pub pairs_ratio: f64,
    /// Even pairs with a win and a loss over those with two draws.
    pub wl_dd_ratio: f64,
}

impl FastchessFigures {
    /// The figures of these pairs, of which `wl` were even through a win and a loss (more than the even pairs
    /// counts as all of them).
    #[must_use]
    pub fn of(pairs: Pentanomial, wl: u64) -> Self {
        let [ll, ld, even, wd, ww] = pairs.counts();
        let n = pairs.pairs() as f64;
        let score = mean_score(pairs);
        let variance = variance(pairs, score);
        let reach = WIDTH * (variance / n).sqrt();
        let nelo = |score: f64| (score - 0.5) / (2.0 * variance).sqrt() * ELO_PER_SPREAD;
        let wl = wl.min(even);
        Self {
            elo: elo_of(score),
            elo_error: (elo_of(score + reach) - elo_of(score - reach)) / 2.0,
            nelo: nelo(score),
            nelo_error: (nelo(score + reach) - nelo(score - reach)) / 2.0,
            los: (1.0 + erf((score - 0.5) / (2.0 * variance / n).sqrt())) / 2.0,
            draw_ratio: even as f64 / n,
            pairs_ratio: (ww + wd) as f64 / (ll + ld) as f64,
            wl_dd_ratio: wl as f64 / (even - wl) as f64,
        }
    }
}
