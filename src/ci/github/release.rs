//! Releases and their files.

use serde::Deserialize;

use super::{GitHub, GitHubError, Repository};
use crate::ci::http::encoded;

/// A published release.
#[derive(Clone, Debug, Deserialize)]
pub struct Release {
    /// Its files.
    pub assets: Vec<ReleaseAsset>,
}

/// A file of a release.
#[derive(Clone, Debug, Deserialize)]
pub struct ReleaseAsset {
    /// Its name.
    pub name: String,
    /// Its sum as `sha256:…`; files put there before releases stated sums have none.
    pub digest: Option<String>,
    /// Where it is.
    pub browser_download_url: String,
}

impl GitHub {
    /// The release of a tag; `None` when there is none, or it is a draft that only its makers see.
    ///
    /// # Errors
    /// When it cannot be asked for.
    pub fn release(
        &self,
        repository: &Repository,
        tag: &str,
    ) -> Result<Option<Release>, GitHubError> {
        self.find(&format!(
            "{}/releases/tags/{}",
            repository.path(),
            encoded(tag)
        ))
    }
}
