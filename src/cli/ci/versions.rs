//! `mache ci versions`: what a job plays with.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use super::JobArgs;
use crate::cli::exit;
use crate::play::Runner;
use crate::play::fastchess::Fastchess;

/// Say which mache this is and which fastchess is on the path
#[derive(Debug, Args)]
pub(super) struct Versions {
    #[command(flatten)]
    job: JobArgs,
}

impl Versions {
    /// Puts the versions out.
    ///
    /// # Errors
    /// When they cannot be put out.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache versions");
        let version = env!("CARGO_PKG_VERSION");
        let fastchess = Fastchess::new(Path::new(Fastchess::PROGRAM));
        // One that does not say what it is would not be played with either.
        let fastchess = fastchess.map_or_else(|_| String::new(), |runner| runner.identity());
        job.output("version", version, out)?;
        job.output("fastchess", &fastchess, out)?;
        let said = if fastchess.is_empty() {
            "no fastchess on the path"
        } else {
            &fastchess
        };
        job.notice(&format!("mache {version}; {said}"));
        Ok(exit::ANSWERED)
    }
}
