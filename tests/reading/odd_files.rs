//! Files with one peculiarity each: no game is lost, none is made up, and what is doubtful is said.

use std::path::{Path, PathBuf};

use mache::games::{Endings, Pool, ReadError, finished_games};
use mache::notation::pgn::BookGames;

fn odd(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/odd")
        .join(name)
}

/// `plies` of every game's main line and the results that count (`*` for none), as the file's facts say.
#[track_caller]
fn case(name: &str, plies: &[usize], results: &str, remarks: &[&str]) {
    let path = odd(name);
    let text = std::fs::read(&path).unwrap();
    let read: Vec<usize> = BookGames::new(&text)
        .map(|game| game.map_or(0, |game| game.moves.len()))
        .collect();
    assert_eq!(read, plies, "plies of {name}");
    let decided: Vec<&str> = results
        .split_whitespace()
        .filter(|word| *word != "*")
        .collect();
    let games = finished_games(&path).unwrap();
    let scores = games
        .iter()
        .map(|game| match game.result.white_score().points() {
            1.0 => "1-0",
            0.0 => "0-1",
            _ => "1/2",
        });
    assert_eq!(scores.collect::<Vec<_>>(), decided, "results of {name}");
    let (endings, said) = Endings::read(std::slice::from_ref(&path)).unwrap();
    let players = results.split_whitespace().count() as u64;
    assert_eq!(endings.games(), players, "games of {name}");
    let said: Vec<String> = said
        .iter()
        .map(|line| line.replace(&format!("{}: ", path.display()), ""))
        .collect();
    assert_eq!(said, remarks, "remarks on {name}");
}

#[test]
fn line_ends_and_encodings() {
    for name in [
        "01-bom.pgn",
        "02-crlf.pgn",
        "03-mixed-line-ends.pgn",
        "04-bare-cr.pgn",
        "10-no-blank-between-games.pgn",
        "11-no-blank-after-tags.pgn",
        "13-no-final-newline.pgn",
    ] {
        case(name, &[16, 10], "1-0 1/2", &[]);
    }
    case("05-latin1-names.pgn", &[16], "1-0", &[]);
    case("06-utf8-names.pgn", &[16], "1-0", &[]);
    case("08-control-byte-in-comment.pgn", &[16], "1-0", &[]);
    let latin = finished_games(&odd("05-latin1-names.pgn")).unwrap();
    assert!(
        latin[0]
            .white
            .chars()
            .any(|letter| ('\u{c0}'..='\u{ff}').contains(&letter))
    );
}

#[test]
fn missing_things() {
    case("14-empty.pgn", &[], "", &[]);
    case(
        "15-no-tags.pgn",
        &[16, 10],
        "",
        &["2 records without two players are left out: 1 and 2 in the order of the file"],
    );
    let unfinished = "1 game without a result is left out: game 1";
    case("20-undecided.pgn", &[16, 10], "* 1/2", &[]);
    let error = Pool::read(&[odd("14-empty.pgn")], "new", "old").unwrap_err();
    assert!(matches!(error, ReadError::NoGames { files: 1, .. }));
    let pool = Pool::read(&[odd("20-undecided.pgn")], "Player, One", "Player, Two").unwrap();
    assert_eq!((pool.games(), pool.unfinished()), (1, 1));
    assert!(pool.remarks[0].ends_with(unfinished), "{:?}", pool.remarks);
}

#[test]
fn results_that_disagree_are_said() {
    case(
        "17-result-disagrees.pgn",
        &[16],
        "1-0",
        &["the moves of game 1 end with another result than the Result tag, which counts"],
    );
    case("18-result-half-short.pgn", &[16], "1/2", &[]);
}

#[test]
fn comments_are_no_records() {
    case("21-comment-holds-brackets.pgn", &[16, 10], "1-0 1/2", &[]);
    case(
        "23-comment-not-closed.pgn",
        &[5, 10],
        "1-0 1/2",
        &["the moves of game 1 are cut off; a Result tag that is whole counts"],
    );
}

#[test]
fn movetext_styles() {
    case("24-variations-nested.pgn", &[10], "1-0", &[]);
    case("26-nags-and-suffixes.pgn", &[10], "1-0", &[]);
    case("27-lichess-clock-eval.pgn", &[4], "1-0", &[]);
    case("28-semicolon-and-percent.pgn", &[6], "1-0", &[]);
    case("30-zero-castling.pgn", &[14], "1-0", &[]);
    case("31-fen-black-to-move.pgn", &[3, 2, 2], "0-1 1/2 1-0", &[]);
    case("32-chess960.pgn", &[10, 2], "1-0 1/2", &[]);
    case("35-number-styles.pgn", &[16], "1-0", &[]);
    case("37-over-disambiguated.pgn", &[12], "1-0", &[]);
    // Whether a move can be played is not a question of reading: all ten are there.
    case("38-illegal-move.pgn", &[10, 10], "1-0 1/2", &[]);
}

#[test]
fn a_match_that_ends_inside_a_comment() {
    case(
        "40-match-record-and-torn-end.pgn",
        &[3, 3, 1],
        "0-1 1-0 *",
        &[
            "2 of 3 games ended by a fault and not by play: 1 by time forfeit (engine-new 1), 1 by illegal move (engine-new 1)",
            "the moves of game 3 are cut off; a Result tag that is whole counts",
        ],
    );
    let path = odd("40-match-record-and-torn-end.pgn");
    let pool = Pool::read(&[path], "engine-new", "engine-base").unwrap();
    let (own, other) = (pool.instruments()[0].1, pool.instruments()[1].1);
    // `2. Nf3` is White's although its number opens the game, and the torn comment's node count is kept.
    assert_eq!((own.moves, own.nodes), (3, 12_345 + 15_000 + 77));
    assert_eq!((other.moves, other.nodes), (2, 12_001 + 999));
}
