//! From the name of a version to its commit.
//!
//! The commit is built and run, so who may choose it matters: a ref is resolved only on triggers that somebody with
//! write access starts, or in the workflow of a pull request, which has neither secrets nor a token that writes.

mod checkout;
mod name;

pub use checkout::Checkout;
pub use name::RefName;

use std::path::PathBuf;

use super::event::Commit;
use super::{NoPullRequest, PullRequest};
use crate::play::program::ProgramError;

/// Triggers of people who may write to the repository.
const TRUSTED: [&str; 4] = ["workflow_dispatch", "push", "schedule", "release"];
/// The trigger of pull requests that gives them no rights.
const PULL_REQUEST: &str = "pull_request";

/// What an empty ref means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenEmpty {
    /// The commit the workflow runs for; for a pull request its head.
    Head,
    /// The newest release before it.
    LastRelease,
    /// Where a pull request parted from its base.
    MergeBase,
    /// A mistake.
    Fail,
}

/// What is to be resolved.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The ref given.
    pub name: Option<RefName>,
    /// What is meant without one.
    pub when_empty: WhenEmpty,
    /// Tags that are releases.
    pub release_glob: String,
}

/// What is known of the workflow; all of it is missing on a laptop.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// What started it.
    pub trigger: Option<String>,
    /// The branch or tag it runs on.
    pub ref_name: Option<String>,
    /// The commit it runs for.
    pub commit: Option<String>,
    /// The file that describes the event.
    pub event: Option<PathBuf>,
}

/// A version and its commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// What to call it.
    pub name: String,
    /// Its commit.
    pub commit: Commit,
}

