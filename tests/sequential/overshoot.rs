//! The correction of the bounds beside fishtest's, batch by batch.

use mache::stats::{Correction, Pentanomial, Sprt, Verdict, Walk};
use serde::Deserialize;

use crate::estimate::{fishtest, model};

#[derive(Deserialize)]
struct Fishtest {
    sprt_updates_with_overshoot: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    elo_model: String,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    checkpoints: Vec<Checkpoint>,
    batches: Vec<[u64; 5]>,
}

#[derive(Deserialize)]
struct Checkpoint {
    after_batches: usize,
    pentanomial: [u64; 5],
    llr: f64,
    state: String,
    lower_correction: f64,
    upper_correction: f64,
}

#[test]
fn corrections_are_those_of_fishtest() {
    let runs = fishtest::<Fishtest>().sprt_updates_with_overshoot;
    let mut compared = 0;
    for run in runs {
        let test = Sprt::new(
            model(&run.elo_model),
            run.elo0,
            run.elo1,
            run.alpha,
            run.beta,
        );
        let mut walk = Walk::new(
            test.expect("the runs hold valid tests"),
            Correction::Dynamic,
            Pentanomial::default(),
        )
        .expect("there is nothing to fit");
        for (played, batch) in (1..).zip(&run.batches) {
            let verdict = walk
                .look(Pentanomial::new(*batch))
                .expect("all pairs can be fitted");
            for checkpoint in run
                .checkpoints
                .iter()
                .filter(|at| at.after_batches == played)
            {
                check(&walk, verdict, checkpoint);
                compared += 1;
            }
        }
    }
    assert!(compared >= 40, "{compared}");
}

fn check(walk: &Walk, verdict: Verdict, want: &Checkpoint) {
    assert_eq!(walk.pairs().counts(), want.pentanomial);
    let state = match verdict {
        Verdict::Passed => "accepted",
        Verdict::Failed => "rejected",
        Verdict::Inconclusive => "",
    };
    assert_eq!(state, want.state);
    let (low, high) = walk.overshoot().corrections();
    for (got, want) in [
        (walk.llr(), want.llr),
        (low, want.lower_correction),
        (high, want.upper_correction),
    ] {
        assert!((got - want).abs() < 1e-6, "{got} for {want}");
    }
}
