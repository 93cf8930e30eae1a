//! Processes that end: every wait has a limit.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// How long a process may take that only looks at files.
pub(crate) const SHORT: Duration = Duration::from_secs(60);

/// From the interrupt to the kill.
const GRACE: Duration = Duration::from_secs(20);

/// For what is still in a pipe after its writer ended, which a grandchild may hold open.
const LAST_WORDS: Duration = Duration::from_secs(2);

const TICK: Duration = Duration::from_millis(20);

/// What is started in the background by a shell ignores interrupts, and so does all that it starts; a signal that has a
/// handler here is not ignored there. The handler does what would be done without one.
static HEEDS_INTERRUPTS: LazyLock<()> = LazyLock::new(|| {
    let always = Arc::new(AtomicBool::new(true));
    flag::register_conditional_default(SIGINT, always).expect("an interrupt can be handled");
});

/// A process that came to its end.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// The exit code; `None` after a signal.
    pub(crate) code: Option<i32>,
    /// Standard output, line by line.
    pub(crate) out: Vec<String>,
    /// Standard error, line by line.
    pub(crate) err: Vec<String>,
    /// Whether the limit, and not the process, brought the end.
    pub(crate) out_of_time: bool,
}

impl Ended {
    /// All that was printed: standard output, then standard error.
    pub(crate) fn text(&self) -> String {
        [self.out.as_slice(), &self.err].concat().join("\n")
    }
}

/// Which of the two streams a line came from.
enum Line {
    Out(String),
    Err(String),
}

/// Runs a command with an empty standard input, interrupts it at the limit, or when a line of its output says to stop,
/// and kills it and all it started if it does not heed that.
pub(crate) fn watch(
    command: &mut Command,
    limit: Duration,
    stop_at: impl Fn(&str) -> bool,
) -> Ended {
    command.stdin(Stdio::null());
    watch_fed(command, limit, stop_at)
}

/// Runs a command on a text.
pub(crate) fn fed(command: &mut Command, input: &str) -> Ended {
    let mut file = tempfile::tempfile().expect("a temporary file can be made");
    file.write_all(input.as_bytes()).unwrap();
    std::io::Seek::rewind(&mut file).unwrap();
    command.stdin::<File>(file);
    watch_fed(command, SHORT, |_| false)
}

fn watch_fed(command: &mut Command, limit: Duration, stop_at: impl Fn(&str) -> bool) -> Ended {
    LazyLock::force(&HEEDS_INTERRUPTS);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    let lines = read_both(&mut child);
    let mut stop = Stop::new(limit);
    let mut ended = Ended::default();
    let status = loop {
        ended.take_lines(&lines, |line| {
            if stop_at(line) {
                stop.now(&child);
            }
        });
        if let Some(status) = child.try_wait().expect("it is our child") {
            break status;
        }
        ended.out_of_time |= stop.when_due(&child);
    };
    let last = Instant::now() + LAST_WORDS;
    while ended.take_lines(&lines, |_| {}) && Instant::now() < last {}
    ended.code = status.code();
    ended
}

impl Ended {
    /// Keeps the lines that come within a tick; whether there may be more.
    fn take_lines(&mut self, lines: &Receiver<Line>, mut see: impl FnMut(&str)) -> bool {
        let until = Instant::now() + TICK;
        while Instant::now() < until {
            match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Line::Out(line)) => {
                    see(&line);
                    self.out.push(line);
                }
                Ok(Line::Err(line)) => self.err.push(line),
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => {
                    thread::sleep(TICK);
                    return false;
                }
            }
        }
        true
    }
}

/// When a process is interrupted, and when killed.
struct Stop {
    interrupt: Option<Instant>,
    kill: Instant,
}

impl Stop {
    fn new(limit: Duration) -> Self {
        let interrupt = Instant::now() + limit;
        Self {
            interrupt: Some(interrupt),
            kill: interrupt + GRACE,
        }
    }

    /// Interrupts the process once; act then ends its steps, which a kill would leave running.
    fn now(&mut self, child: &Child) {
        if self.interrupt.take().is_some() {
            self.kill = Instant::now() + GRACE;
            send(pid(child), Signal::INT);
        }
    }

