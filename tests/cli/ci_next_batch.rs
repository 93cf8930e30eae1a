//! `mache ci next-batch`: a test over several runs, from plan to plan.

use crate::ci_step::Step;
use crate::program::Place;

const SHA: &str = "f618e34540f94f4719ad3817950618dabe441318";

/// The settings that start every run of the test.
const SETTINGS: [(&str, &str); 9] = [
    ("MACHE_BOOK", "embedded"),
    ("MACHE_GAMES", "40"),
    ("MACHE_SHARDS", "2"),
    ("MACHE_SPRT", "true"),
    ("MACHE_ELO1", "5"),
    ("MACHE_BATCHES", "2"),
    ("MACHE_MAX_RUNS", "3"),
    ("GITHUB_SERVER_URL", "https://github.com"),
    ("GITHUB_REPOSITORY", "someone/engine"),
];

#[track_caller]
fn step(command: &str, variables: &[(&str, &str)]) -> Step {
    Place::new().step(&[command], variables)
}

#[track_caller]
fn plan(run: &str, more: &[(&str, &str)]) -> Step {
    let settings = SETTINGS
        .iter()
        .filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
    let run = [("GITHUB_RUN_ID", run)];
    let all: Vec<_> = settings.chain(&run).chain(more).copied().collect();
    step("plan-shards", &all)
}

#[track_caller]
fn next(run: &str, plan: &str, more: &[(&str, &str)]) -> Step {
    let given = [("GITHUB_RUN_ID", run), ("MACHE_PLAN", plan)];
    let all: Vec<_> = SETTINGS[7..]
        .iter()
        .chain(&given)
        .chain(more)
        .copied()
        .collect();
    step("next-batch", &all)
}

const OPEN: (&str, &str) = ("MACHE_VERDICT", "inconclusive");
const FIRST: (&str, &str) = ("MACHE_CARRIED", "3,8,18,7,4");

/// The token that the first run hands on.
#[track_caller]
fn token() -> String {
    let first = plan("111", &[]);
    let commit = ("MACHE_CANDIDATE_SHA", SHA);
    let step = next("111", first.output("plan"), &[OPEN, FIRST, commit]);
    step.output("continue").to_owned()
}

