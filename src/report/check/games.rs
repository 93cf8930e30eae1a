//! A report against the games it is said to be of.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::compare::Against;
use super::fields::Faults;
use super::parse::compare;
use super::{CheckedReport, chain};
use crate::games::{Pool, ReadError};
use crate::notation::TimeControl;
use crate::play::audit::{Fault, FaultKind};
use crate::play::manifest::Manifest;
use crate::report::{Judging, MatchReport, RunningTest};
use crate::stats::Rule;

/// Fields that nothing else in a report implies.
const COUNTS: [&str; 4] = ["games", "unpaired", "unfinished", "pentanomial"];

/// The games of a report, and how they are put in order.
pub struct Recounting<'a> {
    /// What the report is called in faults.
    pub name: &'a str,
    /// Files of games.
    pub files: &'a [PathBuf],
    /// The number of the first batch that the files are of.
    pub batch: u128,
    /// Whether it is the first of its chain that was given.
    pub first: bool,
    /// Judges the pairs in the order fixed before play; in words why not, where there is no order.
    pub in_order: &'a dyn Fn(&Pool) -> Result<Judging, String>,
}

/// In what a report is about something else than the runs, by the manifest of one of them; notes come second.
#[must_use]
pub fn from_stated_terms(
    name: &str,
    report: &CheckedReport,
    manifest: &Manifest,
) -> (Vec<Fault>, Vec<String>) {
    let mut faults = Vec::new();
    let mut notes = Vec::new();
    for (side, said, played) in [
        ("candidate", &report.names.candidate, &manifest.candidate),
        ("baseline", &report.names.baseline, &manifest.baseline),
    ] {
        if *said != played.name {
            let what = format!(
                "its {side} is `{said}`, and in the runs `{}` played",
                played.name
            );
            faults.push(Fault::named(FaultKind::Foreign, name, what));
        }
    }
    let tc = &report.names.tc;
    let limits = [&manifest.candidate.limit.tc, &manifest.baseline.limit.tc];
    if let Ok(said) = tc.parse::<TimeControl>() {
        let is = |limit: &&Option<String>| {
            limit
                .as_ref()
                .is_some_and(|limit| limit.parse() == Ok(said))
        };
        if !limits.iter().all(is) {
            let [one, other] = limits.map(|limit| limit.as_deref().unwrap_or("none"));
            let what =
                format!("its time control is {tc}, and the runs were played at {one} and {other}");
            faults.push(Fault::named(FaultKind::Foreign, name, what));
        }
    } else if !tc.is_empty() {
        notes.push(format!(
            "the time control `{tc}` of {name} is a label of its own and was not compared"
        ));
    }
    (faults, notes)
}

impl CheckedReport {
    /// Reads the games again, makes the report anew, and compares. Paths, and so remarks and the names of shards, are
    /// not compared: files may have moved.
    #[must_use]
    pub fn recount(&self, of: &Recounting<'_>) -> Vec<Fault> {
        let faults = Faults::default();
        let pool = match self.pool(of) {
            Ok(pool) => pool,
            Err(error) => return vec![mismatch(of.name, error.to_string())],
        };
        match self.again(of, &pool) {
            Ok(report) => self.compare(&report, &faults),
            Err(what) => faults.push(FaultKind::Mismatch, what),
        }
        let mut faults = faults.into_list();
        for fault in &mut faults {
            of.name.clone_into(&mut fault.file);
        }
        if of.first {
            faults.extend(chain::check_beginning(of.name, self, of.batch));
        }
        faults
    }

    fn pool(&self, of: &Recounting<'_>) -> Result<Pool, ReadError> {
        Pool::read(of.files, &self.names.candidate, &self.names.baseline)
    }

    fn again(&self, of: &Recounting<'_>, pool: &Pool) -> Result<MatchReport, String> {
        let test = match &self.test {
            None => None,
            Some(test) => Some(RunningTest {
                sprt: test.sprt,
                prior: test.prior,
                judging: match test.rule {
                    Rule::Totals => Judging::Totals,
                    Rule::Ordered => (of.in_order)(pool)?,
                },
            }),
        };
        MatchReport::without_forecast(pool, self.names.clone(), test)
            .map_err(|error| error.to_string())
    }

    fn compare(&self, report: &MatchReport, faults: &Faults) {
        let against = Against {
            kind: FaultKind::Mismatch,
            source: "games",
            faults,
        };
        let mut expected = report.fields();
        // Figures follow from the counts, so where these differ the rest says nothing new.
        if self.document.get("pentanomial") == expected.get("pentanomial") {
            compare(against, &self.document, report);
        } else {
            against.fields(&COUNTS, &self.document, &expected, "");
        }
        let shards = expected.remove("shards");
        against.fields(
            &["instruments", "terminations"],
            &self.document,
            &expected,
            "",
        );
        let given = self.document.get("shards").and_then(Value::as_array);
        if let (Some(given), Some(Value::Array(expected))) = (given, shards) {
            compare_shards(given, &expected, faults);
        }
    }
}

fn mismatch(name: &str, what: String) -> Fault {
    Fault::of(FaultKind::Mismatch, Path::new(name), what)
}

/// Each shard of the one list has to be in the other, whatever it is called there.
fn compare_shards(given: &[Value], expected: &[Value], faults: &Faults) {
    let mut left: Vec<Share> = expected.iter().map(Share::of).collect();
    for shard in given {
        let share = Share::of(shard);
        let named = left
            .iter()
            .position(|other| other.figures == share.figures && other.name == share.name);
        let fitting = || left.iter().position(|other| other.figures == share.figures);
        match named.or_else(fitting) {
            Some(place) => {
                left.swap_remove(place);
            }
            None => faults.push(
                FaultKind::Mismatch,
                format!("its shard {} is none of the games'", described(shard)),
            ),
        }
    }
    for share in left {
        let what = format!("the games' shard {} is not in it", described(share.shard));
        faults.push(FaultKind::Mismatch, what);
    }
}

/// A shard's row, its figures at hand.
struct Share<'v> {
    figures: [Option<f64>; 6],
    name: Option<&'v str>,
    shard: &'v Value,
}

impl<'v> Share<'v> {
    fn of(shard: &'v Value) -> Self {
        let keys = [
            "games",
            "points",
            "pairs",
            "unpaired",
            "unfinished",
            "faults",
        ];
        Self {
            figures: keys.map(|key| shard[key].as_f64()),
            name: shard["name"].as_str(),
            shard,
        }
    }
}

fn described(shard: &Value) -> String {
    format!(
        "{} ({} games, {} points)",
        shard["name"], shard["games"], shard["points"]
    )
}
