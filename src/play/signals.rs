//! Signals and process groups of a child that is not an engine. Unix has both; elsewhere nothing happens.

use std::io;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{StopRequest, os};

/// Which signal asked this process to stop, if one did.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicUsize>);

impl StopSignal {
    /// Turns SIGINT, SIGTERM and SIGHUP into a stop request from now on.
    ///
    /// # Errors
    /// When the system refuses the handlers.
    pub fn listen(stop: &Arc<StopRequest>) -> io::Result<Self> {
        let heard = Self::default();
        os::on_stop_signal(stop)?;
        #[cfg(unix)]
        for signal in [
            signal_hook::consts::SIGINT,
            signal_hook::consts::SIGTERM,
            signal_hook::consts::SIGHUP,
        ] {
            let number = usize::try_from(signal).expect("signals have positive numbers");
            signal_hook::flag::register_usize(signal, Arc::clone(&heard.0), number)?;
        }
        Ok(heard)
    }

    /// Its number: 2 for SIGINT, 15 for SIGTERM.
    #[must_use]
    pub fn number(&self) -> Option<u8> {
        let number = self.0.load(Ordering::SeqCst);
        u8::try_from(number).ok().filter(|&number| number > 0)
    }
}

/// Puts the command at the head of a process group of its own, out of reach of a terminal's Ctrl-C.
///
/// # Errors
/// Never; the signature is what a hook before a start wants.
pub(crate) fn lead_group(command: &mut Command) -> io::Result<()> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
    Ok(())
}

/// Asks the process to stop (SIGINT). Answers whether the system has such a thing.
pub(crate) fn interrupt(process: u32) -> bool {
    #[cfg(unix)]
    if let Some(pid) = pid(process) {
        return rustix::process::kill_process(pid, rustix::process::Signal::INT).is_ok();
    }
    let _ = process;
    false
}

/// Kills whatever is left of the group that the process leads.
pub(crate) fn kill_group(leader: u32) {
    #[cfg(unix)]
    if let Some(pid) = pid(leader) {
        // An empty group is the good case and an error to the system.
        _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = leader;
}

#[cfg(unix)]
fn pid(process: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(process).ok()?)
}
