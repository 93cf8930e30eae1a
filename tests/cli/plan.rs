//! `mache plan` and `mache simulate`: what they print, and what they refuse.

use crate::matches::mache;

fn printed(arguments: &[&str]) -> String {
    let output = mache()
        .args(arguments)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "mache {arguments:?}");
    String::from_utf8(output.stdout).expect("reports are UTF-8")
}

#[track_caller]
fn refused(arguments: &[&str], code: i32, part: &str) {
    let output = mache()
        .args(arguments)
        .output()
        .expect("the program starts");
    let errors = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(
        output.status.code(),
        Some(code),
        "mache {arguments:?}: {errors}"
    );
    assert!(errors.contains(part), "mache {arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "mache {arguments:?}");
}

const BOUNDS: [&str; 4] = ["--elo0=0", "--elo1=5", "--model=normalized", "--batch=1024"];

#[test]
fn a_plan() {
    let budget = ["--tc=8+0.08", "--jobs=20", "--concurrency=2", "--hours=6"];
    let page = printed(&[&["plan"], &BOUNDS[..], &budget].concat());
    insta::assert_snapshot!(page, @"
    SPRT [0, 5] nElo at error rates of 5% and 5%: a look at the totals after each batch, batches of 1,024 pairs, bounds as they are.

    | true difference | passes | fails | inconclusive | pairs | 90% within | batches | hours | 90% within | job minutes |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | -5 nElo | 0.0% | 100.0% | 0.0% | 5,646 | 9,216 | 5.5 | 1.9 | 3.2 | 2,327 |
    | 0 nElo | 3.5% | 96.5% | 0.0% | 15,201 | 28,672 | 14.8 | 5.2 | 9.8 | 6,265 |
    | 2.5 nElo | 50.0% | 50.0% | 0.0% | 26,929 | 55,296 | 26.3 | 9.2 | 19.0 | 11,099 |
    | 5 nElo | 96.5% | 3.5% | 0.0% | 15,201 | 28,672 | 14.8 | 5.2 | 9.8 | 6,265 |
    | 10 nElo | 100.0% | 0.0% | 0.0% | 5,646 | 9,216 | 5.5 | 1.9 | 3.2 | 2,327 |

    Reckoned with 20 jobs at once and 291 games an hour each.

    The budget is 17,469 pairs. Tightest bounds whose test stays within it where it takes longest, half way between them: [0, 5.54] nElo on average, [0, 8.00] nElo nine times in ten. A match that plays all of it between equal engines measures to ±2.3 Elo, ±3.6 nElo (95%).
    ");
}

#[test]
fn a_preset_is_its_hypotheses() {
    for (preset, bounds) in [
        ("gainer", ["--elo0=0", "--elo1=2"]),
        ("non-regression", ["--elo0=-1.75", "--elo1=0.25"]),
        ("smoke", ["--elo0=-20", "--elo1=0"]),
    ] {
        for command in [&["plan", "--cap=5000"][..], &["simulate", "--tests=20"]] {
            let named = [command, &["--preset", preset]].concat();
            let spelled = [command, &bounds, &["--model=normalized"]].concat();
            assert_eq!(printed(&named), printed(&spelled), "{preset}");
        }
    }
    refused(
        &["plan", "--preset=gainer", "--elo0=0", "--elo1=2"],
        2,
        "--preset",
    );
}

#[test]
fn a_plan_with_a_cap_leaves_some_undecided() {
    let page = printed(
        &[
            &["plan", "--verdict=ordered", "--cap=10000", "--elo=2.5"],
            &BOUNDS[..],
        ]
        .concat(),
    );
    insta::assert_snapshot!(page, @"
    SPRT [0, 5] nElo at error rates of 5% and 5%: a look every 8 pairs, batches of 1,024 pairs, bounds corrected for overshoot, no new batch after 10,000 pairs.

    | true difference | passes | fails | inconclusive | pairs | 90% within | batches |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: |
    | 2.5 nElo | 15.3% | 15.3% | 69.4% | 9,274 | 10,240 | 9.1 |

    The budget is 10,000 pairs. Tightest bounds whose test stays within it where it takes longest, half way between them: [0, 7.23] nElo on average, [0, 10.39] nElo nine times in ten. A match that plays all of it between equal engines measures to ±3.0 Elo, ±4.8 nElo (95%).
    ");
}

#[test]
fn a_plan_as_a_document() {
    let text = printed(&[&["plan", "--json", "--elo=0,5", "--tc=8+0.08"], &BOUNDS[..]].concat());
    let document: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(document["tool"]["command"], "plan");
    assert_eq!(document["design"]["batch"], 1024);
    let [at0, at5] = [0, 1].map(|at| document["points"][at].clone());
    assert!((at0["passed"].as_f64().unwrap() - at5["failed"].as_f64().unwrap()).abs() < 1e-3);
    assert_eq!(document["budget"], serde_json::Value::Null);
}

#[test]
fn a_simulation() {
    let page = printed(
        &[
            &["simulate", "--tests=200", "--elo=5", "--seed=3"],
            &BOUNDS[..],
        ]
        .concat(),
    );
    insta::assert_snapshot!(page, @"
    SPRT [0, 5] nElo at error rates of 5% and 5%: a look at the totals after each batch, batches of 1,024 pairs, bounds as they are.

    | true difference | tests | passed | failed | inconclusive | pairs judged | pairs played | 10% | 50% | 90% | 99% |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | 5 nElo | 200 | 97.00% ±1.21% | 3.00% ±1.21% | 0.00% ±0.00% | 14,449 ±736 | 14,449 ±736 | 5,120 | 11,264 | 26,624 | 52,224 |

    The figure after ± is one standard error; the last four columns are the pairs played by so many of a hundred tests.
    ");
    let pairs = [
        "simulate",
        "--tests=100",
        "--pairs=3,40,100,50,4",
        "--json",
        "--elo0=0",
        "--elo1=40",
    ];
    let document: serde_json::Value = serde_json::from_str(&printed(&pairs)).expect("it is JSON");
    assert_eq!(document["points"].as_array().expect("points").len(), 3);
    assert_eq!(document["points"][1]["elo"], 20.0);
    assert_eq!(
        printed(&pairs),
        printed(&pairs),
        "the same seed, the same tests"
    );
}

#[test]
fn what_makes_no_plan_is_refused() {
    refused(&["plan"], 2, "--elo0 and --elo1, its --preset, or a budget");
    refused(&["plan", "--hours=6"], 2, "--tc or --manifest");
    refused(&["plan", "--hours=-1", "--tc=8+0.08"], 2, "--hours -1");
    refused(&["plan", "--elo0=0"], 2, "--elo1");
    refused(
        &["plan", "--elo0=5", "--elo1=0"],
        2,
        "--elo0 5 is not below --elo1 0",
    );
    refused(
        &["plan", "--elo0=0", "--elo1=5", "--alpha=0.7"],
        2,
        "--alpha 0.7",
    );
    refused(
        &["plan", "--elo0=0", "--elo1=5", "--draw-ratio=1.5"],
        2,
        "draw ratio of 1.5",
    );
    refused(&["plan", "--cap=0"], 2, "--cap");
    refused(&["plan", "--hours=1", "--manifest=/nowhere"], 1, "manifest");
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    refused(&["simulate"], 2, "--elo0 and --elo1");
    refused(
        &["simulate", "--elo0=0", "--elo1=5", "--pairs=0,0,5,0,0"],
        2,
        "scored the same",
    );
    refused(
        &["simulate", "--elo0=0", "--elo1=5", "--pairs=1,2"],
        2,
        "--pairs '1,2'",
    );
    refused(
        &[
            "simulate",
            "--elo0=0",
            "--elo1=5",
            "--pairs=0,1,5,1,0",
            "--elo=900",
        ],
        2,
        "900 Elo",
    );
    refused(
        &["simulate", "--elo0=0", "--elo1=5", "--tests=0"],
        2,
        "--tests",
    );
}
