//! `mache ci play-shard`.

use crate::ci_step::{Step, step};
use crate::engine_files::{embedded, engine, scripted};
use crate::matches::{games, words};
use crate::program::Place;

const PLAN: &str = r#"{"pairs": "2", "shards": "3", "seed": "8", "book": "embedded", "time_control": "5+0.05",
    "runner": "built-in", "concurrency": "1", "hash_mb": "16", "max_moves": "20", "games": "12", "elo1": "5"}"#;

/// Plays shard 1 between these commands.
#[track_caller]
fn play(place: &Place, sides: [&str; 2], more: &[&str]) -> Step {
    engine(place, "tools/engines/candidate", sides[0]);
    engine(place, "tools/engines/baseline", sides[1]);
    let plan = format!("plan={}", PLAN.replace('\n', " "));
    let mut inputs = vec![
        plan.as_str(),
        "shard=1",
        "candidate=new",
        "candidate_binary=engines/candidate",
        "candidate_sha=1111111111111111111111111111111111111111",
        "opponent=v1.2.0",
        "opponent_binary=engines/baseline",
    ];
    inputs.extend(more);
    step(place, "play-shard", &inputs)
}

#[track_caller]
fn embedded_shard(place: &Place, more: &[&str]) -> Step {
    play(place, [&embedded("greedy"), &embedded("random")], more)
}

#[test]
fn a_shard_plays_what_is_typed_on_a_laptop() {
    let place = Place::new();
    let step = embedded_shard(&place, &[]).exits(0);
    let outputs: Vec<String> = step
        .outputs
        .iter()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    insta::assert_snapshot!(outputs.join("\n"), @"
    book_file=embedded
    book_format=epd
    openings=500
    start=11
    stopped_by=mache, at the game count
    ");
    for (key, value) in &step.outputs {
        assert_eq!(
            step.environment.get(&key.to_uppercase()),
            Some(value),
            "{key}"
        );
    }
    assert_eq!(step.answer.stdout, "", "outputs go to their file");
    let line = step
        .answer
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("$ mache "));
    let line = line
        .expect("it says what it runs")
        .replace("--out=tools", "--out=laptop");
    assert_eq!(place.run(words(&line)).code, 0);
    let moves = |file: &str| -> Vec<_> {
        let games = games(&place.read(file));
        games.iter().map(|game| game.without_times().1).collect()
    };
    assert_eq!(moves("tools/games.pgn"), moves("laptop/games.pgn"));
    assert_eq!(moves("tools/games.pgn").len(), 4);
    let manifest: serde_json::Value =
        serde_json::from_str(&place.read("tools/manifest.json")).unwrap();
    assert_eq!(manifest["candidate"]["commit"], "1".repeat(40));
    assert_eq!(manifest["command_line"][1], "play");
    // Run again, it begins anew.
    embedded_shard(&place, &[]).exits(0);
    assert_eq!(moves("tools/games.pgn").len(), 4);
}

#[test]
fn the_clock_may_end_it_and_the_book_may_repeat() {
    let place = Place::new();
    let step = embedded_shard(&place, &["pairs=300", "max_match_minutes=0.01"]).exits(0);
    assert_eq!(step.output("stopped_by"), "the 0.01 minute wall clock cap");
    let warnings = step.said("warning");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    insta::assert_snapshot!(warnings[0], @"the book holds 500 openings and the run wants 900, so the shards repeat each other");
    assert!(
        warnings[1].starts_with("the 0.01 minute wall clock cap ended the shard: "),
        "{warnings:?}"
    );
}

#[test]
fn an_engine_that_crashes_loses_and_the_shard_goes_on() {
    let place = Place::new();
    let crash = scripted("fault=crash ply=4");
    let step = play(&place, [&crash, &embedded("random")], &[]).exits(0);
    assert_eq!(step.output("stopped_by"), "mache, at the game count");
    insta::assert_snapshot!(step.said("warning").join("\n"), @"new lost 4 games by faults: time 0, crash 4, stall 0, illegal move 0");
    assert_eq!(games(&place.read("tools/games.pgn")).len(), 4);
}

