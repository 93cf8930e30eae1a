//! How far ratings move when the encounters are weighed anew.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::fit::{self, Strengths, Unknowns};
use super::matrix::Cholesky;
use super::meetings::Meetings;

/// Ratings need not be closer, on the natural scale: a twentieth of an Elo.
const CLOSE: f64 = 3e-4;

/// How often and from which seed to weigh the encounters anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// Fits to make.
    pub replicates: u32,
    /// Every seed gives its own weights, and the same ones on every machine and with any number of threads.
    pub seed: u64,
}

/// Strengths of every engine, fitted to weights of its own for every encounter.
///
/// A pair is one encounter, so the two games of an opening stay together. The weights are independent exponential values with mean 1
/// (Rubin, *The Bayesian bootstrap*, Annals of Statistics 9, 1981): unlike resampled counts they are never nought, so that
/// engines which can be compared stay so.
pub(super) fn replicates(
    bootstrap: Bootstrap,
    unknowns: &Unknowns,
    meetings: &Meetings,
    likeliest: &Strengths,
    factor: &Cholesky,
) -> Vec<Strengths> {
    (0..bootstrap.replicates)
        .into_par_iter()
        .map_init(Vec::new, |sums, replicate| {
            let mut chance = ChaCha8Rng::seed_from_u64(bootstrap.seed);
            chance.set_stream(u64::from(replicate));
            meetings.reweighted(sums, || exponential(&mut chance));
            let all = &meetings.all;
            fit::nearby(unknowns, all, sums, likeliest, factor, CLOSE)
                .or_else(|| fit::likeliest(unknowns, all, sums, likeliest).ok())
                .or_else(|| fit::likeliest(&unknowns.without_white(), all, sums, likeliest).ok())
                .unwrap_or_else(|| likeliest.clone())
        })
        .collect()
}

/// A value of the exponential distribution with mean 1.
fn exponential(chance: &mut ChaCha8Rng) -> f64 {
    // 53 random bits and a half, so that the logarithm is never that of nought.
    let uniform = ((chance.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    -uniform.ln()
}
