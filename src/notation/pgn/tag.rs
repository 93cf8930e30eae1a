//! Tag lines: `[Name "value"]`.

use std::borrow::Cow;

use memchr::{memchr2, memchr3};

/// A value that runs over more bytes than this has lost its closing quote.
const LONGEST_VALUE: usize = 4096;

/// The tags of one record that a reader of matches needs, as they stand in the file.
///
/// A tag given twice keeps its last value. Values are what stands between the first and the last quote
/// of the line: match runners do not escape, so names may hold quotes, brackets and backslashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tags<'t> {
    /// Tags seen, known or not.
    pub count: usize,
    /// `Round`.
    pub round: Option<&'t [u8]>,
    /// `White`.
    pub white: Option<&'t [u8]>,
    /// `Black`.
    pub black: Option<&'t [u8]>,
    /// `Result`.
    pub result: Option<&'t [u8]>,
    /// `FEN`: where the game starts when not from the initial position.
    pub fen: Option<&'t [u8]>,
    /// `Variant`.
    pub variant: Option<&'t [u8]>,
    /// `GameStartTime`, which tells one playing of a game from another.
    pub start_time: Option<&'t [u8]>,
    /// `Termination`.
    pub termination: Option<&'t [u8]>,
}

impl<'t> Tags<'t> {
    pub(super) fn add(&mut self, tag: Tag<'t>) {
        self.count += 1;
        let place = match tag.name {
            b"Round" => &mut self.round,
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Result" => &mut self.result,
            b"FEN" => &mut self.fen,
            b"Variant" => &mut self.variant,
            b"GameStartTime" => &mut self.start_time,
            b"Termination" => &mut self.termination,
            _ => return,
        };
        *place = Some(tag.value);
    }

    /// Both players' names, as they stand; `None` when one is missing or empty, and then it is no game.
    #[must_use]
    pub fn players(&self) -> Option<(&'t [u8], &'t [u8])> {
        let named = |name: &&[u8]| !name.is_empty();
        Some((self.white.filter(named)?, self.black.filter(named)?))
    }
}

/// One tag line, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t [u8],
    pub(super) value: &'t [u8],
}

/// What begins at `[`: a tag, a line that only begins as one, or something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagLine<'t> {
    /// A tag, and where what follows it begins.
    Whole(Tag<'t>, usize),
    /// Begins like a tag and has no end: the rest of the line is passed over.
    Broken(usize),
    /// No tag.
    No,
}

/// Reads the tag whose `[` stands at `at`.
pub(super) fn tag_line(text: &[u8], at: usize) -> TagLine<'_> {
    let Some((name, start)) = opening(text, at) else {
        return TagLine::No;
    };
    let line_end = end_of_line(text, start);
    if let Some(end) = closing(&text[start..line_end]) {
        let value = &text[start..start + end];
        return TagLine::Whole(Tag { name, value }, line_end);
    }
    match closing_further_on(text, start, line_end) {
        Some((end, after)) => {
            let value = &text[start..end];
            TagLine::Whole(Tag { name, value }, after)
        }
        None => TagLine::Broken(line_end),
    }
}

/// `true` if a tag line begins at `at`, whether or not it is whole.
pub(super) fn begins_a_tag(text: &[u8], at: usize) -> bool {
    opening(text, at).is_some()
}

/// The name, and where the value begins.
#[inline]
fn opening(text: &[u8], at: usize) -> Option<(&[u8], usize)> {
    if text.get(at) != Some(&b'[') {
        return None;
    }
    let rest = &text[at + 1..];
    let length = rest
        .iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))?;
    let blanks = rest[length..]
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t'))?;
    let quote = length + blanks;
    (length > 0 && blanks > 0 && rest[quote] == b'"').then(|| (&rest[..length], at + quote + 2))
}

/// Where the value ends within a line: at the last quote that a `]` follows.
#[inline]
fn closing(line: &[u8]) -> Option<usize> {
    if let [.., b'"', b']'] = line {
        return Some(line.len() - 2);
    }
    let mut end = line.len();
    while let Some(bracket) = memchr::memrchr(b']', &line[..end]) {
        let before = line[..bracket].trim_ascii_end();
        if before.last() == Some(&b'"') {
            return Some(before.len() - 1);
        }
        end = bracket;
    }
    None
}

/// A value with line breaks in it (a name with a CR): ends before the next tag line or blank line.
fn closing_further_on(text: &[u8], start: usize, line_end: usize) -> Option<(usize, usize)> {
    let mut line = after_line_break(text, line_end);
    while line < text.len() && line - start < LONGEST_VALUE {
        let end = end_of_line(text, line);
        let content = &text[line..end];
        if content.trim_ascii().is_empty() || content.trim_ascii_start().starts_with(b"[") {
            return None;
        }
        if let Some(quote) = closing(content) {
            return Some((line + quote, end));
        }
        line = after_line_break(text, end);
    }
    None
}

/// Where the line ends that `from` stands in: at its LF or CR, or at the end of the text.
#[inline]
pub(super) fn end_of_line(text: &[u8], from: usize) -> usize {
    memchr2(b'\n', b'\r', &text[from..]).map_or(text.len(), |found| from + found)
}

