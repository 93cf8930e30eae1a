//! One record after the other: its tags, then its moves and comments as they come.

use memchr::memmem;
use shakmaty::Color;

use super::tag::{
    TagLine, Tags, begins_a_tag, end_of_line, full_header, header_in_a_torn_tag, tag_line,
};

/// Takes in what a record holds, in the order of the text. All methods but `end` do nothing by default.
pub trait Visitor<'t> {
    /// The tags are read; moves follow. `false` passes over the moves: then no comment and no move is reported.
    fn begin(&mut self, _tags: &Tags<'t>) -> bool {
        true
    }

    /// A move of the main line, as it stands, and who made it.
    fn play(&mut self, _mover: Color, _text: &'t [u8]) {}

    /// A comment of the main line without its braces, and whose move it follows (`None` before the first).
    fn comment(&mut self, _mover: Option<Color>, _text: &'t [u8]) {}

    /// A word of the main line that is neither move, number, annotation nor result.
    fn stray(&mut self, _text: &'t [u8]) {}

    /// The record is over.
    fn end(&mut self, record: &Record<'t>);
}

/// A record from its first tag to the next record.
#[derive(Clone, Copy, Debug)]
pub struct Record<'t> {
    /// All of it.
    pub text: &'t [u8],
    /// Where it begins in the text that was scanned, in bytes.
    pub start: usize,
    /// Its tags.
    pub tags: Tags<'t>,
    /// The last word of the movetext, which closes a whole game: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub last_word: &'t [u8],
    /// A comment was still open at the end: the record is torn.
    pub open_comment: bool,
}

impl Record<'_> {
    /// `true` if the movetext is cut off: a comment is open, or neither a result nor the Result tag's text ends it.
    #[must_use]
    pub fn torn(&self) -> bool {
        let closed = is_result(self.last_word) || self.tags.result == Some(self.last_word);
        self.open_comment || !closed
    }
}

/// `true` for the words that end a game.
fn is_result(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"*")
}

/// Reads every record of a text that begins at a record (see [`super::pieces`]).
pub fn scan<'t>(text: &'t [u8], visitor: &mut impl Visitor<'t>) {
    let mut at = 0;
    loop {
        at = skip_blank(text, at);
        if at >= text.len() {
            return;
        }
        at = record(text, at, visitor);
    }
}

fn record<'t>(text: &'t [u8], start: usize, visitor: &mut impl Visitor<'t>) -> usize {
    let Header { tags, moves, over } = header(text, start);
    let wanted = visitor.begin(&tags);
    let mut movetext = Movetext {
        text,
        at: moves,
        wanted,
        tagless: tags.count == 0,
        mover: first_mover(&tags),
        last: None,
        depth: 0,
        last_word: (moves, moves),
        open_comment: false,
    };
    let end = if over { moves } else { movetext.read(visitor) };
    let (from, to) = movetext.last_word;
    visitor.end(&Record {
        text: &text[start..end],
        start,
        tags,
        last_word: &text[from..to],
        open_comment: movetext.open_comment,
    });
    end
}

/// Who moves first: the FEN's second field says.
fn first_mover(tags: &Tags) -> Color {
    let side = tags
        .fen
        .and_then(|fen| fen.split(|byte| *byte == b' ').nth(1));
    Color::from_white(side != Some(b"b"))
}

/// Passes over blanks, line breaks and byte order marks.
fn skip_blank(text: &[u8], mut at: usize) -> usize {
    loop {
        match text[at.min(text.len())..] {
            [b' ' | b'\t' | b'\n' | b'\r', ..] => at += 1,
            [0xEF, 0xBB, 0xBF, ..] => at += 3,
            _ => return at,
        }
    }
}

/// The tag section of a record.
struct Header<'t> {
    tags: Tags<'t>,
    /// Where the moves begin.
    moves: usize,
    /// There are none: the next record begins there.
    over: bool,
}

/// Reads tag lines, blank lines between them and remark lines. A second `Event` tag begins the next record.
fn header(text: &[u8], start: usize) -> Header<'_> {
    let mut tags = Tags::default();
    let mut at = start;
    loop {
        at = skip_blank(text, at);
        match text.get(at) {
            Some(b'[') => match tag_line(text, at) {
                TagLine::Whole(tag, _) if tag.name == b"Event" && tags.count > 0 => {
                    let (moves, over) = (at, true);
                    return Header { tags, moves, over };
                }
                TagLine::Whole(tag, after) => {
                    if let Some(moves) = header_in_a_torn_tag(text, at, &tag, after) {
                        let over = true;
                        return Header { tags, moves, over };
                    }
                    tags.add(tag);
                    at = end_of_line(text, after);
                }
                TagLine::Broken(after) => at = after,
                TagLine::No => break,
            },
            Some(b'%' | b';') => at = end_of_line(text, at),
            _ => break,
        }
    }
    let (moves, over) = (at, false);
    Header { tags, moves, over }
}

