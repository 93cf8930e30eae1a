//! BayesElo: results by logistic curves a draw's worth apart.
//!
//! ```text
//! W = 1 / (1 + 10^((d − e)/400))    L = 1 / (1 + 10^((d + e)/400))    D = 1 − W − L
//! ```
//!
//! with `e` the difference in BayesElo and `d` the draw Elo (R. Coulom, *BayesElo*; the law is Rao and Kupper's,
//! *Ties in paired-comparison experiments*, Journal of the American Statistical Association 62, 1967). The more
//! draws, the less a BayesElo is worth in logistic Elo.

use super::Trinomial;
use super::estimate::elo_of;
use super::root::falling_crossing;

/// Games a result is taken to have come up in when it did not at all.
const UNSEEN: f64 = 0.001;

/// How far apart the curves of win and loss are, in Elo: half the width of a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DrawElo(f64);

impl DrawElo {
    /// That of games with such shares of wins and losses: `200 log₁₀((1 − L)/L · (1 − W)/W)`. Without a game it is
    /// nought, which stands for no draws. A result that never came up counts as a thousandth of a game.
    #[must_use]
    pub fn of(games: Trinomial) -> Self {
        if games.games() == 0 {
            return Self::default();
        }
        let counts = [games.losses, games.draws, games.wins];
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let whole: f64 = counts.iter().sum();
        let [losses, _, wins] = counts.map(|count| count / whole);
        let odds = (1.0 - losses) / losses * (1.0 - wins) / wins;
        Self(200.0 * odds.log10())
    }

    /// The draw Elo itself, as a report gives it; `None` beyond ±4000, which no games come to.
    #[must_use]
    pub fn new(elo: f64) -> Option<Self> {
        (elo.abs() <= 4000.0).then_some(Self(elo))
    }

    /// The draw Elo itself.
    #[must_use]
    pub const fn elo(self) -> f64 {
        self.0
    }

    /// Chances to lose, draw and win at a difference of so many BayesElo.
    #[must_use]
    pub fn chances(self, bayes_elo: f64) -> [f64; 3] {
        let chance = |elo: f64| 1.0 / (1.0 + 10_f64.powf(elo / 400.0));
        let (win, loss) = (chance(self.0 - bayes_elo), chance(self.0 + bayes_elo));
        [loss, 1.0 - win - loss, win]
    }

    /// The logistic Elo that a difference in BayesElo comes to: that of its expected score.
    #[must_use]
    pub fn logistic(self, bayes_elo: f64) -> f64 {
        let [_, draw, win] = self.chances(bayes_elo);
        elo_of(win + draw / 2.0)
    }

    /// The difference in BayesElo that comes to so much logistic Elo, within ±10,000.
    pub(super) fn of_logistic(self, elo: f64) -> f64 {
        falling_crossing(-1e4..=1e4, elo, 10.0, 1e-9, |bayes_elo| {
            elo - self.logistic(bayes_elo)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn games(losses: u64, draws: u64, wins: u64) -> Trinomial {
        Trinomial {
            losses,
            draws,
            wins,
        }
    }

    #[test]
    fn a_bayes_elo_is_worth_less_the_more_draws_there_are() {
        let few = DrawElo::of(games(400, 200, 400)).logistic(10.0);
        let many = DrawElo::of(games(100, 800, 100)).logistic(10.0);
        assert!(many < few && few < 10.0, "{many} {few}");
        assert!((DrawElo::default().logistic(10.0) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn results_that_never_came_up_leave_a_number() {
        for counts in [(0, 10, 0), (10, 0, 0), (0, 0, 10), (5, 0, 5), (0, 0, 0)] {
            let draw_elo = DrawElo::of(games(counts.0, counts.1, counts.2));
            assert!(draw_elo.elo().is_finite(), "{counts:?}");
            assert!(draw_elo.logistic(1000.0).is_finite(), "{counts:?}");
        }
    }

    proptest! {
        #[test]
        fn chances_are_those_of_the_games(losses in 1_u64..5000, draws in 1_u64..5000, wins in 1_u64..5000) {
            let sample = games(losses, draws, wins);
            let draw_elo = DrawElo::of(sample);
            let whole = sample.games() as f64;
            let (w, l) = (wins as f64 / whole, losses as f64 / whole);
            let bayes = 200.0 * (w / l * (1.0 - l) / (1.0 - w)).log10();
            let [loss, draw, win] = draw_elo.chances(bayes);
            prop_assert!((loss - l).abs() < 1e-12 && (win - w).abs() < 1e-12);
            prop_assert!((draw - draws as f64 / whole).abs() < 1e-12);
            prop_assert!((draw_elo.logistic(-bayes) + draw_elo.logistic(bayes)).abs() < 1e-9);
            prop_assert!((draw_elo.of_logistic(draw_elo.logistic(bayes)) - bayes).abs() < 1e-6);
        }
    }
}
