//! Whether a result from strangers holds: what was found, every fault, and the figures that are left standing.

use std::fmt::Write;

use serde::Serialize;

use super::check::CheckedReport;
use super::escape::one_line;
use super::json::{self, Tool};
use super::number::counted;
use super::words;
use crate::play::audit::{Evidence, Fault};

/// Faults and notes that are listed one by one; beyond this they are counted.
const LISTED: usize = 1000;

/// A report that was given, by the name of its file; `None` when it could not be read as one.
#[derive(Clone, Debug)]
pub struct NamedReport {
    /// The file.
    pub name: String,
    /// What it says, its figures in agreement with its counts.
    pub checked: Option<CheckedReport>,
}

/// Everything that was checked, ready to be placed.
#[derive(Clone, Debug)]
pub struct Verification {
    runs: usize,
    batches: usize,
    games: u64,
    reports: Vec<NamedReport>,
    faults: Vec<Fault>,
    notes: Vec<String>,
    /// Faults and notes beyond those listed.
    unlisted: [usize; 2],
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    tool: Tool,
    verified: bool,
    runs: usize,
    batches: usize,
    games: u64,
    reports: Vec<ReportDocument<'a>>,
    faults: &'a [Fault],
    unlisted_faults: usize,
    notes: &'a [String],
}

#[derive(Serialize)]
struct ReportDocument<'a> {
    name: &'a str,
    sound: bool,
    line: Option<&'a str>,
    verdict: Option<&'static str>,
    counts: Option<[u64; 5]>,
    llr: Option<f64>,
    elo: Option<f64>,
    margin: Option<f64>,
}

impl Verification {
    /// Puts together what was found in the runs and in the reports.
    #[must_use]
    pub fn new(
        evidence: Evidence,
        reports: Vec<NamedReport>,
        more_faults: Vec<Fault>,
        more_notes: Vec<String>,
    ) -> Self {
        let batches = evidence.batches().len();
        let files = evidence.runs.iter().flat_map(|run| &run.files);
        let games = files.map(|file| file.finished()).sum();
        let (mut faults, mut notes) = (evidence.faults, evidence.notes);
        faults.extend(more_faults);
        notes.extend(more_notes);
        let unlisted = [faults.len(), notes.len()].map(|all| all.saturating_sub(LISTED));
        faults.truncate(LISTED);
        notes.truncate(LISTED);
        Self {
            runs: evidence.runs.len(),
            batches,
            games,
            reports,
            faults,
            notes,
            unlisted,
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn verified(&self) -> bool {
        self.faults.is_empty()
    }

    /// The report for a person, each line harmless for a log.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.heading();
        for report in &self.reports {
            let said = match &report.checked {
                Some(checked) => checked.line.as_str(),
                None => "not sound, nothing of it is shown",
            };
            line(&mut text, &format!("report {}: {said}", report.name));
        }
        for fault in &self.faults {
            line(&mut text, &format!("fault: {fault}"));
        }
        for note in &self.notes {
            line(&mut text, &format!("note: {note}"));
        }
        for (more, what) in self.unlisted.into_iter().zip(["fault", "note"]) {
            if more > 0 {
                line(
                    &mut text,
                    &format!("and {} more", counted(more as u64, what)),
                );
            }
        }
        text
    }

    fn heading(&self) -> String {
        let mut text = String::new();
        let faults = (self.faults.len() + self.unlisted[0]) as u64;
        let verdict = if self.verified() {
            "verified".to_owned()
        } else {
            format!("NOT verified, {}", counted(faults, "fault"))
        };
        let of = if self.runs == 0 {
            "the report alone, no games".to_owned()
        } else {
            format!(
                "{} in {}, {}",
                counted(self.runs as u64, "run"),
                match self.batches {
                    1 => "1 batch".to_owned(),
                    batches => format!("{batches} batches"),
                },
                counted(self.games, "finished game")
            )
        };
        writeln!(text, "{verdict}: {of}").expect("a string takes all text");
        text
    }

    /// The JSON document of format 1.
    #[must_use]
    pub fn json(&self) -> String {
        json::text(&Document {
            format: json::FORMAT,
            tool: Tool::new("verify"),
            verified: self.verified(),
            runs: self.runs,
            batches: self.batches,
            games: self.games,
            reports: self.reports.iter().map(ReportDocument::new).collect(),
            faults: &self.faults,
            unlisted_faults: self.unlisted[0],
            notes: &self.notes,
        })
    }
}

impl<'a> ReportDocument<'a> {
    fn new(report: &'a NamedReport) -> Self {
        let checked = report.checked.as_ref();
        let test = checked.and_then(|checked| checked.test.as_ref());
        Self {
            name: &report.name,
            sound: checked.is_some(),
            line: checked.map(|checked| checked.line.as_str()),
            verdict: test.map(|test| words::verdict(test.verdict)),
            counts: checked.map(|checked| test.map_or(checked.pairs, |test| test.counts).counts()),
            llr: test.map(|test| test.deciding_llr),
            elo: checked.and_then(|checked| checked.estimate.elo),
            margin: checked.and_then(|checked| checked.estimate.margin),
        }
    }
}

fn line(text: &mut String, line: &str) {
    text.push_str(&one_line(line));
    text.push('\n');
}
