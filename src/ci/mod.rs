//! What a workflow needs of a command: outputs, a summary, annotations, and settings handed from job to job.

mod annotation;
mod build;
mod engine_options;
mod error;
mod job;
mod settings;
mod shards;

pub use annotation::{Level, annotation};
pub use build::{BuildRecord, bench_nodes, commit_bench, is_for_one_processor};
pub use engine_options::{InvalidOption, engine_options};
pub use error::CiError;
pub use job::{Job, in_workflow};
pub use settings::{Settings, SettingsError};
pub use shards::{Flaw, LeftOut, Shards, ShardsError, UsableShard, WantedEngine, WantedMatch};
