use super::*;
use serde_json::{Value, json};

fn document() -> Value {
    json!({
        "format": 1,
        "tool": {"name": "mache", "version": "0.1.0", "command": "match_estimate"},
        "candidate": "new", "baseline": "old", "tc": "10+0.1",
        "games": 500, "pairs": 250, "elo": 76.3, "margin": 28.4, "low": 47.9, "high": 104.7,
        "pentanomial": [23, 26, 88, 46, 67],
        "sprt": {
            "model": "logistic", "elo0": 0.0, "elo1": 5.0, "llr": 1.74, "alpha": 0.05, "beta": 0.05,
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

fn parsed(text: &str) -> MatchResult {
    MatchResult::parse(text).expect("a result")
}

#[test]
fn a_comment_in_full() {
    insta::assert_snapshot!(parsed(&document().to_string()).comment("strength", "https://example.org/1"), @"");
}

#[test]
fn status_lines() {
    let line = |text: &str| parsed(text).status_line();
    insta::assert_snapshot!(line(&document().to_string()), @"");
    insta::assert_snapshot!(line(&with("/sprt/verdict", json!("passed"))), @"");
    insta::assert_snapshot!(line(&with("/sprt", Value::Null)), @"");
    insta::assert_snapshot!(line(&with("/elo", Value::Null)), @"");
    let longest = with("/sprt/further/measured/pairs", json!(9e14));
    assert!(line(&longest).chars().count() <= 140);
}

#[test]
fn names_of_strangers_stay_names() {
    let hostile = "](x) @all <img src=x>\n::error::gone\n<!-- mache comment: mache -->\u{1b}[31m";
    let text =
        parsed(&with("/candidate", json!(hostile))).comment("strength", "https://example.org/1");
    let line = text.lines().nth(2).unwrap_or_default();
    insta::assert_snapshot!(line, @"");
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
    insta::assert_snapshot!(refused("/pairs", json!(251)), @"");
    insta::assert_snapshot!(refused("/games", json!(499)), @"");
    insta::assert_snapshot!(refused("/pentanomial/0", json!(u64::MAX)), @"");
    insta::assert_snapshot!(refused("/elo", json!(1e9)), @"");
    insta::assert_snapshot!(refused("/low", json!(80.0)), @"");
    insta::assert_snapshot!(refused("/sprt/counts/0", json!(24)), @"");
    insta::assert_snapshot!(refused("/sprt/elo0", json!(6.0)), @"");
    insta::assert_snapshot!(refused("/sprt/alpha", json!(0.0)), @"");
    insta::assert_snapshot!(refused("/sprt/upper", json!(2.0)), @"");
    insta::assert_snapshot!(refused("/sprt/further/measured/pairs", json!(-1.0)), @"");
    insta::assert_snapshot!(refused("/sprt/verdict", json!("PASSED")), @"");
    insta::assert_snapshot!(refused("/format", json!(2)), @"");
    insta::assert_snapshot!(refused("/tool/command", json!("rating_estimate")), @"");
    insta::assert_snapshot!(refused("/tool", json!("mache")), @"");
}

#[test]
fn what_is_no_document_is_refused() {
    for text in ["", "[]", "{}", "<html>", &"[".repeat(10_000)] {
        assert!(matches!(MatchResult::parse(text), Err(NoResult::Json(_))));
    }
    let long = " ".repeat(LONGEST + 1);
    assert!(matches!(MatchResult::parse(&long), Err(NoResult::Long(_))));
}
