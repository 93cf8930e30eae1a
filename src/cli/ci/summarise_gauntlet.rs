//! `mache ci summarise-gauntlet`: the rungs of a gauntlet pooled, a rating fitted and shown.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::JobArgs;
use super::judged::{self, short};
use super::shard_inputs::{SliceInputs, absences, wanted_engine, warn};
use crate::ci::{Job, Shards, WantedMatch};
use crate::cli::rating_estimate::{RatingEstimate, read_ladder};
use crate::cli::{exit, in_process};
use crate::games::Endings;
use crate::report::escape::{fenced, inline, lines, one_line};
use crate::report::{RatingReport, TerminationsReport};

/// Pool the rungs of a gauntlet, fit a rating, and write the summary
///
/// Each rung is a folder with games.pgn and manifest.json below --games. One that is missing is named and the others are
/// rated against.
#[derive(Debug, Args)]
pub(super) struct SummariseGauntlet {
    #[command(flatten)]
    ladder: LadderInputs,
    #[command(flatten)]
    slice: SliceInputs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Gauntlet")]
struct LadderInputs {
    /// Folder of the rungs
    #[arg(long, value_name = "DIR", default_value = "games")]
    games: PathBuf,
    /// Name of the engine that is rated
    #[arg(long, value_name = "NAME")]
    engine_name: String,
    /// Its commit
    #[arg(
        long,
        value_name = "COMMIT",
        default_value = "",
        hide_default_value = true
    )]
    candidate_sha: String,
    /// Opponents and their ratings, engine-tag:rating with commas between
    #[arg(long, value_name = "LADDER")]
    ladder_spec: String,
    /// Rungs that were asked for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    rungs: u64,
    /// Where the ratings come from, as Markdown
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "[ccrl](https://computerchess.org.uk/) blitz"
    )]
    rating_list: String,
    /// What the ratings are called in the line
    #[arg(long, value_name = "TEXT", default_value = "ccrl blitz")]
    scale: String,
    /// The time control of the list
    #[arg(long, value_name = "TC")]
    rating_time_control: Option<String>,
}

impl SummariseGauntlet {
    /// Rates against what can be used.
    ///
    /// # Errors
    /// When the ladder makes no sense, no rung can be used, or something cannot be written.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache summarise-gauntlet");
        let rungs = Shards::read(&self.ladder.games, &self.wanted()?)?;
        warn(&rungs, "rung", &job);
        let paths: Vec<PathBuf> = rungs
            .usable
            .iter()
            .map(|rung| rung.folder.clone())
            .collect();
        let report = self.ladder.rate(&paths)?;
        let page = self.page(&rungs, &report, &endings(&paths, &job));
        judged::show(&page, &job)?;
        let json = judged::keep(&report.json(), &page, self.slice.into.as_deref())?;
        let line = format!("Estimated rating | {}", report.line());
        job.output("line", &line, out)?;
        job.output("json", &json, out)?;
        job.notice(&line);
        Ok(exit::ANSWERED)
    }

    fn wanted(&self) -> anyhow::Result<WantedMatch> {
        let gauntlet = &self.ladder;
        let candidate = wanted_engine(&gauntlet.engine_name, &gauntlet.candidate_sha);
        let ladder = read_ladder(&gauntlet.ladder_spec)?;
        let opponents = ladder.iter().map(|entry| wanted_engine(&entry.name, ""));
        Ok(self
            .slice
            .wanted(candidate, opponents.collect(), gauntlet.rungs))
    }

    fn page(&self, rungs: &Shards, report: &RatingReport, endings: &str) -> String {
        let ladder = &self.ladder;
        let commit = match ladder.candidate_sha.as_str() {
            "" => String::new(),
            commit => format!(" ({})", inline(short(commit))),
        };
        let at = match self.slice.tc() {
            tc if tc.is_empty() => String::new(),
            tc => format!(" at {}", inline(&tc)),
        };
        let mut page = format!(
            "### Rating estimate\n\n{}{commit}{at}, against engines of {}: {} of {} {} played.{}\n\n{}\n",
            inline(&ladder.engine_name),
            one_line(&ladder.rating_list),
            rungs.usable.len(),
            ladder.rungs,
            if ladder.rungs == 1 { "rung" } else { "rungs" },
            absences(rungs, "rung"),
            lines(&report.markdown())
        );
        if !report.note().is_empty() {
            write!(page, "\n> [!WARNING]\n> {}\n", report.note()).expect("a string takes all text");
        }
        page += endings;
        let provenance = self.slice.provenance.as_deref().map(str::trim);
        if let Some(provenance) = provenance.filter(|text| !text.is_empty()) {
            write!(page, "\n{provenance}\n").expect("a string takes all text");
        }
        write!(page, "\n{}\n", ladder.caveat()).expect("a string takes all text");
        page
    }
}

/// How the games ended, as a part of the page. That it cannot be told is no reason to lose the rating.
fn endings(paths: &[PathBuf], job: &Job) -> String {
    match Endings::read(paths) {
        Ok((endings, remarks)) => {
            let report = TerminationsReport::new(&endings, remarks);
            format!("\nHow the games ended:\n\n{}", fenced(&report.block()))
        }
        Err(error) => {
            job.warn(&format!("cannot tell how the games ended: {error}"));
            String::new()
        }
    }
}

impl LadderInputs {
    /// The rating, as `mache rating-estimate` finds it.
    fn rate(&self, paths: &[PathBuf]) -> anyhow::Result<RatingReport> {
        let mut words = vec![
            "rating-estimate".to_owned(),
            format!("--scale={}", self.scale),
            "--".to_owned(),
        ];
        for path in paths {
            let path = path.to_str().map(str::to_owned);
            words.push(path.context("the path of the games is not UTF-8")?);
        }
        words.extend([self.engine_name.clone(), self.ladder_spec.clone()]);
        in_process::read::<RatingEstimate>(&words)?.report()
    }

    /// What the margin leaves out.
    fn caveat(&self) -> String {
        let at = match self.rating_time_control.as_deref() {
            Some(tc) if !tc.is_empty() => format!(", at {}", inline(tc)),
            Some(_) | None => String::new(),
        };
        format!(
            "The opponents were rated elsewhere{at}, on other machines and from other openings. That can shift the \
             figure by about a hundred points, which the margin leaves out."
        )
    }
}
