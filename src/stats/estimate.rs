//! How much stronger the pairs say the first engine is.

use statrs::function::erf::erf;

use super::Pentanomial;

/// Pair scores as a fraction of the two points.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Elo for one standard deviation of a game's score: 800 / ln 10.
pub(super) const ELO_PER_SPREAD: f64 = 800.0 / std::f64::consts::LN_10;

/// Half width of the interval in standard errors. By convention rounded, where 95 % is 1.959964.
const WIDTH: f64 = 1.96;

/// Elo shown when every point went one way and the figure has no end.
const LIMIT: f64 = 1200.0;

/// Whether pairs bound the difference at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bounded {
    /// At both ends.
    No,
    /// There was no pair, so at neither.
    NotMeasured,
    /// Every point was won: from below only.
    Above,
    /// Every point was lost: from above only.
    Below,
}

impl Bounded {
    /// The words reports use: empty, `not measured`, `above +1200` or `below -1200`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::No => "",
            Self::NotMeasured => "not measured",
            Self::Above => "above +1200",
            Self::Below => "below -1200",
        }
    }
}

/// The difference in strength that pairs show, with its 95 % interval.
///
/// The error is that of the mean over pairs, never over games: the two games of a pair share their opening
/// and are not independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Number of pairs.
    pub pairs: u64,
    /// Points over games, 0 to 1; `None` without a pair.
    pub paired_score: Option<f64>,
    /// Logistic Elo. 1200 or -1200 stands for no end, `None` for no pair.
    pub elo: Option<f64>,
    /// Half width of the interval in Elo; `None` unless both ends are known.
    pub margin: Option<f64>,
    /// Lower end in Elo; `None` where that side is open.
    pub low: Option<f64>,
    /// Upper end in Elo; `None` where that side is open.
    pub high: Option<f64>,
    /// Likelihood of superiority, 0 to 1; `None` without a pair.
    pub los: Option<f64>,
    /// Normalized Elo; `None` unless the spread was measured.
    pub nelo: Option<f64>,
    /// Half width of its interval; `None` with it.
    pub nelo_margin: Option<f64>,
    /// Which ends are known.
    pub bounded: Bounded,
    /// Every pair scored the same, so the spread is that of unrelated games without draws and not a measured one.
    pub modelled: bool,
}

impl Estimate {
    /// The estimate from these pairs.
    ///
    /// With `p` the mean score, `v` the plain variance of a pair's score over `n` pairs and `s = √(v/n)`:
    /// Elo is `−400 log₁₀(1/p − 1)`, its margin `1.96 s` times the slope `400 / (ln 10 · p (1 − p))` of that
    /// curve, the likelihood of superiority the normal one of `(p − ½) / s`, and normalized Elo
    /// `(p − ½) / √(2v) · 800 / ln 10` with margin `1.96 · 800 / (ln 10 √(2n))` (Van den Bergh, *Comments on
    /// Normalized Elo*). A variance of exactly nought gives way to `p (1 − p) / 2`.
    #[must_use]
    pub fn of(pairs: Pentanomial) -> Self {
        let played = pairs.pairs();
        if played == 0 {
            return Self::NOT_MEASURED;
        }
        let score = mean_score(pairs);
        if score >= 1.0 {
            Self {
                low: Some(LIMIT),
                ..Self::one_sided(played, score, LIMIT, Bounded::Above)
            }
        } else if score <= 0.0 {
            Self {
                high: Some(-LIMIT),
                ..Self::one_sided(played, score, -LIMIT, Bounded::Below)
            }
        } else {
            Self::measured(played, score, variance(pairs, score))
        }
    }

    const NOT_MEASURED: Self = Self {
        pairs: 0,
        paired_score: None,
        elo: None,
        margin: None,
        low: None,
        high: None,
        los: None,
        nelo: None,
        nelo_margin: None,
        bounded: Bounded::NotMeasured,
        modelled: false,
    };

    const fn one_sided(pairs: u64, score: f64, elo: f64, bounded: Bounded) -> Self {
        Self {
            pairs,
            paired_score: Some(score),
            elo: Some(elo),
            los: Some(score),
            bounded,
            ..Self::NOT_MEASURED
        }
    }

    fn measured(pairs: u64, score: f64, variance: f64) -> Self {
        let n = pairs as f64;
        let modelled = variance == 0.0;
        let spread = if modelled {
            score * (1.0 - score) / 2.0
        } else {
            variance
        };
        let error = (spread / n).sqrt();
        let elo = elo_of(score) + 0.0; // an even score is 0, not -0
        let margin = WIDTH * error * 400.0 / (std::f64::consts::LN_10 * score * (1.0 - score));
        Self {
            pairs,
            paired_score: Some(score),
            elo: Some(elo),
            margin: Some(margin),
            low: Some(elo - margin),
            high: Some(elo + margin),
            los: Some((1.0 + erf((score - 0.5) / (error * std::f64::consts::SQRT_2))) / 2.0),
            nelo: (!modelled).then(|| (score - 0.5) / (2.0 * variance).sqrt() * ELO_PER_SPREAD),
            nelo_margin: (!modelled).then(|| WIDTH * ELO_PER_SPREAD / (2.0 * n).sqrt()),
            bounded: Bounded::No,
            modelled,
        }
    }
}

