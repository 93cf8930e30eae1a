//! A UCI engine as a child process: one owner, a deadline for every wait.
//!
//! Nothing here judges a game. A wait ends with what was waited for or with a [`Silence`]; who lost by it is
//! decided by who asked. When the owner lets go of an engine, it and all it started are gone.

mod answer;
mod error;
mod identity;
mod info;
mod lines;
mod quit;
mod start;
mod transcript;

pub use answer::{Answer, Search};
pub use error::{OptionError, StartError};
pub use identity::Identity;
pub use quit::quit_all;
pub use start::Supervision;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::os::{InputPipe, ProcessTree, Received};
use super::watchdog::Watchdog;
use super::{StopRequest, Waits};
use answer::bestmove;
use info::LastInfo;
use lines::Lines;
use transcript::{ErrorTail, Transcript};

/// No wait goes on longer than this without a look at whether it was cut short.
const SLICE: Duration = Duration::from_millis(50);

/// Something that cuts every wait short.
pub trait Interrupt: Sync {
    /// Whether it does now.
    fn is_raised(&self) -> bool;
}

impl Interrupt for StopRequest {
    fn is_raised(&self) -> bool {
        self.is_requested()
    }
}

/// Cuts nothing short.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uninterrupted;

impl Interrupt for Uninterrupted {
    fn is_raised(&self) -> bool {
        false
    }
}

/// Why an engine's answer did not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The deadline passed.
    TimedOut,
    /// The process ended, or closed its output or its input.
    Closed,
    /// The wait was cut short from outside.
    Interrupted,
}

/// How an engine took being called to order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It thinks no more and answered; everything it said before is out of the way.
    Ready,
    /// It answers, or goes on printing, but the move it owes did not come; or the wait was cut short.
    Thinking,
    /// It lives, does not answer and says nothing else either.
    Silent,
    /// It is gone.
    Gone,
}

/// A running engine.
#[derive(Debug)]
pub struct EngineProcess {
    name: String,
    tree: ProcessTree,
    /// `None` once closed.
    input: Option<InputPipe>,
    lines: Lines,
    transcript: Transcript,
    errors: ErrorTail,
    identity: Identity,
    /// What is still to be set before the first game.
    options: Vec<(String, String)>,
    configured: bool,
    /// A `go` is unanswered.
    searching: bool,
    info: LastInfo,
    waits: Waits,
    watchdog: Option<Arc<Watchdog>>,
}

