use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::{Value, json};

use super::*;
use crate::games::Pool;
use crate::report::{Judging, MatchNames, MatchReport, RunningTest};
use crate::stats::{Model, Pentanomial, Sprt};

/// The report of pairs that both end in a win (`w`), a loss (`l`) or a draw, tested or not.
fn document(pairs: &str, candidate: &str, tested: bool) -> String {
    let mut text = String::new();
    for (round, pair) in (1..).zip(pairs.chars()) {
        let results = match pair {
            'w' => ["1-0", "0-1"],
            'l' => ["0-1", "1-0"],
            _ => ["1/2-1/2", "1/2-1/2"],
        };
        for ((white, black), result) in [("new", "old"), ("old", "new")].into_iter().zip(results) {
            writeln!(
                text,
                "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]"
            )
            .unwrap();
            writeln!(
                text,
                "[Result \"{result}\"]\n[Termination \"normal\"]\n\n1. e4 {result}\n"
            )
            .unwrap();
        }
    }
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let pool = Pool::read(&[file.path().to_owned()], "new", "old").unwrap();
    let names = MatchNames {
        candidate: candidate.to_owned(),
        baseline: "old".to_owned(),
        tc: "10+0.1".to_owned(),
    };
    let test = tested.then(|| RunningTest {
        sprt: Sprt::new(Model::Logistic, 0.0, 20.0, 0.05, 0.05).unwrap(),
        prior: Pentanomial::new([1, 2, 3, 2, 1]),
        judging: Judging::Totals,
    });
    MatchReport::new(&pool, names, test).unwrap().json()
}

fn open() -> String {
    document(&"wdwdl".repeat(10), "new", true)
}

fn parsed(text: &str) -> MatchResult {
    MatchResult::parse(text).expect("a result")
}

#[test]
fn a_comment_in_full() {
    insta::assert_snapshot!(parsed(&open()).comment("strength", "https://example.org/1"), @r"
    ### strength: inconclusive so far

    new against old at 10+0.1: **+70 ±75 Elo (100 games), SPRT [0, 20] inconclusive, LLR 0.86 (-2.94, 2.94)**, 50 pairs.

    | pair score | 0 | 0.5 | 1 | 1.5 | 2 |
    | --- | --: | --: | --: | --: | --: |
    | pairs | 10 | 0 | 20 | 0 | 20 |

    SPRT [0, 20] Elo at error rates of 5% and 5%. 9 pairs of the test carried over. About 173 further pairs are to be expected, in nine of ten cases no more than 250.

    [The whole report](https://example.org/1)
    ");
}

#[test]
fn a_status_in_a_line() {
    let line = |text: &str| parsed(text).status_line();
    insta::assert_snapshot!(line(&open()), @"about 173 further pairs expected: +70 ±75 Elo (100 games), SPRT [0, 20] inconclusive, LLR 0.86 (-2.94, 2.94)");
    insta::assert_snapshot!(line(&document(&"wwdwl".repeat(40), "new", true)), @"+147 ±46 Elo (400 games), SPRT [0, 20] passed, LLR 5.49 (-2.94, 2.94)");
    insta::assert_snapshot!(line(&document(&"lldlw".repeat(40), "new", true)), @"-147 ±46 Elo (400 games), SPRT [0, 20] failed, LLR -6.33 (-2.94, 2.94)");
    insta::assert_snapshot!(line(&document(&"wdwdl".repeat(10), "new", false)), @"+70 ±75 Elo (100 games)");
    insta::assert_snapshot!(line(&document("ww", "new", false)), @"above +1200 Elo (4 games)");
}

#[test]
fn a_forecast_that_cannot_be_is_not_shown() {
    let mut document: Value = serde_json::from_str(&open()).unwrap();
    let pairs = "/sprt/further/measured/pairs";
    for (value, shown) in [
        (json!(9e11), true),
        (json!(-1.0), false),
        (json!(1e300), false),
        (json!("many"), false),
    ] {
        *document.pointer_mut(pairs).unwrap() = value;
        let result = parsed(&document.to_string());
        assert_eq!(result.status_line().contains("further pairs"), shown);
    }
}

#[test]
fn names_of_strangers_stay_names() {
    let hostile = "](x) @all <img src=x>\n::error::gone\n<!-- mache comment: mache -->\u{1b}[31m";
    let result = parsed(&document("wdl", hostile, true));
    let text = result.comment("strength", "https://example.org/1");
    insta::assert_snapshot!(text.lines().nth(2).unwrap_or_default(), @r"`](x) @all <img src=x>\n::error::gone\n<!-- mache comment: mache -->\x1b[31m` against old at 10+0.1: **+0 ±321 Elo (6 games), SPRT [0, 20] inconclusive, LLR -0.05 (-2.94, 2.94)**, 3 pairs.");
    let long = parsed(&document("wdl", &"x".repeat(200), true));
    assert!(long.comment("strength", "https://example.org/1").len() < 700);
}

#[test]
fn what_does_not_follow_from_its_counts_is_refused() {
    let refused = |pointer: &str, value: Value| {
        let mut document: Value = serde_json::from_str(&open()).unwrap();
        *document.pointer_mut(pointer).unwrap() = value;
        MatchResult::parse(&document.to_string()).is_err()
    };
    for (pointer, value) in [
        ("/pairs", json!(51)),
        ("/elo", json!(100.0)),
        ("/sprt/verdict", json!("passed")),
        ("/sprt/llr", json!(3.5)),
        ("/sprt/counts/4", json!(30)),
        ("/format", json!(2)),
        ("/tool/command", json!("rating_estimate")),
    ] {
        assert!(refused(pointer, value), "{pointer}");
    }
    let error = MatchResult::parse("<html>")
        .expect_err("no result")
        .to_string();
    assert!(error.starts_with("the result is not taken: "), "{error}");
}
