//! What started the workflow, as far as a result has to find its way back: the commit, and whose it is.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Deserialize;

/// Bytes an event may have.
const LONGEST: u64 = 32 << 20;

/// Why it cannot be said what a result is about.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// A variable that a workflow sets is not there.
    #[error("{0} is not set; run this as a step of a workflow")]
    Variable(&'static str),
    /// The file of the event cannot be read.
    #[error("cannot read the event in {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not what this trigger gives.
    #[error("the event is none of `{name}`")]
    Form {
        /// The trigger.
        name: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A trigger with nothing to report to.
    #[error("`{}` says nothing of a pull request; run this on pull_request or workflow_run", .0.escape_debug())]
    Trigger(String),
    /// A commit that is none.
    #[error("`{}` is no commit", .0.escape_debug())]
    Commit(String),
}

/// A whole commit, in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit(String);

impl Commit {
    /// Reads a whole commit.
    ///
    /// # Errors
    /// When the text is not 40 or 64 hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, EventError> {
        let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|it| it.is_ascii_hexdigit());
        if whole {
            return Ok(Self(text.to_ascii_lowercase()));
        }
        Err(EventError::Commit(text.chars().take(80).collect()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first eight digits, for a reader.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..8]
    }
}

impl FromStr for Commit {
    type Err = EventError;

    fn from_str(text: &str) -> Result<Self, EventError> {
        Self::parse(text)
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a result is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A pull request, in its own workflow.
    Pull {
        /// Its number.
        number: u64,
        /// Its last commit.
        head: Commit,
    },
    /// Another workflow's run, which may have been of a pull request from a fork.
    Run(Run),
    /// Anything else.
    Other {
        /// What started it.
        trigger: String,
        /// The commit the workflow runs on.
        head: Commit,
    },
}

/// A run that ended, as the platform describes it: nothing of it comes from a file that the run left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its number.
    pub id: u64,
    /// The commit it ran for.
    pub head: Commit,
    /// The branch that commit was on.
    pub branch: String,
    /// The repository that branch is in, as owner/name; `None` when that is gone.
    pub repository: Option<String>,
}

#[derive(Deserialize)]
struct PullEvent {
    pull_request: PullText,
}

#[derive(Deserialize)]
struct PullText {
    number: u64,
    head: HeadText,
}

#[derive(Deserialize)]
struct HeadText {
    sha: String,
}

#[derive(Deserialize)]
struct RunEvent {
    workflow_run: RunText,
}

#[derive(Deserialize)]
struct RunText {
    id: u64,
    head_sha: String,
    head_branch: Option<String>,
    head_repository: Option<RepositoryText>,
}

#[derive(Deserialize)]
struct RepositoryText {
    full_name: String,
}

impl Event {
    /// The event of this process.
    ///
    /// # Errors
    /// When this is no step of a workflow, or the event is not what its trigger gives.
    pub fn of_process() -> Result<Self, EventError> {
        let name = variable("GITHUB_EVENT_NAME")?;
        match name.as_str() {
            "pull_request" | "pull_request_target" | "workflow_run" => {
                Self::parse(&name, &payload()?)
            }
            _ => Ok(Self::Other {
                head: Commit::parse(&variable("GITHUB_SHA")?)?,
                trigger: name,
            }),
        }
    }

    /// Reads what a trigger gives.
    ///
    /// # Errors
    /// When it is not that, or the trigger is another than those of pull requests and runs.
    pub fn parse(name: &str, payload: &str) -> Result<Self, EventError> {
        let form = |source| EventError::Form {
            name: name.to_owned(),
            source,
        };
        match name {
            "pull_request" | "pull_request_target" => {
                let event: PullEvent = serde_json::from_str(payload).map_err(form)?;
                let PullText { number, head } = event.pull_request;
                let head = Commit::parse(&head.sha)?;
                Ok(Self::Pull { number, head })
            }
            "workflow_run" => {
                let event: RunEvent = serde_json::from_str(payload).map_err(form)?;
                Ok(Self::Run(event.workflow_run.try_into()?))
            }
            other => Err(EventError::Trigger(other.to_owned())),
        }
    }

    /// The commit a result is about.
    #[must_use]
    pub const fn head(&self) -> &Commit {
        match self {
            Self::Pull { head, .. } | Self::Run(Run { head, .. }) | Self::Other { head, .. } => {
                head
            }
        }
    }

    /// Whether what is reported was made by another run, and so maybe by a stranger.
    #[must_use]
    pub const fn is_of_another_run(&self) -> bool {
        match self {
            Self::Run(_) => true,
            Self::Pull { .. } | Self::Other { .. } => false,
        }
    }
}

impl TryFrom<RunText> for Run {
    type Error = EventError;

