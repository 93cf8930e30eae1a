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

#[cfg(test)]
mod tests {
    use super::*;

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
