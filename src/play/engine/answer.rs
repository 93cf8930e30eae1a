//! What an engine answers to `go`.

use std::time::Duration;

use super::{Silence, begins};
use crate::notation::uci::{self, Info};

/// What a search brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// From just before `go` was written to when the last line was read, or the wait was given up.
    pub elapsed: Duration,
    /// The move, or why there is none.
    pub answer: Result<Answer, Silence>,
}

/// A `bestmove` and what was said before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move as it was spelled, unchecked; perhaps empty.
    pub bestmove: String,
    /// The last line with a score of the main variation, an exact one before a bound.
    pub info: Option<Info>,
}

/// The move of a `bestmove` line, cut to a bearable length.
pub(super) fn bestmove(line: &[u8]) -> Option<String> {
    if !begins(line, b"bestmove") {
        return None;
    }
    let line = String::from_utf8_lossy(&line[..line.len().min(256)]);
    uci::bestmove(&line).map(str::to_owned)
}
