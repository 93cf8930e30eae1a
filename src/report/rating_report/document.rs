//! The rating as a JSON document of format 1: fields are added at the end, none is removed or changes meaning.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{LadderEntry, RatingReport, Row};
use crate::report::json::{self, Tool};
use crate::stats::rating::{Agreement, CONFIDENCE, Gauntlet, Rated};

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    tool: Tool,
    engine: &'a str,
    #[serde(serialize_with = "in_order")]
    ladder: &'a [LadderEntry],
    pairings: Vec<Pairing<'a>>,
    rating: Option<f64>,
    margin: Option<f64>,
    games: u64,
    bounded: String,
    scale: &'a str,
    note: String,
    remarks: &'a [String],
    line: String,
    pairs: u64,
    unpaired: u64,
    pair_margin: Option<f64>,
    interval: Interval,
    modelled: bool,
    agreement: Option<AgreementDocument>,
}

/// A field named `ccrl` holds the rating whatever the scale, for readers that know no other.
#[derive(Serialize)]
struct Pairing<'a> {
    opponent: &'a str,
    ccrl: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    games: u64,
    score: f64,
    implied: f64,
    rating: f64,
    pairs: u64,
    residual: Option<f64>,
}

#[derive(Serialize)]
struct Interval {
    method: &'static str,
    confidence: f64,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Serialize)]
struct AgreementDocument {
    chi_square: f64,
    degrees: u64,
    p_value: f64,
}

impl RatingReport {
    /// The report as a JSON document of format 1.
    #[must_use]
    pub fn json(&self) -> String {
        json::text(&self.document())
    }

    fn document(&self) -> Document<'_> {
        let rated = self.rated();
        Document {
            format: json::FORMAT,
            tool: Tool::new("rating_estimate"),
            engine: &self.engine,
            ladder: &self.ladder,
            pairings: self.rows.iter().map(Pairing::new).collect(),
            rating: rated.map(|rated| rated.rating),
            margin: rated.map(|rated| rated.margin),
            games: self.games,
            bounded: self.bounded(),
            scale: &self.scale,
            note: self.note(),
            remarks: &self.remarks,
            line: self.line(),
            pairs: self.pairs,
            unpaired: self.games - 2 * self.pairs,
            pair_margin: rated.and_then(|rated| rated.pair_margin),
            interval: Interval::new(&self.fit),
            modelled: rated.is_some_and(|rated| rated.modelled),
            agreement: rated
                .and_then(|rated| rated.agreement)
                .map(AgreementDocument::new),
        }
    }

    fn rated(&self) -> Option<&Rated> {
        match &self.fit {
            Gauntlet::Rated(rated) => Some(rated),
            Gauntlet::Above(_) | Gauntlet::Below(_) => None,
        }
    }
}

impl<'a> Pairing<'a> {
    fn new(row: &'a Row) -> Self {
        let (rung, record) = (&row.rung, row.rung.record());
        Self {
            opponent: &row.opponent,
            ccrl: rung.rating(),
            wins: record.wins(),
            draws: record.draws(),
            losses: record.losses(),
            games: record.games(),
            score: rung.score(),
            implied: rung.implied(),
            rating: rung.rating(),
            pairs: record.pairs(),
            residual: row.residual,
        }
    }
}

impl Interval {
    fn new(fit: &Gauntlet) -> Self {
        let (method, low, high) = match fit {
            Gauntlet::Rated(rated) => ("profile likelihood", Some(rated.low), Some(rated.high)),
            Gauntlet::Above(bound) => ("one-sided", Some(bound.rating), None),
            Gauntlet::Below(bound) => ("one-sided", None, Some(bound.rating)),
        };
        Self {
            method,
            confidence: CONFIDENCE,
            low,
            high,
        }
    }
}

impl AgreementDocument {
    fn new(agreement: Agreement) -> Self {
        Self {
            chi_square: agreement.chi_square,
            degrees: agreement.degrees,
            p_value: agreement.p_value,
        }
    }
}

/// A map from name to rating in the order of the ladder, where no name stands twice.
fn in_order<S: Serializer>(ladder: &[LadderEntry], writer: S) -> Result<S::Ok, S::Error> {
    let mut map = writer.serialize_map(Some(ladder.len()))?;
    for entry in ladder {
        map.serialize_entry(&entry.name, &entry.rating)?;
    }
    map.end()
}
