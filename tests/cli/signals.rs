//! A match that is stopped: the file is whole, only the game in progress is lost, no engine outlives it, and
//! `--resume` plays what is missing.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Command, Stdio};

use crate::matches::{Game, Match, Played};

/// Twenty pairs of games that take about half a second each.
fn long_match() -> Match {
    Match::new()
        .good("ms=10")
        .bad("ms=10")
        .limit("--tc 20+0.1")
        .with("--pairs 20 --concurrency 2")
}

/// Stops a match after its third game by the signal named.
fn stopped(of: Match, signal: &str) -> Played {
    let child = of
        .command()
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = child.expect("the program starts");
    of.await_games(3);
    assert!(
        !of.processes().is_empty() || !cfg!(target_os = "linux"),
        "no engine is seen"
    );
    send(signal, &child);
    let output = child.wait_with_output().expect("it ends");
    of.ended(output)
}

fn send(signal: &str, to: &Child) {
    let number = to.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &number]).status();
    assert!(sent.expect("kill starts").success());
}

fn finished(games: &[Game]) -> Vec<Game> {
    games
        .iter()
        .filter(|game| game.tag("Result") != "*")
        .cloned()
        .collect()
}

/// Asserts that the file is whole and holds only games that were played or are marked as cut short.
#[track_caller]
fn assert_whole(played: &Played) -> usize {
    let text = fs::read_to_string(played.of.out().join("games.pgn")).expect("a file of games");
    let games = played.games();
    assert_eq!(
        text.matches("[Event \"").count(),
        games.len(),
        "a torn record"
    );
    for game in games.iter().filter(|game| game.tag("Result") == "*") {
        assert_eq!(game.tag("Termination"), "unterminated");
    }
    let finished = finished(&games);
    assert!(
        (3..40).contains(&finished.len()),
        "{} games",
        finished.len()
    );
    finished.len()
}

/// Asserts that a rerun refuses to mix its games with these, and that resuming plays each missing game once.
#[track_caller]
fn assert_resumes(stopped: Played, kept: usize) {
    let of = stopped.of;
    let before = finished(&of.games());
    let output = of.command().output().expect("the program starts");
    let again = of.ended(output);
    assert_ne!(
        again.output.status.code(),
        Some(0),
        "appended to the games of another run"
    );
    assert!(again.said().contains("--resume"), "{}", again.said());
    let of = again.of;
    assert_eq!(
        finished(&of.games()),
        before,
        "a refused run changed the games"
    );

    let output = of
        .command()
        .arg("--resume")
        .output()
        .expect("the program starts");
    let resumed = of.ended(output).exits(0);
    let games = finished(&resumed.games());
    assert_eq!(
        games[..kept],
        before[..],
        "resuming changed what was played"
    );
    assert_eq!(games.len(), 40, "{}", resumed.said());
    let distinct: BTreeSet<_> = games
        .iter()
        .map(|game| (game.tag("Round"), game.tag("White")))
        .collect();
    assert_eq!(distinct.len(), 40, "a game was played twice");
    assert_eq!(resumed.estimate()["pairs"], 20);
    assert_eq!(resumed.estimate()["unpaired"], 0);
    resumed.of.left_nothing_running();
}

#[test]
fn interrupt() {
    let played = stopped(long_match(), "INT");
    let kept = assert_whole(&played);
    played.of.left_nothing_running();
    assert_resumes(played, kept);
}

#[test]
fn terminate() {
    let played = stopped(long_match(), "TERM");
    let kept = assert_whole(&played);
    played.of.left_nothing_running();
    assert_resumes(played, kept);
}

#[test]
fn kill() {
    let played = stopped(long_match(), "KILL");
    let kept = assert_whole(&played);
    played.of.left_nothing_running();
    assert_resumes(played, kept);
}

