//! `match-estimate` compares shards, CPU models and the halves of the match, and drops nothing.

use serde_json::Value;

use crate::ordered::games;
use crate::program::{Answer, Place};

/// 96 pairs of no difference.
fn even() -> String {
    "wdldwddl".repeat(12)
}

/// 96 pairs of which most are lost.
fn lopsided() -> String {
    "ldlldlwd".repeat(12)
}

fn place(shards: &[String]) -> Place {
    let place = Place::new();
    for (at, pairs) in shards.iter().enumerate() {
        place.write(&format!("run/shard-{at}/games.pgn"), games(pairs));
    }
    place
}

fn manifest(cpu: &str) -> String {
    let example = include_str!("../data/manifest.json");
    let mut manifest: Value = serde_json::from_str(example).expect("it is JSON");
    manifest["machine"]["cpu"] = cpu.into();
    manifest.to_string()
}

#[track_caller]
fn estimate(place: &Place, arguments: &[&str]) -> Answer {
    let fixed = ["match-estimate", "run", "--candidate=new", "--baseline=old"];
    let answer = place.run(fixed.into_iter().chain(arguments.iter().copied()));
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    answer
}

#[track_caller]
fn document(place: &Place) -> Value {
    serde_json::from_str(&estimate(place, &["--json"]).stdout).expect("it is JSON")
}

/// The report from the table of shards to the endings.
#[track_caller]
fn shards_part(place: &Place) -> String {
    let page = estimate(place, &[]).stdout;
    let begin = page.find("| shard |").expect("there is a table");
    let end = page.find("How the games ended").expect("there are endings");
    page[begin..end].trim_end().to_owned()
}

