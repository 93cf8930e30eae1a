//! GitHub's interface: what is asked of it and what it answers.

mod comment;
mod pulls;
mod release;
mod status;

pub use comment::{Author, Marker, Posted};
pub use release::{Release, ReleaseAsset};
pub use status::{CommitState, CommitStatus};

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::event::{Event, EventError, variable};
use super::http::{Address, Answer, Ask, Bounds, Client, HttpError, Token, encoded};
use crate::report::escape;

/// What it is asked to answer in.
const JSON: &str = "application/vnd.github+json";
/// Where it is when nothing else is said.
const PUBLIC: &str = "https://api.github.com";
/// Characters of its messages that are handed on.
const LONGEST_MESSAGE: usize = 300;

/// A repository: `owner/name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    owner: String,
    name: String,
}

impl Repository {
    /// Whose it is.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// The beginning of every path about it.
    fn path(&self) -> String {
        format!("/repos/{}/{}", self.owner, self.name)
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

impl FromStr for Repository {
    type Err = GitHubError;

    fn from_str(text: &str) -> Result<Self, GitHubError> {
        let plain = |part: &str| {
            let known = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            !part.is_empty() && part.chars().all(known) && !matches!(part, "." | "..")
        };
        match text.split_once('/') {
            Some((owner, name)) if plain(owner) && plain(name) => Ok(Self {
                owner: owner.to_owned(),
                name: name.to_owned(),
            }),
            Some(_) | None => Err(GitHubError::Repository(text.chars().take(200).collect())),
        }
    }
}

/// Why GitHub did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitHubError {
    /// Not owner/name.
    #[error("`{}` is no repository; owner/name was wanted", .0.escape_debug())]
    Repository(String),
    /// This is no step of a workflow, or an event says too little.
    #[error(transparent)]
    Event(#[from] EventError),
    /// It could not be asked.
    #[error("cannot ask GitHub")]
    Http(#[from] HttpError),
    /// It does not want to.
    #[error("GitHub answers {status} to {request}: {message}{}", hint(*.status))]
    Refused {
        /// What was asked, such as `POST /repos/a/b/issues/1/comments`.
        request: String,
        /// Such as 403.
        status: u16,
        /// Its own words, made harmless.
        message: String,
    },
    /// Its answer is not what is documented.
    #[error("GitHub's answer to {request} cannot be read")]
    Form {
        /// What was asked.
        request: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Nobody may post without saying who it is.
    #[error("GITHUB_TOKEN is not set; give the step a token that may write")]
    NoToken,
    /// Several pull requests offer the commit, and one comment is for one of them.
    #[error("several open pull requests have this head: {0}")]
    SeveralPulls(String),
}

const fn hint(status: u16) -> &'static str {
    match status {
        401 => "; the token is not good here",
        403 => "; the job's permissions may be too narrow, or too much was asked in an hour",
        _ => "",
    }
}

/// Asks GitHub. The token goes to its interface and nowhere else.
#[derive(Clone, Debug)]
pub struct GitHub {
    client: Client,
    api: Address,
    token: Option<Token>,
}

impl GitHub {
    /// At an address, with a token if there is one; each question has so much time.
    #[must_use]
    pub fn new(api: Address, token: Option<Token>, time: Duration) -> Self {
        Self {
            client: Client::new(Bounds::QUESTION.within(time)),
            api,
            token,
        }
    }

    /// As the variables of this process say: `GITHUB_API_URL`, else the public one, and `GITHUB_TOKEN`.
    ///
    /// # Errors
    /// When the address is none.
    pub fn of_process(time: Duration) -> Result<Self, GitHubError> {
        let api = variable("GITHUB_API_URL").unwrap_or_else(|_| PUBLIC.to_owned());
        let token = variable("GITHUB_TOKEN")
            .ok()
            .and_then(|text| Token::new(&text));
        Ok(Self::new(Address::parse(&api)?, token, time))
    }

    /// The repository the workflow of this process is in.
    ///
    /// # Errors
    /// When this is no step of a workflow.
    pub fn repository() -> Result<Repository, GitHubError> {
        variable("GITHUB_REPOSITORY")?.parse()
    }

    /// Starts a workflow by hand: its file's name or number, the branch or tag it runs on, its inputs.
    ///
    /// # Errors
    /// When it cannot be started; that needs `actions: write`.
    pub fn dispatch(
        &self,
        repository: &Repository,
        workflow: &str,
        on: &str,
        inputs: &BTreeMap<String, String>,
    ) -> Result<(), GitHubError> {
        #[derive(Serialize)]
        struct Dispatch<'a> {
            r#ref: &'a str,
            inputs: &'a BTreeMap<String, String>,
        }
        let path = format!(
            "{}/actions/workflows/{}/dispatches",
            repository.path(),
            encoded(workflow)
        );
        let body = json(&Dispatch { r#ref: on, inputs });
        self.write(&Ask::Post(&body), &path).map(drop)
    }

    /// Reads something; nothing when it is not there.
    fn find<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, GitHubError> {
        let answer =
            self.client
                .ask(&Ask::Get, &self.api.below(path)?, self.token.as_ref(), JSON)?;
        let request = format!("GET {}", path.split('?').next().unwrap_or_default());
        match answer.status {
            404 => Ok(None),
            200 => read(&request, &answer).map(Some),
            _ => Err(refused(request, &answer)),
        }
    }

    /// Reads something that has to be there.
    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, GitHubError> {
        self.find(path)?.ok_or_else(|| GitHubError::Refused {
            request: format!("GET {}", path.split('?').next().unwrap_or_default()),
            status: 404,
            message: "not found".to_owned(),
        })
    }

    /// Makes or changes something.
    fn write(&self, ask: &Ask, path: &str) -> Result<Answer, GitHubError> {
        let token = self.token.as_ref().ok_or(GitHubError::NoToken)?;
        let answer = self
            .client
            .ask(ask, &self.api.below(path)?, Some(token), JSON)?;
        if matches!(answer.status, 200..=204) {
            return Ok(answer);
        }
        let verb = match ask {
            Ask::Get => "GET",
            Ask::Post(_) => "POST",
            Ask::Patch(_) => "PATCH",
        };
        Err(refused(format!("{verb} {path}"), &answer))
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts, numbers and maps of texts make JSON")
}

fn read<T: DeserializeOwned>(request: &str, answer: &Answer) -> Result<T, GitHubError> {
    serde_json::from_slice(&answer.body).map_err(|source| GitHubError::Form {
        request: request.to_owned(),
        source,
    })
}

fn refused(request: String, answer: &Answer) -> GitHubError {
    #[derive(serde::Deserialize)]
    struct Said {
        message: String,
    }
    let said: Result<Said, _> = serde_json::from_slice(&answer.body);
    let message = said.map_or_else(|_| "no reason given".to_owned(), |said| said.message);
    let message: String = message.chars().take(LONGEST_MESSAGE).collect();
    GitHubError::Refused {
        request,
        status: answer.status,
        message: escape::one_line(&message).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::test_server::{Reply, TestServer};

    pub(super) fn github(server: &TestServer) -> GitHub {
        let api = Address::parse(&server.address("")).unwrap();
        GitHub::new(api, Token::new("secret"), Duration::from_secs(10))
    }

    pub(super) fn repository() -> Repository {
        "owner/engine".parse().unwrap()
    }

    const DISPATCHES: &str = "POST /repos/owner/engine/actions/workflows/strength.yml/dispatches";

    #[test]
    fn a_workflow_is_started_with_its_inputs() {
        let server = TestServer::start([(DISPATCHES, Reply::text(204, ""))]);
        let inputs = BTreeMap::from([("continue".to_owned(), "{\"a\": 1}".to_owned())]);
        github(&server)
            .dispatch(&repository(), "strength.yml", "main", &inputs)
            .unwrap();
        let [request] = &server.requests()[..] else {
            panic!("one request")
        };
        assert_eq!(
            request.body,
            r#"{"ref":"main","inputs":{"continue":"{\"a\": 1}"}}"#
        );
        assert!(request.head.contains("Bearer secret"));
    }

    #[test]
    fn a_refusal_carries_githubs_words_and_no_command() {
        let said = r#"{"message": "Resource not accessible\n::error::by integration"}"#;
        let server = TestServer::start([(DISPATCHES, Reply::text(403, said))]);
        let error =
            github(&server).dispatch(&repository(), "strength.yml", "main", &BTreeMap::new());
        insta::assert_snapshot!(error.unwrap_err(), @r"GitHub answers 403 to POST /repos/owner/engine/actions/workflows/strength.yml/dispatches: Resource not accessible\n::error::by integration; the job's permissions may be too narrow, or too much was asked in an hour");
        let error = github(&server).dispatch(&repository(), "../x", "main", &BTreeMap::new());
        insta::assert_snapshot!(error.unwrap_err(), @"GitHub answers 404 to POST /repos/owner/engine/actions/workflows/..%2Fx/dispatches: Not Found");
    }

    #[test]
    fn nothing_is_written_without_a_token() {
        let server = TestServer::start([(DISPATCHES, Reply::text(204, ""))]);
        let github = GitHub {
            token: None,
            ..github(&server)
        };
        let error = github.dispatch(&repository(), "strength.yml", "main", &BTreeMap::new());
        assert!(matches!(error, Err(GitHubError::NoToken)));
        assert_eq!(server.requests().len(), 0);
    }

    #[test]
    fn what_is_no_repository() {
        for text in ["", "a", "a/", "/b", "a/b/c", "a/..", "a b/c", "a/b?c"] {
            assert!(text.parse::<Repository>().is_err(), "{text}");
        }
        assert_eq!(repository().to_string(), "owner/engine");
    }
}
