//! Brownian motion with drift between two bounds, which is what a log likelihood ratio is in the limit of many pairs.
//!
//! Everything is worked out for the strip of width one that every other scales to: with `w` the distance of
//! the bounds, `x` the start less the lower bound over `w`, the drift is `θ = μ w / σ²` and time runs as
//! `s = σ² t / w²`. The density of what is still between the bounds is known in two forms (Siegmund,
//! *Sequential Analysis*, 1985, sections 3.3 and 3.6; Cox and Miller, *The Theory of Stochastic Processes*,
//! 1965, section 5.7): a sum over eigenfunctions, which converges fast for late times,
//!
//! ```text
//! p(s, u) = 2 Σ exp(−λₙ s + θ (u − x)) sin nπx sin nπu,   λₙ = (n²π² + θ²) / 2
//! ```
//!
//! and one over mirror images, fast for early ones. Both are used, each where a handful of terms gives
//! full precision.

use std::f64::consts::PI;

use super::normal::weighted_tail as tail;

/// Scaled time before which mirror images are summed.
const EARLY: f64 = 0.1;

/// Mirror images on either side. At [`EARLY`] the next ones are below 10⁻³⁰.
const IMAGES: i32 = 2;

/// Exponent below which a term no longer counts.
const SPENT: f64 = -46.0;

/// A motion that starts at nought and ends at the first bound it meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion {
    /// Start, as a share of the strip from its lower end.
    start: f64,
    /// Scaled drift.
    theta: f64,
    /// Scaled time for one unit of time.
    pace: f64,
    lower: f64,
    width: f64,
}

impl Motion {
    /// Motion from nought between `lower < 0` and `upper > 0`, with this drift and this variance (above nought)
    /// for a unit of time.
    pub(super) fn new((lower, upper): (f64, f64), drift: f64, variance: f64) -> Self {
        let width = upper - lower;
        Self {
            start: -lower / width,
            theta: drift * width / variance,
            pace: variance / (width * width),
            lower,
            width,
        }
    }

    /// The chance to meet the upper bound first, ever: Wald's formula.
    pub(super) fn passes(&self) -> f64 {
        1.0 - self.fails()
    }

    /// The chance to meet the lower bound first, ever.
    pub(super) fn fails(&self) -> f64 {
        let Self { start, theta, .. } = *self;
        if theta.abs() < 1e-8 {
            1.0 - start
        } else if theta > 0.0 {
            let rest = (-2.0 * theta * (1.0 - start)).exp_m1() / (-2.0 * theta).exp_m1();
            (-2.0 * theta * start).exp() * rest
        } else {
            (2.0 * theta * (1.0 - start)).exp_m1() / (2.0 * theta).exp_m1()
        }
    }

    /// Mean time until a bound is met.
    pub(super) fn mean_time(&self) -> f64 {
        let Self { start, theta, .. } = *self;
        let scaled = if theta.abs() < 1e-4 {
            // The start of the series in θ; the closed form would lose its digits.
            start * (1.0 - start) * (1.0 + theta * (1.0 - 2.0 * start) / 3.0)
        } else {
            (self.passes() - start) / theta
        };
        scaled / self.pace
    }

    /// The chance that no bound is met before `time`.
    pub(super) fn undecided(&self, time: f64) -> f64 {
        let s = self.pace * time;
        if s < EARLY {
            return (1.0 - self.early_exit(s) - self.mirrored().early_exit(s)).clamp(0.0, 1.0);
        }
        let Self { start, theta, .. } = *self;
        let decay = |n: f64| -self.rate(n) * s - theta * start;
        let sum = modes(s, |n, even| {
            let ends = if even { -1.0 } else { 1.0 };
            let reach = (decay(n)).exp() + ends * (decay(n) + theta).exp();
            reach * (n * PI * start).sin() * n * PI / self.rate(n)
        });
        sum.clamp(0.0, 1.0)
    }

    /// The chance to have met the upper bound by `time`.
    #[cfg(test)]
    pub(super) fn passed_by(&self, time: f64) -> f64 {
        1.0 - self.worse_than(time, self.lower + self.width)
    }

    /// The time by which a bound is met with chance `share`, strictly between 0 and 1.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let left = 1.0 - share;
        let mut high = self.mean_time();
        while self.undecided(high) > left {
            high *= 2.0;
        }
        let mut low = 0.0;
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.undecided(middle) > left {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }

    /// The chance of an outcome below standing at `level` at `time`: an earlier exit at the lower bound, or
    /// passing under that point.
    ///
    /// An exit is a point on its bound, so that a quick pass is above a late one, and that above any fail.
    pub(super) fn worse_than(&self, time: f64, level: f64) -> f64 {
        let s = self.pace * time;
        let y = ((level - self.lower) / self.width).clamp(0.0, 1.0);
        let chance = if s < EARLY {
            self.early_exit(s) + self.early_below(s, y)
        } else {
            self.fails() + self.late_below(s, y)
        };
        chance.clamp(0.0, 1.0)
    }

