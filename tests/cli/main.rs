//! Runs the built program: one file a command.

mod book_slice;
mod json;
mod match_estimate;
mod match_terminations;
mod ours_is_right;
mod program;
mod vectors;
