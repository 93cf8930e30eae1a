//! Starting an engine up to its `uciok`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::info::LastInfo;
use super::lines::Lines;
use super::transcript::{ErrorTail, Transcript};
use super::{EngineProcess, Identity, Interrupt, Silence, StartError, Uninterrupted};
use crate::notation::uci::cleaned;
use crate::play::os::{InputPipe, OutputPipe, ProcessTree};
use crate::play::watchdog::Watchdog;
use crate::play::{EngineSetup, Waits};

/// What stands over an engine beside its owner.
#[derive(Clone, Copy)]
pub struct Supervision<'a> {
    /// Cuts the wait for `uciok` short.
    pub interrupt: &'a dyn Interrupt,
    /// Kills the engine when this process is killed.
    pub watchdog: Option<&'a Arc<Watchdog>>,
}

impl EngineProcess {
    /// Starts an engine and waits for its `uciok`. Options are not checked ([`Identity::check`]) and not set yet.
    ///
    /// # Errors
    /// When the program cannot be started, ends, or does not answer in time.
    pub fn start(setup: &EngineSetup, waits: &Waits) -> Result<Self, StartError> {
        let supervision = Supervision {
            interrupt: &Uninterrupted,
            watchdog: None,
        };
        Self::start_under(setup, waits, supervision)
    }

    /// The same, under supervision.
    ///
    /// # Errors
    /// As [`Self::start`]; also when the wait was cut short.
    pub fn start_under(
        setup: &EngineSetup,
        waits: &Waits,
        supervision: Supervision<'_>,
    ) -> Result<Self, StartError> {
        let spawned = spawn(setup, waits, supervision);
        let mut engine = spawned.map_err(|source| StartError::Spawn {
            engine: setup.name.clone(),
            command: setup.command.clone(),
            source,
        })?;
        match engine.greet(supervision.interrupt) {
            Ok(()) => Ok(engine),
            Err(silence) => Err(engine.failure(setup, silence)),
        }
    }

    fn greet(&mut self, interrupt: &dyn Interrupt) -> Result<(), Silence> {
        let deadline = Instant::now() + self.waits.startup;
        self.send(b"uci\n", deadline, interrupt)?;
        loop {
            while let Some(line) = self.lines.next() {
                self.transcript.received(line);
                let line = String::from_utf8_lossy(line);
                if line.trim_start().starts_with("uciok") {
                    return Ok(());
                }
                self.identity.take(line.trim());
            }
            self.wait(deadline, interrupt)?;
        }
    }

    fn failure(mut self, setup: &EngineSetup, silence: Silence) -> StartError {
        let engine = setup.name.clone();
        let command = setup.command.clone();
        let end = self.end(match silence {
            Silence::Closed => Duration::from_millis(500),
            Silence::TimedOut | Silence::Interrupted => Duration::ZERO,
        });
        let last = self.last_words();
        match (silence, end) {
            (Silence::Interrupted, _) => StartError::Interrupted { engine },
            (Silence::Closed, end) => StartError::Ended {
                engine,
                command,
                end: end.unwrap_or_else(|| "it closed its output".to_owned()),
                last,
            },
            (Silence::TimedOut, _) => StartError::NoAnswer {
                engine,
                command,
                waited: self.waits.startup,
                last,
            },
        }
    }

    /// The last lines on both outputs, for an error message.
    fn last_words(&mut self) -> String {
        let errors = self.standard_error();
        let errors: Vec<&str> = errors.lines().collect();
        let errors = errors[errors.len().saturating_sub(3)..].iter();
        let said = self.transcript.last_received(3);
        let words: Vec<String> = said
            .iter()
            .map(String::as_str)
            .chain(errors.copied())
            .map(|line| format!("`{}`", cleaned(line, 200)))
            .collect();
        if words.is_empty() {
            ", it said nothing".to_owned()
        } else {
            format!(", its last words: {}", words.join(" "))
        }
    }
}

fn spawn(
    setup: &EngineSetup,
    waits: &Waits,
    supervision: Supervision<'_>,
) -> std::io::Result<EngineProcess> {
    let mut tree = ProcessTree::start(&mut command(setup))?;
    if let Some(watchdog) = supervision.watchdog {
        watchdog.guard(tree.id());
    }
    let child = tree.child();
    let missing = "all three outputs are piped";
    let input = InputPipe::new(child.stdin.take().expect(missing))?;
    let output = OutputPipe::new(child.stdout.take().expect(missing))?;
    let errors = ErrorTail::follow(child.stderr.take().expect(missing))?;
    Ok(EngineProcess {
        name: setup.name.clone(),
        tree,
        input: Some(input),
        lines: Lines::new(output),
        transcript: Transcript::default(),
        errors,
        identity: Identity::default(),
        options: setup.options.clone(),
        configured: false,
        searching: false,
        info: LastInfo::default(),
        waits: *waits,
        watchdog: supervision.watchdog.cloned(),
    })
}

fn command(setup: &EngineSetup) -> Command {
    let mut command = Command::new(program(&setup.command, setup.directory.as_deref()));
    command
        .args(&setup.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(directory) = &setup.directory {
        command.current_dir(directory);
    }
    command
}

/// A path is taken from the engine's folder, and from ours when it is not there. A bare name is left to the search path.
fn program(command: &Path, directory: Option<&Path>) -> PathBuf {
    let Some(directory) = directory else {
        return command.to_owned();
    };
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let inside = directory.join(command);
    if inside.is_file() {
        absolute(&inside)
    } else if command.components().count() > 1 {
        absolute(command)
    } else {
        command.to_owned()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::play::Limit;

    fn failure(command: &str) -> StartError {
        let setup = EngineSetup {
            name: "candidate".into(),
            command: command.into(),
            arguments: Vec::new(),
            directory: None,
            limit: Limit::default(),
            margin: Duration::ZERO,
            options: Vec::new(),
            restart: false,
        };
        let waits = Waits {
            startup: Duration::from_millis(300),
            ..Waits::default()
        };
        EngineProcess::start(&setup, &waits).unwrap_err()
    }

    #[test]
    fn a_missing_program() {
        let error = failure("/nowhere/engine");
        assert!(!error.may_pass());
        insta::assert_snapshot!(error, @"candidate: cannot start `/nowhere/engine`; check the path and that it may be run");
    }

    #[test]
    fn a_program_that_ends_at_once() {
        let error = failure("false");
        assert!(error.may_pass());
        insta::assert_snapshot!(error, @"candidate: `false` ended before it said `uciok` (exit status: 1), it said nothing; start it by hand and type `uci`");
    }

    #[test]
    fn a_program_that_is_no_engine() {
        let error = failure("cat");
        assert!(!error.may_pass());
        insta::assert_snapshot!(error, @"candidate: `cat` did not answer `uci` with `uciok` within 300 ms, its last words: `uci`; is it a UCI engine?");
    }

    #[test]
    fn where_a_program_is_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("engine"), "").unwrap();
        let inside = Some(folder.path());
        let bare = Path::new("engine");
        assert_eq!(program(bare, None), bare);
        assert_eq!(program(bare, inside), folder.path().join("engine"));
        assert_eq!(program(Path::new("other"), inside), Path::new("other"));
        let ours = std::env::current_dir().unwrap().join("bin/other");
        assert_eq!(program(Path::new("bin/other"), inside), ours);
    }
}