    fn rate(&self, n: f64) -> f64 {
        f64::midpoint((n * PI).powi(2), self.theta * self.theta)
    }

    /// What is below `y` at time `s`, less the exits at the lower bound that are still to come.
    fn late_below(&self, s: f64, y: f64) -> f64 {
        let Self { start, theta, .. } = *self;
        modes(s, |n, _| {
            let weight = (theta * (y - start) - self.rate(n) * s).exp() / self.rate(n);
            let (sine, cosine) = (n * PI * y).sin_cos();
            weight * (n * PI * start).sin() * (theta * sine - n * PI * cosine)
        })
    }

    /// The chance to have met the lower bound by time `s`, from mirror images.
    fn early_exit(&self, s: f64) -> f64 {
        let Self { start, theta, .. } = *self;
        let root = s.sqrt();
        images(|k| {
            let signed = start + k;
            let far = signed.abs();
            let against = tail(theta * (far - start), (-theta * s - far) / root);
            let along = tail(-theta * (far + start), (theta * s - far) / root);
            signed.signum() * (against + along)
        })
    }

    /// The chance to be between the lower bound and `y` at time `s`, from mirror images.
    fn early_below(&self, s: f64, y: f64) -> f64 {
        let Self { start, theta, .. } = *self;
        let root = s.sqrt();
        let between = |image: f64| {
            let weight = theta * (image - start);
            let drift = image + theta * s;
            // Of the two complementary differences the one of small tails keeps its digits.
            if drift > 0.0 {
                tail(weight, (y - drift) / root) - tail(weight, -drift / root)
            } else {
                tail(weight, drift / root) - tail(weight, (drift - y) / root)
            }
        };
        images(|k| between(start - k) - between(-start - k))
    }

    fn mirrored(&self) -> Self {
        Self {
            start: 1.0 - self.start,
            theta: -self.theta,
            ..*self
        }
    }
}

/// Sum over eigenfunctions; `term` is told the number and whether it is even.
fn modes(s: f64, term: impl Fn(f64, bool) -> f64) -> f64 {
    let mut sum = 0.0;
    let mut n = 1.0;
    while -(n * n - 1.0) * PI * PI / 2.0 * s > SPENT {
        sum += term(n, n % 2.0 == 0.0);
        n += 1.0;
    }
    sum
}

