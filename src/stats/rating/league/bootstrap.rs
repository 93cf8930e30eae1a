//! How far ratings move when the encounters are weighed anew.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::fit::{self, Strengths, Unknowns};
use super::matrix::Cholesky;
use super::meetings::Meetings;

/// Ratings need not be closer, on the natural scale: a twentieth of an Elo.
const CLOSE: f64 = 3e-4;

/// Values that a weight may have, a power of two.
const LEVELS: usize = 1 << 11;

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
    let levels = levels();
    (0..bootstrap.replicates)
        .into_par_iter()
        .map_init(Default::default, |(sums, bits), replicate| {
            let mut chance = ChaCha8Rng::seed_from_u64(bootstrap.seed);
            chance.set_stream(u64::from(replicate));
            meetings.reweighted(
                sums,
                weights(&levels, meetings.encounters(), &mut chance, bits),
            );
            let all = &meetings.all;
            fit::nearby(unknowns, all, sums, likeliest, factor, CLOSE)
                .or_else(|| fit::likeliest(unknowns, all, sums, likeliest).ok())
                .or_else(|| fit::likeliest(&unknowns.without_white(), all, sums, likeliest).ok())
                .unwrap_or_else(|| likeliest.clone())
        })
        .collect()
}

/// So many weights; `bits` is room to work in.
fn weights<'a>(
    levels: &'a [f64],
    count: usize,
    chance: &mut ChaCha8Rng,
    bits: &'a mut Vec<u8>,
) -> impl Iterator<Item = f64> + 'a {
    bits.resize(2 * count, 0);
    chance.fill_bytes(bits);
    let (drawn, _) = bits.as_chunks::<2>();
    drawn
        .iter()
        .map(|drawn| levels[usize::from(u16::from_le_bytes(*drawn)) % LEVELS])
}

/// The exponential distribution with mean 1 in so many equally likely values: the mean of each of as many slices of it. Its
/// standard deviation is short of 1 by 0.03 %.
fn levels() -> Vec<f64> {
    let count = LEVELS as f64;
    // The integral of x e^−x from −ln u: the share `u` that is largest, times its mean.
    let above = |level: usize| match level {
        0 => 0.0,
        level => {
            let share = level as f64 / count;
            share * (1.0 - share.ln())
        }
    };
    (0..LEVELS)
        .map(|level| count * (above(level + 1) - above(level)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_have_the_moments_of_the_exponential_distribution() {
        let levels = levels();
        let mean =
            |power: i32| levels.iter().map(|value| value.powi(power)).sum::<f64>() / LEVELS as f64;
        assert!((mean(1) - 1.0).abs() < 1e-12, "{}", mean(1));
        assert!((mean(2) / 2.0 - 1.0).abs() < 0.001, "{}", mean(2));
        assert!((mean(3) / 6.0 - 1.0).abs() < 0.01, "{}", mean(3));
        assert!((mean(4) / 24.0 - 1.0).abs() < 0.03, "{}", mean(4));
    }

    #[test]
    fn no_weight_is_nought() {
        assert!(levels().iter().all(|value| *value > 0.0));
    }

    #[test]
    fn every_level_is_drawn() {
        let levels: Vec<f64> = (0..LEVELS).map(|level| level as f64).collect();
        let mut seen = vec![0_u32; LEVELS];
        let mut chance = ChaCha8Rng::seed_from_u64(1);
        for level in weights(&levels, 100 * LEVELS, &mut chance, &mut Vec::new()) {
            seen[level as usize] += 1;
        }
        // Of 100 each, ten standard deviations away from none.
        assert!(
            seen.iter().all(|times| (40..180).contains(times)),
            "{seen:?}"
        );
    }
}
