//! Runs the built program: one file a command.

mod book_slice;
mod json;
mod program;
mod vectors;
