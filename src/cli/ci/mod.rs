//! `mache ci`: what the steps of a workflow run, one file per command.

mod books;
mod build_engine;
mod build_opponent;
mod comment;
mod count;
mod dispatch;
mod export;
mod fetch_book;
mod fetch_fastchess;
mod game_args;
mod judged;
mod next_batch;
mod plan_ladder;
mod plan_shards;
mod play_shard;
mod pool;
mod resolve_ref;
mod shard_book;
mod shard_inputs;
mod status;
mod summarise_gauntlet;
mod summarise_match;
mod test_args;
mod versions;
mod woven;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Subcommand};

use super::Cli;
use crate::ci::{Job, in_workflow};
use build_engine::BuildEngine;
use build_opponent::BuildOpponent;
use comment::Comment;
use dispatch::Dispatch;
use fetch_book::{BookKey, FetchBook};
use fetch_fastchess::FetchFastchess;
use next_batch::NextBatch;
use plan_ladder::PlanLadder;
use plan_shards::PlanShards;
use play_shard::PlayShard;
use pool::PoolGames;
use resolve_ref::ResolveRef;
use status::Status;
use summarise_gauntlet::SummariseGauntlet;
use summarise_match::SummariseMatch;
use versions::Versions;

/// Run a step of a workflow: plan, play or judge one part of a match
///
/// Every flag --some-name may come from the variable MACHE_SOME_NAME instead, and, for jobs that follow a plan, from
/// the JSON in --plan; flags win over variables, variables over the plan, and an empty value is none. Outputs,
/// summary and remarks go where the runner says (GITHUB_OUTPUT, GITHUB_STEP_SUMMARY), elsewhere to standard output.
#[derive(Debug, Args)]
pub(super) struct Ci {
    #[command(subcommand)]
    command: CiCommand,
}

#[derive(Debug, Subcommand)]
enum CiCommand {
    PlanShards(Box<PlanShards>),
    PlanLadder(Box<PlanLadder>),
    ResolveRef(ResolveRef),
    FetchFastchess(FetchFastchess),
    BookKey(BookKey),
    FetchBook(FetchBook),
    BuildEngine(Box<BuildEngine>),
    BuildOpponent(BuildOpponent),
    PlayShard(Box<PlayShard>),
    SummariseMatch(Box<SummariseMatch>),
    SummariseGauntlet(Box<SummariseGauntlet>),
    Pool(Box<PoolGames>),
    NextBatch(Box<NextBatch>),
    Dispatch(Dispatch),
    Comment(Comment),
    Status(Status),
    Versions(Versions),
}

impl Ci {
    /// Runs the step. What made it fail is shown beside the job as well.
    ///
    /// # Errors
    /// Whatever the step could not do.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let ran = match self.command {
            CiCommand::PlanShards(command) => command.run(out),
            CiCommand::PlanLadder(command) => command.run(out),
            CiCommand::ResolveRef(command) => command.run(out),
            CiCommand::FetchFastchess(command) => command.run(out),
            CiCommand::BookKey(command) => command.run(out),
            CiCommand::FetchBook(command) => command.run(out),
            CiCommand::BuildEngine(command) => command.run(out),
            CiCommand::BuildOpponent(command) => command.run(out),
            CiCommand::Dispatch(command) => command.run(out),
            CiCommand::PlayShard(command) => command.run(out),
            CiCommand::SummariseMatch(command) => command.run(out),
            CiCommand::SummariseGauntlet(command) => command.run(out),
            CiCommand::Pool(command) => command.run(out),
            CiCommand::NextBatch(command) => command.run(out),
            CiCommand::Comment(command) => command.run(out),
            CiCommand::Status(command) => command.run(out),
            CiCommand::Versions(command) => command.run(out),
        };
        if let (Err(error), true) = (&ran, in_workflow()) {
            Job::of_process(TITLE, None, None).error(&format!("{error:#}"));
        }
        ran
    }
}

/// The words with the settings of the environment and the plan woven in, when they are those of a step.
///
/// # Errors
/// When the plan cannot be read.
pub(super) fn words(words: Vec<OsString>) -> Result<Vec<OsString>, clap::Error> {
    if words.get(1).is_none_or(|word| word != "ci") {
        return Ok(words);
    }
    let woven = woven::woven(&Cli::command(), words.clone(), |name| {
        std::env::var_os(name)
    });
    woven.map_err(|error| {
        let error = clap::Error::raw(ErrorKind::ValueValidation, format!("{error}\n"));
        annotate_refusal(&words, &error);
        error
    })
}

/// Shows beside the job why the arguments of a step were refused.
pub(super) fn annotate_refusal(words: &[OsString], error: &clap::Error) {
    let is_step = words.get(1).is_some_and(|word| word == "ci");
    if is_step && error.use_stderr() && in_workflow() {
        let text = error.to_string();
        let why = text.split("\n\n").next().unwrap_or_default();
        let why = why.trim_start_matches("error: ").trim_end();
        Job::of_process(TITLE, None, None).error(why);
    }
}

/// Heads what is said about a step that failed.
const TITLE: &str = "mache";

/// Where a step leaves what it found.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct JobArgs {
    /// File for outputs, key<<delimiter form [default: $GITHUB_OUTPUT, else key=value on standard output]
    #[arg(long, value_name = "FILE")]
    outputs: Option<PathBuf>,
    /// File the summary is added to, as Markdown [default: $GITHUB_STEP_SUMMARY]
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// Settings of the whole match, as a planning step put them out: a JSON object of flag names and values
    #[arg(long, value_name = "JSON")]
    plan: Option<String>,
}

impl JobArgs {
    /// The job of this process; `command` heads its remarks.
    fn job(&self, command: &'static str) -> Job {
        Job::of_process(command, self.outputs.clone(), self.summary.clone())
    }
}

/// Lets everybody run the program.
///
/// # Errors
/// When the system does not let us change that.
#[cfg(unix)]
fn make_executable(program: &Path) -> anyhow::Result<()> {
    use anyhow::Context;
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let changed = metadata(program).and_then(|about| {
        let mode = about.permissions().mode();
        match mode & 0o111 {
            0o111 => Ok(()),
            _ => set_permissions(program, Permissions::from_mode(mode | 0o755)),
        }
    });
    changed.with_context(|| format!("cannot make {} a program", program.display()))
}

/// What may be run is told by its name here.
#[cfg(not(unix))]
fn make_executable(_program: &Path) -> anyhow::Result<()> {
    Ok(())
}
