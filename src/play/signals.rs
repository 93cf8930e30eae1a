//! Signals and process groups of a child that is not an engine. Unix has both; elsewhere nothing happens.

use std::io;
use std::process::Command;

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
