//! The last lines that went to and fro, and the end of what an engine wrote to standard error.

use std::collections::VecDeque;
use std::io::Read;
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Lines kept.
const KEPT_LINES: usize = 200;
/// Bytes of a line kept.
const KEPT_WIDTH: usize = 4096;
/// Bytes of standard error kept.
const KEPT_ERRORS: usize = 64 * 1024;

/// Which way a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Sent,
    Received,
}

/// The last 200 protocol lines. Their memory is used again, so that keeping them costs next to nothing.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    lines: VecDeque<(Direction, Vec<u8>)>,
}

impl Transcript {
    /// Notes a line from the engine.
    pub(super) fn received(&mut self, line: &[u8]) {
        self.push(Direction::Received, line);
    }

    /// Notes what was written to the engine: one line or several.
    pub(super) fn sent(&mut self, text: &[u8]) {
        for line in text
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            self.push(Direction::Sent, line);
        }
    }

    fn push(&mut self, direction: Direction, line: &[u8]) {
        let mut kept = if self.lines.len() == KEPT_LINES {
            self.lines
                .pop_front()
                .map_or_else(Vec::new, |(_, kept)| kept)
        } else {
            Vec::new()
        };
        kept.clear();
        kept.extend_from_slice(&line[..line.len().min(KEPT_WIDTH)]);
        self.lines.push_back((direction, kept));
    }

    /// The lines, oldest first: `> ` before one to the engine, `< ` before one from it.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (direction, line) in &self.lines {
            text.push_str(match direction {
                Direction::Sent => "> ",
                Direction::Received => "< ",
            });
            text.push_str(&String::from_utf8_lossy(line));
            text.push('\n');
        }
        text
    }

    /// The last `count` lines that came from the engine.
    pub(super) fn last_received(&self, count: usize) -> Vec<String> {
        let mut lines: Vec<String> = self
            .lines
            .iter()
            .rev()
            .filter(|(direction, _)| *direction == Direction::Received)
            .take(count)
            .map(|(_, line)| String::from_utf8_lossy(line).into_owned())
            .collect();
        lines.reverse();
        lines
    }
}

/// The end of an engine's standard error. A thread reads it, so that no flood ever blocks the engine.
#[derive(Debug)]
pub(super) struct ErrorTail {
    tail: Arc<Mutex<VecDeque<u8>>>,
    reader: JoinHandle<()>,
}

impl ErrorTail {
    /// Starts reading.
    pub(super) fn follow(pipe: ChildStderr) -> std::io::Result<Self> {
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&tail);
        let reader = thread::Builder::new()
            .name("engine stderr".into())
            .stack_size(128 * 1024)
            .spawn(move || drain(pipe, &kept))?;
        Ok(Self { tail, reader })
    }

    /// What was kept. After the end of the process, give the reader a moment to come to the end too.
    pub(super) fn text(&self, patience: Duration) -> String {
        let deadline = Instant::now() + patience;
        while !self.reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(tail.make_contiguous()).into_owned()
    }
}

fn drain(mut pipe: ChildStderr, kept: &Mutex<VecDeque<u8>>) {
    let mut block = [0; 4096];
    while let Ok(count) = pipe.read(&mut block) {
        if count == 0 {
            break;
        }
        let mut tail = kept.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(&block[..count]);
        let excess = tail.len().saturating_sub(KEPT_ERRORS);
        tail.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_two_hundred_lines_of_both_directions() {
        let mut transcript = Transcript::default();
        transcript.sent(b"uci\n");
        for number in 0..199 {
            transcript.received(format!("info {number}").as_bytes());
        }
        assert!(transcript.text().starts_with("> uci\n< info 0\n"));
        transcript.sent(b"position startpos\ngo nodes 1\n");
        let text = transcript.text();
        assert_eq!(text.lines().count(), 200);
        assert!(text.starts_with("< info 1\n"));
        assert!(text.ends_with("< info 198\n> position startpos\n> go nodes 1\n"));
        assert_eq!(transcript.last_received(2), ["info 197", "info 198"]);
    }

    #[test]
    fn a_long_line_is_kept_in_part() {
        let mut transcript = Transcript::default();
        transcript.received(&[b'x'; 10_000]);
        assert_eq!(transcript.text().len(), "< ".len() + KEPT_WIDTH + 1);
    }
}
