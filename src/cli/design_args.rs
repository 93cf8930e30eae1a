//! How a sequential test is run and what its games are like, as `plan` and `simulate` are told.

use std::num::NonZeroU64;

use clap::{Args, ValueEnum};

use super::exit::Refused;
use super::number::real;
use super::sprt_args::{
    DEFAULT_RATE, ModelName, Preset, RuleName, five_counts, invalid_test, model,
};
use crate::stats::{Conditions, Correction, Design, LOOK, NoChances, Sprt};

/// The draw ratio when none is given: that of strong engines from a balanced book at a short time control.
const DRAW_RATIO: f64 = 0.6;

/// How the test is run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Test")]
pub(super) struct DesignArgs {
    /// Difference under H0
    #[arg(long, value_name = "ELO", value_parser = real, allow_negative_numbers = true, requires = "elo1")]
    elo0: Option<f64>,
    /// Difference under H1
    #[arg(long, value_name = "ELO", value_parser = real, allow_negative_numbers = true, requires = "elo0")]
    elo1: Option<f64>,
    /// A test by name, in place of --elo0, --elo1 and --model
    #[arg(long, alias = "presets", value_enum, conflicts_with_all = ["elo0", "elo1", "model"])]
    preset: Option<Preset>,
    /// What the differences are in
    #[arg(long, value_enum, default_value_t = ModelName::Logistic)]
    model: ModelName,
    /// Accepted chance to pass when H0 is true
    #[arg(long, value_name = "RATE", value_parser = real, default_value_t = DEFAULT_RATE)]
    alpha: f64,
    /// Accepted chance to fail when H1 is true
    #[arg(long, value_name = "RATE", value_parser = real, default_value_t = DEFAULT_RATE)]
    beta: f64,
    /// How pairs are judged
    #[arg(long, value_enum, default_value_t = RuleName::Totals)]
    verdict: RuleName,
    /// Pairs played in one go; without it a test stops the moment it is decided
    #[arg(long, value_name = "PAIRS")]
    batch: Option<NonZeroU64>,
    /// Pairs from one look to the next, where looks are taken within a batch
    #[arg(long, value_name = "PAIRS", default_value_t = NonZeroU64::new(LOOK).expect("it is not nought"))]
    look: NonZeroU64,
    /// Move the bounds to make up for steps over them [default: on with --verdict ordered]
    #[arg(long, value_enum)]
    correction: Option<CorrectionName>,
    /// Begin no further batch after so many pairs
    #[arg(long, value_name = "PAIRS")]
    cap: Option<NonZeroU64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CorrectionName {
    /// Wald's bounds as they are
    Off,
    /// Bounds moved by what the test's own steps show
    On,
}

impl DesignArgs {
    /// The design asked for; `None` without hypotheses.
    pub(super) fn design(&self) -> Result<Option<Design>, Refused> {
        let preset = self.preset.map(Preset::hypotheses);
        let hypotheses = self.elo0.zip(self.elo1).or(preset);
        let design = hypotheses.map(|(elo0, elo1)| self.design_of(elo0, elo1));
        design.transpose()
    }

    /// Pairs after which no batch is begun.
    pub(super) const fn cap(&self) -> Option<NonZeroU64> {
        self.cap
    }

    /// The design with these hypotheses.
    pub(super) fn design_of(&self, elo0: f64, elo1: f64) -> Result<Design, Refused> {
        if self.model == ModelName::Bayesian {
            let why = "--model bayesian hangs on the draws of real games: plan in --model logistic or normalized";
            return Err(Refused(why.to_owned()));
        }
        let model = model(self.preset, self.model);
        let test = Sprt::new(model, elo0, elo1, self.alpha, self.beta);
        let design = Design::new(test.map_err(invalid_test)?, self.verdict.into());
        let correction = match self.correction {
            None => design.correction,
            Some(CorrectionName::Off) => Correction::Off,
            Some(CorrectionName::On) => Correction::Dynamic,
        };
        Ok(Design {
            look: self.look,
            batch: self.batch,
            correction,
            cap: self.cap,
            ..design
        })
    }
}

/// What the games are like.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub(super) struct ConditionsArgs {
    /// Share of games drawn between equal engines [default: 0.6]
    #[arg(long, value_name = "RATIO", value_parser = real, conflicts_with = "pairs")]
    draw_ratio: Option<f64>,
    /// What an opening is worth to one side, in Elo
    #[arg(long, value_name = "ELO", value_parser = real, default_value_t = 0.0, conflicts_with = "pairs")]
    bias: f64,
    /// Pairs of a real match by score, to be shifted to each true difference
    #[arg(long, value_name = "N,N,N,N,N")]
    pairs: Option<String>,
}

impl ConditionsArgs {
    pub(super) fn conditions(&self) -> Result<Conditions, Refused> {
        let conditions = match &self.pairs {
            Some(pairs) => Conditions::like(five_counts("--pairs", pairs)?),
            None => Conditions::games(self.draw_ratio.unwrap_or(DRAW_RATIO), self.bias),
        };
        conditions.map_err(refused)
    }
}

/// Chances that cannot be had, as a refusal.
pub(super) fn refused(why: NoChances) -> Refused {
    Refused(why.to_string())
}
