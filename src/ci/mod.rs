//! What a workflow needs of a command: outputs, a summary, annotations, and settings handed from job to job.

mod annotation;
mod archive;
mod book_table;
mod build;
mod chain;
mod engine_options;
mod error;
pub mod event;
mod fastchess;
pub mod github;
pub mod http;
mod job;
mod part_file;
mod pull_request;
mod refs;
mod settings;
mod shards;
mod standing;
#[cfg(test)]
pub(crate) mod test_server;
mod token;

pub use annotation::{Level, annotation};
pub use archive::{ArchiveError, ArchiveForm, unpack};
pub use book_table::{BooksError, Table};
pub use build::{BuildRecord, bench_nodes, commit_bench, is_for_one_processor};
pub use chain::{Chain, ChainError, Next, run_page};
pub use engine_options::{InvalidOption, engine_options};
pub use error::CiError;
pub use event::run_address;
pub use fastchess::{Build, FastchessRequest, FetchError, Fetched, NoFastchess, fetch_fastchess};
pub use job::{Job, in_workflow};
pub use pull_request::{NoPullRequest, PullRequest};
pub use refs::{Ask, Checkout, RefError, RefName, Resolved, Surroundings, WhenEmpty, resolve};
pub use settings::{Settings, SettingsError};
pub use shards::{Flaw, LeftOut, Shards, ShardsError, UsableShard, WantedEngine, WantedMatch};
pub use standing::Standing;
pub use token::{Commits, RunId, Token, TokenError};
