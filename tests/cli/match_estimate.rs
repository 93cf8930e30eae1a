//! `mache match-estimate`.

use crate::json::Json;
use crate::program::{Answer, Place, refusal};
use crate::vectors::vector;

/// Runs a vector's command with other arguments behind.
#[track_caller]
fn run(name: &str, more: &[&str]) -> Answer {
    let vector = vector("match-estimate.json.zst", &format!("estimate/{name}"));
    let arguments = vector
        .args
        .iter()
        .map(String::as_str)
        .chain(more.iter().copied());
    vector
        .place()
        .run(["match-estimate"].into_iter().chain(arguments))
}

/// The report, without the tables that every report has.
#[track_caller]
fn sentences(name: &str) -> String {
    let answer = run(name, &[]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let head = answer
        .stdout
        .split("| shard |")
        .next()
        .expect("there is a first part");
    let lines = head
        .lines()
        .filter(|line| !line.starts_with('|') && !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Two shards, one game lost on time, a pair left open.
fn two_pairs() -> Place {
    let place = Place::new();
    place.write("s-shard-0/games.pgn", pair("1", ["1-0", "0-1"], "normal"));
    place.write(
        "s-shard-1/games.pgn",
        pair("1", ["1/2-1/2", "1/2-1/2"], "normal"),
    );
    place
}

/// Two games with colours swapped, the first with `new` as White.
pub(crate) fn pair(round: &str, results: [&str; 2], termination: &str) -> String {
    game(round, ["new", "old"], results[0], termination)
        + &game(round, ["old", "new"], results[1], termination)
}

/// One short game.
pub(crate) fn game(
    round: &str,
    [white, black]: [&str; 2],
    result: &str,
    termination: &str,
) -> String {
    format!(
        "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
         [Termination \"{termination}\"]\n\n1. e4 {{+0.10/5 0.100s, n=1000, tl=9.900s}} \
         e5 {{+0.10/5 0.100s, n=1000, tl=9.900s}} {result}\n\n"
    )
}

const WHO: [&str; 4] = ["--candidate", "new", "--baseline", "old"];

#[track_caller]
fn estimate(place: &Place, arguments: &[&str]) -> Answer {
    let files = [
        "match-estimate",
        "s-shard-0/games.pgn",
        "s-shard-1/games.pgn",
    ];
    place.run(
        files
            .into_iter()
            .chain(WHO)
            .chain(arguments.iter().copied()),
    )
}

#[test]
fn the_whole_report() {
    let answer = run("worked-example", &[]);
    insta::assert_snapshot!(answer.stdout, @"");
    insta::assert_snapshot!(answer.stderr, @"");
}

#[test]
fn every_verdict_in_words() {
    insta::assert_snapshot!(sentences("test-passed"), @"");
    insta::assert_snapshot!(sentences("test-failed"), @"");
    insta::assert_snapshot!(sentences("normalized-with-other-rates"), @"");
    insta::assert_snapshot!(sentences("rates-unequal-passed"), @"");
    insta::assert_snapshot!(sentences("test-settled-with-no-interval"), @"");
    insta::assert_snapshot!(sentences("normalized-failed"), @"");
}

#[test]
fn figures_that_are_open_or_missing() {
    insta::assert_snapshot!(sentences("sweep-won"), @"");
    insta::assert_snapshot!(sentences("sweep-lost"), @"");
    insta::assert_snapshot!(sentences("no-pair-one-game"), @"");
    insta::assert_snapshot!(sentences("all-drawn-ten-pairs"), @"");
    insta::assert_snapshot!(sentences("an-unfinished-game"), @"");
    insta::assert_snapshot!(sentences("unfinished-half-of-a-round"), @"");
}

#[test]
fn trees_too_different_for_a_comparison_of_speed() {
    let report = run("trees-apart-above", &[]).stdout;
    let line = report
        .lines()
        .find(|line| line.starts_with("Beside"))
        .unwrap();
    insta::assert_snapshot!(line, @"");
    assert!(!run("two-opponents", &[]).stdout.contains("Beside"));
}

#[test]
fn names_of_strangers_stay_in_their_cells() {
    let place = Place::new();
    let name = r"a|b`c<img src=x>@all ::warning::x";
    let games = game("1", [name, "old"], "1-0", "normal")
        + &game("1", ["old", name], "1/2-1/2", "::error::x");
    place.write("s|1/games.pgn", games);
    let arguments = [
        "match-estimate",
        "s|1/games.pgn",
        "--candidate",
        name,
        "--baseline",
        "@old",
    ];
    let answer = place.run(arguments);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    insta::assert_snapshot!(answer.stdout, @"");
    assert!(
        !answer
            .stdout
            .lines()
            .any(|line| line.trim_start().starts_with("::"))
    );
}

#[test]
fn one_run_writes_every_format() {
    let place = two_pairs();
    let test = ["--elo0", "0", "--elo1", "10", "--tc", "10+0.1"];
    let writes = [
        "--write",
        "json=a.json",
        "--write=line=a.txt",
        "--write",
        "trailer=t=1",
        "--write",
        "markdown=a.md",
    ];
    let report = estimate(&place, &[&test[..], &writes].concat());
    assert_eq!(report.code, 0, "{}", report.stderr);
    assert_eq!(place.read("a.md"), report.stdout);
    for (mode, file) in [
        ("--json", "a.json"),
        ("--line", "a.txt"),
        ("--trailer", "t=1"),
    ] {
        let alone = estimate(&place, &[&test[..], &[mode]].concat());
        assert_eq!(place.read(file), alone.stdout, "{mode}");
        let named = estimate(&place, &[&test[..], &["--format", &mode[2..]]].concat());
        assert_eq!(named.stdout, alone.stdout, "{mode}");
    }
    assert_eq!(
        place.read("a.txt"),
        "+191 ±321 Elo (4 games), SPRT [0, 10] inconclusive, LLR 0.06 (-2.94, 2.94)\n"
    );
    assert_eq!(
        place.read("t=1"),
        "Elo: +191 ±321 (sprt [0, 10] inconclusive, 4 games, 10+0.1, vs old)\n"
    );
}

#[test]
fn a_file_that_cannot_be_written_is_a_failure() {
    let answer = estimate(&two_pairs(), &["--write", "json=nowhere/a.json"]);
    assert_eq!((answer.code, &*answer.stdout), (1, ""));
    assert!(
        answer
            .stderr
            .starts_with("error: cannot write nowhere/a.json: "),
        "{}",
        answer.stderr
    );
}

#[test]
fn verdicts_change_the_exit_code_only_when_asked() {
    let place = two_pairs();
    let code = |arguments: &str| {
        let arguments: Vec<&str> = ["--elo0", "0", "--elo1", "10"]
            .into_iter()
            .chain(arguments.split_whitespace())
            .collect();
        estimate(&place, &arguments).code
    };
    let (failed, passed) = ("--prior-pairs 20,0,100,0,0", "--prior-pairs 0,0,100,0,5");
    assert_eq!(code(""), 0);
    assert_eq!(code("--fail-on inconclusive"), 1);
    assert_eq!(code("--fail-on failed"), 0);
    assert_eq!(code(failed), 0);
    assert_eq!(code(&format!("{failed} --fail-on failed")), 1);
    assert_eq!(code(&format!("{failed} --fail-on inconclusive")), 0);
    assert_eq!(code(&format!("{failed} --fail-on inconclusive,failed")), 1);
    assert_eq!(code(&format!("{passed} --fail-on inconclusive,failed")), 0);
}

#[test]
fn combinations_that_are_refused() {
    let place = two_pairs();
    let refused = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        refusal(&estimate(&place, &arguments))
    };
    insta::assert_snapshot!(refused("--elo0 0"), @"");
    insta::assert_snapshot!(refused("--elo1 0"), @"");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 5 --prior-pairs 1,2,3"), @"");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 5 --prior-pairs 1,2,3,4,100000000"), @"");
    insta::assert_snapshot!(refused("--model normalized"), @"");
    insta::assert_snapshot!(refused("--prior-pairs 1,2,3,4,5"), @"");
    insta::assert_snapshot!(refused("--alpha 0.01"), @"");
    insta::assert_snapshot!(refused("--beta 0.01"), @"");
    insta::assert_snapshot!(refused("--fail-on failed"), @"");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 5 --alpha 0.5"), @"");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 5 --beta nan"), @"");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 1001"), @"");
    insta::assert_snapshot!(refused("--elo0=-101 --elo1 5 --model normalized"), @"");
    insta::assert_snapshot!(refused("--elo0 inf --elo1 5"), @"");
    insta::assert_snapshot!(refused("--elo0 10 --elo1 0"), @"");
}