#[test]
fn an_engine_that_does_not_start_is_named() {
    let place = Place::new();
    let step = play(&place, ["false", &embedded("random")], &[]).exits(1);
    let error = step.said("error").join("\n");
    assert!(
        error.starts_with("new: ") && error.contains("ended before it said `uciok`"),
        "{error}"
    );
    assert_eq!(step.output("stopped_by"), "");
    assert_eq!(step.output("start"), step.environment["START"]);
}

#[test]
fn what_an_engine_prints_commands_nothing() {
    let place = Place::new();
    let hostile = scripted("fault=commands 'name=::set-output name=x::y ##[error]z'");
    let step = play(&place, [&hostile, &embedded("random")], &["max_moves=4"]).exits(0);
    assert!(!step.outputs.contains_key("x"), "{:?}", step.outputs);
}

#[test]
fn what_is_missing_or_cannot_be_is_named() {
    let place = Place::new();
    let refused = |more: &[&str]| {
        let step = embedded_shard(&place, more);
        assert!(!place.path("tools/games.pgn").exists(), "{more:?}");
        format!("{}: {}", step.answer.code, step.said("error").join("\n"))
    };
    insta::assert_snapshot!(refused(&["candidate_binary=engines/none"]), @"1: --candidate-binary: there is no file `engines/none` in tools");
    insta::assert_snapshot!(refused(&["book=none"]), @"1: no book named `none`; this table has mache_8ply, 2moves_v1, 2moves_v2, 3moves_FRC, 8moves_v3, DFRC_openings, Drawkiller_balanced_big, UHO_4060_v2, UHO_4060_v3, UHO_4060_v4, UHO_Lichess_4852_v1, UHO_XXL_+0.90_+1.19, closedpos, noob_3moves, noob_4moves, popularpos_lichess_v3");
    insta::assert_snapshot!(refused(&["book=8moves_v3"]), @"1: tools/8moves_v3.pgn is not there to check");
    place.write("tools/8moves_v3.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    insta::assert_snapshot!(refused(&["book=8moves_v3"]), @"1: tools/8moves_v3.pgn is 1725cd28a92215c56627d8163f4bd28a9ed687be8bb77d073bcf37ff88bfde27, not the 5835239f88cc2c7511b177c32392a69f3ede21819cf0616f80a7f907cd21d17e this table names");
    insta::assert_snapshot!(refused(&["shard=3"]), @"2: shard 3 is not one of 3");
    insta::assert_snapshot!(refused(&["time_control=soon"]), @"2: invalid value 'soon' for '--time-control <TC>': `soon` is not a time control: write [MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 10+0.1 or 40/60+0.5");
    insta::assert_snapshot!(refused(&["options=Haash=1"]), @"2: the engine `new`: there is no option `Haash`; did you mean `Hash`?");
    insta::assert_snapshot!(refused(&["candidate=a\u{1b}[31m\n::error::b"]), @r"2: an engine's name is one line without blanks around it, not `a\u{1b}[31m\n::error::b`");
    insta::assert_snapshot!(refused(&["candidate=v1.2.0"]), @"2: both engines are called `v1.2.0`: give each a name of its own with name=… in its --engine");
    place.write(
        "tools/openings.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n",
    );
    insta::assert_snapshot!(refused(&["book=openings.epd"]), @"2: the book tools/openings.epd would be overwritten by the shard's openings: give it another name");
}

#[test]
fn a_book_of_a_file_and_own_clocks() {
    let place = Place::new();
    let book = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n".repeat(20);
    place.write("tools/mine.epd", book);
    let own = [
        "book=mine.epd",
        "candidate_time_control=4+0.04",
        "candidate_options=Seed=3",
    ];
    let step = embedded_shard(&place, &own).exits(0);
    assert_eq!(
        (step.output("book_file"), step.output("openings")),
        ("mine.epd", "20")
    );
    let manifest: serde_json::Value =
        serde_json::from_str(&place.read("tools/manifest.json")).unwrap();
    assert_eq!(manifest["candidate"]["limit"]["tc"], "4+0.04");
    assert_eq!(manifest["baseline"]["limit"]["tc"], "5+0.05");
    assert_eq!(
        manifest["candidate"]["options"].as_array().unwrap().len(),
        2
    );
    assert_eq!(manifest["baseline"]["options"].as_array().unwrap().len(), 1);
}