struct Movetext<'t> {
    text: &'t [u8],
    at: usize,
    wanted: bool,
    tagless: bool,
    /// Whose move comes next.
    mover: Color,
    /// Who made the last move.
    last: Option<Color>,
    /// How many variations deep.
    depth: u32,
    last_word: (usize, usize),
    open_comment: bool,
}

impl<'t> Movetext<'t> {
    /// Reads to the start of the next record and answers where that is.
    fn read(&mut self, visitor: &mut impl Visitor<'t>) -> usize {
        let text = self.text;
        while let Some(&byte) = text.get(self.at) {
            if byte == b' ' {
                self.at += 1;
                continue;
            }
            if STARTS_A_MOVE[usize::from(byte)] {
                self.word(visitor);
                continue;
            }
            match byte {
                b' ' | b'\t' | b'.' | b'}' | b'!' | b'?' => self.at += 1,
                b'\n' | b'\r' => {
                    self.at += 1;
                    if self.line_begins_a_record() {
                        break;
                    }
                }
                b'{' => {
                    if self.comment(visitor) {
                        break;
                    }
                }
                b'(' => {
                    self.depth += 1;
                    self.at += 1;
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.at += 1;
                }
                b';' => self.at = end_of_line(text, self.at),
                b'[' => {
                    if full_header(text, self.at) {
                        break;
                    }
                    self.at += 1;
                }
                b'0'..=b'9' | b'*' => {
                    if self.number_or_result(visitor) {
                        break;
                    }
                }
                _ => self.word(visitor),
            }
        }
        self.at
    }

    /// Looks at the first byte of a line: a tag begins the next record, `%` is a remark line.
    fn line_begins_a_record(&mut self) -> bool {
        let text = self.text;
        let first = match text.get(self.at) {
            Some(b' ' | b'\t' | 0xEF) => skip_indent(text, self.at),
            _ => self.at,
        };
        match text.get(first) {
            Some(b'[') if begins_a_tag(text, first) => {
                self.at = first;
                true
            }
            Some(b'%') if first == self.at => {
                self.at = end_of_line(text, first);
                false
            }
            _ => false,
        }
    }

    /// Reads a comment; `true` if the next record begins inside it, because it was never closed.
    #[inline]
    fn comment(&mut self, visitor: &mut impl Visitor<'t>) -> bool {
        let (text, start) = (self.text, self.at + 1);
        let rest = &text[start..];
        let (end, torn) = match brace_in_line(rest) {
            Some(found) => (start + found, false),
            None => self.other_comment(start),
        };
        if self.depth == 0 && self.wanted {
            visitor.comment(self.last, &text[start..end]);
        }
        self.open_comment = torn;
        self.last_word = (end, end);
        self.at = if torn { end } else { end + 1 };
        torn && end < text.len()
    }

    /// Where a comment of several lines ends, and whether a record's start or the end of the text cut it off.
    #[cold]
    fn other_comment(&self, start: usize) -> (usize, bool) {
        let text = self.text;
        let close = memchr::memchr(b'}', &text[start..]).map(|found| start + found);
        let end = close.unwrap_or(text.len());
        let header = memmem::find_iter(&text[start..end], b"[Event ")
            .map(|found| start + found)
            .find(|&at| full_header(text, at));
        match header {
            Some(at) => (at, true),
            None => (end, close.is_none()),
        }
    }

    /// Reads `12.`, `12...`, `1-0`, `*`, `0-0`; `true` if the next record begins here, as where games have no tags.
    fn number_or_result(&mut self, visitor: &mut impl Visitor<'t>) -> bool {
        let (text, start) = (self.text, self.at);
        let mut at = start;
        while text.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        if self.tagless && is_result(self.last_word()) {
            return true;
        }
        if text.get(at) == Some(&b'.') {
            let dots = text[at..].iter().take_while(|byte| **byte == b'.').count();
            if self.depth == 0 {
                self.mover = Color::from_white(dots < 3);
            }
            self.at = at + dots;
            return false;
        }
        if matches!(text.get(at), Some(b'-' | b'/' | b'*')) {
            self.word(visitor);
        } else {
            self.at = at.max(start + 1);
        }
        false
    }

