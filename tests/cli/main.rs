//! Runs the built program: one file a command.

mod book;
mod book_slice;
mod engine;
mod json;
mod program;
mod vectors;
