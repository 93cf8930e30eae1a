//! `mache ci plan-shards`: who plays how many pairs of a match, from where in the book.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use super::JobArgs;
use super::count::count;
use super::game_args::{Course, GameArgs, default_seed, refused};
use super::test_args::{PlannedTest, TestArgs};
use crate::ci::{Job, RunId, Settings, Token};
use crate::cli::exit::{self, Refused};
use crate::openings::WholeNumber;
use crate::plan::{Shards, Stage};
use crate::stats::Pentanomial;

/// Share a match out to shards and batches, and check all of it before anything is built
#[derive(Debug, Args)]
pub(super) struct PlanShards {
    #[command(flatten)]
    shares: ShareArgs,
    #[command(flatten)]
    games: GameArgs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Match")]
struct ShareArgs {
    /// Games of one batch, all shards together
    #[arg(long, value_name = "N", value_parser = count)]
    games: u64,
    /// Jobs that play at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    shards: u64,
    /// Batches of a test that one run plays at most
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    batches: u64,
    /// Runs that a test may take
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    max_runs: u64,
    /// The first batch of this run in the whole test, from 0 [default: that of the run to come]
    #[arg(long, value_name = "I", value_parser = count)]
    first_batch: Option<u64>,
    /// What `mache ci next-batch` put out at the end of the test's run before
    #[arg(long = "continue", value_name = "TOKEN")]
    token: Option<String>,
    /// Commit of the engine under test, to be that of the runs before
    #[arg(long, value_name = "SHA")]
    candidate_sha: Option<String>,
    /// Commit of what it is compared with, to be that of the runs before
    #[arg(long, value_name = "SHA")]
    baseline_sha: Option<String>,
}

/// A match that can be played.
struct Planned {
    shards: Shards,
    stage: Stage,
    seed: WholeNumber,
    test: Option<PlannedTest>,
    warnings: Vec<String>,
}

impl PlanShards {
    /// Plans, and puts out what the jobs play.
    ///
    /// # Errors
    /// When any of the settings makes no sense.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache plan-shards");
        let token = self.shares.token()?;
        let planned = self.planned(token.as_ref())?;
        let course = planned.course();
        let games = self.games.planned(&course)?;
        let mut plan = Settings::default();
        self.games.enter(&games, &course, &mut plan);
        planned.enter(&mut plan);
        if let Some(token) = &token {
            self.shares.agrees(token, &plan)?;
            enter_chain(token, &mut plan);
        }
        let warnings = planned.warnings.iter().chain(&games.warnings);
        warnings.for_each(|text| job.warn(text));
        planned.put_out(&job, out)?;
        games.put_out(&job, out)?;
        job.notice(&planned.remark(token.as_ref()));
        job.output("plan", &plan.json(), out)?;
        // A test that goes on compares the commits it began with, wherever their branches are by now.
        let commits = token
            .map(|token| token.commits().clone())
            .unwrap_or_default();
        for (key, commit) in [
            ("candidate_sha", commits.candidate),
            ("baseline_sha", commits.baseline),
        ] {
            let sha = commit.map(|commit| commit.to_string());
            job.output(key, &sha.unwrap_or_default(), out)?;
        }
        Ok(exit::ANSWERED)
    }

    fn planned(&self, token: Option<&Token>) -> Result<Planned, Refused> {
        let ShareArgs { games, shards, .. } = self.shares;
        let shards = Shards::new(games, shards).map_err(refused)?;
        let test = self.test.test()?;
        let (stage, warnings) = self.shares.stage(token, test.is_some())?;
        let seed = self.seed(token)?;
        let test = match (test, token) {
            (test, None) => test,
            (Some(test), Some(token)) => Some(continued(test, token)?),
            (None, Some(_)) => {
                return Err(Refused(
                    "a continue token goes on with a sequential test: give sprt too".to_owned(),
                ));
            }
        };
        Ok(Planned {
            shards,
            stage,
            seed,
            test,
            warnings,
        })
    }

    fn seed(&self, token: Option<&Token>) -> Result<WholeNumber, Refused> {
        match (self.games.seed(), token) {
            (Some(seed), Some(token)) if seed != token.seed() => Err(Refused(format!(
                "seed {seed} is not that of the test, {}: leave it empty to go on with it",
                token.seed()
            ))),
            (_, Some(token)) => Ok(token.seed().clone()),
            (Some(seed), None) => Ok(seed.clone()),
            (None, None) => Ok(default_seed()),
        }
    }
}

