//! `mache elo`: counts in, the block of each community out.

use crate::json::Json;
use crate::program::{Answer, Place, refusal};

fn run(arguments: &[&str]) -> Answer {
    Place::new().run([&["elo"], arguments].concat())
}

#[track_caller]
fn block(arguments: &[&str]) -> String {
    let answer = run(arguments);
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
    answer.stdout
}

#[track_caller]
fn pasted(text: &str, arguments: &[&str]) -> String {
    let output = Place::new()
        .program()
        .arg("elo")
        .args(arguments)
        .write_stdin(text)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

const FASTCHESS: &str = "\
Results of new vs old (10+0.1, 1t, 16MB, book.epd):
Elo: 120.41 +/- 72.06, nElo: 161.99 +/- 87.91
LOS: 99.98 %, DrawRatio: 33.33 %, PairsRatio: 9.00
Games: 60, Wins: 32, Losses: 12, Draws: 16, Points: 40.0 (66.67 %)
Ptnml(0-2): [2, 0, 10, 12, 6], WL/DD Ratio: 4.00
";

/// Counts, Elo and ratio of a real OpenBench test.
const OPENBENCH: &str = "\
Elo   | 29.65 +- 9.87 (95%)
LLR   | 2.96 (-2.94, 2.94) [0.00, 5.00]
Games | N: 1386 W: 366 L: 248 D: 772
Penta | [10, 83, 415, 149, 36]
";

#[test]
fn a_block_comes_out_as_it_went_in() {
    let without_conditions = FASTCHESS.replace(" (10+0.1, 1t, 16MB, book.epd)", "");
    assert_eq!(pasted(FASTCHESS, &[]), without_conditions);
    let test = ["--elo0", "0", "--elo1", "5", "--model", "normalized"];
    let arguments = [&test[..], &["--style", "openbench"]].concat();
    assert_eq!(pasted(OPENBENCH, &arguments), OPENBENCH);
}

#[test]
fn what_cutechess_prints_for_its_games() {
    let wanted = "Score of A vs B: 491 - 179 - 606  [0.622] 1276\n\
                  Elo difference: 86.7 +/- 13.8, LOS: 100.0 %, DrawRatio: 47.5 %\n";
    assert_eq!(block(&["--wdl", "491,606,179"]), wanted);
    let log = format!("Score of A vs B: 1 - 0 - 0  [1.000] 1\n{wanted}");
    assert_eq!(pasted(&log, &[]), wanted);
    assert_eq!(
        pasted(FASTCHESS, &["--style", "cutechess"]).lines().count(),
        2
    );
}

#[test]
fn every_style_of_the_same_pairs() {
    let arguments = |style| {
        let pairs = [
            "--pairs",
            "63,600,1868,730,75",
            "--elo0",
            "0",
            "--elo1",
            "5",
        ];
        block(&[&pairs[..], &["--style", style]].concat())
    };
    insta::assert_snapshot!(arguments("fastchess"), @"
    Elo: 8.02 +/- 4.42, nElo: 15.13 +/- 8.34
    LOS: 99.98 %, DrawRatio: 56.00 %, PairsRatio: 1.21
    Games: 6672, Points: 3413.0 (51.15 %)
    Ptnml(0-2): [63, 600, 1868, 730, 75]
    LLR: 5.41 (183.6%) (-2.94, 2.94) [0.00, 5.00]
    ");
    insta::assert_snapshot!(arguments("openbench"), @"
    Elo   | 8.02 +- 4.42 (95%)
    LLR   | 5.41 (-2.94, 2.94) [0.00, 5.00]
    Games | N: 6672
    Penta | [63, 600, 1868, 730, 75]
    ");
    insta::assert_snapshot!(arguments("fishtest"), @"
    LLR: 5.41 (-2.94,2.94) <0.00,5.00>
    Total: 6672
    Ptnml(0-2): 63, 600, 1868, 730, 75
    nElo: 15.13 ± 8.4 (95%) PairsRatio: 1.21
    ");
    insta::assert_snapshot!(arguments("json").replace(env!("CARGO_PKG_VERSION"), "VERSION"), @r#"
    {
      "format": 1,
      "tool": {
        "name": "mache",
        "version": "VERSION",
        "command": "elo"
      },
      "first": null,
      "second": null,
      "over": "pairs",
      "games": 6672,
      "wins": null,
      "draws": null,
      "losses": null,
      "pairs": 3336,
      "pentanomial": [
        63,
        600,
        1868,
        730,
        75
      ],
      "score": 0.5115407673860911,
      "elo": 8.020771125397864,
      "margin": 4.421903615996193,
      "nelo": 15.127912406488761,
      "nelo_margin": 8.33670378174093,
      "los": 0.9998121437665113,
      "draw_ratio": 0.5599520383693045,
      "pairs_ratio": 1.2141779788838611,
      "wl_dd_ratio": null,
      "sprt": {
        "model": "logistic",
        "elo0": 0.0,
        "elo1": 5.0,
        "alpha": 0.05,
        "beta": 0.05,
        "llr": 5.406164579596033,
        "lower": -2.9444389791664403,
        "upper": 2.9444389791664403,
        "verdict": "passed"
      }
    }
    "#);
    let without_test = block(&["--pairs", "63,600,1868,730,75", "--style", "fishtest"]);
    insta::assert_snapshot!(without_test, @"
    Elo: 8.02 ± 4.4 (95%) LOS: 100.0%
    Total: 6672
    Ptnml(0-2): 63, 600, 1868, 730, 75
    nElo: 15.13 ± 8.4 (95%) PairsRatio: 1.21
    ");
}

#[test]
fn styles_over_games() {
    let arguments = |style| {
        block(&[
            "--wdl", "12,4,4", "--elo0", "0", "--elo1", "5", "--style", style,
        ])
    };
    insta::assert_snapshot!(arguments("fastchess"), @"
    Elo: 147.19 +/- 160.67, nElo: 173.72 +/- 152.27
    LOS: 98.73 %, DrawRatio: 20.00 %
    Games: 20, Wins: 12, Losses: 4, Draws: 4, Points: 14.0 (70.00 %)
    LLR: 0.14 (4.8%) (-2.94, 2.94) [0.00, 5.00]
    ");
    insta::assert_snapshot!(arguments("cutechess"), @"
    Score of A vs B: 12 - 4 - 4  [0.700] 20
    Elo difference: 147.2 +/- 160.7, LOS: 97.7 %, DrawRatio: 20.0 %
    SPRT: llr 0.141 (4.8%), lbound -2.94, ubound 2.94
    ");
    insta::assert_snapshot!(arguments("openbench"), @"
    Elo   | 147.19 +- 191.33 (95%)
    LLR   | 0.14 (-2.94, 2.94) [0.00, 5.00]
    Games | N: 20 W: 12 L: 4 D: 4
    ");
    insta::assert_snapshot!(arguments("fishtest"), @"
    LLR: 0.14 (-2.94,2.94) <0.00,5.00>
    Total: 20 W: 12 L: 4 D: 4
    nElo: 173.72 ± 152.3 (95%)
    ");
}

#[test]
fn one_sided_counts_have_figures_without_a_value() {
    insta::assert_snapshot!(block(&["--pairs", "0,0,0,0,3"]), @"
    Elo: inf +/- nan, nElo: inf +/- nan
    LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf
    Games: 6, Points: 6.0 (100.00 %)
    Ptnml(0-2): [0, 0, 0, 0, 3]
    ");
    let document = Json::read(&block(&["--pairs", "0,0,0,0,3", "--json"]));
    assert_eq!(document.at("elo"), &Json::Null);
    assert_eq!(document.at("pairs").whole(), 3);
}

#[test]
fn names_pasted_by_strangers_stay_on_their_line() {
    let text = "Score of ::error::A\u{1b}[2J vs B: 2 - 1 - 0  [0.667] 3\n";
    let first = pasted(text, &[]);
    assert!(!first.contains('\u{1b}'), "{first:?}");
    assert_eq!(first.lines().count(), 2);
}

#[test]
fn refusals() {
    insta::assert_snapshot!(refusal(&run(&["--pairs", "1,2,3"])), @"
    2: error: invalid value '1,2,3' for '--pairs <N,N,N,N,N>': write 5 whole numbers with commas between them

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refusal(&run(&["--pairs", "0,0,0,0,0"])), @"1: error: no counts of games or pairs, or all of them nought");
    insta::assert_snapshot!(refusal(&run(&["--pairs", "1,2,3,4,5", "--wdl", "5,5,5"])), @"1: error: 15 pairs scored 20 points, which 15 games with 7.5 points cannot hold");
    insta::assert_snapshot!(refusal(&run(&["--pairs", "1,2,3,4,5", "--style", "cutechess"])), @"2: error: --style cutechess is over games: give --wdl, or a block that counts them");
    insta::assert_snapshot!(refusal(&run(&["--wdl", "1,2,3", "--elo0", "1"])), @"2: error: --elo0 wants --elo1 beside it: a test has two hypotheses");
    insta::assert_snapshot!(
        refusal(&run(&["--pairs", "1,2,3,4,5", "--prior-pairs", "1,1,1,1,1", "--elo0", "0", "--elo1", "5"])),
        @"2: error: --prior-pairs belong to match-estimate; add them to the counts here"
    );
    insta::assert_snapshot!(refusal(&run(&[])), @"1: error: no counts of games or pairs, or all of them nought");
}
