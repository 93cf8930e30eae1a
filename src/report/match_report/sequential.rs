//! A sequential test over a match: what decided it, what it measured, or what it will still take.

use std::num::NonZeroU64;

use super::RunningTest;
use crate::stats::{
    Correction, Crossing, Design, Difference, Estimate, Forecast, LOOK, Pentanomial, Rule, Sprt,
    Strength, UnbiasedEstimate, Unfittable, Verdict, Walk, settles, walk_batch,
};

/// How the pairs of a batch are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Judging {
    /// All together, once.
    #[default]
    Totals,
    /// In the order fixed before play, each a count of one, batch by batch.
    Ordered(Vec<Vec<Pentanomial>>),
}

/// A sequential test over this batch and the ones before.
#[derive(Clone, Debug)]
pub(super) struct TestFigures {
    pub(super) sprt: Sprt,
    pub(super) rule: Rule,
    pub(super) prior: Pentanomial,
    pub(super) counts: Pentanomial,
    /// Of all pairs of the test.
    pub(super) llr: f64,
    pub(super) verdict: Verdict,
    /// What all pairs of the test would say if they were judged once.
    pub(super) totals: Verdict,
    /// The look that decided, where pairs are judged in order.
    pub(super) crossing: Option<Crossing>,
    /// Over all pairs of the test.
    pub(super) estimate: Estimate,
    /// At the moment of the verdict; `None` without one.
    pub(super) unbiased: Option<UnbiasedEstimate>,
    /// What an undecided test will still take.
    pub(super) further: Option<Further>,
}

/// What an undecided test will still take, from where it stands.
#[derive(Clone, Debug)]
pub(super) struct Further {
    /// Pairs in one batch, as in this one.
    pub(super) batch: u64,
    /// The chance that another such batch decides, at the measured strength.
    pub(super) settles: f64,
    /// At the measured strength, under H0 and under H1.
    pub(super) measured: Forecast,
    pub(super) elo0: Forecast,
    pub(super) elo1: Forecast,
}

impl TestFigures {
    pub(super) fn new(test: RunningTest, batch: Pentanomial) -> Result<Self, Unfittable> {
        let mut figures = Self::without_forecast(test, batch)?;
        if figures.verdict == Verdict::Inconclusive {
            let Self {
                sprt,
                rule,
                counts,
                llr,
                ..
            } = figures;
            figures.further = Further::new(sprt, rule, counts, llr, batch.pairs());
        }
        Ok(figures)
    }

    /// The same but for what an undecided test will still take: between hypotheses that hardly differ that is no
    /// quick answer.
    pub(super) fn without_forecast(
        test: RunningTest,
        batch: Pentanomial,
    ) -> Result<Self, Unfittable> {
        let RunningTest {
            sprt,
            prior,
            judging,
        } = test;
        let (rule, crossing) = match judging {
            Judging::Totals => (Rule::Totals, None),
            Judging::Ordered(batches) => (Rule::Ordered, walk(sprt, prior, batches)?),
        };
        Self::judged(sprt, [prior, batch], rule, crossing)
    }

    /// What a test says of these pairs, the earlier ones and the batch, when its rule has come to this.
    pub(super) fn judged(
        sprt: Sprt,
        [prior, batch]: [Pentanomial; 2],
        rule: Rule,
        crossing: Option<Crossing>,
    ) -> Result<Self, Unfittable> {
        let counts = prior + batch;
        let llr = sprt.llr(counts)?;
        let totals = sprt.verdict(llr);
        let verdict = match rule {
            Rule::Totals => totals,
            Rule::Ordered => crossing.map_or(Verdict::Inconclusive, |crossing| crossing.verdict),
        };
        let decided = crossing.map_or(counts, |crossing| crossing.pairs);
        let unbiased = match verdict {
            Verdict::Passed | Verdict::Failed => UnbiasedEstimate::of(&sprt, decided),
            Verdict::Inconclusive => None,
        };
        Ok(Self {
            sprt,
            rule,
            prior,
            counts,
            llr,
            verdict,
            totals,
            crossing,
            estimate: Estimate::of(counts),
            unbiased,
            further: None,
        })
    }

    /// The ratio that decided, or the one there is.
    pub(super) fn deciding_llr(&self) -> f64 {
        self.crossing.map_or(self.llr, |crossing| crossing.llr)
    }
}

fn walk(
    sprt: Sprt,
    prior: Pentanomial,
    batches: Vec<Vec<Pentanomial>>,
) -> Result<Option<Crossing>, Unfittable> {
    let mut walk = Walk::new(sprt, Correction::Dynamic, prior)?;
    for batch in batches {
        walk_batch(&mut walk, LOOK, batch)?;
    }
    Ok(walk.crossing().copied())
}

impl Further {
    /// `None` when the pairs show no spread to go by.
    fn new(sprt: Sprt, rule: Rule, counts: Pentanomial, llr: f64, batch: u64) -> Option<Self> {
        let strength = Strength::measured(counts)?;
        let size = NonZeroU64::new(batch)?;
        let design = Design {
            batch: Some(size),
            ..Design::new(sprt, rule)
        };
        let model = sprt.model();
        let under = |elo| Forecast::from(&design, strength.at(Difference { model, elo }), llr);
        Some(Self {
            batch,
            settles: settles(&sprt, rule, strength, llr, batch),
            measured: Forecast::from(&design, strength, llr),
            elo0: under(sprt.elo0()),
            elo1: under(sprt.elo1()),
        })
    }
}
