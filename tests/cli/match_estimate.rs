//! What `mache match-estimate` reports.

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
pub(crate) fn two_pairs() -> Place {
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

pub(crate) const WHO: [&str; 4] = ["--candidate", "new", "--baseline", "old"];

#[track_caller]
pub(crate) fn estimate(place: &Place, arguments: &[&str]) -> Answer {
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
    insta::assert_snapshot!(answer.stdout, @"
    +10 ±77 Elo (35 games)

    new against ce8b662 at 10+0.1: 17 pairs from 35 games. 1 game had no partner: it is in the score but not in the estimate.

    95% interval: -67 to +88 Elo. Likelihood of superiority: 60.2%. Normalized Elo: +15 ±117, the figure that compares across books and time controls.

    | pair score | 0 | 0.5 | 1 | 1.5 | 2 |
    | --- | --- | --- | --- | --- | --- |
    | pairs | 1 | 3 | 8 | 4 | 1 |

    **SPRT [0, 10] inconclusive**, LLR 1.37 (-2.94, 2.94), over 92 pairs: 17 from this batch and 75 carried over. Together they give +47 ±34 Elo, the trailer's figure. The pairs do not decide yet between H0, a difference of about 0 Elo, and H1, about 10, at an error rate of 5% each way. To go on, play another batch and judge it with `--prior-pairs 3,12,44,23,10 --elo0 0 --elo1 10`. In batches of 17 pairs, further pairs to expect: 116 (median 102, 90% within 170) at the measured strength, 1,782 (median 1,530, 90% within 3,298) at 0 and 885 (median 595, 90% within 1,938) at 10. The chance that the next batch decides is 0.0%.

    | shard | games | score | faults |
    | --- | --- | --- | --- |
    | strength-7-1-shard-0 | 18 | 55.6% | 0 |
    | strength-7-1-shard-1 | 17 | 44.1% | 1 |
    | pooled | 35 | 50.0% | 1 |

    How the games ended:

    ```
    games: 35
    normal: 34
    adjudication: 0
    time forfeit: 1 (new 1)
    disconnect: 0
    stall: 0
    abandoned: 0
    illegal move: 0
    unterminated: 0
    ```

    Clocks and search, over the moves that were thought about:

    | side | moves | nodes | time | nodes a second | least time left |
    | --- | ---: | ---: | ---: | ---: | ---: |
    | new | 35 | 4,400 | 3.5 s | 1,257 | 1.400 s |
    | old | 35 | 4,300 | 3.5 s | 1,225 | 1.400 s |

    Beside old, new took 0.997 times the time and 1.023 times the nodes, at 1.026 times the nodes a second.

    Remarks:

    ```
    1 of 35 games ended by a fault and not by play: 1 by time forfeit (new 1)
    strength-7-1-shard-1/games.pgn: 1 game in no pair, because the round holds no partner: game 17 (round 9)
    engines that are neither new nor ce8b662 play here: old (35 games)
    ```

    Read by mache 0.1.0.
    ");
    insta::assert_snapshot!(answer.stderr, @"
    1 of 35 games ended by a fault and not by play: 1 by time forfeit (new 1)
    strength-7-1-shard-1/games.pgn: 1 game in no pair, because the round holds no partner: game 17 (round 9)
    engines that are neither new nor ce8b662 play here: old (35 games)
    ");
}

#[test]
fn every_verdict_in_words() {
    insta::assert_snapshot!(sentences("test-passed"), @"
    +191 ±321 Elo (4 games)
    new against old at 10+0.1: 2 pairs from 4 games.
    95% interval: -130 to +512 Elo. Likelihood of superiority: 92.1%. Normalized Elo: +246 ±340, the figure that compares across books and time controls.
    **SPRT [0, 10] passed**, LLR 3.03 (-2.94, 2.94), over 107 pairs: 2 from this batch and 105 carried over. Together they give +20 ±15 Elo, the trailer's figure. The pairs speak for H1, a difference of about 10 Elo, against H0, about 0, at an error rate of 5% each way. That says which of the two is nearer, not that the difference is at least 10: for its size read the estimate. Allowing for a test that stops when the figure looks decided, the median-unbiased estimate is +19.2 Elo, its 95% interval +3.9 to +34.5, the likelihood of superiority 99.3%; the plain figures above do not allow for that.
    ");
    insta::assert_snapshot!(sentences("test-failed"), @"
    +191 ±321 Elo (4 games)
    new against old at 10+0.1: 2 pairs from 4 games.
    95% interval: -130 to +512 Elo. Likelihood of superiority: 92.1%. Normalized Elo: +246 ±340, the figure that compares across books and time controls.
    **SPRT [0, 10] failed**, LLR -3.26 (-2.94, 2.94), over 122 pairs: 2 from this batch and 120 carried over. Together they give -55 ±24 Elo, the trailer's figure. The pairs speak for H0, a difference of about 0 Elo, against H1, about 10, at an error rate of 5% each way. That does not make new the weaker engine; the larger difference is what the pairs speak against. Allowing for a test that stops when the figure looks decided, the median-unbiased estimate is -52.8 Elo, its 95% interval -81.8 to -24.5, the likelihood of superiority 0.0%; the plain figures above do not allow for that.
    ");
    insta::assert_snapshot!(sentences("normalized-with-other-rates"), @"
    +191 ±321 Elo (4 games)
    new against old at 10+0.1: 2 pairs from 4 games.
    95% interval: -130 to +512 Elo. Likelihood of superiority: 92.1%. Normalized Elo: +246 ±340, the figure that compares across books and time controls.
    **SPRT [0, 5] nElo alpha=0.01 beta=0.01 inconclusive**, LLR 0.03 (-4.60, 4.60), over 2 pairs. The pairs do not decide yet between H0, a difference of about 0 normalized Elo, and H1, about 5, at an error rate of 1% each way. To go on, play another batch and judge it with `--prior-pairs 0,0,1,0,1 --elo0 0 --elo1 5 --model normalized --alpha 0.01 --beta 0.01`. In batches of 2 pairs, further pairs to expect: 229 (median 228, 90% within 248) at the measured strength, 21,956 (median 18,366, 90% within 39,980) at 0 and 21,707 (median 18,116, 90% within 39,634) at 5. The chance that the next batch decides is 0.0%.
    ");
    insta::assert_snapshot!(sentences("rates-unequal-passed"), @"
    +191 ±321 Elo (4 games)
    new against old at 10+0.1: 2 pairs from 4 games.
    95% interval: -130 to +512 Elo. Likelihood of superiority: 92.1%. Normalized Elo: +246 ±340, the figure that compares across books and time controls.
    **SPRT [0, 10] alpha=0.2 beta=0.01 passed**, LLR 3.40 (-4.38, 1.60), over 120 pairs: 2 from this batch and 118 carried over. Together they give +58 ±24 Elo, the trailer's figure. The pairs speak for H1, a difference of about 10 Elo, against H0, about 0, at error rates of 20% for a wrong pass and 1% for a wrong fail. That says which of the two is nearer, not that the difference is at least 10: for its size read the estimate. Allowing for a test that stops when the figure looks decided, the median-unbiased estimate is +55.3 Elo, its 95% interval +18.5 to +93.0, the likelihood of superiority 99.8%; the plain figures above do not allow for that.
    ");
    insta::assert_snapshot!(sentences("test-settled-with-no-interval"), @"
    above +1200 Elo (4 games)
    new against old at 10+0.1: 2 pairs from 4 games.
    All pairs went to one side, which bounds the difference on one side only: above +1200 Elo.
    **SPRT [0, 10] passed**, LLR 3.18 (-2.94, 2.94), over 112 pairs: 2 from this batch and 110 carried over. Together they leave no interval to give. The pairs speak for H1, a difference of about 10 Elo, against H0, about 0, at an error rate of 5% each way. That says which of the two is nearer, not that the difference is at least 10: for its size read the estimate. Allowing for a test that stops when the figure looks decided, the median-unbiased estimate is +1000.0 Elo or more, its 95% interval +384.1 to +1000.0 or more, the likelihood of superiority 100.0%; the plain figures above do not allow for that.
    ");
    insta::assert_snapshot!(sentences("normalized-failed"), @"
    +191 ±321 Elo (4 games)
    new against old at 10+0.1: 2 pairs from 4 games.
    95% interval: -130 to +512 Elo. Likelihood of superiority: 92.1%. Normalized Elo: +246 ±340, the figure that compares across books and time controls.
    **SPRT [0, 5] nElo failed**, LLR -9.33 (-2.94, 2.94), over 8,902 pairs: 2 from this batch and 8,900 carried over. Together they give -8 ±4 Elo, the trailer's figure. The pairs speak for H0, a difference of about 0 normalized Elo, against H1, about 5, at an error rate of 5% each way. That does not make new the weaker engine; the larger difference is what the pairs speak against. Allowing for a test that stops when the figure looks decided, the median-unbiased estimate is -7.1 Elo, its 95% interval -14.2 to -0.0, the likelihood of superiority 2.4%; the plain figures above do not allow for that.
    ");
}

#[test]
fn figures_that_are_open_or_missing() {
    insta::assert_snapshot!(sentences("sweep-won"), @"
    above +1200 Elo (8 games)
    new against old at 10+0.1: 4 pairs from 8 games.
    All pairs went to one side, which bounds the difference on one side only: above +1200 Elo.
    ");
    insta::assert_snapshot!(sentences("sweep-lost"), @"
    below -1200 Elo (8 games)
    new against old at 10+0.1: 4 pairs from 8 games.
    All pairs went to one side, which bounds the difference on one side only: below -1200 Elo.
    ");
    insta::assert_snapshot!(sentences("no-pair-one-game"), @"
    100.0% score (1 game)
    new against old at 10+0.1: 0 pairs from 1 game. 1 game had no partner: it is in the score but not in the estimate.
    No pair is complete, so there is no interval to give.
    ");
    insta::assert_snapshot!(sentences("all-drawn-ten-pairs"), @"
    +0 ±152 Elo (20 games)
    new against old at 10+0.1: 10 pairs from 20 games.
    95% interval: -152 to +152 Elo. Likelihood of superiority: 50.0%. Pairs that all brought the same score show no spread; the interval assumes the spread of games that have nothing to do with each other.
    ");
    insta::assert_snapshot!(sentences("an-unfinished-game"), @"
    +191 ±556 Elo (2 games)
    new against old at 10+0.1: 1 pair from 2 games. 1 game had no result: it is left out altogether.
    95% interval: -365 to +747 Elo. Likelihood of superiority: 79.3%. One pair shows no spread; the interval assumes the spread of games that have nothing to do with each other.
    ");
    insta::assert_snapshot!(sentences("unfinished-half-of-a-round"), @"
    +0 ±482 Elo (3 games)
    new against old at 10+0.1: 1 pair from 3 games. 1 game had no partner: it is in the score but not in the estimate. 1 game had no result: it is left out altogether.
    95% interval: -482 to +482 Elo. Likelihood of superiority: 50.0%. One pair shows no spread; the interval assumes the spread of games that have nothing to do with each other.
    ");
}

#[test]
fn trees_too_different_for_a_comparison_of_speed() {
    let report = run("trees-apart-above", &[]).stdout;
    let line = report
        .lines()
        .find(|line| line.starts_with("Beside"))
        .unwrap();
    insta::assert_snapshot!(line, @"Beside old, new took 1.000 times the time and 1.101 times the nodes, at 1.101 times the nodes a second. Trees so different make that no comparison of speed: a side that prunes more visits fewer nodes, and each costs it more.");
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
    insta::assert_snapshot!(answer.stdout, @r"
    +191 ±556 Elo (2 games)

    ``a|b`c<img src=x>@all ::warning::x`` against `@old`: 1 pair from 2 games.

    95% interval: -365 to +747 Elo. Likelihood of superiority: 79.3%. One pair shows no spread; the interval assumes the spread of games that have nothing to do with each other.

    | pair score | 0 | 0.5 | 1 | 1.5 | 2 |
    | --- | --- | --- | --- | --- | --- |
    | pairs | 0 | 0 | 0 | 1 | 0 |

    | shard | games | score | faults |
    | --- | --- | --- | --- |
    | `s\|1` | 2 | 75.0% | 0 |
    | pooled | 2 | 75.0% | 0 |

    How the games ended:

    ```
    games: 2
    normal: 1
    adjudication: 0
    time forfeit: 0
    disconnect: 0
    stall: 0
    abandoned: 0
    illegal move: 0
    unterminated: 0
    \::error::x: 1
    ```

    Clocks and search, over the moves that were thought about:

    | side | moves | nodes | time | nodes a second | least time left |
    | --- | ---: | ---: | ---: | ---: | ---: |
    | ``a\|b`c<img src=x>@all ::warning::x`` | 2 | 2,000 | 0.2 s | 10,000 | 9.900 s |
    | old | 2 | 2,000 | 0.2 s | 10,000 | 9.900 s |

    Beside old, ``a|b`c<img src=x>@all ::warning::x`` took 1.000 times the time and 1.000 times the nodes, at 1.000 times the nodes a second.

    Remarks:

    ```
    engines that are neither a|b`c<img src=x>@all ::warning::x nor @old play here: old (2 games)
    ```

    Read by mache 0.1.0.
    ");
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
fn games_that_cannot_be_used_are_a_failure() {
    let place = two_pairs();
    place.write("empty/games.pgn", "");
    let failed = |arguments: &str| refusal(&place.run(arguments.split(' ')));
    insta::assert_snapshot!(failed("match-estimate s-shard-0/games.pgn --candidate New --baseline old"), @"1: error: no finished game of `New` in 1 file; the games name new, old");
    insta::assert_snapshot!(failed("match-estimate empty/games.pgn --candidate new --baseline old"), @"1: error: no finished game of `new` in 1 file, and no game of anyone");
    let missing = failed("match-estimate nowhere.pgn --candidate new --baseline old");
    assert!(
        missing.starts_with("1: error: cannot read nowhere.pgn: "),
        "{missing}"
    );
}
