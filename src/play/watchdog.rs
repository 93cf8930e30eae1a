//! Kills the engines of a run that was killed itself.
//!
//! A process that gets SIGKILL cannot clean up. So a second one, started by it, hears over a pipe which process
//! groups live (`+123`) and which are gone (`-123`). When the pipe closes, it kills those that are left.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::os::{self, ProcessTree};

/// The watched side: tells the watching process which groups live.
#[derive(Debug)]
pub struct Watchdog {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` once closed.
    pipe: Option<std::process::ChildStdin>,
    tree: ProcessTree,
}

impl Watchdog {
    /// Starts `program watchdog`, which has to call [`watch`] on its standard input.
    ///
    /// # Errors
    /// When the system does not start it.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut command = Command::new(program);
        command
            .arg("watchdog")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut tree = ProcessTree::start(&mut command)?;
        let pipe = tree.child().stdin.take();
        Ok(Self {
            state: Mutex::new(State { pipe, tree }),
        })
    }

    /// From now on the process group dies with us.
    pub fn guard(&self, group: u32) {
        self.tell('+', group);
    }

    /// The group is gone; its number may be given to a stranger.
    pub fn release(&self, group: u32) {
        self.tell('-', group);
    }

    /// A watchdog that is gone guards nothing, but that is no reason to stop a match.
    fn tell(&self, sign: char, group: u32) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipe) = &mut state.pipe {
            _ = writeln!(pipe, "{sign}{group}");
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.pipe = None;
        let deadline = Instant::now() + Duration::from_secs(1);
        while state.tree.ended().is_none() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The watching side: takes notes until `input` closes, then kills the groups that are left.
///
/// # Errors
/// When the system does not let signals be ignored; then nothing is watched.
pub fn watch(input: impl BufRead) -> io::Result<()> {
    os::ignore_stop_signals()?;
    for group in survivors(input) {
        os::kill_group(group);
    }
    Ok(())
}

/// Groups that were announced and not withdrawn.
fn survivors(input: impl BufRead) -> BTreeSet<u32> {
    let mut alive = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let (sign, group) = line.split_at_checked(1).unwrap_or(("", ""));
        let Some(group) = group.parse().ok().filter(|&group| group > 1) else {
            continue;
        };
        match sign {
            "+" => _ = alive.insert(group),
            "-" => _ = alive.remove(&group),
            _ => {}
        }
    }
    alive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_not_withdrawn_is_left() {
        let notes = "+12\n+13\n-12\nrubbish\n+\n+0\n+1\n-99\n+é\n+14";
        assert_eq!(survivors(notes.as_bytes()), BTreeSet::from([13, 14]));
    }
}
