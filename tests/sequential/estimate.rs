//! The unbiased estimate beside fishtest's for the same pairs and tests.

use mache::stats::{Model, Pentanomial, Sprt, UnbiasedEstimate};
use serde::Deserialize;

#[derive(Deserialize)]
struct Fishtest {
    pentanomial_cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    pentanomial: [u64; 5],
    #[serde(default)]
    sequential_estimate: Vec<Wanted>,
}

#[derive(Deserialize)]
struct Wanted {
    elo_model: String,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    elo_median_unbiased: Option<f64>,
    ci95: [Option<f64>; 2],
    los: Option<f64>,
}

pub(crate) fn fishtest<T: serde::de::DeserializeOwned>() -> T {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fishtest.json.zst");
    let file = std::fs::File::open(path).expect("test data is there");
    let text = zstd::decode_all(file).expect("test data is zstd");
    serde_json::from_slice(&text).expect("test data is as described here")
}

pub(crate) fn model(name: &str) -> Model {
    match name {
        "logistic" => Model::Logistic,
        "normalized" => Model::Normalized,
        name => panic!("no model is called {name}"),
    }
}

/// fishtest breaks its series off at 10⁻⁹ and, where a drift is strong, takes two terms of an asymptotic one for a
/// tail; so one figure in eight is off, by up to the fourth decimal, and the rest agree to the ninth.
#[test]
fn unbiased_estimates_are_those_of_fishtest() {
    let (mut compared, mut rough) = (0, 0);
    for case in fishtest::<Fishtest>().pentanomial_cases {
        for wanted in &case.sequential_estimate {
            for (name, got, want) in figures(case.pentanomial, wanted) {
                let off = (got - want).abs() / want.abs().max(1.0);
                let (pairs, model) = (case.pentanomial, &wanted.elo_model);
                assert!(off < 3e-4, "{pairs:?} {model} {name}: {got} for {want}");
                rough += u32::from(off > 1e-8);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 1260);
    assert!(rough < 170, "{rough} of {compared} are not close");
}

fn figures(pairs: [u64; 5], wanted: &Wanted) -> Vec<(&'static str, f64, f64)> {
    let (elo0, elo1) = (wanted.elo0, wanted.elo1);
    let test = Sprt::new(
        model(&wanted.elo_model),
        elo0,
        elo1,
        wanted.alpha,
        wanted.beta,
    );
    let test = test.expect("the cases hold valid tests");
    let got = UnbiasedEstimate::of(&test, Pentanomial::new(pairs)).expect("there are pairs");
    [
        ("elo", got.elo, wanted.elo_median_unbiased),
        ("low", got.low, wanted.ci95[0]),
        ("high", got.high, wanted.ci95[1]),
        ("los", got.los, wanted.los),
    ]
    .into_iter()
    .filter_map(|(name, got, want)| want.map(|want| (name, got, want)))
    .collect()
}
