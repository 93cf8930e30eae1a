//! `mache ci resolve-ref`: the commit of a side.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::JobArgs;
use super::game_args::refused;
use crate::ci::{Ask, Checkout, RefError, RefName, Resolved, Surroundings, WhenEmpty, resolve};
use crate::cli::exit;

/// Find the commit that a branch, tag, commit or pull request number names, in the checkout we are in
///
/// What it names is built and run. So it is looked for only on triggers of people who may write to the repository; on
/// pull_request its own head, their merge base, and what the repository itself names.
#[derive(Debug, Args)]
pub(super) struct ResolveRef {
    #[command(flatten)]
    reference: RefArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Ref")]
struct RefArgs {
    /// Branch, tag, commit, or number of a pull request; refs/heads/7 is a branch called 7
    #[arg(
        long = "ref",
        value_name = "REF",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    reference: String,
    /// What an empty ref means
    #[arg(long, value_enum, default_value = "fail")]
    when_empty: WhenEmptyArg,
    /// Tags that last-release looks through
    #[arg(
        long,
        value_name = "GLOB",
        default_value = "v[0-9]*",
        allow_hyphen_values = true
    )]
    release_glob: String,
    /// What an error calls this side
    #[arg(long, value_name = "TEXT", default_value = "the ref")]
    label: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WhenEmptyArg {
    /// The commit the workflow runs for, the head of a pull request
    Head,
    /// The newest tag that is no pre-release, but that of this run
    LastRelease,
    /// Where a pull request parted from its base
    MergeBase,
    /// A mistake
    Fail,
}

impl ResolveRef {
    /// Resolves, and puts name and commit out; both are empty when there is no release.
    ///
    /// # Errors
    /// When there is no such commit, or the trigger does not allow to ask.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache resolve-ref");
        let resolved = self.reference.resolve();
        let resolved = resolved.with_context(|| self.reference.cannot())?;
        let (name, sha) = match &resolved {
            Some(found) => (found.name.as_str(), found.commit.as_str()),
            None => ("", ""),
        };
        job.output("name", name, out)?;
        job.output("sha", sha, out)?;
        let label = &self.reference.label;
        match &resolved {
            Some(found) => job.notice(&format!("{label} is {name}, {}", found.commit.short())),
            None => job.notice(&format!("{label}: there is no release yet")),
        }
        Ok(exit::ANSWERED)
    }
}

impl RefArgs {
    fn resolve(&self) -> anyhow::Result<Option<Resolved>> {
        let name = match RefName::parse(&self.reference) {
            Err(error @ RefError::Name(_)) => return Err(refused(error).into()),
            other => other?,
        };
        let ask = Ask {
            name,
            when_empty: self.when_empty.into(),
            release_glob: self.release_glob.clone(),
        };
        let checkout =
            Checkout::at(Path::new(".")).context("this is no checkout of a repository")?;
        Ok(resolve(&ask, &checkout, &surroundings())?)
    }

    /// `cannot resolve the baseline v9`.
    fn cannot(&self) -> String {
        let Self {
            label, reference, ..
        } = self;
        match reference.trim() {
            "" => format!("cannot resolve {label} from its default"),
            given => {
                let shown: String = given.chars().take(80).collect();
                format!("cannot resolve {label} `{}`", shown.escape_debug())
            }
        }
    }
}

impl From<WhenEmptyArg> for WhenEmpty {
    fn from(word: WhenEmptyArg) -> Self {
        match word {
            WhenEmptyArg::Head => Self::Head,
            WhenEmptyArg::LastRelease => Self::LastRelease,
            WhenEmptyArg::MergeBase => Self::MergeBase,
            WhenEmptyArg::Fail => Self::Fail,
        }
    }
}

/// What the runner says of this workflow. It sets these itself; no step can change them for another.
fn surroundings() -> Surroundings {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    Surroundings {
        trigger: variable("GITHUB_EVENT_NAME"),
        ref_name: variable("GITHUB_REF_NAME"),
        commit: variable("GITHUB_SHA"),
        event: variable("GITHUB_EVENT_PATH").map(PathBuf::from),
    }
}
