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
fn combinations_that_are_refused() {
    let place = two_pairs();
    let refused = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        refusal(&estimate(&place, &arguments))
    };
    insta::assert_snapshot!(refused("--elo0 0"), @"2: error: --elo0 wants --elo1 beside it: a test has two hypotheses");
    insta::assert_snapshot!(refused("--elo1 0"), @"2: error: --elo1 wants --elo0 beside it: a test has two hypotheses");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 5 --prior-pairs 1,2,3"), @"2: error: --prior-pairs '1,2,3' is not five whole numbers with commas between them, such as 2,9,36,19,9");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 5 --prior-pairs 1,2,3,4,100000000"), @"2: error: --prior-pairs holds 100000000 pairs of one score; no match plays more than 99999999");
    insta::assert_snapshot!(refused("--model normalized"), @"2: error: --model normalized is part of a sequential test: give its --elo0 and --elo1 too");
    insta::assert_snapshot!(refused("--prior-pairs 1,2,3,4,5"), @"2: error: --prior-pairs is part of a sequential test: give its --elo0 and --elo1 too");
    insta::assert_snapshot!(refused("--alpha 0.01"), @"2: error: --alpha is part of a sequential test: give its --elo0 and --elo1 too");
    insta::assert_snapshot!(refused("--beta 0.01"), @"2: error: --beta is part of a sequential test: give its --elo0 and --elo1 too");
    insta::assert_snapshot!(refused("--fail-on failed"), @"2: error: --fail-on looks at a test's verdict: give the test's --elo0 and --elo1 too");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 5 --alpha 0.5"), @"2: error: --alpha 0.5 is no error rate: it has to lie between 0 and 0.5, both ends excluded");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 5 --beta nan"), @"2: error: --beta NaN is no error rate: it has to lie between 0 and 0.5, both ends excluded");
    insta::assert_snapshot!(refused("--elo0 0 --elo1 1001"), @"2: error: --elo1 1001 is no Elo difference: it has to lie between -1000 and 1000 under this model");
    insta::assert_snapshot!(refused("--elo0=-101 --elo1 5 --model normalized"), @"2: error: --elo0 -101 is no Elo difference: it has to lie between -100 and 100 under this model");
    insta::assert_snapshot!(refused("--elo0 inf --elo1 5"), @"2: error: --elo0 inf is no Elo difference: it has to lie between -1000 and 1000 under this model");
    insta::assert_snapshot!(refused("--elo0 10 --elo1 0"), @"2: error: --elo0 10 is not below --elo1 0: H0 is the smaller difference");
}

#[test]
fn arguments_that_cannot_be_read() {
    let place = two_pairs();
    let refused = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        refusal(&estimate(&place, &arguments))
    };
    insta::assert_snapshot!(refused("--nope"), @"
    2: error: unexpected argument '--nope' found

      tip: to pass '--nope' as a value, use '-- --nope'

    Usage: mache match-estimate --candidate <NAME> --baseline <NAME> <PGN>...

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--b x"), @"2: error: '--b' could be --baseline or --beta; write it out");
    insta::assert_snapshot!(refused("extra.pgn"), @"
    2: error: stray argument after the flags: 'extra.pgn'; put all files of games next to each other


    Usage: mache <COMMAND>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--line --json"), @"
    2: error: the argument '--line' cannot be used with '--json'

    Usage: mache match-estimate --candidate <NAME> --baseline <NAME> --line <PGN>...

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--model elostat"), @"
    2: error: invalid value 'elostat' for '--model <MODEL>'
      [possible values: logistic, normalized, bayesian]

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--elo0 nought --elo1 5"), @"
    2: error: invalid value 'nought' for '--elo0 <ELO>': not a number; write it as 5, -0.5 or 1e3

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--elo0 -1e-3 --elo1 5"), @"
    2: error: unexpected argument '-1' found

      tip: to pass '-1' as a value, use '-- -1'

    Usage: mache match-estimate [OPTIONS] --candidate <NAME> --baseline <NAME> <PGN>...

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--write report.md"), @"
    2: error: invalid value 'report.md' for '--write <FORMAT=PATH>': write it as FORMAT=PATH, such as markdown=report.md

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--write word=report.md"), @"
    2: error: invalid value 'word=report.md' for '--write <FORMAT=PATH>': invalid variant: word

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refusal(&place.run(["match-estimate"])), @"
    2: error: the following required arguments were not provided:
      --candidate <NAME>
      --baseline <NAME>
      <PGN>...

    Usage: mache match-estimate --candidate <NAME> --baseline <NAME> <PGN>...

    For more information, try '--help'.
    ");
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
    insta::assert_snapshot!(Place::new().run(["match-estimate", "--help"]).stdout, @"
    Say how much stronger the candidate is, from the games of every shard

    Pools the game pairs of all files and gives the difference in Elo with its 95% interval, over pairs.
    With --elo0 and --elo1 it judges a sequential test as well.

    Usage: mache match-estimate [OPTIONS] --candidate <NAME> --baseline <NAME> <PGN>...

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Games:
      <PGN>...
              Files of games, each one shard's: PGN, plain, .gz or .zst; a folder means every games.pgn
              below it, `-` standard input

    Engines:
          --candidate <NAME>
              Name the engine under test played under; every score is from its side

          --baseline <NAME>
              What it was measured against; recorded only

          --tc <TEXT>
              The time control; recorded only

    Sequential test:
          --elo0 <ELO>
              Elo difference under H0

          --elo1 <ELO>
              Elo difference under H1

          --preset <PRESET>
              A test by name, in place of --elo0, --elo1 and --model

              Possible values:
              - gainer:         A patch that should gain: [0, 2] nElo, as fishtest tests at its short
                time control
              - non-regression: A patch that should not lose: [-1.75, 0.25] nElo, as fishtest tests
                simplifications
              - smoke:          Is anything broken: [-20, 0] nElo, decided within some thousand pairs

          --prior-pairs <N,N,N,N,N>
              Pairs of the test's earlier batches by score, in the order 0, 0.5, 1, 1.5, 2

          --model <MODEL>
              What the hypotheses are differences in

              Possible values:
              - logistic:   Elo, from the mean score
              - normalized: Normalized Elo, from the mean score over its spread
              - bayesian:   BayesElo, worth as much Elo as the share of drawn games makes it
              
              [default: logistic]

          --alpha <RATE>
              Accepted chance to pass when H0 is true [default: 0.05]

          --beta <RATE>
              Accepted chance to fail when H1 is true [default: 0.05]

          --verdict <VERDICT>
              How the pairs are judged

              Possible values:
              - totals:  By the totals of the test, after each batch
              - ordered: In their fixed order: the first look beyond a bound decides
              
              [default: totals]

    Estimate:
          --interval <INTERVAL>
              Which interval to give

              Possible values:
              - fixed:   The plain one, for a match whose length was fixed before
              - anytime: One that is valid whenever one looks and stops, beside the plain one
              
              [default: fixed]

    Output:
          --format <FORMAT>
              What to print

              Possible values:
              - markdown: The report
              - json:     The JSON document of format 1
              - line:     One line
              - trailer:  The trailer of a commit message
              
              [default: markdown]

          --line
              Print one line (as --format line)

          --trailer
              Print the trailer of a commit message (as --format trailer)

          --json
              Print the JSON document (as --format json)

          --write <FORMAT=PATH>
              Also write a file, in any of the formats; may be given several times

          --fail-on <VERDICT>
              End with exit code 1 on these verdicts of the test, commas between them

              Possible values:
              - failed:       The test failed
              - inconclusive: The test did not decide
    ");
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
