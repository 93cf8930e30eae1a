//! Runs the built program: one file a command.

mod book;
mod book_slice;
mod determinism;
mod engine;
mod faults;
mod json;
mod matches;
mod program;
mod readme;
mod real_engines;
mod signals;
mod vectors;
