//! The built-in runner: one slot per concurrent game, UCI engines as child processes, rules by shakmaty.
//!
//! Where it differs from fastchess on purpose: the clock runs from before `go` is written; every wait is over at a
//! fixed time, however much an engine prints; a move without a clock that never comes is a stall (`Waits`);
//! with a clock it is a time forfeit, or a stall if the engine does not answer `isready` any more either. An engine that
//! is alive and leaves `ucinewgame` unanswered stalls, too. `PlyCount` counts the moves of the movetext.

mod adjudication;
mod board;
mod brake;
mod clock;
mod ending;
mod files;
mod game;
mod pgn;
mod slot;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::engine::EngineProcess;
use super::watchdog::Watchdog;
use super::{Event, MatchSetup, PlayError, Runner, Stop, StopRequest};
use crate::plan::PlannedPair;
use brake::Brake;
use files::Files;
use slot::Slot;

/// Plays matches without any other program.
#[derive(Clone, Debug, Default)]
pub struct Builtin {
    watchdog: Option<PathBuf>,
}

impl Builtin {
    /// A runner whose engines die with it, unless it is killed by SIGKILL.
    #[must_use]
    pub const fn new() -> Self {
        Self { watchdog: None }
    }

    /// The same, even after a SIGKILL: `program watchdog` has to call [`super::watchdog::watch`].
    #[must_use]
    pub fn with_watchdog(program: PathBuf) -> Self {
        Self {
            watchdog: Some(program),
        }
    }
}

impl Runner for Builtin {
    fn identity(&self) -> String {
        format!("built-in {}", env!("CARGO_PKG_VERSION"))
    }

    fn play(
        &self,
        setup: &MatchSetup,
        stop: &StopRequest,
        events: &(dyn Fn(Event) + Sync),
    ) -> Result<Stop, PlayError> {
        let table = Table {
            setup,
            brake: Brake::new(stop, setup.max_time),
            files: Files::open(&setup.out)?,
            events,
            watchdog: self.start_watchdog(events),
            next: AtomicUsize::new(0),
            warned_of_chess960: AtomicBool::new(false),
        };
        table.play()
    }
}

impl Builtin {
    /// Without it the match goes on, with a warning.
    fn start_watchdog(&self, events: &(dyn Fn(Event) + Sync)) -> Option<Arc<Watchdog>> {
        let program = self.watchdog.as_ref()?;
        let started = Watchdog::start(program);
        let watchdog = started.inspect_err(|error| {
            let text = format!("no watchdog: {error}; engines may outlive a killed run");
            events(Event::Warning { text });
        });
        watchdog.ok().map(Arc::new)
    }
}

/// What the slots of a match share.
struct Table<'a> {
    setup: &'a MatchSetup,
    brake: Brake<'a>,
    files: Files,
    events: &'a (dyn Fn(Event) + Sync),
    watchdog: Option<Arc<Watchdog>>,
    /// Index of the next pair nobody plays yet.
    next: AtomicUsize,
    warned_of_chess960: AtomicBool,
}

impl Table<'_> {
    fn play(&self) -> Result<Stop, PlayError> {
        let slots = self.setup.concurrency.get().min(self.setup.pairs.len());
        let outcomes: Vec<Result<(), PlayError>> = thread::scope(|scope| {
            let start = |number| {
                let slot = thread::Builder::new().name(format!("slot {number}"));
                slot.spawn_scoped(scope, || self.run_slot())
            };
            let slots: Vec<_> = (0..slots).map(start).collect();
            let ends = slots.into_iter().map(|slot| match slot {
                Ok(slot) => slot.join().unwrap_or(Err(PlayError::Panic)),
                Err(source) => Err(PlayError::Thread { source }),
            });
            ends.collect()
        });
        outcomes.into_iter().collect::<Result<(), _>>()?;
        Ok(self.brake.cause())
    }

    /// Plays in one slot. If it panics, the others stop too.
    fn run_slot(&self) -> Result<(), PlayError> {
        let guard = PanicGuard(&self.brake);
        let outcome = Slot::new(self).run();
        drop(guard);
        outcome
    }

    fn next_pair(&self) -> Option<&PlannedPair> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        self.setup.pairs.get(index)
    }

    /// Tells a person, now and in the log.
    fn warn(&self, text: String) -> Result<(), PlayError> {
        let logged = self.files.log(&format!("warning: {text}"));
        (self.events)(Event::Warning { text });
        logged
    }

    fn warn_once_of_chess960(&self, engine: &EngineProcess) {
        if slot::plays(self.setup.variant, engine)
            || self.warned_of_chess960.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let text = format!("{} does not offer UCI_Chess960", engine.name());
        (self.events)(Event::Warning { text });
    }
}

/// Stops the other slots when its own thread panics.
struct PanicGuard<'a>(&'a Brake<'a>);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.pull_for_failure();
        }
    }
}
