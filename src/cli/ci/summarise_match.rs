//! `mache ci summarise-match`: the shards of a match pooled, judged and shown.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::JobArgs;
use super::judged::{self, Question, short};
use super::shard_inputs::{SliceInputs, absences, wanted_engine, warn};
use super::test_args::TestArgs;
use crate::ci::{Shards, WantedMatch};
use crate::cli::exit;
use crate::report::escape::inline;

/// Pool the shards of a match, judge them, and write the summary
///
/// Each shard is a folder with games.pgn and manifest.json below --games. One that is missing is named and the others are
/// judged; so is one of another match, one cut short, and one whose manifest does not tell the truth.
#[derive(Debug, Args)]
pub(super) struct SummariseMatch {
    #[command(flatten)]
    sides: SideInputs,
    #[command(flatten)]
    slice: SliceInputs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Match")]
struct SideInputs {
    /// Folder of the shards
    #[arg(long, value_name = "DIR", default_value = "games")]
    games: PathBuf,
    /// Name of the engine under test
    #[arg(long, value_name = "NAME")]
    candidate: String,
    /// Its commit
    #[arg(
        long,
        value_name = "COMMIT",
        default_value = "",
        hide_default_value = true
    )]
    candidate_sha: String,
    /// Name of the other side
    #[arg(long, value_name = "NAME")]
    baseline: String,
    /// Its commit
    #[arg(
        long,
        value_name = "COMMIT",
        default_value = "",
        hide_default_value = true
    )]
    baseline_sha: String,
    /// Shards that were asked for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    shards: u64,
}

/// Shown below every match that several machines played.
const CLOCKS: &str = "Hosted runners are not equally fast. Both engines of a game share one, so that is noise and no bias.";

impl SummariseMatch {
    /// Judges what can be judged.
    ///
    /// # Errors
    /// When no shard can be used, the test makes no sense, or something cannot be written.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache summarise-match");
        let shards = Shards::read(&self.sides.games, &self.wanted())?;
        warn(&shards, "shard", &job);
        let tc = self.slice.tc();
        let baseline = self.sides.baseline_label();
        let question = Question {
            candidate: &self.sides.candidate,
            baseline,
            opponent: &self.sides.baseline,
            tc: &tc,
            test: self.test.words()?,
            paths: shards
                .usable
                .iter()
                .map(|shard| shard.folder.clone())
                .collect(),
        };
        let report = question.answer()?;
        let head = self.head(&shards, &tc);
        let mut page = judged::page(&head, &report, self.slice.provenance.as_deref());
        page += &format!("\n{CLOCKS}\n");
        judged::show(&page, &job)?;
        let json = judged::keep(&report.json(), &page, self.slice.into.as_deref())?;
        let line = format!("Performance compared to {baseline} | {}", report.line());
        judged::put(&report, &line, &job, out)?;
        job.output("json", &json, out)?;
        Ok(exit::ANSWERED)
    }

    fn wanted(&self) -> WantedMatch {
        let sides = &self.sides;
        let candidate = wanted_engine(&sides.candidate, &sides.candidate_sha);
        let baseline = wanted_engine(&sides.baseline, &sides.baseline_sha);
        self.slice.wanted(candidate, vec![baseline], sides.shards)
    }

    /// The sentence a reader begins with.
    fn head(&self, shards: &Shards, tc: &str) -> String {
        let side = |name: &str, commit: &str| match commit {
            "" => inline(name).into_owned(),
            commit => format!("{} ({})", inline(name), inline(short(commit))),
        };
        let SideInputs {
            candidate,
            candidate_sha,
            baseline,
            baseline_sha,
            shards: asked,
            ..
        } = &self.sides;
        let at = match tc {
            "" => String::new(),
            tc => format!(" at {}", inline(tc)),
        };
        format!(
            "{} against {}, over {} of {asked} {}{at}.{}",
            side(candidate, candidate_sha),
            side(baseline, baseline_sha),
            shards.usable.len(),
            if *asked == 1 { "shard" } else { "shards" },
            absences(shards, "shard")
        )
    }
}

impl SideInputs {
    /// What the other side is called in lines that are kept: a release by its name, anything else by its commit.
    fn baseline_label(&self) -> &str {
        let name = &self.baseline;
        let digit = name
            .strip_prefix('v')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let is_release = digit && name.matches('.').count() >= 2;
        if is_release || self.baseline_sha.is_empty() {
            name
        } else {
            short(&self.baseline_sha)
        }
    }
}
