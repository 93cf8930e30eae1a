//! Any system: a thread behind each pipe. Built and tested everywhere, used where there is no poll.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Received;

/// An engine's standard output, read by a thread that holds at most a few blocks.
#[derive(Debug)]
pub(crate) struct OutputPipe {
    blocks: Receiver<Vec<u8>>,
    waiting: VecDeque<u8>,
}

impl OutputPipe {
    pub(crate) fn new(mut pipe: ChildStdout) -> io::Result<Self> {
        let (sender, blocks) = sync_channel(4);
        thread::Builder::new()
            .name("engine output".into())
            .spawn(move || {
                let mut block = [0; 8192];
                while let Ok(count) = pipe.read(&mut block) {
                    if count == 0 || sender.send(block[..count].to_vec()).is_err() {
                        break;
                    }
                }
            })?;
        Ok(Self {
            blocks,
            waiting: VecDeque::new(),
        })
    }

    /// Reads what is there, waiting up to `wait` for the first byte. `into` is not empty.
    pub(crate) fn receive(&mut self, into: &mut [u8], wait: Duration) -> Received {
        if self.waiting.is_empty() {
            match self.blocks.recv_timeout(wait) {
                Ok(block) => self.waiting.extend(block),
                Err(RecvTimeoutError::Timeout) => return Received::Nothing,
                Err(RecvTimeoutError::Disconnected) => return Received::Closed,
            }
        }
        let count = self.waiting.read(into).unwrap_or(0);
        Received::Bytes(count)
    }
}

/// An engine's standard input, written by a thread.
#[derive(Debug)]
pub(crate) struct InputPipe {
    blocks: SyncSender<Vec<u8>>,
}

impl InputPipe {
    pub(crate) fn new(mut pipe: ChildStdin) -> io::Result<Self> {
        let (blocks, receiver) = sync_channel::<Vec<u8>>(4);
        thread::Builder::new()
            .name("engine input".into())
            .spawn(move || {
                for block in receiver {
                    if pipe.write_all(&block).and_then(|()| pipe.flush()).is_err() {
                        break;
                    }
                }
            })?;
        Ok(Self { blocks })
    }

    /// Writes all or, when there was no room for `wait`, nothing.
    pub(crate) fn send(&mut self, bytes: &[u8], wait: Duration) -> io::Result<usize> {
        let deadline = Instant::now() + wait;
        let mut block = bytes.to_vec();
        loop {
            match self.blocks.try_send(block) {
                Ok(()) => return Ok(bytes.len()),
                Err(TrySendError::Disconnected(_)) => return Err(io::ErrorKind::BrokenPipe.into()),
                Err(TrySendError::Full(_)) if Instant::now() >= deadline => return Ok(0),
                Err(TrySendError::Full(back)) => block = back,
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A child process. What it starts itself is out of our reach here.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    child: Child,
    status: Option<ExitStatus>,
}

#[cfg_attr(unix, allow(dead_code, reason = "Unix has its own"))]
impl ProcessTree {
    /// Starts the command.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        Ok(Self {
            child: command.spawn()?,
            status: None,
        })
    }

    pub(crate) const fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, once it did.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
    }

    /// Kills it. Returns when it is gone, after two seconds at the latest.
    pub(crate) fn kill(&mut self) {
        if self.status.is_some() {
            return;
        }
        _ = self.child.kill();
        let patience = Instant::now() + Duration::from_secs(2);
        while self.ended().is_none() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Process groups are a Unix matter: nothing happens.
#[cfg(not(unix))]
pub fn kill_group(_group: u32) {}

/// Process groups are a Unix matter: nothing happens.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub(crate) fn lead_group(_command: &mut Command) -> io::Result<()> {
    Ok(())
}

/// Signals are a Unix matter: nobody can be asked.
#[cfg(not(unix))]
pub(crate) fn interrupt(_process: u32) -> bool {
    false
}

/// Signals are a Unix matter: Ctrl-C ends the program as the system has it.
///
/// # Errors
/// Never here.
#[cfg(not(unix))]
pub fn on_stop_signal(
    _stop: &std::sync::Arc<crate::play::StopRequest>,
    _last: &std::sync::Arc<std::sync::atomic::AtomicUsize>,
) -> io::Result<()> {
    Ok(())
}

/// Signals are a Unix matter: nothing happens.
///
/// # Errors
/// Never here.
#[cfg(not(unix))]
pub fn outlive_size_limit() -> io::Result<()> {
    Ok(())
}

/// Signals are a Unix matter: nothing happens.
///
/// # Errors
/// Never here.
#[cfg(not(unix))]
pub fn ignore_stop_signals() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;

    fn cat() -> (ProcessTree, InputPipe, OutputPipe) {
        let mut command = Command::new("cat");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut tree = ProcessTree::start(&mut command).unwrap();
        let input = InputPipe::new(tree.child().stdin.take().unwrap()).unwrap();
        let output = OutputPipe::new(tree.child().stdout.take().unwrap()).unwrap();
        (tree, input, output)
    }

    #[test]
    fn threads_carry_both_directions() {
        let (mut tree, mut input, mut output) = cat();
        let mut block = [0; 64];
        assert_eq!(
            output.receive(&mut block, Duration::from_millis(1)),
            Received::Nothing
        );
        assert_eq!(input.send(b"uci\n", Duration::ZERO).unwrap(), 4);
        let received = output.receive(&mut block, Duration::from_secs(10));
        assert_eq!(received, Received::Bytes(4));
        assert_eq!(&block[..4], b"uci\n");
        assert!(tree.id() > 0);
        drop(input);
        let received = output.receive(&mut block, Duration::from_secs(10));
        assert_eq!(received, Received::Closed);
        tree.kill();
        assert!(tree.ended().is_some());
    }
}
