//! `mache ci next-batch`: whether a test goes on in a further run.

use std::io::Write;
use std::num::NonZeroU64;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::JobArgs;
use super::game_args::refused;
use super::test_args::{PlannedTest, TestArgs};
use crate::ci::event::Commit;
use crate::ci::{Chain, Commits, Job, Next, RunId, Settings, Standing};
use crate::cli::exit::{self, Refused};
use crate::cli::sprt_args::five_counts;
use crate::report::Expected;
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
        let chain = Chain::of_plan(&plan, test.prior).map_err(refused)?;
        let expected = self.result.expected(&test, &chain, carried)?;
        if self.result.expected {
            writeln!(out, "{expected}").context("cannot print")?;
            return Ok(exit::ANSWERED);
        }
        let variable = |name| std::env::var(name).unwrap_or_default();
        let run = RunId::parse(&variable("GITHUB_RUN_ID"));
        let verdict = self.result.verdict.map(Verdict::from);
        let next = chain.next(verdict, carried, run.clone(), self.result.commits());
        let next = next.map_err(refused)?;
        let standing = Standing {
            chain: &chain,
            next: &next,
            carried,
            expected: &expected,
            run,
            server: &variable("GITHUB_SERVER_URL"),
            repository: &variable("GITHUB_REPOSITORY"),
        };
        report(&standing, &job, out)?;
        Ok(self.result.exit_code(&next))
    }
}

/// Puts out what comes next, and says it.
fn report(standing: &Standing, job: &Job, out: &mut impl Write) -> anyhow::Result<()> {
    let (token, doubtful) = match standing.next {
        Next::Run(token) => (token.json(), false),
        Next::Decided(_) | Next::Spent => (String::new(), false),
        Next::Unjudged | Next::Nothing => (String::new(), true),
    };
    job.output("continue", &token, out)?;
    job.output("expected", standing.expected, out)?;
    job.summarise(&standing.markdown())?;
    if doubtful {
        job.warn(&standing.sentence());
    } else {
        job.notice(&standing.sentence());
    }
    Ok(())
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

    /// What the test will still take in a sentence; empty when it is decided, or nothing can be said.
    fn expected(
        &self,
        test: &PlannedTest,
        chain: &Chain,
        carried: Pentanomial,
    ) -> anyhow::Result<String> {
        if self.verdict != Some(VerdictArg::Inconclusive) {
            return Ok(String::new());
        }
        let batch = NonZeroU64::new(chain.batch()).expect("every shard plays a pair");
        let expected = Expected::of(&test.sprt, test.rule, carried, batch)?;
        Ok(expected.map_or_else(String::new, |expected| expected.sentence()))
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
