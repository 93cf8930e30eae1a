//! Likelihood under a difference in logistic Elo.

use super::nearest::nearest;
use super::shares::Shares;

/// Log likelihood lost per pair by saying that the difference is `elo`, which is finite.
///
/// The hypothesis is about the mean of the pair score alone, `1 / (1 + 10^(−elo/400))`; everything else about
/// the distribution of the scores is fitted to the pairs (Van den Bergh, *The Generalized Maximum Likelihood
/// Ratio for the Expectation Value of a Distribution*).
pub(super) fn cost(shares: &Shares, elo: f64) -> f64 {
    let short = shortfall(elo);
    if shares.mean() <= 0.5 - short {
        cost_of_raising(shares, short)
    } else {
        cost_of_raising(&shares.flipped(), shortfall(-elo))
    }
}

/// The expected score at a difference.
pub(super) fn score(elo: f64) -> f64 {
    shortfall(-elo)
}

/// What the expected score lacks to a certain win. Told from the score itself, which for a large difference
/// is too near to one to hold it.
fn shortfall(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(elo / 400.0))
}

fn cost_of_raising(shares: &Shares, short: f64) -> f64 {
    let gain = [1.0, 0.75, 0.5, 0.25, 0.0].map(|loss| short - loss);
    nearest(shares.by_score(), &gain)
        .expect("a win gains on any finite difference")
        .cost(shares.by_score())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stats::Pentanomial;

    fn measured(shares: &Shares) -> f64 {
        -400.0 * (1.0 / (shares.mean() + 0.5) - 1.0).log10()
    }

    #[test]
    fn the_difference_measured_costs_nothing() {
        let shares = Shares::of(Pentanomial::new([10, 20, 30, 25, 15]));
        let elo = measured(&shares);
        assert!(cost(&shares, elo) < 1e-15);
        assert!(cost(&shares, elo - 10.0) > 1e-5);
        assert!(cost(&shares, elo + 10.0) > 1e-5);
    }

    #[test]
    fn a_clean_sweep_costs_the_logarithm_of_the_score() {
        let shares = Shares::of(Pentanomial::new([0, 0, 0, 0, 99_999_999]));
        // All but a trace of the weight is on the win, and a mean of m leaves m of it there.
        assert!((cost(&shares, 0.0) - 2_f64.ln()).abs() < 1e-9);
        assert!((cost(&shares, -1000.0) - (1.0 + 10_f64.powf(2.5)).ln()).abs() < 1e-8);
    }

    #[test]
    fn mirrored_pairs_cost_the_same_to_the_last_bit() {
        let pairs = Pentanomial::new([3, 11, 42, 17, 7]);
        for elo in [-1000.0, -10.0, 0.0, 0.5, 10.0, 300.0] {
            let (one, other) = (Shares::of(pairs), Shares::of(pairs.flipped()));
            assert_eq!(cost(&one, elo), cost(&other, -elo), "{elo}");
        }
    }

    proptest! {
        // The ratio is the pairs times the cost of H0 less that of H1: monotone in the distance of either.
        #[test]
        fn a_hypothesis_costs_more_the_farther_it_is(
            counts in prop::array::uniform5(0_u64..2000), near in 0.0..200.0_f64, step in 0.1..200.0_f64,
        ) {
            let shares = Shares::of(Pentanomial::new(counts));
            for side in [-1.0, 1.0] {
                let at = |distance: f64| cost(&shares, measured(&shares) + side * distance);
                prop_assert!(at(near + step) > at(near));
            }
        }
    }
}
