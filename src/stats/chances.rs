//! How likely each pair score is when the difference in strength is known.

use super::estimate::{ELO_PER_SPREAD, SCORES, elo_of};
use super::root::falling_root;
use super::{Model, Pentanomial, logistic};

/// Differences in BayesElo, or tilts, are looked for within this.
const FARTHEST: f64 = 4000.0;

/// A difference in strength, in the Elo of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// What `elo` is in.
    pub model: Model,
    /// How much stronger the first engine is.
    pub elo: f64,
}

/// Why there are no chances to be had.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoChances {
    /// A draw ratio that leaves no room for the bias, or is outside 0 to 1.
    #[error(
        "a draw ratio of {draw_ratio} with a bias of {bias} Elo leaves no chance to win or to lose: lower one of them"
    )]
    Draws {
        /// As given.
        draw_ratio: f64,
        /// As given, in Elo.
        bias: f64,
    },
    /// Pairs that all scored the same cannot be shifted.
    #[error("pairs that all scored the same cannot be shifted to another difference")]
    Alike,
    /// No pair of this kind has so large a difference.
    #[error("no such pairs have a difference of {elo} {}", unit(*model))]
    TooFar {
        /// In what Elo.
        model: Model,
        /// The difference asked for.
        elo: f64,
    },
}

const fn unit(model: Model) -> &'static str {
    match model {
        Model::Logistic => "Elo",
        Model::Bayesian(_) => "BayesElo",
        Model::Normalized => "normalized Elo",
    }
}

/// What the games are like, apart from the difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions(Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Rao and Kupper's model, as BayesElo has it: win, draw and loss by logistic curves `draws` apart.
    Games { draws: f64, bias: f64 },
    /// Shares of pairs, tilted exponentially.
    Pairs([f64; 5]),
}

/// How likely a pair is to bring 0, ½, 1, 1½ and 2 points. Not negative, and they add up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairChances([f64; 5]);

impl Conditions {
    /// Games of which `draw_ratio` are drawn when engines are equal, and in which the opening is worth `bias` Elo to
    /// one side: the first engine in one game of a pair, the second in the other.
    ///
    /// # Errors
    ///
    /// [`NoChances::Draws`].
    pub fn games(draw_ratio: f64, bias: f64) -> Result<Self, NoChances> {
        let lead = logistic::score(bias) - 0.5;
        let win = (1.0 - draw_ratio) / 2.0 + lead;
        let loss = (1.0 - draw_ratio) / 2.0 - lead;
        if !(win > 0.0 && loss > 0.0 && (0.0..1.0).contains(&draw_ratio)) {
            return Err(NoChances::Draws { draw_ratio, bias });
        }
        Ok(Self(Kind::Games {
            draws: -f64::midpoint(elo_of(win), elo_of(loss)),
            bias: (elo_of(win) - elo_of(loss)) / 2.0,
        }))
    }

    /// Pairs like those that were played, shifted to another difference: the distribution nearest to theirs
    /// (in relative entropy) of all with the wanted one has weights `qᵢ exp(x aᵢ)`.
    ///
    /// # Errors
    ///
    /// [`NoChances::Alike`].
    pub fn like(pairs: Pentanomial) -> Result<Self, NoChances> {
        let counts = pairs.counts();
        if counts.iter().filter(|&&count| count > 0).count() < 2 {
            return Err(NoChances::Alike);
        }
        Ok(Self(Kind::Pairs(
            counts.map(|count| count as f64 / pairs.pairs() as f64),
        )))
    }

    /// The chances at a difference in strength.
    ///
    /// # Errors
    ///
    /// [`NoChances::TooFar`].
    pub fn at(&self, difference: Difference) -> Result<PairChances, NoChances> {
        let Difference { model, elo } = difference;
        let short = |shift: f64| elo - self.shifted(shift).elo(model);
        let shift = falling_root(-FARTHEST..=FARTHEST, 0.0, 1e-14, |shift| {
            (short(shift), f64::NAN)
        });
        if short(shift).abs() > 1e-6 {
            return Err(NoChances::TooFar { model, elo });
        }
        Ok(self.shifted(shift))
    }