/// The test with the pairs of its earlier runs. The counts it began with may be given again, as they are when the
/// same settings start every run.
fn continued(test: PlannedTest, token: &Token) -> Result<PlannedTest, Refused> {
    let known = [Pentanomial::default(), token.began(), token.carried()];
    if !known.contains(&test.prior) {
        return Err(Refused(format!(
            "prior_pairs {} are not those of the test, {}: leave them empty to go on with it",
            test.prior,
            token.carried()
        )));
    }
    Ok(PlannedTest {
        prior: token.carried(),
        ..test
    })
}

impl ShareArgs {
    fn token(&self) -> Result<Option<Token>, Refused> {
        self.token
            .as_deref()
            .map(Token::parse)
            .transpose()
            .map_err(refused)
    }

    /// Where this run stands, and what to say about it.
    fn stage(&self, token: Option<&Token>, tests: bool) -> Result<(Stage, Vec<String>), Refused> {
        let (batches, runs) = (self.batches, self.max_runs);
        let asked = match token {
            Some(token) => Stage::of_run(batches, runs, token.run()),
            None => Stage::from_batch(batches, runs, self.first_batch.unwrap_or(0)),
        };
        let asked = asked.map_err(refused)?;
        if let Some(first) = self.first_batch.filter(|&first| first != asked.first()) {
            return Err(Refused(format!(
                "first_batch {first} is not that of the run to come, {}: leave it empty to go on with the test",
                asked.first()
            )));
        }
        if tests || asked.total() == 1 {
            return Ok((asked, Vec::new()));
        }
        let warning =
            "only a sequential test has several batches or runs; without sprt one batch is played";
        let only = Stage::of_run(1, 1, 0).expect("one batch in one run is the least there is");
        Ok((only, vec![warning.to_owned()]))
    }

    /// Refuses to go on with a test in another way than it began.
    fn agrees(&self, token: &Token, plan: &Settings) -> Result<(), Refused> {
        let mut differences = token.differences(plan);
        let commits = [
            (
                "candidate_sha",
                &self.candidate_sha,
                &token.commits().candidate,
            ),
            (
                "baseline_sha",
                &self.baseline_sha,
                &token.commits().baseline,
            ),
        ];
        for (name, now, then) in commits {
            if let (Some(now), Some(then)) = (now, then)
                && !now.eq_ignore_ascii_case(then.as_str())
            {
                differences.push(format!("{name} was `{then}` and is `{now}`"));
            }
        }
        if differences.is_empty() {
            return Ok(());
        }
        Err(Refused(format!(
            "the test cannot go on otherwise than it began: {}",
            differences.join(", ")
        )))
    }
}

/// What the run after this one has to know of the runs before.
fn enter_chain(token: &Token, plan: &mut Settings) {
    let runs: Vec<&str> = token.runs().iter().map(RunId::as_str).collect();
    plan.set("chain_runs", runs.join(","));
    plan.set("chain_began", token.began());
}

impl Planned {
    const fn course(&self) -> Course<'_> {
        Course {
            pairs: self.shards.pairs(),
            shards: self.shards.count(),
            batches: self.stage.total(),
            seed: &self.seed,
        }
    }

    fn enter(&self, plan: &mut Settings) {
        plan.set("sprt", self.test.is_some());
        plan.set("first_batch", self.stage.first());
        plan.set("run_batches", self.stage.batches());
        plan.set("max_runs", self.stage.runs());
        if let Some(test) = &self.test {
            test.enter(plan);
        }
    }

    fn put_out(&self, job: &Job, out: &mut impl Write) -> anyhow::Result<()> {
        let first = self.stage.first();
        let indices: Vec<u64> = (0..self.shards.count()).collect();
        let shards = serde_json::to_string(&indices).expect("numbers make a list");
        job.output("pairs", &self.shards.pairs().to_string(), out)?;
        job.output("shards", &shards, out)?;
        job.output("count", &self.shards.count().to_string(), out)?;
        job.output("batches", &self.stage.batches().to_string(), out)?;
        let numbers: Vec<u64> = (first..first + self.stage.batches()).collect();
        let numbers = serde_json::to_string(&numbers).expect("numbers make a list");
        job.output("batch_numbers", &numbers, out)?;
        job.output("first_batch", &first.to_string(), out)?;
        job.output("seed", &self.seed.to_string(), out)?;
        job.output("tests", &self.test.is_some().to_string(), out)?;
        Ok(())
    }

    fn remark(&self, token: Option<&Token>) -> String {
        let stage = self.test.map(|_| self.stage);
        let remark = self.shards.remark(stage);
        match token {
            None => remark,
            Some(token) => format!(
                "{remark}; run {} of {}, with {} pairs from those before",
                self.stage.run() + 1,
                self.stage.runs(),
                token.carried().pairs()
            ),
        }
    }
}
