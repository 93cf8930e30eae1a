//! Whether batches go on from each other: each carries what the one before came to, in one and the same test.

use super::{CheckedReport, CheckedTest};
use crate::play::audit::{Fault, FaultKind};
use crate::report::words;
use crate::stats::{Pentanomial, Verdict};

/// Checks reports of batches in their order, each with the name it is called by. Answers faults and notes.
#[must_use]
pub fn check_chain(reports: &[(&str, &CheckedReport)]) -> (Vec<Fault>, Vec<String>) {
    let mut faults = Vec::new();
    for pair in reports.windows(2) {
        let [(_, before), (name, after)] = pair else {
            continue;
        };
        let mut fault = |what: String| faults.push(Fault::named(FaultKind::Chain, name, what));
        if before.names != after.names {
            fault("its engines or time control are not those of the batch before".to_owned());
        }
        match (&before.test, &after.test) {
            (Some(before), Some(after)) => follow(before, after, &mut fault),
            (None, None) => {}
            (Some(_), None) => fault("it has no test and the batch before has one".to_owned()),
            (None, Some(_)) => fault("it has a test and the batch before has none".to_owned()),
        }
    }
    (faults, notes(reports))
}

fn follow(before: &CheckedTest, after: &CheckedTest, fault: &mut impl FnMut(String)) {
    if (before.sprt, before.rule) != (after.sprt, after.rule) {
        fault("its test is not that of the batch before".to_owned());
    }
    if before.counts != after.prior {
        fault(format!(
            "it carries {} and the batch before came to {}",
            after.prior, before.counts
        ));
    }
    if before.verdict != Verdict::Inconclusive {
        let verdict = words::verdict(before.verdict);
        fault(format!(
            "the batch before had {verdict}: a decided test does not go on"
        ));
    }
}

fn notes(reports: &[(&str, &CheckedReport)]) -> Vec<String> {
    let Some((name, first)) = reports.first() else {
        return Vec::new();
    };
    let carried = first.test.map_or(0, |test| test.prior.pairs());
    let mut notes = Vec::new();
    if carried > 0 {
        notes.push(format!(
            "{name} carries {carried} pairs from batches whose reports are not here; they were taken as they are"
        ));
    }
    if reports.len() > 1 && reports.iter().all(|(_, report)| report.test.is_none()) {
        notes.push("the reports have no test, so nothing is carried between them".to_owned());
    }
    notes
}

/// Whether the first of some reports may begin where it does: batches before it that are not here have to be carried.
pub(super) fn check_beginning(name: &str, report: &CheckedReport, batch: u128) -> Option<Fault> {
    let prior = report.test.map(|test| test.prior).unwrap_or_default();
    let carried = prior != Pentanomial::default();
    match (batch, carried) {
        (0, true) => {
            let what = format!(
                "it carries {prior} and its games are of batch 0, before which there is none"
            );
            Some(Fault::named(FaultKind::Chain, name, what))
        }
        (0, false) | (_, true) => None,
        (first, false) => {
            let what = format!(
                "its games begin with batch {first}, and it carries nothing from those before"
            );
            Some(Fault::named(FaultKind::Chain, name, what))
        }
    }
}
