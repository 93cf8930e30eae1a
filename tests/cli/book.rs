//! `mache book`.

use crate::program::{Answer, Place, refusal};

const ENGINE: &str = env!("CARGO_BIN_EXE_mache");

fn counted(name: &str, content: &[u8]) -> Answer {
    Place::new()
        .write(name, content)
        .run(["book", "count", name])
}

#[test]
fn count_prints_the_number_alone() {
    let epd = include_bytes!("../../books/default.epd");
    assert_eq!(
        counted("book", epd),
        Answer {
            code: 0,
            stdout: "500\n".into(),
            stderr: String::new()
        }
    );
    let packed = zstd::encode_all(&epd[..], 3).expect("memory takes it");
    assert_eq!(counted("book.epd.zst", &packed).stdout, "500\n");
    assert_eq!(
        counted("book", b"1. e4 e5 *\n\n1. d4 {a (b} d5 *\n").stdout,
        "2\n"
    );
}

#[test]
fn a_file_that_is_no_book_is_refused() {
    insta::assert_snapshot!(refusal(&counted("a.txt", b"hello\n")), @"1: error: book a.txt: neither PGN games nor EPD or FEN lines");
    insta::assert_snapshot!(refusal(&counted("a.epd", b"\n")), @"1: error: book a.epd: holds no opening");
    let missing = Place::new().run(["book", "count", "missing.epd"]);
    assert_eq!(missing.code, 1);
    assert!(
        missing
            .stderr
            .starts_with("error: book missing.epd: cannot be read: "),
        "{}",
        missing.stderr
    );
}

/// Makes a book with one of our own engines, started through a script that names it.
#[cfg(unix)]
fn make(seed: &str) -> (Answer, String) {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write(
        "judge",
        format!("#!/bin/sh\nexec '{ENGINE}' engine minimax\n"),
    );
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(place.path("judge"), executable).expect("the file is ours");
    let judge = place.path("judge");
    let answer = place.run([
        "book".as_ref(),
        "make".as_ref(),
        "--engine".as_ref(),
        judge.as_os_str(),
        "--count".as_ref(),
        "30".as_ref(),
        "--limit".as_ref(),
        "100".as_ref(),
        "--seed".as_ref(),
        seed.as_ref(),
        "--out".as_ref(),
        "made.epd".as_ref(),
    ]);
    let made = place.read("made.epd");
    assert_eq!(place.run(["book", "count", "made.epd"]).stdout, "30\n");
    (answer, made)
}

#[cfg(unix)]
#[test]
fn a_seed_and_an_engine_decide_the_book_made() {
    let (answer, made) = make("7");
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(
        answer.stdout.starts_with("30 openings of ")
            && answer.stdout.contains(" kept by mache minimax ")
    );
    assert_eq!(make("7").1, made);
    assert_ne!(make("8").1, made);
}

#[test]
fn a_missing_judge_is_named() {
    let place = Place::new();
    let answer = place.run(["book", "make", "--engine", "./nobody", "--out", "made.epd"]);
    assert_eq!(answer.code, 1);
    assert!(answer.stderr.contains("./nobody"), "{}", answer.stderr);
    assert!(!place.path("made.epd").exists());
}
