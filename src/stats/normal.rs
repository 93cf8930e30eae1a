//! The normal distribution, to full precision far out in its tails.

use std::f64::consts::PI;

/// Distance from nought beyond which a tail is a continued fraction.
const FAR: f64 = 2.0;

/// The chance of a standard normal value below `z`.
pub(super) fn below(z: f64) -> f64 {
    weighted_tail(0.0, z)
}

/// `exp(weight)` times the chance of a standard normal value below `z`, where neither factor need be a number a
/// double can hold.
pub(super) fn weighted_tail(weight: f64, z: f64) -> f64 {
    if z < -FAR {
        weighted_density(weight, z) / inverse_ratio(-z)
    } else if z > FAR {
        weight.exp() - weighted_density(weight, z) / inverse_ratio(z)
    } else {
        weight.exp() * (0.5 + weighted_density(0.0, z) * centre(z))
    }
}

fn weighted_density(weight: f64, z: f64) -> f64 {
    (weight - z * z / 2.0).exp() / (2.0 * PI).sqrt()
}

/// Density over tail: Mills' ratio upside down, as Laplace's continued fraction from the inside out.
///
/// What `n` terms leave shrinks as exp(−2 z √(2n)), so the terms that full precision takes go as 1/z²: 150 at 2.
fn inverse_ratio(far: f64) -> f64 {
    let terms = 8 + (600.0 / (far * far)) as u32;
    (1..=terms)
        .rev()
        .fold(far, |inner, n| far + f64::from(n) / inner)
}

/// What lies between nought and `z`, over the density there: z + z³/3 + z⁵/15 + …
fn centre(z: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term.abs() > f64::EPSILON * 0.25 * sum.abs() {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // From the C library's erfc, which rounds well.
        for (z, want) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-1.0, 0.158_655_253_931_457_07),
            (-2.5, 0.006_209_665_325_776_139),
            (-3.5, 0.000_232_629_079_035_525_04),
            (-6.0, 9.865_876_450_377_012e-10),
            (-20.0, 2.753_624_118_606_233_7e-89),
            (4.0, 0.999_968_328_758_166_9),
        ] {
            let got = below(z);
            assert!(
                (got - want).abs() <= 1e-14 * want,
                "{z}: {got:e} for {want:e}"
            );
        }
    }

    #[test]
    fn series_and_fraction_meet() {
        for z in [-FAR, FAR] {
            let (inside, outside) = (below(z * (1.0 - 1e-15)), below(z * (1.0 + 1e-15)));
            assert!((inside / outside - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn the_fraction_has_terms_enough() {
        for step in 0..4000 {
            let far = FAR + 0.01 * f64::from(step);
            let whole = (1..=2000)
                .rev()
                .fold(far, |inner, n| far + f64::from(n) / inner);
            assert!((inverse_ratio(far) / whole - 1.0).abs() < 1e-15, "{far}");
        }
    }

    #[test]
    fn a_weight_may_be_beyond_all_doubles() {
        let got = weighted_tail(1000.0, -45.0);
        assert!((got.ln() - (1000.0 - 1012.5 - (45.0_f64 * (2.0 * PI).sqrt()).ln())).abs() < 1e-3);
    }
}
