//! `mache verify`: whether a result that came from strangers holds.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::exit;
use super::order::places;
use crate::games::{Pool, read_whole};
use crate::openings::Book;
use crate::play::audit::{Evidence, Fault, FaultKind};
use crate::report::check::{CheckedReport, LARGEST, Recounting, check_chain, from_stated_terms};
use crate::report::{Judging, NamedReport, Verification};

/// Check a result that came from others: games against manifests, reports against games, batches against each other
///
/// Looks at every run below the folders and lists all that is wrong: shards that are missing, there twice, changed since
/// they were played or of another match; openings that overlap; reports whose figures do not follow from their
/// counts or from the games; batches that do not go on from each other. Without a folder it checks the reports alone.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 verified; 1 faults found, each of them listed; 2 arguments refused."
)]
pub(super) struct Verify {
    #[command(flatten)]
    evidence: EvidenceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Evidence")]
struct EvidenceArgs {
    /// Folders of runs: every games.pgn (.gz, .zst) below them with its manifest.json
    #[arg(value_name = "RUN_DIR", required_unless_present = "report")]
    folders: Vec<PathBuf>,
    /// The JSON that `match-estimate --format json` printed, `-` standard input; given several times, one a batch in
    /// the order of the batches
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
    /// The book the runs were played from, to look up each pair's opening
    #[arg(long, value_name = "FILE", requires = "folders")]
    book: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// Print the JSON document of format 1
    #[arg(long)]
    json: bool,
}

impl Verify {
    /// Prints what was found.
    ///
    /// # Errors
    /// When the book cannot be used or the answer cannot be printed. What is wrong with the evidence is no error but the
    /// answer.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let book = self.evidence.book.as_deref().map(Book::open).transpose()?;
        let evidence = if self.evidence.folders.is_empty() {
            Evidence::default()
        } else {
            Evidence::gather(&self.evidence.folders, book.as_ref())
        };
        let verification = self.evidence.check(evidence);
        let text = if self.output.json {
            verification.json()
        } else {
            verification.text()
        };
        out.write_all(text.as_bytes())
            .context("cannot print the answer")?;
        Ok(if verification.verified() {
            exit::ANSWERED
        } else {
            exit::FAILED.into()
        })
    }
}

impl EvidenceArgs {
    fn check(&self, evidence: Evidence) -> Verification {
        let (mut faults, mut notes) = (Vec::new(), Vec::new());
        let reports: Vec<NamedReport> = self
            .report
            .iter()
            .map(|path| named(path, &mut faults))
            .collect();
        let sound: Vec<(&str, &CheckedReport)> = reports
            .iter()
            .filter_map(|report| Some((&*report.name, report.checked.as_ref()?)))
            .collect();
        // A gap in the chain would be laid at the door of the batch behind it.
        if sound.len() == reports.len() {
            let (chain_faults, chain_notes) = check_chain(&sound);
            faults.extend(chain_faults);
            notes.extend(chain_notes);
        }
        if !self.folders.is_empty() {
            against_games(&evidence, &reports, &mut faults, &mut notes);
        }
        Verification::new(evidence, reports, faults, notes)
    }
}

fn named(path: &Path, faults: &mut Vec<Fault>) -> NamedReport {
    let name = path.display().to_string();
    let unreadable = |what: String| vec![Fault::of(FaultKind::Unreadable, path, what)];
    let parsed = read(path).map_err(unreadable);
    let checked = match parsed.and_then(|text| CheckedReport::parse(&text)) {
        Ok(checked) => Some(checked),
        Err(found) => {
            let file = Fault::of(FaultKind::Unreadable, path, "").file;
            faults.extend(found.into_iter().map(|fault| Fault {
                file: file.clone(),
                ..fault
            }));
            None
        }
    };
    NamedReport { name, checked }
}

fn read(path: &Path) -> Result<String, String> {
    let most = LARGEST as u64;
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = io::stdin().take(most + 1).read_to_end(&mut bytes);
        read.map(|_| (bytes.len() <= LARGEST).then_some(bytes))
    } else {
        read_whole(path, most)
    };
    let bytes = bytes.map_err(|error| error.to_string())?;
    let bytes = bytes.ok_or_else(|| format!("larger than {most} bytes"))?;
    String::from_utf8(bytes).map_err(|_| "no UTF-8 text".to_owned())
}

/// One report is of all games; several are of one batch each.
fn against_games(
    evidence: &Evidence,
    reports: &[NamedReport],
    faults: &mut Vec<Fault>,
    notes: &mut Vec<String>,
) {
    let batches = evidence.batches();
    let groups: Vec<(u128, Vec<PathBuf>)> = if reports.len() == 1 {
        let first = batches.keys().next().copied().unwrap_or_default();
        vec![(first, batches.into_values().flatten().collect())]
    } else {
        batches.into_iter().collect()
    };
    if reports.is_empty() {
        return;
    }
    if groups.len() != reports.len() {
        let what = format!(
            "there are {} reports and the games are of {} batches: give one report for all games, or one a batch",
            reports.len(),
            groups.len()
        );
        faults.push(Fault::named(FaultKind::Chain, "", what));
        return;
    }
    for (at, (report, (batch, files))) in reports.iter().zip(&groups).enumerate() {
        let Some(checked) = &report.checked else {
            continue;
        };
        if let Some(terms) = &evidence.terms {
            let (foreign, labels) = from_stated_terms(&report.name, checked, terms);
            faults.extend(foreign);
            notes.extend(labels);
        }
        let recounting = Recounting {
            name: &report.name,
            files,
            batch: *batch,
            first: at == 0,
            in_order: &in_order,
        };
        faults.extend(checked.recount(&recounting));
    }
}

fn in_order(pool: &Pool) -> Result<Judging, String> {
    let places = places(pool).map_err(|error| error.to_string())?;
    let ordered = pool.in_order(&places).map_err(|error| error.to_string())?;
    Ok(Judging::Ordered(ordered))
}
