//! `mache ci plan-shards` and `plan-ladder`: what is shared out, and what is refused before anything is built.

use crate::ci_step::Step;
use crate::program::Place;

const OUR_BOOK: (&str, &str) = ("MACHE_BOOK", "embedded");

#[track_caller]
fn shards(variables: &[(&str, &str)]) -> Step {
    let all: Vec<_> = [OUR_BOOK].iter().chain(variables).copied().collect();
    Place::new().step(&["plan-shards"], &all)
}

/// What is said of settings that are refused.
#[track_caller]
fn refused(variables: &[(&str, &str)]) -> String {
    let games = [("MACHE_GAMES", "100")];
    let all: Vec<_> = games.iter().chain(variables).copied().collect();
    let text = shards(&all).refusal();
    assert!(text.starts_with("2: "), "{text}");
    text.lines().next().expect("a line").to_owned()
}

#[test]
fn games_are_shared_out() {
    for (games, count, pairs, list) in [
        ("500", "4", "62", "[0,1,2,3]"),
        ("100", "3", "16", "[0,1,2]"),
        ("1e2", "1", "50", "[0]"),
    ] {
        let step = shards(&[("MACHE_GAMES", games), ("MACHE_SHARDS", count)]);
        assert_eq!(step.answer.code, 0, "{step:?}");
        assert_eq!(step.output("pairs"), pairs);
        assert_eq!(step.output("shards"), list);
        assert_eq!(step.output("count"), count);
    }
}

