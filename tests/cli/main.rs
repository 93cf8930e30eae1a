//! Runs the built program: one file a command.

#![allow(clippy::unwrap_used)] // a test that panics has failed as it should

mod book;
mod book_slice;
mod determinism;
mod elo;
mod engine;
mod faults;
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
