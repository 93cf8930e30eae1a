//! Matches between engines as Debian packages them. They take minutes, so `bin/test` asks for them by name.

use std::path::PathBuf;
use std::process::Command;

use crate::matches::{Game, games, mache, words};

/// Where an engine is, on the path or in the folder Debian puts games into.
fn installed(engine: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders
        .map(|folder| folder.join(engine))
        .find(|program| program.exists())
}

/// Plays pairs of a whole second and a twentieth, two games at once. `None` when an engine is not installed.
#[track_caller]
fn play(first: &str, second: &str, pairs: u32) -> Option<Vec<Game>> {
    let (Some(one), Some(other)) = (installed(first), installed(second)) else {
        eprintln!("SKIPPED: {first} or {second} is not installed; bin/test installs both");
        return None;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("run");
    let mut command = mache();
    command.args(words("play --runner built-in --tc 1+0.05 --concurrency 2"));
    command.args(words(
        "--hash 16 --resign 3,600 --draw 30,6,15 --max-moves 120",
    ));
    command
        .args(["--pairs", &pairs.to_string(), "--seed", "11", "--out"])
        .arg(&out);
    for (name, program) in [(first, &one), (second, &other)] {
        let engine = format!("name={name},cmd={}", program.display());
        command.args(["--engine", &engine]);
    }
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    read_by_others(&out.join("games.pgn"));
    let text = std::fs::read_to_string(out.join("games.pgn")).expect("a file of games");
    Some(games(&text))
}

/// pgn-extract finds nothing wrong with the file, where it is installed.
#[track_caller]
fn read_by_others(path: &std::path::Path) {
    let Some(program) = installed("pgn-extract") else {
        eprintln!("SKIPPED: pgn-extract is not installed");
        return;
    };
    let output = Command::new(program)
        .arg("-r")
        .arg(path)
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let wrong = said
        .lines()
        .find(|line| !line.contains("game") && !line.contains("Processing"));
    assert!(output.status.success() && wrong.is_none(), "{said}");
}

#[track_caller]
fn no_faults(first: &str, second: &str, pairs: u32) {
    let Some(games) = play(first, second, pairs) else {
        return;
    };
    assert_eq!(games.len(), pairs as usize * 2);
    let faults = games
        .iter()
        .filter(|game| !["normal", "adjudication"].contains(&game.tag("Termination")));
    let faults: Vec<_> = faults
        .map(|game| (game.tag("Round"), game.reason()))
        .collect();
    assert!(faults.is_empty(), "{first} against {second}: {faults:?}");
}

#[test]
#[ignore = "takes minutes"]
fn real_stockfish_against_ethereal() {
    no_faults("stockfish", "ethereal-chess", 25);
}

#[test]
#[ignore = "takes minutes"]
fn real_stockfish_against_glaurung() {
    no_faults("stockfish", "glaurung", 25);
}

#[test]
#[ignore = "takes minutes"]
fn real_ethereal_against_toga() {
    no_faults("ethereal-chess", "toga2", 25);
}

#[test]
#[ignore = "takes minutes"]
fn real_glaurung_against_toga() {
    no_faults("glaurung", "toga2", 25);
}
