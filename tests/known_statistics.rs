//! Figures that others worked out for the same pairs.
//!
//! `statistics.json` holds what the Python mache 0.7.1 printed for 304 counts, with the exact likelihood ratio
//! beside each; `fishtest.json` what fishtest's statistics code gives for 160 (its commit stands in the file).

use mache::stats::{Bounded, Estimate, FastchessFigures, Model, Pentanomial, Sprt, Verdict};
use serde::Deserialize;
use serde::de::DeserializeOwned;

fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/tests/data/{name}.json.zst", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::File::open(&path).expect("test data is there");
    let text = zstd::decode_all(file).expect("test data is zstd");
    serde_json::from_slice(&text).expect("test data is as described here")
}

#[derive(Deserialize)]
struct Statistics {
    alpha: f64,
    beta: f64,
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    counts: [u64; 5],
    pairs: u64,
    paired_score: Option<f64>,
    elo: Option<f64>,
    margin: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    los: Option<f64>,
    nelo: Option<f64>,
    nelo_margin: Option<f64>,
    bounded: String,
    modelled: bool,
    llr: Vec<Ratio>,
}

#[derive(Deserialize)]
struct Ratio {
    elo0: f64,
    elo1: f64,
    model: String,
    verdict: String,
    exact: f64,
    agrees: bool,
}

/// Within `relative` of the wanted figure, or of 1 if that is less.
#[track_caller]
fn assert_close(got: f64, want: f64, relative: f64, what: &str) {
    let far = (got - want).abs();
    assert!(
        far <= relative * want.abs().max(1.0),
        "{what}: {got:?} for {want:?}, off by {far:.1e}"
    );
}

/// Within 10⁻⁹ of the wanted figure, relative to it, or both absent.
#[track_caller]
fn assert_figure(got: Option<f64>, want: Option<f64>, what: &str) {
    match (got, want) {
        (Some(got), Some(want)) => {
            assert!(
                (got - want).abs() <= 1e-9 * want.abs(),
                "{what}: {got:?} for {want:?}"
            );
        }
        (None, None) => {}
        (got, want) => panic!("{what}: {got:?} for {want:?}"),
    }
}

fn model(name: &str) -> Model {
    match name {
        "logistic" => Model::Logistic,
        "normalized" => Model::Normalized,
        name => panic!("no model is called {name}"),
    }
}

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Inconclusive => "inconclusive",
    }
}

#[test]
fn estimates_are_those_of_the_reference() {
    for vector in read::<Statistics>("statistics").vectors {
        let estimate = Estimate::of(Pentanomial::new(vector.counts));
        let name = |figure: &str| format!("{figure} of {:?}", vector.counts);
        assert_eq!(estimate.pairs, vector.pairs, "{:?}", vector.counts);
        assert_figure(estimate.paired_score, vector.paired_score, &name("score"));
        assert_figure(estimate.elo, vector.elo, &name("elo"));
        assert_figure(estimate.margin, vector.margin, &name("margin"));
        assert_figure(estimate.low, vector.low, &name("low"));
        assert_figure(estimate.high, vector.high, &name("high"));
        assert_figure(estimate.los, vector.los, &name("los"));
        assert_figure(estimate.nelo, vector.nelo, &name("nelo"));
        assert_figure(
            estimate.nelo_margin,
            vector.nelo_margin,
            &name("nelo margin"),
        );
        assert_eq!(
            estimate.bounded.text(),
            vector.bounded,
            "{:?}",
            vector.counts
        );
        assert_eq!(estimate.modelled, vector.modelled, "{:?}", vector.counts);
    }
}

#[test]
fn ratios_are_exact() {
    let statistics: Statistics = read("statistics");
    for vector in &statistics.vectors {
        for ratio in &vector.llr {
            let name = format!(
                "{:?} on {} {}/{}",
                vector.counts, ratio.model, ratio.elo0, ratio.elo1
            );
            let test = Sprt::new(
                model(&ratio.model),
                ratio.elo0,
                ratio.elo1,
                statistics.alpha,
                statistics.beta,
            )
            .expect("the vectors hold valid tests");
            let llr = test
                .llr(Pentanomial::new(vector.counts))
                .expect("all counts can be fitted");
            assert_close(llr, ratio.exact, 1e-9, &name);
            if ratio.agrees {
                assert_eq!(word(test.verdict(llr)), ratio.verdict, "{name}");
            }
        }
    }
}

#[derive(Deserialize)]
struct Fishtest {
    pentanomial_cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    pentanomial: [u64; 5],
    elo: f64,
    elo95: f64,
    los: f64,
    nelo: f64,
    llr_logistic: Vec<FishtestRatio>,
    llr_normalized: Vec<FishtestRatio>,
}

#[derive(Deserialize)]
struct FishtestRatio {
    elo0: f64,
    elo1: f64,
    llr: Option<f64>,
}

#[track_caller]
fn check_fishtest_ratio(model: Model, counts: [u64; 5], ratio: &FishtestRatio) {
    let Some(want) = ratio.llr else { return };
    let test =
        Sprt::new(model, ratio.elo0, ratio.elo1, 0.05, 0.05).expect("the cases hold valid tests");
    let llr = test
        .llr(Pentanomial::new(counts))
        .expect("all counts can be fitted");
    // Its root finder stops near 1e-9 on the probabilities, so its ratios are good to 1e-5 and 1e-7 relative.
    let far = (llr - want).abs();
    assert!(
        far <= 1e-5 + 1e-7 * want.abs(),
        "{counts:?} {model:?} {}/{}: {llr} for {want}",
        ratio.elo0,
        ratio.elo1
    );
}

#[test]
fn ratios_are_those_of_fishtest() {
    for case in read::<Fishtest>("fishtest").pentanomial_cases {
        for ratio in &case.llr_logistic {
            check_fishtest_ratio(Model::Logistic, case.pentanomial, ratio);
        }
        for ratio in &case.llr_normalized {
            check_fishtest_ratio(Model::Normalized, case.pentanomial, ratio);
        }
    }
}

/// fishtest replaces empty counts before it computes anything, so only full ones have the same figures.
#[test]
fn figures_of_full_counts_are_those_of_fishtest() {
    let mut compared = 0;
    for case in read::<Fishtest>("fishtest").pentanomial_cases {
        let pairs = Pentanomial::new(case.pentanomial);
        if case.pentanomial.contains(&0) {
            continue;
        }
        let (estimate, figures) = (Estimate::of(pairs), FastchessFigures::of(pairs, 0));
        let name = |figure: &str| format!("{figure} of {pairs}");
        for elo in [estimate.elo.expect("measured"), figures.elo] {
            assert_close(elo, case.elo, 1e-9, &name("elo"));
        }
        for nelo in [estimate.nelo.expect("measured"), figures.nelo] {
            assert_close(nelo, case.nelo, 1e-9, &name("nelo"));
        }
        for los in [estimate.los.expect("measured"), figures.los] {
            assert_close(los, case.los, 1e-9, &name("los"));
        }
        assert_close(figures.elo_error, case.elo95, 1e-9, &name("elo error"));
        compared += 1;
    }
    assert_eq!(compared, 124);
}

#[test]
fn bounded_words_are_the_references() {
    assert_eq!(
        Estimate::of(Pentanomial::default()).bounded,
        Bounded::NotMeasured
    );
}
