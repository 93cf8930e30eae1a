//! Documents as strangers may write them.

use std::io::Write;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::CheckedReport;
use crate::games::Pool;
use crate::play::audit::FaultKind;
use crate::report::{Judging, MatchNames, MatchReport, RunningTest};
use crate::stats::{Model, Pentanomial, Rule, Sprt, Verdict};

/// A report of pairs `w` (both won), `d` (both drawn) and `l` (both lost).
fn document(pairs: &str, model: Model, rule: Rule, prior: [u64; 5]) -> String {
    let mut text = String::new();
    for (round, pair) in (1..).zip(pairs.chars()) {
        let results = match pair {
            'w' => ["1-0", "0-1"],
            'l' => ["0-1", "1-0"],
            _ => ["1/2-1/2", "1/2-1/2"],
        };
        for ([white, black], result) in [["new", "old"], ["old", "new"]].into_iter().zip(results) {
            text += &format!(
                "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
                 [Result \"{result}\"]\n[Termination \"normal\"]\n\n1. e4 {{+0.10/2 0.010s}} {result}\n\n"
            );
        }
    }
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let pool = Pool::read(&[file.path().to_owned()], "new", "old").unwrap();
    let names = MatchNames {
        candidate: "new".to_owned(),
        baseline: "old".to_owned(),
        tc: "10+0.1".to_owned(),
    };
    let judging = match rule {
        Rule::Totals => Judging::Totals,
        Rule::Ordered => Judging::Ordered(pool.in_order(&[]).unwrap()),
    };
    let test = RunningTest {
        sprt: Sprt::new(model, 0.0, 50.0, 0.05, 0.05).unwrap(),
        prior: Pentanomial::new(prior),
        judging,
    };
    MatchReport::new(&pool, names, Some(test)).unwrap().json()
}

fn plain() -> Value {
    let text = document(
        &"wdl".repeat(6),
        Model::Logistic,
        Rule::Totals,
        [1, 2, 3, 2, 1],
    );
    serde_json::from_str(&text).unwrap()
}

fn faults(document: &Value) -> Vec<String> {
    match CheckedReport::parse(&document.to_string()) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    }
}

/// The document with the value at this pointer replaced.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = plain();
    *document
        .pointer_mut(pointer)
        .unwrap_or_else(|| panic!("no {pointer}")) = value;
    document
}

#[test]
fn what_match_estimate_prints_is_sound() {
    for model in [Model::Logistic, Model::Normalized] {
        for rule in [Rule::Totals, Rule::Ordered] {
            for pairs in [
                "wdl".repeat(6),
                "wwd".repeat(20),
                "ldl".repeat(20),
                "w".repeat(3),
                "d".to_owned(),
            ] {
                for prior in [[0; 5], [3, 4, 9, 4, 3]] {
                    let text = document(&pairs, model, rule, prior);
                    let checked = CheckedReport::parse(&text)
                        .unwrap_or_else(|faults| panic!("{pairs}: {faults:?}"));
                    let test = checked.test.unwrap();
                    assert_eq!(test.counts, checked.pairs + Pentanomial::new(prior));
                    assert_eq!(test.sprt.model(), model);
                    assert!(
                        text.contains(&checked.line.replace('±', "\\u00b1")),
                        "{}",
                        checked.line
                    );
                }
            }
        }
    }
    let text = document(&"wwd".repeat(20), Model::Logistic, Rule::Ordered, [0; 5]);
    let checked = CheckedReport::parse(&text).unwrap();
    let test = checked.test.unwrap();
    assert_eq!(test.verdict, Verdict::Passed);
    assert!(test.unbiased.is_some() && test.deciding_llr < test.llr);
}

#[test]
fn each_figure_that_does_not_follow_is_named() {
    for (pointer, value, fault) in [
        (
            "/elo",
            json!(99.5),
            "arithmetic: `elo` is 99.5, and the counts say 0.0",
        ),
        (
            "/los",
            json!(0.500_001),
            "arithmetic: `los` is 0.500001, and the counts say 0.5",
        ),
        (
            "/pairs",
            json!(17),
            "arithmetic: `pairs` is 17, and the counts say 18",
        ),
        (
            "/bounded",
            json!("above +1200"),
            "arithmetic: `bounded` is \"above +1200\", and the counts say \"\"",
        ),
        (
            "/sprt/verdict",
            json!("passed"),
            "arithmetic: `sprt.verdict` is \"passed\", and the counts say \"inconclusive\"",
        ),
        (
            "/sprt/upper",
            json!(1.0),
            "arithmetic: `sprt.upper` is 1.0, and the counts say 2.9444389791664394",
        ),
        (
            "/sprt/carried",
            json!("0,0,0,0,9"),
            "arithmetic: `sprt.carried` is \"0,0,0,0,9\", and the counts say \"7,2,9,2,7\"",
        ),
        (
            "/sprt/counts/4",
            json!(8),
            "arithmetic: `sprt.counts[4]` is 8, and the counts say 7",
        ),
        (
            "/shards/0/games",
            json!(35),
            "arithmetic: `shards[0].games` are not two a pair and those of no pair",
        ),
        (
            "/shards/0/points",
            json!(18.25),
            "arithmetic: `shards[0].games` do not give such points",
        ),
        (
            "/terminations/games",
            json!(35),
            "arithmetic: `terminations.games` is 35 and its endings are 36",
        ),
        (
            "/shards/0/faults",
            json!(2),
            "arithmetic: the shards have 2 faults and `terminations` has 0",
        ),
        ("/format", json!(2), "schema: `format` is not 1"),
        (
            "/tool/name",
            json!("other"),
            "schema: `tool.name` is \"other\", not one of the words mache",
        ),
        (
            "/sprt/verdict",
            json!("<b>"),
            "schema: `sprt.verdict` is \"<b>\", not one of the words passed, failed, inconclusive",
        ),
        (
            "/sprt/model",
            json!(null),
            "schema: `sprt.model` is null, not one of the words logistic, normalized",
        ),
        (
            "/sprt/alpha",
            json!(0.7),
            "schema: `sprt` is no test: alpha is between 0 and 0.5, not 0.7",
        ),
        (
            "/pentanomial",
            json!([1, 2, 3, 4]),
            "schema: `pentanomial` is [1,2,3,4], not five counts",
        ),
        (
            "/pentanomial/2",
            json!(-3),
            "schema: `pentanomial` is [6,0,-3,0,6], not five counts",
        ),
        (
            "/candidate",
            json!("x".repeat(3000)),
            "schema: `candidate` is \"xxxxx",
        ),
        (
            "/line",
            json!("+900 Elo"),
            "arithmetic: `line` is \"+900 Elo\", and the counts say",
        ),
        (
            "/games",
            json!(1e300),
            "arithmetic: `games` is 1e+300, and the counts say 36",
        ),
    ] {
        let found = faults(&with(pointer, value));
        assert!(
            found.iter().any(|found| found.starts_with(fault)),
            "{pointer}: {found:#?}"
        );
    }
}

