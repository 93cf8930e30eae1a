//! Error rates and lengths of simulated tests: nominal ones, and those of a simulator written elsewhere.

use std::num::NonZeroU64;

use mache::stats::{
    Conditions, Correction, Course, Design, Difference, Model, PairChances, Rule, Saving,
    Simulated, Sprt, Strength, Trial,
};
use serde::Deserialize;

fn simulate(design: Design, conditions: Conditions, elo: f64, tests: u64) -> Simulated {
    let model = Model::Normalized;
    let chances = conditions
        .at(Difference { model, elo })
        .expect("engines can differ by so much");
    play(design, &chances, tests)
}

pub(crate) fn play(design: Design, chances: &PairChances, tests: u64) -> Simulated {
    let courses = Trial::new(design, chances)
        .play_many(tests, 1, &|_| {})
        .expect("simulated pairs can be fitted");
    Simulated::of(&courses).expect("there are tests")
}

fn balanced() -> Conditions {
    Conditions::games(0.6, 0.0).expect("such games exist")
}

/// A test that a few hundred pairs decide, with a look every 8 of them or at the end of batches of this size.
fn quick(rule: Rule, batch: u64) -> Design {
    let test = Sprt::new(Model::Normalized, 0.0, 30.0, 0.05, 0.05).expect("a test");
    Design {
        batch: NonZeroU64::new(batch),
        ..Design::new(test, rule)
    }
}

const TESTS: u64 = 3000;

/// Four standard errors of a share of one twentieth.
fn bound() -> f64 {
    4.0 * (0.05 * 0.95 / TESTS as f64).sqrt()
}

/// Wrong passes at H0 and wrong fails at H1.
fn errors(design: Design) -> [f64; 2] {
    [
        simulate(design, balanced(), 0.0, TESTS).passed.share,
        simulate(design, balanced(), 30.0, TESTS).failed.share,
    ]
}

#[test]
fn an_ordered_test_has_its_nominal_error_rates_whatever_the_batch() {
    // 0: uncut, with a correction that is never begun anew.
    for batch in [0, 32, 100, 512] {
        for rate in errors(quick(Rule::Ordered, batch)) {
            assert!((rate - 0.05).abs() < bound(), "batches of {batch}: {rate}");
        }
    }
}

#[test]
fn totals_err_no_more_often_than_they_may_and_less_in_large_batches() {
    let rates = [32, 100, 512].map(|batch| errors(quick(Rule::Totals, batch)));
    for rate in rates.as_flattened() {
        assert!(*rate < 0.05 + bound(), "{rates:?}");
    }
    assert!(
        rates[2].iter().sum::<f64>() < 0.5 * rates[0].iter().sum::<f64>(),
        "{rates:?}"
    );
}

#[test]
fn an_order_saves_pairs() {
    for batch in [100, 512] {
        let mean = |rule| {
            simulate(quick(rule, batch), balanced(), 15.0, TESTS)
                .played
                .mean
        };
        let (ordered, totals) = (mean(Rule::Ordered), mean(Rule::Totals));
        assert!(ordered < 0.95 * totals, "{ordered} {totals}");
    }
}

/// Courses of tests of nought against so many nElo at its end, from the same pairs with each correction.
fn corrected_or_not(elo1: f64, batch: u64) -> [Vec<Course>; 2] {
    let test = Sprt::new(Model::Normalized, 0.0, elo1, 0.05, 0.05).expect("a test");
    let (model, elo) = (Model::Normalized, elo1);
    let chances = balanced().at(Difference { model, elo });
    let chances = chances.expect("engines can differ by so much");
    [Correction::Dynamic, Correction::Off].map(|correction| {
        let design = Design {
            batch: NonZeroU64::new(batch),
            correction,
            ..Design::new(test, Rule::Ordered)
        };
        let trial = Trial::new(design, &chances);
        trial
            .play_many(2000, 5, &|_| {})
            .expect("they can be fitted")
    })
}

/// A step over a bound is 0.583 standard deviations of the steps (Siegmund, *Sequential Analysis*, 1985, section 10.1): here a
/// look changes the ratio by √8 t₁, and the length of a test at one of its hypotheses goes as the bound to the power
/// of 1 + b / sinh b. So [0, 5] nElo gains 1.5 %, and other tests in proportion to their width.
#[test]
fn the_correction_saves_what_a_step_over_the_bound_costs() {
    for (elo1, batch) in [(10.0, 0), (20.0, 0), (20.0, 128)] {
        let [with, without] = corrected_or_not(elo1, batch);
        let Saving { share, error } = Saving::of(&with, &without).expect("as many of both");
        let expected = 0.015 * elo1 / 5.0;
        let about = format!("[0, {elo1}], batches of {batch}: {share} ±{error}");
        assert!(error < 0.25 * expected, "{about}");
        assert!(share > 4.0 * error, "{about}");
        // The law is that of small steps, and falls short for large ones by a tenth or two.
        assert!((share - 0.9 * expected).abs() < 4.0 * error, "{about}");
        for (with, without) in with.iter().zip(&without) {
            assert!(
                with.judged <= without.judged,
                "the same pairs: {with:?} {without:?}"
            );
        }
    }
}

