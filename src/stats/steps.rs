//! A walk with normal steps between two bounds, which is what a log likelihood ratio is when looks are far apart.
//!
//! The density of what is undecided after a look is that of the look before, spread by one step and cut at the
//! bounds (Armitage, McPherson and Rowe, *Repeated significance tests on accumulating data*, Journal of the
//! Royal Statistical Society A 132, 1969). It is smooth, so Gauss's points hold it to many digits.

use std::f64::consts::PI;

use super::normal::below;

/// Points for every standard deviation of a step between the bounds.
const POINTS: f64 = 5.0;

/// Looks after which a walk is taken to be over.
const MOST_LOOKS: usize = 100_000;

/// Less undecided than this is nothing.
const NOTHING: f64 = 1e-10;

/// What the walk came to by a look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Standing {
    /// The chance to have met the upper bound.
    pub(super) passed: f64,
    /// The chance to have met the lower bound.
    pub(super) failed: f64,
}

impl Standing {
    /// The chance to have met neither.
    pub(super) const fn undecided(self) -> f64 {
        1.0 - self.passed - self.failed
    }
}

/// The standing after each look, the first one first, of a walk from nought with steps of this mean and deviation;
/// until next to nothing is undecided or so many looks are taken.
pub(super) fn walk(
    (lower, upper): (f64, f64),
    mean: f64,
    deviation: f64,
    most: Option<usize>,
) -> Vec<Standing> {
    let wanted = ((upper - lower) / deviation * POINTS).ceil().max(24.0);
    let (points, weights) = gauss(lower, upper, wanted as usize);
    let step = |from: f64, to: f64| {
        let z = (to - from - mean) / deviation;
        (-z * z / 2.0).exp() / (deviation * (2.0 * PI).sqrt())
    };
    let over = |from: f64| below((from + mean - upper) / deviation);
    let under = |from: f64| below((lower - from - mean) / deviation);
    let mut standing = Standing {
        passed: over(0.0),
        failed: under(0.0),
    };
    let mut standings = vec![standing];
    // What is undecided, as weights at the points.
    let mut density: Vec<f64> = points
        .iter()
        .zip(&weights)
        .map(|(&at, weight)| weight * step(0.0, at))
        .collect();
    let exits: Vec<(f64, f64)> = points.iter().map(|&at| (over(at), under(at))).collect();
    let kernel: Vec<f64> = points
        .iter()
        .zip(&weights)
        .flat_map(|(&to, weight)| points.iter().map(move |&from| weight * step(from, to)))
        .collect();
    let most = most.unwrap_or(MOST_LOOKS).min(MOST_LOOKS);
    while standings.len() < most && standing.undecided() > NOTHING {
        for (mass, (over, under)) in density.iter().zip(&exits) {
            standing.passed += mass * over;
            standing.failed += mass * under;
        }
        standings.push(standing);
        density = kernel
            .chunks_exact(points.len())
            .map(|row| dot(row, &density))
            .collect();
    }
    standings
}

fn dot(row: &[f64], column: &[f64]) -> f64 {
    row.iter().zip(column).map(|(a, b)| a * b).sum()
}

/// Gauss and Legendre's points and weights, found as the zeros of the Legendre polynomial.
fn gauss(low: f64, high: f64, count: usize) -> (Vec<f64>, Vec<f64>) {
    let (middle, half) = (f64::midpoint(low, high), (high - low) / 2.0);
    (0..count)
        .map(|i| {
            let mut z = (PI * (i as f64 + 0.75) / (count as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..8 {
                let (value, derivative) = legendre(z, count);
                z -= value / derivative;
                slope = derivative;
            }
            (
                middle - half * z,
                2.0 * half / ((1.0 - z * z) * slope * slope),
            )
        })
        .unzip()
}

/// The Legendre polynomial of this degree, and its derivative.
fn legendre(z: f64, degree: usize) -> (f64, f64) {
    let (mut before, mut value) = (1.0, z);
    for n in 2..=degree {
        let n = n as f64;
        (before, value) = (
            value,
            ((2.0 * n - 1.0) * z * value - (n - 1.0) * before) / n,
        );
    }
    (value, degree as f64 * (z * value - before) / (z * z - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::brownian::Motion;

    #[test]
    fn gauss_integrates_polynomials() {
        let (points, weights) = gauss(-1.0, 3.0, 12);
        let power = |n: i32| {
            points
                .iter()
                .zip(&weights)
                .map(|(x, w)| w * x.powi(n))
                .sum::<f64>()
        };
        assert!((power(0) - 4.0).abs() < 1e-13);
        assert!((power(3) - 20.0).abs() < 1e-12);
        assert!((power(8) / ((3_f64.powi(9) + 1.0) / 9.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn one_step_is_a_normal_tail() {
        let [first] = walk((-1.0, 2.0), 0.5, 3.0, Some(1))[..] else {
            panic!("one look")
        };
        assert_eq!(
            first,
            Standing {
                passed: below(-0.5),
                failed: below(-0.5)
            }
        );
    }

    #[test]
    fn small_steps_are_a_motion_between_bounds_that_lie_farther_out() {
        let (mean, deviation) = (0.003, 0.2);
        let last = *walk((-2.0, 3.0), mean, deviation, None).last().unwrap();
        let out = 0.583 * deviation;
        let motion = Motion::new((-2.0 - out, 3.0 + out), mean, deviation * deviation);
        assert!((last.passed - motion.passes()).abs() < 1e-3);
        assert!((last.passed + last.failed - 1.0).abs() < 1e-9);
    }

    #[test]
    fn more_points_change_nothing() {
        // The same walk with its steps cut in half and looked at every other time is another walk, but the same
        // walk mirrored has the same figures to many digits, and those do not hang on where the points lie.
        let one = walk((-2.0, 3.0), 0.1, 0.7, Some(40));
        let other = walk((-3.0, 2.0), -0.1, 0.7, Some(40));
        for (one, other) in one.iter().zip(&other) {
            assert!((one.passed - other.failed).abs() < 1e-12);
        }
    }
}
