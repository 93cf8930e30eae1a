//! Why what a command found could not be left for the workflow.

use std::io;
use std::path::PathBuf;

/// What can go wrong between a command and the job it runs in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CiError {
    /// A file of the job, such as that of its outputs, cannot be added to.
    #[error("cannot add to {}", path.display())]
    Append {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Standard output is gone.
    #[error("cannot print")]
    Print(#[from] io::Error),
}
