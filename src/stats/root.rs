//! Where a function crosses nought from above.

use std::ops::RangeInclusive;

/// Steps after which the last point is taken as it stands. Halving alone needs about 60 for full precision.
const MOST_STEPS: usize = 200;

/// The argument in `range` at which `function` goes from positive to negative.
///
/// `function` gives its value and its derivative there. Newton steps are taken while they stay inside the
/// shrinking bracket, halvings otherwise, so a derivative that is too flat or not a number costs steps and not
/// the answer (one that is too steep would end the search early). The answer is where the first step shorter
/// than `tolerance`, relative to the argument, leads.
pub(super) fn falling_root(
    range: RangeInclusive<f64>,
    start: f64,
    tolerance: f64,
    mut function: impl FnMut(f64) -> (f64, f64),
) -> f64 {
    let (mut low, mut high) = range.into_inner();
    let mut at = start;
    for _ in 0..MOST_STEPS {
        let (value, derivative) = function(at);
        if value > 0.0 {
            low = at;
        } else {
            high = at;
        }
        let next = inside(low, high, at - value / derivative);
        let moved = (next - at).abs();
        at = next;
        if moved <= tolerance * at.abs() {
            break;
        }
    }
    at
}

/// The proposed point if it lies in the bracket (ends included, where rounding may put it), else its middle.
fn inside(low: f64, high: f64, proposed: f64) -> f64 {
    if proposed >= low && proposed <= high {
        proposed
    } else if low > 0.0 && high > 4.0 * low {
        (low * high).sqrt()
    } else {
        low.midpoint(high)
    }
}

/// The argument at which `function`, which falls, goes from positive to negative, when no derivative is at hand.
///
/// The bracket grows from `guess` by `reach` at a time, each time twice as far, and is not let out of `range`: where
/// the crossing would be outside, that end of it is the answer. Inside the bracket Chandrupatla's rule takes inverse
/// quadratic steps where they are safe and halvings where not (*A new hybrid quadratic/bisection algorithm for finding
/// the zero of a nonlinear function without using derivatives*, Advances in Engineering Software 28, 1997).
/// The answer is within `tolerance` of the crossing, an absolute distance.
pub(super) fn falling_crossing(
    range: RangeInclusive<f64>,
    guess: f64,
    reach: f64,
    tolerance: f64,
    mut function: impl FnMut(f64) -> f64,
) -> f64 {
    let (least, most) = range.into_inner();
    let guess = guess.clamp(least, most);
    let start = function(guess);
    let (end, way) = if start > 0.0 {
        (most, 1.0)
    } else {
        (least, -1.0)
    };
    let (mut near, mut far, mut reach) = ((guess, start), (guess, start), reach);
    while way * far.1 > 0.0 || far.0 == guess {
        if far.0 == end {
            return end;
        }
        near = far;
        let next = (far.0 + way * reach).clamp(least, most);
        far = (next, function(next));
        reach *= 2.0;
    }
    chandrupatla(far, near, tolerance, function)
}

/// A point and the function's value there.
type Point = (f64, f64);

/// The crossing between two points on either side of it.
fn chandrupatla(
    mut a: Point,
    mut b: Point,
    tolerance: f64,
    mut function: impl FnMut(f64) -> f64,
) -> f64 {
    let mut part = 0.5;
    for _ in 0..MOST_STEPS {
        let x = a.0 + part * (b.0 - a.0);
        let value = function(x);
        let c = if (value > 0.0) == (a.1 > 0.0) {
            a
        } else {
            std::mem::replace(&mut b, a)
        };
        a = (x, value);
        let best = if a.1.abs() < b.1.abs() { a } else { b };
        let least = (0.5 * tolerance + f64::EPSILON * best.0.abs()) / (b.0 - a.0).abs();
        if least > 0.5 || best.1 == 0.0 {
            return best.0;
        }
        part = quadratic_part(a, b, c).clamp(least, 1.0 - least);
    }
    a.0
}

/// Where between `a` and `b` the inverse parabola through three points crosses nought, as a part of their distance;
/// a half where it is not monotone there.
fn quadratic_part(a: Point, b: Point, c: Point) -> f64 {
    let xi = (a.0 - b.0) / (c.0 - b.0);
    let phi = (a.1 - b.1) / (c.1 - b.1);
    if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
        a.1 / (b.1 - a.1) * c.1 / (b.1 - c.1)
            + (c.0 - a.0) / (b.0 - a.0) * a.1 / (c.1 - a.1) * b.1 / (c.1 - b.1)
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_crossing_outside_the_range_is_at_its_end() {
        let line = |x: f64| 50.0 - x;
        assert_eq!(falling_crossing(-1.0..=1.0, 0.0, 0.1, 1e-12, line), 1.0);
        assert_eq!(falling_crossing(60.0..=90.0, 70.0, 1.0, 1e-12, line), 60.0);
        let flat = |x: f64| if x < 0.3 { 1.0 } else { -1.0 };
        let found = falling_crossing(-9.0..=9.0, 5.0, 0.1, 1e-12, flat);
        assert!((found - 0.3).abs() < 1e-11, "{found}");
    }

    proptest! {
        #[test]
        fn crossings_are_found_in_few_steps(
            at in -900.0..900.0_f64, guess in -1000.0..1000.0_f64, steepness in 0.01..10.0_f64,
        ) {
            let mut steps = 0;
            let found = falling_crossing(-1000.0..=1000.0, guess, 20.0, 1e-9, |x| {
                steps += 1;
                -(steepness * (x - at) / 100.0).tanh()
            });
            prop_assert!((found - at).abs() < 2e-9, "{found}");
            prop_assert!(steps < 60, "{steps}");
        }
    }

    #[test]
    fn newton_finds_a_smooth_crossing() {
        let root = falling_root(0.0..=2.0, 1.0, 1e-12, |x| (2.0 - x * x, -2.0 * x));
        assert!((root - std::f64::consts::SQRT_2).abs() < 1e-15);
    }

    #[test]
    fn a_flat_derivative_costs_steps_and_not_the_answer() {
        for slope in [0.0, f64::NAN, 1e-30, -1e-30, -1e-3] {
            let root = falling_root(0.0..=1.0, 0.5, 1e-15, |x| (1e-7 - x, slope));
            assert!((root - 1e-7).abs() < 1e-12, "{slope}: {root}");
        }
    }
}
