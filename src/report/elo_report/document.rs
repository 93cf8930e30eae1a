//! The figures as a JSON document of format 1.

use serde::Serialize;

use super::{Common, EloReport, Figures};
use crate::report::json::{self, Tool};
use crate::stats::{Model, Verdict};

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    tool: Tool,
    first: Option<&'a str>,
    second: Option<&'a str>,
    over: &'static str,
    games: u64,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    pairs: Option<u64>,
    pentanomial: Option<[u64; 5]>,
    score: f64,
    elo: Option<f64>,
    margin: Option<f64>,
    nelo: Option<f64>,
    nelo_margin: Option<f64>,
    los: Option<f64>,
    draw_ratio: f64,
    pairs_ratio: Option<f64>,
    wl_dd_ratio: Option<f64>,
    sprt: Option<Test>,
}

#[derive(Serialize)]
struct Test {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    verdict: &'static str,
}

impl EloReport {
    /// The figures as a JSON document of format 1. What has no value is null.
    #[must_use]
    pub fn json(&self) -> String {
        json::text(&self.document())
    }

    fn document(&self) -> Document<'_> {
        let Common {
            games,
            points,
            elo,
            elo_error,
            nelo,
            nelo_error,
            los,
            draw_ratio,
            elo_reach: _,
        } = self.common();
        let (pairs, ratios) = match &self.figures {
            Figures::Pairs {
                pairs, figures, wl, ..
            } => {
                let wl_dd = wl.and(finite(figures.wl_dd_ratio));
                (Some(*pairs), (finite(figures.pairs_ratio), wl_dd))
            }
            Figures::Games { .. } => (None, (None, None)),
        };
        let names = self.names.as_ref();
        Document {
            format: json::FORMAT,
            tool: Tool::new("elo"),
            first: names.map(|(first, _)| first.as_str()),
            second: names.map(|(_, second)| second.as_str()),
            over: if pairs.is_some() { "pairs" } else { "games" },
            games,
            wins: self.games.map(|games| games.wins),
            draws: self.games.map(|games| games.draws),
            losses: self.games.map(|games| games.losses),
            pairs: pairs.map(|pairs| pairs.pairs()),
            pentanomial: pairs.map(|pairs| pairs.counts()),
            score: points / games as f64,
            elo: finite(elo),
            margin: finite(elo_error),
            nelo: finite(nelo),
            nelo_margin: finite(nelo_error),
            los: finite(los),
            draw_ratio,
            pairs_ratio: ratios.0,
            wl_dd_ratio: ratios.1,
            sprt: self.test(),
        }
    }

    fn test(&self) -> Option<Test> {
        let judged = self.test.as_ref()?;
        let sprt = &judged.sprt;
        let (lower, upper) = sprt.bounds();
        Some(Test {
            model: match sprt.model() {
                Model::Logistic => "logistic",
                Model::Normalized => "normalized",
                Model::Bayesian(_) => "bayesian",
            },
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            alpha: sprt.alpha(),
            beta: sprt.beta(),
            llr: judged.llr,
            lower,
            upper,
            verdict: match judged.verdict {
                Verdict::Passed => "passed",
                Verdict::Failed => "failed",
                Verdict::Inconclusive => "inconclusive",
            },
        })
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
