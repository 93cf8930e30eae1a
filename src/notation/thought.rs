//! What a comment says of the search behind a move, read leniently and fast.

/// Nodes, time and clock of one move, as far as its comment tells.
///
/// Only a comment with a node count (`n=` at the start of a word) is a thought: book moves are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// Nodes searched.
    pub nodes: u64,
    /// Time charged, in nanoseconds: a number with an `s` right behind the first word and one blank or line break.
    pub spent: Option<u64>,
    /// Time left on the clock, in nanoseconds: the first `tl=`; `None` where it is negative.
    pub left: Option<u64>,
}

impl Thought {
    /// Reads a comment without its braces.
    ///
    /// ```
    /// use mache::notation::Thought;
    ///
    /// let thought = Thought::read(b"+0.25/10 0.105s, tl=9.9s, n=12345").unwrap();
    /// assert_eq!((thought.nodes, thought.left), (12_345, Some(9_900_000_000)));
    /// assert_eq!(Thought::read(b"book"), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn read(comment: &[u8]) -> Option<Self> {
        let mut nodes = None;
        let mut left = None;
        for (at, _) in comment
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'=')
        {
            match comment[..at] {
                [.., b't', b'l'] if left.is_none() => left = clock(&comment[at + 1..]),
                [ref before @ .., b'n'] if nodes.is_none() && !ends_in_a_word(before) => {
                    nodes = whole(&comment[at + 1..]);
                }
                _ => {}
            }
            if nodes.is_some() && left.is_some() {
                break;
            }
        }
        Some(Self {
            nodes: nodes?,
            spent: spent(comment),
            left: left.flatten(),
        })
    }
}

/// `true` if the text's last byte is part of a word, so that what follows is no new one.
fn ends_in_a_word(text: &[u8]) -> bool {
    text.last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii())
}

fn whole(text: &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    let mut digits = 0;
    for digit in text.iter().take_while(|byte| byte.is_ascii_digit()) {
        value = value
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'));
        digits += 1;
    }
    (digits > 0).then_some(value)
}

/// A clock's rest: `None` if this is none, `Some(None)` if it is negative.
fn clock(text: &[u8]) -> Option<Option<u64>> {
    match text {
        [b'-', rest @ ..] => seconds(rest).map(|_| None),
        _ => seconds(text).map(Some),
    }
}

/// The time behind the first word.
fn spent(comment: &[u8]) -> Option<u64> {
    let word = comment.iter().position(u8::is_ascii_whitespace)?;
    match comment[word..] {
        _ if word == 0 => None,
        [b'\r', b'\n', ref rest @ ..] | [_, ref rest @ ..] => seconds(rest),
        [] => None,
    }
}

/// A decimal number and an `s`, in nanoseconds; further decimals are cut off.
#[inline]
fn seconds(text: &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    let mut at = 0;
    while let Some(digit @ b'0'..=b'9') = text.get(at) {
        value = value
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'));
        at += 1;
    }
    let mut digits = at;
    let mut unit = 1_000_000_000;
    value = value.saturating_mul(unit);
    if text.get(at) == Some(&b'.') {
        at += 1;
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            unit /= 10;
            value = value.saturating_add(u64::from(digit - b'0') * unit);
            at += 1;
            digits += 1;
        }
    }
    (digits > 0 && text.get(at) == Some(&b's')).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn case(comment: &str, thought: Option<(u64, Option<f64>, Option<f64>)>) {
        let read = Thought::read(comment.as_bytes()).map(|thought| {
            let seconds = |nanos: u64| nanos as f64 / 1e9;
            (
                thought.nodes,
                thought.spent.map(seconds),
                thought.left.map(seconds),
            )
        });
        assert_eq!(read, thought, "{comment}");
    }

    #[test]
    fn known_comments() {
        case(
            "+0.20/8 0.100s, tl=9.900s, n=1000",
            Some((1000, Some(0.1), Some(9.9))),
        );
        case("book", None);
        case("+0.2/8 0.100s, tl=9.9s", None);
        case("+0.2/8 0.100s, n=", None);
        case("/0 1.5s, n=0", Some((0, Some(1.5), None)));
        case(
            "+0.2/8 0.100s, tl=-0.050s, n=10",
            Some((10, Some(0.1), None)),
        );
        case(
            "+0.2/8 0.100s, sn=5, n=10, n=99",
            Some((10, Some(0.1), None)),
        );
        case("x n=7 0.1s tl=3s tl=1s", Some((7, None, Some(3.0))));
        case(" +0.2/8 0.100s, n=10", Some((10, None, None)));
        case("-0.2/8  0.100s, n=20", Some((20, None, None)));
        case(
            "+0.2/8\n0.2s, n=200, White\nmates",
            Some((200, Some(0.2), None)),
        );
        case("+0.2/8\r\n0.2s, n=200", Some((200, Some(0.2), None)));
        case("n=18446744073709551616", Some((u64::MAX, None, None)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(comment in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = Thought::read(&comment);
        }
    }
}
