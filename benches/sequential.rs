//! Sequential tests: the unbiased estimate (the bar is 1 ms), ratios that grow, simulated pairs.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use mache::stats::{
    Conditions, Design, Difference, Model, Pentanomial, Rule, RunningRatio, Sampler, Sprt, Trial,
    UnbiasedEstimate,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn main() {
    divan::main();
}

const MODELS: [Model; 2] = [Model::Logistic, Model::Normalized];

fn test(model: Model) -> Sprt {
    Sprt::new(model, 0.0, 5.0, 0.05, 0.05).expect("a test")
}

fn matched() -> Pentanomial {
    Pentanomial::new([63, 600, 1940, 650, 83])
}

#[divan::bench(args = MODELS)]
fn ratio(bencher: Bencher<'_, '_>, model: &Model) {
    let test = test(*model);
    bencher.bench(|| test.llr(black_box(matched())));
}

#[divan::bench(args = MODELS)]
fn unbiased_estimate(bencher: Bencher<'_, '_>, model: &Model) {
    let test = test(*model);
    bencher.bench(|| UnbiasedEstimate::of(&test, black_box(matched())));
}

fn chances(model: Model) -> mache::stats::PairChances {
    let conditions = Conditions::games(0.49, 191.0).expect("such games exist");
    let truth = Difference { model, elo: 2.5 };
    conditions.at(truth).expect("engines can differ by so much")
}

/// Eight further pairs, and the ratio after them.
#[divan::bench(args = MODELS)]
fn running_ratio(bencher: Bencher<'_, '_>, model: &Model) {
    let sampler = Sampler::new(&chances(*model), 8);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut running, mut pairs) = (RunningRatio::new(test(*model)), matched());
    bencher.bench_local(|| {
        pairs += sampler.draw(&mut rng);
        running.llr(pairs)
    });
}

/// Whole tests with a look every 8 pairs, on one core; the bar is a million pairs a second.
#[divan::bench(args = MODELS, sample_count = 20)]
fn simulated_pairs(bencher: Bencher<'_, '_>, model: &Model) {
    let trial = Trial::new(Design::new(test(*model), Rule::Ordered), &chances(*model));
    let play = || -> u64 {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut judged = || trial.play(&mut rng).expect("it can be fitted").judged;
        (0..30).map(|_| judged()).sum()
    };
    bencher.counter(ItemsCount::new(play())).bench(play);
}
