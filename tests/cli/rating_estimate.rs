//! `mache rating-estimate` on a real gauntlet and on made-up ones.

use std::fmt::Write;
use std::path::Path;

use crate::json::Json;
use crate::program::{Answer, Place, refusal};
use crate::vectors::vector;

const LADDER: &str =
    "ethereal 12.00:3200,toga II 3.0:2900,glaurung 2.2:2700,fairy-stockfish 11.1:2600";

/// 120 games that fastchess played, thirty against each of four engines.
fn gauntlet() -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games/gauntlet/games.pgn.zst");
    path.to_str().unwrap().to_owned()
}

fn run(arguments: &[&str]) -> Answer {
    Place::new().run([&["rating-estimate"], arguments].concat())
}

/// Games of `us` against one engine: results from our side, `1`, `0` or `=`, two of a round making a pair.
fn games(opponent: &str, results: &str) -> String {
    let mut text = String::new();
    for (at, result) in results.chars().enumerate() {
        let black = at % 2 == 1;
        let (white, second) = if black {
            (opponent, "us")
        } else {
            ("us", opponent)
        };
        let result = match (result, black) {
            ('=', _) => "1/2-1/2",
            ('1', false) | ('0', true) => "1-0",
            _ => "0-1",
        };
        let round = at / 2 + 1;
        writeln!(
            text,
            "[Event \"t\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{second}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n"
        )
        .unwrap();
    }
    text
}

#[track_caller]
fn document(place: &Place, arguments: &[&str]) -> Json {
    let answer = place.run([&["rating-estimate"], arguments, &["--json"]].concat());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    Json::read(&answer.stdout)
}

