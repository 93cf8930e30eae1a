//! A sequential test, as it is asked for on the command line.

use clap::{Args, ValueEnum};

use super::exit::Refused;
use super::number::real;
use crate::report::{Judging, RunningTest};
use crate::stats::{DrawElo, InvalidSprt, Model, Pentanomial, Rule, Sprt};

/// The error rate each way when none is given.
pub(super) const DEFAULT_RATE: f64 = 0.05;
/// No match plays more pairs of one score.
const MOST_PAIRS: u64 = 99_999_999;

/// Flags that make up a sequential test.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sequential test")]
pub(super) struct SprtArgs {
    /// Elo difference under H0
    #[arg(long, value_name = "ELO", value_parser = real, allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// Elo difference under H1
    #[arg(long, value_name = "ELO", value_parser = real, allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// A test by name, in place of --elo0, --elo1 and --model
    #[arg(long, alias = "presets", value_enum, conflicts_with_all = ["elo0", "elo1", "model"])]
    preset: Option<Preset>,
    /// Pairs of the test's earlier batches by score, in the order 0, 0.5, 1, 1.5, 2
    #[arg(long, value_name = "N,N,N,N,N")]
    prior_pairs: Option<String>,
    /// What the hypotheses are differences in
    #[arg(long, value_enum, default_value_t = ModelName::Logistic)]
    model: ModelName,
    /// Accepted chance to pass when H0 is true [default: 0.05]
    #[arg(long, value_name = "RATE", value_parser = real, allow_negative_numbers = true)]
    alpha: Option<f64>,
    /// Accepted chance to fail when H1 is true [default: 0.05]
    #[arg(long, value_name = "RATE", value_parser = real, allow_negative_numbers = true)]
    beta: Option<f64>,
    /// How the pairs are judged
    #[arg(long, value_enum, default_value_t = RuleName::Totals)]
    verdict: RuleName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ModelName {
    /// Elo, from the mean score
    Logistic,
    /// Normalized Elo, from the mean score over its spread
    Normalized,
    /// BayesElo, worth as much Elo as the share of drawn games makes it
    Bayesian,
}

/// A test by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Preset {
    /// A patch that should gain: [0, 2] nElo, as fishtest tests at its short time control
    Gainer,
    /// A patch that should not lose: [-1.75, 0.25] nElo, as fishtest tests simplifications
    NonRegression,
    /// Is anything broken: [-20, 0] nElo, decided within some thousand pairs
    Smoke,
}

impl Preset {
    /// Its hypotheses, in normalized Elo.
    pub(super) const fn hypotheses(self) -> (f64, f64) {
        match self {
            Self::Gainer => (0.0, 2.0),
            Self::NonRegression => (-1.75, 0.25),
            Self::Smoke => (-20.0, 0.0),
        }
    }
}

/// The model of a test that may be one by name.
pub(super) fn model(preset: Option<Preset>, name: ModelName) -> Model {
    preset.map_or_else(|| name.into(), |_| Model::Normalized)
}

/// How pairs are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RuleName {
    /// By the totals of the test, after each batch
    Totals,
    /// In their fixed order: the first look beyond a bound decides
    Ordered,
}

impl From<RuleName> for Rule {
    fn from(name: RuleName) -> Self {
        match name {
            RuleName::Totals => Self::Totals,
            RuleName::Ordered => Self::Ordered,
        }
    }
}

