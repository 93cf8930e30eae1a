//! Cutting a book into records, one an opening, and finding them again.

use std::io::{self, BufRead, Read};

use super::Variant;
use super::chess960;

/// What a book is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookForm {
    /// One position a line, EPD or FEN.
    Epd,
    /// One game a record; its moves are the book moves.
    Pgn,
}

impl BookForm {
    /// `epd` or `pgn`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Epd => "epd",
            Self::Pgn => "pgn",
        }
    }

    /// Told by the first line that is neither blank nor a comment; `None` when it is neither form, EPD when
    /// there is no such line.
    pub(super) fn of(beginning: &[u8]) -> Option<Self> {
        let text = beginning.strip_prefix(BYTE_ORDER_MARK).unwrap_or(beginning);
        let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let Some(first) = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")) else {
            return Some(Self::Epd);
        };
        let word = first
            .split(u8::is_ascii_whitespace)
            .next()
            .unwrap_or_default();
        if word.iter().filter(|&&byte| byte == b'/').count() == 7 {
            return Some(Self::Epd);
        }
        let movetext = word.contains(&b'.') && word[0].is_ascii_digit();
        (movetext || matches!(first[0], b'[' | b'{' | b';' | b'%')).then_some(Self::Pgn)
    }
}

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line longer than this belongs to no book.
const LINE_LIMIT: u64 = 1 << 20;

/// Every so manyth record's place is kept; the ones between are found by reading on.
const STRIDE: usize = 64;

/// Where the records of a book are.
#[derive(Debug)]
pub(super) struct Index {
    marks: Vec<Mark>,
    length: usize,
    variant: Variant,
    end: u64,
}

/// Where a record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Bytes before it.
    pub(super) offset: u64,
    /// One-based line.
    pub(super) line: u64,
}

impl Index {
    /// Reads the whole book once, keeping nothing but marks.
    pub(super) fn build(form: BookForm, reader: &mut dyn BufRead) -> io::Result<Self> {
        let mut index = Self {
            marks: Vec::new(),
            length: 0,
            variant: Variant::Standard,
            end: 0,
        };
        let mut cutter = Cutter::new(form);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = read_line(reader, &mut line, number)?;
            if read == 0 {
                break;
            }
            let skipped = if number == 1 {
                byte_order_mark(&line)
            } else {
                0
            };
            index.end += skipped as u64;
            index.note(form, &mut cutter, &line[skipped..], number);
            index.end += (read - skipped) as u64;
        }
        Ok(index)
    }

    fn note(&mut self, form: BookForm, cutter: &mut Cutter, line: &[u8], number: u64) {
        if cutter.begins(line) {
            if self.length.is_multiple_of(STRIDE) {
                self.marks.push(Mark {
                    offset: self.end,
                    line: number,
                });
            }
            self.length += 1;
        }
        let shows = match form {
            BookForm::Epd => chess960::position_shows,
            BookForm::Pgn => chess960::tag_shows,
        };
        if self.variant == Variant::Standard && shows(line) {
            self.variant = Variant::Chess960;
        }
    }

    /// Records in the book.
    pub(super) const fn len(&self) -> usize {
        self.length
    }

    /// Chess960 when any record needs it.
    pub(super) const fn variant(&self) -> Variant {
        self.variant
    }

    /// Where to begin reading for a record, where to stop, and how many records to pass over.
    pub(super) fn locate(&self, record: usize) -> (Mark, u64, usize) {
        let end = self
            .marks
            .get(record / STRIDE + 1)
            .map_or(self.end, |mark| mark.offset);
        (self.marks[record / STRIDE], end, record % STRIDE)
    }
}

fn byte_order_mark(line: &[u8]) -> usize {
    if line.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    }
}