#[derive(Deserialize)]
struct Planning {
    monte_carlo_operating_characteristic: Vec<Table>,
    monte_carlo_round_size: Vec<Table>,
    monte_carlo_game_cap: Vec<Table>,
}

#[derive(Deserialize)]
pub(crate) struct Table {
    sims: f64,
    pub(crate) pass: f64,
    pub(crate) inconclusive: f64,
    pub(crate) games_mean: f64,
    pub(crate) games_mean_se: f64,
    pub(crate) games_p90: f64,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    pub(crate) batch_pairs: u64,
    overshoot_correction: bool,
    cap_games: Option<u64>,
    draw_ratio: f64,
    bias: f64,
    pub(crate) true_nelo: f64,
}

pub(crate) fn planning<T: serde::de::DeserializeOwned>() -> T {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/planning.json.zst");
    let file = std::fs::File::open(path).expect("test data is there");
    let text = zstd::decode_all(file).expect("test data is zstd");
    serde_json::from_slice(&text).expect("test data is as described here")
}

impl Table {
    /// What its simulator calls a batch is a look; it stops there, too.
    pub(crate) fn design(&self) -> Design {
        let test = Sprt::new(
            Model::Normalized,
            self.elo0,
            self.elo1,
            self.alpha,
            self.beta,
        );
        Design {
            test: test.expect("a test"),
            rule: Rule::Ordered,
            look: NonZeroU64::new(self.batch_pairs).expect("not nought"),
            batch: None,
            correction: if self.overshoot_correction {
                Correction::Dynamic
            } else {
                Correction::Off
            },
            cap: self.cap_games.and_then(|games| NonZeroU64::new(games / 2)),
        }
    }

    pub(crate) fn strength(&self) -> Strength {
        let (model, elo) = (Model::Normalized, self.true_nelo);
        let conditions = Conditions::games(self.draw_ratio, self.bias).expect("such games exist");
        Strength::of(
            &conditions
                .at(Difference { model, elo })
                .expect("so do these"),
        )
    }

    fn check(&self, pairs: f64) {
        let tests = (2.0 * pairs / self.games_mean).clamp(40.0, 40_000.0) as u64;
        let conditions = Conditions::games(self.draw_ratio, self.bias).expect("such games exist");
        let got = simulate(self.design(), conditions, self.true_nelo, tests);
        let about = format!(
            "[{}, {}] at {}, a look every {}: {got:?}",
            self.elo0, self.elo1, self.true_nelo, self.batch_pairs
        );
        for (got, want) in [
            (got.passed.share, self.pass),
            (got.inconclusive.share, self.inconclusive),
        ] {
            // Both are simulated, and one test more or less is no difference.
            let error = (want * (1.0 - want) * (1.0 / tests as f64 + 1.0 / self.sims)).sqrt();
            assert!(
                (got - want).abs() < 4.5 * error + 1.5 / tests as f64,
                "{about} for {want}"
            );
        }
        let far = (2.0 * got.played.mean - self.games_mean).abs();
        // Theirs say how far tests spread; a few of ours, of which most meet a cap, may not.
        let error = self.games_mean_se * (1.0 + self.sims / tests as f64).sqrt();
        assert!(
            far < 5.0 * error + 3e-3 * self.games_mean,
            "{about} for {}",
            self.games_mean
        );
    }
}

/// So many pairs of each are affordable here; `MACHE_SIMULATED_PAIRS` sets another number.
#[test]
fn simulated_tables_are_those_of_another_simulator() {
    let asked = std::env::var("MACHE_SIMULATED_PAIRS").ok();
    let pairs = asked.map_or(200_000.0, |asked| asked.parse().expect("a number of pairs"));
    let tables: Planning = planning();
    let all = [
        tables.monte_carlo_operating_characteristic,
        tables.monte_carlo_round_size,
        tables.monte_carlo_game_cap,
    ];
    assert_eq!(all.iter().flatten().count(), 93);
    all.iter().flatten().for_each(|table| table.check(pairs));
}