#[test]
fn cap_on_wall_time() {
    let played = long_match().with("--max-minutes 0.02").play();
    let text = fs::read_to_string(played.of.out().join("games.pgn")).expect("a file of games");
    assert_eq!(text.matches("[Event \"").count(), played.games().len());
    assert!(finished(&played.games()).len() < 40);
    let manifest = fs::read_to_string(played.of.out().join("manifest.json")).expect("a manifest");
    assert!(manifest.contains("\"time\""), "{manifest}");
    played.of.left_nothing_running();
}

#[test]
fn engines_that_hang_do_not_hold_up_an_interrupt() {
    let of = long_match().bad("fault=ignore-quit ms=10");
    let played = stopped(of, "INT");
    assert_whole(&played);
    played.of.left_nothing_running();
}

#[test]
fn engines_that_heed_nothing_die_with_a_killed_match() {
    let of = long_match().bad("fault=ignore-quit ms=10");
    let played = stopped(of, "KILL");
    assert_whole(&played);
    played.of.left_nothing_running();
}

#[test]
fn an_unwritable_folder_fails() {
    let of = Match::new();
    fs::write(of.out(), "a file, not a folder").expect("a file");
    let played = of.play().exits(1);
    assert!(played.said().contains("run"), "{}", played.said());
}

#[test]
fn a_log_that_takes_nothing_fails() {
    let of = Match::new();
    fs::create_dir(of.out()).expect("a folder");
    std::os::unix::fs::symlink("/dev/full", of.out().join("log")).expect("a link");
    let played = of.play().exits(1);
    assert!(played.said().contains("run/log"), "{}", played.said());
    played.of.left_nothing_running();
}

/// Runs the match behind a line of shell, which ends in `"$@"`.
fn behind(of: Match, line: &str, before: &[&str]) -> Played {
    let command = of.command();
    let [program, arguments @ ..] = before else {
        panic!("no program")
    };
    let output = Command::new(program)
        .args(arguments)
        .args(["bash", "-c", line, "bash"])
        .arg(of.out())
        .arg(command.get_program())
        .args(command.get_args())
        .output();
    of.ended(output.expect("it starts"))
}

/// Many short games, one after the other.
fn many_games() -> Match {
    Match::new().with("--pairs 100 --max-moves 10")
}

#[test]
fn a_full_disk_fails_and_tears_nothing() {
    let namespace = ["unshare", "--map-root-user", "--mount"];
    let mut trial = Command::new(namespace[0]);
    trial
        .args(&namespace[1..])
        .args(["mount", "-t", "tmpfs", "none", "/tmp"]);
    let may = trial.status();
    if !may.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: no small disk can be made here");
        return;
    }
    // The disk is seen inside only, so its games are copied out before it goes.
    let line = r#"mkdir "$1" && mount -t tmpfs -o size=24k none "$1" || exit 9
        out="$1"; shift; "$@"; code=$?
        cp "$out/games.pgn" "$out.pgn"; exit $code"#;
    let played = behind(many_games(), line, &namespace).exits(1);
    assert!(played.said().contains("No space left"), "{}", played.said());
    let text = fs::read_to_string(played.of.out().with_extension("pgn")).expect("games");
    assert!(text.ends_with("1/2-1/2\n\n"), "a torn game: {text}");
    assert!(text.len() > 4096, "{} bytes", text.len());
    played.of.left_nothing_running();
}

#[test]
fn a_limit_on_the_size_of_files_fails_and_tears_nothing() {
    let line = r#"shift; ulimit -f 16; exec "$@""#;
    let played = behind(many_games(), line, &["env"]).exits(1);
    assert!(played.said().contains("games.pgn"), "{}", played.said());
    let text = fs::read_to_string(played.of.out().join("games.pgn")).expect("games");
    assert!(text.ends_with("1/2-1/2\n\n"), "a torn game: {text}");
    assert!(text.len() > 4096, "{} bytes", text.len());
    played.of.left_nothing_running();
}
