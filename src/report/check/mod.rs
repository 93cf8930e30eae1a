//! Reports that came from others, as data: read, held against their own counts, and against games.
//!
//! Nothing in such a document is believed. [`CheckedReport::parse`] is for a job that may write and takes a fork's report
//! as data: what it returns follows from the five counts, and every other figure of the document agreed with it.

mod chain;
mod compare;
mod fields;
mod games;
mod parse;
mod strict;
mod sums;

pub use chain::check_chain;
pub use games::{Recounting, from_stated_terms};

use serde_json::{Map, Value};

use super::MatchNames;
use crate::stats::{Estimate, Pentanomial, Rule, Sprt, UnbiasedEstimate, Verdict};

/// Bytes of the largest document that is read.
pub const LARGEST: usize = 1 << 20;

/// A report of `match-estimate` whose figures follow from its counts. The names in it are a stranger's and not
/// escaped.
#[derive(Clone, Debug)]
pub struct CheckedReport {
    /// Who played, as the report says.
    pub names: MatchNames,
    /// Version of mache that wrote it, as it says.
    pub version: String,
    /// Finished games of the candidate.
    pub games: u64,
    /// Finished games that are part of no pair.
    pub unpaired: u64,
    /// Games without a result.
    pub unfinished: u64,
    /// Points over games.
    pub score: f64,
    /// The pairs.
    pub pairs: Pentanomial,
    /// What they say.
    pub estimate: Estimate,
    /// The sequential test, if there is one.
    pub test: Option<CheckedTest>,
    /// The report in one line, with no word of a stranger in it.
    pub line: String,
    /// Games that ended by a fault, whoever played them.
    pub faults: u64,
    document: Map<String, Value>,
}

/// A sequential test of a checked report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedTest {
    /// Hypotheses and error rates.
    pub sprt: Sprt,
    /// How its pairs were judged.
    pub rule: Rule,
    /// Pairs of the earlier batches, as the report says.
    pub prior: Pentanomial,
    /// All its pairs: the earlier ones and this batch.
    pub counts: Pentanomial,
    /// What it decided. Under [`Rule::Ordered`] that is the report's word: the order of the pairs is in the games.
    pub verdict: Verdict,
    /// What all pairs would say if they were judged once.
    pub totals: Verdict,
    /// Of all pairs.
    pub llr: f64,
    /// Of the pairs that decided.
    pub deciding_llr: f64,
    /// Over all pairs of the test.
    pub estimate: Estimate,
    /// At the moment of the verdict; `None` without one.
    pub unbiased: Option<UnbiasedEstimate>,
}

#[cfg(test)]
mod tests;