/// Why there is no commit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefError {
    /// No ref can be called that.
    #[error("`{0}` is no ref: name a branch, a tag, a commit or the number of a pull request")]
    Name(String),
    /// Somebody without write access may have chosen it.
    #[error(
        "refuses to resolve a ref on `{trigger}`: what it names is built and run, and a stranger may have named it; use {}, or `{PULL_REQUEST}` for its own head and base", TRUSTED.map(|name| format!("`{name}`")).join(", ")
    )]
    Trigger {
        /// What started the workflow.
        trigger: String,
    },
    /// Another pull request than that of the event.
    #[error(
        "refuses to fetch pull request {number} on `{PULL_REQUEST}`: that one may be anybody's"
    )]
    OtherPullRequest {
        /// The number asked for.
        number: u32,
    },
    /// Nothing of that name.
    #[error("there is no branch, tag or commit `{name}` here, and none came from origin: {said}")]
    Unknown {
        /// The name.
        name: String,
        /// What git said of fetching it.
        said: String,
    },
    /// No such name here, and origin cannot be asked for it.
    #[error("there is no commit `{0}` here")]
    NotHere(String),
    /// No such pull request.
    #[error("pull request {number} did not come from origin: {said}")]
    UnknownPullRequest {
        /// Its number.
        number: u32,
        /// What git said of fetching it.
        said: String,
    },
    /// A commit that is named by its hash and not to be had.
    #[error("the commit {0} is neither here nor at origin")]
    Missing(Commit),
    /// Nothing was asked for.
    #[error("nothing to resolve and no default: give a ref")]
    NoDefault,
    /// A merge base is that of a pull request.
    #[error(
        "merge-base wants the event of a pull request, trigger `{PULL_REQUEST}`; this is {0}: give a ref"
    )]
    NoMergeBase(String),
    /// Histories without a common commit.
    #[error("{head} and {base} have no commit in common")]
    Unrelated {
        /// Of the pull request.
        head: Commit,
        /// Of the branch it is for.
        base: Commit,
    },
    /// A pattern for tags that is none.
    #[error("`{0}` is no pattern of tags, such as v[0-9]*")]
    Glob(String),
    /// The event does not say what it should.
    #[error(transparent)]
    Event(#[from] NoPullRequest),
    /// git could not be asked.
    #[error(transparent)]
    Git(#[from] ProgramError),
}

/// The commit that is asked for; `None` when there is no release yet.
///
/// A ref is, in this order: a number, which is that of a pull request; what git knows by that name here, a branch of
/// origin; what origin has by that name.
///
/// # Errors
/// When there is no such commit, or the trigger does not allow to ask.
pub fn resolve(
    ask: &Ask,
    checkout: &Checkout,
    around: &Surroundings,
) -> Result<Option<Resolved>, RefError> {
    if let Some(name) = &ask.name {
        return given(name, checkout, around).map(Some);
    }
    match ask.when_empty {
        WhenEmpty::Head => head(checkout, around).map(Some),
        WhenEmpty::LastRelease => last_release(&ask.release_glob, checkout, around),
        WhenEmpty::MergeBase => merge_base(checkout, around).map(Some),
        WhenEmpty::Fail => Err(RefError::NoDefault),
    }
}

impl Surroundings {
    /// Refuses triggers that strangers may cause and that give rights.
    fn guard(&self) -> Result<(), RefError> {
        match self.trigger.as_deref() {
            None => Ok(()),
            Some(trigger) if trigger == PULL_REQUEST || TRUSTED.contains(&trigger) => Ok(()),
            Some(trigger) => Err(RefError::Trigger {
                trigger: trigger.escape_debug().to_string(),
            }),
        }
    }

    fn is_pull_request(&self) -> bool {
        self.trigger.as_deref() == Some(PULL_REQUEST)
    }

    fn pull_request(&self) -> Result<PullRequest, RefError> {
        let path = self.event.clone().unwrap_or_default();
        Ok(PullRequest::read(&path)?)
    }
}

fn given(name: &RefName, checkout: &Checkout, around: &Surroundings) -> Result<Resolved, RefError> {
    around.guard()?;
    let commit = match name.pull_request() {
        Some(number) if around.is_pull_request() => {
            return Err(RefError::OtherPullRequest { number });
        }
        Some(number) => checkout
            .fetch(&format!("refs/pull/{number}/head"))?
            .map_err(|said| RefError::UnknownPullRequest { number, said })?,
        None => named(name, checkout)?,
    };
    Ok(Resolved {
        name: name.as_str().to_owned(),
        commit,
    })
}

fn named(asked: &RefName, checkout: &Checkout) -> Result<Commit, RefError> {
    let text = asked.as_str();
    if let Some(commit) = checkout.commit(text)? {
        return Ok(commit);
    }
    if let Some(commit) = checkout.commit(&format!("refs/remotes/origin/{text}"))? {
        return Ok(commit);
    }
    let name = text.escape_debug().to_string();
    if !asked.is_plain() {
        return Err(RefError::NotHere(name));
    }
    checkout
        .fetch(text)?
        .map_err(|said| RefError::Unknown { name, said })
}

fn head(checkout: &Checkout, around: &Surroundings) -> Result<Resolved, RefError> {
    if around.is_pull_request() {
        let pull = around.pull_request()?;
        return Ok(Resolved {
            name: format!("pr-{}", pull.number()),
            commit: head_of(&pull, checkout)?,
        });
    }
    let known = around.commit.as_deref().and_then(|sha| sha.parse().ok());
    let commit = match known {
        Some(commit) => commit,
        None => checkout
            .commit("HEAD")?
            .ok_or_else(|| RefError::NotHere("HEAD".to_owned()))?,
    };
    let name = around.ref_name.clone();
    Ok(Resolved {
        name: name.unwrap_or_else(|| commit.short().to_owned()),
        commit,
    })
}

fn head_of(pull: &PullRequest, checkout: &Checkout) -> Result<Commit, RefError> {
    let place = format!("refs/pull/{}/head", pull.number());
    checkout
        .obtain(pull.head(), Some(&place))?
        .ok_or_else(|| RefError::Missing(pull.head().clone()))
}

fn merge_base(checkout: &Checkout, around: &Surroundings) -> Result<Resolved, RefError> {
    if !around.is_pull_request() {
        let trigger = around.trigger.as_deref();
        let this = trigger.map_or_else(
            || "no workflow".to_owned(),
            |name| format!("`{}`", name.escape_debug()),
        );
        return Err(RefError::NoMergeBase(this));
    }
    let pull = around.pull_request()?;
    let head = head_of(&pull, checkout)?;
    let base = checkout
        .obtain(pull.base(), None)?
        .ok_or_else(|| RefError::Missing(pull.base().clone()))?;
    match checkout.merge_base(&head, &base)? {
        Some(commit) => Ok(Resolved {
            name: pull.base_branch().to_owned(),
            commit,
        }),
        None => Err(RefError::Unrelated { head, base }),
    }
}

/// The newest release but that of this run, pre-releases left out: tags with a hyphen.
fn last_release(
    glob: &str,
    checkout: &Checkout,
    around: &Surroundings,
) -> Result<Option<Resolved>, RefError> {
    if glob.is_empty()
        || glob.len() > 255
        || glob.starts_with('-')
        || glob.contains(char::is_control)
    {
        return Err(RefError::Glob(
            glob.chars()
                .take(80)
                .collect::<String>()
                .escape_debug()
                .to_string(),
        ));
    }
    let current = around.ref_name.as_deref();
    let tags = checkout.tags(glob)?;
    let newest = tags
        .into_iter()
        .find(|tag| !tag.contains('-') && Some(tag.as_str()) != current);
    let Some(name) = newest else {
        return Ok(None);
    };
    match checkout.commit(&format!("refs/tags/{name}"))? {
        Some(commit) => Ok(Some(Resolved { name, commit })),
        None => Err(RefError::NotHere(name)),
    }
}
