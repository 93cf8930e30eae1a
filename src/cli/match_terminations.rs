//! `mache match-terminations`: how the games of a file ended.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::{exit, remark};
use crate::games::Endings;
use crate::report::TerminationsReport;

/// Say how games ended, and which engine each fault fell on
#[derive(Debug, Args)]
pub(super) struct MatchTerminations {
    /// File of games: PGN, plain, .gz or .zst; a folder means every games.pgn below it, `-` standard input
    #[arg(value_name = "PGN")]
    pgn: PathBuf,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

impl MatchTerminations {
    /// Prints one line for each kind of ending, and remarks on faults.
    ///
    /// # Errors
    /// When the file cannot be read or the answer not printed.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let (endings, remarks) = Endings::read(&[self.pgn])?;
        remarks.iter().for_each(|text| remark(text));
        let report = TerminationsReport::new(&endings, remarks);
        let text = if self.json {
            report.json()
        } else {
            report.block()
        };
        out.write_all(text.as_bytes())
            .context("cannot print the endings")?;
        Ok(exit::ANSWERED)
    }
}
