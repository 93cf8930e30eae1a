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

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(counts: [u64; 5], wl: u64) -> String {
        let figures = FastchessFigures::of(Pentanomial::new(counts), wl);
        let FastchessFigures {
            elo,
            elo_error,
            nelo,
            nelo_error,
            los,
            draw_ratio,
            pairs_ratio,
            wl_dd_ratio,
        } = figures;
        format!(
            "Elo: {elo:.2} +/- {elo_error:.2}, nElo: {nelo:.2} +/- {nelo_error:.2}\n\
             LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {pairs_ratio:.2}, WL/DD Ratio: {wl_dd_ratio:.2}",
            los * 100.0,
            draw_ratio * 100.0,
        )
    }

    /// As fastchess 1.8 printed for a match of these pairs.
    #[test]
    fn an_ordinary_match() {
        insta::assert_snapshot!(printed([2, 0, 10, 12, 6], 8), @r"
        Elo: 120.41 +/- 72.06, nElo: 161.99 +/- 87.91
        LOS: 99.98 %, DrawRatio: 33.33 %, PairsRatio: 9.00, WL/DD Ratio: 4.00
        ");
    }

    /// As fastchess printed for a match of these pairs: an interval that leaves the scores has no width.
    #[test]
    fn a_lopsided_match() {
        insta::assert_snapshot!(printed([0, 0, 2, 0, 37], 2), @r"
        Elo: 631.91 +/- NaN, nElo: 1056.68 +/- 77.10
        LOS: 100.00 %, DrawRatio: 5.13 %, PairsRatio: inf, WL/DD Ratio: inf
        ");
    }

    #[test]
    fn nothing_but_even_pairs() {
        insta::assert_snapshot!(printed([0, 0, 4, 0, 0], 1), @r"
        Elo: -0.00 +/- 0.00, nElo: NaN +/- NaN
        LOS: NaN %, DrawRatio: 100.00 %, PairsRatio: NaN, WL/DD Ratio: 0.33
        ");
    }

    #[test]
    fn a_clean_sweep() {
        insta::assert_snapshot!(printed([0, 0, 0, 0, 3], 0), @r"
        Elo: inf +/- NaN, nElo: inf +/- NaN
        LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf, WL/DD Ratio: NaN
        ");
    }
}
