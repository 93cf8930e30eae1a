//! One run of the fastchess program: its output read to the end, an end put to it when asked.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use duct::ReaderHandle;

use super::{Ended, FastchessError};
use crate::play::watchdog::Watchdog;
use crate::play::{PlayError, Stop, StopRequest, os};

/// Between SIGINT and SIGKILL: fastchess waits up to a minute for engines that do not quit.
pub(super) const GRACE: Duration = Duration::from_secs(60);
/// How long a program may take to tell its version.
const ANSWER: Duration = Duration::from_secs(10);
/// How often a stop is looked for.
const TICK: Duration = Duration::from_millis(50);
/// Its output may be held open so long by what it leaves behind.
const LEFTOVERS: Duration = Duration::from_secs(2);
/// A longer line is cut; names alone can make one long.
const LONGEST_LINE: u64 = 64 * 1024;
/// Lines kept for an error message.
const LAST_LINES: usize = 8;

/// The first line a program prints when given one argument; empty when it prints none in time. It is ended then.
pub(super) fn first_line(program: &Path, argument: &str) -> Result<String, FastchessError> {
    // As a plain word: a relative path would be looked for here and not on the path.
    let handle = duct::cmd(program.as_os_str(), [argument])
        .stdin_null()
        .stderr_null()
        .unchecked()
        .before_spawn(os::lead_group)
        .reader()
        .map_err(|source| start_error(program, source))?;
    let (said, answer) = channel();
    let line = thread::scope(|scope| {
        scope.spawn(|| {
            let mut bytes = Vec::new();
            let mut output = BufReader::new((&handle).take(LONGEST_LINE));
            // A pipe that breaks has said all it had to say.
            _ = output.read_until(b'\n', &mut bytes);
            _ = said.send(bytes);
        });
        let line = answer.recv_timeout(ANSWER);
        kill(&handle);
        line.unwrap_or_default()
    });
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}

fn start_error(program: &Path, source: io::Error) -> FastchessError {
    let program = program.to_owned();
    if source.kind() == io::ErrorKind::NotFound {
        FastchessError::NotFound { program }
    } else {
        FastchessError::Start { program, source }
    }
}

/// A command line, where its output is kept, and how long it may take.
#[derive(Debug)]
pub(super) struct Process<'a> {
    /// The program and its arguments.
    pub(super) words: &'a [OsString],
    /// Everything it prints is appended here, after the command line itself.
    pub(super) output: &'a Path,
    /// Cap on wall time.
    pub(super) max_time: Option<Duration>,
    /// Between SIGINT and SIGKILL.
    pub(super) grace: Duration,
    /// Ends it when we are killed.
    pub(super) watchdog: Option<Watchdog>,
}

/// A process that is gone.
#[derive(Debug)]
pub(super) struct Over {
    pub(super) ended: Ended,
    /// What we stopped it for, if we did.
    pub(super) asked: Option<Stop>,
    /// The end of its output.
    pub(super) last_lines: String,
}

