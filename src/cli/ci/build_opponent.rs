//! `mache ci build-opponent`: an opponent of a gauntlet, built by the caller's table.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

use super::build_engine::{greet, minutes};
use super::{JobArgs, make_executable};
use crate::cli::{exit, remark};
use crate::play::manifest::sha256;
use crate::play::program::Program;
use crate::report::escape;

/// Build one opponent of a gauntlet by the caller's table, and see that it is an engine
///
/// The table is called as TABLE build ENGINE TAG OUTPUT.
#[derive(Debug, Args)]
pub(super) struct BuildOpponent {
    #[command(flatten)]
    opponent: OpponentArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Opponent")]
struct OpponentArgs {
    /// Program that lists and builds the opponents
    #[arg(long, value_name = "PROGRAM", default_value = "scripts/opponent.sh")]
    opponent_table: PathBuf,
    /// The engine, as the table lists it
    #[arg(long, value_name = "NAME")]
    engine: String,
    /// Tag or whole commit to build
    #[arg(long, value_name = "TAG")]
    tag: String,
    /// Where the engine goes
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Stop the build after so many minutes
    #[arg(long, value_name = "MINUTES", default_value_t = 30.0, value_parser = minutes)]
    max_build_minutes: f64,
}

impl BuildOpponent {
    /// Builds the opponent and asks who it is.
    ///
    /// # Errors
    /// When the table fails, or leaves nothing that answers `uci`.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache build-opponent");
        let OpponentArgs {
            opponent_table,
            engine,
            tag,
            output,
            max_build_minutes,
        } = &self.opponent;
        let name = escape::one_line(&format!("{engine}-{tag}")).into_owned();
        if let Some(folder) = output.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let build = Program::new(opponent_table)
            .arguments([
                "build".as_ref(),
                engine.as_ref(),
                tag.as_ref(),
                output.as_os_str(),
            ])
            .within(Duration::from_secs_f64(60.0 * max_build_minutes));
        let built = build.follow(|_, line| remark(line.trim_end()));
        built.with_context(|| format!("the build of {name} failed"))?;
        if !output.is_file() {
            bail!(
                "the build of {name} ended well and left no file at {}",
                output.display()
            );
        }
        make_executable(output)?;
        let identity = greet(&name, output)?;
        let sum = sha256(output).with_context(|| format!("cannot read {}", output.display()))?;
        job.output("binary", &output.to_string_lossy(), out)?;
        job.output("sha256", &sum, out)?;
        remark(&format!("{name} is `{}`, SHA-256 {sum}", identity.name));
        Ok(exit::ANSWERED)
    }
}
