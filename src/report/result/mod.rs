//! A match's result as another job left it: a JSON document of format 1, read as a stranger's.

mod comment;

use serde::Deserialize;

use super::json::FORMAT;
use crate::stats::{self, Pentanomial, Sprt, Verdict};

/// Bytes a result may have.
const LONGEST: usize = 4 << 20;
/// Elo figures beyond this are no figures.
const LARGEST: f64 = 1e6;

/// Why a document is not taken for a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoResult {
    /// No result is that long.
    #[error("the result has {0} bytes; none has more than {LONGEST}")]
    Long(usize),
    /// Not JSON, or a field is missing or of another kind.
    #[error("the result is no JSON document of format {FORMAT}")]
    Json(#[from] serde_json::Error),
    /// Another format or another program's.
    #[error("the result is not mache's match_estimate of format {FORMAT}")]
    Other,
    /// Figures that do not go together.
    #[error("the result contradicts itself: {0}")]
    Arithmetic(&'static str),
}

/// A result whose figures go together. Its names are a stranger's and are escaped where they are shown.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MatchResult {
    format: u32,
    tool: Tool,
    candidate: String,
    baseline: String,
    tc: String,
    games: u64,
    pairs: u64,
    elo: Option<f64>,
    margin: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    pentanomial: [u64; 5],
    sprt: Option<TestResult>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Tool {
    name: String,
    command: String,
}

/// What a sequential test came to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct TestResult {
    model: Model,
    elo0: f64,
    elo1: f64,
    llr: f64,
    alpha: f64,
    beta: f64,
    lower: f64,
    upper: f64,
    verdict: ResultVerdict,
    batch: [u64; 5],
    prior: [u64; 5],
    counts: [u64; 5],
    #[serde(default)]
    rule: Rule,
    #[serde(default)]
    crossing: Option<Crossing>,
    #[serde(default)]
    further: Option<Further>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Rule {
    #[default]
    Totals,
    Ordered,
}

/// The look that decided.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Crossing {
    llr: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Model {
    Logistic,
    Normalized,
    Bayesian,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultVerdict {
    /// H1 was accepted.
    Passed,
    /// H0 was accepted.
    Failed,
    /// Neither yet.
    Inconclusive,
}

impl ResultVerdict {
    /// `passed`, `failed` or `inconclusive`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// What an open test is expected to take.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Further {
    measured: Forecast,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Forecast {
    pairs: f64,
    pairs_p90: f64,
}

impl MatchResult {
    /// Reads a result and checks that its figures go together: the one place where a stranger's result becomes ours.
    ///
    /// # Errors
    /// When it is none, or they do not.
    pub fn parse(text: &str) -> Result<Self, NoResult> {
        if text.len() > LONGEST {
            return Err(NoResult::Long(text.len()));
        }
        let result: Self = serde_json::from_str(text)?;
        let tool = (result.tool.name.as_str(), result.tool.command.as_str());
        if result.format != FORMAT || tool != ("mache", "match_estimate") {
            return Err(NoResult::Other);
        }
        result.check().map_err(NoResult::Arithmetic)?;
        Ok(result)
    }

    /// What the test says; `None` without a test.
    #[must_use]
    pub fn verdict(&self) -> Option<ResultVerdict> {
        self.sprt.as_ref().map(|test| test.verdict)
    }

    fn check(&self) -> Result<(), &'static str> {
        let pairs = sum(&self.pentanomial).ok_or("counts beyond all bounds")?;
        if pairs != self.pairs {
            return Err("its counts are not its pairs");
        }
        if pairs
            .checked_mul(2)
            .is_none_or(|played| played > self.games)
        {
            return Err("it has fewer games than pairs ask for");
        }
        let figures = [self.elo, self.margin, self.low, self.high];
        if figures
            .iter()
            .flatten()
            .any(|figure| figure.abs() > LARGEST)
        {
            return Err("figures beyond all bounds");
        }
        if let (Some(low), Some(elo), Some(high)) = (self.low, self.elo, self.high)
            && !(low <= elo && elo <= high)
        {
            return Err("its figure is outside its interval");
        }
        self.sprt
            .as_ref()
            .map_or(Ok(()), |test| test.check(&self.pentanomial))
    }
}

impl TestResult {
    fn check(&self, pairs: &[u64; 5]) -> Result<(), &'static str> {
        let pooled =
            |at: usize| self.batch[at].checked_add(self.prior[at]) == Some(self.counts[at]);
        if self.batch != *pairs || !(0..5).all(pooled) || sum(&self.counts).is_none() {
            return Err("the counts of its test do not add up");
        }
        if self
            .further
            .is_some_and(|further| !further.measured.is_sound())
        {
            return Err("its test cannot be");
        }
        let model = match self.model {
            Model::Logistic | Model::Bayesian => stats::Model::Logistic,
            Model::Normalized => stats::Model::Normalized,
        };
        let sprt = Sprt::new(model, self.elo0, self.elo1, self.alpha, self.beta);
        let sprt = sprt.map_err(|_| "its test cannot be")?;
        let near = |found: f64, wanted: f64| (found - wanted).abs() <= 1e-6 * wanted.abs().max(1.0);
        let (lower, upper) = sprt.bounds();
        if !near(self.lower, lower) || !near(self.upper, upper) {
            return Err("its bounds are not those of its error rates");
        }
        let llr = sprt.llr(Pentanomial::new(self.counts));
        match self.model {
            // That hangs on the draw Elo of the games too, which only the games can tell.
            Model::Bayesian => {}
            Model::Logistic | Model::Normalized => {
                if !near(self.llr, llr.map_err(|_| "its test cannot be")?) {
                    return Err("its ratio is not that of its counts");
                }
            }
        }
        if self.decided(&sprt) != self.verdict {
            return Err("its verdict is not that of its figures");
        }
        Ok(())
    }

    /// What the figures say. Where the order of the pairs decides, the pair that did is a matter of the games: the side
    /// it fell on has to be that of its ratio.
    fn decided(&self, sprt: &Sprt) -> ResultVerdict {
        match (self.rule, &self.crossing) {
            (Rule::Totals, _) => match sprt.verdict(self.llr) {
                Verdict::Passed => ResultVerdict::Passed,
                Verdict::Failed => ResultVerdict::Failed,
                Verdict::Inconclusive => ResultVerdict::Inconclusive,
            },
            (Rule::Ordered, None) => ResultVerdict::Inconclusive,
            (Rule::Ordered, Some(crossing)) if crossing.llr > 0.0 => ResultVerdict::Passed,
            (Rule::Ordered, Some(_)) => ResultVerdict::Failed,
        }
    }
}

impl Forecast {
    fn is_sound(&self) -> bool {
        [self.pairs, self.pairs_p90]
            .iter()
            .all(|pairs| (0.0..1e15).contains(pairs))
    }
}

fn sum(counts: &[u64; 5]) -> Option<u64> {
    counts
        .iter()
        .try_fold(0_u64, |sum, count| sum.checked_add(*count))
}

#[cfg(test)]
mod tests;
