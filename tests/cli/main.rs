//! Runs the built program: one file a command.

#![allow(clippy::unwrap_used)] // a test that panics has failed as it should

mod book;
mod book_slice;
#[cfg(unix)]
mod ci_build;
mod ci_plan;
#[cfg(unix)]
mod ci_play;
#[cfg(unix)]
mod ci_resolve_ref;
mod ci_step;
#[cfg(unix)]
mod ci_steps;
#[cfg(unix)]
mod ci_summarise;
mod determinism;
mod elo;
mod engine;
mod faults;
mod hypotheses;
mod json;
mod match_estimate;
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
mod vectors;
mod verify;
