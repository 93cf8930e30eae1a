//! Three small UCI engines inside the program: something to play with before installing anything, test
//! subjects that need no download, and the bottom rungs of a ladder.
//!
//! All three answer at once whatever time they are given. Which of several equally good moves they play depends
//! on the seed and the position with its move counters, and on nothing else: not on the clock, nor on what the
//! process played before. So a match between them comes out the same however many games run at once.

mod greedy;
mod minimax;
mod random;
mod search;
mod session;
#[cfg(test)]
mod tests;
mod values;

use std::io::{self, BufRead, BufReader, Read, Write};

use session::{Session, Wish};

/// Which of the engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddedEngine {
    /// Any legal move.
    Random,
    /// The move after which it has most material; mates when it can.
    Greedy,
    /// Looks at its move and the answer to it; knows where pieces stand well.
    Minimax,
}

impl EmbeddedEngine {
    /// One word, as on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Minimax => "minimax",
        }
    }
}

/// The largest seed an engine takes, as its `Seed` option says.
pub const LARGEST_SEED: u32 = i32::MAX as u32;

/// Requests longer than this are read in pieces.
const BUFFER: usize = 1 << 16;

/// Speaks UCI until `quit`, the end of the input, or nobody reads the answers any more.
///
/// Answers to requests that arrive together are written together, so that a harness is woken once.
///
/// # Errors
/// When the input cannot be read or the output not be written, a reader that went away excepted.
pub fn speak(
    engine: EmbeddedEngine,
    seed: u32,
    input: impl Read,
    output: &mut impl Write,
) -> io::Result<()> {
    match converse(engine, seed, input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

fn converse(
    engine: EmbeddedEngine,
    seed: u32,
    input: impl Read,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut session = Session::new(engine, seed);
    let (mut line, mut answers) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        let ended = input.read_until(b'\n', &mut line)? == 0;
        let wish = session.hear(&String::from_utf8_lossy(&line), &mut answers);
        let last = ended || wish == Wish::Quit;
        let more_at_hand = input.buffer().contains(&b'\n');
        if !answers.is_empty() && (last || !more_at_hand) {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
        if last {
            return Ok(());
        }
    }
}
