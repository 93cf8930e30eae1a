//! Matches between engines as Debian packages them. They take minutes, so `bin/test` asks for them by name.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::matches::{Game, games, mache, words};

/// Where an engine is, on the path or in the folder Debian puts games into.
fn installed(engine: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders
        .map(|folder| folder.join(engine))
        .find(|program| program.exists())
}

/// One match at a time: two at once would steal each other's time.
static MACHINE: Mutex<()> = Mutex::new(());

/// Plays pairs of 0.6 s and 0.03 s a move, two games at once. `None` when an engine is not installed.
#[track_caller]
fn play(engines: [(&str, &str); 2], pairs: usize) -> Option<Vec<Game>> {
    let _alone = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("run");
    let mut command = mache();
    command.args(words(
        "play --runner built-in --tc 0.6+0.03 --concurrency 2 --hash 16",
    ));
    command.args(words(
        "--resign 3,600 --draw 30,6,15 --max-moves 120 --seed 11",
    ));
    command
        .args(["--pairs", &pairs.to_string(), "--out"])
        .arg(&out);
    for (name, options) in engines {
        let Some(program) = installed(name) else {
            eprintln!("SKIPPED: {name} is not installed; bin/test installs it");
            return None;
        };
        let engine = format!("name={name},cmd={}{options}", program.display());
        command.args(["--engine", &engine]);
    }
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    read_by_others(&out.join("games.pgn"), pairs * 2);
    let text = std::fs::read_to_string(out.join("games.pgn")).expect("a file of games");
    Some(games(&text))
}

/// pgn-extract reads so many games and has nothing to say about them, where it is installed.
#[track_caller]
fn read_by_others(path: &Path, games: usize) {
    let Some(program) = installed("pgn-extract") else {
        eprintln!("SKIPPED: pgn-extract is not installed; bin/test installs it");
        return;
    };
    let output = Command::new(program)
        .arg("-s")
        .arg(path)
        .output()
        .expect("it starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let read = String::from_utf8_lossy(&output.stdout);
    assert_eq!(read.matches("[Event ").count(), games);
}

/// Plays and asserts that no engine lost on time or by any other fault.
#[track_caller]
fn no_faults(first: (&str, &str), second: (&str, &str), pairs: usize) {
    let Some(games) = play([first, second], pairs) else {
        return;
    };
    assert_eq!(games.len(), pairs * 2);
    let fault = |game: &&Game| !["normal", "adjudication"].contains(&game.tag("Termination"));
    let faults = games.iter().filter(fault);
    let faults: Vec<_> = faults
        .map(|game| (game.tag("White"), game.reason()))
        .collect();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    assert!(
        faults.is_empty(),
        "{faults:?}, and the machine's load was {load}"
    );
}

const STOCKFISH: (&str, &str) = ("stockfish", "");
const ETHEREAL: (&str, &str) = ("ethereal-chess", "");
const TOGA: (&str, &str) = ("toga2", "");
/// It takes two threads when nobody says how many.
const GLAURUNG: (&str, &str) = ("glaurung", ",option.Threads=1");

#[test]
#[ignore = "takes minutes"]
fn real_stockfish_against_ethereal() {
    no_faults(STOCKFISH, ETHEREAL, 25);
}

#[test]
#[ignore = "takes minutes"]
fn real_stockfish_against_glaurung() {
    no_faults(STOCKFISH, GLAURUNG, 25);
}

#[test]
#[ignore = "takes minutes"]
fn real_ethereal_against_toga() {
    no_faults(ETHEREAL, TOGA, 25);
}

#[test]
#[ignore = "takes minutes"]
fn real_glaurung_against_toga() {
    no_faults(GLAURUNG, TOGA, 25);
}
