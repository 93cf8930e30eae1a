//! What a workflow needs of a command: outputs, a summary, annotations, and settings handed from job to job.

mod annotation;
mod error;
mod job;
mod settings;

pub use annotation::{Level, annotation};
pub use error::CiError;
pub use job::{Job, in_workflow};
pub use settings::{Settings, SettingsError};
