//! Every game of a text, one by one, for whoever checks a match rather than counts it.

use std::hash::{DefaultHasher, Hash, Hasher};

use shakmaty::Color;

use super::game::GameResult;
use super::opening;
use crate::notation::pgn::{Record, Tags, Visitor, decoded, scan, unescaped};
use crate::openings::PositionKey;

/// What a record says of the game's place in its match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollEntry {
    /// One-based place of the record in its text.
    pub number: u64,
    /// The Round tag, when it is a plain number.
    pub round: Option<usize>,
    /// Who had White: `true` for the candidate; `None` when the game is not between the two.
    pub candidate_is_white: Option<bool>,
    /// Whether it has a result and its moves are whole.
    pub finished: bool,
    /// Where the engines began to think; `None` when neither a FEN tag nor book moves say.
    pub opening: Option<PositionKey>,
    /// Stands for the start, the moves, the comments and the time of the game: equal for copies, however their other
    /// tags are written. `None` without a move. Not for adversaries: one changed byte makes another number.
    pub fingerprint: Option<u64>,
    /// Whether a start time is part of the fingerprint; without one two games at fixed nodes may well be equal.
    pub dated: bool,
}

/// The records of a text of games between these two, in their order, and at most `most` of them.
#[must_use]
pub fn roll(text: &[u8], candidate: &str, baseline: &str, most: usize) -> Vec<RollEntry> {
    let mut reader = Reader {
        names: [candidate, baseline],
        most,
        entries: Vec::new(),
        opening: Vec::new(),
        book: Vec::new(),
        in_book: true,
        bare_move: None,
        plies: 0,
        hasher: DefaultHasher::new(),
    };
    scan(text, &mut reader);
    reader.entries
}

struct Reader<'t, 'n> {
    names: [&'n str; 2],
    most: usize,
    entries: Vec<RollEntry>,
    opening: Vec<u8>,
    /// The book moves of the game, a blank behind each.
    book: Vec<u8>,
    in_book: bool,
    /// A move that no comment has followed yet.
    bare_move: Option<&'t [u8]>,
    plies: usize,
    hasher: DefaultHasher,
}

impl Reader<'_, '_> {
    fn candidate_is_white(&self, tags: &Tags<'_>) -> Option<bool> {
        let (white, black) = tags.players()?;
        let is = |tag: &[u8], name: &str| {
            let tag = decoded(tag);
            tag == name || unescaped(&tag) == name
        };
        let [candidate, baseline] = self.names;
        if is(white, candidate) && is(black, baseline) {
            Some(true)
        } else if is(white, baseline) && is(black, candidate) {
            Some(false)
        } else {
            None
        }
    }
}

/// A Round tag that is a plain number.
fn plain_round(tag: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(tag).ok()?;
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

impl<'t> Visitor<'t> for Reader<'t, '_> {
    fn begin(&mut self, _tags: &Tags<'t>) -> bool {
        self.book.clear();
        self.in_book = true;
        self.bare_move = None;
        self.plies = 0;
        self.hasher = DefaultHasher::new();
        self.entries.len() < self.most
    }

    fn play(&mut self, _mover: Color, text: &'t [u8]) {
        text.hash(&mut self.hasher);
        self.plies += 1;
        if self.in_book && self.bare_move.replace(text).is_some() {
            self.in_book = false;
        }
    }

    fn comment(&mut self, _mover: Option<Color>, text: &'t [u8]) {
        text.hash(&mut self.hasher);
        if self.in_book {
            match self.bare_move.take() {
                Some(played) if text == b"book" => {
                    self.book.extend_from_slice(played);
                    self.book.push(b' ');
                }
                Some(_) | None => self.in_book = false,
            }
        }
    }

    fn end(&mut self, record: &Record<'t>) {
        if self.entries.len() >= self.most {
            return;
        }
        let tags = &record.tags;
        opening::describe(&mut self.opening, tags.fen, &self.book);
        self.opening.hash(&mut self.hasher);
        tags.start_time.hash(&mut self.hasher);
        let result = tags.result.and_then(GameResult::from_tag);
        self.entries.push(RollEntry {
            number: self.entries.len() as u64 + 1,
            round: tags.round.and_then(plain_round),
            candidate_is_white: self.candidate_is_white(tags),
            finished: result.is_some() && !record.torn(),
            opening: opening::end(&self.opening),
            fingerprint: (self.plies > 0).then(|| self.hasher.finish()),
            dated: tags.start_time.is_some(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(tags: &str, moves: &str) -> String {
        format!("[Event \"x\"]\n[Site \"?\"]\n[Date \"?\"]\n{tags}\n\n{moves}\n\n")
    }

    const NEW_WHITE: &str =
        "[Round \"3\"]\n[White \"new\"]\n[Black \"old \\\"1\\\"\"]\n[Result \"1-0\"]";

    fn read(texts: &[String]) -> Vec<RollEntry> {
        roll(texts.concat().as_bytes(), "new", "old \"1\"", 10)
    }

    #[test]
    fn places_sides_and_openings() {
        let book = "1. e4 {book} e5 {book} 2. Nf3 {+0.10/2 0.010s} 1-0";
        let fen = "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n[Round \"x\"]\n\
                   [White \"old \\\"1\\\"\"]\n[Black \"new\"]\n[Result \"*\"]";
        let entries = read(&[
            game(NEW_WHITE, book),
            game(fen, "2. Nf3 {+0.10/2 0.010s} *"),
            game(
                "[White \"who\"]\n[Black \"new\"]\n[Result \"0-1\"]",
                "1. e4 0-1",
            ),
        ]);
        let [one, two, three] = &entries[..] else {
            panic!("{entries:?}")
        };
        assert_eq!(
            (one.round, one.candidate_is_white, one.finished),
            (Some(3), Some(true), true)
        );
        assert_eq!(
            (two.round, two.candidate_is_white, two.finished),
            (None, Some(false), false)
        );
        assert_eq!((three.number, three.candidate_is_white), (3, None));
        assert_eq!(
            one.opening, two.opening,
            "the position counts, not the way to it"
        );
        assert!(one.opening.is_some() && three.opening.is_none());
        assert_ne!(one.fingerprint, two.fingerprint);
    }

    #[test]
    fn a_copy_under_another_round_is_known() {
        let moves = "1. e4 {+0.10/2 0.010s} 1-0";
        let other = NEW_WHITE.replace('3', "7");
        let later = format!("{NEW_WHITE}\n[GameStartTime \"later\"]");
        let entries = read(&[
            game(NEW_WHITE, moves),
            game(&other, moves),
            game(&later, moves),
        ]);
        assert_eq!(entries[0].fingerprint, entries[1].fingerprint);
        assert_ne!(entries[0].fingerprint, entries[2].fingerprint);
        assert!(entries[2].dated && !entries[0].dated);
        assert_eq!(read(&[game(NEW_WHITE, "1-0")])[0].fingerprint, None);
    }

    #[test]
    fn no_more_than_asked_for() {
        let text = game(NEW_WHITE, "1. e4 1-0").repeat(5);
        assert_eq!(roll(text.as_bytes(), "new", "old \"1\"", 3).len(), 3);
    }
}
