//! The one `info` line of a search that counts, found without reading the others.

use memchr::memmem::Finder;

use crate::notation::uci::Info;

/// Keeps the last line with a score of the main variation; an exact one before a bound. Read when the move is there.
#[derive(Debug)]
pub(super) struct LastInfo {
    exact: Vec<u8>,
    bound: Vec<u8>,
    variation: Finder<'static>,
    score: Finder<'static>,
    multipv: Finder<'static>,
    limit: Finder<'static>,
}

impl Default for LastInfo {
    fn default() -> Self {
        Self {
            exact: Vec::new(),
            bound: Vec::new(),
            variation: Finder::new(b" pv "),
            score: Finder::new(b" score "),
            multipv: Finder::new(b" multipv "),
            limit: Finder::new(b"erbound"),
        }
    }
}

impl LastInfo {
    pub(super) fn clear(&mut self) {
        self.exact.clear();
        self.bound.clear();
    }

    /// Looks at a line and keeps it if it may be the one.
    pub(super) fn note(&mut self, line: &[u8]) {
        let line = line.trim_ascii_start();
        if !line.starts_with(b"info ") || line.starts_with(b"info string") {
            return;
        }
        let head = &line[..self.variation.find(line).unwrap_or(line.len())];
        if self.score.find(head).is_none() || !self.is_main(head) {
            return;
        }
        let kept = match self.limit.find(head) {
            Some(_) => &mut self.bound,
            None => &mut self.exact,
        };
        kept.clear();
        kept.extend_from_slice(head);
    }

    fn is_main(&self, head: &[u8]) -> bool {
        let Some(found) = self.multipv.find(head) else {
            return true;
        };
        let rest = &head[found + b" multipv ".len()..];
        rest == b"1" || rest.starts_with(b"1 ")
    }

    /// What the kept line says.
    pub(super) fn latest(&self) -> Option<Info> {
        let line = if self.exact.is_empty() {
            &self.bound
        } else {
            &self.exact
        };
        Info::parse(&String::from_utf8_lossy(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::MoveScore;

    fn latest(lines: &[&str]) -> Option<Info> {
        let mut last = LastInfo::default();
        for line in lines {
            last.note(line.as_bytes());
        }
        last.latest()
    }

    #[test]
    fn the_last_exact_score_of_the_main_variation_counts() {
        let info = latest(&[
            "info depth 1 score cp 10 pv e2e4",
            "info depth 2 multipv 1 score cp 20 pv e2e4 score cp 99",
            "info depth 2 multipv 2 score cp 5 pv d2d4",
            "info depth 3 score cp 50 lowerbound",
            "info string score cp 7",
            "info depth 3 currmove e2e4",
            "info depth 4 pv e2e4 score cp 7",
        ]);
        let info = info.unwrap();
        assert_eq!(info.depth, Some(2));
        assert_eq!(info.score, Some(MoveScore::Centipawns(20)));
    }

    #[test]
    fn a_bound_is_better_than_nothing() {
        let info = latest(&["info depth 3 score cp 50 upperbound pv e2e4"]).unwrap();
        assert_eq!(info.score, Some(MoveScore::Centipawns(50)));
        assert_eq!(latest(&["info depth 3", "readyok"]), None);
    }
}
