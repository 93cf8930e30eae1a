//! From the text of a document to figures that can be shown.

use super::compare::Against;
use super::fields::{Faults, Object};
use super::strict::Strict;
use super::{CheckedReport, LARGEST, sums};
use crate::play::audit::{Fault, FaultKind};
use crate::report::MatchNames;
use crate::report::match_report::{Judged, MatchReport, Recount};
use crate::report::words;
use crate::stats::{Crossing, DrawElo, Model, Pentanomial, Rule, Sprt, Verdict};

/// Pairs of one score, as `--prior-pairs` takes them.
const MOST_PAIRS: u64 = 99_999_999;
/// Fields that follow from the counts. What an undecided test will still take (`further`) is a forecast and not
/// shown; shards, endings and clocks are checked by themselves.
pub(super) const FIELDS: [&str; 20] = [
    "format",
    "games",
    "pairs",
    "unpaired",
    "unfinished",
    "score",
    "paired_score",
    "elo",
    "margin",
    "low",
    "high",
    "los",
    "nelo",
    "nelo_margin",
    "bounded",
    "modelled",
    "pentanomial",
    "line",
    "trailer",
    "sprt",
];
/// Fields of the test that do.
pub(super) const TEST_FIELDS: [&str; 18] = [
    "model",
    "elo0",
    "elo1",
    "llr",
    "alpha",
    "beta",
    "lower",
    "upper",
    "verdict",
    "batch",
    "prior",
    "counts",
    "carried",
    "estimate",
    "rule",
    "crossing",
    "totals_verdict",
    "unbiased",
];

impl CheckedReport {
    /// Reads the JSON document that `match-estimate --format json` printed and works out its figures anew.
    ///
    /// Fields it does not know are passed over: format 1 grows at its ends, and nothing of them is returned.
    ///
    /// # Errors
    /// All faults found, unless the document cannot be read at all: then the first.
    pub fn parse(text: &str) -> Result<Self, Vec<Fault>> {
        let faults = Faults::default();
        let checked = read(text, &faults);
        match checked {
            Some(checked) if faults.none() => Ok(checked),
            Some(_) | None => Err(faults.into_list()),
        }
    }
}

fn read(text: &str, faults: &Faults) -> Option<CheckedReport> {
    if text.len() > LARGEST {
        faults.push(
            FaultKind::Schema,
            format!("it is larger than {LARGEST} bytes"),
        );
        return None;
    }
    let value = match serde_json::from_str(text) {
        Ok(Strict(value)) => value,
        Err(error) => {
            faults.push(
                FaultKind::Schema,
                format!("it is no JSON document: {error}"),
            );
            return None;
        }
    };
    let document = Object::of(&value, "the document", faults)?.at_root();
    check_tool(&document, faults);
    let names = MatchNames {
        candidate: document.text("candidate"),
        baseline: document.text("baseline"),
        tc: document.text("tc"),
    };
    let sums = sums::read(&document, faults);
    let pairs = five_pairs(&document, "pentanomial", faults);
    let test = document
        .optional("sprt")
        .and_then(|test| judged(&test, pairs, faults));
    if !faults.none() {
        return None;
    }
    sums.check(pairs, faults);
    let recount = Recount {
        names,
        games: sums.games,
        points: sums.points,
        unfinished: sums.unfinished,
        pairs,
        test,
    };
    let report = match recount.clone().report() {
        Ok(report) => report,
        Err(error) => {
            faults.push(FaultKind::Arithmetic, error.to_string());
            return None;
        }
    };
    let given = value.as_object()?;
    let against = Against {
        kind: FaultKind::Arithmetic,
        source: "counts",
        faults,
    };
    compare(against, given, &report);
    let version = document.object("tool").map(|tool| tool.text("version"));
    Some(CheckedReport {
        names: recount.names,
        version: version.unwrap_or_default(),
        games: sums.games,
        unpaired: sums.games.saturating_sub(2 * pairs.pairs()),
        unfinished: sums.unfinished,
        score: report.score(),
        pairs,
        estimate: crate::stats::Estimate::of(pairs),
        test: report.checked_test(),
        line: report.line(),
        faults: sums.faults,
        document: given.clone(),
    })
}

/// Holds the fields that follow from counts against the report that they give.
pub(super) fn compare(
    against: Against<'_>,
    given: &serde_json::Map<String, serde_json::Value>,
    report: &MatchReport,
) {
    let mut expected = report.fields();
    let test = expected.remove("sprt");
    against.fields(&FIELDS, given, &expected, "");
    match (
        given.get("sprt").and_then(|sprt| sprt.as_object()),
        test.as_ref().and_then(|sprt| sprt.as_object()),
    ) {
        (Some(given), Some(expected)) => against.fields(&TEST_FIELDS, given, expected, "sprt"),
        (None, None) => {}
        (Some(_), None) | (None, Some(_)) => against
            .faults
            .push(FaultKind::Schema, "`sprt` is neither a test nor null"),
    }
}

