//! `mache verify`: real runs of the engines inside the program, one tampering a fault.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::matches::words;
use crate::play::engine;
use crate::program::{Answer, Place};

/// Plays one shard of a match of two shards and three batches.
fn play(place: &Place, out: &str, more: &str) {
    let mut arguments = words("play --runner built-in --concurrency 1 --nodes 1 --max-moves 20");
    arguments.extend(engine("new", "greedy", ""));
    arguments.extend(engine("old", "random", ""));
    arguments.extend(words(&format!("--pairs 3 --out {out} {more}")));
    let answer = place.run(arguments);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
}

fn shard(place: &Place, out: &str, shard: u32, batch: u32) {
    let of = format!("--seed 7 --shards 2 --shard {shard} --batches 3 --batch {batch}");
    play(place, out, &of);
}

fn estimate(place: &Place, games: &str, report: &str, more: &str) {
    let fixed = format!("match-estimate {games} --candidate new --baseline old --json {more}");
    let answer = place.run(words(&fixed));
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    place.write(report, answer.stdout);
}

/// Two batches of two shards each and their reports, played once.
fn played() -> &'static Place {
    static PLAYED: OnceLock<Place> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let place = Place::new();
        for (batch, number) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            shard(&place, &format!("b{batch}/shard-{number}"), number, batch);
        }
        estimate(&place, "b0", "r0.json", "--elo0 0 --elo1 5");
        let first: Value = serde_json::from_str(&place.read("r0.json")).unwrap();
        let carried = first["sprt"]["carried"].as_str().unwrap();
        let test = format!("--elo0 0 --elo1 5 --prior-pairs {carried}");
        estimate(&place, "b1", "r1.json", &test);
        place
    })
}

