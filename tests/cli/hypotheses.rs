//! Models, presets and intervals of `mache match-estimate` and `mache elo`.

use crate::match_estimate::pair;
use crate::program::{Answer, Place};

/// A match of 60 pairs: wins, losses and draws.
fn played() -> Place {
    let place = Place::new();
    let mut games = String::new();
    for round in 0..60 {
        let results = match round % 6 {
            0 => ["1-0", "1/2-1/2"],
            1 => ["1-0", "1-0"],
            2 => ["0-1", "1/2-1/2"],
            _ => ["1/2-1/2", "1/2-1/2"],
        };
        games += &pair(&format!("{}", round + 1), results, "normal");
    }
    place.write("games.pgn", games);
    place
}

#[track_caller]
fn estimate(more: &str) -> Answer {
    let words = "match-estimate games.pgn --candidate new --baseline old";
    played().run(words.split(' ').chain(more.split_whitespace()))
}

#[track_caller]
fn line(more: &str) -> String {
    let answer = estimate(&format!("{more} --line"));
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    answer.stdout
}

/// The sentence of the test in the report.
#[track_caller]
fn test_sentence(more: &str) -> String {
    let answer = estimate(more);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let mut lines = answer.stdout.lines();
    let found = lines.find(|line| line.starts_with("**SPRT"));
    found.expect("a test's sentence").to_owned()
}

#[test]
fn a_bayesian_test_is_a_logistic_one_at_the_draws_of_the_games() {
    insta::assert_snapshot!(line("--model bayesian --elo0 0 --elo1 10"), @"+0 ±25 Elo (120 games), SPRT [0, 10] BayesElo inconclusive, LLR -0.09 (-2.94, 2.94)");
    insta::assert_snapshot!(test_sentence("--model bayesian --elo0 0 --elo1 10"), @"**SPRT [0, 10] BayesElo inconclusive**, LLR -0.09 (-2.94, 2.94), over 60 pairs. At the draw Elo of these games, 280, that is a test of [0.00, 5.56] Elo. The pairs do not decide yet between H0, a difference of about 0 BayesElo, and H1, about 10, at an error rate of 5% each way. To go on, play another batch and judge it with `--prior-pairs 0,10,40,10,0 --elo0 0 --elo1 10 --model bayesian`. In batches of 60 pairs, further pairs to expect: 1,889 (median 1,500, 90% within 3,660) at the measured strength, 1,889 (median 1,500, 90% within 3,660) at 0 and 1,977 (median 1,620, 90% within 3,780) at 10. The chance that the next batch decides is 0.0%.");
}

#[test]
fn a_preset_is_its_hypotheses() {
    for (preset, test) in [
        ("gainer", "--elo0 0 --elo1 2"),
        ("non-regression", "--elo0=-1.75 --elo1 0.25"),
        ("smoke", "--elo0=-20 --elo1 0"),
    ] {
        let by_name = line(&format!("--preset {preset}"));
        assert_eq!(by_name, line(&format!("{test} --model normalized")));
        assert_eq!(by_name, line(&format!("--presets {preset}")));
        assert!(by_name.contains("nElo"), "{by_name}");
    }
    assert!(line("--preset gainer --alpha 0.01").contains("alpha=0.01"));
}

#[test]
fn a_preset_beside_hypotheses_is_refused() {
    for more in ["--elo0 0", "--elo1 5", "--model logistic"] {
        let answer = estimate(&format!("--preset gainer {more}"));
        assert_eq!(answer.code, 2, "{more}");
        assert!(answer.stderr.contains("--preset"), "{}", answer.stderr);
    }
    let answer = estimate("--preset none");
    assert_eq!(answer.code, 2);
    assert!(
        answer.stderr.contains("gainer, non-regression, smoke"),
        "{}",
        answer.stderr
    );
}

#[test]
fn a_bayesian_model_without_a_test_is_refused() {
    let answer = estimate("--model bayesian");
    assert_eq!(answer.code, 2);
    insta::assert_snapshot!(answer.stderr, @"error: --model bayesian is part of a sequential test: give its --elo0 and --elo1 too");
    let answer = estimate("--model bayesian --elo0 0 --elo1 1001");
    assert_eq!(answer.code, 2);
    insta::assert_snapshot!(answer.stderr, @"error: --elo1 1001 is no Elo difference: it has to lie between -1000 and 1000 under this model");
}

#[test]
fn draws_are_needed_for_bayes_elo() {
    let place = Place::new();
    let words = "elo --pairs 2,9,36,19,9 --model bayesian --elo0 0 --elo1 5";
    let answer = place.run(words.split(' '));
    assert_eq!(answer.code, 2);
    insta::assert_snapshot!(answer.stderr, @"error: --model bayesian hangs on how many games were drawn: give --wdl too");
    let words = "elo --wdl 491,606,179 --model bayesian --elo0 0 --elo1 5 --json";
    let answer = place.run(words.split(' '));
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(
        answer.stdout.contains("\"model\": \"bayesian\""),
        "{}",
        answer.stdout
    );
    for command in ["plan", "simulate"] {
        let words = format!("{command} --elo0 0 --elo1 5 --model bayesian");
        let answer = place.run(words.split(' '));
        assert_eq!(answer.code, 2, "{command}");
        assert!(
            answer.stderr.contains("hangs on the draws"),
            "{}",
            answer.stderr
        );
    }
}

#[test]
fn an_interval_for_any_time_stands_beside_the_plain_one() {
    let answer = estimate("--interval anytime");
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let sentence = answer.stdout.lines().find(|line| line.starts_with("95%"));
    insta::assert_snapshot!(sentence.expect("an interval"), @"95% interval: -25 to +25 Elo. Likelihood of superiority: 50.0%. Normalized Elo: +0 ±62, the figure that compares across books and time controls. 95% interval valid at any time, however often one looks, over 60 pairs: -39 to +39 Elo.");
    let document = estimate("--interval anytime --json").stdout;
    let end = document.split("\"trailer\"").nth(1).expect("a trailer");
    insta::assert_snapshot!(end, @r#"
    : "Elo: +0 \u00b125 (120 games, , vs old)",
      "homogeneity": null,
      "cpu_homogeneity": null,
      "drift": {
        "not_tested": null,
        "test": {
          "first": {
            "pairs": 30,
            "score": 0.5,
            "pentanomial": [
              0,
              5,
              20,
              5,
              0
            ]
          },
          "second": {
            "pairs": 30,
            "score": 0.5,
            "pentanomial": [
              0,
              5,
              20,
              5,
              0
            ]
          },
          "slope": -0.0002778549597110308,
          "z": -0.25607375986579195,
          "p": 0.7978938831986565,
          "drifts": false
        }
      },
      "anytime": {
        "low": -39.04452670885312,
        "high": 39.044526708853105
      }
    }
    "#);
    assert!(!estimate("--json").stdout.contains("anytime"));
}

#[test]
fn carried_pairs_count_for_any_time() {
    let more = "--interval anytime --elo0 0 --elo1 5 --prior-pairs 100,900,3000,1100,150";
    let answer = estimate(more);
    let sentence = answer.stdout.lines().find(|line| line.starts_with("95%"));
    insta::assert_snapshot!(sentence.expect("an interval"), @"95% interval: -25 to +25 Elo. Likelihood of superiority: 50.0%. Normalized Elo: +0 ±62, the figure that compares across books and time controls. 95% interval valid at any time, however often one looks, over 5,310 pairs: +3 to +16 Elo.");
}