#[test]
fn a_plan_holds_all_settings() {
    let step = shards(&[
        ("MACHE_GAMES", "500"),
        ("MACHE_SHARDS", "5"),
        ("MACHE_SPRT", "true"),
        ("MACHE_ELO0", "-.5"),
        ("MACHE_ELO1", "+5"),
        ("MACHE_ALPHA", "1e-2"),
        ("MACHE_PRIOR_PAIRS", "1, 2,3 ,4,5"),
        ("MACHE_BATCHES", "1"),
        ("MACHE_MAX_MATCH_MINUTES", "150"),
        ("MACHE_CANDIDATE_TIME_CONTROL", "20+0.2"),
        ("MACHE_OPTIONS", "Contempt=0\nMove Overhead=10"),
        ("MACHE_OPPONENT_OPTIONS", "Hash=16, Style=\"a, b\""),
        ("MACHE_RESIGN", "3,400,twosided"),
        ("MACHE_RUNNER", "built-in"),
        ("GITHUB_RUN_ID", "16093711234"),
    ]);
    insta::assert_snapshot!(step.answer.stderr, @"5 shards of 100 games each, 500 in all, one batch of the sprt");
    insta::assert_snapshot!(step.output("plan"), @r#"{"alpha":"0.01","batches":"1","bench":"auto","beta":"0.05","book":"embedded","candidate_time_control":"20+0.2","concurrency":"2","elo0":"-0.5","elo1":"5","first_batch":"0","hash_mb":"256","max_match_minutes":"150","max_runs":"1","openings":"500","opponent_options":"Hash=16, Style=\"a, b\"","options":"Contempt=0\nMove Overhead=10","pairs":"50","prior_pairs":"1,2,3,4,5","resign":"3,400,twosided","run_batches":"1","runner":"built-in","seed":"16093711234","shards":"5","sprt":"true","sprt_model":"logistic","startup_ms":"20000","time_control":"10+0.1","verdict_rule":"totals"}"#);
    let outputs: Vec<&str> = step.outputs.keys().map(String::as_str).collect();
    assert_eq!(
        outputs,
        [
            "baseline_sha",
            "batch_numbers",
            "batches",
            "book",
            "candidate_sha",
            "count",
            "first_batch",
            "pairs",
            "plan",
            "play_timeout",
            "seed",
            "shards",
            "tests",
            "wants_book"
        ]
    );
    let values = [
        "batches",
        "first_batch",
        "play_timeout",
        "seed",
        "tests",
        "wants_book",
    ]
    .map(|key| step.output(key));
    assert_eq!(values, ["1", "0", "180", "16093711234", "true", "false"]);
}

#[test]
fn a_preset_is_a_test_by_name() {
    let sprt = ("MACHE_SPRT", "true");
    let step = shards(&[
        ("MACHE_GAMES", "100"),
        sprt,
        ("MACHE_PRESET", "non-regression"),
    ]);
    let test = ["elo0", "elo1", "sprt_model", "alpha"].map(|key| step.planned(key));
    assert_eq!(test, ["-1.75", "0.25", "normalized", "0.05"]);
    let step = shards(&[
        ("MACHE_GAMES", "100"),
        sprt,
        ("MACHE_SPRT_MODEL", "bayesian"),
    ]);
    assert_eq!(step.planned("sprt_model"), "bayesian");
}

#[test]
fn a_book_of_the_table_is_fetched_by_those_who_play() {
    let step = shards(&[("MACHE_GAMES", "100"), ("MACHE_BOOK", "8moves_v3")]);
    let said = ["book", "wants_book"].map(|key| step.output(key));
    assert_eq!(
        (said, step.planned("openings").as_str()),
        (["8moves_v3", "true"], "34700")
    );
}

#[test]
fn without_a_test_its_numbers_are_not_looked_at() {
    let step = shards(&[
        ("MACHE_GAMES", "100"),
        ("MACHE_ELO0", "nought"),
        ("MACHE_PRIOR_PAIRS", "3/4"),
    ]);
    assert_eq!((step.answer.code, step.output("tests")), (0, "false"));
    assert_eq!(step.planned("elo0"), "");
}

#[test]
fn what_makes_no_sense_is_refused() {
    insta::assert_snapshot!(refused(&[("MACHE_SHARDS", "0")]), @"2: error: shards must be at least one");
    insta::assert_snapshot!(refused(&[("MACHE_GAMES", "4"), ("MACHE_SHARDS", "8")]), @"2: error: 4 games over 8 shards is under a pair each: a pair is two games");
    insta::assert_snapshot!(refused(&[("MACHE_SHARDS", "257"), ("MACHE_GAMES", "5000")]), @"2: error: a matrix has 256 jobs at most, not 257 shards");
    insta::assert_snapshot!(refused(&[("MACHE_GAMES", "many")]), @"2: error: invalid value 'many' for '--games <N>': write a whole number from 0 up, such as 500");
    insta::assert_snapshot!(refused(&[("MACHE_BATCHES", "5")]), @"2: error: batches has to be 1 to 4, not 5: for a longer test give max_runs, or carry the pairs on as prior_pairs");
    insta::assert_snapshot!(refused(&[("MACHE_MAX_RUNS", "0")]), @"2: error: max_runs has to be 1 to 100, not 0");
    insta::assert_snapshot!(refused(&[("MACHE_MAX_MATCH_MINUTES", "331")]), @"2: error: max_match_minutes has to be 1 to 330, not 331: a job ends after 360 minutes and needs 30 beside playing");
    insta::assert_snapshot!(refused(&[("MACHE_TIME_CONTROL", "fast")]), @"2: error: invalid value 'fast' for '--time-control <TC>': `fast` is not a time control: write [MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 10+0.1 or 40/60+0.5");
    insta::assert_snapshot!(refused(&[("MACHE_CANDIDATE_TIME_CONTROL", "10+x")]), @"2: error: invalid value '10+x' for '--candidate-time-control <TC>': `10+x` is not a time control: write [MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 10+0.1 or 40/60+0.5");
    insta::assert_snapshot!(refused(&[("MACHE_HASH_MB", "0")]), @"2: error: invalid value '0' for '--hash-mb <MIB>': 0 is not in 1..=33554432");
    insta::assert_snapshot!(refused(&[("MACHE_THREADS", "0")]), @"2: error: invalid value '0' for '--threads <N>': 0 is not in 1..=1024");
    insta::assert_snapshot!(refused(&[("MACHE_CONCURRENCY", "0")]), @"2: error: invalid value '0' for '--concurrency <N>': 0 is not in 1..=1024");
    insta::assert_snapshot!(refused(&[("MACHE_OPTIONS", "Hash")]), @"2: error: invalid value 'Hash' for '--options <OPTIONS>': `Hash` is no option: write Name=Value, one a line or with commas between");
    insta::assert_snapshot!(refused(&[("MACHE_RESIGN", "3")]), @"2: error: invalid value '3' for '--resign <MOVES,SCORE[,twosided]>': write MOVES,SCORE or MOVES,SCORE,twosided, such as 3,400: whole numbers above 0");
    insta::assert_snapshot!(refused(&[("MACHE_DRAW", "40,0,1")]), @"2: error: invalid value '40,0,1' for '--draw <MOVE,MOVES,SCORE>': write MOVE,MOVES,SCORE, such as 40,8,10: whole numbers, the second above 0");
    insta::assert_snapshot!(refused(&[("MACHE_MAX_MOVES", "0")]), @"2: error: invalid value '0' for '--max-moves <N>': 0 is not in 1..=4294967295");
    insta::assert_snapshot!(refused(&[("MACHE_RUNNER", "cutechess")]), @"2: error: invalid value 'cutechess' for '--runner <RUNNER>'");
    insta::assert_snapshot!(refused(&[("MACHE_SEED", "-1")]), @"2: error: the counts are all at least one and the seed is not negative");
    insta::assert_snapshot!(refused(&[("MACHE_SEED", &"1".repeat(41))]), @"2: error: the seed has more than 40 digits");
    insta::assert_snapshot!(refused(&[("MACHE_FIRST_BATCH", "1")]), @"2: error: first_batch 1 begins no run: runs of 1 batches begin at 0, 1, 2, up to 0");
    insta::assert_snapshot!(refused(&[("MACHE_BOOK", "none")]), @"2: error: no book named `none`; this table has mache_8ply, 2moves_v1, 2moves_v2, 3moves_FRC, 8moves_v3, DFRC_openings, Drawkiller_balanced_big, UHO_4060_v2, UHO_4060_v3, UHO_4060_v4, UHO_Lichess_4852_v1, UHO_XXL_+0.90_+1.19, closedpos, noob_3moves, noob_4moves, popularpos_lichess_v3");
    insta::assert_snapshot!(refused(&[("MACHE_BOOK", "noob_4moves")]), @"2: error: the table has no SHA-256 of the book `noob_4moves` to check it by: give a table of your own, with the sum, as book_table");
    for book in [".*", "no_such_book", "8moves\n_v3"] {
        let text = refused(&[("MACHE_BOOK", book)]);
        assert!(text.contains("no book named"), "{text}");
    }
}

#[test]
fn a_table_of_books_that_is_not_there_is_named() {
    let text = shards(&[
        ("MACHE_GAMES", "100"),
        ("MACHE_BOOK", "x"),
        ("MACHE_BOOK_TABLE", "none.toml"),
    ])
    .refusal();
    assert!(
        text.starts_with("1: error: cannot read the table of books none.toml"),
        "{text}"
    );
}

#[test]
fn what_is_no_test_is_refused() {
    let refused = |variables: &[(&str, &str)]| {
        let sprt = [("MACHE_SPRT", "true")];
        refused(&sprt.iter().chain(variables).copied().collect::<Vec<_>>())
    };
    insta::assert_snapshot!(refused(&[("MACHE_ELO0", "nought")]), @"2: error: elo0 and elo1 must be numbers, such as 0.05 or 5, not 'nought' and '10'");
    insta::assert_snapshot!(refused(&[("MACHE_ELO0", "10"), ("MACHE_ELO1", "5")]), @"2: error: elo0 must be below elo1, not 10 and 5: H0 is the smaller difference");
    insta::assert_snapshot!(refused(&[("MACHE_PRIOR_PAIRS", "3/4")]), @"2: error: prior_pairs '3/4' is not five whole numbers with commas between them, such as 2,9,36,19,9; it is a count for each of the five pair scores");
    insta::assert_snapshot!(refused(&[("MACHE_PRIOR_PAIRS", "1,2,3,4")]), @"2: error: prior_pairs '1,2,3,4' is not five whole numbers with commas between them, such as 2,9,36,19,9; it is a count for each of the five pair scores");
    insta::assert_snapshot!(refused(&[("MACHE_PRIOR_PAIRS", "1,2,3,4,999999999")]), @"2: error: prior_pairs holds 999999999 pairs of one score; no match plays more than 99999999; it is a count for each of the five pair scores");
    insta::assert_snapshot!(refused(&[("MACHE_ELO1", "1001")]), @"2: error: --elo1 1001 is no Elo difference: it has to lie between -1000 and 1000 under this model");
    insta::assert_snapshot!(refused(&[("MACHE_ELO1", "101"), ("MACHE_SPRT_MODEL", "normalized")]), @"2: error: --elo1 101 is no Elo difference: it has to lie between -100 and 100 under this model");
    insta::assert_snapshot!(refused(&[("MACHE_ALPHA", "0.5")]), @"2: error: --alpha 0.5 is no error rate: it has to lie between 0 and 0.5, both ends excluded");
    insta::assert_snapshot!(refused(&[("MACHE_BETA", "five percent")]), @"2: error: alpha and beta must be numbers, such as 0.05 or 5, not '0.05' and 'five percent'");
    insta::assert_snapshot!(refused(&[("MACHE_ELO1", "inf")]), @"2: error: --elo1 inf is no Elo difference: it has to lie between -1000 and 1000 under this model");
    insta::assert_snapshot!(refused(&[("MACHE_PRESET", "gainer"), ("MACHE_ELO0", "1")]), @"2: error: a preset stands in for elo0, elo1 and sprt_model: give it or them");
    insta::assert_snapshot!(refused(&[("MACHE_PRESET", "loser")]), @"2: error: invalid value 'loser' for '--preset <PRESET>'");
    insta::assert_snapshot!(refused(&[("MACHE_VERDICT_RULE", "sometimes")]), @"2: error: invalid value 'sometimes' for '--verdict-rule <VERDICT_RULE>'");
}

#[test]
fn a_refusal_is_one_annotation() {
    let step = shards(&[
        ("MACHE_GAMES", "4"),
        ("MACHE_SHARDS", "8"),
        ("GITHUB_ACTIONS", "true"),
    ]);
    let lines: Vec<&str> = step.answer.stderr.lines().collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    ::error title=mache::4 games over 8 shards is under a pair each: a pair is two games
    error: 4 games over 8 shards is under a pair each: a pair is two games
    ");
}

#[test]
fn a_run_of_a_longer_test_begins_where_the_one_before_ended() {
    let step = shards(&[
        ("MACHE_GAMES", "100"),
        ("MACHE_SPRT", "true"),
        ("MACHE_BATCHES", "2"),
        ("MACHE_MAX_RUNS", "3"),
        ("MACHE_FIRST_BATCH", "4"),
    ]);
    let plan = ["batches", "run_batches", "max_runs", "first_batch"].map(|key| step.planned(key));
    assert_eq!(plan, ["6", "2", "3", "4"]);
    assert_eq!(
        (step.output("batches"), step.output("first_batch")),
        ("2", "4")
    );
    insta::assert_snapshot!(step.answer.stderr, @"one shard of 100 games, batch 5 of 6 of the sprt");
}

#[test]
fn a_book_that_is_too_small_and_a_cap_that_is_too_short_are_warned_about() {
    let step = shards(&[
        ("MACHE_GAMES", "600"),
        ("MACHE_SPRT", "true"),
        ("MACHE_BATCHES", "2"),
        ("MACHE_MAX_MATCH_MINUTES", "10"),
    ]);
    assert_eq!(step.answer.code, 0);
    insta::assert_snapshot!(step.answer.stderr, @"
    the book holds 500 openings and the run wants 600, so the shards repeat each other
    300 pairs will likely take a shard 155 minutes and it is stopped after 10; what is played by then counts
    one shard of 600 games, batch 1 of 2 of the sprt
    ");
    let step = shards(&[("MACHE_GAMES", "100"), ("MACHE_BATCHES", "4")]);
    insta::assert_snapshot!(step.answer.stderr, @"
    only a sequential test has several batches or runs; without sprt one batch is played
    one shard of 100 games
    ");
    assert_eq!(
        (step.output("batches"), step.planned("batches").as_str()),
        ("1", "1")
    );
}

#[test]
fn flags_serve_on_a_laptop() {
    let place = Place::new();
    place.write(
        "mine.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
    );
    let words = "ci plan-shards --games 100 --shards 2 --book mine.epd --sprt --elo1=5 --seed 7";
    let answer = place.run(words.split(' '));
    insta::assert_snapshot!(answer.stdout, @r#"
    pairs=25
    shards=[0,1]
    count=2
    batches=1
    batch_numbers=[0]
    first_batch=0
    seed=7
    tests=true
    book=mine.epd
    wants_book=false
    play_timeout=180
    plan={"alpha":"0.05","batches":"1","bench":"auto","beta":"0.05","book":"mine.epd","concurrency":"2","elo0":"0","elo1":"5","first_batch":"0","hash_mb":"256","max_match_minutes":"150","max_runs":"1","openings":"1","pairs":"25","run_batches":"1","runner":"fastchess","seed":"7","shards":"2","sprt":"true","sprt_model":"logistic","startup_ms":"20000","time_control":"10+0.1","verdict_rule":"totals"}
    candidate_sha=
    baseline_sha=
    "#);
    insta::assert_snapshot!(answer.stderr, @"
    the book holds 1 openings and the run wants 50, so the shards repeat each other
    2 shards of 50 games each, 100 in all, one batch of the sprt
    ");
}

#[cfg(unix)]
mod ladders {
    use super::*;

    const TABLE: &str = "#!/bin/sh\n[ \"$1\" = list ] && printf 'stash\\nzahak\\n'\n";

    #[track_caller]
    fn ladder(variables: &[(&str, &str)]) -> Step {
        use std::os::unix::fs::PermissionsExt;
        let place = Place::new();
        place.write("scripts/opponent.sh", TABLE);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(place.path("scripts/opponent.sh"), mode).unwrap();
        let games = [OUR_BOOK, ("MACHE_GAMES", "50")];
        let all: Vec<_> = games.iter().chain(variables).copied().collect();
        place.step(&["plan-ladder"], &all)
    }

    #[test]
    fn rungs_are_put_out_for_a_matrix() {
        let step = ladder(&[
            ("MACHE_LADDER", "stash:v1:2500\nzahak:v2:2600,"),
            ("MACHE_SCALE", "my list"),
            ("MACHE_SEED", "7"),
        ]);
        insta::assert_snapshot!(step.answer.stderr, @"2 rungs of 50 games each: stash-v1:2500,zahak-v2:2600");
        insta::assert_snapshot!(step.output("rungs"), @r#"[{"engine":"stash","tag":"v1","rating":"2500","index":0},{"engine":"zahak","tag":"v2","rating":"2600","index":1}]"#);
        insta::assert_snapshot!(step.output("plan"), @r#"{"batches":"1","bench":"auto","book":"embedded","concurrency":"2","hash_mb":"256","ladder_spec":"stash-v1:2500,zahak-v2:2600","max_match_minutes":"150","openings":"500","pairs":"25","rungs":"2","runner":"fastchess","scale":"my list","seed":"7","shards":"2","startup_ms":"20000","time_control":"10+0.1"}"#);
        let values = ["count", "pairs", "spec", "book", "play_timeout"].map(|key| step.output(key));
        assert_eq!(
            values,
            ["2", "25", "stash-v1:2500,zahak-v2:2600", "embedded", "180"]
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |variables: &[(&str, &str)]| {
            let ladder_of_one = [("MACHE_LADDER", "stash:v1:2500")];
            let all: Vec<_> = ladder_of_one.iter().chain(variables).copied().collect();
            let text = ladder(&all).refusal();
            text.lines().next().expect("a line").to_owned()
        };
        insta::assert_snapshot!(refused(&[("MACHE_LADDER", "maia:v1:2500")]), @"2: error: `maia` in the ladder is not one of stash, zahak");
        insta::assert_snapshot!(refused(&[("MACHE_GAMES", "1")]), @"2: error: games 1 is under a pair each");
        insta::assert_snapshot!(refused(&[("MACHE_BOOK", "none")]), @"2: error: no book named `none`; this table has mache_8ply, 2moves_v1, 2moves_v2, 3moves_FRC, 8moves_v3, DFRC_openings, Drawkiller_balanced_big, UHO_4060_v2, UHO_4060_v3, UHO_4060_v4, UHO_Lichess_4852_v1, UHO_XXL_+0.90_+1.19, closedpos, noob_3moves, noob_4moves, popularpos_lichess_v3");
        insta::assert_snapshot!(refused(&[("MACHE_MAX_MATCH_MINUTES", "400")]), @"2: error: max_match_minutes has to be 1 to 330, not 400: a job ends after 360 minutes and needs 30 beside playing");
        insta::assert_snapshot!(refused(&[("MACHE_OPPONENT_TABLE", "scripts/none.sh")]), @"1: error: the table of opponents does not say which engines it has: cannot start scripts/none.sh: No such file or directory (os error 2)");
    }
}
