//! `mache ci next-batch`: whether a test goes on in a further run.

use std::fmt::Write as _;
use std::io::Write;
use std::num::NonZeroU64;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::JobArgs;
use super::game_args::refused;
use super::test_args::{PlannedTest, TestArgs};
use crate::ci::event::Commit;
use crate::ci::{Chain, Commits, Next, RunId, Settings, run_page};
use crate::cli::exit::{self, Refused};
use crate::cli::sprt_args::five_counts;
use crate::report::Expected;
use crate::report::number::counted;
use crate::stats::{Pentanomial, Verdict};

/// Say whether an inconclusive test goes on, and hand on what its next run needs
///
/// The output `continue` is empty when the test is decided or has had its runs. It is given to the next run's
/// `mache ci plan-shards --continue`, which takes pairs, seed and batches from it, so that no opening comes twice.
#[derive(Debug, Args)]
pub(super) struct NextBatch {
    #[command(flatten)]
    result: ResultArgs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Result")]
struct ResultArgs {
    /// What the last batch judged
    #[arg(long, value_enum)]
    verdict: Option<VerdictArg>,
    /// Pairs of the test so far by score, in the order 0, 0.5, 1, 1.5, 2
    #[arg(long, value_name = "N,N,N,N,N")]
    carried: Option<String>,
    /// Commit of the engine under test, which the next run takes again
    #[arg(long, value_name = "SHA")]
    candidate_sha: Option<Commit>,
    /// Commit of what it is compared with, which the next run takes again
    #[arg(long, value_name = "SHA")]
    baseline_sha: Option<Commit>,
    /// End with exit code 1 on these verdicts, commas between them; on inconclusive only when the test does not go on
    #[arg(long, value_enum, value_name = "VERDICT", value_delimiter = ',')]
    fail_on: Vec<VerdictArg>,
    /// Only print what an open test will still take
    #[arg(long)]
    expected: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VerdictArg {
    /// For H1
    Passed,
    /// For H0
    Failed,
    /// Not decided
    Inconclusive,
}

/// A test at the end of one of its runs.
struct Standing {
    test: PlannedTest,
    chain: Chain,
    verdict: Option<Verdict>,
    carried: Pentanomial,
}

impl NextBatch {
    /// Decides, and puts the token out.
    ///
    /// # Errors
    /// When the plan is none, or the counts are not those of its run.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache next-batch");
        let carried = self.result.carried()?;
        let Some(test) = self.test.test()? else {
            job.output("continue", "", out)?;
            job.output("expected", "", out)?;
            job.notice("the match was no test, so there is nothing to go on with");
            return Ok(exit::ANSWERED);
        };
        let plan = self.job.plan.as_deref().unwrap_or_default();
        let plan =
            Settings::parse(plan).context("a test's plan is wanted, as plan-shards put it out")?;
        let standing = Standing {
            chain: Chain::of_plan(&plan, test.prior).map_err(refused)?,
            verdict: self.result.verdict.map(Verdict::from),
            test,
            carried,
        };
        let expected = standing.expected()?;
        if self.result.expected {
            writeln!(out, "{expected}").context("cannot print")?;
            return Ok(exit::ANSWERED);
        }
        let next = standing.next(self.result.commits())?;
        let token = match &next {
            Next::Run(token) => token.json(),
            Next::Decided(_) | Next::Unjudged | Next::Nothing | Next::Spent => String::new(),
        };
        job.output("continue", &token, out)?;
        job.output("expected", &expected, out)?;
        job.summarise(&standing.summary(&next, &expected))?;
        let sentence = standing.sentence(&next);
        match &next {
            Next::Unjudged | Next::Nothing => job.warn(&sentence),
            Next::Decided(_) | Next::Spent | Next::Run(_) => job.notice(&sentence),
        }
        Ok(self.result.exit_code(&next))
    }
}

impl ResultArgs {
    fn carried(&self) -> Result<Pentanomial, Refused> {
        match self.carried.as_deref() {
            Some(text) => five_counts("--carried", text),
            None if self.verdict.is_none() => Ok(Pentanomial::default()),
            None => Err(Refused(
                "a verdict is of counts: give --carried too".to_owned(),
            )),
        }
    }

    fn commits(&self) -> Commits {
        Commits {
            candidate: self.candidate_sha.clone(),
            baseline: self.baseline_sha.clone(),
        }
    }

