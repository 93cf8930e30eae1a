//! Runs the built program: one file a command.

#![allow(clippy::unwrap_used)] // a test that panics has failed as it should

mod book_slice;
mod json;
mod match_estimate;
mod match_terminations;
mod ours_is_right;
mod program;
mod vectors;
