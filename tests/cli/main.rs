//! Runs the built program: one file a command.

#![allow(clippy::unwrap_used)] // a test that panics has failed as it should

mod action_inputs;
mod book;
mod book_slice;
#[cfg(unix)]
mod ci_build;
mod ci_dispatch;
mod ci_github;
mod ci_next_batch;
mod ci_plan;
#[cfg(unix)]
mod ci_play;
#[cfg(unix)]
mod ci_resolve_ref;
mod ci_step;
#[cfg(unix)]
mod ci_summarise;
mod determinism;
mod elo;
mod engine;
#[cfg(unix)]
mod engine_files;
mod faults;
mod homogeneity;
mod hypotheses;
mod json;
mod known_books;
mod match_estimate;
mod match_estimate_arguments;
mod match_terminations;
mod matches;
mod ordered;
mod ours_is_right;
mod plan;
mod play;
mod play_fastchess;
mod program;
mod rating_estimate;
mod rating_list;
mod readme;
mod real_engines;
mod signals;
#[path = "../../src/ci/test_server.rs"]
mod test_server;
mod vectors;
mod verify;
