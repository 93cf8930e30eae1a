//! `mache simulate`: whole sequential tests played out with random pairs.

use std::io::Write;
use std::num::NonZeroU64;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::design_args::{ConditionsArgs, DesignArgs, refused};
use super::exit::{self, Refused};
use super::number::real;
use crate::report::{Beside, SimulationReport, SimulationRow};
use crate::stats::{
    Conditions, Correction, Course, Design, Difference, PairChances, Rule, Saving, Simulated,
    Trial, Unfittable,
};

/// Play out whole sequential tests with random pairs: how often they pass, and after how many pairs
///
/// Pairs are drawn for engines of a known difference and judged as match-estimate would judge them. The same
/// seed gives the same tests on any machine.
#[derive(Debug, Args)]
pub(super) struct Simulate {
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    conditions: ConditionsArgs,
    #[command(flatten)]
    simulation: SimulationArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Simulation")]
struct SimulationArgs {
    /// True differences, commas between them, in the model's Elo [default: elo0, the middle, elo1]
    #[arg(long, value_name = "ELO", value_parser = real, value_delimiter = ',', allow_negative_numbers = true)]
    elo: Vec<f64>,
    /// Tests at each difference
    #[arg(long, value_name = "N", default_value = "10000")]
    tests: NonZeroU64,
    /// What the random numbers come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Run the same tests another way, too, and say what the first way saves
    #[arg(long, value_enum)]
    beside: Option<BesideName>,
    /// Print the JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BesideName {
    /// By the totals after each batch, the bounds as they are
    Totals,
    /// The same way, but with the bounds as they are
    Uncorrected,
}

impl BesideName {
    fn design(self, design: Design) -> Design {
        let rule = match self {
            Self::Totals => Rule::Totals,
            Self::Uncorrected => design.rule,
        };
        Design {
            rule,
            correction: Correction::Off,
            ..design
        }
    }
}

impl Simulate {
    /// Simulates and prints.
    ///
    /// # Errors
    /// When the arguments make no sense together, or the table cannot be printed.
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let Some(design) = self.design.design()? else {
            return Err(
                Refused("give the test's --elo0 and --elo1, or its --preset".to_owned()).into(),
            );
        };
        let conditions = self.conditions.conditions()?;
        let truths = self.truths(&design, &conditions)?;
        let beside = self.simulation.beside.map(|name| name.design(design));
        let (rows, beside) = self.rows(design, beside, truths)?;
        let report = SimulationReport::new(design, self.simulation.seed, rows, beside);
        let text = if self.simulation.json {
            report.json()
        } else {
            report.markdown()
        };
        out.write_all(text.as_bytes())?;
        Ok(exit::ANSWERED)
    }

    fn rows(
        &self,
        design: Design,
        beside: Option<Design>,
        truths: Vec<(Difference, PairChances)>,
    ) -> Result<(Vec<SimulationRow>, Option<Beside>), Unfittable> {
        let SimulationArgs { tests, seed, .. } = self.simulation;
        let runs = truths.len() as u64 * if beside.is_some() { 2 } else { 1 };
        let bar = bar(tests.get().saturating_mul(runs));
        let play = |design, chances: &PairChances| {
            Trial::new(design, chances).play_many(tests.get(), seed, &|_| bar.inc(1))
        };
        let (mut rows, mut others) = (Vec::new(), Vec::new());
        for (truth, chances) in truths {
            let courses = play(design, &chances)?;
            if let Some(beside) = beside {
                let other = play(beside, &chances)?;
                let saving = Saving::of(&courses, &other);
                others.push((row(truth, &chances, &other), saving));
            }
            rows.push(row(truth, &chances, &courses));
        }
        bar.finish_and_clear();
        let beside = beside.map(|design| Beside {
            design,
            rows: others,
        });
        Ok((rows, beside))
    }

    fn truths(
        &self,
        design: &Design,
        conditions: &Conditions,
    ) -> Result<Vec<(Difference, PairChances)>, Refused> {
        let (elo0, elo1) = (design.test.elo0(), design.test.elo1());
        let usual = [elo0, f64::midpoint(elo0, elo1), elo1];
        let asked = &self.simulation.elo;
        let elos = if asked.is_empty() { &usual[..] } else { asked };
        let model = design.test.model();
        elos.iter()
            .map(|&elo| {
                let truth = Difference { model, elo };
                Ok((truth, conditions.at(truth).map_err(refused)?))
            })
            .collect()
    }
}

fn row(truth: Difference, chances: &PairChances, courses: &[Course]) -> SimulationRow {
    SimulationRow {
        truth,
        chances: chances.by_score(),
        simulated: Simulated::of(courses).expect("there is a test"),
    }
}

/// Shown on a terminal only.
fn bar(tests: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} tests, {eta} left");
    ProgressBar::new(tests).with_style(style.expect("the template is sound"))
}