/// Logistic Elo of an expected score: infinite at 0 and 1, not a number outside.
pub(super) fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Points over games; not a number without a pair.
pub(super) fn mean_score(pairs: Pentanomial) -> f64 {
    let halves: f64 = pairs
        .counts()
        .into_iter()
        .zip(0_u8..)
        .map(|(count, halves)| count as f64 * f64::from(halves))
        .sum();
    halves / 2.0 / (2.0 * pairs.pairs() as f64)
}

/// Plain variance of a pair's score, as a fraction of its two points, about their mean.
pub(super) fn variance(pairs: Pentanomial, mean: f64) -> f64 {
    let squares: f64 = pairs
        .counts()
        .into_iter()
        .zip(SCORES)
        .map(|(count, score)| count as f64 * (score - mean).powi(2))
        .sum();
    squares / pairs.pairs() as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(counts: [u64; 5]) -> Estimate {
        Estimate::of(Pentanomial::new(counts))
    }

    #[track_caller]
    fn assert_rounds(figure: Option<f64>, want: i64) {
        assert_eq!(figure.expect("a figure").round_ties_even() as i64, want);
    }

    #[test]
    fn even_pairs_are_no_difference() {
        let estimate = of([0, 0, 3, 0, 0]);
        assert_eq!(estimate.paired_score, Some(0.5));
        assert_eq!(estimate.elo.map(f64::to_bits), Some(0.0_f64.to_bits()));
        assert_eq!(estimate.los, Some(0.5));
        assert!(estimate.modelled);
        assert_rounds(of([0, 0, 2, 0, 0]).margin, 340);
    }

    #[test]
    fn few_pairs() {
        let estimate = of([0, 0, 1, 0, 1]);
        assert_rounds(estimate.elo, 191);
        assert_rounds(estimate.margin, 321);
        assert_rounds(estimate.low, -130);
        assert_rounds(estimate.high, 512);
        assert!((estimate.los.expect("measured") - 0.921).abs() < 5e-4);
        assert!(!estimate.modelled);

        let single = of([0, 0, 0, 1, 0]);
        assert_rounds(single.elo, 191);
        assert_rounds(single.margin, 556);
        assert!(single.modelled);
        assert_eq!(single.nelo, None);
    }

    #[test]
    fn a_sweep_has_one_open_end() {
        let won = of([0, 0, 0, 0, 2]);
        assert_eq!(
            (won.elo, won.low, won.high, won.margin),
            (Some(1200.0), Some(1200.0), None, None)
        );
        assert_eq!(
            (won.los, won.nelo, won.bounded),
            (Some(1.0), None, Bounded::Above)
        );
        let lost = of([2, 0, 0, 0, 0]);
        assert_eq!(
            (lost.elo, lost.low, lost.high, lost.margin),
            (Some(-1200.0), None, Some(-1200.0), None)
        );
        assert_eq!(
            (lost.los, lost.nelo, lost.bounded),
            (Some(0.0), None, Bounded::Below)
        );
        assert_eq!((won.modelled, lost.modelled), (false, false));
    }

    #[test]
    fn nothing_is_measured_without_a_pair() {
        let nothing = of([0; 5]);
        assert_eq!(nothing.bounded.text(), "not measured");
        assert_eq!(
            (
                nothing.elo,
                nothing.margin,
                nothing.los,
                nothing.paired_score
            ),
            (None, None, None, None)
        );
    }

    #[test]
    fn normalized_figures_depend_on_the_spread_and_not_on_the_scale() {
        let (wide, narrow) = (of([30, 0, 0, 0, 70]), of([0, 30, 0, 70, 0]));
        assert!(wide.elo.expect("measured") > 2.0 * narrow.elo.expect("measured"));
        assert!((wide.nelo.expect("measured") - narrow.nelo.expect("measured")).abs() < 1e-10);
        assert_eq!(of([0, 10, 80, 10, 0]).nelo_margin, wide.nelo_margin);
    }

    proptest! {
        #[test]
        fn flipping_negates(counts in prop::array::uniform5(0_u64..5000)) {
            let pairs = Pentanomial::new(counts);
            let (one, other) = (Estimate::of(pairs), Estimate::of(pairs.flipped()));
            let opposite = |one: Option<f64>, other: Option<f64>| match (one, other) {
                (Some(one), Some(other)) => (one + other).abs() < 1e-9 * (1.0 + one.abs()),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            prop_assert!(opposite(one.elo, other.elo));
            prop_assert!(opposite(one.nelo, other.nelo));
            prop_assert!(opposite(one.low, other.high));
            prop_assert!(opposite(one.los.map(|los| los - 0.5), other.los.map(|los| los - 0.5)));
        }

        #[test]
        fn more_of_the_same_pairs_narrow_the_interval(
            counts in prop::array::uniform5(0_u64..5000), times in 2_u64..100,
        ) {
            let (once, often) = (of(counts), of(counts.map(|count| count * times)));
            let (Some(margin), Some(narrower)) = (once.margin, often.margin) else { return Ok(()) };
            prop_assert!((narrower * (times as f64).sqrt() / margin - 1.0).abs() < 1e-9);
            prop_assert!(narrower < margin);
            prop_assert!((often.elo.expect("measured") - once.elo.expect("measured")).abs() < 1e-9);
        }

        #[test]
        fn the_interval_is_around_the_estimate(counts in prop::array::uniform5(0_u64..50)) {
            let estimate = of(counts);
            if let (Some(low), Some(elo), Some(high)) = (estimate.low, estimate.elo, estimate.high) {
                prop_assert!(low < elo && elo < high);
            }
        }
    }
}