/// The first place behind the line break at `at`.
#[inline]
pub(super) fn after_line_break(text: &[u8], at: usize) -> usize {
    match text[at..] {
        [b'\r', b'\n', ..] => at + 2,
        [_, ..] => at + 1,
        [] => at,
    }
}

/// `true` if an `Event` tag and two lines with other tags begin at `at`: the start of a record, whatever it stands in.
pub(super) fn full_header(text: &[u8], at: usize) -> bool {
    let TagLine::Whole(tag, _) = tag_line(text, at) else {
        return false;
    };
    tag.name == b"Event" && !in_a_tag_line(text, at) && two_tag_lines_follow(text, at)
}

/// Where the next record begins if a tag was torn and a later run wrote on in the same line:
/// `[Opening "Hung[Event "x"]` and two more tag lines.
pub(super) fn header_in_a_torn_tag(
    text: &[u8],
    at: usize,
    tag: &Tag<'_>,
    after: usize,
) -> Option<usize> {
    memchr::memchr(b'[', tag.value)?;
    let inner = at + 1 + memchr::memmem::rfind(&text[at + 1..after], b"[Event \"")?;
    (tag.name != b"Event" && two_tag_lines_follow(text, inner)).then_some(inner)
}

fn two_tag_lines_follow(text: &[u8], at: usize) -> bool {
    let mut line = at;
    (0..2).all(|_| {
        line = after_line_break(text, end_of_line(text, line));
        line += text[line..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        opening(text, line).is_some_and(|(name, _)| name != b"Event")
    })
}

/// `true` if the line in which `at` stands begins with another tag: then this is part of its value.
fn in_a_tag_line(text: &[u8], at: usize) -> bool {
    let line = text[..at]
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(0, |found| found + 1);
    line < at && text[line..at].trim_ascii_start().starts_with(b"[")
}

/// Text as people read it: UTF-8, or Latin-1 where it is none.
#[must_use]
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// A value without the escapes that the PGN standard asks for: `\"` is a quote, `\\` a backslash.
#[must_use]
pub fn unescaped(value: &str) -> Cow<'_, str> {
    if memchr3(b'\\', b'\\', b'\\', value.as_bytes()).is_none() {
        return Cow::Borrowed(value);
    }
    let mut plain = String::with_capacity(value.len());
    let mut rest = value.chars().peekable();
    while let Some(letter) = rest.next() {
        let escaped = (letter == '\\')
            .then(|| rest.next_if(|next| matches!(next, '"' | '\\')))
            .flatten();
        plain.push(escaped.unwrap_or(letter));
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, name: &str, value: &str) {
        let TagLine::Whole(tag, _) = tag_line(line.as_bytes(), 0) else {
            panic!("{line} is no tag");
        };
        assert_eq!(
            (decoded(tag.name), decoded(tag.value)),
            (name.into(), value.into())
        );
    }

    #[test]
    fn values_end_at_the_last_quote_before_a_bracket() {
        case(r#"[White "new"]"#, "White", "new");
        case(r#"[White	"new" ]"#, "White", "new");
        case(r#"[White "Ægir "β" №1"]"#, "White", r#"Ægir "β" №1"#);
        case(
            r#"[White "a [dev] back\slash"]"#,
            "White",
            r"a [dev] back\slash",
        );
        case(r#"[White "ends in \"]"#, "White", r"ends in \");
        case(r#"[Round "1"] ; a "note""#, "Round", "1");
        case("[White \"\"]", "White", "");
        case("[White \"ne\nw\"]\n[Black \"old\"]", "White", "ne\nw");
        case("[White \"a\r\"]\n", "White", "a\r");
    }

    #[test]
    fn what_is_no_tag() {
        for line in [
            "[White]",
            "[%clk 1]",
            "[White new]",
            "[ \"x\"]",
            "[",
            "White \"x\"]",
        ] {
            assert_eq!(tag_line(line.as_bytes(), 0), TagLine::No, "{line}");
        }
    }

    #[test]
    fn a_value_without_an_end_costs_its_line_only() {
        let text = b"[White \"new\n[Black \"old\"]\n";
        assert_eq!(tag_line(text, 0), TagLine::Broken(11));
    }

    #[test]
    fn a_header_is_full_with_three_tag_lines() {
        let header = b"[Event \"x\"]\r\n[Site \"?\"]\r\n\t[Date \"?\"]\r\n";
        assert!(full_header(header, 0));
        assert!(!full_header(b"[Event \"x\"]\n[Site \"?\"]\n\n", 0));
        assert!(!full_header(b"[Event \"not a tag\"]\n100% sure }\n", 0));
        let inner = b"[Event \"[Event \"x\"]\"]\n[Site \"?\"]\n[Date \"?\"]\n";
        assert!(!full_header(inner, 8));
    }

    #[test]
    fn escapes_of_the_standard_are_undone() {
        assert_eq!(unescaped(r#"ne\"w"#), r#"ne"w"#);
        assert_eq!(unescaped(r"a\\b"), r"a\b");
        assert_eq!(unescaped(r"new\dev"), r"new\dev");
        assert_eq!(unescaped("plain"), "plain");
    }

    #[test]
    fn bytes_that_are_no_utf8_are_latin1() {
        assert_eq!(decoded(b"Br\xfcton"), "Brüton");
        assert_eq!(decoded("β".as_bytes()), "β");
    }
}
