//! How a test stands at the end of one of its runs, in words.

use std::fmt::Write;

use super::{Chain, Next, RunId, run_page};
use crate::report::number::counted;
use crate::stats::{Pentanomial, Verdict};

/// A test at the end of a run.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// The test.
    pub chain: &'a Chain,
    /// What comes after the run.
    pub next: &'a Next,
    /// Pairs of the test so far.
    pub carried: Pentanomial,
    /// What it will still take, as a sentence; may be empty.
    pub expected: &'a str,
    /// The run.
    pub run: Option<RunId>,
    /// The server that runs are shown on.
    pub server: &'a str,
    /// The repository they are of: owner/name.
    pub repository: &'a str,
}

impl Standing<'_> {
    /// How the test stands.
    #[must_use]
    pub fn sentence(&self) -> String {
        let pairs = counted(self.carried.pairs(), "pair");
        let runs = self.chain.stage().runs();
        match self.next {
            Next::Decided(Verdict::Passed) => format!("the test passed after {pairs}"),
            Next::Decided(Verdict::Failed) => format!("the test failed after {pairs}"),
            Next::Decided(Verdict::Inconclusive) | Next::Spent => format!(
                "the test is inconclusive after {pairs} and has had its {}",
                counted(runs, "run")
            ),
            Next::Unjudged => {
                "no batch was judged, so the test does not go on by itself".to_owned()
            }
            Next::Nothing => {
                "this run added no pair, so the test does not go on by itself".to_owned()
            }
            Next::Run(token) => format!(
                "the test is inconclusive after {pairs} and goes on with run {} of {runs}",
                token.run() + 1
            ),
        }
    }

    /// The same for the page of the run, with what is to be expected and the runs so far.
    #[must_use]
    pub fn markdown(&self) -> String {
        let stage = self.chain.stage();
        let (run, runs) = (stage.run() + 1, stage.runs());
        let sentence = self.sentence();
        let mut text = format!("### The test so far\n\nRun {run} of {runs}: {sentence}.");
        if !self.expected.is_empty() {
            text.push(' ');
            text.push_str(self.expected);
        }
        text.push_str("\n\n");
        if runs > 1 {
            text.push_str(&self.runs());
            text.push('\n');
        }
        text
    }

    /// The runs as a numbered list of links.
    fn runs(&self) -> String {
        let mut text = String::new();
        for run in self.chain.runs() {
            writeln!(text, "1. {}", self.link(run)).expect("a string takes all text");
        }
        let this = self.run.as_ref();
        let this = this.map_or_else(|| "a run".to_owned(), |run| self.link(run));
        writeln!(text, "1. {this}, this one").expect("a string takes all text");
        if let Next::Run(_) = self.next {
            text.push_str("1. the next one, to come\n");
        }
        text
    }

    /// `[run 123](page)`, or the number alone where there is no page.
    fn link(&self, run: &RunId) -> String {
        match run_page(self.server, self.repository, run) {
            Some(page) => format!("[run {}]({page})", run.as_str()),
            None => format!("run {}", run.as_str()),
        }
    }
}
