//! Forecasts beside closed forms, exit times and simulated tables worked out elsewhere.

use std::num::NonZeroU64;

use mache::stats::{
    Conditions, Correction, Design, Difference, FixedMatch, Forecast, Model, Rule, Sprt, Strength,
};
use serde::Deserialize;

use crate::estimate::model;
use crate::simulation::{Table, planning};

#[derive(Deserialize)]
struct Planning {
    closed_form: Vec<ClosedForm>,
    worst_case: Vec<WorstCase>,
    remaining: Vec<Remaining>,
    monte_carlo_operating_characteristic: Vec<Table>,
    monte_carlo_round_size: Vec<Table>,
    monte_carlo_game_cap: Vec<Table>,
    monte_carlo_canonical_order: Vec<Canonical>,
    fixed_games: Vec<Fixed>,
}

#[derive(Deserialize)]
struct ClosedForm {
    elo_model: String,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    variance_per_game: f64,
    points: Vec<Point>,
}

#[derive(Deserialize)]
struct Point {
    elo: f64,
    pass: f64,
    games: f64,
}

#[derive(Deserialize)]
struct WorstCase {
    nelo_width: f64,
    alpha: f64,
    beta: f64,
    at_elo0: Chance,
    midpoint: Chance,
    at_elo1: Chance,
    elo1_plus_width: Chance,
}

#[derive(Deserialize)]
struct Chance {
    pass: f64,
    games: f64,
}

#[derive(Deserialize)]
struct Remaining {
    llr: f64,
    h: f64,
    alpha: f64,
    beta: f64,
    pass: f64,
    remaining: f64,
}