    fn exit_code(&self, next: &Next) -> ExitCode {
        let verdict = match next {
            Next::Decided(Verdict::Passed) => Some(VerdictArg::Passed),
            Next::Decided(Verdict::Failed) => Some(VerdictArg::Failed),
            Next::Decided(Verdict::Inconclusive) | Next::Spent | Next::Nothing => {
                Some(VerdictArg::Inconclusive)
            }
            Next::Unjudged | Next::Run(_) => None,
        };
        match verdict {
            Some(verdict) if self.fail_on.contains(&verdict) => exit::FAILED.into(),
            Some(_) | None => exit::ANSWERED,
        }
    }
}

impl From<VerdictArg> for Verdict {
    fn from(word: VerdictArg) -> Self {
        match word {
            VerdictArg::Passed => Self::Passed,
            VerdictArg::Failed => Self::Failed,
            VerdictArg::Inconclusive => Self::Inconclusive,
        }
    }
}

impl Standing {
    /// What the test will still take in a sentence; empty when it is decided, or nothing can be said.
    fn expected(&self) -> anyhow::Result<String> {
        let batch = NonZeroU64::new(self.chain.batch()).expect("every shard plays a pair");
        match self.verdict {
            Some(Verdict::Inconclusive) => {}
            Some(Verdict::Passed | Verdict::Failed) | None => return Ok(String::new()),
        }
        let expected = Expected::of(&self.test.sprt, self.test.rule, self.carried, batch)?;
        Ok(expected.map_or_else(String::new, |expected| expected.sentence()))
    }

    fn next(&self, commits: Commits) -> Result<Next, Refused> {
        self.chain
            .next(self.verdict, self.carried, this_run(), commits)
            .map_err(refused)
    }

    /// How the test stands.
    fn sentence(&self, next: &Next) -> String {
        let pairs = counted(self.carried.pairs(), "pair");
        let stage = self.chain.stage();
        match next {
            Next::Decided(Verdict::Passed) => format!("the test passed after {pairs}"),
            Next::Decided(Verdict::Failed) => format!("the test failed after {pairs}"),
            Next::Decided(Verdict::Inconclusive) | Next::Spent => format!(
                "the test is inconclusive after {pairs} and has had its {}",
                counted(stage.runs(), "run")
            ),
            Next::Unjudged => {
                "no batch was judged, so the test does not go on by itself".to_owned()
            }
            Next::Nothing => {
                "this run added no pair, so the test does not go on by itself".to_owned()
            }
            Next::Run(token) => format!(
                "the test is inconclusive after {pairs} and goes on with run {} of {}",
                token.run() + 1,
                stage.runs()
            ),
        }
    }

    /// The same for the page of the run, with what is to be expected and the runs so far.
    fn summary(&self, next: &Next, expected: &str) -> String {
        let sentence = self.sentence(next);
        let mut text = format!(
            "### The test so far\n\nRun {} of {}: {sentence}.",
            self.chain.stage().run() + 1,
            self.chain.stage().runs()
        );
        if !expected.is_empty() {
            write!(text, " {expected}").expect("a string takes all text");
        }
        text.push_str("\n\n");
        if self.chain.stage().runs() > 1 {
            text.push_str(&self.runs(next));
            text.push('\n');
        }
        text
    }

    /// The runs as a numbered list of links.
    fn runs(&self, next: &Next) -> String {
        let (before, this) = (self.chain.runs(), this_run());
        let mut text = String::new();
        for run in before {
            writeln!(text, "1. {}", link(run)).expect("a string takes all text");
        }
        let this = this.map_or_else(|| "a run".to_owned(), |run| link(&run));
        writeln!(text, "1. {this}, this one").expect("a string takes all text");
        if let Next::Run(_) = next {
            text.push_str("1. the next one, to come\n");
        }
        text
    }
}

fn this_run() -> Option<RunId> {
    std::env::var("GITHUB_RUN_ID")
        .ok()
        .as_deref()
        .and_then(RunId::parse)
}

/// `[run 123](page)`, or the number alone where there is no page.
fn link(run: &RunId) -> String {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let page = run_page(
        &variable("GITHUB_SERVER_URL"),
        &variable("GITHUB_REPOSITORY"),
        run,
    );
    match page {
        Some(page) => format!("[run {}]({page})", run.as_str()),
        None => format!("run {}", run.as_str()),
    }
}