#[test]
fn the_report_of_a_real_gauntlet() {
    let answer = run(&[&gauntlet(), "candidate", LADDER, "--scale", "our list"]);
    insta::assert_snapshot!(answer.stdout.replace(env!("CARGO_PKG_VERSION"), "VERSION"), @"
    2832 ±75 (95%) on the our list scale (120 games)

    The margin above takes the games for independent. Over 60 pairs it is ±68. 95% interval by profile likelihood: 2764 to 2900. The ratings of the opponents are taken as exact.

    | opponent | our list | w-d-l | score | implies | residual |
    | :-- | --: | --: | --: | --: | --: |
    | ethereal 12.00 | 3200 | 7-4-19 | 30.0% | 3053 | +2.61 |
    | toga II 3.0 | 2900 | 11-1-18 | 38.3% | 2817 | -0.31 |
    | glaurung 2.2 | 2700 | 14-8-8 | 60.0% | 2770 | -1.23 |
    | fairy-stockfish 11.1 | 2600 | 19-4-7 | 70.0% | 2747 | -1.32 |

    The opponents **disagree** by more than chance: one rating does not describe these results, and the margins leave that out. χ² = 8.35 with 3 degrees of freedom, p = 0.039. Residuals are in standard errors.

    Read by mache VERSION.
    ");
    insta::assert_snapshot!(answer.stderr, @"note: no one rating fits these results: the opponents differ by more than chance (p = 0.039), and the margin leaves that out");
    assert_eq!(answer.code, 0);
}

#[test]
fn the_document_of_a_real_gauntlet() {
    let answer = run(&[&gauntlet(), "candidate", "ethereal 12.00:3200", "--json"]);
    insta::assert_snapshot!(answer.stdout.replace(env!("CARGO_PKG_VERSION"), "VERSION"), @r#"
    {
      "format": 1,
      "tool": {
        "name": "mache",
        "version": "VERSION",
        "command": "rating_estimate"
      },
      "engine": "candidate",
      "ladder": {
        "ethereal 12.00": 3200.0
      },
      "pairings": [
        {
          "opponent": "ethereal 12.00",
          "ccrl": 3200.0,
          "wins": 7,
          "draws": 4,
          "losses": 19,
          "games": 30,
          "score": 0.3,
          "implied": 3052.8092858821624,
          "rating": 3200.0,
          "pairs": 15,
          "residual": null
        }
      ],
      "rating": 3052.8092858821624,
      "margin": 124.42216653152352,
      "games": 30,
      "bounded": "",
      "scale": "ccrl blitz",
      "note": "",
      "remarks": [],
      "line": "3053 \u00b1124 (95%) on the ccrl blitz scale (30 games)",
      "pairs": 15,
      "unpaired": 0,
      "pair_margin": 115.91476000584873,
      "interval": {
        "method": "profile likelihood",
        "confidence": 0.95,
        "low": 2930.5487545584597,
        "high": 3164.6454148324087
      },
      "modelled": false,
      "agreement": null
    }
    "#);
}

#[test]
fn a_one_sided_gauntlet_has_a_bound() {
    let place = Place::new();
    place.write("up.pgn", games("a", "11111111"));
    place.write("down.pgn", games("a", "00000000"));
    let up = place.run(["rating-estimate", "up.pgn", "us", "a:1600"]);
    insta::assert_snapshot!(up.stdout.replace(env!("CARGO_PKG_VERSION"), "VERSION"), @"
    above 1600 on the ccrl blitz scale (8 games)

    Every point was won, so the rating has no upper end. At least 1737 with 95% confidence: below that so one-sided a gauntlet has a chance of less than 5 in 100.

    | opponent | ccrl blitz | w-d-l | score | implies | residual |
    | :-- | --: | --: | --: | --: | --: |
    | a | 1600 | 8-0-0 | 100.0% | 2800 | - |

    Read by mache VERSION.
    ");
    let down = place.run(["rating-estimate", "down.pgn", "us", "a:1600"]);
    insta::assert_snapshot!(down.stdout.lines().nth(2).unwrap(), @"Every point was lost, so the rating has no lower end. At most 1463 with 95% confidence: above that so one-sided a gauntlet has a chance of less than 5 in 100.");
    let interval = document(&place, &["up.pgn", "us", "a:1600"]);
    let interval = interval.at("interval");
    assert_eq!(interval.at("high"), &Json::Null);
    // 0.05^(1/8) of a point a game.
    let score: f64 = 0.05_f64.powf(0.125);
    let wanted = 1600.0 - 400.0 * (1.0 / score - 1.0).log10();
    assert!((interval.at("low").double() - wanted).abs() < 1e-6);
}

#[test]
fn files_and_folders_are_pooled_and_packed_ones_read() {
    let place = Place::new();
    let (first, second) = (games("a", "1=01"), games("b", "0=10"));
    place.write("runs/shard-0/games.pgn", &first);
    place.write(
        "runs/shard-1/games.pgn.zst",
        zstd::encode_all(second.as_bytes(), 1).unwrap(),
    );
    place.write("all.pgn", format!("{first}{second}"));
    let ladder = "a:1600,b:1700";
    let line = |arguments: &[&str]| {
        let answer =
            place.run([&["rating-estimate"], arguments, &["us", ladder, "--line"]].concat());
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
        answer.stdout
    };
    let wanted = line(&["all.pgn"]);
    assert_eq!(line(&["runs"]), wanted);
    assert_eq!(
        line(&["runs/shard-1/games.pgn.zst", "runs/shard-0/games.pgn"]),
        wanted
    );
}

#[test]
fn pairs_that_share_their_points_narrow_the_margin() {
    let place = Place::new();
    // A win and a loss in every round: the engine with White wins, and the pairs do not differ.
    place.write("games.pgn", games("a", "1010101010=="));
    let report = document(&place, &["games.pgn", "us", "a:1600"]);
    assert_eq!(report.at("pairs").whole(), 6);
    assert_eq!(report.at("unpaired").whole(), 0);
    let (margin, pair_margin) = (
        report.at("margin").double(),
        report.at("pair_margin").double(),
    );
    // With no spread left at all the model's is taken, which is wider.
    assert!(pair_margin >= margin, "{pair_margin} {margin}");
    place.write("games.pgn", games("a", "101010101011"));
    let report = document(&place, &["games.pgn", "us", "a:1600"]);
    let (margin, pair_margin) = (
        report.at("margin").double(),
        report.at("pair_margin").double(),
    );
    assert!(pair_margin < 0.7 * margin, "{pair_margin} {margin}");
}

#[test]
fn names_cannot_break_the_report() {
    let place = Place::new();
    place.write("games.pgn", games("a|b<i>", "1=01"));
    let answer = place.run([
        "rating-estimate",
        "games.pgn",
        "us",
        "a|b<i>:1600",
        "--scale",
        "x|y",
    ]);
    let rows: Vec<&str> = answer
        .stdout
        .lines()
        .filter(|line| line.starts_with('|'))
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @r"
    | opponent | `x\|y` | w-d-l | score | implies | residual |
    | :-- | --: | --: | --: | --: | --: |
    | `a\|b<i>` | 1600 | 2-1-1 | 62.5% | 1689 | - |
    ");
}

#[test]
fn a_ladder_entry_twice_or_not_finite_is_refused() {
    let twice = vector(
        "rating-estimate.json.zst",
        "rating/ladder-name-twice-last-rating-wins",
    );
    let place = twice.place();
    let arguments = [std::slice::from_ref(&twice.tool), &twice.args[..]].concat();
    insta::assert_snapshot!(refusal(&place.run(arguments)), @"1: error: `a` is on the ladder twice: give it one rating");
    for rating in ["nan", "inf", "-inf", "1e999"] {
        let answer = place.run([
            "rating-estimate",
            "gauntlet.pgn",
            "us",
            &format!("a:{rating}"),
        ]);
        assert_eq!(answer.code, 1, "{rating}: {}", answer.stdout);
        assert!(answer.stderr.contains("not finite"), "{}", answer.stderr);
    }
}

#[test]
fn refusals_say_what_is_missing() {
    let place = Place::new();
    place.write("games.pgn", games("a", "1=01"));
    let run = |arguments: &[&str]| refusal(&place.run([&["rating-estimate"], arguments].concat()));
    insta::assert_snapshot!(run(&["games.pgn", "us"]), @"
    2: error: give files of games, the engine's name and the ladder; --help shows how


    Usage: mache <COMMAND>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(run(&["games.pgn", "we", "a:1600,b:1700"]), @"
    1: a is on the ladder and finished no game here
    b is on the ladder and finished no game here
    error: no finished game of `we` against any of a, b; the games name us, a
    ");
    insta::assert_snapshot!(run(&["games.pgn", "us", "a:1600", "--scale", " "]), @"1: error: --scale is blank: name the list that the ratings come from");
    insta::assert_snapshot!(run(&["none.pgn", "us", "a:1600"]), @"1: error: cannot read none.pgn: No such file or directory (os error 2)");
}
