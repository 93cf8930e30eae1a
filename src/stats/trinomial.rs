//! Counts of single games, for results that are not known pair by pair.

use statrs::function::erf::erf;

use super::estimate::{ELO_PER_SPREAD, elo_of};
use super::fastchess::longer_way;
use super::root::falling_root;
use super::{Model, Sprt};

/// Standard errors on either side of the mean that hold 95 % of a normal distribution.
const WIDTH: f64 = 1.959_963_984_540_054;

/// Games a result is taken to have come up in when it did not at all.
const UNSEEN: f64 = 0.001;

/// Places at which the likelihood is looked at before the best is refined.
const GRID: u32 = 2000;

/// Games lost, drawn and won by the first engine.
///
/// The two games of a pair depend on each other, so margins over games are too wide or too narrow; use
/// [`Pentanomial`](super::Pentanomial) wherever the pairs are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trinomial {
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won.
    pub wins: u64,
}

/// What match runners report over games. A quotient without a value is infinite or not a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameFigures {
    /// Logistic Elo of the mean score.
    pub elo: f64,
    /// Half the distance, in Elo, between the ends of the score's 95 % interval.
    pub elo_error: f64,
    /// The longer way, in Elo, from the mean score to an end of its interval.
    pub elo_reach: f64,
    /// Normalized Elo.
    pub nelo: f64,
    /// Half width of its 95 % interval.
    pub nelo_error: f64,
    /// Likelihood of superiority, 0 to 1, from the mean score and its spread.
    pub los: f64,
    /// The same from decided games only, as cutechess gives it.
    pub decided_los: f64,
    /// Share of drawn games, 0 to 1.
    pub draw_ratio: f64,
}

impl Trinomial {
    /// All games.
    #[must_use]
    pub const fn games(self) -> u64 {
        self.losses + self.draws + self.wins
    }

    /// The first engine's points.
    #[must_use]
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Elo, its margin and what goes with them.
    #[must_use]
    pub fn figures(self) -> GameFigures {
        let games = self.games() as f64;
        let score = self.points() / games;
        let squares = (self.wins as f64 + self.draws as f64 / 4.0) / games;
        let spread = (squares - score * score).max(0.0).sqrt();
        let reach = WIDTH * spread / games.sqrt();
        let (wins, losses) = (self.wins as f64, self.losses as f64);
        GameFigures {
            elo: elo_of(score),
            elo_error: (elo_of(score + reach) - elo_of(score - reach)) / 2.0,
            elo_reach: longer_way(score, reach),
            nelo: (score - 0.5) / spread * ELO_PER_SPREAD,
            nelo_error: WIDTH * ELO_PER_SPREAD / games.sqrt(),
            los: normal((score - 0.5) / spread * games.sqrt()),
            decided_los: normal((wins - losses) / (wins + losses).sqrt()),
            draw_ratio: self.draws as f64 / games,
        }
    }

    /// The generalized log likelihood ratio of the test's H1 over its H0; nought without a game.
    ///
    /// A result that never came up counts as a thousandth of a game.
    #[must_use]
    pub fn llr(self, test: &Sprt) -> f64 {
        if self.games() == 0 {
            return 0.0;
        }
        let counts = [self.losses, self.draws, self.wins];
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let greatest = |elo: f64| match test.model() {
            Model::Logistic => with_mean(&counts, 1.0 / (1.0 + 10_f64.powf(-elo / 400.0))),
            Model::Normalized => with_t_value(&counts, elo / ELO_PER_SPREAD),
            Model::Bayesian(draws) => log_likelihood(&counts, draws.chances(elo)),
        };
        greatest(test.elo1()) - greatest(test.elo0())
    }
}

/// Φ, the chance that a standard normal value is below `z`.
fn normal(z: f64) -> f64 {
    (1.0 + erf(z / std::f64::consts::SQRT_2)) / 2.0
}