    /// Interrupts or kills if the time has come; whether it had.
    fn when_due(&mut self, child: &Child) -> bool {
        let now = Instant::now();
        if self.interrupt.is_some_and(|at| now >= at) {
            self.now(child);
            true
        } else if now >= self.kill {
            with_descendants(pid(child))
                .into_iter()
                .for_each(|pid| send(pid, Signal::KILL));
            true
        } else {
            false
        }
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_child(child)
}

fn send(to: Pid, signal: Signal) {
    let _ = kill_process(to, signal); // it may have ended meanwhile
}

/// A process, its children, theirs and so on.
fn with_descendants(of: Pid) -> Vec<Pid> {
    let mut found = vec![of];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        found.extend(children(parent));
        next += 1;
    }
    found
}

fn children(of: Pid) -> Vec<Pid> {
    let pid = of.as_raw_nonzero();
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new(); // it ended
    };
    tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|list| {
            list.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .filter_map(|child| Pid::from_raw(child.parse().ok()?))
        .collect()
}

fn read_both(child: &mut Child) -> Receiver<Line> {
    let (sender, receiver) = mpsc::channel();
    read_lines(child.stdout.take(), Line::Out, sender.clone());
    read_lines(child.stderr.take(), Line::Err, sender);
    receiver
}

fn read_lines(
    from: Option<impl Read + Send + 'static>,
    as_line: fn(String) -> Line,
    to: Sender<Line>,
) {
    let mut reader = BufReader::new(from.expect("the stream is a pipe"));
    thread::spawn(move || {
        let mut bytes = Vec::new();
        while reader
            .read_until(b'\n', &mut bytes)
            .is_ok_and(|read| read > 0)
        {
            let line = String::from_utf8_lossy(&bytes);
            if to
                .send(as_line(line.trim_end_matches('\n').to_owned()))
                .is_err()
            {
                break;
            }
            bytes.clear();
        }
    });
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", script]);
    command
}

#[test]
fn both_streams_and_the_exit_code_are_kept() {
    let ended = watch(
        &mut shell("echo a; echo b >&2; printf c; exit 3"),
        SHORT,
        |_| false,
    );
    assert_eq!((ended.code, ended.out_of_time), (Some(3), false));
    assert_eq!(
        (ended.out, ended.err),
        (vec!["a".into(), "c".into()], vec!["b".into()])
    );
}

#[test]
fn a_text_is_fed_whole() {
    let text = "line\n".repeat(100_000);
    assert_eq!(fed(&mut Command::new("cat"), &text).out.len(), 100_000);
}

#[test]
fn the_limit_interrupts() {
    let script = "trap 'echo stopped; exit 5' INT; for i in {1..600}; do sleep 0.1; done";
    let ended = watch(&mut shell(script), Duration::from_millis(500), |_| false);
    assert_eq!((ended.code, ended.out_of_time), (Some(5), true));
    assert_eq!(ended.out, ["stopped"]);
}

#[test]
fn one_that_never_stops_talking_is_interrupted_too() {
    let ended = watch(&mut Command::new("yes"), Duration::from_millis(200), |_| {
        false
    });
    assert_eq!((ended.code, ended.out_of_time), (None, true));
}

#[test]
fn a_line_interrupts() {
    let script = "trap 'exit 6' INT; echo ready; for i in {1..600}; do sleep 0.1; done";
    let ended = watch(&mut shell(script), SHORT, |line| line == "ready");
    assert_eq!((ended.code, ended.out_of_time), (Some(6), false));
}

#[test]
fn children_of_children_are_found() {
    let mut child = shell("bash -c 'sleep 60 & wait' & wait").spawn().unwrap();
    let deadline = Instant::now() + SHORT;
    while with_descendants(pid(&child)).len() < 3 && Instant::now() < deadline {
        thread::sleep(TICK);
    }
    let found = with_descendants(pid(&child));
    found.iter().for_each(|pid| send(*pid, Signal::KILL));
    assert_eq!(found.len(), 3);
    assert_eq!(child.wait().unwrap().code(), None);
}