    fn last_word(&self) -> &'t [u8] {
        &self.text[self.last_word.0..self.last_word.1]
    }

    /// Reads up to the next blank, comment or variation.
    #[inline]
    fn word(&mut self, visitor: &mut impl Visitor<'t>) {
        let text = self.text;
        let rest = &text[self.at..];
        let (mut length, mut square) = (1, false);
        while let Some(&byte) = rest.get(length) {
            if ENDS_A_WORD[usize::from(byte)] {
                break;
            }
            square |= matches!(byte, b'1'..=b'8') & matches!(rest[length - 1], b'a'..=b'h');
            length += 1;
        }
        let word = &rest[..length];
        self.last_word = (self.at, self.at + length);
        self.at += length;
        if self.depth > 0 {
            return;
        }
        if is_move(word, square) {
            if self.wanted {
                visitor.play(self.mover, word);
            }
            self.last = Some(self.mover);
            self.mover = self.mover.other();
        } else if self.wanted && !is_result(word) && !word.starts_with(b"$") {
            visitor.stray(word);
        }
    }
}

fn skip_indent(text: &[u8], mut at: usize) -> usize {
    loop {
        match text[at..] {
            [b' ' | b'\t', ..] => at += 1,
            [0xEF, 0xBB, 0xBF, ..] => at += 3,
            _ => return at,
        }
    }
}

const ENDS_A_WORD: [bool; 256] = table(b" \t\n\r{}();[");
const STARTS_A_MOVE: [bool; 256] = table(b"abcdefghKQRBNPO");

const fn table(members: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut next = 0;
    while next < members.len() {
        table[members[next] as usize] = true;
        next += 1;
    }
    table
}

/// `true` for what has the shape of a move in SAN, long algebraic or UCI notation, legal or not.
/// `square` tells if a file letter and a rank digit stand side by side in it.
#[inline]
fn is_move(word: &[u8], square: bool) -> bool {
    match word {
        [b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'P', ..] => square,
        [b'O', b'-', b'O', ..] | [b'o', b'-', b'o', ..] | [b'0', b'-', b'0', ..] => true,
        [b'-', b'-'] | [b'A'..=b'Z', b'@', ..] => true,
        _ => false,
    }
}

