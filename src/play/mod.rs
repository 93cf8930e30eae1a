//! Processes: the two runners behind one trait, engines, clocks, adjudication, events.

pub mod audit;
pub mod builtin;
pub mod embedded;
pub mod engine;
pub mod fastchess;
pub mod machine;
pub mod manifest;
pub mod resume;
pub mod run_folder;
pub mod tally;

mod event;
mod judge;
pub mod os;
pub mod program;
mod setup;
mod stop_signal;
pub mod watchdog;

pub use event::{Blame, Event, Fault, FinishedGame, Side};
pub use judge::{Judge, JudgeError};
pub use setup::{Adjudication, DrawRule, EngineSetup, Limit, MatchSetup, ResignRule, Waits};
pub use stop_signal::StopSignal;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// Every planned game was played.
    Finished,
    /// The cap on wall time was reached.
    Time,
    /// A signal asked for it.
    Signal,
    /// An engine failed and recovery was off.
    Fault,
}

/// A request to stop, shared between threads; set by a signal or by the cap on wall time.
#[derive(Debug, Default)]
pub struct StopRequest {
    requested: Arc<AtomicBool>,
}

impl StopRequest {
    /// Asks every game under way to end as unfinished and starts no further one.
    pub fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
    }

    /// What a signal sets.
    #[cfg(unix)]
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.requested)
    }

    /// Whether somebody asked.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }
}

/// Plays the pairs of a [`MatchSetup`] and appends their games to `games.pgn`.
pub trait Runner {
    /// What played, for reports and manifests: `built-in 0.1.0`, `fastchess alpha 1.8.2 …`.
    fn identity(&self) -> String;

    /// Plays until all pairs are done or something stops it. Every finished game is on disk when this returns.
    ///
    /// # Errors
    /// When an engine cannot be started at all, or games cannot be written.
    fn play(
        &self,
        setup: &MatchSetup,
        stop: &StopRequest,
        events: &(dyn Fn(Event) + Sync),
    ) -> Result<Stop, PlayError>;
}

/// Why a match could not be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// A file of the run could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// fastchess could not be run, or did not do what it was told.
    #[error(transparent)]
    Fastchess(#[from] fastchess::FastchessError),
    /// The games it wrote cannot be read, or are not those it was to play.
    #[error(transparent)]
    Games(#[from] resume::ResumeError),
    /// An engine could not be started, or not again after a fault.
    #[error(transparent)]
    Engine(#[from] engine::StartError),
    /// The system gave no thread for a slot.
    #[error("cannot start a thread; lower the concurrency")]
    Thread {
        /// What the system said.
        source: std::io::Error,
    },
    /// A defect of this program. What it printed says where.
    #[error("a slot broke down; the games before it are written")]
    Panic,
}
