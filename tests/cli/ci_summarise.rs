//! `mache ci summarise-match`, `summarise-gauntlet` and `pool`, on games that the program played.

use std::fs;

use serde_json::{Value, json};

use crate::ci_step::{Step, step};
use crate::engine_files::{embedded, engine};
use crate::program::Place;

const PLAN: &str = r#"{"pairs": "2", "shards": "3", "seed": "8", "book": "embedded", "time_control": "5+0.05", "runner": "built-in", "concurrency": "1", "hash_mb": "0", "max_moves": "30"}"#;
const CANDIDATE: &str = "candidate_sha=1111111122222222333333334444444455555555";
const BASELINE: &str = "baseline_sha=aaaaaaaabbbbbbbbccccccccddddddddeeeeeeee";

/// Plays a shard into `games/<folder>`.
#[track_caller]
fn play(place: &Place, folder: &str, shard: &str, opponent: [&str; 2], more: &[&str]) {
    let workdir = format!("games/{folder}");
    engine(place, &format!("{workdir}/candidate"), &embedded("minimax"));
    engine(
        place,
        &format!("{workdir}/opponent"),
        &embedded(opponent[1]),
    );
    let (plan, workdir) = (format!("plan={PLAN}"), format!("workdir={workdir}"));
    let (name, shard) = (
        format!("opponent={}", opponent[0]),
        format!("shard={shard}"),
    );
    let mut inputs = vec![
        &*plan,
        &*workdir,
        &*name,
        &*shard,
        "candidate=new",
        "candidate_binary=candidate",
        "opponent_binary=opponent",
        CANDIDATE,
    ];
    inputs.extend(more);
    step(place, "play-shard", &inputs).exits(0);
}

/// Three shards of a match.
fn played() -> Place {
    let place = Place::new();
    for shard in ["0", "1", "2"] {
        let sha = BASELINE.replace("baseline", "opponent");
        play(&place, &folder(shard), shard, ["old", "greedy"], &[&sha]);
    }
    place
}

/// What an artifact is called.
fn folder(shard: &str) -> String {
    format!("strength-7-batch-1-shard-{shard}")
}

#[track_caller]
fn judge(place: &Place, more: &[&str]) -> Step {
    let plan = format!("plan={PLAN}");
    let mut inputs = vec![
        &*plan,
        "candidate=new",
        CANDIDATE,
        "baseline=old",
        BASELINE,
        "into=result",
    ];
    inputs.extend(more);
    step(place, "summarise-match", &inputs)
}

/// Changes the manifest of a shard.
fn forge(place: &Place, shard: &str, change: impl Fn(&mut Value)) {
    let file = format!("games/{}/manifest.json", folder(shard));
    let mut manifest = serde_json::from_str(&place.read(&file)).expect("a manifest");
    change(&mut manifest);
    place.write(&file, manifest.to_string());
}

