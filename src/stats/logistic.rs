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
        .cost
}
