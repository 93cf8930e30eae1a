//! Words that several reports use for the same thing.

use super::number::{bound, grouped, short};
use crate::stats::{Correction, Design, Model, Rule, Sprt, Verdict};

/// What documents call a model.
pub(super) const fn model(model: Model) -> &'static str {
    match model {
        Model::Logistic => "logistic",
        Model::Normalized => "normalized",
        Model::Bayesian(_) => "bayesian",
    }
}

/// What a figure in a model's Elo is followed by.
pub(super) const fn unit(model: Model) -> &'static str {
    match model {
        Model::Logistic => "Elo",
        Model::Normalized => "nElo",
        Model::Bayesian(_) => "BayesElo",
    }
}

/// What documents and the command line call a rule.
pub(super) const fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::Totals => "totals",
        Rule::Ordered => "ordered",
    }
}

/// The word for what a test decided.
pub(super) const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Inconclusive => "inconclusive",
    }
}

/// A test in one line: `SPRT [0, 5] nElo, 5% and 5%`.
pub(super) fn test(test: &Sprt) -> String {
    format!(
        "SPRT [{}, {}] {} at error rates of {}% and {}%",
        bound(test.elo0()),
        bound(test.elo1()),
        unit(test.model()),
        short(100.0 * test.alpha()),
        short(100.0 * test.beta()),
    )
}

/// A design in one sentence, without its full stop.
pub(super) fn design(design: &Design) -> String {
    let look = match (design.rule, design.batch) {
        (Rule::Ordered, _) | (Rule::Totals, None) => {
            format!("a look every {} pairs", grouped(design.look.get()))
        }
        (Rule::Totals, Some(_)) => "a look at the totals after each batch".to_owned(),
    };
    let batch = match design.batch {
        Some(batch) => format!("batches of {} pairs", grouped(batch.get())),
        None => "stopped when decided".to_owned(),
    };
    let correction = match design.correction {
        Correction::Dynamic => "bounds corrected for overshoot",
        Correction::Off => "bounds as they are",
    };
    let mut text = format!("{}: {look}, {batch}, {correction}", test(&design.test));
    if let Some(cap) = design.cap {
        text += &format!(", no new batch after {} pairs", grouped(cap.get()));
    }
    text
}
