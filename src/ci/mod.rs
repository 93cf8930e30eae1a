//! What a workflow needs of a command: outputs, a summary, annotations, and settings handed from job to job.

mod annotation;
mod chain;
mod commit;
mod engine_options;
mod error;
mod job;
mod pull_request;
mod refs;
mod settings;
mod token;

pub use annotation::{Level, annotation};
pub use chain::{Chain, ChainError, Next, run_page};
pub use commit::{CommitId, NoCommit};
pub use engine_options::{InvalidOption, engine_options};
pub use error::CiError;
pub use job::{Job, in_workflow};
pub use pull_request::{NoPullRequest, PullRequest};
pub use refs::{Ask, Checkout, RefError, RefName, Resolved, Surroundings, WhenEmpty, resolve};
pub use settings::{Settings, SettingsError};
pub use token::{Commits, RunId, Token, TokenError};
