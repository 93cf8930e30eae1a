//! Letting engines go: all asked together, none waited for longer than the others.

use std::time::{Duration, Instant};

use super::{EngineProcess, Uninterrupted};

/// Asks all engines to quit at once and kills those that are still there when `patience` is over.
/// None of them, nor anything they started, lives on.
pub fn quit_all(mut engines: Vec<EngineProcess>, patience: Duration) {
    let deadline = Instant::now() + patience;
    for engine in &mut engines {
        engine.ask_to_quit();
    }
    while Instant::now() < deadline {
        engines.retain_mut(|engine| !engine.has_quit());
        if engines.is_empty() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl EngineProcess {
    /// Says `quit` and closes the engine's input; waits for nothing.
    fn ask_to_quit(&mut self) {
        let words: &[u8] = if self.searching {
            b"stop\nquit\n"
        } else {
            b"quit\n"
        };
        _ = self.send(words, Instant::now(), &Uninterrupted);
        self.input = None;
    }

    /// Whether the process ended. Takes in what it writes, so that it is not held up by it.
    fn has_quit(&mut self) -> bool {
        _ = self.discard_old();
        self.tree.ended().is_some()
    }
}
