//! `info` lines.

use std::str::SplitAsciiWhitespace;

use crate::notation::MoveScore;

/// Whether a score is what the engine thinks or only a limit of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    #[default]
    Exact,
    /// The position is worth at least that.
    Lower,
    /// The position is worth at most that.
    Upper,
}

/// What an `info` line says. A field that is missing or no number is `None`.
///
/// ```
/// use mache::notation::{MoveScore, uci::Info};
///
/// let info = Info::parse("info depth 12 score cp 25 nodes 1000 nps 50000 pv e2e4").unwrap();
/// assert_eq!((info.depth, info.score), (Some(12), Some(MoveScore::Centipawns(25))));
/// assert_eq!(Info::parse("info string depth 12"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// Which of several lines this is, from 1.
    pub multipv: Option<u32>,
    /// What the position is worth to the side that thinks.
    pub score: Option<MoveScore>,
    /// Whether `score` is a limit only.
    pub bound: Bound,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Milliseconds the engine says it thought.
    pub time: Option<u64>,
}

impl Info {
    /// Reads a line up to its `pv` or `string`. `None` when it is no `info` line or has nothing but a string.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        if words.next()? != "info" {
            return None;
        }
        let mut info = Self::default();
        let mut empty = true;
        while let Some(word) = words.next() {
            if matches!(word, "string" | "pv") {
                break;
            }
            empty = false;
            info.take(word, &mut words);
        }
        (!empty).then_some(info)
    }

    fn take(&mut self, word: &str, words: &mut SplitAsciiWhitespace<'_>) {
        match word {
            "depth" => self.depth = number(words),
            "seldepth" => self.seldepth = number(words),
            "multipv" => self.multipv = number(words),
            "nodes" => self.nodes = number(words),
            "nps" => self.nps = number(words),
            "time" => self.time = number(words),
            "score" => self.score = score(words),
            "lowerbound" => self.bound = Bound::Lower,
            "upperbound" => self.bound = Bound::Upper,
            _ => {}
        }
    }
}

fn number<T: std::str::FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

/// `cp 25` or `mate -3`. What goes beyond a 32-bit number is cut there.
fn score(words: &mut SplitAsciiWhitespace<'_>) -> Option<MoveScore> {
    let unit = words.next()?;
    let value: i64 = number(words)?;
    let value = i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX });
    match unit {
        "cp" => Some(MoveScore::Centipawns(value)),
        "mate" => Some(MoveScore::Mate(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_full_line() {
        let line = "info depth 20 seldepth 31 multipv 1 score mate -3 upperbound nodes 99 nps 7 hashfull 3 tbhits 0 time 12 pv score cp 9";
        assert_eq!(
            Info::parse(line),
            Some(Info {
                depth: Some(20),
                seldepth: Some(31),
                multipv: Some(1),
                score: Some(MoveScore::Mate(-3)),
                bound: Bound::Upper,
                nodes: Some(99),
                nps: Some(7),
                time: Some(12),
            })
        );
    }

    #[test]
    fn what_is_no_number_is_missing() {
        let info = Info::parse("info depth x score cp abc nodes 2").unwrap();
        assert_eq!((info.depth, info.score, info.nodes), (None, None, Some(2)));
        assert_eq!(Info::parse("info score").unwrap().score, None);
        let huge = Info::parse("info score cp -99999999999").unwrap();
        assert_eq!(huge.score, Some(MoveScore::Centipawns(i32::MIN)));
        assert_eq!(Info::parse("info"), None);
        assert_eq!(Info::parse("information depth 1"), None);
    }

    proptest! {
        #[test]
        fn no_line_panics(line in ".*", tail in ".*") {
            _ = Info::parse(&line);
            _ = Info::parse(&format!("info {tail}"));
        }
    }
}
