//! A helper program run to its end: git, a build, a caller's table. Never through a shell, never for longer or with
//! more output than it is allowed.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::os::ProcessTree;

/// A longer line is handed on in pieces.
const LONGEST_LINE: u64 = 64 * 1024;
/// Bytes an answer may have.
const LONGEST_ANSWER: usize = 1024 * 1024;
/// Lines kept of what a program complained about.
const LAST_LINES: usize = 8;
/// How often the end of the program is looked for.
const TICK: Duration = Duration::from_millis(20);
/// Lines read ahead of whoever takes them.
const AHEAD: usize = 256;

/// Why a program gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The system could not start it.
    #[error("cannot start {}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It ran for longer than it may.
    #[error("{} was stopped after {} s", program.display(), limit.as_secs())]
    Time {
        /// The program.
        program: PathBuf,
        /// How long it was given.
        limit: Duration,
    },
    /// It ended with a status other than 0.
    #[error("{} ended with {status}{}", program.display(), after_colon(said))]
    Failed {
        /// The program.
        program: PathBuf,
        /// How it ended.
        status: ExitStatus,
        /// The last lines of its standard error.
        said: String,
    },
    /// It printed more than an answer may have.
    #[error("{} printed more than {LONGEST_ANSWER} bytes", program.display())]
    Long {
        /// The program.
        program: PathBuf,
    },
}

fn after_colon(said: &str) -> String {
    if said.is_empty() {
        String::new()
    } else {
        format!(": {said}")
    }
}

/// Which of its outputs a program wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// A program and its arguments. It finds nothing on standard input.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
    directory: Option<PathBuf>,
    environment: Vec<(OsString, OsString)>,
    limit: Duration,
}

