//! Runs the built program: one file a command.

mod book_slice;
mod determinism;
mod faults;
mod json;
mod matches;
mod match_estimate;
mod match_terminations;
mod program;
mod readme;
mod real_engines;
mod signals;
mod vectors;
