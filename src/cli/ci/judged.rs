//! A match that was judged: what its steps put out and show.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::ci::Job;
use crate::cli::match_estimate::MatchEstimate;
use crate::cli::{in_process, remark};
use crate::report::{MatchReport, escape};
use crate::stats::Verdict;

/// A match to be judged, as `mache match-estimate` would.
pub(super) struct Question<'a> {
    /// Name the engine under test played under.
    pub(super) candidate: &'a str,
    /// What the report calls the other side.
    pub(super) baseline: &'a str,
    /// Name the other side played under.
    pub(super) opponent: &'a str,
    /// The time control; may be empty.
    pub(super) tc: &'a str,
    /// The test, in words of the command.
    pub(super) test: Vec<String>,
    /// Folders or files of games.
    pub(super) paths: Vec<PathBuf>,
}

impl Question<'_> {
    /// Judges it.
    ///
    /// # Errors
    /// When the test makes no sense, or no game can be used.
    pub(super) fn answer(self) -> anyhow::Result<MatchReport> {
        let mut words = vec![
            "match-estimate".to_owned(),
            format!("--candidate={}", self.candidate),
            format!("--baseline={}", self.baseline),
            format!("--tc={}", self.tc),
        ];
        words.extend(self.test);
        words.push("--".to_owned());
        for path in &self.paths {
            let path = path.to_str().map(str::to_owned);
            words.push(path.context("the path of the games is not UTF-8")?);
        }
        in_process::read::<MatchEstimate>(&words)?.report(Some(self.opponent))
    }
}

/// The page of a match: what was played, the report, the trailer, the caller's own paragraph.
pub(super) fn page(head: &str, report: &MatchReport, provenance: Option<&str>) -> String {
    let mut page = format!("{head}\n\n{}\n", escape::lines(&report.markdown()));
    page += &escape::fenced(&format!("{}\n", report.trailer()));
    if let Some(provenance) = provenance.map(str::trim).filter(|text| !text.is_empty()) {
        write!(page, "\n{provenance}\n").expect("a string takes all text");
    }
    page
}

/// Puts out what later steps may want to know; keys of a test are empty without one.
///
/// # Errors
/// When outputs cannot be written.
pub(super) fn put(
    report: &MatchReport,
    line: &str,
    job: &Job,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let carried = report
        .carried()
        .map(|pairs| pairs.to_string())
        .unwrap_or_default();
    let further = report
        .further_pairs()
        .map(|pairs| format!("{pairs:.0}"))
        .unwrap_or_default();
    let verdict = verdict_word(report.verdict());
    let pairs = report.pairs().pairs().to_string();
    let values = [
        ("line", line),
        ("verdict", verdict),
        ("carried", &carried),
        ("trailer", &report.trailer()),
        ("pairs", &pairs),
        ("further", &further),
    ];
    for (key, value) in values {
        job.output(key, value, out)?;
    }
    job.export("VERDICT", verdict)?;
    job.export("CARRIED", &carried)?;
    job.notice(line);
    Ok(())
}

const fn verdict_word(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Passed) => "passed",
        Some(Verdict::Failed) => "failed",
        Some(Verdict::Inconclusive) => "inconclusive",
        None => "",
    }
}

/// Shows a page: in the summary of the run, and in the log.
///
/// # Errors
/// When the summary cannot be written.
pub(super) fn show(page: &str, job: &Job) -> anyhow::Result<()> {
    job.summarise(page)?;
    page.lines().for_each(remark);
    Ok(())
}

/// Writes `result.json` and `report.md` into a folder. Answers where the first is; nowhere without a folder.
///
/// # Errors
/// When they cannot be written.
pub(super) fn keep(json: &str, page: &str, into: Option<&Path>) -> anyhow::Result<String> {
    let Some(folder) = into else {
        return Ok(String::new());
    };
    let result = folder.join("result.json");
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&result, json))
        .and_then(|()| fs::write(folder.join("report.md"), page));
    written.with_context(|| format!("cannot write the result into {}", folder.display()))?;
    Ok(result.to_string_lossy().into_owned())
}

/// The first eight digits of a commit.
pub(super) fn short(commit: &str) -> &str {
    commit.get(..8).unwrap_or(commit)
}
