//! What a sequential test says, in sentences.

use super::sequential::{Further, TestFigures};
use super::{MatchReport, lines};
use crate::report::escape::inline;
use crate::report::number::{bound, counted, grouped, grouped_rounded, percent, rounded, short};
use crate::report::words;
use crate::stats::{Forecast, LOOK, Model, Rule, Sprt, UnbiasedEstimate, Verdict};

impl MatchReport {
    pub(super) fn test_sentences(&self, test: &TestFigures) -> String {
        let (hypotheses, verdict) = (lines::hypotheses(&test.sprt), words::verdict(test.verdict));
        let pairs = counted(test.counts.pairs(), "pair");
        let over = match &test.crossing {
            Some(crossing) => format!("at pair {} of {pairs}", grouped(crossing.pairs.pairs())),
            None => format!("over {pairs}"),
        };
        let mut text = format!(
            "**SPRT {hypotheses} {verdict}**, LLR {}, {over}",
            lines::ratio(test)
        );
        text += &carried_sentences(test);
        text += &order_sentences(test);
        text += &draw_sentence(&test.sprt);
        text.push(' ');
        text += &self.meaning(test);
        if let Some(unbiased) = &test.unbiased {
            text += &unbiased_sentences(unbiased);
        }
        if let Some(further) = &test.further {
            text += &further_sentences(further, &test.sprt);
        }
        text
    }

    /// What the verdict says, what it does not say, and what to do next.
    fn meaning(&self, test: &TestFigures) -> String {
        let sprt = &test.sprt;
        let unit = match sprt.model() {
            Model::Logistic => "Elo",
            Model::Normalized => "normalized Elo",
            Model::Bayesian(_) => "BayesElo",
        };
        let (h0, h1) = (bound(sprt.elo0()), bound(sprt.elo1()));
        let rates = error_rates(sprt);
        match test.verdict {
            Verdict::Passed => format!(
                "The pairs speak for H1, a difference of about {h1} {unit}, against H0, about {h0}, {rates}. \
                 That says which of the two is nearer, not that the difference is at least {h1}: \
                 for its size read the estimate."
            ),
            Verdict::Failed => format!(
                "The pairs speak for H0, a difference of about {h0} {unit}, against H1, about {h1}, {rates}. \
                 That does not make {} the weaker engine; the larger difference is what the pairs speak against.",
                inline(&self.names.candidate)
            ),
            Verdict::Inconclusive => format!(
                "The pairs do not decide yet between H0, a difference of about {h0} {unit}, and H1, about {h1}, \
                 {rates}. To go on, play another batch and judge it with `{}`.",
                continuation(test)
            ),
        }
    }
}

/// What the hypotheses come to in logistic Elo, where that hangs on the games.
fn draw_sentence(sprt: &Sprt) -> String {
    match sprt.model() {
        Model::Logistic | Model::Normalized => String::new(),
        Model::Bayesian(draws) => format!(
            " At the draw Elo of these games, {}, that is a test of [{:.2}, {:.2}] Elo.",
            rounded(draws.elo()),
            draws.logistic(sprt.elo0()) + 0.0,
            draws.logistic(sprt.elo1()) + 0.0,
        ),
    }
}

/// How an order decided, and what judging the totals would have said.
fn order_sentences(test: &TestFigures) -> String {
    match (test.rule, &test.crossing) {
        (Rule::Totals, _) => String::new(),
        (Rule::Ordered, None) => format!(
            " The pairs were judged in the order fixed before play, with a look every {LOOK}, and no look met a bound."
        ),
        (Rule::Ordered, Some(_)) => format!(
            " The pairs were judged in the order fixed before play, with a look every {LOOK} and bounds corrected for \
             steps over them; the first to meet one decided. The ratio of all pairs is {:.2}, {} by itself.",
            test.llr,
            words::verdict(test.totals)
        ),
    }
}

/// What was measured, when the moment of stopping is allowed for.
fn unbiased_sentences(unbiased: &UnbiasedEstimate) -> String {
    format!(
        " Allowing for a test that stops when the figure looks decided, the median-unbiased estimate is {}, \
         its 95% interval {} to {}, the likelihood of superiority {}; the plain figures above do not allow \
         for that.",
        unbiased_figure(unbiased.elo, " Elo"),
        unbiased_figure(unbiased.low, ""),
        unbiased_figure(unbiased.high, ""),
        percent(unbiased.los)
    )
}

/// Such a figure, which is looked for within limits.
fn unbiased_figure(elo: f64, unit: &str) -> String {
    let beyond = match elo {
        elo if elo >= UnbiasedEstimate::FARTHEST => " or more",
        elo if elo <= -UnbiasedEstimate::FARTHEST => " or less",
        _ => "",
    };
    format!("{:+.1}{unit}{beyond}", elo + 0.0)
}

/// What an undecided test will still take.
fn further_sentences(further: &Further, sprt: &Sprt) -> String {
    let Further {
        batch,
        settles,
        measured,
        elo0,
        elo1,
    } = further;
    format!(
        " In batches of {}, further pairs to expect: {} at the measured strength, {} at {} and {} at {}. The chance that the \
         next batch decides is {}.",
        counted(*batch, "pair"),
        pairs_to_expect(measured),
        pairs_to_expect(elo0),
        bound(sprt.elo0()),
        pairs_to_expect(elo1),
        bound(sprt.elo1()),
        percent(*settles)
    )
}

fn pairs_to_expect(forecast: &Forecast) -> String {
    format!(
        "{} (median {}, 90% within {})",
        grouped_rounded(forecast.played),
        grouped_rounded(forecast.median),
        grouped_rounded(forecast.ninety)
    )
}

/// Where the pairs of the test come from, and what they come to together.
fn carried_sentences(test: &TestFigures) -> String {
    let prior = test.prior.pairs();
    if prior == 0 {
        return ".".to_owned();
    }
    let batch = test.counts.pairs() - prior;
    let origin = format!(
        ": {} from this batch and {} carried over.",
        grouped(batch),
        grouped(prior)
    );
    match lines::interval(&test.estimate) {
        Some(interval) => {
            format!("{origin} Together they give {interval} Elo, the trailer's figure.")
        }
        None => format!("{origin} Together they leave no interval to give."),
    }
}

/// The test's error rates in words.
fn error_rates(sprt: &Sprt) -> String {
    let (alpha, beta) = (short(100.0 * sprt.alpha()), short(100.0 * sprt.beta()));
    if sprt.alpha() == sprt.beta() {
        return format!("at an error rate of {alpha}% each way");
    }
    format!("at error rates of {alpha}% for a wrong pass and {beta}% for a wrong fail")
}

/// The arguments that carry the test on.
fn continuation(test: &TestFigures) -> String {
    let TestFigures { sprt, counts, .. } = test;
    let mut text = format!(
        "--prior-pairs {counts} --elo0 {} --elo1 {}",
        sprt.elo0(),
        sprt.elo1()
    );
    match sprt.model() {
        Model::Logistic => {}
        Model::Normalized => text += " --model normalized",
        Model::Bayesian(_) => text += " --model bayesian",
    }
    if lines::has_own_rates(sprt) {
        text += &format!(" --alpha {} --beta {}", sprt.alpha(), sprt.beta());
    }
    match test.rule {
        Rule::Totals => {}
        Rule::Ordered => text += " --verdict ordered",
    }
    text
}
