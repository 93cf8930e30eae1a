//! What one look of a sequential test costs.
//!
//! The bars are 2 µs for the logistic model and 60 µs for the normalized one, with the pairs of a real match.

use mache::stats::{Estimate, Model, Pentanomial, Sprt};

/// Pairs of real matches, from a few dozen to tens of thousands.
const MATCHES: [[u64; 5]; 4] = [
    [2, 3, 14, 3, 8],
    [63, 600, 1868, 730, 75],
    [39, 2226, 31451, 2412, 40],
    [871, 26175, 55983, 26678, 821],
];

/// Pairs no match has, where the likelihood under the normalized model has two maxima or a very steep one.
const CORNERS: [[u64; 5]; 3] = [
    [0, 0, 500_000, 10, 0],
    [0, 1, 44_300, 1, 0],
    [0, 0, 0, 0, 99_999_999],
];

fn main() {
    divan::main();
}

fn look(bencher: divan::Bencher<'_, '_>, model: Model, elo0: f64, elo1: f64, counts: [u64; 5]) {
    let test = Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("a valid test");
    bencher
        .with_inputs(|| Pentanomial::new(counts))
        .bench_values(|pairs| test.llr(pairs));
}

#[divan::bench(args = MATCHES)]
fn logistic(bencher: divan::Bencher<'_, '_>, counts: [u64; 5]) {
    look(bencher, Model::Logistic, 0.0, 5.0, counts);
}

#[divan::bench(args = MATCHES)]
fn normalized(bencher: divan::Bencher<'_, '_>, counts: [u64; 5]) {
    look(bencher, Model::Normalized, -3.0, 1.0, counts);
}

#[divan::bench(args = CORNERS)]
fn normalized_corner(bencher: divan::Bencher<'_, '_>, counts: [u64; 5]) {
    look(bencher, Model::Normalized, -3.0, 1.0, counts);
}

#[divan::bench(args = MATCHES)]
fn estimate(bencher: divan::Bencher<'_, '_>, counts: [u64; 5]) {
    bencher
        .with_inputs(|| Pentanomial::new(counts))
        .bench_values(Estimate::of);
}
