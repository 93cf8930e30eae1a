//! The sequential test of a match, as a step of a workflow is told of it.

use clap::Args;

/// Inputs that make up a test; without `--sprt` they are not looked at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sequential test")]
pub(super) struct TestInputs {
    /// Judge a sequential test
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = false,
        default_missing_value = "true",
        action = clap::ArgAction::Set
    )]
    sprt: bool,
    /// A test by name, in place of hypotheses and model, as --preset of `mache match-estimate`
    #[arg(long, value_name = "PRESET")]
    preset: Option<String>,
    /// Elo difference under H0
    #[arg(
        long,
        value_name = "ELO",
        default_value = "0",
        allow_hyphen_values = true
    )]
    elo0: String,
    /// Elo difference under H1
    #[arg(
        long,
        value_name = "ELO",
        default_value = "10",
        allow_hyphen_values = true
    )]
    elo1: String,
    /// Pairs of the test's earlier batches by score, in the order 0, 0.5, 1, 1.5, 2
    #[arg(long, value_name = "N,N,N,N,N")]
    prior_pairs: Option<String>,
    /// What the hypotheses are differences in, as --model of `mache match-estimate`
    #[arg(long, value_name = "MODEL")]
    sprt_model: Option<String>,
    /// Accepted chance to pass when H0 is true [default: 0.05]
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    alpha: Option<String>,
    /// Accepted chance to fail when H1 is true [default: 0.05]
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    beta: Option<String>,
    /// How the pairs are judged, as --verdict of `mache match-estimate`
    #[arg(long, value_name = "RULE")]
    verdict_rule: Option<String>,
}

impl TestInputs {
    /// The test in the words of `mache match-estimate`; none without one.
    pub(super) fn words(&self) -> Vec<String> {
        if !self.sprt && self.preset.is_none() {
            return Vec::new();
        }
        let own = |value| self.preset.is_none().then_some(value);
        let flags = [
            ("preset", self.preset.as_ref()),
            ("elo0", own(&self.elo0)),
            ("elo1", own(&self.elo1)),
            ("model", self.sprt_model.as_ref().and_then(own)),
            ("prior-pairs", self.prior_pairs.as_ref()),
            ("alpha", self.alpha.as_ref()),
            ("beta", self.beta.as_ref()),
            ("verdict", self.verdict_rule.as_ref()),
        ];
        let given = flags
            .into_iter()
            .filter_map(|(flag, value)| Some((flag, value?)));
        given
            .map(|(flag, value)| format!("--{flag}={value}"))
            .collect()
    }
}