fn check_tool(document: &Object<'_>, faults: &Faults) {
    if document.count("format") != 1 {
        faults.push(FaultKind::Schema, "`format` is not 1");
    }
    if let Some(tool) = document.object("tool") {
        tool.word("name", &["mache"]);
        tool.word("command", &["match_estimate"]);
        tool.text("version");
    }
}

fn five_pairs(object: &Object<'_>, key: &str, faults: &Faults) -> Pentanomial {
    let counts = object.five(key);
    if counts.iter().any(|&count| count > MOST_PAIRS) {
        let path = object.path_of(key);
        faults.push(
            FaultKind::Schema,
            format!("`{path}` holds more than {MOST_PAIRS} pairs of one score"),
        );
        return Pentanomial::default();
    }
    Pentanomial::new(counts)
}

fn judged(test: &Object<'_>, batch: Pentanomial, faults: &Faults) -> Option<Judged> {
    let draws = DrawElo::default();
    let models = [Model::Logistic, Model::Normalized, Model::Bayesian(draws)];
    let model = test.word("model", &models.map(words::model));
    let rules = [Rule::Totals, Rule::Ordered];
    let rule = test.word("rule", &rules.map(words::rule));
    let verdicts = [Verdict::Passed, Verdict::Failed, Verdict::Inconclusive];
    let verdict = test.word("verdict", &verdicts.map(words::verdict));
    test.word("totals_verdict", &verdicts.map(words::verdict));
    let prior = five_pairs(test, "prior", faults);
    let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|key| test.number(key));
    let crossed = test
        .optional("crossing")
        .map(|crossing| five_pairs(&crossing, "counts", faults));
    let (model, rule, verdict) = (models[model?], rules[rule?], verdicts[verdict?]);
    let model = match model {
        Model::Logistic | Model::Normalized => model,
        Model::Bayesian(_) => Model::Bayesian(draw_elo(test, faults)?),
    };
    let sprt = match Sprt::new(model, elo0, elo1, alpha, beta) {
        Ok(sprt) => sprt,
        Err(error) => {
            faults.push(FaultKind::Schema, format!("`sprt` is no test: {error}"));
            return None;
        }
    };
    let crossing = match (rule, crossed) {
        (Rule::Totals, _) | (Rule::Ordered, None) => None,
        (Rule::Ordered, Some(pairs)) => Some(crossing(
            &sprt,
            [prior, prior + batch],
            pairs,
            verdict,
            faults,
        )?),
    };
    Some(Judged {
        sprt,
        prior,
        rule,
        crossing,
    })
}

/// What a report says that BayesElo is worth.
fn draw_elo(test: &Object<'_>, faults: &Faults) -> Option<DrawElo> {
    let found = DrawElo::new(test.number("draw_elo"));
    if found.is_none() {
        let path = test.path_of("draw_elo");
        faults.push(FaultKind::Schema, format!("`{path}` is no draw Elo"));
    }
    found
}

/// The look that a report says decided, as far as a report alone can tell.
fn crossing(
    sprt: &Sprt,
    [from, to]: [Pentanomial; 2],
    pairs: Pentanomial,
    verdict: Verdict,
    faults: &Faults,
) -> Option<Crossing> {
    let within = |less: Pentanomial, more: Pentanomial| {
        less.counts()
            .into_iter()
            .zip(more.counts())
            .all(|(less, more)| less <= more)
    };
    let refuse = |what: &str| faults.push(FaultKind::Arithmetic, format!("`sprt.crossing` {what}"));
    if !within(from, pairs) || !within(pairs, to) {
        refuse("is not between the pairs carried and all pairs");
    }
    let llr = sprt.llr(pairs).ok()?;
    let start = sprt.llr(from).ok()?;
    if !reaches(sprt, start, llr, verdict) {
        refuse("is too far from the bound of its verdict, whatever the steps before");
    }
    Some(Crossing {
        verdict,
        pairs,
        llr,
    })
}

/// Whether a ratio can be the one that decided. A bound is moved inwards by at most half of the way that the records
/// of the walk have come ([`crate::stats::Overshoot`]: the mean square over twice the mean of jumps is at most half
/// their sum), and they started inside the bounds, or where the carried pairs stood.
fn reaches(sprt: &Sprt, start: f64, llr: f64, verdict: Verdict) -> bool {
    let (lower, upper) = sprt.bounds();
    match verdict {
        Verdict::Passed => llr >= upper - (llr - start.min(lower)).max(0.0) / 2.0,
        Verdict::Failed => llr <= lower + (start.max(upper) - llr).max(0.0) / 2.0,
        Verdict::Inconclusive => false,
    }
}