/// Where the first `}` stands, if no control character (as a line break) comes before it.
#[inline]
fn brace_in_line(text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES * 0x80;
    for (at, eight) in text.as_chunks::<8>().0.iter().enumerate() {
        let bytes = u64::from_le_bytes(*eight);
        let braces = bytes ^ (ONES * b'}' as u64);
        let brace = braces.wrapping_sub(ONES) & !braces & TOPS;
        let control = bytes.wrapping_sub(ONES * 0x20) & !bytes & TOPS;
        if brace | control != 0 {
            let (brace, control) = (brace.trailing_zeros(), control.trailing_zeros());
            return (brace < control).then_some(at * 8 + brace as usize / 8);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn::{decoded, pieces};
    use proptest::prelude::*;

    /// Writes down what it sees.
    #[derive(Default)]
    struct Seen {
        line: String,
        records: Vec<String>,
    }

    impl<'t> Visitor<'t> for Seen {
        fn begin(&mut self, tags: &Tags<'t>) -> bool {
            if let Some(result) = tags.result {
                self.line = format!("[{}]", decoded(result));
            }
            true
        }

        fn play(&mut self, mover: Color, text: &'t [u8]) {
            let mover = if mover.is_white() { 'W' } else { 'B' };
            self.line += &format!(" {mover}:{}", decoded(text));
        }

        fn comment(&mut self, mover: Option<Color>, text: &'t [u8]) {
            let mover = mover.map_or('-', |mover| if mover.is_white() { 'w' } else { 'b' });
            self.line += &format!(" {mover}{{{}}}", decoded(text));
        }

        fn stray(&mut self, text: &'t [u8]) {
            self.line += &format!(" stray:{}", decoded(text));
        }

        fn end(&mut self, record: &Record<'t>) {
            if record.torn() {
                self.line += " torn";
            }
            self.records.push(std::mem::take(&mut self.line));
        }
    }

    fn seen(text: &str) -> Vec<String> {
        let mut seen = Seen::default();
        scan(text.as_bytes(), &mut seen);
        seen.records
    }

    #[track_caller]
    fn case(text: &str, records: &[&str]) {
        assert_eq!(seen(text), records);
        assert_eq!(seen(&text.replace('\n', "\r\n")), records, "with CRLF");
        assert_eq!(seen(&text.replace('\n', "\r")), records, "with CR");
    }

    #[test]
    fn movers_follow_numbers_and_turns() {
        case(
            "[Event \"t\"]\n[Result \"1-0\"]\n\n1. e4 {a} e5 2. d4 {b} d5 {c}\n1-0\n",
            &["[1-0] W:e4 w{a} B:e5 W:d4 w{b} B:d5 b{c}"],
        );
        case(
            "[Result \"0-1\"]\n\n4... e6 {a} 5.g3 {b} 5...a6 {c} {d} 0-1\n",
            &["[0-1] B:e6 b{a} W:g3 w{b} B:a6 b{c} b{d}"],
        );
        case(
            "[Result \"*\"]\n[FEN \"8/8/8/8/8/8/8/K6k b - - 0 1\"]\n\ne5 {a} d4 {b} *",
            &["[*] B:e5 b{a} W:d4 w{b}"],
        );
    }

    #[test]
    fn what_is_not_the_main_line_is_passed_over() {
        case(
            "[Result \"1-0\"]\n\n1. e4! $1 (1. d4 {no} (1. c4) d5) e5?! ; {not closed\n2 . Nf3\n% 3. a3\n0-0 1-0\n",
            &["[1-0] W:e4! B:e5?! W:Nf3 B:0-0"],
        );
        case(
            "[Result \"1-0\"]\n\n{x} 1. e4 n=3, 1-0",
            &["[1-0] -{x} W:e4 stray:n=3,"],
        );
    }

    #[test]
    fn a_record_begins_at_a_tag_behind_moves() {
        case(
            "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n [event \"b\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n[Site \"c\"]\n*\n",
            &["[1-0] W:e4", "[0-1] W:d4", ""],
        );
        case(
            "[Event \"a\"]\n[Event \"b\"]\n[Result \"*\"]\n\n*\n",
            &[" torn", "[*]"],
        );
        case(
            "[Event \"a\"]\n\n[Result \"1-0\"]\n1. e4 1-0\n",
            &["[1-0] W:e4"],
        );
        case("1. e4 1-0\n\n1. d4 d5 1/2-1/2\n", &[" W:e4", " W:d4 B:d5"]);
    }

    #[test]
    fn a_comment_may_hold_what_looks_like_a_record() {
        let comment = "see\n[Event \"not\"]\n[Result \"0-1\"]\n";
        let text = format!("[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {{{comment}}} 1-0\n");
        assert_eq!(seen(&text), [format!("[1-0] W:e4 w{{{comment}}}")]);
    }

    #[test]
    fn a_comment_never_closed_ends_at_a_full_header() {
        let torn = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {+0.2/8 0.1s, n=7";
        case(torn, &["[1-0] W:e4 w{+0.2/8 0.1s, n=7} torn"]);
        let next = "[Event \"b\"]\n[Site \"?\"]\n[Result \"0-1\"]\n\n1. d4 {x} 0-1\n";
        let both = ["[1-0] W:e4 w{+0.2/8 0.1s, n=7} torn", "[0-1] W:d4 w{x}"];
        assert_eq!(seen(&format!("{torn}{next}")), both);
        let torn_move = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e";
        assert_eq!(
            seen(&format!("{torn_move}{next}")),
            ["[1-0] stray:e torn", "[0-1] W:d4 w{x}"]
        );
        let torn_tag = "[Event \"a\"]\n[Result \"1-0\"]\n[Opening \"Hung";
        assert_eq!(
            seen(&format!("{torn_tag}{next}")),
            ["[1-0] torn", "[0-1] W:d4 w{x}"]
        );
    }

    #[test]
    fn a_comment_left_open_is_cut_alike_in_any_pieces() {
        let text =
            "[Event \"x\"]\n{[Result \"1-0\"]\n[Event \"x\"]\n[Event \"x\"]\n[Event \"x\"]\n";
        let mut whole = Seen::default();
        scan(text.as_bytes(), &mut whole);
        for target in 1..text.len() {
            let mut cut = Seen::default();
            for piece in pieces(text.as_bytes(), target) {
                scan(&text.as_bytes()[piece], &mut cut);
            }
            assert_eq!(whole.records, cut.records, "pieces of {target}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(text in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut seen = Seen::default();
            scan(&text, &mut seen);
        }

        #[test]
        fn pieces_hold_the_same_records(
            text in "(\\[Event \"x\"\\]\n|\\[Site \"\"\\]\n|\\[Result \"1-0\"\\]\n|1\\. e4 |\\{|\\}|\n|;|%|\\(|1-0\n|\r){0,60}",
            target in 1_usize..200,
        ) {
            let mut whole = Seen::default();
            scan(text.as_bytes(), &mut whole);
            let mut cut = Seen::default();
            for piece in pieces(text.as_bytes(), target) {
                scan(&text.as_bytes()[piece], &mut cut);
            }
            prop_assert_eq!(whole.records, cut.records);
        }
    }
}
