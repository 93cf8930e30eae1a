//! The status of a commit.

use serde::Serialize;

use super::{Ask, GitHub, GitHubError, Repository, json};
use crate::ci::event::Commit;

/// Characters a description may have.
const LONGEST: usize = 140;

/// What a status says of its commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CommitState {
    /// It may go in.
    Success,
    /// It should not.
    Failure,
    /// Nobody knows yet.
    Pending,
}

impl CommitState {
    /// `success`, `failure` or `pending`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Pending => "pending",
        }
    }
}

/// A status as it is set.
#[derive(Clone, Debug, Serialize)]
pub struct CommitStatus<'a> {
    /// What it says.
    pub state: CommitState,
    /// Its name; another of the same name is replaced.
    pub context: &'a str,
    /// A line beside it, cut at 140 characters.
    pub description: &'a str,
    /// Where more is to be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_url: Option<&'a str>,
}

impl GitHub {
    /// Sets the status of a commit.
    ///
    /// # Errors
    /// When GitHub does not allow it; that needs `statuses: write`.
    pub fn set_status(
        &self,
        repository: &Repository,
        commit: &Commit,
        status: &CommitStatus,
    ) -> Result<(), GitHubError> {
        let description: String = status.description.chars().take(LONGEST).collect();
        let status = CommitStatus {
            description: &description,
            ..status.clone()
        };
        let path = format!("{}/statuses/{}", repository.path(), commit.as_str());
        self.write(&Ask::Post(&json(&status)), &path).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{github, repository};
    use super::*;
    use crate::ci::test_server::{Reply, TestServer};

    #[test]
    fn a_status_is_set_on_its_commit() {
        let sha = "0123456789abcdef0123456789abcdef01234567";
        let path = format!("POST /repos/owner/engine/statuses/{sha}");
        let server = TestServer::start([(path, Reply::text(201, "{}"))]);
        let description = "é".repeat(200);
        let mut status = CommitStatus {
            state: CommitState::Pending,
            context: "mache",
            description: &description,
            target_url: None,
        };
        let commit = Commit::parse(sha).unwrap();
        github(&server)
            .set_status(&repository(), &commit, &status)
            .unwrap();
        status.target_url = Some("https://example.org/");
        status.state = CommitState::Failure;
        status.description = "short";
        github(&server)
            .set_status(&repository(), &commit, &status)
            .unwrap();
        let bodies: Vec<_> = server.requests().into_iter().map(|it| it.body).collect();
        let cut = "é".repeat(140);
        assert_eq!(
            bodies[0],
            format!(r#"{{"state":"pending","context":"mache","description":"{cut}"}}"#)
        );
        assert_eq!(
            bodies[1],
            r#"{"state":"failure","context":"mache","description":"short","target_url":"https://example.org/"}"#
        );
    }
}