#[derive(Deserialize)]
struct Canonical {
    elo0: f64,
    elo1: f64,
    true_nelo: f64,
    draw_ratio: f64,
    bias: f64,
    check_every_pairs: u64,
    pass: f64,
    games_mean_sequential: f64,
    games_mean_when_rounds_of: std::collections::BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct Fixed {
    variance_per_game: f64,
    games: f64,
    elo95: f64,
    nelo95: f64,
}

#[track_caller]
fn assert_near(got: f64, want: f64, tolerance: f64, about: &str) {
    let far = (got - want).abs();
    assert!(far <= tolerance, "{about}: {got} for {want}");
}

/// A test that stops when it is decided, as if it looked all the time.
fn uncut(model: Model, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Design {
    let test = Sprt::new(model, elo0, elo1, alpha, beta).expect("a test");
    Design {
        look: NonZeroU64::MIN,
        ..Design::new(test, Rule::Ordered)
    }
}

#[test]
fn closed_forms() {
    for case in planning::<Planning>().closed_form {
        let test = uncut(
            model(&case.elo_model),
            case.elo0,
            case.elo1,
            case.alpha,
            case.beta,
        );
        let spread = Strength {
            score: 0.5,
            variance: case.variance_per_game / 2.0,
        };
        for point in case.points {
            let strength = spread.at(Difference {
                model: Model::Logistic,
                elo: point.elo,
            });
            let got = Forecast::of(&test, strength);
            let about = format!(
                "{} [{}, {}] at {}",
                case.elo_model, case.elo0, case.elo1, point.elo
            );
            assert_near(got.passed, point.pass, 1e-6, &about);
            assert_near(2.0 * got.judged, point.games, 1e-5 * point.games, &about);
        }
    }
}

#[test]
fn worst_cases() {
    let spread = Strength {
        score: 0.5,
        variance: 0.05,
    };
    for case in planning::<Planning>().worst_case {
        let width = case.nelo_width;
        let test = uncut(Model::Normalized, 0.0, width, case.alpha, case.beta);
        for (elo, want) in [
            (0.0, case.at_elo0),
            (width / 2.0, case.midpoint),
            (width, case.at_elo1),
            (2.0 * width, case.elo1_plus_width),
        ] {
            let got = Forecast::of(
                &test,
                spread.at(Difference {
                    model: Model::Normalized,
                    elo,
                }),
            );
            let about = format!("[0, {width}] at {elo}");
            assert_near(got.passed, want.pass, 1e-9, &about);
            assert_near(2.0 * got.judged, want.games, 1e-6 * want.games, &about);
        }
    }
}

#[test]
fn what_remains_of_a_test() {
    let spread = Strength {
        score: 0.5,
        variance: 0.05,
    };
    for case in planning::<Planning>().remaining {
        let (width, model) = (2.0, Model::Normalized);
        let test = uncut(model, 0.0, width, case.alpha, case.beta);
        let elo = width * (case.h + 1.0) / 2.0;
        let got = Forecast::from(&test, spread.at(Difference { model, elo }), case.llr);
        let pace = (width * std::f64::consts::LN_10 / 800.0).powi(2);
        let about = format!("{} at {}", case.h, case.llr);
        assert_near(got.passed, case.pass, 1e-9, &about);
        assert_near(
            2.0 * got.judged * pace,
            case.remaining,
            1e-6 * case.remaining,
            &about,
        );
    }
}

/// What is promised is 2 %; the simulated figures have errors of their own.
#[test]
fn simulated_tables() {
    let tables: Planning = planning();
    let all = [
        tables.monte_carlo_operating_characteristic,
        tables.monte_carlo_round_size,
        tables.monte_carlo_game_cap,
    ];
    for table in all.iter().flatten() {
        let design = table.design();
        // The correction learns from the steps behind; when the first few already decide it has nothing to learn from.
        if design.correction == Correction::Dynamic && design.look.get() > 1024 {
            continue;
        }
        let got = Forecast::of(&design, table.strength());
        let about = format!("{design:?} at {}: {got:?}", table.true_nelo);
        assert_near(got.passed, table.pass, 0.01, &about);
        assert_near(got.inconclusive, table.inconclusive, 0.01, &about);
        let mean = table.games_mean;
        assert_near(
            2.0 * got.played,
            mean,
            0.02 * mean + 3.0 * table.games_mean_se,
            &about,
        );
        // A tail of ten percent moves in steps of a look.
        let slack = 0.03 * table.games_p90 + 2.0 * table.batch_pairs as f64;
        assert_near(2.0 * got.ninety, table.games_p90, slack, &about);
    }
}

#[test]
fn ordered_tests_in_whole_batches() {
    for case in planning::<Planning>().monte_carlo_canonical_order {
        let model = Model::Normalized;
        let conditions = Conditions::games(case.draw_ratio, case.bias).expect("such games exist");
        let chances = conditions
            .at(Difference {
                model,
                elo: case.true_nelo,
            })
            .expect("so do these");
        let strength = Strength::of(&chances);
        let test = uncut(model, case.elo0, case.elo1, 0.05, 0.05);
        for (games, want) in case.games_mean_when_rounds_of {
            let games: u64 = games.parse().expect("a number of games");
            let design = Design {
                batch: NonZeroU64::new(games / 2),
                look: NonZeroU64::new(case.check_every_pairs).expect("not nought"),
                ..test
            };
            let got = Forecast::of(&design, strength);
            assert_near(got.passed, case.pass, 0.005, "pass");
            assert_near(
                2.0 * got.judged,
                case.games_mean_sequential,
                0.02 * case.games_mean_sequential,
                "judged",
            );
            assert_near(2.0 * got.played, want, 0.02 * want, "played");
        }
    }
}

#[test]
fn matches_of_a_fixed_length() {
    for case in planning::<Planning>().fixed_games {
        let got = FixedMatch::of(case.games / 2.0, case.variance_per_game / 2.0);
        // Theirs have 1.959964 where the field, and so we, have 1.96.
        let exact = 1.959_963_984_540_054 / 1.96;
        assert_near(exact * got.elo, case.elo95, 1e-9 * case.elo95, "elo");
        assert_near(exact * got.nelo, case.nelo95, 1e-9 * case.nelo95, "nelo");
    }
}

/// The same design forecast and simulated, where no table is at hand.
#[test]
fn forecasts_are_what_is_simulated() {
    let conditions = Conditions::games(0.5, 90.0).expect("such games exist");
    for (rule, batch, cap) in [
        (Rule::Totals, 50, 2000),
        (Rule::Totals, 400, 0),
        (Rule::Totals, 3000, 0),
        (Rule::Ordered, 400, 1000),
        (Rule::Ordered, 250, 0),
    ] {
        let test = Sprt::new(Model::Logistic, -2.0, 12.0, 0.05, 0.1).expect("a test");
        let design = Design {
            batch: NonZeroU64::new(batch),
            cap: NonZeroU64::new(cap),
            ..Design::new(test, rule)
        };
        let truth = Difference {
            model: Model::Logistic,
            elo: 6.0,
        };
        let chances = conditions.at(truth).expect("engines can differ by so much");
        let got = Forecast::of(&design, Strength::of(&chances));
        let want = crate::simulation::play(design, &chances, 2000);
        let about = format!("{design:?}: {got:?} for {want:?}");
        assert_near(
            got.passed,
            want.passed.share,
            4.0 * want.passed.error + 0.01,
            &about,
        );
        assert_near(
            got.inconclusive,
            want.inconclusive.share,
            4.0 * want.inconclusive.error + 0.01,
            &about,
        );
        assert_near(
            got.played,
            want.played.mean,
            4.0 * want.played.error + 0.02 * want.played.mean,
            &about,
        );
        assert_near(
            got.judged,
            want.judged.mean,
            4.0 * want.judged.error + 0.02 * want.judged.mean,
            &about,
        );
    }
}

#[test]
fn hypotheses_that_hardly_differ_take_no_time_to_think_about() {
    use mache::stats::{Pentanomial, settles};
    let pairs = Pentanomial::new([5, 9, 28, 10, 8]);
    let strength = Strength::measured(pairs).unwrap();
    for width in [0.1, 1e-3, 1e-6] {
        let test = Sprt::new(Model::Logistic, 0.0, width, 0.05, 0.05).unwrap();
        let design = Design {
            batch: NonZeroU64::new(60),
            ..Design::new(test, Rule::Totals)
        };
        let forecast = Forecast::from(&design, strength, 0.0);
        assert!(
            forecast.played.is_finite() && forecast.played >= forecast.judged,
            "{forecast:?}"
        );
        assert!(
            forecast.played - forecast.judged < 60.0 + 1e-6 * forecast.judged,
            "{forecast:?}"
        );
        for rule in [Rule::Totals, Rule::Ordered] {
            let chance = settles(&test, rule, strength, 0.0, 60);
            assert!((0.0..1e-6).contains(&chance), "{width}: {chance}");
        }
    }
}