fn read_line(reader: &mut dyn BufRead, line: &mut Vec<u8>, number: u64) -> io::Result<usize> {
    let read = Read::take(&mut *reader, LINE_LIMIT).read_until(b'\n', line)?;
    if read as u64 == LINE_LIMIT && line.last() != Some(&b'\n') {
        let message = format!("line {number} is longer than {LINE_LIMIT} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(read)
}

/// The record so many records into a block that begins with one, and the lines of the block before it.
pub(super) fn record_in(form: BookForm, block: &[u8], passed: usize) -> Option<(&[u8], u64)> {
    let mut cutter = Cutter::new(form);
    let mut begun = 0;
    let mut offset = 0;
    let mut start = None;
    for (number, line) in (0..).zip(block.split_inclusive(|&byte| byte == b'\n')) {
        if cutter.begins(line) {
            match start {
                Some((from, first)) => return Some((&block[from..offset], first)),
                None if begun == passed => start = Some((offset, number)),
                None => {}
            }
            begun += 1;
        }
        offset += line.len();
    }
    start.map(|(from, first)| (&block[from..], first))
}

/// What the movetext of a record may not leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenBracket {
    /// `{` without `}`.
    #[error("a comment is not closed")]
    Comment,
    /// `(` without `)`.
    #[error("a variation is not closed")]
    Variation,
}

/// What a PGN record leaves open, so that the moves behind it cannot be told from what should not be played.
pub(super) fn left_open(record: &[u8]) -> Option<OpenBracket> {
    let mut cutter = Cutter::new(BookForm::Pgn);
    for line in record.split(|&byte| byte == b'\n') {
        cutter.begins(line);
    }
    if cutter.in_comment {
        return Some(OpenBracket::Comment);
    }
    (cutter.variations > 0).then_some(OpenBracket::Variation)
}

/// Says line by line where records begin.
#[derive(Debug)]
struct Cutter {
    form: BookForm,
    place: Place,
    in_comment: bool,
    variations: u32,
}

/// Where in a PGN record the last line was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before the first record or behind a finished one.
    Between,
    Tags,
    /// Behind the blank line that ends the tags.
    AfterTags,
    Moves,
}

impl Cutter {
    const fn new(form: BookForm) -> Self {
        Self {
            form,
            place: Place::Between,
            in_comment: false,
            variations: 0,
        }
    }

    /// Whether the line is the first of a record.
    fn begins(&mut self, line: &[u8]) -> bool {
        match self.form {
            BookForm::Epd => !matches!(line.trim_ascii().first(), None | Some(b'#')),
            BookForm::Pgn => self.begins_game(line),
        }
    }

    fn begins_game(&mut self, line: &[u8]) -> bool {
        // Whatever was left open before it, this tag opens a game.
        if line.starts_with(b"[Event ") {
            self.in_comment = false;
            self.variations = 0;
            return self.tag_begins();
        }
        let text = line.trim_ascii();
        if !self.in_comment {
            match text.first() {
                None => return self.blank(),
                Some(b'[') => return self.tag_begins(),
                Some(b'%' | b'#') if self.place == Place::Between || line[0] == b'%' => {
                    return false;
                }
                Some(b';') if self.place == Place::Between => return false,
                Some(_) => {}
            }
        }
        self.movetext(text)
    }

    fn enter(&mut self, place: Place, begins: bool) -> bool {
        self.place = place;
        begins
    }

    fn tag_begins(&mut self) -> bool {
        self.variations = 0;
        let begins = self.place != Place::Tags;
        self.enter(Place::Tags, begins)
    }

    fn blank(&mut self) -> bool {
        let place = match self.place {
            Place::Tags => Place::AfterTags,
            Place::Moves if self.variations == 0 => Place::Between,
            Place::Between | Place::AfterTags | Place::Moves => self.place,
        };
        self.enter(place, false)
    }

    fn movetext(&mut self, text: &[u8]) -> bool {
        let between = self.place == Place::Between;
        let only_comment = between && (self.in_comment || text.starts_with(b"{"));
        self.pass_brackets(text);
        let closed = !self.in_comment && self.variations == 0;
        if only_comment {
            return false;
        }
        let place = if closed && ends_with_result(text) {
            Place::Between
        } else {
            Place::Moves
        };
        self.enter(place, between)
    }

    fn pass_brackets(&mut self, text: &[u8]) {
        for &byte in text {
            match (self.in_comment, byte) {
                (true, b'}') => self.in_comment = false,
                (true, _) => {}
                (false, b'{') => self.in_comment = true,
                (false, b'(') => self.variations += 1,
                (false, b')') => self.variations = self.variations.saturating_sub(1),
                // The rest of the line is a comment.
                (false, b';') => return,
                (false, _) => {}
            }
        }
    }
}

