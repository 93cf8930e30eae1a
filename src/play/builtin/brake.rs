//! What stops a match before its last game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::play::engine::Interrupt;
use crate::play::{Stop, StopRequest};

/// Stops all slots at once: on request, when the time is over, or when one of them cannot go on.
#[derive(Debug)]
pub(super) struct Brake<'a> {
    request: &'a StopRequest,
    end: Option<Instant>,
    /// A fault without recovery.
    fault: AtomicBool,
    /// A slot failed; its error is the answer.
    failure: AtomicBool,
    /// A planned game was not played out.
    unfinished: AtomicBool,
}

impl<'a> Brake<'a> {
    pub(super) fn new(request: &'a StopRequest, longest: Option<Duration>) -> Self {
        Self {
            request,
            end: longest.and_then(|longest| Instant::now().checked_add(longest)),
            fault: AtomicBool::new(false),
            failure: AtomicBool::new(false),
            unfinished: AtomicBool::new(false),
        }
    }

    /// Stops because an engine failed and recovery is off.
    pub(super) fn pull_for_fault(&self) {
        self.fault.store(true, Ordering::SeqCst);
    }

    /// Stops because a slot cannot go on.
    pub(super) fn pull_for_failure(&self) {
        self.failure.store(true, Ordering::SeqCst);
    }

    /// Notes that a planned game was not played out.
    pub(super) fn leave_unfinished(&self) {
        self.unfinished.store(true, Ordering::SeqCst);
    }

    /// Why the match is over.
    pub(super) fn cause(&self) -> Stop {
        if self.fault.load(Ordering::SeqCst) {
            Stop::Fault
        } else if !self.unfinished.load(Ordering::SeqCst) {
            Stop::Finished
        } else if self.request.is_requested() {
            Stop::Signal
        } else {
            Stop::Time
        }
    }
}

impl Interrupt for Brake<'_> {
    fn is_raised(&self) -> bool {
        self.fault.load(Ordering::Relaxed)
            || self.failure.load(Ordering::Relaxed)
            || self.request.is_requested()
            || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_named() {
        let request = StopRequest::default();
        let brake = Brake::new(&request, None);
        assert!(!brake.is_raised());
        assert_eq!(brake.cause(), Stop::Finished);
        request.request();
        assert!(brake.is_raised());
        // Every game was over before the request was seen.
        assert_eq!(brake.cause(), Stop::Finished);
        brake.leave_unfinished();
        assert_eq!(brake.cause(), Stop::Signal);
        brake.pull_for_fault();
        assert_eq!(brake.cause(), Stop::Fault);
    }

    #[test]
    fn time_runs_out() {
        let request = StopRequest::default();
        let brake = Brake::new(&request, Some(Duration::ZERO));
        assert!(brake.is_raised());
        brake.leave_unfinished();
        assert_eq!(brake.cause(), Stop::Time);
    }
}
