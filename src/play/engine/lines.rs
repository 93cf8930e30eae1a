//! An engine's output as lines of bounded length.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::play::os::{OutputPipe, Received};

/// A longer line is dropped whole.
pub(super) const LONGEST_LINE: usize = 64 * 1024;

/// Cuts what an engine writes into lines, in a buffer that never grows.
#[derive(Debug)]
pub(super) struct Lines {
    pipe: OutputPipe,
    buffer: Box<[u8]>,
    /// What was read and not handed out yet.
    pending: Range<usize>,
    /// Up to here there is no line feed in `pending`.
    searched: usize,
    /// The rest of a line that was too long is still to come.
    skipping: bool,
    /// Lines dropped for their length.
    dropped: u64,
    /// When the last bytes were read.
    read_at: Instant,
}

impl Lines {
    pub(super) fn new(pipe: OutputPipe) -> Self {
        Self {
            pipe,
            buffer: vec![0; LONGEST_LINE].into_boxed_slice(),
            pending: 0..0,
            searched: 0,
            skipping: false,
            dropped: 0,
            read_at: Instant::now(),
        }
    }

    /// When the last bytes were read.
    pub(super) const fn read_at(&self) -> Instant {
        self.read_at
    }

    /// How many lines were dropped for their length so far.
    pub(super) const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The next whole line among what was read, without its line feed and a carriage return before it.
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        let line = self.cut()?;
        Some(trimmed(&self.buffer[line]))
    }

    fn cut(&mut self) -> Option<Range<usize>> {
        loop {
            let fresh = &self.buffer[self.searched..self.pending.end];
            let Some(feed) = memchr::memchr(b'\n', fresh) else {
                self.searched = self.pending.end;
                return None;
            };
            let line = self.pending.start..self.searched + feed;
            self.pending.start = line.end + 1;
            self.searched = self.pending.start;
            if !std::mem::take(&mut self.skipping) {
                return Some(line);
            }
        }
    }

    /// Reads once, waiting up to `wait` for something to come.
    pub(super) fn fill(&mut self, wait: Duration) -> Received {
        self.make_room();
        let received = self
            .pipe
            .receive(&mut self.buffer[self.pending.end..], wait);
        if let Received::Bytes(count) = received {
            self.read_at = Instant::now();
            self.pending.end += count;
        }
        received
    }

    /// Drops all that was read or can be read at once, so that nothing old is taken for an answer.
    /// Reads a bounded number of times: an engine that floods is found out later.
    pub(super) fn discard(&mut self, mut old: impl FnMut(&[u8])) -> Received {
        for _ in 0..64 {
            while let Some(line) = self.next() {
                old(line);
            }
            match self.fill(Duration::ZERO) {
                Received::Bytes(_) => {}
                end @ (Received::Nothing | Received::Closed) => return end,
            }
        }
        Received::Nothing
    }

    fn make_room(&mut self) {
        if self.pending.is_empty() {
            self.pending = 0..0;
            self.searched = 0;
        } else if self.pending.end == self.buffer.len() {
            self.buffer.copy_within(self.pending.clone(), 0);
            self.searched -= self.pending.start;
            self.pending = 0..self.pending.len();
        }
        if self.pending.len() == self.buffer.len() || self.skipping {
            self.dropped += u64::from(!self.skipping);
            self.skipping = true;
            self.pending = 0..0;
            self.searched = 0;
        }
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Write;
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Lines of a `cat`, and what writes them.
    fn cat() -> (Child, Lines) {
        let mut command = Command::new("cat");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = child.stdout.take().unwrap();
        (child, Lines::new(OutputPipe::new(output).unwrap()))
    }

    /// Everything up to the end, line by line.
    fn read_all(text: &[u8]) -> (Vec<String>, u64) {
        let (mut child, mut lines) = cat();
        let mut input = child.stdin.take().unwrap();
        let text = text.to_vec();
        let writer = std::thread::spawn(move || input.write_all(&text).unwrap());
        let mut read = Vec::new();
        loop {
            while let Some(line) = lines.next() {
                read.push(String::from_utf8_lossy(line).into_owned());
            }
            if lines.fill(Duration::from_secs(10)) == Received::Closed {
                break;
            }
        }
        writer.join().unwrap();
        child.wait().unwrap();
        (read, lines.dropped())
    }

    #[test]
    fn line_ends_of_all_systems() {
        let (read, dropped) = read_all(b"uciok\r\n\nbestmove e2e4\nrest");
        assert_eq!(read, ["uciok", "", "bestmove e2e4"]);
        assert_eq!(dropped, 0);
    }

    #[test]
    fn an_endless_line_is_dropped_and_the_next_one_read() {
        let mut text = b"info depth 1\n".to_vec();
        text.extend(vec![b'x'; 5 * LONGEST_LINE]);
        text.extend(b"\nbestmove e2e4\n");
        text.extend(vec![b'y'; LONGEST_LINE - 1]);
        text.extend(b"\nreadyok\n");
        let (read, dropped) = read_all(&text);
        assert_eq!(dropped, 1);
        assert_eq!(read.len(), 4);
        assert_eq!(read[..2], ["info depth 1", "bestmove e2e4"]);
        assert_eq!(read[2].len(), LONGEST_LINE - 1);
        assert_eq!(read[3], "readyok");
    }

    #[test]
    fn many_lines_pass_through_one_buffer() {
        let text: String = (0..20_000)
            .map(|number| format!("info {number}\n"))
            .collect();
        let (read, dropped) = read_all(text.as_bytes());
        assert_eq!(dropped, 0);
        assert_eq!(read.len(), 20_000);
        assert_eq!(read[19_999], "info 19999");
    }

    #[test]
    fn what_is_old_is_dropped() {
        let (mut child, mut lines) = cat();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"bestmove a1a1\nreadyok\nhalf").unwrap();
        while lines.pending.len() < 26 {
            lines.fill(Duration::from_secs(10));
        }
        let mut old = Vec::new();
        let end = lines.discard(|line| old.push(line.to_vec()));
        assert_eq!(end, Received::Nothing);
        assert_eq!(old, [b"bestmove a1a1".to_vec(), b"readyok".to_vec()]);
        drop(input);
        child.wait().unwrap();
        assert_eq!(lines.discard(|_| {}), Received::Closed);
    }
}
