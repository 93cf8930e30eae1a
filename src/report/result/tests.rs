use super::*;
use serde_json::{Value, json};

fn document() -> Value {
    let test = Sprt::new(stats::Model::Logistic, 0.0, 5.0, 0.05, 0.05).expect("a sound test");
    let llr = test
        .llr(Pentanomial::new([23, 26, 88, 46, 67]))
        .expect("few pairs");
    json!({
        "format": 1,
        "tool": {"name": "mache", "version": "0.1.0", "command": "match_estimate"},
        "candidate": "new", "baseline": "old", "tc": "10+0.1",
        "games": 500, "pairs": 250, "elo": 76.3, "margin": 28.4, "low": 47.9, "high": 104.7,
        "pentanomial": [23, 26, 88, 46, 67],
        "sprt": {
            "model": "logistic", "elo0": 0.0, "elo1": 5.0, "llr": llr, "alpha": 0.05, "beta": 0.05,
            "rule": "totals", "crossing": null,
            "lower": -2.944_438_979_166_44, "upper": 2.944_438_979_166_44, "verdict": "inconclusive",
            "batch": [23, 26, 88, 46, 67], "prior": [0, 0, 0, 0, 0], "counts": [23, 26, 88, 46, 67],
            "further": {"measured": {"passed": 1.0, "pairs": 1234.5, "pairs_p90": 3000.0}}
        }
    })
}

/// The document with one value changed, by its path.
fn with(path: &str, value: Value) -> String {
    let mut document = document();
    *document.pointer_mut(path).expect("a path in the document") = value;
    document.to_string()
}

/// The test as it stands after an order that decided.
fn passed() -> Value {
    let mut test = document()["sprt"].take();
    test["verdict"] = json!("passed");
    test["rule"] = json!("ordered");
    test["crossing"] = json!({"pairs": 200, "llr": 2.9});
    test
}

fn parsed(text: &str) -> MatchResult {
    MatchResult::parse(text).expect("a result")
}

#[test]
fn a_comment_in_full() {
    insta::assert_snapshot!(parsed(&document().to_string()).comment("strength", "https://example.org/1"), @r"
    ### strength: inconclusive so far

    new against old at 10+0.1: **+76.3 ±28.4 Elo**, 250 pairs from 500 games.

    | pair score | 0 | 0.5 | 1 | 1.5 | 2 |
    | --- | --: | --: | --: | --: | --: |
    | pairs | 23 | 26 | 88 | 46 | 67 |

    SPRT [0, 5] Elo at error rates of 5% and 5%: LLR 1.74 (-2.94, 2.94). About 1,234 further pairs are to be expected, in nine of ten cases no more than 3,000.

    [The whole report](https://example.org/1)
    ");
}

#[test]
fn status_lines() {
    let line = |text: &str| parsed(text).status_line();
    insta::assert_snapshot!(line(&document().to_string()), @"inconclusive, LLR 1.74 (-2.94, 2.94) so far; about 1,234 further pairs expected");
    insta::assert_snapshot!(line(&with("/sprt", passed())), @"passed, +76.3 ±28.4 Elo, LLR 1.74 (-2.94, 2.94)");
    assert!(
        parsed(&with("/sprt/model", json!("bayesian")))
            .comment("a", "b")
            .contains("SPRT [0, 5] BayesElo")
    );
    insta::assert_snapshot!(line(&with("/sprt", Value::Null)), @"+76.3 ±28.4 Elo, 250 pairs");
    insta::assert_snapshot!(line(&with("/elo", Value::Null)), @"inconclusive, LLR 1.74 (-2.94, 2.94) so far; about 1,234 further pairs expected");
    let longest = with("/sprt/further/measured/pairs", json!(9e14));
    assert!(line(&longest).chars().count() <= 140);
}

#[test]
fn names_of_strangers_stay_names() {
    let hostile = "](x) @all <img src=x>\n::error::gone\n<!-- mache comment: mache -->\u{1b}[31m";
    let text =
        parsed(&with("/candidate", json!(hostile))).comment("strength", "https://example.org/1");
    let line = text.lines().nth(2).unwrap_or_default();
    insta::assert_snapshot!(line, @r"`](x) @all <img src=x>\n::error::gone\n<!-- mache comment: mache -->\x1b[31m` against old at 10+0.1: **+76.3 ±28.4 Elo**, 250 pairs from 500 games.");
    let long = parsed(&with("/baseline", json!("x".repeat(10_000))))
        .comment("strength", "https://example.org/1");
    assert!(long.len() < 1000, "{}", long.len());
}

#[test]
fn what_contradicts_itself_is_refused() {
    let refused = |path: &str, value: Value| {
        let error = MatchResult::parse(&with(path, value)).expect_err("no result");
        error.to_string()
    };
    insta::assert_snapshot!(refused("/pairs", json!(251)), @"the result contradicts itself: its counts are not its pairs");
    insta::assert_snapshot!(refused("/games", json!(499)), @"the result contradicts itself: it has fewer games than pairs ask for");
    insta::assert_snapshot!(refused("/pentanomial/0", json!(u64::MAX)), @"the result contradicts itself: counts beyond all bounds");
    insta::assert_snapshot!(refused("/elo", json!(1e9)), @"the result contradicts itself: figures beyond all bounds");
    insta::assert_snapshot!(refused("/low", json!(80.0)), @"the result contradicts itself: its figure is outside its interval");
    insta::assert_snapshot!(refused("/sprt/counts/0", json!(24)), @"the result contradicts itself: the counts of its test do not add up");
    insta::assert_snapshot!(refused("/sprt/elo0", json!(6.0)), @"the result contradicts itself: its test cannot be");
    insta::assert_snapshot!(refused("/sprt/alpha", json!(0.0)), @"the result contradicts itself: its test cannot be");
    insta::assert_snapshot!(refused("/sprt/upper", json!(2.0)), @"the result contradicts itself: its bounds are not those of its error rates");
    insta::assert_snapshot!(refused("/sprt/further/measured/pairs", json!(-1.0)), @"the result contradicts itself: its test cannot be");
    insta::assert_snapshot!(refused("/sprt/verdict", json!("PASSED")), @"the result is no JSON document of format 1");
    insta::assert_snapshot!(refused("/sprt/verdict", json!("passed")), @"the result contradicts itself: its verdict is not that of its figures");
    insta::assert_snapshot!(refused("/sprt/llr", json!(3.5)), @"the result contradicts itself: its ratio is not that of its counts");
    let mut wrong_side = passed();
    wrong_side["crossing"]["llr"] = json!(-2.9);
    insta::assert_snapshot!(refused("/sprt", wrong_side), @"the result contradicts itself: its verdict is not that of its figures");
    insta::assert_snapshot!(refused("/format", json!(2)), @"the result is not mache's match_estimate of format 1");
    insta::assert_snapshot!(refused("/tool/command", json!("rating_estimate")), @"the result is not mache's match_estimate of format 1");
    insta::assert_snapshot!(refused("/tool", json!("mache")), @"the result is no JSON document of format 1");
}

#[test]
fn what_is_no_document_is_refused() {
    for text in ["", "[]", "{}", "<html>", &"[".repeat(10_000)] {
        assert!(matches!(MatchResult::parse(text), Err(NoResult::Json(_))));
    }
    let long = " ".repeat(LONGEST + 1);
    assert!(matches!(MatchResult::parse(&long), Err(NoResult::Long(_))));
}
