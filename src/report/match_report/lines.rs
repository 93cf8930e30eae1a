//! The match on one line: for a log, and as the trailer of a commit message. Scripts read both, so they stay as
//! they are.

use std::fmt::Write;

use super::{MatchReport, TestFigures};
use crate::report::escape::one_line;
use crate::report::number::{bound, percent, rounded, short, signed};
use crate::report::words::verdict;
use crate::stats::{Bounded, Estimate, Model, Sprt};

/// The error rate a test has when none is given.
const DEFAULT_RATE: f64 = 0.05;

impl MatchReport {
    /// One line with the figure and, with a test, its verdict: `+10 ±77 Elo (35 games), SPRT [0, 10] passed, …`.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = format!("{} ({} games)", self.figure(), self.games);
        if let Some(test) = &self.test {
            let (hypotheses, verdict) = (hypotheses(&test.sprt), verdict(test.verdict));
            let ratio = ratio(test);
            write!(line, ", SPRT {hypotheses} {verdict}, LLR {ratio}")
                .expect("a string takes all text");
        }
        line
    }

    /// The trailer of a commit message: `Elo: +47 ±34 (184 games, 10+0.1, vs ce8b662)`. With a test its figure is
    /// over all pairs of the test.
    #[must_use]
    pub fn trailer(&self) -> String {
        let MatchReport { names, .. } = self;
        let (tc, baseline) = (&names.tc, &names.baseline);
        let text = match &self.test {
            Some(test) => {
                let figure = interval(&test.estimate).unwrap_or_else(|| "not measured".to_owned());
                let (hypotheses, verdict) = (hypotheses(&test.sprt), verdict(test.verdict));
                let games = 2 * test.counts.pairs();
                format!(
                    "Elo: {figure} (sprt {hypotheses} {verdict}, {games} games, {tc}, vs {baseline})"
                )
            }
            None => match interval(&self.estimate) {
                Some(figure) => {
                    format!("Elo: {figure} ({} games, {tc}, vs {baseline})", self.games)
                }
                None => "Elo: not measured".to_owned(),
            },
        };
        one_line(&text).into_owned()
    }

    /// The figure a reader looks for first: `+10 ±77 Elo`, `above +1200 Elo`, or the score where no pair is complete.
    pub(super) fn figure(&self) -> String {
        match self.estimate.bounded {
            Bounded::NotMeasured => format!("{} score", percent(self.score)),
            side @ (Bounded::Above | Bounded::Below) => format!("{} Elo", side.text()),
            Bounded::No => {
                let interval = interval(&self.estimate).expect("what is measured has a margin");
                format!("{interval} Elo")
            }
        }
    }
}

/// `+47 ±34`; `None` when it is open on a side.
pub(super) fn interval(estimate: &Estimate) -> Option<String> {
    let (elo, margin) = (estimate.elo?, estimate.margin?);
    Some(format!("{} ±{}", signed(elo), rounded(margin)))
}

/// `[0, 5] nElo alpha=0.01 beta=0.05`; the rates only where they are not the usual ones.
pub(super) fn hypotheses(sprt: &Sprt) -> String {
    let unit = match sprt.model() {
        Model::Logistic => "",
        Model::Normalized => " nElo",
        Model::Bayesian(_) => " BayesElo",
    };
    let mut text = format!("[{}, {}]{unit}", bound(sprt.elo0()), bound(sprt.elo1()));
    if has_own_rates(sprt) {
        let (alpha, beta) = (short(sprt.alpha()), short(sprt.beta()));
        write!(text, " alpha={alpha} beta={beta}").expect("a string takes all text");
    }
    text
}

/// Whether an error rate is not the default.
pub(super) fn has_own_rates(sprt: &Sprt) -> bool {
    (sprt.alpha(), sprt.beta()) != (DEFAULT_RATE, DEFAULT_RATE)
}

/// `1.37 (-2.94, 2.94)`.
pub(super) fn ratio(test: &TestFigures) -> String {
    let (lower, upper) = test.sprt.bounds();
    format!(
        "{:.2} ({}, {})",
        test.deciding_llr(),
        bound(lower),
        bound(upper)
    )
}