fn head(step: &Step) -> String {
    step.summary.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn all_shards_are_judged_as_match_estimate_does() {
    let place = played();
    let test = [
        "sprt=true",
        "elo0=0",
        "elo1=50",
        "sprt_model=normalized",
        "alpha=0.1",
        "provenance=Games in **x**.",
    ];
    let step = judge(&place, &test).exits(0);
    insta::assert_snapshot!(head(&step), @"new (11111111) against old (aaaaaaaa), over 3 of 3 shards at 5+0.05.");
    let words = "match-estimate games --candidate new --baseline old --tc 5+0.05 --elo0 0 --elo1 50 --model normalized --alpha 0.1 --json";
    let answer = place.run(words.split(' '));
    let estimate: Value = serde_json::from_str(&answer.stdout).expect("it is JSON");
    let result: Value = serde_json::from_str(&place.read(step.output("json"))).expect("it is JSON");
    assert_eq!(result["baseline"], "aaaaaaaa");
    for field in ["elo", "pentanomial", "terminations", "instruments"] {
        assert_eq!(result[field], estimate[field], "{field}");
    }
    assert_eq!(result["sprt"], estimate["sprt"]);
    let line = estimate["line"].as_str().expect("a line");
    assert_eq!(
        step.output("line"),
        format!("Performance compared to aaaaaaaa | {line}")
    );
    assert_eq!(
        step.output("verdict"),
        estimate["sprt"]["verdict"].as_str().expect("a verdict")
    );
    assert_eq!(
        step.output("carried"),
        estimate["sprt"]["carried"].as_str().expect("counts")
    );
    assert_eq!(step.output("pairs"), "6");
    assert_eq!(step.environment["VERDICT"], step.output("verdict"));
    assert!(
        step.output("trailer").starts_with("Elo: ")
            && step.output("trailer").ends_with("vs aaaaaaaa)")
    );
    assert_eq!(step.summary, place.read("result/report.md"));
    for part in [
        step.output("trailer"),
        "Games in **x**.",
        "How the games ended:",
        "no bias.",
    ] {
        assert!(step.summary.contains(part), "{part}: {}", step.summary);
    }
    assert!(
        step.said("warning").is_empty(),
        "{:?}",
        step.said("warning")
    );
    let step = judge(&place, &["preset=gainer"]).exits(0);
    let result: Value =
        serde_json::from_str(&place.read("result/result.json")).expect("it is JSON");
    let test = ["model", "elo0", "elo1"].map(|key| &result["sprt"][key]);
    assert_eq!(test, [&json!("normalized"), &json!(0.0), &json!(2.0)]);
    judge(&place, &["preset=gainer", "elo0=1"]).exits(2);
    assert_eq!(step.output("verdict"), result["sprt"]["verdict"]);
    // Without a test the keys are there and empty, and further pairs as well.
    let step = judge(&place, &["baseline=old", "prior_pairs=1,2,3,4,5"]).exits(0);
    for key in ["verdict", "carried", "further"] {
        assert_eq!(step.output(key), "", "{key}");
    }
}

#[test]
fn an_undecided_test_says_what_it_still_takes() {
    let place = played();
    let test = [
        "sprt=true",
        "verdict_rule=ordered",
        "prior_pairs=10,20,40,20,10",
        "elo0=0",
        "elo1=2",
    ];
    let step = judge(&place, &test).exits(0);
    assert_eq!(step.output("verdict"), "inconclusive");
    let further: u64 = step.output("further").parse().expect("a number");
    assert!(further > 100, "{further}");
}

#[test]
fn a_missing_shard_is_named_and_the_others_judged() {
    let place = played();
    fs::remove_dir_all(place.path(format!("games/{}", folder("1")))).unwrap();
    let step = judge(&place, &[]).exits(0);
    insta::assert_snapshot!(head(&step), @"new (11111111) against old (aaaaaaaa), over 2 of 3 shards at 5+0.05. Missing: shard 1.");
    insta::assert_snapshot!(step.said("warning").join("\n"), @"nothing came of shard 1; the others are judged");
    assert_eq!(step.output("pairs"), "4");
}

/// Leaves shard 1 out for a reason, with the others judged.
#[track_caller]
fn left_out(place: &Place) -> String {
    let step = judge(place, &[]).exits(0);
    assert_eq!(step.output("pairs"), "4");
    assert!(
        head(&step).contains("over 2 of 3 shards"),
        "{}",
        head(&step)
    );
    let warnings = step.said("warning");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let why = warnings[0].trim_start_matches("left out `strength-7-batch-1-shard-1`: ");
    assert!(head(&step).contains("Left out: "), "{}", head(&step));
    why.replace(&*place.path("").to_string_lossy(), "")
}

#[test]
fn a_shard_of_another_match_is_left_out() {
    let with = |change: &dyn Fn(&mut Value)| {
        let place = played();
        forge(&place, "1", change);
        left_out(&place)
    };
    insta::assert_snapshot!(with(&|m| m["slice"]["seed"] = "9".into()), @"it is of another match: its seed is `9`, not `8`");
    insta::assert_snapshot!(with(&|m| m["candidate"]["commit"] = "9".repeat(40).into()), @"it is of another match: the commit of its candidate is `9999999999999999999999999999999999999999`, not `1111111122222222333333334444444455555555`");
    insta::assert_snapshot!(with(&|m| m["candidate"]["sha256"] = "9".repeat(64).into()), @"it is of another match: the candidate's program differs");
    insta::assert_snapshot!(with(&|m| m["book"]["sha256"] = "9".repeat(64).into()), @"it is of another match: the book differs");
    insta::assert_snapshot!(with(&|m| m["baseline"]["limit"]["tc"] = "1+0".into()), @"it is of another match: the time control of its baseline is `1+0`, not `5+0.05`");
    insta::assert_snapshot!(with(&|m| m["slice"]["shard"] = "7".into()), @"it is of another match: it is shard `7` of 3");
    insta::assert_snapshot!(with(&|m| m["slice"]["shard"] = "2".into()), @"its folder is that of shard 1, its manifest.json that of shard 2");
    insta::assert_snapshot!(with(&|m| m["baseline"]["name"] = "x\u{1b}[31m\n::error::y".into()), @r"it is of another match: its baseline is `x\u{1b}[31m\n::error::y`, not `old`");
}

#[test]
fn games_that_are_not_the_manifests_are_left_out() {
    let file = format!("games/{}/games.pgn", folder("1"));
    let with = |change: &dyn Fn(String) -> String| {
        let place = played();
        place.write(&file, change(place.read(&file)));
        left_out(&place)
    };
    insta::assert_snapshot!(with(&|text| text[..text.len() - 200].to_owned()), @"its manifest.json says 4 games in 2 pairs, and there are 3 in 1: the file is cut short, or not its own");
    insta::assert_snapshot!(with(&|_| String::new()), @"its manifest.json says 4 games in 2 pairs, and there are 0 in 0: the file is cut short, or not its own");
    insta::assert_snapshot!(with(&|text| text.replace("\"old\"", "\"stranger\"")), @"its games cannot be used: games/strength-7-batch-1-shard-1/games.pgn: game 1 is between `new` and `stranger`, not between this run's engines");
    insta::assert_snapshot!(with(&|text| text.replace("[Round \"1\"]", "[Round \"9\"]")), @"its games cannot be used: games/strength-7-batch-1-shard-1/games.pgn: game 1 has the Round `9`, and this run has the pairs 1 to 2");
    let place = played();
    forge(&place, "1", |m| m["games"] = 400.into());
    insta::assert_snapshot!(left_out(&place), @"its manifest.json says 400 games in 2 pairs, and there are 4 in 2: the file is cut short, or not its own");
    let place = played();
    place.write(
        &format!("games/{}/manifest.json", folder("1")),
        "{\"format\": 1",
    );
    insta::assert_snapshot!(left_out(&place), @"its manifest.json cannot be read");
    let place = played();
    fs::remove_file(place.path(format!("games/{}/manifest.json", folder("1")))).unwrap();
    insta::assert_snapshot!(left_out(&place), @"it has no manifest.json");
    let place = played();
    fs::remove_file(place.path(&file)).unwrap();
    insta::assert_snapshot!(left_out(&place), @"it has no games.pgn");
}

#[test]
fn a_shard_counts_once() {
    let place = played();
    let [from, to] =
        [folder("1"), "again-shard-1".to_owned()].map(|name| place.path(format!("games/{name}")));
    fs::create_dir(&to).unwrap();
    for name in ["games.pgn", "manifest.json"] {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
    let step = judge(&place, &[]).exits(0);
    assert_eq!(step.output("pairs"), "6");
    insta::assert_snapshot!(step.said("warning").join("\n"), @"left out `strength-7-batch-1-shard-1`: it is shard 1 again, as `again-shard-1` is");
}

#[test]
fn without_a_shard_it_says_what_to_run_again() {
    let place = Place::new();
    fs::create_dir(place.path("games")).unwrap();
    let failed = |place: &Place, more: &[&str]| {
        let step = judge(place, more).exits(1);
        assert!(step.outputs.is_empty() && step.summary.is_empty());
        step.said("error").join("\n")
    };
    insta::assert_snapshot!(failed(&place, &[]), @"no shard of 3 can be used: there is none; rerun all of them");
    insta::assert_snapshot!(failed(&place, &["games=none"]), @"no shard of 3 can be used: there is none; rerun all of them");
    let place = played();
    insta::assert_snapshot!(failed(&place, &["seed=9"]), @"no shard of 3 can be used: `strength-7-batch-1-shard-0`: it is of another match: its seed is `8`, not `9`; `strength-7-batch-1-shard-1`: it is of another match: its seed is `8`, not `9`; `strength-7-batch-1-shard-2`: it is of another match: its seed is `8`, not `9`; rerun all of them");
}

#[test]
fn names_bring_nothing_into_the_summary() {
    let hostile = "@all|[x](http://x)<img src=x>`::set-output name=verdict::passed";
    let place = Place::new();
    engine(&place, "games/shard-0/candidate", &embedded("minimax"));
    engine(&place, "games/shard-0/opponent", &embedded("greedy"));
    let plan = format!("plan={}", PLAN.replace("\"3\"", "\"1\""));
    let name = format!("candidate={hostile}");
    let inputs = [
        &*plan,
        "shard=0",
        &*name,
        "opponent=*old*",
        "workdir=games/shard-0",
        "candidate_binary=candidate",
        "opponent_binary=opponent",
    ];
    step(&place, "play-shard", &inputs).exits(0);
    let step = step(
        &place,
        "summarise-match",
        &[&*plan, &*name, "baseline=*old*", "candidate_sha=<b>"],
    )
    .exits(0);
    insta::assert_snapshot!(head(&step), @"``@all|[x](http://x)<img src=x>`::set-output name=verdict::passed`` (`<b>`) against `*old*`, over 1 of 1 shard at 5+0.05.");
    assert_eq!(step.output("verdict"), "");
    for line in step.summary.lines().filter(|line| line.contains("@all")) {
        let code: String = line.split("``").skip(1).step_by(2).collect();
        assert!(code.contains("@all"), "{line}");
    }
}

#[test]
fn a_gauntlet() {
    let place = Place::new();
    for (rung, opponent) in [("0", ["rival-v1", "greedy"]), ("2", ["other-v2", "random"])] {
        play(
            &place,
            &format!("calibrate-7-rung-{rung}"),
            rung,
            opponent,
            &["opponent_sha=v1"],
        );
    }
    let plan = format!("plan={PLAN}");
    let inputs = [
        &*plan,
        "engine_name=new",
        CANDIDATE,
        "ladder_spec=rival-v1:1200,absent-v1:1300,other-v2:900",
        "rungs=3",
        "scale=club list",
        "rating_list=[club](https://example.org/) list",
        "rating_time_control=60+1",
        "provenance=Games in **x**.",
        "into=result",
    ];
    let step = step(&place, "summarise-gauntlet", &inputs).exits(0);
    let answer = place.run([
        "rating-estimate",
        "games",
        "new",
        "rival-v1:1200,absent-v1:1300,other-v2:900",
        "--scale",
        "club list",
        "--line",
    ]);
    assert_eq!(
        step.output("line"),
        format!("Estimated rating | {}", answer.stdout.trim())
    );
    let head: Vec<&str> = step.summary.lines().take(3).collect();
    insta::assert_snapshot!(head.join("\n"), @"
    ### Rating estimate

    new (11111111) at 5+0.05, against engines of [club](https://example.org/) list: 2 of 3 rungs played. Missing: rung 1.
    ");
    insta::assert_snapshot!(step.said("warning").join("\n"), @"nothing came of rung 1; the others are judged");
    for part in [
        "Games in **x**.",
        "How the games ended:",
        "rated elsewhere, at 60+1",
    ] {
        assert!(step.summary.contains(part), "{part}: {}", step.summary);
    }
    assert!(place.read(step.output("json")).contains("rating_estimate"));
    let again = [&inputs[..], &["ladder_spec=nobody:1"]].concat();
    let step = crate::ci_step::step(&place, "summarise-gauntlet", &again).exits(1);
    assert!(
        step.said("error")[0].contains("its baseline is `other-v2`, not `nobody`"),
        "{:?}",
        step.said("error")
    );
}

#[test]
fn games_that_are_there_are_pooled() {
    let place = played();
    let before = fs::read_dir(place.path("")).unwrap().count();
    let inputs = [
        "pgn=games/**/games.pgn",
        "candidate=new",
        "baseline=old",
        "time_control=5+0.05",
        "sprt=true",
    ];
    let step = step(&place, "pool", &inputs).exits(0);
    insta::assert_snapshot!(step.summary.lines().next().unwrap_or_default(), @"new against old, over 3 PGN files at 5+0.05.");
    assert_eq!(step.output("verdict"), "inconclusive");
    assert!(
        step.output("line").contains("SPRT [0, 10]"),
        "{}",
        step.output("line")
    );
    // The three files of the step itself.
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), before);
    let none = [
        "pgn=games/**/games.pgn other/*.pgn",
        "candidate=new",
        "baseline=old",
    ];
    let step = crate::ci_step::step(&place, "pool", &none).exits(1);
    assert_eq!(step.said("error"), ["nothing matches `other/*.pgn`"]);
    let stranger = ["pgn=games/**/games.pgn", "candidate=<x>", "baseline=old"];
    let step = crate::ci_step::step(&place, "pool", &stranger).exits(1);
    assert!(
        step.said("error")[0].starts_with("no finished game of `<x>`"),
        "{:?}",
        step.said("error")
    );
    assert!(step.summary.is_empty());
}
