//! How `mache match-estimate` is asked: its help, what it reads and what it refuses.

use crate::json::Json;
use crate::match_estimate::{WHO, estimate, two_pairs};
use crate::program::{Place, refusal};

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
