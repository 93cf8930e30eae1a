//! What differs between systems: pipes that can be waited for with a deadline, process trees, signals.
//!
//! Unix polls non-blocking pipes, leads each engine in a process group of its own and kills the group.
//! Everywhere else a thread behind each pipe does the blocking, and only the engine itself is killed.

#[cfg(any(test, not(unix)))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use portable::{InputPipe, OutputPipe, ProcessTree, interrupt, lead_group};
#[cfg(unix)]
pub(crate) use unix::{InputPipe, OutputPipe, ProcessTree, interrupt, lead_group};

#[cfg(not(unix))]
pub use portable::{ignore_stop_signals, kill_group, on_stop_signal, outlive_size_limit};
#[cfg(unix)]
pub use unix::{ignore_stop_signals, kill_group, on_stop_signal, outlive_size_limit};

/// What a look at an engine's output brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// So many bytes, at least one.
    Bytes(usize),
    /// Nothing came in the time given.
    Nothing,
    /// The other end is closed and everything it wrote was read.
    Closed,
}
