//! `mache plan`: what a sequential test will take, before it is played.

use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::design_args::{ConditionsArgs, DesignArgs, refused};
use super::exit::{self, Refused};
use super::number::real;
use crate::notation::TimeControl;
use crate::plan::Capacity;
use crate::play::manifest::Manifest;
use crate::report::{Budget, PlanPoint, PlanReport};
use crate::stats::{Conditions, Design, Difference, FixedMatch, Forecast, Strength, tightest};

/// Say what a sequential test will take: its chances to pass, pairs, batches, hours
///
/// With --elo0 and --elo1, or --preset, it forecasts the test at true differences around its bounds. With a budget
/// (--hours with --tc or --manifest, or --cap) it gives the tightest bounds the budget affords, and what a match of
/// that length can tell.
#[derive(Debug, Args)]
pub(super) struct Plan {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    conditions: ConditionsArgs,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Budget")]
struct BudgetArgs {
    /// Time control the games are played at, for their length
    #[arg(long, value_name = "TC", conflicts_with = "manifest")]
    tc: Option<TimeControl>,
    /// Folder of a finished run, or its manifest.json: its games an hour are reckoned with
    #[arg(long, value_name = "PATH")]
    manifest: Option<PathBuf>,
    /// Jobs that play at once
    #[arg(long, value_name = "N", default_value = "1")]
    jobs: NonZeroU32,
    /// Games each job plays at once
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        conflicts_with = "manifest"
    )]
    concurrency: NonZeroU32,
    /// Hours there are
    #[arg(long, value_name = "HOURS", value_parser = real)]
    hours: Option<f64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// True differences, commas between them, in the model's Elo [default: five around the bounds]
    #[arg(long, value_name = "ELO", value_parser = real, value_delimiter = ',', allow_negative_numbers = true)]
    elo: Vec<f64>,
    /// Print the JSON document
    #[arg(long)]
    json: bool,
}

impl Plan {
    /// Plans and prints.
    ///
    /// # Errors
    /// When the arguments make no sense together, a manifest cannot be used or the plan cannot be printed.
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let conditions = self.conditions.conditions()?;
        let design = self.design.design()?;
        let capacity = self.budget.capacity()?;
        let pairs = self.budget.pairs(capacity)?;
        let capped = self.design.cap().map(|cap| cap.get() as f64);
        let pairs = least(pairs, capped);
        if design.is_none() && pairs.is_none() {
            let why = "give the test's --elo0 and --elo1, its --preset, or a budget: --hours with --tc or --manifest, \
                       or --cap";
            return Err(Refused(why.to_owned()).into());
        }
        let report = PlanReport {
            points: design.map_or_else(
                || Ok(Vec::new()),
                |design| self.points(&design, &conditions),
            )?,
            budget: pairs
                .map(|pairs| self.afforded(pairs, design.as_ref(), &conditions))
                .transpose()?,
            design,
            capacity,
        };
        let text = if self.output.json {
            report.json()
        } else {
            report.markdown()
        };
        out.write_all(text.as_bytes())?;
        Ok(exit::ANSWERED)
    }

    fn points(&self, design: &Design, conditions: &Conditions) -> Result<Vec<PlanPoint>, Refused> {
        let (elo0, elo1) = (design.test.elo0(), design.test.elo1());
        let (model, width) = (design.test.model(), elo1 - elo0);
        let usual = [
            elo0 - width,
            elo0,
            f64::midpoint(elo0, elo1),
            elo1,
            elo1 + width,
        ];
        let asked = &self.output.elo;
        let elos = if asked.is_empty() { &usual[..] } else { asked };
        elos.iter()
            .map(|&elo| {
                let truth = Difference { model, elo };
                let strength = Strength::of(&conditions.at(truth).map_err(refused)?);
                let forecast = Forecast::of(design, strength);
                Ok(PlanPoint { truth, forecast })
            })
            .collect()
    }

    fn afforded(
        &self,
        pairs: f64,
        design: Option<&Design>,
        conditions: &Conditions,
    ) -> Result<Budget, Refused> {
        let elo0 = design.map_or(0.0, |design| design.test.elo0());
        // Any test will do to ask for other bounds.
        let design = self.design.design_of(elo0, elo0 + 1.0)?;
        let (model, elo) = (design.test.model(), 0.0);
        let even = conditions.at(Difference { model, elo }).map_err(refused)?;
        let strength = Strength::of(&even);
        let elo1 = |measure| tightest(&design, strength, pairs, measure).map(|width| elo0 + width);
        Ok(Budget {
            pairs,
            model,
            elo0,
            on_average: elo1(|forecast| forecast.judged),
            nine_in_ten: elo1(|forecast| forecast.ninety),
            fixed: FixedMatch::of(pairs, strength.variance),
        })
    }
}

/// The smaller of two caps, either of which may not be there.
fn least(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl BudgetArgs {
    fn capacity(&self) -> anyhow::Result<Option<Capacity>> {
        let jobs = self.jobs.get();
        if let Some(path) = &self.manifest {
            let games_per_hour = rate(path)?;
            return Ok(Some(Capacity {
                jobs,
                games_per_hour,
            }));
        }
        Ok(self
            .tc
            .map(|clock| Capacity::at(clock, jobs, self.concurrency.get())))
    }

    fn pairs(&self, capacity: Option<Capacity>) -> Result<Option<f64>, Refused> {
        let Some(hours) = self.hours else {
            return Ok(None);
        };
        if !(hours > 0.0 && hours.is_finite()) {
            return Err(Refused(format!(
                "--hours {hours} is no time: give hours above 0"
            )));
        }
        match capacity {
            Some(capacity) => Ok(Some(capacity.pairs(hours))),
            None => Err(Refused(
                "--hours wants the games' length: give --tc or --manifest too".to_owned(),
            )),
        }
    }
}

/// Games an hour of the run whose folder or manifest this is.
fn rate(path: &Path) -> anyhow::Result<f64> {
    let folder = if path.is_dir() {
        path
    } else {
        path.parent().unwrap_or(path)
    };
    let manifest = Manifest::read(folder)?
        .with_context(|| format!("no manifest.json in {}", folder.display()))?;
    manifest.games_per_hour().with_context(|| {
        let folder = folder.display();
        format!("the run in {folder} has not ended, was taken up again or finished no game, so it has no rate: give --tc")
    })
}
