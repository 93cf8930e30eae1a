//! The match as a JSON document of format 1: fields are added at the end, none is removed or changes meaning.

use std::collections::BTreeMap;

use serde::Serialize;

use super::homogeneity_document::{ComparedDocument, DriftDocument};
use super::sequential::TestFigures;
use super::sequential_document::{CrossingDocument, FurtherDocument, UnbiasedDocument};
use super::{InstrumentRow, MatchReport, ShardRow};
use crate::report::endings::EndingsTable;
use crate::report::json::{self, Tool};
use crate::report::words;
use crate::stats::{Estimate, Model};

#[derive(Serialize)]
pub(super) struct Document<'a> {
    format: u32,
    tool: Tool,
    candidate: &'a str,
    baseline: &'a str,
    tc: &'a str,
    games: u64,
    pairs: u64,
    unpaired: u64,
    unfinished: u64,
    score: f64,
    #[serde(flatten)]
    estimate: Figures,
    pentanomial: [u64; 5],
    instruments: BTreeMap<&'a str, Instrument>,
    sprt: Option<Test>,
    shards: Vec<Shard<'a>>,
    terminations: &'a EndingsTable,
    remarks: &'a [String],
    line: String,
    trailer: String,
    homogeneity: Option<ComparedDocument<'a>>,
    cpu_homogeneity: Option<ComparedDocument<'a>>,
    drift: DriftDocument<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anytime: Option<AnytimeDocument>,
}

/// The 95 % interval that is valid at any time, in logistic Elo; null where a side is open.
#[derive(Serialize)]
struct AnytimeDocument {
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Serialize)]
struct Figures {
    paired_score: Option<f64>,
    elo: Option<f64>,
    margin: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    los: Option<f64>,
    nelo: Option<f64>,
    nelo_margin: Option<f64>,
    bounded: &'static str,
    modelled: bool,
}

#[derive(Serialize)]
struct Instrument {
    moves: u64,
    nodes: u64,
    seconds: f64,
    nps: f64,
    least_time_left: Option<f64>,
}

#[derive(Serialize)]
struct Test {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    llr: f64,
    alpha: f64,
    beta: f64,
    lower: f64,
    upper: f64,
    verdict: &'static str,
    batch: [u64; 5],
    prior: [u64; 5],
    counts: [u64; 5],
    carried: String,
    estimate: TestEstimate,
    rule: &'static str,
    crossing: Option<CrossingDocument>,
    totals_verdict: &'static str,
    unbiased: Option<UnbiasedDocument>,
    further: Option<FurtherDocument>,
    /// What the BayesElo of a bayesian test are worth: of the games at hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    draw_elo: Option<f64>,
}

#[derive(Serialize)]
struct TestEstimate {
    games: u64,
    pairs: u64,
    score: f64,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Serialize)]
struct Shard<'a> {
    name: &'a str,
    index: Option<u64>,
    games: u64,
    points: f64,
    score: f64,
    pairs: u64,
    unpaired: u64,
    unfinished: u64,
    faults: u64,
}

impl MatchReport {
    /// The report as a JSON document of format 1.
    #[must_use]
    pub fn json(&self) -> String {
        json::text(&self.document())
    }

    pub(super) fn document(&self) -> Document<'_> {
        let instruments = self.instruments.iter();
        Document {
            format: json::FORMAT,
            tool: Tool::new("match_estimate"),
            candidate: &self.names.candidate,
            baseline: &self.names.baseline,
            tc: &self.names.tc,
            games: self.games,
            pairs: self.pairs.pairs(),
            unpaired: self.unpaired,
            unfinished: self.unfinished,
            score: self.score,
            estimate: Figures::new(&self.estimate),
            pentanomial: self.pairs.counts(),
            instruments: instruments
                .map(|row| (&*row.name, Instrument::new(row)))
                .collect(),
            sprt: self.test.as_ref().map(|test| Test::new(test, self)),
            shards: self.shards.iter().map(Shard::new).collect(),
            terminations: &self.endings,
            remarks: &self.remarks,
            line: self.line(),
            trailer: self.trailer(),
            homogeneity: ComparedDocument::new(&self.agreement.shards),
            cpu_homogeneity: ComparedDocument::new(&self.agreement.cpus),
            drift: DriftDocument::new(&self.agreement.drift),
            anytime: self.anytime.map(|interval| AnytimeDocument {
                low: interval.low,
                high: interval.high,
            }),
        }
    }
}

impl Figures {
    fn new(estimate: &Estimate) -> Self {
        Self {
            paired_score: estimate.paired_score,
            elo: estimate.elo,
            margin: estimate.margin,
            low: estimate.low,
            high: estimate.high,
            los: estimate.los,
            nelo: estimate.nelo,
            nelo_margin: estimate.nelo_margin,
            bounded: estimate.bounded.text(),
            modelled: estimate.modelled,
        }
    }
}

impl Instrument {
    fn new(row: &InstrumentRow) -> Self {
        Self {
            moves: row.moves,
            nodes: row.nodes,
            seconds: json::to_places(row.seconds, 3),
            nps: json::to_places(row.rate, 1),
            least_time_left: row.least_time_left,
        }
    }
}

impl Test {
    fn new(test: &TestFigures, report: &MatchReport) -> Self {
        let sprt = &test.sprt;
        let (lower, upper) = sprt.bounds();
        Self {
            model: words::model(sprt.model()),
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            llr: test.llr,
            alpha: sprt.alpha(),
            beta: sprt.beta(),
            lower,
            upper,
            verdict: words::verdict(test.verdict),
            batch: report.pairs.counts(),
            prior: test.prior.counts(),
            counts: test.counts.counts(),
            carried: test.counts.to_string(),
            estimate: TestEstimate {
                games: 2 * test.counts.pairs(),
                pairs: test.counts.pairs(),
                score: test.estimate.paired_score.unwrap_or(0.0),
                figures: Figures::new(&test.estimate),
            },
            rule: words::rule(test.rule),
            crossing: test.crossing.as_ref().map(CrossingDocument::new),
            totals_verdict: words::verdict(test.totals),
            unbiased: test.unbiased.as_ref().map(UnbiasedDocument::new),
            further: test.further.as_ref().map(FurtherDocument::new),
            draw_elo: match sprt.model() {
                Model::Logistic | Model::Normalized => None,
                Model::Bayesian(draws) => Some(draws.elo()),
            },
        }
    }
}

impl<'a> Shard<'a> {
    fn new(row: &'a ShardRow) -> Self {
        Self {
            name: &row.name,
            index: row.index,
            games: row.games,
            points: row.points,
            score: row.score,
            pairs: row.pairs,
            unpaired: row.unpaired,
            unfinished: row.unfinished,
            faults: row.faults,
        }
    }
}
