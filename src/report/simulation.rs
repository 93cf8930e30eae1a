//! What simulated tests came to, one row a true difference.

use std::fmt::Write;

use serde::Serialize;

use super::json::{self, Tool};
use super::number::{grouped, grouped_rounded, short};
use super::words;
use crate::stats::{Correction, Design, Difference, Lengths, Rate, Saving, Simulated};

/// Simulated tests of one design at several true differences.
#[derive(Clone, Debug)]
pub struct SimulationReport {
    design: Design,
    seed: u64,
    rows: Vec<SimulationRow>,
    beside: Option<Beside>,
}

/// The same simulation of another design, to compare with.
#[derive(Clone, Debug)]
pub struct Beside {
    /// How its tests are run.
    pub design: Design,
    /// What they came to, at the same true differences, with what the first design saves.
    pub rows: Vec<(SimulationRow, Option<Saving>)>,
}

/// Tests at one true difference.
#[derive(Clone, Debug)]
pub struct SimulationRow {
    /// The true difference.
    pub truth: Difference,
    /// Chances of the five pair scores.
    pub chances: [f64; 5],
    /// What the tests came to.
    pub simulated: Simulated,
}

impl SimulationReport {
    /// The report of these rows.
    #[must_use]
    pub const fn new(
        design: Design,
        seed: u64,
        rows: Vec<SimulationRow>,
        beside: Option<Beside>,
    ) -> Self {
        Self {
            design,
            seed,
            rows,
            beside,
        }
    }

    /// The report as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = table(&self.design, self.rows.iter());
        if let Some(beside) = &self.beside {
            page += "\nBeside it, ";
            page += &table(&beside.design, beside.rows.iter().map(|(row, _)| row));
            page += &beside.savings();
        }
        page += "\nThe figure after ± is one standard error; the last four columns are the pairs played by so many of a \
                 hundred tests.\n";
        page
    }

    /// The report as JSON, a document of format 1.
    #[must_use]
    pub fn json(&self) -> String {
        json::text(&Document {
            format: json::FORMAT,
            tool: Tool::new("simulate"),
            design: DesignDocument::new(&self.design),
            seed: self.seed,
            points: self.rows.iter().map(Point::new).collect(),
            beside: self.beside.as_ref().map(BesideDocument::new),
        })
    }
}

fn table<'a>(design: &Design, rows: impl Iterator<Item = &'a SimulationRow>) -> String {
    let mut page = words::design(design) + ".\n\n";
    page += "| true difference | tests | passed | failed | inconclusive | pairs judged | pairs played \
             | 10% | 50% | 90% | 99% |\n";
    page += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for row in rows {
        row.write(&mut page);
    }
    page
}

impl Beside {
    /// What the first design saves, in a sentence; nothing when too few tests were played to say.
    fn savings(&self) -> String {
        let saved: Vec<String> = self
            .rows
            .iter()
            .filter_map(|(row, saving)| saving.map(|saving| (row, saving)))
            .map(|(row, Saving { share, error })| {
                let (share, error) = (hundredths(share), hundredths(error));
                format!("{share} ±{error} at {}", row.difference())
            })
            .collect();
        if saved.is_empty() {
            return String::new();
        }
        format!(
            "\nOf these pairs the first way saves {}.\n",
            saved.join(", ")
        )
    }
}

impl SimulationRow {
    fn write(&self, page: &mut String) {
        let Simulated {
            tests,
            passed,
            failed,
            inconclusive,
            judged,
            played,
        } = &self.simulated;
        let difference = self.difference();
        let rates = [passed, failed, inconclusive].map(rate).join(" | ");
        let quantiles = played.quantiles.map(grouped).join(" | ");
        writeln!(
            page,
            "| {difference} | {} | {rates} | {} | {} | {quantiles} |",
            grouped(*tests),
            length(judged),
            length(played),
        )
        .expect("a string takes all text");
    }

    fn difference(&self) -> String {
        format!(
            "{} {}",
            short(self.truth.elo),
            words::unit(self.truth.model)
        )
    }
}

fn rate(rate: &Rate) -> String {
    format!("{} ±{}", hundredths(rate.share), hundredths(rate.error))
}

fn hundredths(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

fn length(lengths: &Lengths) -> String {
    format!(
        "{} ±{}",
        grouped_rounded(lengths.mean),
        grouped_rounded(lengths.error)
    )
}

#[derive(Serialize)]
struct Document {
    format: u32,
    tool: Tool,
    design: DesignDocument,
    seed: u64,
    points: Vec<Point>,
    beside: Option<BesideDocument>,
}

#[derive(Serialize)]
struct BesideDocument {
    design: DesignDocument,
    points: Vec<Point>,
    /// Share of these pairs played that the first design saves; by point.
    saved: Vec<Option<Share>>,
}

impl BesideDocument {
    fn new(beside: &Beside) -> Self {
        let rows = &beside.rows;
        let saved = |saving: Saving| Share {
            share: saving.share,
            error: saving.error,
        };
        Self {
            design: DesignDocument::new(&beside.design),
            points: rows.iter().map(|(row, _)| Point::new(row)).collect(),
            saved: rows.iter().map(|(_, saving)| saving.map(saved)).collect(),
        }
    }
}

/// A design as documents hold it.
#[derive(Serialize)]
pub(super) struct DesignDocument {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    verdict: &'static str,
    correction: bool,
    look: u64,
    batch: Option<u64>,
    cap: Option<u64>,
}

impl DesignDocument {
    pub(super) fn new(design: &Design) -> Self {
        let test = &design.test;
        Self {
            model: words::model(test.model()),
            elo0: test.elo0(),
            elo1: test.elo1(),
            alpha: test.alpha(),
            beta: test.beta(),
            verdict: words::rule(design.rule),
            correction: design.correction == Correction::Dynamic,
            look: design.look.get(),
            batch: design.batch.map(std::num::NonZeroU64::get),
            cap: design.cap.map(std::num::NonZeroU64::get),
        }
    }
}

#[derive(Serialize)]
struct Point {
    elo: f64,
    model: &'static str,
    pair_chances: [f64; 5],
    tests: u64,
    passed: Share,
    failed: Share,
    inconclusive: Share,
    pairs_judged: Pairs,
    pairs_played: Pairs,
}

#[derive(Serialize)]
struct Share {
    share: f64,
    error: f64,
}

#[derive(Serialize)]
struct Pairs {
    mean: f64,
    error: f64,
    p10: u64,
    p50: u64,
    p90: u64,
    p99: u64,
}

impl Point {
    fn new(row: &SimulationRow) -> Self {
        let simulated = &row.simulated;
        Self {
            elo: row.truth.elo,
            model: words::model(row.truth.model),
            pair_chances: row.chances,
            tests: simulated.tests,
            passed: Share::new(simulated.passed),
            failed: Share::new(simulated.failed),
            inconclusive: Share::new(simulated.inconclusive),
            pairs_judged: Pairs::new(&simulated.judged),
            pairs_played: Pairs::new(&simulated.played),
        }
    }
}

impl Share {
    const fn new(Rate { share, error }: Rate) -> Self {
        Self { share, error }
    }
}

impl Pairs {
    const fn new(lengths: &Lengths) -> Self {
        let [p10, p50, p90, p99] = lengths.quantiles;
        Self {
            mean: lengths.mean,
            error: lengths.error,
            p10,
            p50,
            p90,
            p99,
        }
    }
}
