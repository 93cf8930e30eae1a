//! The sequential test that a match may be.

use clap::{ArgAction, Args};

use crate::ci::Settings;
use crate::cli::exit::Refused;
use crate::cli::number::real;
use crate::cli::sprt_args::{ModelName, Preset, RuleName, five_counts, invalid_test, model};
use crate::stats::{InvalidSprt, Model, Pentanomial, Rule, Sprt};

/// Flags of a test. None of its numbers is looked at unless there is one.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sequential test")]
pub(super) struct TestArgs {
    /// Judge a test of H1 against H0
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = false,
        default_missing_value = "true",
        action = ArgAction::Set
    )]
    sprt: bool,
    /// A test by name, in place of --elo0, --elo1 and --sprt-model
    #[arg(long, value_enum)]
    preset: Option<Preset>,
    /// Difference under H0 [default: 0]
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo0: Option<String>,
    /// Difference under H1 [default: 10]
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo1: Option<String>,
    /// Pairs of the test's earlier batches by score, in the order 0, 0.5, 1, 1.5, 2
    #[arg(
        long,
        value_name = "N,N,N,N,N",
        default_value = "",
        hide_default_value = true
    )]
    prior_pairs: String,
    /// What the hypotheses are differences in [default: logistic]
    #[arg(long, value_enum)]
    sprt_model: Option<ModelName>,
    /// Accepted chance to pass when H0 is true
    #[arg(
        long,
        value_name = "RATE",
        default_value = "0.05",
        allow_hyphen_values = true
    )]
    alpha: String,
    /// Accepted chance to fail when H1 is true
    #[arg(
        long,
        value_name = "RATE",
        default_value = "0.05",
        allow_hyphen_values = true
    )]
    beta: String,
    /// How the pairs are judged
    #[arg(long, value_enum, default_value_t = RuleName::Totals)]
    verdict_rule: RuleName,
}

/// A test that can be judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedTest {
    pub(super) sprt: Sprt,
    pub(super) rule: Rule,
    /// Pairs of earlier batches.
    pub(super) prior: Pentanomial,
}

impl TestArgs {
    /// The test asked for; `None` when none was.
    pub(super) fn test(&self) -> Result<Option<PlannedTest>, Refused> {
        if !self.sprt && self.preset.is_none() {
            return Ok(None);
        }
        let (model, elo0, elo1) = self.hypotheses()?;
        let [alpha, beta] = numbers(["alpha", "beta"], [&self.alpha, &self.beta])?;
        let prior = prior(&self.prior_pairs)?;
        let sprt = Sprt::new(model, elo0, elo1, alpha, beta).map_err(refused)?;
        Ok(Some(PlannedTest {
            sprt,
            rule: self.verdict_rule.into(),
            prior,
        }))
    }

    /// The test in the words of `mache match-estimate`; none without one.
    pub(super) fn words(&self) -> Result<Vec<String>, Refused> {
        Ok(self.test()?.iter().flat_map(PlannedTest::words).collect())
    }

    fn hypotheses(&self) -> Result<(Model, f64, f64), Refused> {
        let Self {
            elo0,
            elo1,
            sprt_model,
            preset,
            ..
        } = self;
        let given = elo0.is_some() || elo1.is_some() || sprt_model.is_some();
        let model = model(*preset, sprt_model.unwrap_or(ModelName::Logistic));
        match preset {
            Some(_) if given => Err(Refused(
                "a preset stands in for elo0, elo1 and sprt_model: give it or them".to_owned(),
            )),
            Some(preset) => {
                let (elo0, elo1) = preset.hypotheses();
                Ok((model, elo0, elo1))
            }
            None => {
                let texts = [
                    elo0.as_deref().unwrap_or("0"),
                    elo1.as_deref().unwrap_or("10"),
                ];
                let [elo0, elo1] = numbers(["elo0", "elo1"], texts)?;
                Ok((model, elo0, elo1))
            }
        }
    }
}

impl PlannedTest {
    /// Adds the test to a plan.
    pub(super) fn enter(&self, plan: &mut Settings) {
        plan.set("elo0", self.sprt.elo0());
        plan.set("elo1", self.sprt.elo1());
        plan.set("alpha", self.sprt.alpha());
        plan.set("beta", self.sprt.beta());
        plan.set("sprt_model", model_word(self.sprt.model()));
        plan.set("verdict_rule", rule_word(self.rule));
        if self.prior.pairs() > 0 {
            plan.set("prior_pairs", self.prior);
        }
    }

    fn words(&self) -> [String; 7] {
        let Self { sprt, rule, prior } = self;
        [
            format!("--elo0={}", sprt.elo0()),
            format!("--elo1={}", sprt.elo1()),
            format!("--alpha={}", sprt.alpha()),
            format!("--beta={}", sprt.beta()),
            format!("--model={}", model_word(sprt.model())),
            format!("--verdict={}", rule_word(*rule)),
            format!("--prior-pairs={prior}"),
        ]
    }
}

const fn model_word(model: Model) -> &'static str {
    match model {
        Model::Logistic => "logistic",
        Model::Normalized => "normalized",
        Model::Bayesian(_) => "bayesian",
    }
}

const fn rule_word(rule: Rule) -> &'static str {
    match rule {
        Rule::Totals => "totals",
        Rule::Ordered => "ordered",
    }
}

fn numbers(names: [&str; 2], texts: [&str; 2]) -> Result<[f64; 2], Refused> {
    match texts.map(real) {
        [Ok(first), Ok(second)] => Ok([first, second]),
        [_, _] => {
            let ([one, other], [first, second]) = (names, texts);
            Err(Refused(format!(
                "{one} and {other} must be numbers, such as 0.05 or 5, not '{first}' and '{second}'"
            )))
        }
    }
}

/// Five counts, blanks around each allowed; none at all is a first batch.
fn prior(text: &str) -> Result<Pentanomial, Refused> {
    if text.trim().is_empty() {
        return Ok(Pentanomial::default());
    }
    five_counts("prior_pairs", text).map_err(|Refused(why)| {
        Refused(format!(
            "{why}; it is a count for each of the five pair scores"
        ))
    })
}

fn refused(invalid: InvalidSprt) -> Refused {
    match invalid {
        InvalidSprt::Order { elo0, elo1 } => Refused(format!(
            "elo0 must be below elo1, not {elo0} and {elo1}: H0 is the smaller difference"
        )),
        other => invalid_test(other),
    }
}
