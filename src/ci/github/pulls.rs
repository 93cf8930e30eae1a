//! Which pull request a result is about.

use serde::Deserialize;

use super::{Event, EventError, GitHub, GitHubError, Repository};
use crate::ci::event::Run;
use crate::ci::http::encoded;

#[derive(Deserialize)]
struct Pull {
    number: u64,
    head: Head,
}

#[derive(Deserialize)]
struct Head {
    sha: String,
    r#ref: String,
    repo: Option<HeadRepository>,
}

#[derive(Deserialize)]
struct HeadRepository {
    full_name: String,
}

impl GitHub {
    /// The open pull request an event is about. `None` when a run's commit is not, or no longer, the head of one.
    ///
    /// A run says which commit, branch and repository it was for, and the platform which pull requests have that
    /// head; what the run left behind is not asked.
    ///
    /// # Errors
    /// When the event is of no pull request, several fit, or GitHub cannot be asked.
    pub fn pull_of(
        &self,
        repository: &Repository,
        event: &Event,
    ) -> Result<Option<u64>, GitHubError> {
        match event {
            Event::Pull { number, .. } => Ok(Some(*number)),
            Event::Run(run) => self.pull_of_run(repository, run),
            Event::Other { trigger, .. } => Err(EventError::Trigger(trigger.clone()).into()),
        }
    }

    fn pull_of_run(&self, repository: &Repository, run: &Run) -> Result<Option<u64>, GitHubError> {
        let Some(name) = run.repository.as_deref().filter(|_| !run.branch.is_empty()) else {
            return Ok(None);
        };
        let head: Repository = name.parse()?;
        let path = format!(
            "{}/pulls?state=open&per_page=100&head={}",
            repository.path(),
            encoded(&format!("{}:{}", head.owner(), run.branch))
        );
        let pulls: Vec<Pull> = self.get(&path)?;
        let fits = |pull: &&Pull| {
            let of = pull.head.repo.as_ref();
            pull.head.sha == run.head.as_str()
                && pull.head.r#ref == run.branch
                && of.is_some_and(|of| of.full_name.eq_ignore_ascii_case(name))
        };
        let numbers: Vec<u64> = pulls.iter().filter(fits).map(|pull| pull.number).collect();
        match numbers[..] {
            [] => Ok(None),
            [number] => Ok(Some(number)),
            _ => {
                let numbers: Vec<String> = numbers.iter().map(|it| format!("#{it}")).collect();
                Err(GitHubError::SeveralPulls(numbers.join(", ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{github, repository};
    use super::*;
    use crate::ci::event::Commit;
    use crate::ci::test_server::{Reply, TestServer};

    const HEAD: &str = "0123456789abcdef0123456789abcdef01234567";
    const PATH: &str = "/repos/owner/engine/pulls?state=open&per_page=100&head=someone%3Aan%2Fidea";

    fn run() -> Event {
        Event::Run(Run {
            id: 1,
            head: Commit::parse(HEAD).unwrap(),
            branch: "an/idea".into(),
            repository: Some("someone/engine".into()),
        })
    }

    fn pull(number: u64, sha: &str, branch: &str, repository: &str) -> String {
        format!(
            r#"{{"number": {number}, "head": {{"sha": "{sha}", "ref": "{branch}", "repo": {repository}}}}}"#
        )
    }

    fn found(pulls: &[String]) -> Result<Option<u64>, GitHubError> {
        let server =
            TestServer::start([(PATH, Reply::text(200, &format!("[{}]", pulls.join(","))))]);
        github(&server).pull_of(&repository(), &run())
    }

    #[test]
    fn the_open_pull_request_with_this_very_head() {
        let fork = r#"{"full_name": "someone/engine"}"#;
        let others = [
            pull(1, &HEAD.replace('0', "1"), "an/idea", fork),
            pull(2, HEAD, "another", fork),
            pull(3, HEAD, "an/idea", r#"{"full_name": "someone/other"}"#),
            pull(4, HEAD, "an/idea", "null"),
        ];
        assert_eq!(found(&others).unwrap(), None);
        let mine = pull(7, HEAD, "an/idea", fork);
        let all = [&others[..], std::slice::from_ref(&mine)].concat();
        assert_eq!(found(&all).unwrap(), Some(7));
        let error = found(&[mine, pull(8, HEAD, "an/idea", fork)]).unwrap_err();
        insta::assert_snapshot!(error, @"several open pull requests have this head: #7, #8");
    }

    #[test]
    fn nothing_is_asked_about_a_head_that_is_gone() {
        let server = TestServer::start([(PATH, Reply::text(200, "[]"))]);
        let gone = Run {
            id: 1,
            head: Commit::parse(HEAD).unwrap(),
            branch: "idea".into(),
            repository: None,
        };
        assert_eq!(
            github(&server)
                .pull_of(&repository(), &Event::Run(gone))
                .unwrap(),
            None
        );
        assert_eq!(server.requests().len(), 0);
    }
}
