//! What a sequential test will take and tell, before a game is played.

use std::fmt::Write;

use serde::Serialize;

use super::json::{self, Tool};
use super::number::{bound, grouped_rounded, percent, short};
use super::simulation::DesignDocument;
use super::words;
use crate::plan::Capacity;
use crate::stats::{Design, Difference, FixedMatch, Forecast, Model};

/// A plan: a test and what to expect of it, or a budget and what it affords.
#[derive(Clone, Debug)]
pub struct PlanReport {
    /// The test; `None` when only a budget was given.
    pub design: Option<Design>,
    /// What to expect at each true difference.
    pub points: Vec<PlanPoint>,
    /// What plays it; `None` when nothing is known of that.
    pub capacity: Option<Capacity>,
    /// What the games of the budget are good for.
    pub budget: Option<Budget>,
}

/// What to expect at one true difference.
#[derive(Clone, Debug)]
pub struct PlanPoint {
    /// The true difference.
    pub truth: Difference,
    /// What to expect.
    pub forecast: Forecast,
}

/// Games that can be played, and what they can tell.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Pairs.
    pub pairs: f64,
    /// What the bounds are in.
    pub model: Model,
    /// The lower hypothesis of the bounds.
    pub elo0: f64,
    /// The closest `elo1` whose test stays within the budget on average, at its slowest.
    pub on_average: Option<f64>,
    /// The closest `elo1` whose test stays within the budget nine times in ten, at its slowest.
    pub nine_in_ten: Option<f64>,
    /// The 95 % margin of a match that plays all of it.
    pub fixed: FixedMatch,
}

impl PlanReport {
    /// The plan as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = String::new();
        if let Some(design) = &self.design {
            page += &words::design(design);
            page += ".\n\n";
            self.write_points(design, &mut page)
                .expect("a string takes all text");
        }
        if let Some(capacity) = &self.capacity {
            writeln!(
                page,
                "\nReckoned with {} at once and {} games an hour each.",
                super::number::counted(capacity.jobs.into(), "job"),
                grouped_rounded(capacity.games_per_hour)
            )
            .expect("a string takes all text");
        }
        if let Some(budget) = &self.budget {
            page.push('\n');
            page += &budget.sentences();
        }
        page.trim_start().to_owned()
    }

    fn write_points(&self, design: &Design, page: &mut String) -> std::fmt::Result {
        let batches = design.batch.map(|batch| batch.get() as f64);
        let mut heads = vec![
            "true difference",
            "passes",
            "fails",
            "inconclusive",
            "pairs",
            "90% within",
        ];
        if batches.is_some() {
            heads.push("batches");
        }
        if self.capacity.is_some() {
            heads.extend(["hours", "90% within", "job minutes"]);
        }
        writeln!(page, "| {} |", heads.join(" | "))?;
        writeln!(page, "| ---{} |", " | ---:".repeat(heads.len() - 1))?;
        for PlanPoint { truth, forecast } in &self.points {
            let mut cells = vec![
                format!("{} {}", short(truth.elo), words::unit(truth.model)),
                percent(forecast.passed),
                percent(forecast.failed),
                percent(forecast.inconclusive),
                grouped_rounded(forecast.played),
                grouped_rounded(forecast.ninety),
            ];
            cells.extend(batches.map(|batch| format!("{:.1}", forecast.played / batch)));
            if let Some(capacity) = &self.capacity {
                cells.push(format!("{:.1}", capacity.hours(forecast.played)));
                cells.push(format!("{:.1}", capacity.hours(forecast.ninety)));
                cells.push(grouped_rounded(60.0 * capacity.job_hours(forecast.played)));
            }
            writeln!(page, "| {} |", cells.join(" | "))?;
        }
        Ok(())
    }

    /// The plan as JSON, a document of format 1.
    #[must_use]
    pub fn json(&self) -> String {
        json::text(&Document {
            format: json::FORMAT,
            tool: Tool::new("plan"),
            design: self.design.as_ref().map(DesignDocument::new),
            points: self.points.iter().map(|point| self.point(point)).collect(),
            jobs: self.capacity.map(|capacity| capacity.jobs),
            games_per_hour: self.capacity.map(|capacity| capacity.games_per_hour),
            budget: self.budget.as_ref().map(BudgetDocument::new),
        })
    }

    fn point(&self, PlanPoint { truth, forecast }: &PlanPoint) -> Point {
        let batch = self.design.and_then(|design| design.batch);
        Point {
            elo: truth.elo,
            model: words::model(truth.model),
            passed: forecast.passed,
            failed: forecast.failed,
            inconclusive: forecast.inconclusive,
            pairs_judged: forecast.judged,
            pairs_played: forecast.played,
            pairs_played_p50: forecast.median,
            pairs_played_p90: forecast.ninety,
            batches: batch.map(|batch| forecast.played / batch.get() as f64),
            hours: self
                .capacity
                .map(|capacity| capacity.hours(forecast.played)),
            hours_p90: self
                .capacity
                .map(|capacity| capacity.hours(forecast.ninety)),
            job_minutes: self
                .capacity
                .map(|capacity| 60.0 * capacity.job_hours(forecast.played)),
        }
    }
}

impl Budget {
    fn sentences(&self) -> String {
        let bounds = |elo1: Option<f64>| match elo1 {
            Some(elo1) => format!(
                "[{}, {elo1:.2}] {}",
                bound(self.elo0),
                words::unit(self.model)
            ),
            None => "out of reach".to_owned(),
        };
        format!(
            "The budget is {} pairs. Tightest bounds whose test stays within it where it takes longest, half way between \
             them: {} on average, {} nine times in ten. A match that plays all of it between equal engines measures to \
             ±{:.1} Elo, ±{:.1} nElo (95%).\n",
            grouped_rounded(self.pairs),
            bounds(self.on_average),
            bounds(self.nine_in_ten),
            self.fixed.elo,
            self.fixed.nelo,
        )
    }
}

#[derive(Serialize)]
struct Document {
    format: u32,
    tool: Tool,
    design: Option<DesignDocument>,
    points: Vec<Point>,
    jobs: Option<u32>,
    games_per_hour: Option<f64>,
    budget: Option<BudgetDocument>,
}

#[derive(Serialize)]
struct Point {
    elo: f64,
    model: &'static str,
    passed: f64,
    failed: f64,
    inconclusive: f64,
    pairs_judged: f64,
    pairs_played: f64,
    pairs_played_p50: f64,
    pairs_played_p90: f64,
    batches: Option<f64>,
    hours: Option<f64>,
    hours_p90: Option<f64>,
    job_minutes: Option<f64>,
}

#[derive(Serialize)]
struct BudgetDocument {
    pairs: f64,
    model: &'static str,
    elo0: f64,
    elo1_on_average: Option<f64>,
    elo1_nine_in_ten: Option<f64>,
    fixed_elo_margin: f64,
    fixed_nelo_margin: f64,
}

impl BudgetDocument {
    const fn new(budget: &Budget) -> Self {
        Self {
            pairs: budget.pairs,
            model: words::model(budget.model),
            elo0: budget.elo0,
            elo1_on_average: budget.on_average,
            elo1_nine_in_ten: budget.nine_in_ten,
            fixed_elo_margin: budget.fixed.elo,
            fixed_nelo_margin: budget.fixed.nelo,
        }
    }
}
