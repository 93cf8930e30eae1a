//! One engine's rating, from its games against opponents whose ratings are known.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::Record;
use super::expectation::{ELO_PER_UNIT, WIDTH, expected, log_expected};
use crate::stats::root::falling_root;

/// Confidence of every interval and bound here.
pub const CONFIDENCE: f64 = 0.95;

/// The 95 % point of χ² with one degree of freedom: what twice the log likelihood may lose within an interval.
const DEVIANCE: f64 = 3.841_458_820_694_124;

/// An implied rating is this far from the opponent's when every point went one way.
const LIMIT: f64 = 1200.0;

/// An opponent and what the engine did against it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    rating: f64,
    record: Record,
}

impl Rung {
    /// `None` without a game, or when the rating is not finite.
    #[must_use]
    pub fn new(rating: f64, record: Record) -> Option<Self> {
        (rating.is_finite() && record.games() > 0).then_some(Self { rating, record })
    }

    /// The opponent's rating in Elo.
    #[must_use]
    pub const fn rating(&self) -> f64 {
        self.rating
    }

    /// The engine's games against it.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// Points over games, 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.record.points() / self.games()
    }

    /// The rating these games alone imply: `rating − 400 log₁₀(1/score − 1)`, and 1200 above or below the opponent where
    /// every point went one way.
    #[must_use]
    pub fn implied(&self) -> f64 {
        let score = self.score();
        if score >= 1.0 {
            self.rating + LIMIT
        } else if score <= 0.0 {
            self.rating - LIMIT
        } else {
            self.rating - 400.0 * (1.0 / score - 1.0).log10()
        }
    }

    fn games(&self) -> f64 {
        self.record.games() as f64
    }

    /// Points expected of one game at a rating of `rating`.
    fn expected(&self, rating: f64) -> f64 {
        expected((rating - self.rating) / ELO_PER_UNIT)
    }

    /// How steeply the points rise with the rating, a unit of the natural scale.
    fn weight(&self, rating: f64) -> f64 {
        let score = self.expected(rating);
        self.games() * score * (1.0 - score)
    }

    /// Log likelihood of the points at a rating; a draw is half a win and half a loss.
    fn log_likelihood(&self, rating: f64) -> f64 {
        let difference = (rating - self.rating) / ELO_PER_UNIT;
        let points = self.record.points();
        let given = self.games() - points;
        // Nought times an infinite logarithm would be no number.
        let part = |points: f64, x| {
            if points > 0.0 {
                points * log_expected(x)
            } else {
                0.0
            }
        };
        part(points, difference) + part(given, -difference)
    }
}

/// What a gauntlet says of the engine's rating.
#[derive(Clone, Debug, PartialEq)]
pub enum Gauntlet {
    /// There is a likeliest rating.
    Rated(Rated),
    /// Every point was won: the rating has no upper end.
    Above(Bound),
    /// Every point was lost: the rating has no lower end.
    Below(Bound),
}

/// What is known where every point went one way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The strongest opponent that was beaten, or the weakest that was lost to.
    pub opponent: f64,
    /// The rating at which so one-sided a gauntlet has a chance of 1 − [`CONFIDENCE`]: the end of a one-sided interval of
    /// that confidence.
    pub rating: f64,
}

/// The likeliest rating and how sure it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// The likeliest rating: there the points expected of all games are those won.
    pub rating: f64,
    /// Half width of the 95 % interval, were no two games to do with each other.
    pub margin: f64,
    /// The same from pairs, whose two games share an opening; `None` without a pair.
    pub pair_margin: Option<f64>,
    /// No game deviates from its opponent's mean score, so [`margin`](Self::margin) takes the spread from the model.
    pub modelled: bool,
    /// Lower end of the 95 % interval by profile likelihood.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Whether the opponents agree; `None` with one opponent.
    pub agreement: Option<Agreement>,
    /// For each opponent how far the points are from those expected, in standard errors; `None` with one opponent,
    /// which the rating fits exactly.
    pub residuals: Vec<Option<f64>>,
}

/// A χ² test of whether one rating describes the results against all opponents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// Sum over opponents of the squared difference in points, over the variance.
    pub chi_square: f64,
    /// Degrees of freedom: one less than opponents.
    pub degrees: u64,
    /// Chance of so large a sum if one rating does describe them.
    pub p_value: f64,
}

impl Agreement {
    fn new(chi_square: f64, degrees: u64) -> Self {
        let law = ChiSquared::new(degrees as f64).expect("one degree of freedom or more");
        let p_value = law.sf(chi_square);
        Self {
            chi_square,
            degrees,
            p_value,
        }
    }

