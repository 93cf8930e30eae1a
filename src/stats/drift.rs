//! Whether the score changes along the order of play: a machine that heats up, a job that gets company, an engine that
//! learns from game to game.

use super::Pentanomial;
use super::estimate::{SCORES, mean_score};
use super::normal::below;

/// Fewest pairs that score otherwise than most of their shard: the sum of so many random places is about normal.
const LEAST_OTHERS: u64 = 5;

/// The chance below which a trend is taken for one.
const FOUND: f64 = 0.01;

/// A trend of the pair score over the place within the shard, and a test of whether it is more than chance.
///
/// Each shard is a stratum of its own, so that shards of different strength or length show no trend. With `i` the place
/// of a pair in its shard and `a` its score, the sum over all shards of `(i − ī)(a − ā)` is compared with its variance over all
/// orders in which the same pairs could have been played, `Σ(i − ī)² Σ(a − ā)² / (n − 1)` a shard (N. Mantel,
/// *Chi-square tests with one degree of freedom; extensions of the Mantel-Haenszel procedure*, Journal of the American
/// Statistical Association 58, 1963).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// The first half of every shard's pairs; the middle one of an odd number is among them.
    pub first: Pentanomial,
    /// The second half.
    pub second: Pentanomial,
    /// Points over games in [`Drift::first`], 0 to 1.
    pub first_score: f64,
    /// Points over games in [`Drift::second`].
    pub second_score: f64,
    /// How much the score (0 to 1) rises from a pair of a shard to the next, by least squares.
    pub slope: f64,
    /// The trend in standard deviations of chance, positive where the score rises.
    pub z: f64,
    /// The chance of so strong a trend, up or down, if the order of the pairs has no part in it.
    pub p: f64,
}

/// Sums over the pairs of shards.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Of squared distances of places from their shard's mean.
    places: f64,
    /// Of the products with the scores.
    products: f64,
    /// What the products' variance is over all orders.
    variance: f64,
    /// Pairs that score otherwise than most of their shard.
    others: u64,
}

impl Drift {
    /// Fewest pairs a trend is looked for in.
    pub const LEAST_PAIRS: u64 = 20;

    /// The trend in these shards, each of them its pairs in the order of play and each pair a count of one.
    ///
    /// `None` when there are fewer than 20 pairs, or fewer than 5 that score otherwise than most of their shard.
    #[must_use]
    pub fn of<P>(shards: impl IntoIterator<Item = P>) -> Option<Self>
    where
        P: ExactSizeIterator<Item = Pentanomial>,
    {
        let mut sums = Sums::default();
        let mut halves = [Pentanomial::default(); 2];
        for shard in shards {
            let added = sums.add(shard);
            halves[0] += added[0];
            halves[1] += added[1];
        }
        let [first, second] = halves;
        let pairs = (first + second).pairs();
        (pairs >= Self::LEAST_PAIRS && sums.others >= LEAST_OTHERS)
            .then(|| sums.drift(first, second))
    }

    /// Whether the trend is stronger than chance makes likely, at one in a hundred.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.p < FOUND
    }
}

impl Sums {
    /// Adds a shard, and gives its halves.
    fn add(&mut self, shard: impl ExactSizeIterator<Item = Pentanomial>) -> [Pentanomial; 2] {
        let length = shard.len();
        let mut halves = [Pentanomial::default(); 2];
        let middle = (length as f64 - 1.0) / 2.0;
        let mut products = 0.0;
        for (place, pair) in shard.enumerate() {
            halves[usize::from(2 * place >= length + length % 2)] += pair;
            products += (place as f64 - middle) * score_sum(pair);
        }
        let whole = halves[0] + halves[1];
        if whole.pairs() > 1 {
            let pairs = whole.pairs() as f64;
            let places = pairs * (pairs * pairs - 1.0) / 12.0;
            self.places += places;
            self.products += products;
            self.variance += places * squares(whole) / (pairs - 1.0);
            let most = whole.counts().into_iter().max().unwrap_or(0);
            self.others += whole.pairs() - most;
        }
        halves
    }

    fn drift(&self, first: Pentanomial, second: Pentanomial) -> Drift {
        let z = self.products / self.variance.sqrt() + 0.0; // never -0
        Drift {
            first,
            second,
            first_score: mean_score(first),
            second_score: mean_score(second),
            slope: self.products / self.places + 0.0,
            z,
            p: 2.0 * below(-z.abs()),
        }
    }
}

/// Scores of these pairs, added up.
fn score_sum(pairs: Pentanomial) -> f64 {
    let scores = pairs.counts().into_iter().zip(SCORES);
    scores.map(|(count, score)| count as f64 * score).sum()
}