impl SprtArgs {
    /// The test asked for, checked before any file is opened; `None` when none was.
    pub(super) fn test(&self) -> Result<Option<RunningTest>, Refused> {
        let hypotheses = match (self.elo0, self.elo1) {
            (Some(elo0), Some(elo1)) => Some((elo0, elo1)),
            (None, None) => self.preset.map(Preset::hypotheses),
            (Some(_), None) => {
                return refuse("--elo0 wants --elo1 beside it: a test has two hypotheses");
            }
            (None, Some(_)) => {
                return refuse("--elo1 wants --elo0 beside it: a test has two hypotheses");
            }
        };
        let prior = prior_pairs(self.prior_pairs.as_deref().unwrap_or_default())?;
        let Some((elo0, elo1)) = hypotheses else {
            return self.no_test(prior).map(|()| None);
        };
        let rates = [self.alpha, self.beta].map(|rate| rate.unwrap_or(DEFAULT_RATE));
        let model = model(self.preset, self.model);
        let sprt = Sprt::new(model, elo0, elo1, rates[0], rates[1]);
        let sprt = sprt.map_err(invalid_test)?;
        Ok(Some(RunningTest {
            sprt,
            prior,
            judging: Judging::Totals,
        }))
    }

    /// Whether pairs are judged in order.
    pub(super) fn ordered(&self) -> bool {
        self.verdict == RuleName::Ordered
    }

    /// Refuses what belongs to a test when there is none.
    fn no_test(&self, prior: Pentanomial) -> Result<(), Refused> {
        let idle = [
            (self.model == ModelName::Normalized, "--model normalized"),
            (self.model == ModelName::Bayesian, "--model bayesian"),
            (prior.pairs() > 0, "--prior-pairs"),
            (self.alpha.is_some(), "--alpha"),
            (self.beta.is_some(), "--beta"),
            (self.ordered(), "--verdict ordered"),
        ];
        match idle.into_iter().find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, flag)) => refuse(&format!(
                "{flag} is part of a sequential test: give its --elo0 and --elo1 too"
            )),
        }
    }
}

impl From<ModelName> for Model {
    fn from(name: ModelName) -> Self {
        match name {
            ModelName::Logistic => Self::Logistic,
            ModelName::Normalized => Self::Normalized,
            // The draw Elo is that of the games, once they are read.
            ModelName::Bayesian => Self::Bayesian(DrawElo::default()),
        }
    }
}

fn refuse<T>(why: &str) -> Result<T, Refused> {
    Err(Refused(why.to_owned()))
}

/// Five counts with commas between them, blanks around each allowed; none at all is a first batch.
fn prior_pairs(text: &str) -> Result<Pentanomial, Refused> {
    if text.trim().is_empty() {
        return Ok(Pentanomial::default());
    }
    five_counts("--prior-pairs", text)
}

/// The five counts that a flag was given.
pub(super) fn five_counts(flag: &str, text: &str) -> Result<Pentanomial, Refused> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let whole = |field: &&str| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
    let (5, true) = (fields.len(), fields.iter().all(whole)) else {
        return refuse(&format!(
            "{flag} '{text}' is not five whole numbers with commas between them, such as 2,9,36,19,9"
        ));
    };
    let mut counts = [0; 5];
    for (count, field) in counts.iter_mut().zip(fields) {
        *count = match field.parse() {
            Ok(pairs) if pairs <= MOST_PAIRS => pairs,
            Ok(_) | Err(_) => {
                return refuse(&format!(
                    "{flag} holds {field} pairs of one score; no match plays more than {MOST_PAIRS}"
                ));
            }
        };
    }
    Ok(Pentanomial::new(counts))
}

/// What does not make a test, as a refusal.
pub(super) fn invalid_test(invalid: InvalidSprt) -> Refused {
    Refused(by_flag(&invalid))
}

/// Names the flag that has to change.
fn by_flag(invalid: &InvalidSprt) -> String {
    match *invalid {
        InvalidSprt::ErrorRate { rate, value } => format!(
            "--{} {value} is no error rate: it has to lie between 0 and 0.5, both ends excluded",
            rate.name()
        ),
        InvalidSprt::Difference {
            hypothesis,
            value,
            cap,
        } => format!(
            "--{} {value} is no Elo difference: it has to lie between -{cap} and {cap} under this model",
            hypothesis.name()
        ),
        InvalidSprt::Order { elo0, elo1 } => {
            format!("--elo0 {elo0} is not below --elo1 {elo1}: H0 is the smaller difference")
        }
    }
}
