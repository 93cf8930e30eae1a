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
    insta::assert_snapshot!(answer.stdout, @"
    games: 2
    normal: 2
    adjudication: 0
    time forfeit: 0
    disconnect: 0
    stall: 0
    abandoned: 0
    illegal move: 0
    unterminated: 0
    ");
    let json = terminations("", &["--json"]);
    insta::assert_snapshot!(json.stdout, @r#"
    {
      "format": 1,
      "tool": {
        "name": "mache",
        "version": "0.1.0",
        "command": "match_terminations"
      },
      "games": 0,
      "endings": {
        "normal": {
          "count": 0,
          "blamed": {}
        },
        "adjudication": {
          "count": 0,
          "blamed": {}
        },
        "time forfeit": {
          "count": 0,
          "blamed": {}
        },
        "disconnect": {
          "count": 0,
          "blamed": {}
        },
        "stall": {
          "count": 0,
          "blamed": {}
        },
        "abandoned": {
          "count": 0,
          "blamed": {}
        },
        "illegal move": {
          "count": 0,
          "blamed": {}
        },
        "unterminated": {
          "count": 0,
          "blamed": {}
        }
      },
      "remark": "",
      "remarks": []
    }
    "#);
}

#[test]
fn a_fault_is_remarked_on() {
    let lost = game("1", ["new", "old"], "1-0", "time forfeit")
        .replace("tl=9.900s} 1-0", "tl=9.900s, Black loses on time} 1-0");
    let answer = terminations(
        &(lost + &game("1", ["old", "new"], "1-0", "normal")),
        &["--json"],
    );
    assert_eq!(answer.code, 0);
    insta::assert_snapshot!(answer.stderr, @"1 of 2 games ended by a fault and not by play: 1 by time forfeit (old 1)");
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
    insta::assert_snapshot!(run(&[]), @"
    2: error: the following required arguments were not provided:
      <PGN>

    Usage: mache match-terminations <PGN>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(run(&["a.pgn", "b.pgn"]), @"
    2: error: unexpected argument 'b.pgn' found

    Usage: mache match-terminations [OPTIONS] <PGN>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(run(&["a.pgn", "--line"]), @"
    2: error: unexpected argument '--line' found

      tip: to pass '--line' as a value, use '-- --line'

    Usage: mache match-terminations <PGN>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(run(&["a.pgn"]), @"1: error: cannot read a.pgn: No such file or directory (os error 2)");
}

#[test]
fn help() {
    insta::assert_snapshot!(Place::new().run(["match-terminations", "--help"]).stdout, @"
    Say how games ended, and which engine each fault fell on

    Usage: mache match-terminations [OPTIONS] <PGN>

    Arguments:
      <PGN>  File of games: PGN, plain, .gz or .zst; a folder means every games.pgn below it, `-`
             standard input

    Options:
          --json  Print a JSON document
      -h, --help  Print help
    ");
}
