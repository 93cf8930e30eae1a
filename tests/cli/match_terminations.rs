//! `mache match-terminations`.

use crate::match_estimate::{game, pair};
use crate::program::{Answer, Place, refusal};

#[track_caller]
fn terminations(games: &str, arguments: &[&str]) -> Answer {
    let place = Place::new();
    place.write("games.pgn", games);
    place.run(
        ["match-terminations", "games.pgn"]
            .into_iter()
            .chain(arguments.iter().copied()),
    )
}

#[test]
fn a_clean_match_needs_no_remark() {
    let answer = terminations(&pair("1", ["1-0", "0-1"], "normal"), &[]);
    assert_eq!((answer.code, &*answer.stderr), (0, ""));
    insta::assert_snapshot!(answer.stdout, @"");
    let json = terminations("", &["--json"]);
    insta::assert_snapshot!(json.stdout, @"");
}

#[test]
fn a_fault_is_remarked_on() {
    let lost = game("1", ["new", "old"], "1-0", "time forfeit")
        .replace("n=1000, tl=9.900s} 1-0", "Black loses on time}");
    let answer = terminations(
        &(lost + &game("1", ["old", "new"], "1-0", "normal")),
        &["--json"],
    );
    assert_eq!(answer.code, 0);
    insta::assert_snapshot!(answer.stderr, @"");
    assert!(
        answer
            .stdout
            .contains("\"time forfeit\": {\n      \"count\": 1,"),
        "{}",
        answer.stdout
    );
    assert!(
        answer.stdout.contains(answer.stderr.trim_end()),
        "the document carries the remark"
    );
}

#[test]
fn an_ending_cannot_give_a_command() {
    let answer = terminations(&pair("1", ["1-0", "0-1"], "::error::x\u{1b}[2J"), &[]);
    assert_eq!(answer.code, 0);
    assert_eq!(answer.stdout.lines().last(), Some(r"\::error::x\x1b[2J: 2"));
}

#[test]
fn refusals() {
    let place = Place::new();
    let run = |arguments: &[&str]| {
        refusal(
            &place.run(
                ["match-terminations"]
                    .into_iter()
                    .chain(arguments.iter().copied()),
            ),
        )
    };
    insta::assert_snapshot!(run(&[]), @"");
    insta::assert_snapshot!(run(&["a.pgn", "b.pgn"]), @"");
    insta::assert_snapshot!(run(&["a.pgn", "--line"]), @"");
    insta::assert_snapshot!(run(&["a.pgn"]), @"");
}

#[test]
fn help() {
    insta::assert_snapshot!(Place::new().run(["match-terminations", "--help"]).stdout, @"");
}
