//! `match-estimate --verdict ordered`: the order is known or the command refuses.

use std::fmt::Write as _;

use crate::program::{Answer, Place};

/// Pairs of one shard: the candidate wins both games (`w`), draws both (`d`) or loses both (`l`).
pub(crate) fn games(pairs: &str) -> String {
    let mut text = String::new();
    for (round, pair) in (1..).zip(pairs.chars()) {
        let results = match pair {
            'w' => ["1-0", "0-1"],
            'd' => ["1/2-1/2", "1/2-1/2"],
            'l' => ["0-1", "1-0"],
            other => panic!("no pair is called {other}"),
        };
        for ([white, black], result) in [["new", "old"], ["old", "new"]].into_iter().zip(results) {
            write!(
                text,
                "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
                 [Result \"{result}\"]\n\n1. e4 {result}\n\n"
            )
            .expect("a string takes all text");
        }
    }
    text
}

fn estimate(place: &Place, arguments: &[&str]) -> Answer {
    let fixed = ["match-estimate", ".", "--candidate=new", "--baseline=old"];
    place.run(fixed.into_iter().chain(arguments.iter().copied()))
}

const TEST: [&str; 2] = ["--elo0=0", "--elo1=50"];

fn document(answer: &Answer) -> serde_json::Value {
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    serde_json::from_str(&answer.stdout).expect("it is JSON")
}

/// The candidate does well in the pairs that come first in the order and badly in those behind.
fn well_begun() -> Place {
    let place = Place::new();
    place.write(
        "shard-0/games.pgn",
        games(&("wdw".repeat(8) + &"ld".repeat(12))),
    );
    place.write(
        "shard-1/games.pgn",
        games(&("wwd".repeat(8) + &"ld".repeat(12))),
    );
    place
}

#[test]
fn the_first_crossing_decides_whatever_follows() {
    let answer = estimate(
        &well_begun(),
        &["--elo0=0", "--elo1=50", "--verdict=ordered", "--json"],
    );
    let document = document(&answer);
    let sprt = &document["sprt"];
    assert_eq!(
        (&sprt["rule"], &sprt["verdict"]),
        (&"ordered".into(), &"passed".into())
    );
    assert_eq!(sprt["totals_verdict"], "inconclusive");
    let pairs = sprt["crossing"]["pairs"].as_u64().expect("it crossed");
    assert!(pairs < 48 && pairs.is_multiple_of(8), "{pairs}");
    // Shards are interleaved, so both have played as much by then.
    let counts: Vec<u64> =
        serde_json::from_value(sprt["crossing"]["counts"].clone()).expect("five counts");
    assert_eq!(counts[0], 0, "{counts:?}");
    assert_eq!(counts.iter().sum::<u64>(), pairs);
    let totals = estimate(&well_begun(), &["--elo0=0", "--elo1=50", "--json"]);
    assert_eq!(self::document(&totals)["sprt"]["verdict"], "inconclusive");
    assert_eq!(
        self::document(&totals)["sprt"]["unbiased"],
        serde_json::Value::Null
    );
    assert!(sprt["unbiased"]["elo"].as_f64().expect("it is measured") > 0.0);
}

#[test]
fn what_the_report_says_of_an_order() {
    let answer = estimate(
        &well_begun(),
        &["--elo0=0", "--elo1=50", "--verdict=ordered"],
    );
    let sentences = answer
        .stdout
        .lines()
        .find(|line| line.contains("SPRT"))
        .expect("a test");
    insta::assert_snapshot!(sentences, @"**SPRT [0, 50] passed**, LLR 3.21 (-2.94, 2.94), at pair 24 of 96 pairs. The pairs were judged in the order fixed before play, with a look every 8 and bounds corrected for steps over them; the first to meet one decided. The ratio of all pairs is 0.28, inconclusive by itself. The pairs speak for H1, a difference of about 50 Elo, against H0, about 0, at an error rate of 5% each way. That says which of the two is nearer, not that the difference is at least 50: for its size read the estimate. Allowing for a test that stops when the figure looks decided, the median-unbiased estimate is +264.8 Elo, its 95% interval +109.6 to +784.2, the likelihood of superiority 100.0%; the plain figures above do not allow for that.");
}

#[test]
fn a_manifest_is_believed_before_a_name() {
    let place = Place::new();
    let manifest = |batch: u32| {
        let example = include_str!("../data/manifest.json");
        let mut manifest: serde_json::Value = serde_json::from_str(example).expect("it is JSON");
        manifest["slice"]["batch"] = batch.to_string().into();
        manifest["slice"]["batches"] = "2".into();
        manifest.to_string()
    };
    // By name the losses would come first.
    for (folder, batch, pairs) in [("batch-0", 1, "l"), ("batch-1", 0, "w")] {
        let folder = format!("{folder}/shard-0");
        place.write(&format!("{folder}/games.pgn"), games(&pairs.repeat(40)));
        place.write(&format!("{folder}/manifest.json"), manifest(batch));
    }
    let answer = estimate(
        &place,
        &[&TEST[..], &["--verdict=ordered", "--json"]].concat(),
    );
    assert_eq!(document(&answer)["sprt"]["verdict"], "passed");
}

#[test]
fn an_order_that_is_not_known_is_refused() {
    let place = Place::new();
    place.write("one/games.pgn", games("wd"));
    place.write("two/games.pgn", games("wd"));
    let ordered = [&TEST[..], &["--verdict=ordered"]].concat();
    let answer = estimate(&place, &ordered);
    assert_eq!((answer.code, &*answer.stdout), (1, ""));
    insta::assert_snapshot!(answer.stderr.lines().last().unwrap_or_default(), @"error: cannot tell which shard ./one/games.pgn is: keep its manifest.json beside it, or name its folder shard-0, shard-1, …; without an order only the totals can be judged");
    // Totals need no order.
    assert_eq!(estimate(&place, &TEST).code, 0);
    let answer = estimate(&place, &["--verdict=ordered"]);
    assert_eq!(answer.code, 2);
    assert!(
        answer
            .stderr
            .contains("--verdict ordered is part of a sequential test"),
        "{}",
        answer.stderr
    );
}
