//! `mache ci comment`: a result on the pull request it is about.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::JobArgs;
use crate::ci::event::Event;
use crate::ci::github::{Author, GitHub, Marker};
use crate::ci::run_address;
use crate::cli::exit::{self, Refused};
use crate::report::{MatchResult, escape};

/// Bytes of a file that are read.
const LONGEST: u64 = 4 << 20;

/// Keep one comment on the pull request up to date with a result
///
/// The pull request is that of the event; under workflow_run it is the open one whose head is the commit that ran. Needs
/// GITHUB_TOKEN with pull-requests: write.
#[derive(Debug, Args)]
pub(super) struct Comment {
    #[command(flatten)]
    comment: CommentArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Comment")]
struct CommentArgs {
    /// Result of a match, as JSON: checked, and told in words of our own
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "text",
        conflicts_with = "text"
    )]
    result: Option<PathBuf>,
    /// Markdown of your own instead; what another run left is shown as plain text
    #[arg(long, value_name = "FILE")]
    text: Option<PathBuf>,
    /// Name of the match: each has its own comment
    #[arg(long, value_name = "NAME", default_value = "mache")]
    context: String,
    /// Login that the token posts under
    #[arg(long, value_name = "LOGIN", default_value = "github-actions[bot]")]
    author: String,
    /// Seconds each question to GitHub may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
}

impl Comment {
    /// Makes the comment or brings it up to date, and puts its address out.
    ///
    /// # Errors
    /// When the result is none, or GitHub does not take it.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache comment");
        let CommentArgs {
            result,
            text,
            context,
            author,
            timeout,
        } = self.comment;
        let marker = Marker::new(&context).ok_or_else(|| {
            Refused("--context is to be letters, digits, blanks and ._/-".to_owned())
        })?;
        let event = Event::of_process()?;
        let text = match (&result, &text) {
            (Some(path), _) => read_result(path)?.comment(&context, &run_address(&event)?),
            (None, Some(path)) => own_text(&read(path)?, &event),
            (None, None) => unreachable!("one of the two is required"),
        };
        let github = GitHub::of_process(Duration::from_secs(timeout))?;
        let repository = GitHub::repository()?;
        let Some(pull) = github.pull_of(&repository, &event)? else {
            job.notice(
                "no open pull request has this commit as its head, so there is none to comment on",
            );
            job.output("url", "", out)?;
            return Ok(exit::ANSWERED);
        };
        let posted = github.comment(&repository, pull, &marker, &Author(author), &text)?;
        job.output("url", &posted.html_url, out)?;
        Ok(exit::ANSWERED)
    }
}

/// A result that may be a stranger's.
///
/// # Errors
/// When the file cannot be read, or its figures do not go together.
pub(super) fn read_result(path: &Path) -> anyhow::Result<MatchResult> {
    MatchResult::parse(&read(path)?).with_context(|| path.display().to_string())
}

fn read(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
    read.with_context(|| format!("cannot read {}", path.display()))?;
    if text.len() as u64 > LONGEST {
        anyhow::bail!("{} has more than {LONGEST} bytes", path.display());
    }
    Ok(text)
}

/// Markdown as it stands when this run made it. What another run left may be a stranger's: no Markdown of theirs is
/// shown as ours.
fn own_text(text: &str, event: &Event) -> String {
    if event.is_of_another_run() {
        let lines = escape::lines(text.trim_end());
        return escape::fenced(&format!("{lines}\n"));
    }
    text.to_owned()
}