/// Log likelihood of the counts when losses, draws and wins have these chances; minus infinity when one is not above nought.
fn log_likelihood(counts: &[f64; 3], chances: [f64; 3]) -> f64 {
    if chances.iter().any(|chance| *chance <= 0.0) {
        return f64::NEG_INFINITY;
    }
    let parts = counts.iter().zip(chances);
    parts.map(|(count, chance)| count * chance.ln()).sum()
}

/// The greatest log likelihood of any distribution with this mean score.
///
/// With `d` the chance of a draw, a win has `mean − d/2` and a loss `1 − mean − d/2`: one unknown, in which the likelihood
/// has one maximum.
fn with_mean(counts: &[f64; 3], mean: f64) -> f64 {
    let [losses, draws, wins] = *counts;
    let chances = |draw: f64| [1.0 - mean - draw / 2.0, draw, mean - draw / 2.0];
    let most = 2.0 * mean.min(1.0 - mean);
    let draw = falling_root(0.0..=most, most / 2.0, 1e-15, |draw| {
        let [loss, _, win] = chances(draw);
        let slope = draws / draw - losses / (2.0 * loss) - wins / (2.0 * win);
        let bend = draws / (draw * draw) + losses / (4.0 * loss * loss) + wins / (4.0 * win * win);
        (slope, -bend)
    });
    log_likelihood(counts, chances(draw))
}

/// The greatest log likelihood of any distribution whose mean lies `t` standard deviations above a half.
///
/// With `s` the standard deviation the mean is `½ + t s`, the mean square `s² + mean²`, and these two give all three
/// chances. The likelihood may have several maxima in `s`, so all of its range is looked at.
fn with_t_value(counts: &[f64; 3], t: f64) -> f64 {
    let at = |spread: f64| {
        let mean = 0.5 + t * spread;
        let draw = 4.0 * (mean - mean * mean - spread * spread);
        let win = mean - draw / 2.0;
        log_likelihood(counts, [1.0 - win - draw, draw, win])
    };
    let place = |step: u32| 0.5 * f64::from(step) / f64::from(GRID);
    let best = (1..GRID)
        .max_by(|one, other| at(place(*one)).total_cmp(&at(place(*other))))
        .expect("the grid has many places");
    at(greatest(place(best - 1), place(best + 1), at))
}

/// Where a function with one maximum between `low` and `high` has it, by golden sections.
fn greatest(mut low: f64, mut high: f64, at: impl Fn(f64) -> f64) -> f64 {
    let section = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..80 {
        let (left, right) = (high - section * (high - low), low + section * (high - low));
        if at(left) < at(right) {
            low = left;
        } else {
            high = right;
        }
    }
    low.midpoint(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_a_cutechess_match() {
        let games = Trinomial {
            losses: 179,
            draws: 606,
            wins: 491,
        };
        let figures = games.figures();
        let shown = format!(
            "{:.1} +/- {:.1}, LOS: {:.1} %, DrawRatio: {:.1} %",
            figures.elo,
            figures.elo_error,
            100.0 * figures.decided_los,
            100.0 * figures.draw_ratio
        );
        assert_eq!(shown, "86.7 +/- 13.8, LOS: 100.0 %, DrawRatio: 47.5 %");
    }

    #[test]
    fn the_mirror_image_has_the_opposite_ratio() {
        for (model, counts) in [
            (Model::Logistic, [120, 300, 90]),
            (Model::Normalized, [120, 300, 90]),
            (Model::Normalized, [0, 10, 5]),
        ] {
            let [losses, draws, wins] = counts;
            let (up, down) = (
                Sprt::new(model, -1.0, 4.0, 0.05, 0.05).unwrap(),
                Sprt::new(model, -4.0, 1.0, 0.05, 0.05).unwrap(),
            );
            let there = Trinomial {
                losses,
                draws,
                wins,
            };
            let back = Trinomial {
                losses: wins,
                draws,
                wins: losses,
            };
            assert!((there.llr(&up) + back.llr(&down)).abs() < 1e-9);
            assert_eq!(Trinomial::default().llr(&up), 0.0);
        }
    }
}