#[test]
fn all_faults_are_listed_and_not_the_first_alone() {
    let mut document = with("/elo", json!(1.0));
    document["nelo"] = json!(1.0);
    document["sprt"]["llr"] = json!(3.0);
    assert_eq!(faults(&document).len(), 3, "{:?}", faults(&document));
}

#[test]
fn a_verdict_in_order_needs_a_crossing_that_can_be_one() {
    let text = document(&"wwd".repeat(20), Model::Logistic, Rule::Ordered, [0; 5]);
    let honest: Value = serde_json::from_str(&text).unwrap();
    let mut early = honest.clone();
    early["sprt"]["crossing"]["counts"] = json!([0, 0, 2, 0, 1]);
    let found = faults(&early);
    assert!(found[0].contains("too far from the bound"), "{found:?}");
    let mut beyond = honest.clone();
    beyond["sprt"]["crossing"]["counts"] = json!([0, 0, 20, 0, 41]);
    assert!(faults(&beyond)[0].contains("not between the pairs carried and all pairs"));
    let mut none = honest;
    none["sprt"]["crossing"] = Value::Null;
    assert!(
        faults(&none)
            .iter()
            .any(|fault| fault.contains("`sprt.verdict`"))
    );
}

#[test]
fn what_is_no_document_is_refused() {
    let first = |text: &str| CheckedReport::parse(text).unwrap_err().remove(0);
    for text in ["", "null", "[]", "{", "7", "\u{0}", r#"{"format": 1}"#] {
        assert_eq!(first(text).kind, FaultKind::Schema, "{text}");
    }
    assert!(
        first(&" ".repeat(super::LARGEST + 1))
            .what
            .contains("larger than")
    );
    let twice = plain()
        .to_string()
        .replacen('{', r#"{"line": "forged", "#, 1);
    assert!(first(&twice).what.contains("`line` stands twice"));
    assert!(faults(&json!({})).len() > 10);
    let mut grown = plain();
    grown["later"] = json!({"x": 1});
    assert_eq!(faults(&grown), [""; 0], "format 1 grows at its ends");
}

/// All places of a document.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                pointers(value, &format!("{at}/{key}"), found);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                pointers(value, &format!("{at}/{index}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn odd_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        Just(json!([])),
        Just(json!({})),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        Just(json!(1e-300)),
        Just(json!(0.0)),
        Just(json!(99_999_999)),
        ".{0,8}".prop_map(Value::from),
        prop::array::uniform5(0_u64..200_000_000).prop_map(|five| json!(five)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_panics_and_what_passes_is_as_it_was(
        changes in prop::collection::vec((any::<prop::sample::Index>(), odd_value()), 1..4), ordered: bool,
    ) {
        let rule = if ordered { Rule::Ordered } else { Rule::Totals };
        let text = document(&"wwd".repeat(9), Model::Normalized, rule, [0; 5]);
        let mut document: Value = serde_json::from_str(&text).unwrap();
        let honest = CheckedReport::parse(&text).unwrap();
        for (place, value) in changes {
            let mut all = Vec::new();
            pointers(&document, "", &mut all);
            let place = place.get(&all).clone();
            *document.pointer_mut(&place).unwrap() = value;
        }
        if let Ok(checked) = CheckedReport::parse(&document.to_string()) {
            prop_assert_eq!(checked.pairs, honest.pairs);
        }
    }

    #[test]
    fn any_test_is_judged_without_panic(
        elo0 in -1000.0..1000.0_f64, width in prop_oneof![Just(1e-12), Just(1e-3), 0.1..2000.0_f64],
        alpha in prop_oneof![Just(1e-300), 0.001..0.499_f64], beta in prop_oneof![Just(1e-300), 0.001..0.499_f64],
        prior in prop::array::uniform5(prop_oneof![Just(0_u64), Just(99_999_999), 0..1000_u64]), normalized: bool,
    ) {
        let mut document = plain();
        let sprt = &mut document["sprt"];
        let scale = if normalized { 0.1 } else { 1.0 };
        sprt["model"] = json!(if normalized { "normalized" } else { "logistic" });
        sprt["elo0"] = json!(elo0 * scale);
        sprt["elo1"] = json!((elo0 + width) * scale);
        sprt["alpha"] = json!(alpha);
        sprt["beta"] = json!(beta);
        sprt["prior"] = json!(prior);
        // The figures were those of another test.
        prop_assert!(CheckedReport::parse(&document.to_string()).is_err());
    }
}
