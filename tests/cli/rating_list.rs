//! `mache rating-list` on real games and on made-up ones.

use std::fmt::Write;
use std::path::Path;

use crate::json::Json;
use crate::program::{Answer, Place, refusal};

/// 120 games that fastchess played, thirty of one engine against each of four.
fn gauntlet() -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games/gauntlet/games.pgn.zst");
    path.to_str().unwrap().to_owned()
}

fn run(place: &Place, arguments: &[&str]) -> Answer {
    let mut answer = place.run([&["rating-list"], arguments].concat());
    answer.stdout = answer.stdout.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    answer
}

/// Pairs of games: `a b 1=` is a win of a with White and a draw with Black.
fn games(pairs: &[&str]) -> String {
    let mut text = String::new();
    for (at, pair) in pairs.iter().enumerate() {
        let words: Vec<&str> = pair.split(' ').collect();
        let [first, second, results] = words[..] else {
            panic!("{pair}");
        };
        for (game, result) in results.chars().enumerate() {
            let black = game % 2 == 1;
            let (white, other) = if black {
                (second, first)
            } else {
                (first, second)
            };
            let result = match (result, black) {
                ('=', _) => "1/2-1/2",
                ('*', _) => "*",
                ('1', false) | ('0', true) => "1-0",
                _ => "0-1",
            };
            writeln!(
                text,
                "[Event \"t\"]\n[Round \"{}\"]\n[White \"{white}\"]\n[Black \"{other}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n",
                at + 1
            )
            .unwrap();
        }
    }
    text
}

