//! What a workflow needs of a command: outputs, a summary, annotations, and settings handed from job to job.

mod annotation;
mod commit;
mod error;
mod job;
mod settings;
mod token;

pub use annotation::{Level, annotation};
pub use commit::{CommitId, NoCommit};
pub use error::CiError;
pub use job::{Job, in_workflow};
pub use settings::{Settings, SettingsError};
pub use token::{Commits, RunId, Token, TokenError};
