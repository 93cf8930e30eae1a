//! `mache ci status`: a verdict as the status of its commit.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::JobArgs;
use super::comment::read_result;
use crate::ci::event::Event;
use crate::ci::github::{CommitState, CommitStatus, GitHub};
use crate::ci::run_address;
use crate::cli::exit;
use crate::stats::Verdict;

/// Set the commit status that a match's verdict stands for
///
/// Passed is success, failed is failure, inconclusive is pending with the further pairs to expect; a match without a
/// test is success. The commit is the head of the event's pull request or run. Needs GITHUB_TOKEN with statuses: write.
#[derive(Debug, Args)]
pub(super) struct Status {
    #[command(flatten)]
    status: StatusArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Status")]
struct StatusArgs {
    /// Result of a match, as JSON
    #[arg(long, value_name = "FILE")]
    result: PathBuf,
    /// Name of the status
    #[arg(long, value_name = "NAME", default_value = "mache")]
    context: String,
    /// Seconds each question to GitHub may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
}

impl Status {
    /// Sets the status, and puts its state out.
    ///
    /// # Errors
    /// When the result is none, or GitHub does not take it.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache status");
        let StatusArgs {
            result,
            context,
            timeout,
        } = self.status;
        let result = read_result(&result)?;
        let event = Event::of_process()?;
        let state = state(result.verdict());
        let (description, address) = (result.status_line(), run_address(&event)?);
        let status = CommitStatus {
            state,
            context: &context,
            description: &description,
            target_url: Some(&address),
        };
        let github = GitHub::of_process(Duration::from_secs(timeout))?;
        github.set_status(&GitHub::repository()?, event.head(), &status)?;
        job.output("state", state.word(), out)?;
        job.notice(&format!("{}: {description}", state.word()));
        Ok(exit::ANSWERED)
    }
}

const fn state(verdict: Option<Verdict>) -> CommitState {
    match verdict {
        Some(Verdict::Passed) | None => CommitState::Success,
        Some(Verdict::Failed) => CommitState::Failure,
        Some(Verdict::Inconclusive) => CommitState::Pending,
    }
}
