//! `mache ci plan-ladder`: who plays in a gauntlet.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::JobArgs;
use super::count::count;
use super::game_args::{Course, GameArgs, default_seed, refused};
use crate::ci::{Job, Settings};
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
    games: GameArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Gauntlet")]
struct LadderArgs {
    /// Games against each opponent
    #[arg(long, value_name = "N", value_parser = count)]
    games: u64,
    /// Opponents as engine:tag:rating, with commas or line feeds between
    #[arg(long, value_name = "LADDER")]
    ladder: String,
    /// Program that lists and builds the opponents
    #[arg(long, value_name = "PROGRAM", default_value = "scripts/opponent.sh")]
    opponent_table: PathBuf,
    /// The rating list the ladder's ratings are of, for the report
    #[arg(long, value_name = "TEXT", default_value = "ccrl blitz")]
    scale: String,
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
    /// When the ladder or the settings make no sense, or the table does not answer.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache plan-ladder");
        let pairs = self.ladder.pairs()?;
        let ladder = self.ladder.read()?;
        let seed = self.games.seed().cloned().unwrap_or_else(default_seed);
        // Each rung is a shard of one pass through the book.
        let course = Course {
            pairs,
            shards: ladder.rungs().len() as u64,
            batches: 1,
            seed: &seed,
        };
        let games = self.games.planned(&course)?;
        let mut plan = Settings::default();
        self.games.enter(&games, &course, &mut plan);
        plan.set("scale", &self.ladder.scale);
        plan.set("rungs", ladder.rungs().len());
        plan.set("ladder_spec", ladder.spec());
        games.warnings.iter().for_each(|text| job.warn(text));
        put_out(&ladder, pairs, &job, out)?;
        games.put_out(&job, out)?;
        job.output("seed", &seed.to_string(), out)?;
        job.output("plan", &plan.json(), out)?;
        job.notice(&remark(ladder.rungs().len(), 2 * pairs, &ladder.spec()));
        Ok(exit::ANSWERED)
    }
}

impl LadderArgs {
    fn pairs(&self) -> Result<u64, Refused> {
        match self.games / 2 {
            0 => Err(Refused(format!(
                "games {} is under a pair each",
                self.games
            ))),
            pairs => Ok(pairs),
        }
    }

    fn read(&self) -> anyhow::Result<Ladder> {
        let known = engines(&self.opponent_table)?;
        Ok(Ladder::parse(&self.ladder, &known).map_err(refused)?)
    }
}

/// The engines that the caller's table has.
fn engines(table: &Path) -> anyhow::Result<Vec<String>> {
    let table = Program::new(table).arguments(["list"]).within(ANSWER);
    let known = table
        .answer()
        .context("the table of opponents does not say which engines it has")?;
    Ok(known.split_whitespace().map(str::to_owned).collect())
}

fn put_out(ladder: &Ladder, pairs: u64, job: &Job, out: &mut impl Write) -> anyhow::Result<()> {
    job.output("rungs", &rungs(ladder), out)?;
    job.output("count", &ladder.rungs().len().to_string(), out)?;
    job.output("pairs", &pairs.to_string(), out)?;
    job.output("spec", &ladder.spec(), out)?;
    Ok(())
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
