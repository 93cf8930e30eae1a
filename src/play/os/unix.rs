//! Unix: poll, process groups, signals.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

use super::Received;
use crate::play::StopRequest;

/// An engine's standard output.
#[derive(Debug)]
pub(crate) struct OutputPipe(ChildStdout);

impl OutputPipe {
    pub(crate) fn new(pipe: ChildStdout) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Self(pipe))
    }

    /// Reads what is there, waiting up to `wait` for the first byte. `into` is not empty.
    pub(crate) fn receive(&mut self, into: &mut [u8], wait: Duration) -> Received {
        if !wait.is_zero() && !ready(&self.0, PollFlags::IN, wait) {
            return Received::Nothing;
        }
        match self.0.read(into) {
            Ok(0) => Received::Closed,
            Ok(count) => Received::Bytes(count),
            Err(error) if is_passing(&error) => Received::Nothing,
            Err(_) => Received::Closed,
        }
    }
}

/// An engine's standard input.
#[derive(Debug)]
pub(crate) struct InputPipe(ChildStdin);

impl InputPipe {
    pub(crate) fn new(pipe: ChildStdin) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Self(pipe))
    }

    /// Writes as much as fits, waiting up to `wait` for room.
    pub(crate) fn send(&mut self, bytes: &[u8], wait: Duration) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if is_passing(&error) => {}
            other => return other,
        }
        if wait.is_zero() || !ready(&self.0, PollFlags::OUT, wait) {
            return Ok(0);
        }
        match self.0.write(bytes) {
            Err(error) if is_passing(&error) => Ok(0),
            other => other,
        }
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

/// Whether the pipe became ready, or was hung up, within `wait`.
fn ready(pipe: &impl AsFd, event: PollFlags, wait: Duration) -> bool {
    let wait = Timespec::try_from(wait).ok();
    let mut fds = [PollFd::new(pipe, event)];
    poll(&mut fds, wait.as_ref()).is_ok_and(|count| count > 0)
}

/// A child process and everything it starts, as one group.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    child: Child,
    group: Pid,
    status: Option<ExitStatus>,
}

impl ProcessTree {
    /// Starts the command at the head of a process group of its own, out of reach of a terminal's Ctrl-C.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        Ok(Self {
            group: Pid::from_child(&child),
            child,
            status: None,
        })
    }

    pub(crate) const fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Number of the group.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the head ended, once it did. What is left of its group is killed then.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() && self.is_zombie() {
            self.reap();
        }
        self.status
    }

    /// Kills the group. Returns when the head is gone, after two seconds at the latest.
    pub(crate) fn kill(&mut self) {
        if self.status.is_some() {
            return;
        }
        _ = kill_process_group(self.group, Signal::KILL);
        let patience = Instant::now() + Duration::from_secs(2);
        while self.ended().is_none() && Instant::now() < patience {
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// The head has ended and its number is still ours, so no stranger can have it.
    fn is_zombie(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(self.group), options).is_ok_and(|status| status.is_some())
    }

    fn reap(&mut self) {
        _ = kill_process_group(self.group, Signal::KILL);
        self.status = self.child.try_wait().ok().flatten();
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills a process group that is not our own child's to wait for.
pub fn kill_group(group: u32) {
    let group = i32::try_from(group).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        _ = kill_process_group(group, Signal::KILL);
    }
}

/// Puts the command at the head of a process group of its own, out of reach of a terminal's Ctrl-C.
///
/// # Errors
/// Never; the signature is what a hook before a start wants.
pub(crate) fn lead_group(command: &mut Command) -> io::Result<()> {
    command.process_group(0);
    Ok(())
}

/// Asks the process to stop (SIGINT). Answers whether it could be asked.
pub(crate) fn interrupt(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    process.is_some_and(|process| kill_process(process, Signal::INT).is_ok())
}

/// Turns SIGINT, SIGTERM and SIGHUP into a stop request from now on, and notes the number of the last one.
///
/// # Errors
/// When the system refuses the handlers.
pub fn on_stop_signal(stop: &Arc<StopRequest>, last: &Arc<AtomicUsize>) -> io::Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let number = usize::try_from(signal).expect("signals have positive numbers");
        signal_hook::flag::register_usize(signal, Arc::clone(last), number)?;
        signal_hook::flag::register(signal, stop.flag())?;
    }
    Ok(())
}

/// Lets SIGINT, SIGTERM and SIGHUP pass without effect from now on.
///
/// # Errors
/// When the system refuses the handlers.
pub fn ignore_stop_signals() -> io::Result<()> {
    on_stop_signal(&Arc::default(), &Arc::default())
}

/// Makes a write beyond the limit on the size of files an error like any other, not the end of this process.
///
/// # Errors
/// When the system refuses the handler.
pub fn outlive_size_limit() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    Ok(())
}
