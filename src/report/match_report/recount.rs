//! The figures of a report from its counts alone, or from its games again: what a document that came from others
//! is held against.

use serde_json::{Map, Value};

use super::homogeneity::Agreement;
use super::sequential::TestFigures;
use super::{MatchNames, MatchReport, RunningTest, share};
use crate::games::{Endings, Pool};
use crate::report::check::CheckedTest;
use crate::report::endings::EndingsTable;
use crate::stats::{Crossing, Estimate, Pentanomial, Rule, Sprt, Unfittable};

/// The counts that all figures of a report follow from.
#[derive(Clone, Debug)]
pub(in crate::report) struct Recount {
    pub(in crate::report) names: MatchNames,
    /// Finished games of the candidate.
    pub(in crate::report) games: u64,
    /// Its points from them.
    pub(in crate::report) points: f64,
    /// Games of it without a result.
    pub(in crate::report) unfinished: u64,
    pub(in crate::report) pairs: Pentanomial,
    pub(in crate::report) test: Option<Judged>,
}

/// A test and what its rule has come to.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Judged {
    pub(in crate::report) sprt: Sprt,
    /// Pairs of the earlier batches.
    pub(in crate::report) prior: Pentanomial,
    pub(in crate::report) rule: Rule,
    /// The look that decided, where pairs are judged in order.
    pub(in crate::report) crossing: Option<Crossing>,
}

impl Recount {
    /// The report of these counts: its shards, endings and instruments are empty.
    pub(in crate::report) fn report(self) -> Result<MatchReport, Unfittable> {
        let Self {
            names,
            games,
            points,
            unfinished,
            pairs,
            test,
        } = self;
        let judged = |test: Judged| {
            let both = [test.prior, pairs];
            TestFigures::judged(test.sprt, both, test.rule, test.crossing)
        };
        Ok(MatchReport {
            names,
            games,
            score: share(points, games),
            unpaired: games.saturating_sub(2 * pairs.pairs()),
            unfinished,
            pairs,
            estimate: Estimate::of(pairs),
            anytime: None,
            agreement: Agreement::unknown(),
            test: test.map(judged).transpose()?,
            shards: Vec::new(),
            faults: 0,
            endings: EndingsTable::new(&Endings::default()),
            instruments: Vec::new(),
            comparison: None,
            remarks: Vec::new(),
        })
    }
}

impl MatchReport {
    /// The report without what an undecided test will still take: between hypotheses that hardly differ, and those may
    /// be a stranger's, that is no quick answer.
    pub(in crate::report) fn without_forecast(
        pool: &Pool,
        names: MatchNames,
        test: Option<RunningTest>,
    ) -> Result<Self, Unfittable> {
        let pairs = pool.pentanomial();
        let test = test.map(|test| TestFigures::without_forecast(test, pairs));
        Ok(Self::with(pool, names, test.transpose()?))
    }

    /// Points over games.
    pub(in crate::report) const fn score(&self) -> f64 {
        self.score
    }

    /// The test, as others may show it.
    pub(in crate::report) fn checked_test(&self) -> Option<CheckedTest> {
        let test = self.test.as_ref()?;
        Some(CheckedTest {
            sprt: test.sprt,
            rule: test.rule,
            prior: test.prior,
            counts: test.counts,
            verdict: test.verdict,
            totals: test.totals,
            llr: test.llr,
            deciding_llr: test.deciding_llr(),
            estimate: test.estimate,
            unbiased: test.unbiased,
        })
    }

    /// The fields of its document.
    pub(in crate::report) fn fields(&self) -> Map<String, Value> {
        match serde_json::to_value(self.document()) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) | Err(_) => Map::new(),
        }
    }
}