impl Program {
    /// The program at a path, or on the PATH when there is no slash in it. It has ten minutes unless told otherwise.
    #[must_use]
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            arguments: Vec::new(),
            directory: None,
            environment: Vec::new(),
            limit: Duration::from_secs(600),
        }
    }

    /// With these arguments after those it has.
    #[must_use]
    pub fn arguments<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        let words = arguments.into_iter().map(|word| word.as_ref().to_owned());
        self.arguments.extend(words);
        self
    }

    /// Started in this folder.
    #[must_use]
    pub fn directory(mut self, directory: &Path) -> Self {
        self.directory = Some(directory.to_owned());
        self
    }

    /// With a variable in its environment.
    #[must_use]
    pub fn variable(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let pair = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.environment.push(pair);
        self
    }

    /// Stopped, with everything it started, after so long.
    #[must_use]
    pub const fn within(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// What it prints on standard output, without the line feeds at its end.
    ///
    /// # Errors
    /// When it cannot be started, fails, takes too long, or prints more than a mebibyte.
    pub fn answer(&self) -> Result<String, ProgramError> {
        let mut answer = String::new();
        self.follow(|stream, line| {
            if stream == Stream::Output && answer.len() <= LONGEST_ANSWER {
                answer.push_str(line);
                answer.push('\n');
            }
        })?;
        if answer.len() > LONGEST_ANSWER {
            let program = self.path.clone();
            return Err(ProgramError::Long { program });
        }
        answer.truncate(answer.trim_end_matches(['\n', '\r']).len());
        Ok(answer)
    }

    /// Runs it, handing on each line of both outputs as it comes.
    ///
    /// # Errors
    /// When it cannot be started, fails or takes too long.
    pub fn follow(&self, mut line: impl FnMut(Stream, &str)) -> Result<(), ProgramError> {
        let mut tree = self.start()?;
        let child = tree.child();
        let output = child.stdout.take().expect("it is piped");
        let error = child.stderr.take().expect("it is piped");
        let (said, lines) = sync_channel(AHEAD);
        let mut last = Vec::new();
        let status = thread::scope(|scope| {
            let copy = said.clone();
            scope.spawn(move || read(output, Stream::Output, &copy));
            scope.spawn(move || read(error, Stream::Error, &said));
            self.attend(&mut tree, lines, |stream, text| {
                if stream == Stream::Error && !text.trim().is_empty() {
                    last.push(text.trim().to_owned());
                    last.drain(..last.len().saturating_sub(LAST_LINES));
                }
                line(stream, text);
            })
        });
        let program = self.path.clone();
        match status {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(ProgramError::Failed {
                program,
                status,
                said: last.join("; "),
            }),
            None => Err(ProgramError::Time {
                program,
                limit: self.limit,
            }),
        }
    }

    fn start(&self) -> Result<ProcessTree, ProgramError> {
        let mut command = Command::new(&self.path);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        ProcessTree::start(&mut command).map_err(|source| ProgramError::Start {
            program: self.path.clone(),
            source,
        })
    }

    /// Hands on lines until both pipes are closed; `None` when time ran out first. Nothing of the program is left then.
    fn attend(
        &self,
        tree: &mut ProcessTree,
        lines: Receiver<(Stream, Vec<u8>)>,
        mut line: impl FnMut(Stream, &str),
    ) -> Option<ExitStatus> {
        let deadline = Instant::now() + self.limit;
        let mut ended = None;
        loop {
            match lines.recv_timeout(TICK) {
                Ok((stream, bytes)) => line(stream, &String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => break,
                // Looking for the end kills what the program left behind, so that the pipes close.
                Err(RecvTimeoutError::Timeout) => ended = tree.ended(),
            }
            if ended.is_none() && Instant::now() >= deadline {
                tree.kill();
                return None;
            }
        }
        while ended.is_none() && Instant::now() < deadline {
            ended = tree.ended();
            thread::sleep(Duration::from_millis(1));
        }
        ended
    }
}

/// Sends on every line of a pipe, to its end or until nobody takes them.
fn read(pipe: impl Read, stream: Stream, said: &SyncSender<(Stream, Vec<u8>)>) {
    let mut pipe = BufReader::new(pipe);
    loop {
        let mut bytes = Vec::new();
        let piece = (&mut pipe).take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        // A pipe that breaks has said all it had to say.
        if piece.unwrap_or(0) == 0 {
            return;
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        if said.send((stream, bytes)).is_err() {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Program {
        Program::new("sh").arguments(["-c", script])
    }

    #[test]
    fn an_answer_is_what_it_prints() {
        let answer = shell("echo one; echo aside >&2; echo two").answer();
        assert_eq!(answer.expect("an answer"), "one\ntwo");
        let words = Program::new("printf").arguments(["%s|", "$(id)", "a b"]);
        assert_eq!(words.answer().expect("an answer"), "$(id)|a b|");
    }

    #[test]
    fn a_failure_tells_what_it_said() {
        let error = shell("echo no such thing >&2; exit 3")
            .answer()
            .expect_err("it fails");
        insta::assert_snapshot!(error, @"sh ended with exit status: 3: no such thing");
        let error = Program::new("/no/such/program")
            .answer()
            .expect_err("nothing there");
        insta::assert_snapshot!(error, @"cannot start /no/such/program");
    }

    #[test]
    fn it_is_stopped_in_time_with_all_it_started() {
        let program = shell("sleep 60 & sleep 60").within(Duration::from_millis(100));
        let error = program.answer().expect_err("too slow");
        assert!(matches!(error, ProgramError::Time { .. }), "{error}");
    }

    #[test]
    fn what_it_leaves_behind_does_not_hold_the_answer() {
        let answer = shell("sleep 60 & echo done").answer();
        assert_eq!(answer.expect("an answer"), "done");
    }

    #[test]
    fn output_is_bounded() {
        let flood = shell("head -c 3000000 /dev/zero | tr '\\0' x");
        let error = flood.answer().expect_err("too long");
        assert!(matches!(error, ProgramError::Long { .. }), "{error}");
    }

    #[test]
    fn a_program_in_a_folder_with_a_variable() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = shell("printf '%s %s' \"$A\" \"$(pwd)\"").variable("A", "b; c");
        let answer = program.directory(folder.path()).answer();
        let path = folder.path().canonicalize().expect("a path");
        assert_eq!(
            answer.expect("an answer"),
            format!("b; c {}", path.display())
        );
    }
}