    fn try_from(text: RunText) -> Result<Self, EventError> {
        Ok(Self {
            id: text.id,
            head: Commit::parse(&text.head_sha)?,
            branch: text.head_branch.unwrap_or_default(),
            repository: text.head_repository.map(|it| it.full_name),
        })
    }
}

/// The page of the run that a result comes from: the one that ended, or else this one.
///
/// # Errors
/// When this is no step of a workflow.
pub fn run_address(event: &Event) -> Result<String, EventError> {
    let server = variable("GITHUB_SERVER_URL").unwrap_or_else(|_| "https://github.com".to_owned());
    let repository = variable("GITHUB_REPOSITORY")?;
    let id = match event {
        Event::Run(run) => run.id.to_string(),
        Event::Pull { .. } | Event::Other { .. } => variable("GITHUB_RUN_ID")?,
    };
    Ok(format!("{server}/{repository}/actions/runs/{id}"))
}

/// The inputs that a person or a run before gave a workflow it started by hand; none on other triggers.
///
/// # Errors
/// When the event cannot be read.
pub fn inputs_of_process() -> Result<BTreeMap<String, String>, EventError> {
    let name = variable("GITHUB_EVENT_NAME").unwrap_or_default();
    if name != "workflow_dispatch" {
        return Ok(BTreeMap::new());
    }
    inputs(&payload()?).map_err(|source| EventError::Form { name, source })
}

fn inputs(payload: &str) -> Result<BTreeMap<String, String>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Started {
        inputs: Option<BTreeMap<String, serde_json::Value>>,
    }
    let started: Started = serde_json::from_str(payload)?;
    Ok(texts(started.inputs.unwrap_or_default()))
}

/// Values as the texts that a workflow takes for inputs; null is an empty one.
#[must_use]
pub fn texts(values: BTreeMap<String, serde_json::Value>) -> BTreeMap<String, String> {
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        serde_json::Value::Null => String::new(),
        other => other.to_string(),
    };
    let texts = values.into_iter().map(|(name, value)| (name, text(value)));
    texts.collect()
}

/// A variable that workflows set.
///
/// # Errors
/// When it is missing or empty.
pub(super) fn variable(name: &'static str) -> Result<String, EventError> {
    let value = std::env::var(name).ok().filter(|value| !value.is_empty());
    value.ok_or(EventError::Variable(name))
}

fn payload() -> Result<String, EventError> {
    read(Path::new(&variable("GITHUB_EVENT_PATH")?))
}

/// The text of an event, as far as events go.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn read(path: &Path) -> Result<String, EventError> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    read.map_err(|source| EventError::Io {
        path: path.to_owned(),
        source,
    })?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn a_pull_request_names_itself() {
        let payload = format!(
            r#"{{"number": 9, "pull_request": {{"number": 7, "head": {{"sha": "{SHA}"}}}}}}"#
        );
        let event = Event::parse("pull_request", &payload).unwrap();
        assert!(matches!(&event, Event::Pull { number: 7, .. }), "{event:?}");
        assert_eq!(event.head().as_str(), SHA);
        assert!(!event.is_of_another_run());
    }

    #[test]
    fn a_run_names_its_commit_and_whose_it_is() {
        let payload = format!(
            r#"{{"workflow_run": {{"id": 5, "head_sha": "{SHA}", "head_branch": "idea", "pull_requests": [{{"number": 1}}],
            "head_repository": {{"full_name": "someone/engine", "owner": {{"login": "someone"}}}}}}}}"#
        );
        let event = Event::parse("workflow_run", &payload).unwrap();
        let wanted = Run {
            id: 5,
            head: Commit::parse(SHA).unwrap(),
            branch: "idea".into(),
            repository: Some("someone/engine".into()),
        };
        assert!(event.is_of_another_run());
        assert_eq!(event, Event::Run(wanted));
    }

    #[test]
    fn inputs_are_texts() {
        let payload =
            r#"{"ref": "refs/heads/main", "inputs": {"a": "x", "b": true, "c": null, "d": 5}}"#;
        let read: Vec<String> = inputs(payload).unwrap().into_values().collect();
        assert_eq!(read, ["x", "true", "", "5"]);
        assert_eq!(inputs(r#"{"inputs": null}"#).unwrap().len(), 0);
        assert!(inputs(r#"{"inputs": "x"}"#).is_err());
    }

    #[test]
    fn other_events_are_refused() {
        let refused = |name, payload: &str| Event::parse(name, payload).unwrap_err().to_string();
        insta::assert_snapshot!(refused("issue_comment", "{}"), @"`issue_comment` says nothing of a pull request; run this on pull_request or workflow_run");
        insta::assert_snapshot!(refused("pull_request", "{}"), @"the event is none of `pull_request`");
        insta::assert_snapshot!(refused("workflow_run", r#"{"workflow_run": {"id": 1, "head_sha": "../x"}}"#), @"`../x` is no commit");
    }
}