    /// Whether the sum is past about its 95 % point, after Wilson and Hilferty (*The distribution of chi-square*, 1931).
    #[must_use]
    pub fn disagrees(&self) -> bool {
        let degrees = self.degrees as f64;
        let spread = 2.0 / (9.0 * degrees);
        self.chi_square > degrees * (1.0 - spread + 1.645 * spread.sqrt()).powi(3)
    }
}

impl Gauntlet {
    /// The rating from these opponents; `None` without one.
    ///
    /// With `E(o) = 1 / (1 + 10^((o − r)/400))` the rating `r` solves `Σ games E = points`. Its error is the spread of
    /// the points about each opponent's mean over the slope `Σ games E (1 − E) ln 10 / 400`.
    #[must_use]
    pub fn fit(rungs: &[Rung]) -> Option<Self> {
        if rungs.is_empty() {
            return None;
        }
        let points: f64 = rungs.iter().map(|rung| rung.record.points()).sum();
        let games: f64 = rungs.iter().map(Rung::games).sum();
        let ratings = || rungs.iter().map(Rung::rating);
        Some(if points <= 0.0 {
            let opponent = ratings().fold(f64::INFINITY, f64::min);
            let rating = one_sided(rungs);
            Self::Below(Bound { opponent, rating })
        } else if points >= games {
            let opponent = ratings().fold(f64::NEG_INFINITY, f64::max);
            let rating = one_sided(rungs);
            Self::Above(Bound { opponent, rating })
        } else {
            Self::Rated(Rated::fit(rungs, points, games))
        })
    }
}

impl Rated {
    fn fit(rungs: &[Rung], points: f64, games: f64) -> Self {
        let rating = likeliest(rungs, points);
        let slope: f64 = rungs.iter().map(|rung| rung.weight(rating)).sum();
        let of_games: f64 = rungs.iter().map(|rung| rung.record.spread()).sum();
        let of_pairs: f64 = rungs.iter().map(|rung| rung.record.spread_of_pairs()).sum();
        let pairs: u64 = rungs.iter().map(|rung| rung.record.pairs()).sum();
        let modelled = of_games <= 0.0;
        let or_model = |spread: f64| if spread > 0.0 { spread } else { slope };
        let margin = |spread: f64| WIDTH * or_model(spread).sqrt() / slope * ELO_PER_UNIT;
        let spread = or_model(of_games);
        let measured = or_model(if pairs > 0 { of_pairs } else { of_games });
        let [low, high] = likely(rungs, rating, DEVIANCE * measured / slope);
        let variance = spread / games;
        Self {
            rating,
            margin: margin(of_games),
            pair_margin: (pairs > 0).then(|| margin(of_pairs)),
            modelled,
            low,
            high,
            agreement: agreement(rungs, rating, variance),
            residuals: residuals(rungs, rating, slope, variance),
        }
    }
}

/// The rating at which the expected points are those won, neither none nor all.
fn likeliest(rungs: &[Rung], points: f64) -> f64 {
    falling_root(reach(rungs), mean_rating(rungs), 1e-15, |rating| {
        let expected: f64 = rungs
            .iter()
            .map(|rung| rung.games() * rung.expected(rating))
            .sum();
        let slope: f64 = rungs.iter().map(|rung| rung.weight(rating)).sum();
        (points - expected, -slope / ELO_PER_UNIT)
    })
}

/// Ratings beyond which less than half a point is expected of all games, or of the opponents.
fn reach(rungs: &[Rung]) -> std::ops::RangeInclusive<f64> {
    let games: f64 = rungs.iter().map(Rung::games).sum();
    let beyond = 400.0 * (2.0 * games).log10() + 1.0;
    let lowest = rungs.iter().map(Rung::rating).fold(f64::INFINITY, f64::min);
    let highest = rungs
        .iter()
        .map(Rung::rating)
        .fold(f64::NEG_INFINITY, f64::max);
    lowest - beyond..=highest + beyond
}

fn mean_rating(rungs: &[Rung]) -> f64 {
    rungs.iter().map(Rung::rating).sum::<f64>() / rungs.len() as f64
}

fn log_likelihood(rungs: &[Rung], rating: f64) -> f64 {
    rungs.iter().map(|rung| rung.log_likelihood(rating)).sum()
}