#[test]
fn a_lopsided_shard_is_named_and_stays_in_the_pool() {
    let place = place(&[even(), lopsided(), even()]);
    insta::assert_snapshot!(shards_part(&place), @"
    | shard | games | score | faults | residual |
    | --- | --- | --- | --- | --- |
    | shard-0 | 192 | 50.0% | 0 | 1.3 |
    | shard-1 | 192 | 31.2% | 0 | 3.8 |
    | shard-2 | 192 | 50.0% | 0 | 1.3 |
    | pooled | 576 | 43.8% | 0 | - |

    The shards **differ** by more than chance: χ² = 18.98 with 4 degrees of freedom, p < 0.001. **shard-1 stands out**: it scored 31.2% and the others 50.0%; p < 0.001 with Bonferroni's correction for 3 shards. It stays in the pool: see what it ran on and beside.

    No sign of drift along the match: 43.8% in the first half of each shard's pairs and 43.8% in the second, p = 0.899.
    ");
    let document = document(&place);
    let homogeneity = &document["homogeneity"];
    assert_eq!(homogeneity["test"]["outlier"]["name"], "shard-1");
    assert_eq!(homogeneity["test"]["dof"], 4);
    assert_eq!(homogeneity["groups"][1]["row"], "own");
    assert_eq!(document["pairs"], 288);
    assert_eq!(document["games"], 576);
    assert_eq!(document["cpu_homogeneity"], Value::Null);
}

#[test]
fn shards_that_agree_are_said_to() {
    let place = place(&[even(), even(), even()]);
    insta::assert_snapshot!(shards_part(&place), @"
    | shard | games | score | faults | residual |
    | --- | --- | --- | --- | --- |
    | shard-0 | 192 | 50.0% | 0 | 0.0 |
    | shard-1 | 192 | 50.0% | 0 | 0.0 |
    | shard-2 | 192 | 50.0% | 0 | 0.0 |
    | pooled | 576 | 50.0% | 0 | - |

    The shards agree as well as chance lets them: χ² = 0.00 with 4 degrees of freedom, p = 1.000.

    No sign of drift along the match: 50.0% in the first half of each shard's pairs and 50.0% in the second, p = 0.590.
    ");
    let document = document(&place);
    assert_eq!(document["homogeneity"]["test"]["differ"], false);
    assert_eq!(document["homogeneity"]["test"]["outlier"], Value::Null);
}

#[test]
fn shards_are_grouped_by_the_processor_they_ran_on() {
    let place = place(&[even(), lopsided(), even(), lopsided(), even()]);
    for (shard, cpu) in ["Swift 1", "Slow | 2", "Swift 1", "Slow | 2"]
        .iter()
        .enumerate()
    {
        place.write(&format!("run/shard-{shard}/manifest.json"), manifest(cpu));
    }
    let part = shards_part(&place);
    let sentences = part.lines().find(|line| line.starts_with("The CPU models"));
    insta::assert_snapshot!(sentences.unwrap_or_default(), @"The CPU models **differ** by more than chance: χ² = 27.43 with 2 degrees of freedom, p < 0.001. Scores: `Slow | 2` (2 shards) 31.2%, Swift 1 (2 shards) 50.0%; 1 shard without one.");
    let document = document(&place);
    let cpus = &document["cpu_homogeneity"];
    assert_eq!(cpus["groups"][0]["name"], "Slow | 2");
    assert_eq!(cpus["groups"][0]["pairs"], 192);
    assert_eq!(cpus["groups"][1]["shards"], 2);
    // Of two groups neither is the odd one.
    assert_eq!(cpus["test"]["outlier"], Value::Null);
    assert_eq!(cpus["test"]["differ"], true);
}

#[test]
fn rare_scores_and_short_shards_are_said() {
    let strong = || "wwwwd".repeat(20);
    let place = place(&[strong(), "wwd".to_owned(), strong()]);
    let part = shards_part(&place);
    let sentences = part.lines().find(|line| line.starts_with("The shards"));
    insta::assert_snapshot!(sentences.unwrap_or_default(), @"The shards agree as well as chance lets them: χ² = 0.00 with 1 degree of freedom, p = 1.000. Some scores are rare: pairs are told apart only by whether they brought at least 1.5 of 2 points. For want of pairs 1 shard had no part in this test; the pool has them all.");
    assert!(part.contains("| shard-1 | 6 | 83.3% | 0 | - |"), "{part}");
    assert_eq!(document(&place)["pairs"], 203);
}

#[test]
fn one_shard_or_few_pairs_are_not_tested() {
    let one = place(&[even()]);
    let page = estimate(&one, &[]).stdout;
    assert!(!page.contains("residual") && !page.contains("χ²"), "{page}");
    let one = document(&one);
    assert_eq!(one["homogeneity"], Value::Null);
    assert!(one["drift"]["test"]["p"].is_f64());

    let few = place(&["wdl".to_owned(), "ldw".to_owned()]);
    let page = estimate(&few, &[]).stdout;
    assert!(
        !page.contains("residual") && !page.contains("rift"),
        "{page}"
    );
    let few = document(&few);
    assert_eq!(few["homogeneity"]["not_tested"], "too few pairs");
    assert_eq!(few["homogeneity"]["groups"][1]["pairs"], 3);
    assert_eq!(few["drift"]["not_tested"], "too few pairs");
}

#[test]
fn a_score_that_falls_along_the_match_is_said() {
    let falling = || "wwdw".repeat(6) + &"dldl".repeat(6);
    let place = place(&[falling(), falling()]);
    let part = shards_part(&place);
    insta::assert_snapshot!(part.lines().last().unwrap_or_default(), @"The score **drifts** along the match by more than chance: 87.5% in the first half of each shard's pairs and 25.0% in the second, p < 0.001.");
    let drift = &document(&place)["drift"]["test"];
    assert_eq!(drift["drifts"], true);
    assert_eq!(drift["first"]["pairs"], 48);
    assert!(drift["slope"].as_f64().expect("a number") < 0.0);
}

#[test]
fn drift_is_not_tested_in_an_order_that_is_not_known() {
    let place = place(&[]);
    let twice = games(&even()) + &games(&lopsided());
    place.write("run/shard-0/games.pgn", twice);
    let part = shards_part(&place);
    insta::assert_snapshot!(part.lines().last().unwrap_or_default(), @"Drift along the match is not tested: `run/shard-0/games.pgn: several pairs are round 1, so their order is not known`.");
    let document = document(&place);
    assert_eq!(document["drift"]["test"], Value::Null);
    let why = document["drift"]["not_tested"].as_str().expect("a reason");
    assert!(why.contains("several pairs are round 1"), "{why}");
}

#[test]
fn a_manifest_that_cannot_be_read_costs_the_processor_and_nothing_else() {
    let place = place(&[even(), even()]);
    place.write("run/shard-1/manifest.json", "{}");
    let answer = estimate(&place, &["--line"]);
    insta::assert_snapshot!(answer.stderr.trim_end(), @"
    run/shard-0/games.pgn and run/shard-1/games.pgn hold the same games; nothing in them says when they were played, so all count
    run/shard-1/manifest.json is not a manifest this version can read, so the processor of shard shard-1 is not known
    ");
    assert_eq!(document(&place)["pairs"], 192);
}