fn ends_with_result(text: &[u8]) -> bool {
    let word = text
        .rsplit(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    matches!(word, b"*" | b"1-0" | b"0-1" | b"1/2-1/2")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(form: BookForm, mut text: &[u8]) -> Index {
        Index::build(form, &mut text).unwrap()
    }

    /// The records of a text and the lines they begin on.
    fn cut(form: BookForm, text: &str) -> Vec<(u64, &str)> {
        let index = index(form, text.as_bytes());
        let record = |number| {
            let (mark, end, passed) = index.locate(number);
            let range = usize::try_from(mark.offset).unwrap()..usize::try_from(end).unwrap();
            let (record, line) = record_in(form, &text.as_bytes()[range], passed).unwrap();
            (
                mark.line + line,
                std::str::from_utf8(record).unwrap().trim(),
            )
        };
        (0..index.len()).map(record).collect()
    }

    #[track_caller]
    fn games(text: &str, wanted: &[(u64, &str)]) {
        assert_eq!(cut(BookForm::Pgn, text), wanted);
        let crlf = text.replace('\n', "\r\n");
        let lines: Vec<_> = wanted.iter().map(|(line, _)| *line).collect();
        let cut: Vec<_> = cut(BookForm::Pgn, &crlf)
            .iter()
            .map(|(line, _)| *line)
            .collect();
        assert_eq!(cut, lines, "with CRLF");
    }

    #[test]
    fn lines_of_an_epd_book() {
        let text = "\u{feff}# a book\n\none\r\n  \n two\n#x\nthree";
        assert_eq!(
            cut(BookForm::Epd, text),
            [(3, "one"), (5, "two\n#x"), (7, "three")]
        );
    }

    #[test]
    fn a_record_far_into_a_book() {
        let text: String = (1..=1000).map(|line| format!("{line}\n")).collect();
        let records = cut(BookForm::Epd, &text);
        assert_eq!(records.len(), 1000);
        assert_eq!(records[127], (128, "128"));
        assert_eq!(records[128], (129, "129"));
        assert_eq!(records[999], (1000, "1000"));
        assert_eq!(index(BookForm::Epd, text.as_bytes()).marks.len(), 16);
    }

    #[test]
    fn games_with_tags() {
        games(
            "[Event \"a\"]\n[FEN \"x\"]\n\n1. e4 {a\n\n[b] } e5\n2. d4 *\n\n[Event \"b\"]\n\n*\n[Site \"c\"]\n\n1. d4 *",
            &[
                (
                    1,
                    "[Event \"a\"]\n[FEN \"x\"]\n\n1. e4 {a\n\n[b] } e5\n2. d4 *",
                ),
                (9, "[Event \"b\"]\n\n*"),
                (12, "[Site \"c\"]\n\n1. d4 *"),
            ],
        );
    }

    #[test]
    fn games_without_tags() {
        games(
            "; a book\n1. e4 e5 *\n1. d4 *\n\n1. c4\nc5\n\n1. f4",
            &[
                (2, "1. e4 e5 *"),
                (3, "1. d4 *"),
                (5, "1. c4\nc5"),
                (8, "1. f4"),
            ],
        );
    }

    #[test]
    fn what_is_left_open_ends_at_the_next_event() {
        games(
            "[Event \"a\"]\n\n1. e4 {open\n[Event \"b\"]\n\n1. e4 (1. d4\n\n[Event \"c\"]\n\n1. c4 *\n{ the end }\n",
            &[
                (1, "[Event \"a\"]\n\n1. e4 {open"),
                (4, "[Event \"b\"]\n\n1. e4 (1. d4"),
                (8, "[Event \"c\"]\n\n1. c4 *\n{ the end }"),
            ],
        );
    }

    #[test]
    fn forms_are_known_by_their_first_line() {
        let form = |text: &str| BookForm::of(text.as_bytes());
        assert_eq!(form("\u{feff}\n[Event \"a\"]"), Some(BookForm::Pgn));
        assert_eq!(form("{ a book }\n1. e4 *"), Some(BookForm::Pgn));
        assert_eq!(form("1.e4 e5"), Some(BookForm::Pgn));
        assert_eq!(
            form("# a book\r\n8/8/8/8/8/8/8/8 w - -"),
            Some(BookForm::Epd)
        );
        assert_eq!(form("hello"), None);
        assert_eq!(form("\n"), Some(BookForm::Epd));
    }

    #[test]
    fn an_endless_line_is_refused() {
        let text = vec![b'x'; 3 << 20];
        let error = Index::build(BookForm::Epd, &mut text.as_slice()).unwrap_err();
        assert_eq!(error.to_string(), "line 1 is longer than 1048576 bytes");
    }
}