#[test]
fn a_test_goes_on_from_run_to_run() {
    let first = plan("111", &[]);
    let step = next("111", first.output("plan"), &[OPEN, FIRST]);
    insta::assert_snapshot!(step.output("continue"), @r#"{"version":1,"run":1,"max_runs":3,"seed":"111","carried":[3,8,18,7,4],"began":[0,0,0,0,0],"runs":["111"],"candidate_sha":null,"baseline_sha":null,"settings":{"alpha":"0.05","beta":"0.05","book":"embedded","elo0":"0","elo1":"5","hash_mb":"256","openings":"500","pairs":"10","run_batches":"2","runner":"fastchess","shards":"2","sprt_model":"logistic","time_control":"10+0.1","verdict_rule":"totals"}}"#);
    insta::assert_snapshot!(step.output("expected"), @"At the measured strength 8,532 further pairs are to be expected, 90% within 16,940: about 427 batches of 20 pairs, 90% within 847. The chance that the next batch decides is 0.0%.");
    insta::assert_snapshot!(step.answer.stderr, @"the test is inconclusive after 40 pairs and goes on with run 2 of 3");
    insta::assert_snapshot!(step.summary, @"
    ### The test so far

    Run 1 of 3: the test is inconclusive after 40 pairs and goes on with run 2 of 3. At the measured strength 8,532 further pairs are to be expected, 90% within 16,940: about 427 batches of 20 pairs, 90% within 847. The chance that the next batch decides is 0.0%.

    1. [run 111](https://github.com/someone/engine/actions/runs/111), this one
    1. the next one, to come
    ");

    let second = plan("222", &[("MACHE_CONTINUE", step.output("continue"))]);
    insta::assert_snapshot!(second.answer.stderr, @"2 shards of 20 games each, 40 in all, batch 3 of 6 of the sprt; run 2 of 3, with 40 pairs from those before");
    assert_eq!(second.output("batch_numbers"), "[2,3]");
    let planned = ["batches", "seed", "prior_pairs", "chain_runs"].map(|key| second.planned(key));
    assert_eq!(planned, ["6", "111", "3,8,18,7,4", "111"]);

    let carried = ("MACHE_CARRIED", "6,16,36,14,8");
    let step = next("222", second.output("plan"), &[OPEN, carried]);
    let third = plan("333", &[("MACHE_CONTINUE", step.output("continue"))]);
    assert_eq!(third.output("batch_numbers"), "[4,5]");

    let carried = ("MACHE_CARRIED", "9,24,54,21,12");
    let step = next("333", third.output("plan"), &[OPEN, carried]);
    assert_eq!(step.output("continue"), "");
    insta::assert_snapshot!(step.answer.stderr, @"the test is inconclusive after 120 pairs and has had its 3 runs");
    insta::assert_snapshot!(step.summary, @"
    ### The test so far

    Run 3 of 3: the test is inconclusive after 120 pairs and has had its 3 runs. At the measured strength 8,490 further pairs are to be expected, 90% within 16,880: about 425 batches of 20 pairs, 90% within 844. The chance that the next batch decides is 0.0%.

    1. [run 111](https://github.com/someone/engine/actions/runs/111)
    1. [run 222](https://github.com/someone/engine/actions/runs/222)
    1. [run 333](https://github.com/someone/engine/actions/runs/333), this one
    ");
}

#[test]
fn a_decided_test_ends() {
    let first = plan("111", &[]);
    for (verdict, code) in [("passed", 0), ("failed", 1)] {
        let variables = [
            ("MACHE_VERDICT", verdict),
            FIRST,
            ("MACHE_FAIL_ON", "failed,inconclusive"),
        ];
        let step = next("111", first.output("plan"), &variables);
        assert_eq!((step.answer.code, step.output("continue")), (code, ""));
        assert_eq!(step.output("expected"), "");
        let said = format!("the test {verdict} after 40 pairs\n");
        assert_eq!(step.answer.stderr, said);
    }
}

#[test]
fn inconclusive_fails_only_at_the_end() {
    let fail_on = ("MACHE_FAIL_ON", "inconclusive");
    for (max_runs, code) in [("3", 0), ("1", 1)] {
        let first = plan("111", &[("MACHE_MAX_RUNS", max_runs)]);
        let step = next("111", first.output("plan"), &[OPEN, FIRST, fail_on]);
        assert_eq!(step.answer.code, code);
        assert_eq!(step.output("continue").is_empty(), code == 1);
    }
}

#[test]
fn a_broken_run_does_not_start_another() {
    let first = plan("111", &[]);
    for variables in [&[][..], &[OPEN, ("MACHE_CARRIED", "0,0,0,0,0")]] {
        let step = next("111", first.output("plan"), variables);
        assert_eq!((step.answer.code, step.output("continue")), (0, ""));
        assert!(
            step.answer.stderr.contains("does not go on by itself"),
            "{step:?}"
        );
    }
    let no_test = plan("111", &[("MACHE_SPRT", "false")]);
    let step = next("111", no_test.output("plan"), &[]);
    assert_eq!((step.answer.code, step.output("continue")), (0, ""));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let first = plan("111", &[]);
    let refused = |plan: &str, variables: &[(&str, &str)]| {
        let text = next("111", plan, variables).refusal();
        text.lines().next().expect("a line").to_owned()
    };
    let plan = first.output("plan");
    insta::assert_snapshot!(refused(plan, &[OPEN, ("MACHE_CARRIED", "1,2,3")]), @"2: error: --carried '1,2,3' is not five whole numbers with commas between them, such as 2,9,36,19,9");
    insta::assert_snapshot!(refused(plan, &[OPEN, ("MACHE_CARRIED", "1,2,3000,4,5")]), @"2: error: carried 1,2,3000,4,5 cannot come of this run: it began with 0,0,0,0,0 and plays 40 pairs at most");
    insta::assert_snapshot!(refused(plan, &[OPEN]), @"2: error: a verdict is of counts: give --carried too");
    insta::assert_snapshot!(refused(plan, &[("MACHE_VERDICT", "maybe")]), @"2: error: invalid value 'maybe' for '--verdict <VERDICT>'");
    insta::assert_snapshot!(refused(plan, &[OPEN, FIRST, ("MACHE_CANDIDATE_SHA", "main")]), @"2: error: invalid value 'main' for '--candidate-sha <SHA>': `main` is no commit");
    insta::assert_snapshot!(refused(r#"{"sprt": true}"#, &[OPEN, FIRST]), @"2: error: the plan's `run_batches` is not one that `mache ci plan-shards` writes");
}

#[test]
fn a_test_goes_on_only_as_it_began() {
    let token = token();
    let refused = |variables: &[(&str, &str)]| {
        let all = [&[("MACHE_CONTINUE", token.as_str())], variables].concat();
        let text = plan("222", &all).refusal();
        assert!(text.starts_with("2: "), "{text}");
        text.lines().next().expect("a line").to_owned()
    };
    insta::assert_snapshot!(refused(&[("MACHE_TIME_CONTROL", "8+0.08"), ("MACHE_GAMES", "80")]), @"2: error: the test cannot go on otherwise than it began: pairs was `10` and is `20`, time_control was `10+0.1` and is `8+0.08`");
    insta::assert_snapshot!(refused(&[("MACHE_SEED", "7")]), @"2: error: seed 7 is not that of the test, 111: leave it empty to go on with it");
    insta::assert_snapshot!(refused(&[("MACHE_PRIOR_PAIRS", "1,1,1,1,1")]), @"2: error: prior_pairs 1,1,1,1,1 are not those of the test, 3,8,18,7,4: leave them empty to go on with it");
    insta::assert_snapshot!(refused(&[("MACHE_FIRST_BATCH", "0")]), @"2: error: first_batch 0 is not that of the run to come, 2: leave it empty to go on with the test");
    insta::assert_snapshot!(refused(&[("MACHE_MAX_RUNS", "1")]), @"2: error: run 2 is not one of 1");
    insta::assert_snapshot!(refused(&[("MACHE_SPRT", "false")]), @"2: error: a continue token goes on with a sequential test: give sprt too");
    insta::assert_snapshot!(refused(&[("MACHE_CANDIDATE_SHA", &"1".repeat(40))]), @"2: error: the test cannot go on otherwise than it began: candidate_sha was `f618e34540f94f4719ad3817950618dabe441318` and is `1111111111111111111111111111111111111111`");
    let text = plan(
        "222",
        &[(
            "MACHE_CONTINUE",
            &token.replace("\"run\":1", "\"run\":\"1\""),
        )],
    )
    .refusal();
    insta::assert_snapshot!(text.lines().next().expect("a line"), @"2: error: the continue token cannot be read: hand on what `mache ci next-batch` put out, unchanged");
    // What may be given again may be given again.
    let same = [
        ("MACHE_CONTINUE", token.as_str()),
        ("MACHE_SEED", "111"),
        ("MACHE_CANDIDATE_SHA", SHA),
        ("MACHE_CONCURRENCY", "4"),
    ];
    let second = plan("222", &same);
    assert_eq!(second.answer.code, 0);
    let commits = ["candidate_sha", "baseline_sha"].map(|key| second.output(key));
    assert_eq!(commits, [SHA, ""]);
}

#[test]
fn counts_that_a_test_began_with_may_be_given_every_time() {
    let began = ("MACHE_PRIOR_PAIRS", "1,1,1,1,1");
    let first = plan("111", &[began]);
    let carried = ("MACHE_CARRIED", "4,9,19,8,5");
    let step = next("111", first.output("plan"), &[OPEN, carried]);
    let second = plan("222", &[began, ("MACHE_CONTINUE", step.output("continue"))]);
    assert_eq!(second.planned("prior_pairs"), "4,9,19,8,5");
    let carried = ("MACHE_CARRIED", "5,9,19,8,5");
    let step = next("222", second.output("plan"), &[OPEN, carried]);
    let third = plan("333", &[began, ("MACHE_CONTINUE", step.output("continue"))]);
    assert_eq!(third.planned("prior_pairs"), "5,9,19,8,5");
}

#[test]
fn no_opening_comes_twice_over_the_runs() {
    let place = Place::new();
    let mut seen = std::collections::BTreeSet::new();
    let (mut token, mut counts) = (String::new(), [0; 5]);
    for run in ["111", "222", "333"] {
        let planned = plan(run, &[("MACHE_CONTINUE", &token)]);
        let numbers: Vec<u64> = serde_json::from_str(planned.output("batch_numbers")).unwrap();
        for (batch, shard) in numbers.iter().flat_map(|batch| [(batch, 0), (batch, 1)]) {
            let key = |key| planned.planned(key);
            let words = format!(
                "book-slice --openings {} --pairs {} --shards {} --shard {shard} --seed {} --batches {} --batch {batch}",
                key("openings"),
                key("pairs"),
                key("shards"),
                key("seed"),
                key("batches")
            );
            let answer = place.run(words.split(' '));
            let start: u64 = answer
                .stdout
                .trim()
                .parse()
                .unwrap_or_else(|_| panic!("{answer:?}"));
            let pairs: u64 = key("pairs").parse().unwrap();
            assert!(
                (start..start + pairs).all(|opening| seen.insert(opening)),
                "{run} {batch} {shard}"
            );
        }
        counts[2] += 40;
        let carried = counts.map(|count: u64| count.to_string()).join(",");
        let step = next(
            run,
            planned.output("plan"),
            &[OPEN, ("MACHE_CARRIED", &carried)],
        );
        token = step.output("continue").to_owned();
    }
    assert_eq!((seen.len(), token.as_str()), (120, ""));
}

#[test]
fn what_an_open_test_will_take_can_be_asked_alone() {
    let first = plan("111", &[]);
    let words = [
        "next-batch",
        "--expected",
        "--verdict=inconclusive",
        "--carried=3,8,18,7,4",
    ];
    let step = Place::new().step(&words, &[("MACHE_PLAN", first.output("plan"))]);
    assert!(step.outputs.is_empty() && step.summary.is_empty());
    insta::assert_snapshot!(step.answer.stdout, @"At the measured strength 8,532 further pairs are to be expected, 90% within 16,940: about 427 batches of 20 pairs, 90% within 847. The chance that the next batch decides is 0.0%.");
}