/// The ratings at which twice the log likelihood has fallen by `deviance` from its greatest value, at `rating`.
///
/// The likelihood takes a draw for half a win and half a loss, and so for more spread than there is; the caller stretches
/// the deviance by the measured spread over the model's (Wedderburn, *Quasi-likelihood functions*, Biometrika 61, 1974).
fn likely(rungs: &[Rung], rating: f64, deviance: f64) -> [f64; 2] {
    let least = log_likelihood(rungs, rating) - deviance / 2.0;
    let mut far = ELO_PER_UNIT;
    while log_likelihood(rungs, rating + far).max(log_likelihood(rungs, rating - far)) > least {
        far *= 2.0;
    }
    [-1.0, 1.0].map(|side| {
        let away = falling_root(0.0..=far, far / 2.0, 1e-13, |away| {
            let beyond = log_likelihood(rungs, rating + side * away) - least;
            (beyond, f64::NAN)
        });
        rating + side * away
    })
}

/// The rating at which winning (or losing) every point has a chance of 1 − [`CONFIDENCE`].
fn one_sided(rungs: &[Rung]) -> f64 {
    let least = (1.0 - CONFIDENCE).ln();
    let won = rungs.iter().all(|rung| rung.record.points() > 0.0);
    let chance = |rating: f64| log_likelihood(rungs, rating);
    let mut far = ELO_PER_UNIT;
    let middle = mean_rating(rungs);
    while chance(middle - far).min(chance(middle + far)) > least
        || chance(middle - far).max(chance(middle + far)) < least
    {
        far *= 2.0;
    }
    falling_root(middle - far..=middle + far, middle, 1e-15, |rating| {
        let more = chance(rating) - least;
        (if won { -more } else { more }, f64::NAN)
    })
}

fn agreement(rungs: &[Rung], rating: f64, variance: f64) -> Option<Agreement> {
    let degrees = rungs.len() as u64 - 1;
    let part = |rung: &Rung| {
        let games = rung.games();
        let off = rung.record.points() - games * rung.expected(rating);
        off * off / (games * variance)
    };
    (degrees > 0).then(|| Agreement::new(rungs.iter().map(part).sum(), degrees))
}