/// Sum over the mirror images, two widths apart.
fn images(term: impl Fn(f64) -> f64) -> f64 {
    (-IMAGES..=IMAGES).map(|k| term(2.0 * f64::from(k))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const FIVE_PERCENT: (f64, f64) = (-2.944_438_979_166_440_3, 2.944_438_979_166_440_3);

    /// A test with these bounds whose true value is `h` half widths above the middle of its hypotheses.
    fn motion(bounds: (f64, f64), h: f64) -> Motion {
        Motion::new(bounds, h / 2.0, 1.0)
    }

    #[test]
    fn wald_gives_the_nominal_rates() {
        let h1 = motion(FIVE_PERCENT, 1.0);
        assert!((h1.passes() - 0.95).abs() < 1e-15);
        assert!((motion(FIVE_PERCENT, -1.0).passes() - 0.05).abs() < 1e-15);
        assert!((motion(FIVE_PERCENT, 0.0).passes() - 0.5).abs() < 1e-15);
        let time = motion(FIVE_PERCENT, 0.0).mean_time();
        assert!((time - FIVE_PERCENT.1.powi(2)).abs() < 1e-12);
    }

    #[test]
    fn the_two_sums_agree_where_they_meet() {
        for theta in [-60.0, -7.0, -1.0, 0.0, 0.3, 5.0, 40.0] {
            for start in [0.1, 0.5, 0.8] {
                let motion = Motion::new((-start, 1.0 - start), theta, 1.0);
                for y in [0.0, 0.2, 0.5, 0.99, 1.0] {
                    let (s, early) = (EARLY, motion.early_exit(EARLY));
                    let early = early + motion.early_below(s, y);
                    let late = motion.fails() + motion.late_below(s, y);
                    assert!(
                        (early - late).abs() < 1e-13,
                        "{theta} {start} {y}: {early} {late}"
                    );
                }
                let (before, after) = (
                    motion.undecided(EARLY * (1.0 - 1e-12)),
                    motion.undecided(EARLY),
                );
                assert!(
                    (before - after).abs() < 1e-12,
                    "{theta} {start}: {before} {after}"
                );
            }
        }
    }

    #[test]
    fn no_drift_at_all_is_no_exception() {
        let (none, little) = (
            Motion::new((-1.0, 2.0), 0.0, 1.0),
            Motion::new((-1.0, 2.0), 1e-6, 1.0),
        );
        assert!((none.mean_time() - 2.0).abs() < 1e-12);
        assert!((none.mean_time() - little.mean_time()).abs() < 1e-5);
        let beyond = Motion::new((-1.0, 2.0), 1.1e-4 / 3.0, 1.0).mean_time();
        let before = Motion::new((-1.0, 2.0), 0.9e-4 / 3.0, 1.0).mean_time();
        assert!((beyond - before).abs() < 1e-4, "{beyond} {before}");
    }

    #[derive(serde::Deserialize)]
    struct Planning {
        exit_time_quantiles: Vec<ExitTimes>,
    }

    #[derive(serde::Deserialize)]
    struct ExitTimes {
        h: f64,
        alpha: f64,
        beta: f64,
        pass: f64,
        mean: f64,
        quantiles: BTreeMap<String, f64>,
        not_decided_by: BTreeMap<String, f64>,
    }

    #[test]
    fn exit_times_are_those_worked_out_elsewhere() {
        let packed = include_bytes!("../../tests/data/planning.json.zst");
        let text = zstd::decode_all(&packed[..]).unwrap();
        let planning: Planning = serde_json::from_slice(&text).unwrap();
        for case in planning.exit_time_quantiles {
            let (lower, upper) = (
                (case.beta / (1.0 - case.alpha)).ln(),
                ((1.0 - case.beta) / case.alpha).ln(),
            );
            let motion = motion((lower, upper), case.h);
            assert!((motion.passes() - case.pass).abs() < 1e-12);
            assert!((motion.mean_time() / case.mean - 1.0).abs() < 1e-9);
            for (share, want) in case.quantiles {
                let got = motion.quantile(share.parse().unwrap());
                assert!(
                    (got / want - 1.0).abs() < 1e-6,
                    "{} {share}: {got} {want}",
                    case.h
                );
            }
            for (time, want) in case.not_decided_by {
                let got = motion.undecided(time.parse().unwrap());
                assert!(
                    (got - want).abs() < 1e-12 && (want < 1e-9 || (got / want - 1.0).abs() < 1e-6),
                    "{} {time}: {got} {want}",
                    case.h
                );
            }
        }
    }

    proptest! {
        #[test]
        fn time_is_the_sum_of_what_is_undecided(h in -3.0..3.0_f64, low in 0.5..4.0_f64, high in 0.5..4.0_f64) {
            let motion = motion((-low, high), h);
            let (step, mean) = (motion.mean_time() / 50.0, motion.mean_time());
            // Simpson's rule over what is left.
            let weight = |i: u32| if i == 0 { 1.0 } else if i % 2 == 1 { 4.0 } else { 2.0 };
            let sum: f64 = (0..1_500).map(|i| weight(i) * motion.undecided(f64::from(i) * step)).sum();
            prop_assert!((sum * step / 3.0 - mean).abs() < 1e-3 * mean, "{} {mean}", sum * step / 3.0);
        }

        #[test]
        fn outcomes_are_ordered(
            theta in -30.0..30.0_f64, start in 0.05..0.95_f64, time in 0.001..2.0_f64, y in 0.0..1.0_f64,
        ) {
            let motion = Motion::new((-start, 1.0 - start), theta, 1.0);
            let here = motion.worse_than(time, y - start);
            prop_assert!(here <= motion.worse_than(time, 1.0 - start) + 1e-12);
            prop_assert!(here >= motion.worse_than(time, -start) - 1e-12);
            // A pass later is worse than a pass now, a fail later better than a fail now.
            prop_assert!(motion.worse_than(time * 1.1, 1.0 - start) <= motion.worse_than(time, 1.0 - start) + 1e-12);
            prop_assert!(motion.worse_than(time * 1.1, -start) >= motion.worse_than(time, -start) - 1e-12);
            // More drift makes every outcome less likely to be bettered from below.
            let faster = Motion::new((-start, 1.0 - start), theta + 0.5, 1.0);
            prop_assert!(faster.worse_than(time, y - start) <= here + 1e-12);
            // What is neither passed nor failed is undecided.
            let failed = motion.worse_than(time, -start);
            let rest = 1.0 - failed - motion.passed_by(time);
            prop_assert!((rest - motion.undecided(time)).abs() < 1e-12, "{rest} {}", motion.undecided(time));
        }

        #[test]
        fn a_quantile_is_where_so_many_are_decided(h in -4.0..4.0_f64, share in 0.01..0.99_f64) {
            let motion = motion(FIVE_PERCENT, h);
            let decided = 1.0 - motion.undecided(motion.quantile(share));
            prop_assert!((decided - share).abs() < 1e-9);
        }
    }
}
