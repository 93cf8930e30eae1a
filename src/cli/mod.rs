//! The command line: one file per command, shared argument groups, exit codes.

pub mod exit;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measure A CHess Engine: play game pairs, pool them, say how much stronger one engine is
#[derive(Debug, Parser)]
#[command(
    name = "mache",
    version,
    infer_long_args = true,
    args_override_self = true,
    max_term_width = 100
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What mache can do, one variant a command.
#[derive(Debug, Subcommand)]
enum Command {}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// Whatever the command could not do; [`exit::of_error`] gives its exit code.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {}
    }
}