/// Squared distances of the scores from their mean, added up.
fn squares(pairs: Pentanomial) -> f64 {
    super::estimate::variance(pairs, mean_score(pairs)) * pairs.pairs() as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::stats::{Conditions, Difference, Model, Sampler};

    fn pair(halves: usize) -> Pentanomial {
        let mut counts = [0; 5];
        counts[halves] = 1;
        Pentanomial::new(counts)
    }

    fn of(shards: &[Vec<usize>]) -> Option<Drift> {
        Drift::of(
            shards
                .iter()
                .map(|shard| shard.iter().map(|&halves| pair(halves))),
        )
    }

    #[test]
    fn a_trend_worked_out_by_hand() {
        // Ten lost pairs and then ten won ones: the products add up to 50 and the squares of places to 665.
        let shard = [vec![0; 10], vec![4; 10]].concat();
        let drift = of(&[shard]).unwrap();
        assert_eq!(
            (drift.first.counts(), drift.second.counts()),
            ([10, 0, 0, 0, 0], [0, 0, 0, 0, 10])
        );
        assert_eq!((drift.first_score, drift.second_score), (0.0, 1.0));
        assert!((drift.slope - 50.0 / 665.0).abs() < 1e-15);
        let variance: f64 = 665.0 * 5.0 / 19.0;
        assert!((drift.z - 50.0 / variance.sqrt()).abs() < 1e-12);
        assert!(drift.p < 0.001);
    }

    #[test]
    fn shards_of_different_strength_show_no_trend() {
        let strong = [3, 4].repeat(20);
        let weak = [1, 0].repeat(60);
        let drift = of(&[strong, weak]).unwrap();
        assert!(drift.p > 0.5, "{drift:?}");
    }

    #[test]
    fn few_pairs_or_ones_alike_have_no_trend_to_test() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[[0, 4].repeat(9)]), None);
        assert!(of(&[[0, 4].repeat(10)]).is_some());
        assert_eq!(of(&[vec![2; 500]]), None);
        assert_eq!(of(&[vec![2; 500], vec![3; 500]]), None);
        assert_eq!(of(&[[vec![2; 500], vec![4; 4]].concat()]), None);
    }

    #[test]
    fn the_middle_pair_is_in_the_first_half() {
        let drift = of(&[[0, 4].repeat(10), vec![0, 1, 2]]).unwrap();
        assert_eq!((drift.first.pairs(), drift.second.pairs()), (12, 11));
    }

    /// Matches of three shards whose true difference falls by so much Elo from the first pair to the last: the share
    /// with `p` below the level.
    fn rate(matches: u64, pairs: u64, draws: f64, falls: f64, level: f64) -> f64 {
        let conditions = Conditions::games(draws, 40.0).unwrap();
        let samplers: Vec<Sampler> = (0..pairs)
            .map(|place| {
                let elo = falls / 2.0 - falls * place as f64 / pairs as f64;
                let model = Model::Logistic;
                Sampler::new(&conditions.at(Difference { model, elo }).unwrap(), 1)
            })
            .collect();
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let shard = |rng: &mut ChaCha8Rng| -> Vec<Pentanomial> {
            samplers.iter().map(|sampler| sampler.draw(rng)).collect()
        };
        let mut low = 0;
        for _ in 0..matches {
            let shards = [(); 3].map(|()| shard(&mut rng).into_iter());
            low += u64::from(Drift::of(shards).is_some_and(|drift| drift.p < level));
        }
        low as f64 / matches as f64
    }

    #[test]
    fn chances_are_uniform_where_nothing_drifts() {
        const MATCHES: u64 = 4000;
        for level in [0.05, 0.5] {
            let error = (level * (1.0 - level) / MATCHES as f64).sqrt();
            let rate = rate(MATCHES, 30, 0.6, 0.0, level);
            assert!(
                (rate - level).abs() < 4.0 * error,
                "{rate} for {level} ± {error}"
            );
        }
    }

    #[test]
    fn chances_hold_with_few_pairs_that_differ() {
        const MATCHES: u64 = 20_000;
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut low = 0;
        for _ in 0..MATCHES {
            let mut shard = vec![2; 60];
            while shard.iter().filter(|&&halves| halves == 2).count() > 55 {
                let place = usize::try_from(rng.next_u64() % 60).unwrap();
                shard[place] = 3;
            }
            low += u64::from(of(&[shard]).unwrap().p < 0.05);
        }
        let rate = low as f64 / MATCHES as f64;
        assert!((0.035..0.056).contains(&rate), "{rate}");
    }

    #[test]
    fn a_falling_score_is_found() {
        let found = rate(300, 60, 0.6, 150.0, 0.05);
        assert!(found > 0.9, "{found}");
    }

    proptest! {
        #[test]
        fn backwards_a_trend_is_the_opposite(shard in prop::collection::vec(0_usize..5, 30..80)) {
            let back: Vec<usize> = shard.iter().rev().copied().collect();
            if let (Some(there), Some(back)) = (of(&[shard]), of(&[back])) {
                prop_assert!((there.z + back.z).abs() < 1e-9);
                prop_assert!((there.slope + back.slope).abs() < 1e-12);
                prop_assert!((there.p - back.p).abs() < 1e-9);
            }
        }

        #[test]
        fn the_order_of_shards_is_irrelevant(
            one in prop::collection::vec(0_usize..5, 20..60), other in prop::collection::vec(0_usize..5, 20..60),
        ) {
            let (here, there) = (of(&[one.clone(), other.clone()]), of(&[other, one]));
            prop_assert_eq!(here.map(|drift| drift.first), there.map(|drift| drift.first));
            let z = |drift: Option<Drift>| drift.map_or(0.0, |drift| drift.z);
            prop_assert!((z(here) - z(there)).abs() < 1e-9);
        }
    }
}
