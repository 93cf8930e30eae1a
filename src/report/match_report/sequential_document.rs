//! The parts of the JSON document that a sequential test adds to the reference's.

use serde::Serialize;

use super::sequential::Further;
use crate::stats::{Crossing, Forecast, UnbiasedEstimate};

#[derive(Serialize)]
pub(super) struct CrossingDocument {
    pairs: u64,
    llr: f64,
    counts: [u64; 5],
}

#[derive(Serialize)]
pub(super) struct UnbiasedDocument {
    elo: f64,
    low: f64,
    high: f64,
    los: f64,
}

#[derive(Serialize)]
pub(super) struct FurtherDocument {
    batch: u64,
    next_batch_settles: f64,
    measured: ForecastDocument,
    elo0: ForecastDocument,
    elo1: ForecastDocument,
}

#[derive(Serialize)]
struct ForecastDocument {
    passed: f64,
    pairs: f64,
    pairs_p50: f64,
    pairs_p90: f64,
}

impl CrossingDocument {
    pub(super) fn new(crossing: &Crossing) -> Self {
        Self {
            pairs: crossing.pairs.pairs(),
            llr: crossing.llr,
            counts: crossing.pairs.counts(),
        }
    }
}

impl UnbiasedDocument {
    pub(super) const fn new(estimate: &UnbiasedEstimate) -> Self {
        let UnbiasedEstimate {
            elo,
            low,
            high,
            los,
        } = *estimate;
        Self {
            elo,
            low,
            high,
            los,
        }
    }
}

impl FurtherDocument {
    pub(super) const fn new(further: &Further) -> Self {
        Self {
            batch: further.batch,
            next_batch_settles: further.settles,
            measured: ForecastDocument::new(&further.measured),
            elo0: ForecastDocument::new(&further.elo0),
            elo1: ForecastDocument::new(&further.elo1),
        }
    }
}

impl ForecastDocument {
    const fn new(forecast: &Forecast) -> Self {
        Self {
            passed: forecast.passed,
            pairs: forecast.played,
            pairs_p50: forecast.median,
            pairs_p90: forecast.ninety,
        }
    }
}
