//! `mache ci plan-ladder`: who plays in a gauntlet.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::JobArgs;
use crate::cli::exit;
use crate::cli::exit::Refused;
use crate::plan::Ladder;
use crate::play::program::Program;

/// How long the caller's table may take to answer.
const ANSWER: Duration = Duration::from_secs(60);

/// Read a ladder of opponents and say what each job plays
#[derive(Debug, Args)]
pub(super) struct PlanLadder {
    #[command(flatten)]
    ladder: LadderArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Gauntlet")]
struct LadderArgs {
    /// Games against each opponent
    #[arg(long, value_name = "N")]
    games: u64,
    /// Opponents as engine:tag:rating, with commas or line feeds between
    #[arg(long, value_name = "LADDER")]
    ladder: String,
    /// Program that lists and builds the opponents
    #[arg(long, value_name = "PROGRAM", default_value = "scripts/opponent.sh")]
    opponent_table: PathBuf,
}

/// A rung as the matrix of a workflow takes it.
#[derive(Serialize)]
struct Entry<'a> {
    engine: &'a str,
    tag: &'a str,
    rating: &'a str,
    index: usize,
}

impl PlanLadder {
    /// Plans, and puts the rungs out.
    ///
    /// # Errors
    /// When the ladder makes no sense or the table does not answer.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache plan-ladder");
        let LadderArgs {
            games,
            ladder,
            opponent_table,
        } = self.ladder;
        if games < 2 {
            return Err(Refused(format!("--games {games} is under a pair each")).into());
        }
        let table = Program::new(&opponent_table)
            .arguments(["list"])
            .within(ANSWER);
        let known = table
            .answer()
            .context("the table of opponents does not say which engines it has")?;
        let known: Vec<String> = known.split_whitespace().map(str::to_owned).collect();
        let ladder = Ladder::parse(&ladder, &known).map_err(|error| Refused(error.to_string()))?;
        let count = ladder.rungs().len();
        job.output("rungs", &rungs(&ladder), out)?;
        job.output("count", &count.to_string(), out)?;
        job.output("pairs", &(games / 2).to_string(), out)?;
        job.output("spec", &ladder.spec(), out)?;
        job.notice(&remark(count, games, &ladder.spec()));
        Ok(exit::ANSWERED)
    }
}

fn rungs(ladder: &Ladder) -> String {
    let entries = ladder.rungs().iter().enumerate();
    let entries: Vec<Entry> = entries
        .map(|(index, rung)| Entry {
            engine: rung.engine(),
            tag: rung.tag(),
            rating: rung.rating(),
            index,
        })
        .collect();
    serde_json::to_string(&entries).expect("texts and numbers make a list")
}

fn remark(rungs: usize, games: u64, spec: &str) -> String {
    match rungs {
        1 => format!("one rung of {games} games: {spec}"),
        many => format!("{many} rungs of {games} games each: {spec}"),
    }
}
