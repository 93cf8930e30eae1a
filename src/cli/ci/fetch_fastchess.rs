//! `mache ci fetch-fastchess`: the runner from its own release, checked.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::JobArgs;
use crate::ci::github::GitHub;
use crate::ci::{Build, FastchessRequest, NoFastchess, fetch_fastchess};
use crate::cli::exit;
use crate::openings::Sha256Sum;
use crate::play::Runner;
use crate::play::fastchess::Fastchess;

/// Time a question about the release may take, beside the download.
const QUESTION: Duration = Duration::from_secs(60);

/// Fetch fastchess from its release, check it and put it on the path
///
/// The archive has to be the one that its release states and, where a sum is given or known, that one too. A fastchess
/// that is on the path already is taken as it is.
#[derive(Debug, Args)]
pub(super) struct FetchFastchess {
    #[command(flatten)]
    fetch: FetchArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Fetch")]
struct FetchArgs {
    /// The release
    #[arg(long, value_name = "TAG", default_value = "v1.8.2-alpha")]
    tag: String,
    /// SHA-256 that the archive has to have
    #[arg(long, value_name = "SUM")]
    sha256: Option<Sha256Sum>,
    /// Folder the program goes to, made if it is not there
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Folder in which the archive is kept; one found there is checked and not downloaded again
    #[arg(long, value_name = "DIR")]
    archives: Option<PathBuf>,
    /// Seconds the download may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

impl FetchFastchess {
    /// Fetches, and puts the program on the path of later steps.
    ///
    /// # Errors
    /// When it cannot be had, or is not what it should be.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache fetch-fastchess");
        if let Ok(runner) = Fastchess::new(Path::new(Fastchess::PROGRAM)) {
            job.notice(&format!("the fastchess on the path, {}", runner.identity()));
            job.output("fastchess", Fastchess::PROGRAM, out)?;
            job.output("sha256", "", out)?;
            return Ok(exit::ANSWERED);
        }
        let FetchArgs {
            tag,
            sha256,
            into,
            archives,
            timeout,
        } = self.fetch;
        let time = Duration::from_secs(timeout);
        let build = Build::of_this_machine();
        let build = build.map_err(|source| NoFastchess {
            tag: tag.clone(),
            source: Box::new(source),
        })?;
        let request = FastchessRequest {
            tag: &tag,
            build,
            sha256,
            into: &into,
            archives: archives.as_deref(),
            time,
        };
        let github = GitHub::of_process(QUESTION.min(time))?;
        let fetched = fetch_fastchess(&github, &request)?;
        job.notice(&format!(
            "fastchess {tag}: SHA-256 of {} is {}",
            fetched.archive, fetched.sha256
        ));
        job.output("fastchess", &fetched.program.display().to_string(), out)?;
        job.output("sha256", &fetched.sha256.to_string(), out)?;
        job.add_to_path(&std::path::absolute(&into)?)?;
        Ok(exit::ANSWERED)
    }
}
