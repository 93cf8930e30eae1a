//! The pull request that started a workflow.

use std::path::Path;

use serde::Deserialize;

use super::event::{self, Commit, EventError};

/// A pull request as the platform describes it; nothing of it comes from a file that it brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullRequest {
    number: u64,
    head: Commit,
    base: Commit,
    base_branch: String,
}

/// Why it cannot be said which pull request it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoPullRequest {
    /// The file does not describe a pull request.
    #[error("the event is no pull request")]
    Form(#[from] serde_json::Error),
    /// The file of the event cannot be read, or one of its commits is none.
    #[error(transparent)]
    Event(#[from] EventError),
}

#[derive(Deserialize)]
struct EventText {
    pull_request: PullText,
}

#[derive(Deserialize)]
struct PullText {
    number: u64,
    head: HeadText,
    base: BaseText,
}

#[derive(Deserialize)]
struct HeadText {
    sha: String,
}

#[derive(Deserialize)]
struct BaseText {
    sha: String,
    r#ref: String,
}

impl PullRequest {
    /// Reads the file of an event.
    ///
    /// # Errors
    /// When it cannot be read, or is no event of a pull request.
    pub fn read(path: &Path) -> Result<Self, NoPullRequest> {
        Self::parse(&event::read(path)?)
    }

    /// Reads an event.
    ///
    /// # Errors
    /// When it is none of a pull request.
    pub fn parse(text: &str) -> Result<Self, NoPullRequest> {
        let event: EventText = serde_json::from_str(text)?;
        let PullText { number, head, base } = event.pull_request;
        Ok(Self {
            number,
            head: head.sha.parse()?,
            base: base.sha.parse()?,
            base_branch: base.r#ref,
        })
    }

    /// Its number.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Its last commit.
    #[must_use]
    pub const fn head(&self) -> &Commit {
        &self.head
    }

    /// The last commit of the branch it is for.
    #[must_use]
    pub const fn base(&self) -> &Commit {
        &self.base
    }

    /// The branch it is for, of the repository that runs the workflow.
    #[must_use]
    pub fn base_branch(&self) -> &str {
        &self.base_branch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_names_both_sides() {
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let text = format!(
            r#"{{"action": "opened", "pull_request": {{"number": 7, "title": "x",
                "head": {{"sha": "{one}", "ref": "idea"}}, "base": {{"sha": "{two}", "ref": "main"}}}}}}"#
        );
        let pull = PullRequest::parse(&text).expect("an event");
        assert_eq!((pull.number(), pull.base_branch()), (7, "main"));
        assert_eq!((pull.head().as_str(), pull.base().as_str()), (&*one, &*two));
        let error = |text: &str| PullRequest::parse(text).expect_err("refused").to_string();
        assert_eq!(error(&text.replace(&two, "HEAD")), "`HEAD` is no commit");
        for text in ["", "{}", r#"{"pull_request": 7}"#] {
            assert_eq!(error(text), "the event is no pull request");
        }
    }
}