impl Process<'_> {
    /// Runs it to its end, handing on each line it prints. Its engines are gone too when this returns.
    pub(super) fn run(&self, stop: &StopRequest, line: &dyn Fn(&str)) -> Result<Over, PlayError> {
        let mut log = self.open_log().map_err(|source| self.write_error(source))?;
        let handle = self.start()?;
        self.guard(&handle, Watchdog::guard);
        let (finished, running) = channel::<()>();
        let deadline = self.max_time.map(|time| Instant::now() + time);
        let (last, asked) = thread::scope(|scope| {
            let watch = scope.spawn(|| self.watch(&handle, stop, deadline, running));
            let last = read_all(&handle, &mut log, line);
            drop(finished);
            (last, watch.join().expect("the watch does not panic"))
        });
        let ended = wait(&handle).map_err(|source| self.lost(source))?;
        for leader in handle.pids() {
            os::kill_group(leader);
        }
        self.guard(&handle, Watchdog::release);
        let last_lines = last.map_err(|source| self.write_error(source))?;
        Ok(Over {
            ended,
            asked,
            last_lines,
        })
    }

    fn start(&self) -> Result<ReaderHandle, FastchessError> {
        let (program, arguments) = self.words.split_first().expect("the program comes first");
        duct::cmd(program, arguments)
            .stdin_null()
            .stderr_to_stdout()
            .unchecked()
            .before_spawn(os::lead_group)
            .reader()
            .map_err(|source| start_error(Path::new(program), source))
    }

    fn guard(&self, handle: &ReaderHandle, tell: fn(&Watchdog, u32)) {
        if let Some(watchdog) = &self.watchdog {
            handle
                .pids()
                .into_iter()
                .for_each(|pid| tell(watchdog, pid));
        }
    }

    fn open_log(&self) -> io::Result<File> {
        let mut log = File::options()
            .create(true)
            .append(true)
            .open(self.output)?;
        let words: Vec<_> = self
            .words
            .iter()
            .map(|word| word.to_string_lossy())
            .collect();
        writeln!(log, "{words:?}")?;
        Ok(log)
    }

    /// Puts an end to the process when asked, at the deadline, or when it is gone and its output is not.
    fn watch(
        &self,
        handle: &ReaderHandle,
        stop: &StopRequest,
        deadline: Option<Instant>,
        running: Receiver<()>,
    ) -> Option<Stop> {
        let mut asked = None;
        let mut kill_at: Option<Instant> = None;
        while let Err(RecvTimeoutError::Timeout) = running.recv_timeout(TICK) {
            let now = Instant::now();
            if asked.is_none() {
                asked = reason(stop, deadline, now);
                if asked.is_some() {
                    kill_at = Some(
                        now + if interrupt(handle) {
                            self.grace
                        } else {
                            Duration::ZERO
                        },
                    );
                }
            }
            if kill_at.is_none() && matches!(handle.try_wait(), Ok(Some(_))) {
                kill_at = Some(now + LEFTOVERS);
            }
            if kill_at.is_some_and(|at| now >= at) {
                kill(handle);
                kill_at = Some(now + LEFTOVERS);
            }
        }
        asked
    }

    fn lost(&self, source: io::Error) -> FastchessError {
        start_error(Path::new(&self.words[0]), source)
    }

    fn write_error(&self, source: io::Error) -> PlayError {
        PlayError::Write {
            path: self.output.to_owned(),
            source,
        }
    }
}

/// Copies the output to the log and hands on its lines; answers the last ones. A log that cannot be written
/// any more is an error at the end, not the end of the match.
fn read_all(handle: &ReaderHandle, log: &mut File, line: &dyn Fn(&str)) -> io::Result<String> {
    let mut output = BufReader::new(handle);
    let mut last = VecDeque::new();
    let mut written = Ok(());
    let mut bytes = Vec::new();
    // A read fails only when the pipe is gone, and with it everything there was to read.
    while let Ok(1..) = output
        .by_ref()
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut bytes)
    {
        written = written.and_then(|()| log.write_all(&bytes));
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        line(text);
        if !text.is_empty() && !is_chatter(text) {
            last.push_back(text.escape_debug().to_string());
            if last.len() > LAST_LINES {
                last.pop_front();
            }
        }
        bytes.clear();
    }
    written?;
    Ok(Vec::from(last).join(" | "))
}

/// Printed at every end, whatever happened.
fn is_chatter(line: &str) -> bool {
    ["Finished match", "Total Time:", "Started game", "Warning"]
        .iter()
        .any(|start| line.starts_with(start))
}

fn reason(stop: &StopRequest, deadline: Option<Instant>, now: Instant) -> Option<Stop> {
    if stop.is_requested() {
        return Some(Stop::Signal);
    }
    deadline.is_some_and(|at| now >= at).then_some(Stop::Time)
}

/// Asks the process to stop; answers whether it could be asked.
fn interrupt(handle: &ReaderHandle) -> bool {
    handle.pids().into_iter().any(os::interrupt)
}

fn kill(handle: &ReaderHandle) {
    for leader in handle.pids() {
        os::kill_group(leader);
    }
    // Where there are no groups. A process that is gone already is no error worth a word.
    _ = handle.kill();
}

