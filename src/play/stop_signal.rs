//! Which signal asked a run to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{StopRequest, os};

/// The signal that asked this process to stop, if one did.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicUsize>);

impl StopSignal {
    /// Turns SIGINT, SIGTERM and SIGHUP into a stop request from now on. The limit on the size of files, which has
    /// a signal too, becomes an error of whoever writes.
    ///
    /// # Errors
    /// When the system refuses the handlers.
    pub fn listen(stop: &Arc<StopRequest>) -> io::Result<Self> {
        let heard = Self::default();
        os::on_stop_signal(stop, &heard.0)?;
        os::outlive_size_limit()?;
        Ok(heard)
    }

    /// Its number: 2 for SIGINT, 15 for SIGTERM.
    #[must_use]
    pub fn number(&self) -> Option<u8> {
        let number = self.0.load(Ordering::SeqCst);
        u8::try_from(number).ok().filter(|&number| number > 0)
    }
}