#[test]
fn the_list_of_a_real_gauntlet() {
    let answer = run(&Place::new(), &[&gauntlet(), "--los"]);
    insta::assert_snapshot!(answer.stdout, @"
    5 engines, 120 games, of which 120 in 60 pairs.

    | # | engine | rating | ± games | ± pairs | games | score | draws | above next |
    | --: | :-- | --: | --: | --: | --: | --: | --: | --: |
    | 1 | ethereal 12.00 | 147 | 108 | 102 | 30 | 70.0% | 13.3% | 77.4% |
    | 2 | toga II 3.0 | 81 | 104 | 106 | 30 | 61.7% | 3.3% | 91.8% |
    | 3 | candidate | -2 | 49 | 47 | 120 | 49.6% | 14.2% | 92.1% |
    | 4 | glaurung 2.2 | -74 | 103 | 92 | 30 | 40.0% | 26.7% | 83.9% |
    | 5 | fairy-stockfish 11.1 | -152 | 108 | 102 | 30 | 30.0% | 13.3% | - |

    Ratings are about a mean of 0. ± games: 95% margin from the likelihood and the draw rate, were no two games to do with each other. ± pairs: half of the 95% interval over pairs, from 400 bootstrap fits (seed 0); too narrow for an engine with fewer than some twenty pairs. Bounds are one-sided, with 95% confidence.

    White advantage: 42.3 ± 60.7 Elo. Draw rate between equals: 15.3%.

    Chance in % that the engine of the row is stronger than that of the column, from the spread over pairs:

    | | engine | 1 | 2 | 3 | 4 | 5 |
    | --: | :-- | --: | --: | --: | --: | --: |
    | 1 | ethereal 12.00 | | 77.4 | 99.2 | 99.8 | 100.0 |
    | 2 | toga II 3.0 | 22.6 | | 91.8 | 98.0 | 99.6 |
    | 3 | candidate | 0.8 | 8.2 | | 92.1 | 99.5 |
    | 4 | glaurung 2.2 | 0.2 | 2.0 | 7.9 | | 83.9 |
    | 5 | fairy-stockfish 11.1 | 0.0 | 0.4 | 0.5 | 16.1 | |

    Read by mache VERSION.
    ");
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
}

#[test]
fn anchors_are_kept_and_csv_is_one_line_an_engine() {
    let arguments = [
        "--anchor",
        "toga II 3.0=2900",
        "--anchor",
        "glaurung 2.2=2700",
        "--csv",
    ];
    let answer = run(
        &Place::new(),
        &[&[gauntlet().as_str()], &arguments[..]].concat(),
    );
    insta::assert_snapshot!(answer.stdout, @r#"
    group,rank,engine,rating,margin,pairs_low,pairs_high,bound,games,points,draws
    1,1,"ethereal 12.00",2942.97,150.68,2801.12,3081.77,,30,21.0,4
    1,2,"toga II 3.0",2900.00,0.00,2900.00,2900.00,,30,18.5,1
    1,3,"candidate",2793.64,84.44,2710.38,2879.52,,120,59.5,17
    1,4,"glaurung 2.2",2700.00,0.00,2700.00,2700.00,,30,12.0,8
    1,5,"fairy-stockfish 11.1",2644.32,150.69,2488.24,2773.63,,30,9.0,4
    "#);
}

#[test]
fn the_document_of_a_small_league() {
    let place = Place::new();
    place.write(
        "games.pgn",
        games(&["a b 1=", "a b 0=", "b a ==", "c a 11", "a b 1*"]),
    );
    let answer = run(
        &place,
        &["games.pgn", "--json", "--los", "--replicates", "0"],
    );
    insta::assert_snapshot!(answer.stdout, @r#"
    {
      "format": 1,
      "tool": {
        "name": "mache",
        "version": "VERSION",
        "command": "rating_list"
      },
      "games": 9,
      "pairs": 4,
      "unpaired": 1,
      "unfinished": 1,
      "engines": [
        {
          "name": "c",
          "group": 1,
          "rank": null,
          "rating": null,
          "margin": null,
          "pairs_margin": null,
          "pairs_low": null,
          "pairs_high": null,
          "anchor": false,
          "bounded": "above",
          "bound": -192.78094160029525,
          "games": 2,
          "draws": 0,
          "points": 2.0,
          "score": 1.0
        },
        {
          "name": "a",
          "group": 1,
          "rank": 1,
          "rating": 22.18487496163563,
          "margin": 84.0701635885437,
          "pairs_margin": null,
          "pairs_low": null,
          "pairs_high": null,
          "anchor": false,
          "bounded": "",
          "bound": null,
          "games": 9,
          "draws": 4,
          "points": 4.0,
          "score": 0.4444444444444444
        },
        {
          "name": "b",
          "group": 1,
          "rank": 2,
          "rating": -22.18487496163563,
          "margin": 84.0701635885437,
          "pairs_margin": null,
          "pairs_low": null,
          "pairs_high": null,
          "anchor": false,
          "bounded": "",
          "bound": null,
          "games": 7,
          "draws": 4,
          "points": 3.0,
          "score": 0.42857142857142855
        }
      ],
      "groups": [
        {
          "engines": 2,
          "anchored": false
        }
      ],
      "white_advantage": {
        "elo": 44.36974992327128,
        "margin": 168.1403271770874,
        "from": "games"
      },
      "draw_rate": 0.5974514572541624,
      "bootstrap": null,
      "superiority": {
        "from": "likelihood",
        "engines": [
          "a",
          "b"
        ],
        "chances": [
          [
            null,
            0.6974969807988325
          ],
          [
            0.3025030192011675,
            null
          ]
        ]
      },
      "remarks": [
        "1 game without a result has no part in the list"
      ]
    }
    "#);
    insta::assert_snapshot!(answer.stderr, @"1 game without a result has no part in the list");
}

#[test]
fn engines_that_cannot_be_compared_are_listed_apart() {
    let place = Place::new();
    place.write("one.pgn", games(&["a b 1=", "a b 0=", "x a 11", "x b 11"]));
    place.write("two.pgn", games(&["c d 10", "c d =1", "d c 0=", "e e 11"]));
    let answer = run(&place, &["one.pgn", "two.pgn", "--white-advantage", "0"]);
    insta::assert_snapshot!(answer.stdout, @"
    5 engines, 14 games, of which 14 in 7 pairs.

    **Group 1**

    | # | engine | rating | ± games | ± pairs | games | score | draws | above next |
    | --: | :-- | --: | --: | --: | --: | --: | --: | --: |
    |  | x | above -19 | - | - | 4 | 100.0% | 0.0% | - |
    | 1 | a | 0 | 129 | 91 | 6 | 33.3% | 33.3% | 50.0% |
    | 2 | b | 0 | 129 | 91 | 6 | 33.3% | 33.3% | - |

    **Group 2**

    | # | engine | rating | ± games | ± pairs | games | score | draws | above next |
    | --: | :-- | --: | --: | --: | --: | --: | --: | --: |
    | 1 | c | 60 | 111 | 38 | 6 | 66.7% | 33.3% | 99.7% |
    | 2 | d | -60 | 111 | 38 | 6 | 33.3% | 33.3% | - |

    Ratings are about a mean of 0. ± games: 95% margin from the likelihood and the draw rate, were no two games to do with each other. ± pairs: half of the 95% interval over pairs, from 400 bootstrap fits (seed 0); too narrow for an engine with fewer than some twenty pairs. Bounds are one-sided, with 95% confidence.

    White advantage: 0.0 Elo, as given. Draw rate between equals: 42.5%.

    - 2 games of engines against themselves have no part in the list
    - 2 groups of engines are rated each on its own, since no chain of games connects them all

    Read by mache VERSION.
    ");
    insta::assert_snapshot!(answer.stderr, @"
    2 games of engines against themselves have no part in the list
    2 groups of engines are rated each on its own, since no chain of games connects them all
    ");
}

#[test]
fn a_seed_gives_the_same_list_every_time() {
    let list = |seed| run(&Place::new(), &[&gauntlet(), "--json", "--seed", seed]).stdout;
    assert_eq!(list("3"), list("3"));
    assert_ne!(list("3"), list("4"));
    let bootstrap = Json::read(&list("3"));
    assert_eq!(bootstrap.at("bootstrap").at("replicates").whole(), 400);
}

#[test]
fn names_cannot_break_the_list() {
    let place = Place::new();
    place.write("games.pgn", games(&["a|b @x,\"y\" 1=", "a|b @x,\"y\" 0="]));
    let page = run(&place, &["games.pgn"]).stdout;
    let rows: Vec<&str> = page.lines().filter(|line| line.contains('@')).collect();
    assert_eq!(rows.len(), 1);
    assert!(rows[0].contains("`@x,\"y\"`"), "{}", rows[0]);
    let csv = run(&place, &["games.pgn", "--csv"]).stdout;
    assert!(csv.contains("\"@x,\"\"y\"\"\""), "{csv}");
}

#[test]
fn refusals() {
    let place = Place::new();
    place.write("games.pgn", games(&["alpha beta 1=", "alpha beta 0="]));
    place.write("none.pgn", games(&["alpha beta **"]));
    let run = |arguments: &[&str]| refusal(&run(&place, arguments));
    insta::assert_snapshot!(run(&["none.pgn"]), @"1: error: no finished game between two engines");
    insta::assert_snapshot!(run(&["games.pgn", "--anchor", "alfa=2000"]), @"1: error: the anchor `alfa` finished no game here (did you mean `alpha`?)");
    insta::assert_snapshot!(run(&["games.pgn", "--anchor", "alpha"]), @"
    2: error: invalid value 'alpha' for '--anchor <NAME=RATING>': write it as NAME=RATING, such as Stash 21=2714

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(run(&["games.pgn", "--anchor", "alpha=inf"]), @"
    2: error: invalid value 'alpha=inf' for '--anchor <NAME=RATING>': write it as NAME=RATING, such as Stash 21=2714

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(run(&["games.pgn", "--anchor", "alpha=1", "--anchor", "alpha=2"]), @"2: error: --anchor gives `alpha` two ratings");
    insta::assert_snapshot!(run(&["games.pgn", "--white-advantage", "nan"]), @"2: error: --white-advantage NaN has to lie between -1000 and 1000");
    insta::assert_snapshot!(run(&["missing.pgn"]), @"1: error: cannot read missing.pgn: No such file or directory (os error 2)");
}