#[test]
fn arguments_that_cannot_be_read() {
    let place = two_pairs();
    let refused = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        refusal(&estimate(&place, &arguments))
    };
    insta::assert_snapshot!(refused("--nope"), @"");
    insta::assert_snapshot!(refused("--b x"), @"");
    insta::assert_snapshot!(refused("extra.pgn"), @"");
    insta::assert_snapshot!(refused("--line --json"), @"");
    insta::assert_snapshot!(refused("--model bayesian"), @"");
    insta::assert_snapshot!(refused("--elo0 nought --elo1 5"), @"");
    insta::assert_snapshot!(refused("--elo0 -1e-3 --elo1 5"), @"");
    insta::assert_snapshot!(refused("--write report.md"), @"");
    insta::assert_snapshot!(refused("--write word=report.md"), @"");
    insta::assert_snapshot!(refusal(&place.run(["match-estimate"])), @"");
}

#[test]
fn numbers_in_every_form() {
    let place = two_pairs();
    let sprt = |arguments: &[&str]| {
        let answer = estimate(&place, &[arguments, &["--json"]].concat());
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        Json::read(&answer.stdout).at("sprt").clone()
    };
    let test = sprt(&[
        "--elo0",
        "-.5",
        "--elo1=1_0.2_5",
        "--alpha",
        " 0.01 ",
        "--beta=1e-9",
    ]);
    assert_eq!(test.at("elo0"), &Json::Double(-0.5));
    assert_eq!(test.at("elo1"), &Json::Double(10.25));
    assert_eq!(test.at("alpha"), &Json::Double(0.01));
    assert_eq!(test.at("beta"), &Json::Double(1e-9));
    let twice = sprt(&["--elo0", "3", "--elo1", "5", "--elo0=-1e-3", "--elo1", "7"]);
    assert_eq!(twice.at("elo0"), &Json::Double(-0.001));
    assert_eq!(twice.at("elo1"), &Json::Double(7.0));
}

#[test]
fn files_may_follow_the_flags_and_the_end_of_flags() {
    let place = two_pairs();
    let (first, second) = ("s-shard-0/games.pgn", "s-shard-1/games.pgn");
    let wanted = estimate(&place, &[]).stdout;
    let behind = place.run(
        ["match-estimate"]
            .into_iter()
            .chain(WHO)
            .chain([first, second]),
    );
    let ended = place.run(
        ["match-estimate"]
            .into_iter()
            .chain(WHO)
            .chain(["--", first, second]),
    );
    assert_eq!((behind.code, behind.stdout), (0, wanted.clone()));
    assert_eq!((ended.code, ended.stdout), (0, wanted));
}

#[test]
fn a_reader_that_closes_early_is_no_failure() {
    use std::process::{Command, Stdio};
    let place = two_pairs();
    let mut child = Command::new(env!("CARGO_BIN_EXE_mache"))
        .args(["match-estimate", "s-shard-0/games.pgn"])
        .args(WHO)
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn help() {
    insta::assert_snapshot!(Place::new().run(["match-estimate", "--help"]).stdout, @"");
}