impl EngineProcess {
    /// The name it was set up with.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it said of itself.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.tree.id()
    }

    /// Announces a new game: `setoption` for every option before the first one, `ucinewgame`, `isready`.
    /// [`Self::await_ready`] waits for the answer.
    ///
    /// # Errors
    /// When the engine is gone or takes nothing in.
    pub fn announce_game(
        &mut self,
        chess960: bool,
        interrupt: &dyn Interrupt,
    ) -> Result<(), Silence> {
        self.discard_old()?;
        let mut text = String::new();
        if !self.configured {
            text = self.identity.setoptions(&self.options, chess960);
            self.configured = true;
        }
        text.push_str("ucinewgame\nisready\n");
        let deadline = Instant::now() + self.waits.new_game;
        self.send(text.as_bytes(), deadline, interrupt)
    }

    /// Waits for `readyok`.
    ///
    /// # Errors
    /// When it does not come by the deadline.
    pub fn await_ready(
        &mut self,
        deadline: Instant,
        interrupt: &dyn Interrupt,
    ) -> Result<(), Silence> {
        self.await_line(b"readyok", deadline, interrupt)
    }

    /// Writes `command` (`position …` and `go …`, each with its line feed) and reads up to the `bestmove`,
    /// for `longest` at most, however much the engine prints meanwhile.
    ///
    /// What it said before is dropped first, so an old move is never taken for this one. `echo` is the move it
    /// said last in this game, or empty: no move is legal twice running, so hearing it once more is a late repeat.
    pub fn search(
        &mut self,
        command: &[u8],
        echo: &str,
        longest: Duration,
        interrupt: &dyn Interrupt,
    ) -> Search {
        if let Err(silence) = self.discard_old() {
            let elapsed = Duration::ZERO;
            let answer = Err(silence);
            return Search { elapsed, answer };
        }
        self.info.clear();
        let started = Instant::now();
        self.searching = true;
        let deadline = started + longest;
        let answer = self
            .send(command, deadline, interrupt)
            .and_then(|()| self.await_move(echo, deadline, interrupt));
        let ended = match answer {
            Ok(_) => self.lines.read_at(),
            Err(_) => Instant::now(),
        };
        Search {
            elapsed: ended.saturating_duration_since(started),
            answer,
        }
    }

    fn await_move(
        &mut self,
        mut echo: &str,
        deadline: Instant,
        interrupt: &dyn Interrupt,
    ) -> Result<Answer, Silence> {
        loop {
            while let Some(line) = self.lines.next() {
                self.transcript.received(line);
                self.info.note(line);
                if let Some(bestmove) = bestmove(line) {
                    if !bestmove.is_empty() && bestmove == std::mem::take(&mut echo) {
                        continue;
                    }
                    self.searching = false;
                    let info = self.info.latest();
                    return Ok(Answer { bestmove, info });
                }
            }
            self.wait(deadline, interrupt)?;
        }
    }

    /// Brings an engine to a known state after a fault: `stop`, its move if it owes one, `isready`, `readyok`.
    pub fn settle(&mut self, patience: Duration, interrupt: &dyn Interrupt) -> Settled {
        let deadline = Instant::now() + patience;
        let mut ready = false;
        let sent = self.send(b"stop\nisready\n", deadline, interrupt);
        let end = sent.and_then(|()| self.await_order(&mut ready, deadline, interrupt));
        let heard = ready || self.lines.read_at() + patience / 2 > deadline;
        match end {
            Ok(()) => Settled::Ready,
            Err(Silence::Closed) => Settled::Gone,
            Err(Silence::TimedOut) if !heard => Settled::Silent,
            Err(Silence::TimedOut | Silence::Interrupted) => Settled::Thinking,
        }
    }

    fn await_order(
        &mut self,
        ready: &mut bool,
        deadline: Instant,
        interrupt: &dyn Interrupt,
    ) -> Result<(), Silence> {
        loop {
            while let Some(line) = self.lines.next() {
                self.transcript.received(line);
                *ready |= begins(line, b"readyok");
                self.searching &= !begins(line, b"bestmove");
                if *ready && !self.searching {
                    return Ok(());
                }
            }
            self.wait(deadline, interrupt)?;
        }
    }

    /// The last 200 protocol lines, `> ` before one to the engine, `< ` before one from it.
    #[must_use]
    pub fn protocol(&self) -> String {
        self.transcript.text()
    }

    /// The end of what it wrote to standard error. A dead engine's is waited for a moment.
    pub fn standard_error(&mut self) -> String {
        let patience = match self.tree.ended() {
            Some(_) => Duration::from_millis(100),
            None => Duration::ZERO,
        };
        self.errors.text(patience)
    }

    /// How the process ended, `None` while it runs. Waits `patience` for the end.
    pub fn end(&mut self, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(status) = self.tree.ended() {
                return Some(status.to_string());
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// How many lines were dropped because they were longer than 64 KiB.
    #[must_use]
    pub const fn dropped_lines(&self) -> u64 {
        self.lines.dropped()
    }

    /// Asks it to quit, kills it when it does not within the wait for that.
    pub fn quit(self) {
        let patience = self.waits.quit;
        quit_all(vec![self], patience);
    }

    /// Kills it and all it started.
    pub fn kill(mut self) {
        self.end_now();
    }

    fn end_now(&mut self) {
        self.input = None;
        self.tree.kill();
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.release(self.tree.id());
        }
    }

    fn discard_old(&mut self) -> Result<(), Silence> {
        let transcript = &mut self.transcript;
        match self.lines.discard(|line| transcript.received(line)) {
            Received::Closed => Err(Silence::Closed),
            Received::Bytes(_) | Received::Nothing => Ok(()),
        }
    }

    fn send(
        &mut self,
        text: &[u8],
        deadline: Instant,
        interrupt: &dyn Interrupt,
    ) -> Result<(), Silence> {
        self.transcript.sent(text);
        let mut rest = text;
        loop {
            let input = self.input.as_mut().ok_or(Silence::Closed)?;
            let left = deadline.saturating_duration_since(Instant::now());
            let count = input
                .send(rest, left.min(SLICE))
                .map_err(|_| Silence::Closed)?;
            rest = &rest[count..];
            if rest.is_empty() {
                return Ok(());
            }
            check(left, interrupt)?;
        }
    }

    fn await_line(
        &mut self,
        wanted: &[u8],
        deadline: Instant,
        interrupt: &dyn Interrupt,
    ) -> Result<(), Silence> {
        loop {
            while let Some(line) = self.lines.next() {
                self.transcript.received(line);
                if begins(line, wanted) {
                    return Ok(());
                }
            }
            self.wait(deadline, interrupt)?;
        }
    }

    /// Waits until something was read.
    fn wait(&mut self, deadline: Instant, interrupt: &dyn Interrupt) -> Result<(), Silence> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            check(left, interrupt)?;
            match self.lines.fill(left.min(SLICE)) {
                Received::Bytes(_) => return Ok(()),
                Received::Closed => return Err(Silence::Closed),
                Received::Nothing => {}
            }
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.end_now();
    }
}

fn check(left: Duration, interrupt: &dyn Interrupt) -> Result<(), Silence> {
    if interrupt.is_raised() {
        Err(Silence::Interrupted)
    } else if left.is_zero() {
        Err(Silence::TimedOut)
    } else {
        Ok(())
    }
}

fn begins(line: &[u8], word: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(word)
}
