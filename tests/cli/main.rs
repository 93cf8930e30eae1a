//! Runs the built program: one file a command.
