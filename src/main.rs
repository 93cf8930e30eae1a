//! The `mache` program.

use std::process::ExitCode;

use mache::cli::{Cli, exit};
use mache::report::escape;

fn main() -> ExitCode {
    let outcome = Cli::from_arguments().run();
    outcome.unwrap_or_else(|error| {
        if !exit::reader_is_gone(&error) {
            eprintln!("error: {}", escape::one_line(&format!("{error:#}")));
        }
        exit::of_error(&error)
    })
}