/// Adjusted residuals: the rating follows each opponent's games by their share of the slope, and so far they cannot differ.
fn residuals(rungs: &[Rung], rating: f64, slope: f64, variance: f64) -> Vec<Option<f64>> {
    let one = |rung: &Rung| {
        let games = rung.games();
        let off = rung.record.points() - games * rung.expected(rating);
        let free = 1.0 - rung.weight(rating) / slope;
        let residual = off / (games * variance * free).sqrt();
        (rungs.len() > 1 && residual.is_finite()).then_some(residual)
    };
    rungs.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::singles;
    use super::*;
    use proptest::prelude::*;

    fn rung(rating: f64, wins: u64, draws: u64, losses: u64) -> Rung {
        Rung::new(rating, singles(wins, draws, losses)).unwrap()
    }

    #[track_caller]
    fn rated(rungs: &[Rung]) -> Rated {
        match Gauntlet::fit(rungs) {
            Some(Gauntlet::Rated(rated)) => rated,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_rung_needs_games_and_a_rating() {
        assert_eq!(Rung::new(f64::NAN, singles(1, 0, 0)), None);
        assert_eq!(Rung::new(f64::INFINITY, singles(1, 0, 0)), None);
        assert_eq!(Rung::new(1600.0, Record::default()), None);
        assert_eq!(Gauntlet::fit(&[]), None);
    }

    #[test]
    fn seven_wins_a_draw_and_two_losses() {
        let rated = rated(&[rung(1600.0, 7, 1, 2)]);
        assert!((rated.rating - 1_790.848_501_887_865).abs() < 1e-9);
        assert!((rated.margin - 231.486_561_825_380_5).abs() < 1e-9);
        assert_eq!(rated.pair_margin, None);
        assert_eq!(rated.agreement, None);
        assert_eq!(rated.residuals, [None]);
    }

    #[test]
    fn the_interval_leans_away_from_the_opponents() {
        let ahead = rated(&[rung(1600.0, 19, 1, 0)]);
        let (down, up) = (ahead.rating - ahead.low, ahead.high - ahead.rating);
        assert!(up > 1.5 * down, "{ahead:?}");
        let even = rated(&[rung(1600.0, 8, 4, 8)]);
        assert!((even.high - 1600.0 + (even.low - 1600.0)).abs() < 1e-6);
        assert!((even.high - even.rating - even.margin).abs() < 0.05 * even.margin);
    }

    #[test]
    fn a_sweep_has_a_bound_at_which_it_has_a_chance_of_five_in_a_hundred() {
        let rungs = [rung(1600.0, 6, 0, 0), rung(1700.0, 4, 0, 0)];
        let Some(Gauntlet::Above(bound)) = Gauntlet::fit(&rungs) else {
            panic!("every point was won");
        };
        let chance: f64 = rungs
            .iter()
            .map(|rung| rung.expected(bound.rating).powf(rung.games()))
            .product();
        assert!((chance - 0.05).abs() < 1e-9);
        assert_eq!(bound.opponent, 1700.0);
        let lost = [rung(1700.0, 0, 0, 6), rung(1600.0, 0, 0, 4)];
        let Some(Gauntlet::Below(below)) = Gauntlet::fit(&lost) else {
            panic!("every point was lost");
        };
        assert_eq!(below.opponent, 1600.0);
        assert!((below.rating + bound.rating - 3300.0).abs() < 1e-6);
        // Three games won: 0.05^(1/3) of a point a game.
        let Some(Gauntlet::Above(three)) = Gauntlet::fit(&[rung(0.0, 3, 0, 0)]) else {
            panic!("every point was won");
        };
        let score: f64 = 0.05_f64.cbrt();
        assert!((three.rating + 400.0 * (1.0 / score - 1.0).log10()).abs() < 1e-9);
    }

    #[test]
    fn the_figure_may_be_far_from_every_opponent() {
        let rated = rated(&[rung(1000.0, 99_999, 1, 0)]);
        assert!((rated.rating - 1000.0 - 400.0 * (199_999_f64).log10()).abs() < 1e-6);
        assert!(rated.low.is_finite() && rated.high.is_finite());
    }

    #[test]
    fn opponents_that_disagree_are_told() {
        let torn = rated(&[rung(1600.0, 10, 0, 0), rung(1600.0, 1, 1, 8)]);
        let agreement = torn.agreement.unwrap();
        assert!(agreement.disagrees() && agreement.p_value < 0.05);
        let [Some(first), Some(second)] = torn.residuals[..] else {
            panic!("{torn:?}");
        };
        assert!(first > 2.0 && (first + second).abs() < 1e-6);
        let alike = rated(&[rung(1600.0, 6, 0, 4), rung(1700.0, 4, 0, 6)]);
        let agreement = alike.agreement.unwrap();
        assert!(!agreement.disagrees() && agreement.p_value > 0.5);
    }

    proptest! {
        #[test]
        fn the_mirror_image_has_the_mirrored_rating(
            counts in prop::collection::vec((0u64..20, 0u64..20, 0u64..20, -300.0..300.0f64), 1..5)
        ) {
            let there: Vec<Rung> = counts.iter().filter_map(|&(w, d, l, at)| Rung::new(at, singles(w, d, l))).collect();
            let back: Vec<Rung> = counts.iter().filter_map(|&(w, d, l, at)| Rung::new(-at, singles(l, d, w))).collect();
            match (Gauntlet::fit(&there), Gauntlet::fit(&back)) {
                (Some(Gauntlet::Rated(one)), Some(Gauntlet::Rated(other))) => {
                    prop_assert!((one.rating + other.rating).abs() < 1e-6);
                    prop_assert!((one.margin - other.margin).abs() < 1e-6 * one.margin);
                    prop_assert!((one.low + other.high).abs() < 1e-4);
                    prop_assert!(one.low < one.rating && one.rating < one.high);
                }
                (Some(Gauntlet::Above(one)), Some(Gauntlet::Below(other))) => prop_assert!((one.rating + other.rating).abs() < 1e-6),
                (Some(Gauntlet::Below(one)), Some(Gauntlet::Above(other))) => prop_assert!((one.rating + other.rating).abs() < 1e-6),
                (one, other) => prop_assert_eq!((one, other), (None, None)),
            }
        }

        #[test]
        fn more_games_of_the_same_kind_narrow_the_interval(wins in 1u64..20, draws in 0u64..20, losses in 1u64..20) {
            let once = rated(&[rung(0.0, wins, draws, losses)]);
            let thrice = rated(&[rung(0.0, 3 * wins, 3 * draws, 3 * losses)]);
            prop_assert!(thrice.margin < once.margin);
            prop_assert!(thrice.high - thrice.low < once.high - once.low);
            prop_assert!((thrice.rating - once.rating).abs() < 1e-9);
        }
    }
}