/// How the process ended; it did when its output was read to the end.
fn wait(handle: &ReaderHandle) -> io::Result<Ended> {
    loop {
        if let Some(output) = handle.try_wait()? {
            return Ok(output.status.into());
        }
        kill(handle);
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use signal_hook::consts::SIGINT;
    use signal_hook::flag::register_conditional_default;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Mutex};

    /// Time to end that no busy machine uses up.
    const AMPLE: Duration = Duration::from_secs(30);
    const SHORT: Duration = Duration::from_millis(200);

    fn run(script: &str, max_time: Option<Duration>, stop: &StopRequest) -> (Over, Vec<String>) {
        run_with(script, max_time, stop, AMPLE)
    }

    fn run_with(
        script: &str,
        max_time: Option<Duration>,
        stop: &StopRequest,
        grace: Duration,
    ) -> (Over, Vec<String>) {
        // A test in the background inherits SIGINT as ignored, and no shell can trap it then. A signal that is
        // caught, as the program does, is back at its default in a child.
        let always = Arc::new(AtomicBool::new(true));
        register_conditional_default(SIGINT, always).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let words = ["sh", "-c", script].map(OsString::from);
        let process = Process {
            words: &words,
            output: &folder.path().join("fastchess.log"),
            max_time,
            grace,
            watchdog: None,
        };
        let lines = Mutex::new(Vec::new());
        let over = process
            .run(stop, &|line| lines.lock().unwrap().push(line.to_owned()))
            .unwrap();
        let lines = lines.into_inner().unwrap();
        let log = std::fs::read_to_string(folder.path().join("fastchess.log")).unwrap();
        assert_eq!(log.lines().skip(1).collect::<Vec<_>>(), lines);
        (over, lines)
    }

    #[test]
    fn lines_and_exit_codes_come_through() {
        let (over, lines) = run(
            "echo one; echo two >&2; printf three; exit 3",
            None,
            &StopRequest::default(),
        );
        assert_eq!(over.ended, Ended::Code(3));
        assert_eq!(over.asked, None);
        assert_eq!(lines, ["one", "two", "three"]);
        assert_eq!(over.last_lines, "one | two | three");
    }

    #[test]
    fn a_signal_from_elsewhere_is_told_from_a_code() {
        let (over, _) = run("kill -SEGV $$", None, &StopRequest::default());
        assert_eq!(over.ended, Ended::Signal(11));
    }

    #[test]
    fn the_cap_interrupts_and_gives_time_to_end() {
        let script = "trap 'echo saved; exit 1' INT; echo up; while :; do sleep 0.02; done";
        let (over, lines) = run(
            script,
            Some(Duration::from_millis(100)),
            &StopRequest::default(),
        );
        assert_eq!((over.ended, over.asked), (Ended::Code(1), Some(Stop::Time)));
        assert_eq!(lines, ["up", "saved"]);
    }

    #[test]
    fn what_does_not_end_is_killed_with_all_it_started() {
        let stop = StopRequest::default();
        stop.request();
        let script = "trap '' INT; sleep 600 & echo $!; wait; sleep 600";
        let (over, lines) = run_with(script, None, &stop, SHORT);
        assert_eq!(
            (over.ended, over.asked),
            (Ended::Signal(9), Some(Stop::Signal))
        );
        let child: u32 = lines[0].parse().unwrap();
        assert!(!is_alive(child), "{child} lives on");
    }

    #[test]
    fn children_that_outlive_their_parent_do_not_hold_us() {
        let (over, lines) = run("sleep 600 & echo $!", None, &StopRequest::default());
        assert_eq!(over.ended, Ended::Code(0));
        assert!(!is_alive(lines[0].parse().unwrap()));
    }

    /// A killed orphan is gone, or waits as a zombie for whoever inherited it.
    fn is_alive(process: u32) -> bool {
        for _ in 0..100 {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            if stat.is_empty() || stat.contains(") Z ") {
                return false;
            }
            thread::sleep(Duration::from_millis(10));
        }
        true
    }

    #[test]
    fn a_flood_instead_of_a_version_is_cut_short() {
        let line = first_line(Path::new("yes"), "1.8.2").unwrap();
        assert_eq!(line, "1.8.2");
        let line = first_line(Path::new("cat"), "/dev/zero").unwrap();
        assert_eq!(line.len() as u64, LONGEST_LINE);
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = first_line(Path::new("/no/such/fastchess"), "--version").unwrap_err();
        assert!(matches!(error, FastchessError::NotFound { .. }), "{error}");
    }
}
