//! The repository we are in, asked through git.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::ci::event::Commit;
use crate::play::program::{Program, ProgramError};

/// How long git may take to look something up.
const LOOK: Duration = Duration::from_secs(60);
/// How long it may take to fetch.
const FETCH: Duration = Duration::from_secs(600);

/// A checkout of a git repository.
///
/// What strangers name reaches git as an argument behind `--end-of-options`, or as part of a longer word, so it is never
/// taken for an option; no shell is near.
#[derive(Clone, Debug)]
pub struct Checkout {
    folder: PathBuf,
}

impl Checkout {
    /// The checkout a folder is in.
    ///
    /// # Errors
    /// When there is none, or git is missing.
    pub fn at(folder: &Path) -> Result<Self, ProgramError> {
        let checkout = Self {
            folder: folder.to_owned(),
        };
        checkout.git(["rev-parse", "--git-dir"]).answer()?;
        Ok(checkout)
    }

    fn git<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Program {
        Program::new("git")
            .arguments(words)
            .directory(&self.folder)
            // Nobody is there to answer.
            .variable("GIT_TERMINAL_PROMPT", "0")
            .within(LOOK)
    }

    /// The commit a revision names here.
    pub(super) fn commit(&self, revision: &str) -> Result<Option<Commit>, ProgramError> {
        let peeled = format!("{revision}^{{commit}}");
        let words = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &peeled,
        ];
        let answer = answered(self.git(words).answer())?;
        Ok(answer.and_then(|text| text.parse().ok()))
    }

    /// What a refspec without a destination brings from origin; else git's words on why it brings nothing.
    pub(super) fn fetch(&self, refspec: &str) -> Result<Result<Commit, String>, ProgramError> {
        let words = [
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--end-of-options",
            "origin",
            refspec,
        ];
        match self.git(words).within(FETCH).answer() {
            Ok(_) => Ok(self
                .commit("FETCH_HEAD")?
                .ok_or_else(|| "it is no commit".to_owned())),
            Err(ProgramError::Failed { said, .. }) => Ok(Err(said)),
            Err(error) => Err(error),
        }
    }

    /// A commit by its hash, fetched if it is not here; `else_from` is a ref that may bring it.
    pub(super) fn obtain(
        &self,
        commit: &Commit,
        else_from: Option<&str>,
    ) -> Result<Option<Commit>, ProgramError> {
        if let Some(here) = self.commit(commit.as_str())? {
            return Ok(Some(here));
        }
        for refspec in else_from.into_iter().chain([commit.as_str()]) {
            // What git says of one that brings nothing is no matter while the next may.
            let _ = self.fetch(refspec)?;
            if let Some(here) = self.commit(commit.as_str())? {
                return Ok(Some(here));
            }
        }
        Ok(None)
    }

    /// Tags that fit a glob, the newest version first.
    pub(super) fn tags(&self, glob: &str) -> Result<Vec<String>, ProgramError> {
        let words = [
            "tag",
            "--list",
            "--sort=-version:refname",
            "--end-of-options",
            glob,
        ];
        let answer = self.git(words).answer()?;
        Ok(answer.lines().map(str::to_owned).collect())
    }

    /// Where two commits parted; `None` when they have nothing in common.
    pub(super) fn merge_base(
        &self,
        one: &Commit,
        other: &Commit,
    ) -> Result<Option<Commit>, ProgramError> {
        // What a shallow checkout cuts off may hold the best answer, so it is completed first.
        if self
            .git(["rev-parse", "--is-shallow-repository"])
            .answer()?
            == "true"
        {
            let words = [
                "fetch",
                "--quiet",
                "--no-tags",
                "--no-recurse-submodules",
                "--unshallow",
            ];
            let ends = ["--end-of-options", "origin", one.as_str(), other.as_str()];
            let fetch = self.git(words.into_iter().chain(ends));
            fetch.within(FETCH).answer()?;
        }
        let words = [
            "merge-base",
            "--end-of-options",
            one.as_str(),
            other.as_str(),
        ];
        let answer = answered(self.git(words).answer())?;
        Ok(answer.and_then(|text| text.parse().ok()))
    }
}

/// `None` when git said no.
fn answered(answer: Result<String, ProgramError>) -> Result<Option<String>, ProgramError> {
    match answer {
        Ok(text) => Ok(Some(text)),
        Err(ProgramError::Failed { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
