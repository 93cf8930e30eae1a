//! A match's result as another job left it, told in words of our own.

mod comment;

use serde::Deserialize;

use super::check::CheckedReport;
use crate::play::audit::Fault;
use crate::stats::Verdict;

/// More pairs than this are no forecast.
const MOST: f64 = 1e12;

/// Why a document is not taken for a result.
#[derive(Debug, thiserror::Error)]
#[error("the result is not taken: {}", listed(.0))]
pub struct NoResult(Vec<Fault>);

fn listed(faults: &[Fault]) -> String {
    let first: Vec<String> = faults.iter().take(3).map(ToString::to_string).collect();
    let more = match faults.len().saturating_sub(3) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    first.join("; ") + &more
}

/// A result whose figures follow from its counts. Its names are a stranger's and are escaped where they are shown.
#[derive(Clone, Debug)]
pub struct MatchResult {
    checked: CheckedReport,
    further: Option<Forecast>,
}

/// Pairs that an open test is expected to take still. That is the document's word: it decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Forecast {
    pairs: f64,
    pairs_p90: f64,
}

#[derive(Deserialize)]
struct Document {
    sprt: Option<Test>,
}

#[derive(Deserialize)]
struct Test {
    further: Option<Further>,
}

#[derive(Deserialize)]
struct Further {
    measured: Forecast,
}

impl MatchResult {
    /// Reads a result, the JSON document of `match-estimate`, and works out its figures anew: the one place where what
    /// a stranger's job left becomes ours.
    ///
    /// # Errors
    /// When it is none, or its figures do not follow from its counts.
    pub fn parse(text: &str) -> Result<Self, NoResult> {
        let checked = CheckedReport::parse(text).map_err(NoResult)?;
        // What cannot be read is not shown.
        let document: Option<Document> = serde_json::from_str(text).ok();
        let further = document
            .and_then(|document| document.sprt?.further)
            .map(|further| further.measured)
            .filter(Forecast::is_sound);
        Ok(Self { checked, further })
    }

    /// What the test says; `None` without a test.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.checked.test.map(|test| test.verdict)
    }
}

impl Forecast {
    fn is_sound(&self) -> bool {
        [self.pairs, self.pairs_p90]
            .iter()
            .all(|pairs| (0.0..MOST).contains(pairs))
    }
}

#[cfg(test)]
mod tests;
