//! `mache ci dispatch`: the next run of a test, started by hand as GitHub calls it.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::JobArgs;
use super::game_args::refused;
use crate::ci::Token;
use crate::ci::event::{inputs_of_process, texts};
use crate::ci::github::GitHub;
use crate::cli::exit::{self, Refused};

/// Bytes all inputs of a workflow may have.
const LONGEST_INPUTS: usize = 65_535;

/// Start the next run of a test that is inconclusive after its batches
///
/// The workflow is started by workflow_dispatch with the inputs it has now and the token as its input `continue`. Needs
/// GITHUB_TOKEN with actions: write. Without a token nothing is started.
#[derive(Debug, Args)]
pub(super) struct Dispatch {
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
struct StartArgs {
    /// What `mache ci next-batch` put out
    #[arg(
        long = "continue",
        value_name = "TOKEN",
        default_value = "",
        hide_default_value = true
    )]
    token: String,
    /// File of the workflow to start [default: that of this run]
    #[arg(long, value_name = "FILE")]
    workflow: Option<String>,
    /// Branch or tag it is started on [default: that of this run]
    #[arg(long = "ref", value_name = "REF")]
    reference: Option<String>,
    /// Its other inputs, as a JSON object of texts [default: those of this run, when it was started the same way]
    #[arg(long, value_name = "JSON")]
    inputs: Option<String>,
    /// Seconds GitHub has to answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
}

impl Dispatch {
    /// Starts the run, and says whether one was started.
    ///
    /// # Errors
    /// When the token is none, what to start is not known, or GitHub does not want to.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache dispatch");
        if self.start.token.trim().is_empty() {
            job.output("started", "false", out)?;
            job.notice("there is nothing to go on with");
            return Ok(exit::ANSWERED);
        }
        // Whatever it came through, only a token of ours starts anything, and it says how many runs there were.
        let token = Token::parse(self.start.token.trim()).map_err(refused)?;
        let (workflow, reference) = (self.start.workflow()?, self.start.reference()?);
        let mut inputs = self.start.inputs()?;
        inputs.insert("continue".to_owned(), token.json());
        GitHub::of_process(Duration::from_secs(self.start.timeout))?
            .dispatch(&GitHub::repository()?, &workflow, &reference, &inputs)
            .with_context(|| {
                format!(
                    "cannot start `{}` on `{}`; it needs a workflow_dispatch with an input `continue`",
                    workflow.escape_debug(),
                    reference.escape_debug()
                )
            })?;
        job.output("started", "true", out)?;
        job.notice(&format!(
            "started run {} of {} of the test: {workflow} on {reference}",
            token.run() + 1,
            token.max_runs()
        ));
        Ok(exit::ANSWERED)
    }
}

impl StartArgs {
    /// The file's name: that given, else of the workflow that runs, `owner/name/.github/workflows/FILE@REF`.
    fn workflow(&self) -> Result<String, Refused> {
        let own = || {
            let whole = variable("GITHUB_WORKFLOW_REF")?;
            let path = whole.split('@').next()?;
            path.rsplit('/').next().map(str::to_owned)
        };
        let file = self.workflow.clone().or_else(own).unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || "._- ".contains(c);
        if !file.is_empty()
            && file.len() <= 255
            && !file.starts_with('.')
            && file.chars().all(plain)
        {
            return Ok(file);
        }
        let shown: String = file.chars().take(80).collect();
        Err(Refused(format!(
            "`{}` is no file of a workflow: give its name, such as sprt.yml",
            shown.escape_debug()
        )))
    }

    fn reference(&self) -> Result<String, Refused> {
        let own = || variable("GITHUB_REF_NAME");
        self.reference
            .clone()
            .or_else(own)
            .ok_or_else(|| Refused("give --ref: the branch or tag to start on".to_owned()))
    }

    fn inputs(&self) -> anyhow::Result<BTreeMap<String, String>> {
        let given = self.inputs.as_deref().unwrap_or_default().trim();
        let given = if given.is_empty() { "{}" } else { given };
        let values = serde_json::from_str(given)
            .ok()
            .filter(|_| given.len() <= LONGEST_INPUTS)
            .ok_or_else(|| Refused("the inputs are no JSON object".to_owned()))?;
        let given = texts(values);
        if given.is_empty() {
            return Ok(inputs_of_process()?);
        }
        Ok(given)
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
