//! Pairs drawn at random, several at a time.
//!
//! What so many pairs add up to has few outcomes: 495 for eight. They are drawn from a table at once
//! (Walker, *An efficient method for generating discrete random variables with general distributions*, ACM
//! Transactions on Mathematical Software 3, 1977; Vose's construction), with one random word.

use rand::Rng;

use super::{PairChances, Pentanomial};

/// Most pairs drawn with one word.
const AT_ONCE: u64 = 8;

/// Draws a fixed number of pairs.
#[derive(Clone, Debug)]
pub struct Sampler {
    whole: Option<Table>,
    times: u64,
    rest: Option<Table>,
}

impl Sampler {
    /// Draws `pairs` pairs with these chances.
    #[must_use]
    pub fn new(chances: &PairChances, pairs: u64) -> Self {
        let table = |pairs: u64| (pairs > 0).then(|| Table::new(&chances.by_score(), pairs));
        let times = pairs / AT_ONCE;
        Self {
            whole: table(times.min(1) * AT_ONCE),
            times,
            rest: table(pairs % AT_ONCE),
        }
    }

    /// Counts of so many pairs.
    pub fn draw(&self, rng: &mut impl Rng) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        if let Some(table) = &self.whole {
            for _ in 0..self.times {
                pairs += table.draw(rng);
            }
        }
        if let Some(table) = &self.rest {
            pairs += table.draw(rng);
        }
        pairs
    }
}

/// An outcome, and another that has the rest of its place.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Below this the outcome itself, else the other; of 2³².
    share: u64,
    outcome: Pentanomial,
    other: Pentanomial,
}

#[derive(Clone, Debug)]
struct Table(Vec<Place>);

impl Table {
    fn new(chances: &[f64; 5], pairs: u64) -> Self {
        let mut outcomes = Vec::new();
        compositions(chances, pairs, 0, ([0; 5], 1.0), &mut outcomes);
        Self(alias(&outcomes))
    }

    fn draw(&self, rng: &mut impl Rng) -> Pentanomial {
        let word = rng.next_u64();
        let (high, low) = (word >> 32, word & 0xFFFF_FFFF);
        let at =
            usize::try_from((high * self.0.len() as u64) >> 32).expect("it is below the length");
        let place = &self.0[at];
        if low < place.share {
            place.outcome
        } else {
            place.other
        }
    }
}

/// All ways in which `left` pairs can fall from score `at` on, with their multinomial chances.
fn compositions(
    chances: &[f64; 5],
    left: u64,
    at: usize,
    (counts, chance): ([u64; 5], f64),
    outcomes: &mut Vec<(Pentanomial, f64)>,
) {
    let mut counts = counts;
    if at == 4 {
        counts[4] = left;
        let chance = chance * chances[4].powi(i32::try_from(left).expect("a table is small"));
        outcomes.push((Pentanomial::new(counts), chance));
        return;
    }
    let mut ways = chance;
    for count in 0..=left {
        counts[at] = count;
        compositions(chances, left - count, at + 1, (counts, ways), outcomes);
        ways *= chances[at] * (left - count) as f64 / (count + 1) as f64;
    }
}

fn alias(outcomes: &[(Pentanomial, f64)]) -> Vec<Place> {
    let places = outcomes.len() as f64;
    let mut heights: Vec<f64> = outcomes.iter().map(|(_, chance)| chance * places).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) =
        (0..outcomes.len()).partition(|&i| heights[i] < 1.0);
    let mut table: Vec<Place> = outcomes
        .iter()
        .map(|&(outcome, _)| Place {
            share: 1 << 32,
            outcome,
            other: outcome,
        })
        .collect();
    while let (Some(low), Some(&high)) = (small.pop(), large.last()) {
        table[low].share = (heights[low] * 2_f64.powi(32)).round() as u64;
        table[low].other = outcomes[high].0;
        heights[high] -= 1.0 - heights[low];
        if heights[high] < 1.0 {
            large.pop();
            small.push(high);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Conditions, Difference, Model};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn chances() -> PairChances {
        let like = Conditions::like(Pentanomial::new([5, 20, 40, 25, 10])).unwrap();
        let difference = Difference {
            model: Model::Normalized,
            elo: 5.0,
        };
        like.at(difference).unwrap()
    }

    #[test]
    fn a_table_holds_every_outcome_with_its_chance() {
        let table = Table::new(&chances().by_score(), 8);
        assert_eq!(table.0.len(), 495);
        let mut mean = [0.0; 5];
        let place = 1.0 / 495.0;
        for Place {
            share,
            outcome,
            other,
        } in &table.0
        {
            assert_eq!((outcome.pairs(), other.pairs()), (8, 8));
            let share = *share as f64 / 2_f64.powi(32);
            for (mean, (one, two)) in mean
                .iter_mut()
                .zip(outcome.counts().into_iter().zip(other.counts()))
            {
                *mean += place * (share * one as f64 + (1.0 - share) * two as f64);
            }
        }
        for (mean, chance) in mean.into_iter().zip(chances().by_score()) {
            assert!((mean - 8.0 * chance).abs() < 1e-7, "{mean} {chance}");
        }
    }

    #[test]
    fn what_is_drawn_has_the_right_mean_and_variance() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for pairs in [1, 5, 8, 20] {
            let sampler = Sampler::new(&chances(), pairs);
            let (mut sum, mut squares) = (0.0, 0.0);
            let draws = 40_000;
            for _ in 0..draws {
                let drawn = sampler.draw(&mut rng);
                assert_eq!(drawn.pairs(), pairs);
                let [_, ld, even, wd, ww] = drawn.counts();
                let score = 0.25 * (ld + 2 * even + 3 * wd + 4 * ww) as f64;
                sum += score;
                squares += score * score;
            }
            let mean = sum / f64::from(draws);
            let variance = squares / f64::from(draws) - mean * mean;
            let want = chances().variance() * pairs as f64;
            let error = (want / f64::from(draws)).sqrt();
            assert!((mean - chances().score() * pairs as f64).abs() < 4.0 * error);
            assert!((variance / want - 1.0).abs() < 0.04, "{variance} {want}");
        }
    }
}
