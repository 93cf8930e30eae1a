//! `mache play` through fastchess. Skipped, and said so, where fastchess is not on the path.

use std::process::Command;

use serde_json::Value;

use crate::matches::{games, words};
use crate::play::{MACHE, engine};
use crate::program::{Answer, Place};

/// Whether there is a fastchess to play with.
#[track_caller]
fn is_there() -> bool {
    let there = Command::new("fastchess").arg("--version").output().is_ok();
    if !there {
        eprintln!("SKIPPED: fastchess is not on the path");
    }
    there
}

fn play(place: &Place, rest: &str) -> Answer {
    let mut arguments = words("play --runner fastchess --concurrency 1");
    arguments.extend(engine("new", "greedy", ""));
    arguments.extend(engine("old", "random", ""));
    arguments.extend(words(rest));
    place.run(arguments)
}

#[test]
fn a_missing_fastchess_is_said() {
    let place = Place::new();
    let mut arguments = words("play --runner fastchess --nodes 1 --pairs 1 --out out");
    arguments.extend(engine("new", "greedy", ""));
    arguments.extend(engine("old", "random", ""));
    let output = place
        .program()
        .env("PATH", "/nowhere")
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap(), @"error: fastchess is not there (looked for `fastchess`): put it on the path, or take --runner built-in");
}

#[test]
fn a_whole_run() {
    if !is_there() {
        return;
    }
    let place = Place::new();
    let answer = play(
        &place,
        "--nodes 1 --pairs 3 --max-moves 20 --seed 7 --out out --json",
    );
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let games = games(&place.read("out/games.pgn"));
    let rounds: Vec<_> = games
        .iter()
        .map(|game| (game.tag("Round"), game.tag("White")))
        .collect();
    assert_eq!(
        rounds,
        [
            ("1", "new"),
            ("1", "old"),
            ("2", "new"),
            ("2", "old"),
            ("3", "new"),
            ("3", "old")
        ]
    );
    let manifest: Value = serde_json::from_str(&place.read("out/manifest.json")).unwrap();
    assert!(
        manifest["runner"]
            .as_str()
            .unwrap()
            .starts_with("fastchess ")
    );
    assert_eq!(
        (&manifest["pairs"], &manifest["stopped"]),
        (&3.into(), &"finished".into())
    );
    let finished = answer
        .stdout
        .lines()
        .filter(|line| line.contains("game-finished"))
        .count();
    assert_eq!(finished, 6);
    assert!(place.read("out/fastchess.log").contains("Finished match"));
}

#[test]
fn the_same_openings_as_the_built_in_runner() {
    if !is_there() {
        return;
    }
    let place = Place::new();
    place.write(
        "book.pgn",
        "[Event \"a\"]\n\n1. e4 (1. d4 d5) e5 {good} 2. Nf3 *\n\n\
         [Event \"b\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\n1... c5 2. Nf3 d6 *\n\n",
    );
    let rest = "--nodes 1 --pairs 2 --max-moves 4 --book book.pgn";
    assert_eq!(play(&place, &format!("{rest} --out fastchess")).code, 0);
    assert_eq!(
        crate::play::play(&place, &format!("{rest} --out ours")).code,
        0
    );
    let starts = |out: &str| -> Vec<(String, String)> {
        let games = games(&place.read(&format!("{out}/games.pgn")));
        let book = |text: &str| {
            text.rsplit_once("{book}")
                .map(|(moves, _)| moves.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        games
            .iter()
            .map(|game| (game.tag("FEN").to_owned(), book(&game.movetext).unwrap()))
            .collect()
    };
    assert_eq!(starts("fastchess"), starts("ours"));
    assert_eq!(starts("ours").len(), 4);
}

#[test]
fn half_pairs_are_set_aside_and_the_rest_goes_into_a_folder_of_its_own() {
    if !is_there() {
        return;
    }
    let place = Place::new();
    let rest = "--nodes 1 --pairs 4 --max-moves 6 --seed 3 --out out";
    assert_eq!(play(&place, rest).code, 0);
    let whole = place.read("out/games.pgn");
    let records: Vec<&str> = whole.split_inclusive("\n\n[Event").collect();
    let kept = records[..3].concat();
    place.write("out/games.pgn", kept.trim_end_matches("[Event"));

    let answer = play(&place, &format!("{rest} --resume"));
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(
        answer
            .stderr
            .contains("1 game of half pairs set aside in games.half.pgn"),
        "{}",
        answer.stderr
    );
    assert_eq!(games(&place.read("out/games.pgn")).len(), 2);
    assert_eq!(games(&place.read("out/games.half.pgn")).len(), 1);
    assert_eq!(games(&place.read("out/resume-1/games.pgn")).len(), 6);
    let part: Value = serde_json::from_str(&place.read("out/resume-1/manifest.json")).unwrap();
    assert_eq!(part["rounds"], Value::from(vec![2, 3, 4]));
    let estimate = place.run([
        "match-estimate",
        "out",
        "--candidate",
        "new",
        "--baseline",
        "old",
        "--json",
    ]);
    let estimate: Value = serde_json::from_str(&estimate.stdout).unwrap();
    assert_eq!(
        (&estimate["pairs"], &estimate["unpaired"]),
        (&4.into(), &0.into())
    );

    let answer = play(&place, &format!("{rest} --resume"));
    assert_eq!(answer.code, 0, "nothing is left to play");
    assert!(!place.path("out/resume-2").exists());
}

#[cfg(unix)]
#[test]
fn a_full_disk_fails_though_fastchess_says_nothing() {
    if !is_there() {
        return;
    }
    let place = Place::new();
    std::fs::create_dir(place.path("out")).unwrap();
    std::os::unix::fs::symlink("/dev/full", place.path("out/games.pgn")).unwrap();
    let answer = play(&place, "--nodes 1 --pairs 1 --max-moves 6 --out out");
    assert_eq!(answer.code, 1);
    insta::assert_snapshot!(answer.stderr.lines().last().unwrap(), @"error: fastchess ended without an error, and of 2 games only 0 are in its PGN: is the disk full, or the folder not to be written?");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_fastchess_and_keeps_its_games() {
    if !is_there() {
        return;
    }
    let place = Place::new();
    let mut command = Command::new(MACHE);
    command.current_dir(place.path("")).args(words(
        "play --runner fastchess --concurrency 1 --nodes 1 --pairs 500 --out out",
    ));
    command
        .args(engine("new", "greedy", ""))
        .args(engine("old", "random", ""));
    let mut child = command
        .stderr(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let has_games = || {
        std::fs::read_to_string(place.path("out/games.pgn"))
            .is_ok_and(|text| games(&text).len() > 3)
    };
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !has_games() {
        assert!(std::time::Instant::now() < end, "no games after a minute");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let sent = Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let manifest: Value = serde_json::from_str(&place.read("out/manifest.json")).unwrap();
    assert_eq!(manifest["stopped"], "signal");
    assert_eq!(manifest["games"], games(&place.read("out/games.pgn")).len());
}