    fn shifted(&self, shift: f64) -> PairChances {
        match self.0 {
            Kind::Games { draws, bias } => {
                let ahead = game(shift + bias, draws);
                let behind = game(shift - bias, draws);
                PairChances::of_games(ahead, behind)
            }
            Kind::Pairs(shares) => {
                // In units that make a shift about one Elo, and from the best score down, so that nothing overflows.
                let tilt = shift * std::f64::consts::LN_10 / 100.0;
                let top = if tilt > 0.0 { 1.0 } else { 0.0 };
                let mut weights = [0.0; 5];
                for i in 0..5 {
                    weights[i] = shares[i] * (tilt * (SCORES[i] - top)).exp();
                }
                let whole: f64 = weights.iter().sum();
                PairChances(weights.map(|weight| weight / whole))
            }
        }
    }
}

/// Chances to lose, draw and win a game.
fn game(shift: f64, draws: f64) -> [f64; 3] {
    let (win, loss) = (
        logistic::score(shift - draws),
        logistic::score(-shift - draws),
    );
    [loss, 1.0 - win - loss, win]
}

impl PairChances {
    fn of_games(first: [f64; 3], second: [f64; 3]) -> Self {
        let mut chances = [0.0; 5];
        for (i, one) in first.into_iter().enumerate() {
            for (j, other) in second.into_iter().enumerate() {
                chances[i + j] += one * other;
            }
        }
        Self(chances)
    }

    /// By score, the lowest first.
    #[must_use]
    pub const fn by_score(&self) -> [f64; 5] {
        self.0
    }

    /// Mean score of a pair, 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.0
            .iter()
            .zip(SCORES)
            .map(|(chance, score)| chance * score)
            .sum()
    }

    /// Variance of a pair's score.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        self.0
            .iter()
            .zip(SCORES)
            .map(|(chance, score)| chance * (score - mean).powi(2))
            .sum()
    }

    /// The difference in strength they come from.
    #[must_use]
    pub fn elo(&self, model: Model) -> f64 {
        match model {
            Model::Logistic => elo_of(self.score()),
            Model::Bayesian(draws) => draws.of_logistic(elo_of(self.score())),
            Model::Normalized => {
                (self.score() - 0.5) / (2.0 * self.variance()).sqrt() * ELO_PER_SPREAD
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nelo(elo: f64) -> Difference {
        let model = Model::Normalized;
        Difference { model, elo }
    }

    #[test]
    fn games_of_known_figures() {
        // From a table of simulated tests made elsewhere with the same model.
        for (draw_ratio, bias, elo, want) in [
            (
                0.61,
                0.0,
                -5.0,
                [
                    0.039_813_360_228,
                    0.243_398_771_595,
                    0.448_044_500_413,
                    0.232_435_739_398,
                    0.036_307_628_366,
                ],
            ),
            (
                0.49,
                191.0,
                15.0,
                [
                    0.002_146_309_093,
                    0.228_995_368_798,
                    0.494_383_462_275,
                    0.271_698_901_468,
                    0.002_775_958_366,
                ],
            ),
        ] {
            let chances = Conditions::games(draw_ratio, bias)
                .unwrap()
                .at(nelo(elo))
                .unwrap();
            for (got, want) in chances.by_score().into_iter().zip(want) {
                assert!((got - want).abs() < 1e-11, "{got} for {want}");
            }
        }
    }

    #[test]
    fn pairs_are_shifted_to_what_is_asked() {
        let like = Conditions::like(Pentanomial::new([3, 40, 100, 50, 0])).unwrap();
        for model in [Model::Logistic, Model::Normalized] {
            for elo in [-50.0, 0.0, 3.5, 80.0] {
                let chances = like.at(Difference { model, elo }).unwrap();
                assert!((chances.elo(model) - elo).abs() < 1e-9);
                assert_eq!(chances.by_score()[4], 0.0);
                assert!((chances.by_score().iter().sum::<f64>() - 1.0).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (draw_ratio, bias) in [
            (1.0, 0.0),
            (-0.1, 0.0),
            (0.9, 100.0),
            (f64::NAN, 0.0),
            (0.5, f64::NAN),
        ] {
            assert!(
                Conditions::games(draw_ratio, bias).is_err(),
                "{draw_ratio} {bias}"
            );
        }
        assert_eq!(
            Conditions::like(Pentanomial::new([0, 0, 9, 0, 0])),
            Err(NoChances::Alike)
        );
        let like = Conditions::like(Pentanomial::new([1, 0, 9, 1, 0])).unwrap();
        let too_far = like.at(Difference {
            model: Model::Logistic,
            elo: 500.0,
        });
        assert!(matches!(too_far, Err(NoChances::TooFar { .. })));
    }
}