fn copy_into(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_into(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A copy of what was played, to be tampered with.
fn copy() -> Place {
    let place = Place::new();
    copy_into(&played().path(""), &place.path(""));
    place
}

fn verify(place: &Place, arguments: &str) -> Answer {
    place.run(words(&format!("verify {arguments}")))
}

/// What is said, hashes and times left out.
#[track_caller]
fn said(place: &Place, arguments: &str, code: i32) -> String {
    let answer = verify(place, arguments);
    assert_eq!(answer.code, code, "{}{}", answer.stdout, answer.stderr);
    let is_hash = |word: &str| word.len() == 64 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let line = |line: &str| -> String {
        let parts = line.split_inclusive([' ', ',']);
        parts
            .map(|part| {
                let word = part.trim_end_matches([' ', ',']);
                if is_hash(word) {
                    part.replace(word, "<hash>")
                } else {
                    part.to_owned()
                }
            })
            .collect()
    };
    answer
        .stdout
        .lines()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Only the lines of faults.
#[track_caller]
fn faults(place: &Place, arguments: &str) -> String {
    let text = said(place, arguments, 1);
    let faults = text.lines().filter_map(|line| line.strip_prefix("fault: "));
    faults.collect::<Vec<_>>().join("\n")
}

fn edit_json(place: &Place, name: &str, edit: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_str(&place.read(name)).unwrap();
    edit(&mut value);
    place.write(name, value.to_string());
}

/// Changes the games of a shard and makes its manifest agree, as whoever owns both files can.
fn rewrite(place: &Place, folder: &str, edit: impl FnOnce(String) -> String) {
    let games = format!("{folder}/games.pgn");
    let text = edit(place.read(&games));
    place.write(&games, &text);
    let hash = mache::play::manifest::sha256_of(text.as_bytes());
    edit_json(place, &format!("{folder}/manifest.json"), |manifest| {
        manifest["files"][0]["sha256"] = json!(hash);
    });
}

/// Records of a file, each whole.
fn records(text: &str) -> Vec<String> {
    text.split_inclusive("\n\n[")
        .fold(Vec::new(), |mut all: Vec<String>, part| {
            let whole = part.strip_suffix('[').unwrap_or(part);
            all.push(if all.is_empty() {
                whole.to_owned()
            } else {
                format!("[{whole}")
            });
            all
        })
}

#[test]
fn honest_results_are_verified() {
    let place = played();
    assert_eq!(
        said(place, "b0 b1 --report r0.json --report r1.json", 0)
            .lines()
            .next(),
        Some("verified: 4 runs in 2 batches, 24 finished games")
    );
    for arguments in [
        "b0 --report r0.json",
        "b0",
        ". --report r0.json --report r1.json",
    ] {
        let text = said(place, arguments, 0);
        assert!(
            text.starts_with("verified: ") && !text.contains("note:"),
            "{text}"
        );
    }
    assert!(said(place, "--report r0.json", 0).starts_with("verified: the report alone, no games"));
    let text = said(place, "b1 --report r1.json", 0);
    assert!(
        text.contains("note: r1.json carries 6 pairs from batches whose reports are not here"),
        "{text}"
    );
    // One report of everything, in order, and its games packed.
    let place = copy();
    estimate(
        &place,
        "b0 b1",
        "all.json",
        "--elo0 0 --elo1 50 --verdict ordered --tc nodes=1",
    );
    let games = place.read("b0/shard-1/games.pgn");
    place.write(
        "b0/shard-1/games.pgn.zst",
        zstd::encode_all(games.as_bytes(), 1).unwrap(),
    );
    fs::remove_file(place.path("b0/shard-1/games.pgn")).unwrap();
    let text = said(&place, "b0 b1 --report all.json", 0);
    assert!(
        text.contains("note: the time control `nodes=1` of all.json is a label of its own"),
        "{text}"
    );
}

#[test]
fn a_document_of_the_answer() {
    let place = copy();
    fs::remove_dir_all(place.path("b0/shard-1")).unwrap();
    let answer = verify(&place, "b0 --report r0.json --json");
    assert_eq!(answer.code, 1);
    let document: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(document["verified"], json!(false));
    assert_eq!(document["reports"][0]["verdict"], json!("inconclusive"));
    assert_eq!(document["faults"][0]["kind"], json!("missing"));
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    insta::assert_snapshot!(format!("{keys:?}"), @r##"["batches", "faults", "format", "games", "notes", "reports", "runs", "tool", "unlisted_faults", "verified"]"##);
}

#[test]
fn a_missing_shard() {
    let place = copy();
    fs::remove_dir_all(place.path("b0/shard-1")).unwrap();
    insta::assert_snapshot!(said(&place, "b0", 1), @r##"
    NOT verified, 1 fault: 1 run in 1 batch, 6 finished games
    fault: missing: of the 2 shards of batch 0 these are not here: 1
    "##);
    fs::remove_file(place.path("b1/shard-0/games.pgn")).unwrap();
    insta::assert_snapshot!(faults(&place, "b1"), @r##"
    missing: b1/shard-0/manifest.json: the games `games.pgn`, which the manifest lists, are not there
    altered: b1/shard-0/manifest.json: it records 6 finished games and 0 are there
    altered: b1/shard-0/manifest.json: it records 3 finished pairs and 0 are there
    missing: b1/shard-0/manifest.json: it says it finished, and of its 3 pairs these are not whole: 1, 2, 3
    "##);
    insta::assert_snapshot!(faults(&place, "b0 none"), @r##"
    unreadable: none: No such file or directory (os error 2)
    missing: of the 2 shards of batch 0 these are not here: 1
    "##);
}

#[test]
fn a_missing_batch() {
    let place = copy();
    shard(&place, "b2/shard-0", 0, 2);
    shard(&place, "b2/shard-1", 1, 2);
    insta::assert_snapshot!(faults(&place, "b0 b2"), @"missing: between batches 0 and 2 these are not here: 1");
    estimate(&place, "b2", "r2.json", "--elo0 0 --elo1 5");
    insta::assert_snapshot!(faults(&place, "b2 --report r2.json"), @"chain: r2.json: its games begin with batch 2, and it carries nothing from those before");
}

#[test]
fn a_repeated_shard() {
    let place = copy();
    copy_into(&place.path("b0/shard-0"), &place.path("b0/shard-9"));
    insta::assert_snapshot!(faults(&place, "b0"), @r##"
    repeated: b0/shard-9/games.pgn: it holds the same games as b0/shard-0/games.pgn
    repeated: b0/shard-9: it is shard 0 of 2 of batch 0 of 3 once more, beside b0/shard-0
    "##);
    // Played anew, as who waits for a better result would.
    let place = copy();
    shard(&place, "b0/again", 0, 0);
    insta::assert_snapshot!(faults(&place, "b0"), @"repeated: b0/shard-0: it is shard 0 of 2 of batch 0 of 3 once more, beside b0/again");
}

#[test]
fn the_same_games_under_another_name() {
    let place = copy();
    let games = place.read("b0/shard-0/games.pgn");
    rewrite(&place, "b0/shard-1", |_| games);
    let found = faults(&place, "b0");
    assert!(
        found.contains(
            "repeated: b0/shard-1/games.pgn: it holds the same games as b0/shard-0/games.pgn"
        ),
        "{found}"
    );
    // A game of one pair in the place of one of another, its Round changed.
    let place = copy();
    rewrite(&place, "b0/shard-0", |text| {
        let mut games = records(&text);
        let last = games.len() - 1;
        games[last] = games[1].replacen("[Round \"1\"]", "[Round \"3\"]", 1);
        games.concat()
    });
    insta::assert_snapshot!(faults(&place, "b0"), @r##"
    opening: b0/shard-0/games.pgn: game 6: it does not begin from opening 10 of the book, its own
    repeated: b0/shard-0/games.pgn: game 6: it is game 2 of b0/shard-0/games.pgn again
    "##);
}

#[test]
fn an_altered_shard() {
    let place = copy();
    let games = place.read("b0/shard-0/games.pgn");
    place.write("b0/shard-0/games.pgn", games.replacen("1/2-1/2", "1-0", 2));
    assert_ne!(
        games,
        place.read("b0/shard-0/games.pgn"),
        "there was a draw to alter"
    );
    let found = faults(&place, "b0 --report r0.json");
    let kinds: Vec<&str> = found
        .lines()
        .map(|line| line.split(':').next().unwrap())
        .collect();
    assert!(
        kinds.contains(&"altered") && kinds.contains(&"mismatch"),
        "{found}"
    );
    insta::assert_snapshot!(found.lines().next().unwrap(), @"altered: b0/shard-0/games.pgn: it is not as the run left it: 6 finished games with the SHA-256 <hash>, and the manifest records 6 with <hash>");
    // With the hash made to agree the counts still do not.
    let place = copy();
    rewrite(&place, "b0/shard-0", |text| records(&text)[..5].concat());
    insta::assert_snapshot!(faults(&place, "b0"), @r##"
    altered: b0/shard-0/manifest.json: it records 6 finished games and 5 are there
    altered: b0/shard-0/manifest.json: it records 3 finished pairs and 2 are there
    missing: b0/shard-0/manifest.json: it says it finished, and of its 3 pairs these are not whole: 3
    "##);
    // A stretch that does not follow from the seed.
    let place = copy();
    edit_json(&place, "b0/shard-0/manifest.json", |manifest| {
        manifest["slice"]["first"] = json!("1")
    });
    insta::assert_snapshot!(faults(&place, "b0"), @r##"
    altered: b0/shard-0/manifest.json: its slice begins at opening 1, and by its seed, shard and batch at 8
    missing: of the 2 shards of batch 0 these are not here: 0
    "##);
}

#[test]
fn a_run_that_was_killed() {
    let place = copy();
    edit_json(&place, "b0/shard-0/manifest.json", |manifest| {
        manifest.as_object_mut().unwrap().remove("files");
        manifest["ended"] = json!(null);
    });
    insta::assert_snapshot!(faults(&place, "b0"), @"unpinned: b0/shard-0/manifest.json: the run was killed or is older than pins, so nothing says how it left its games; finish it with `mache play --resume`");
}

#[test]
fn a_foreign_shard() {
    let place = copy();
    edit_json(&place, "b0/shard-1/manifest.json", |manifest| {
        manifest["candidate"]["commit"] = json!("abc");
        manifest["slice"]["seed"] = json!("8");
        manifest["slice"]["first"] = json!("12");
        manifest["baseline"]["limit"]["nodes"] = json!(2);
    });
    insta::assert_snapshot!(faults(&place, "b0"), @r##"
    foreign: b0/shard-1: it is of another match than b0/shard-0: it differs in the baseline's limit, the candidate's commit, the seed
    missing: of the 2 shards of batch 0 these are not here: 1
    "##);
    let place = copy();
    fs::remove_file(place.path("b0/shard-1/manifest.json")).unwrap();
    insta::assert_snapshot!(faults(&place, "b0"), @r##"
    foreign: b0/shard-1/games.pgn: there is no manifest.json beside these games, so nobody knows of what match they are
    missing: of the 2 shards of batch 0 these are not here: 1
    "##);
    let place = copy();
    rewrite(&place, "b0/shard-0", |text| {
        text.replacen("[White \"new\"]", "[White \"newer\"]", 1)
            .replace("[Round \"2\"]", "[Round \"x\"]")
    });
    insta::assert_snapshot!(faults(&place, "b0"), @r##"
    foreign: b0/shard-0/games.pgn: game 1: not between the engines of this run
    foreign: b0/shard-0/games.pgn: game 3: its Round is none of the run's pairs 1 to 3
    foreign: b0/shard-0/games.pgn: game 4: its Round is none of the run's pairs 1 to 3
    altered: b0/shard-0/manifest.json: it records 6 finished games and 3 are there
    altered: b0/shard-0/manifest.json: it records 3 finished pairs and 1 are there
    missing: b0/shard-0/manifest.json: it says it finished, and of its 3 pairs these are not whole: 1, 2
    "##);
    let place = copy();
    edit_json(&place, "r0.json", |report| {
        report["baseline"] = json!("Stockfish");
        report["tc"] = json!("10+0.1");
        report["trailer"] = json!(
            report["trailer"]
                .as_str()
                .unwrap()
                .replace(", , vs old", ", 10+0.1, vs Stockfish")
        );
    });
    insta::assert_snapshot!(faults(&place, "b0 --report r0.json"), @r##"
    foreign: r0.json: its baseline is `Stockfish`, and in the runs `old` played
    foreign: r0.json: its time control is 10+0.1, and the runs were played at none and none
    "##);
}

#[test]
fn overlapping_openings() {
    // Two runs cut by hand whose stretches meet.
    let place = Place::new();
    play(&place, "one", "--start 1");
    // Games that are alike and begin in the same second are the same game to whoever reads them.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    play(&place, "two", "--start 3");
    insta::assert_snapshot!(said(&place, "one two", 1), @r##"
    NOT verified, 1 fault: 2 runs in 1 batch, 12 finished games
    fault: overlap: two/games.pgn: game 1: it begins from the same position as pair 3 of one; by their places both are opening 3 of the book
    note: the runs were cut by --start and not by --shard, so nothing says whether all are here
    "##);
    // A book that is too small for the match is no fault, and said.
    let book = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
                rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
                rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n\
                rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n";
    let small = Place::new();
    small.write("book.epd", book);
    for number in ["0", "1"] {
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let of = format!("--book book.epd --shards 2 --shard {number}");
        play(&small, &format!("run/shard-{number}"), &of);
    }
    insta::assert_snapshot!(said(&small, "run --book book.epd", 0), @r##"
    verified: 2 runs in 1 batch, 12 finished games
    note: pairs that began from the opening of an earlier one: 2; the match wants more openings than its book has and went round it
    note: pairs that began from the position of an earlier one: 1; the book holds it several times
    "##);
    insta::assert_snapshot!(faults(&small, "run"), @"overlap: run/shard-1/games.pgn: game 1: it begins from the same position as pair 3 of run/shard-0; by their places they are openings 4 and 3 of the book");
    insta::assert_snapshot!(faults(played(), &format!("b0 --book {}", small.path("book.epd").display())).replace(&*small.path("").to_string_lossy(), ""), @r##"
    foreign: b0/shard-0: it was played from another book than book.epd
    foreign: b0/shard-1: it was played from another book than book.epd
    "##);
}

#[test]
fn an_opening_that_is_not_the_pairs_own() {
    let place = copy();
    rewrite(&place, "b0/shard-0", |text| {
        let fen = |record: &str| {
            record
                .lines()
                .find(|line| line.starts_with("[FEN"))
                .unwrap()
                .to_owned()
        };
        let games = records(&text);
        text.replace(&fen(&games[0]), "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]")
    });
    insta::assert_snapshot!(faults(&place, "b0"), @r##"
    opening: b0/shard-0/games.pgn: game 1: it does not begin from opening 8 of the book, its own
    opening: b0/shard-0/games.pgn: game 2: it does not begin from opening 8 of the book, its own
    "##);
}

#[test]
fn a_chain_that_does_not_follow() {
    let place = copy();
    // Another first batch, whose counts the second did not carry.
    estimate(
        &place,
        "b1",
        "r1.json",
        "--elo0 0 --elo1 5 --prior-pairs 0,0,0,0,9",
    );
    insta::assert_snapshot!(faults(&place, "b0 b1 --report r0.json --report r1.json"), @"chain: r1.json: it carries 0,0,0,0,9 and the batch before came to 0,0,6,0,0");
    insta::assert_snapshot!(faults(&place, "b0 b1 --report r1.json --report r1.json --report r1.json"), @r##"
    chain: r1.json: it carries 0,0,0,0,9 and the batch before came to 0,0,5,1,9
    chain: r1.json: it carries 0,0,0,0,9 and the batch before came to 0,0,5,1,9
    chain: there are 3 reports and the games are of 2 batches: give one report for all games, or one a batch
    "##);
    // A verdict, and yet a further batch.
    estimate(
        &place,
        "b0",
        "r0.json",
        "--elo0 0 --elo1 5 --prior-pairs 0,0,0,0,900",
    );
    insta::assert_snapshot!(faults(&place, "--report r0.json --report r1.json"), @r##"
    chain: r1.json: it carries 0,0,0,0,9 and the batch before came to 0,0,6,0,900
    chain: r1.json: the batch before had passed: a decided test does not go on
    "##);
    insta::assert_snapshot!(faults(&place, "b0 --report r0.json"), @"chain: r0.json: it carries 0,0,0,0,900 and its games are of batch 0, before which there is none");
    estimate(&place, "b1", "r1.json", "");
    insta::assert_snapshot!(faults(&place, "--report r0.json --report r1.json"), @"chain: r1.json: it has no test and the batch before has one");
}

#[test]
fn a_report_that_is_not_sound() {
    let place = copy();
    edit_json(&place, "r0.json", |report| {
        report["elo"] = json!(500.0);
        report["sprt"]["verdict"] = json!("passed");
    });
    insta::assert_snapshot!(said(&place, "--report r0.json", 1), @r##"
    NOT verified, 2 faults: the report alone, no games
    report r0.json: not sound, nothing of it is shown
    fault: arithmetic: r0.json: `elo` is 500.0, and the counts say 0.0
    fault: arithmetic: r0.json: `sprt.verdict` is "passed", and the counts say "inconclusive"
    "##);
    place.write("r0.json", "{}{}");
    insta::assert_snapshot!(faults(&place, "--report r0.json"), @"schema: r0.json: it is no JSON document: trailing characters at line 1 column 3");
    place.write("r0.json", "x".repeat(1 << 21));
    insta::assert_snapshot!(faults(&place, "--report r0.json --report none.json"), @r##"
    unreadable: r0.json: larger than 1048576 bytes
    unreadable: none.json: No such file or directory (os error 2)
    "##);
}

#[test]
fn a_report_that_the_games_do_not_bear_out() {
    let place = copy();
    // Sound by itself: one shard of the two.
    estimate(&place, "b0/shard-0", "r0.json", "");
    let found = faults(&place, "b0 --report r0.json");
    assert!(
        found
            .lines()
            .all(|line| line.starts_with("mismatch: r0.json: ")),
        "{found}"
    );
    assert!(
        found.contains("`games` is 6, and the games say 12"),
        "{found}"
    );
    assert!(found.contains("the games' shard \"shard-1\""), "{found}");
}

#[test]
fn hostile_files() {
    let place = copy();
    place.write("b0/shard-0/manifest.json", "\0".repeat(5 << 20));
    place.write("b0/shard-1/manifest.json", r#"{"format": 9"#);
    place.write(
        "b1/shard-0/games.pgn",
        [0xFF, 0xFE, b'[', 0, b'\n'].repeat(2000),
    );
    place.write("b1/shard-1/games.pgn.gz", [0x1F, 0x8B, 8, 0, 1]);
    place.write("::error::x/games.pgn", "[White \"\u{1b}[2J\"]");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/dev/zero", place.path("b1/games.pgn")).unwrap();
    let found = faults(&place, "b0 b1 ::error::x");
    insta::assert_snapshot!(found, @r##"
    foreign: ::error::x/games.pgn: there is no manifest.json beside these games, so nobody knows of what match they are
    unreadable: b0/shard-0/manifest.json: larger than 4194304 bytes
    unreadable: b0/shard-1/manifest.json: no manifest this version can read: EOF while parsing an object at line 1 column 12
    foreign: b1/games.pgn: there is no manifest.json beside these games, so nobody knows of what match they are
    unreadable: b1/shard-1/games.pgn.gz: unexpected end of file
    altered: b1/shard-0/games.pgn: it is not as the run left it: 0 finished games with the SHA-256 <hash>, and the manifest records 6 with <hash>
    foreign: b1/shard-0/games.pgn: game 1: not between the engines of this run
    altered: b1/shard-0/manifest.json: it records 6 finished games and 0 are there
    altered: b1/shard-0/manifest.json: it records 3 finished pairs and 0 are there
    missing: b1/shard-0/manifest.json: it says it finished, and of its 3 pairs these are not whole: 1, 2, 3
    "##);
    // A bomb: more than a file may hold when it is unpacked.
    let place = copy();
    let bomb = zstd::encode_all(std::io::repeat(b'x').take(300 << 20), 1).unwrap();
    place.write("b0/shard-0/games.pgn.zst", bomb);
    let found = faults(&place, "b0");
    assert!(
        found.contains("unreadable: b0/shard-0/games.pgn.zst: larger than 268435456 bytes"),
        "{found}"
    );
}

#[test]
fn refusals() {
    let place = Place::new();
    let refused = |arguments: &str| {
        let answer = verify(&place, arguments);
        assert_eq!((answer.code, &*answer.stdout), (2, ""));
        answer.stderr.lines().next().unwrap_or_default().to_owned()
    };
    insta::assert_snapshot!(refused(""), @"error: the following required arguments were not provided:");
    insta::assert_snapshot!(refused("--report x.json --book y.epd"), @"error: the following required arguments were not provided:");
}

/// Both ends of a resumed run: its pin is renewed, and its parts are one run.
#[test]
fn a_resumed_run_is_pinned_anew() {
    let place = Place::new();
    play(&place, "run", "--start 1");
    let text = place.read("run/games.pgn");
    place.write("run/games.pgn", records(&text)[..3].concat());
    edit_json(&place, "run/manifest.json", |manifest| {
        manifest.as_object_mut().unwrap().remove("files");
    });
    play(&place, "run", "--start 1 --resume");
    assert!(said(&place, "run", 0).starts_with("verified: 1 run in 1 batch, 6 finished games"));
    let manifest: Value = serde_json::from_str(&place.read("run/manifest.json")).unwrap();
    let hash = mache::play::manifest::sha256(&place.path("run/games.pgn")).unwrap();
    assert_eq!(
        manifest["files"],
        json!([{"name": "games.pgn", "sha256": hash, "games": 6}])
    );
}
