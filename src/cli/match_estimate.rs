//! `mache match-estimate`: how much stronger the candidate is.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::exit::Refused;
use super::games_args::GamesArgs;
use super::order::{note_processors, places};
use super::sprt_args::SprtArgs;
use super::{exit, remark};
use crate::games::Pool;
use crate::report::{Judging, MatchNames, MatchReport, escape};
use crate::stats::Verdict;

/// Say how much stronger the candidate is, from the games of every shard
///
/// Pools the game pairs of all files and gives the difference in Elo with its 95% interval, over pairs. With
/// --elo0 and --elo1 it judges a sequential test as well.
#[derive(Debug, Args)]
pub(super) struct MatchEstimate {
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    names: NamesArgs,
    #[command(flatten)]
    sprt: SprtArgs,
    #[command(flatten)]
    interval: IntervalArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Estimate")]
struct IntervalArgs {
    /// Which interval to give
    #[arg(long, value_enum, default_value_t = Interval::Fixed)]
    interval: Interval,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Interval {
    /// The plain one, for a match whose length was fixed before
    Fixed,
    /// One that is valid whenever one looks and stops, beside the plain one
    Anytime,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Engines")]
struct NamesArgs {
    /// Name the engine under test played under; every score is from its side
    #[arg(long, value_name = "NAME")]
    candidate: String,
    /// What it was measured against; recorded only
    #[arg(long, value_name = "NAME")]
    baseline: String,
    /// The time control; recorded only
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    tc: String,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Markdown, group = "mode")]
    format: Format,
    /// Print one line (as --format line)
    #[arg(long, group = "mode")]
    line: bool,
    /// Print the trailer of a commit message (as --format trailer)
    #[arg(long, group = "mode")]
    trailer: bool,
    /// Print the JSON document (as --format json)
    #[arg(long, group = "mode")]
    json: bool,
    /// Also write a file, in any of the formats; may be given several times
    #[arg(long, value_name = "FORMAT=PATH", value_parser = write_to)]
    write: Vec<(Format, PathBuf)>,
    /// End with exit code 1 on these verdicts of the test, commas between them
    #[arg(long, value_enum, value_name = "VERDICT", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The report
    Markdown,
    /// The JSON document of format 1
    Json,
    /// One line
    Line,
    /// The trailer of a commit message
    Trailer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// The test failed
    Failed,
    /// The test did not decide
    Inconclusive,
}

impl MatchEstimate {
    /// Prints the report and writes it to the files asked for.
    ///
    /// # Errors
    /// When the arguments make no sense together, no game can be used, the test fits no such pairs, or something
    /// cannot be written.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        if self.sprt.test()?.is_none() && !self.output.fail_on.is_empty() {
            let why = "--fail-on looks at a test's verdict: give the test's --elo0 and --elo1 too";
            return Err(Refused(why.to_owned()).into());
        }
        let report = self.report(None)?;
        self.output.emit(&report, out)?;
        Ok(self.output.exit_code(&report))
    }

    /// Pools the games and judges them. `opponent` is the name the baseline played under, where that is not what
    /// the report calls it.
    ///
    /// # Errors
    /// As for [`Self::run`].
    pub(super) fn report(&self, opponent: Option<&str>) -> anyhow::Result<MatchReport> {
        let mut test = self.sprt.test()?;
        let names = MatchNames::from(&self.names);
        let opponent = opponent.unwrap_or(&names.baseline);
        let mut pool = Pool::read(&self.games.paths, &names.candidate, opponent)?;
        note_processors(&mut pool);
        pool.remarks.iter().for_each(|text| remark(text));
        if let Some(test) = &mut test {
            test.sprt = test.sprt.for_games(pool.results());
            if self.sprt.ordered() {
                test.judging = Judging::Ordered(pool.in_order(&places(&pool)?)?);
            }
        }
        let mut report = MatchReport::new(&pool, names, test)?;
        if self.interval.interval == Interval::Anytime {
            report = report.with_anytime_interval();
        }
        Ok(report)
    }
}

impl From<&NamesArgs> for MatchNames {
    fn from(given: &NamesArgs) -> Self {
        Self {
            candidate: given.candidate.clone(),
            baseline: given.baseline.clone(),
            tc: given.tc.clone(),
        }
    }
}

impl OutputArgs {
    fn emit(&self, report: &MatchReport, out: &mut impl Write) -> anyhow::Result<()> {
        for (format, path) in &self.write {
            std::fs::write(path, format.render(report))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        let text = self.format().render(report);
        out.write_all(text.as_bytes())
            .context("cannot print the report")
    }

    fn format(&self) -> Format {
        let switches = [
            (self.line, Format::Line),
            (self.trailer, Format::Trailer),
            (self.json, Format::Json),
        ];
        let switched = switches.into_iter().find(|(given, _)| *given);
        switched.map_or(self.format, |(_, format)| format)
    }

    fn exit_code(&self, report: &MatchReport) -> ExitCode {
        let unwanted = match report.verdict() {
            Some(Verdict::Failed) => self.fail_on.contains(&FailOn::Failed),
            Some(Verdict::Inconclusive) => self.fail_on.contains(&FailOn::Inconclusive),
            Some(Verdict::Passed) | None => false,
        };
        if unwanted {
            exit::FAILED.into()
        } else {
            exit::ANSWERED
        }
    }
}

impl Format {
    /// The whole text, its last line feed included.
    fn render(self, report: &MatchReport) -> String {
        match self {
            // The report goes to logs too, where a line must not command.
            Self::Markdown => escape::lines(&report.markdown()),
            Self::Json => report.json(),
            Self::Line => report.line() + "\n",
            Self::Trailer => report.trailer() + "\n",
        }
    }
}

/// Reads `FORMAT=PATH`.
fn write_to(text: &str) -> Result<(Format, PathBuf), String> {
    match text.split_once('=') {
        Some((format, path)) if !path.is_empty() => {
            Ok((Format::from_str(format, false)?, PathBuf::from(path)))
        }
        Some(_) | None => Err("write it as FORMAT=PATH, such as markdown=report.md".to_owned()),
    }
}
