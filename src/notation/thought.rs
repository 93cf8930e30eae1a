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
        let Some((blank, spent, mut at)) = usual_start(comment) else {
            let spent = spent(comment);
            return Fields::default().read_on(comment, 0).thought(spent);
        };
        let mut fields = Fields::default();
        while fields.nodes.is_none() || fields.left.is_none() {
            match comment[at..] {
                [b',', b' ', b'n', b'=', ref rest @ ..] if fields.nodes.is_none() => {
                    let (nodes, digits) = whole(rest);
                    fields.nodes = (digits > 0).then_some(nodes);
                    at += 4 + digits;
                }
                [b',', b' ', b't', b'l', b'=', ref rest @ ..]
                    if let (None, Some((left, length))) = (fields.left, clock(rest)) =>
                {
                    fields.left = Some(left);
                    at += 5 + length;
                }
                [] => break,
                _ => {
                    fields = fields.read_on(comment, at.max(blank));
                    break;
                }
            }
        }
        fields.thought(Some(spent))
    }
}

/// What the fields of a comment say.
#[derive(Clone, Copy, Default)]
struct Fields {
    nodes: Option<u64>,
    /// `Some(None)` for a clock below nought.
    left: Option<Option<u64>>,
}

impl Fields {
    /// Looks for the fields that are still missing, wherever they stand behind `from`.
    fn read_on(mut self, comment: &[u8], from: usize) -> Self {
        let equals = comment.iter().enumerate().skip(from);
        for (at, _) in equals.filter(|(_, byte)| **byte == b'=') {
            match comment[..at] {
                [.., b't', b'l'] if self.left.is_none() => {
                    self.left = clock(&comment[at + 1..]).map(|(left, _)| left);
                }
                [ref before @ .., b'n'] if self.nodes.is_none() && !ends_in_a_word(before) => {
                    let (nodes, digits) = whole(&comment[at + 1..]);
                    self.nodes = (digits > 0).then_some(nodes);
                }
                _ => {}
            }
        }
        self
    }

    fn thought(self, spent: Option<u64>) -> Option<Thought> {
        Some(Thought {
            nodes: self.nodes?,
            spent,
            left: self.left.flatten(),
        })
    }
}

/// The start that match runners write, `score/depth seconds s`: where its blank stands, the nanoseconds, and
/// where what follows begins. `None` where it looks otherwise; the slow way then finds what there is.
#[inline]
fn usual_start(comment: &[u8]) -> Option<(usize, u64, usize)> {
    let first: &[u8; 16] = comment.first_chunk()?;
    let (low, high) = first.split_at(8);
    let word = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("eight of sixteen bytes"));
    let blank = match blank_in(word(low)) {
        8 => 8 + blank_in(word(high)),
        blank => blank,
    };
    if blank == 0 || first.get(blank) != Some(&b' ') || first[..blank].contains(&b'=') {
        return None;
    }
    let (spent, length) = seconds(&comment[blank + 1..])?;
    Some((blank, spent, blank + 1 + length))
}

/// Which of eight bytes is the first blank or control character; 8 when none is.
#[inline]
const fn blank_in(bytes: u64) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let below = bytes.wrapping_sub(ONES * 0x21) & !bytes & (ONES * 0x80);
    (below.trailing_zeros() / 8) as usize
}

/// `true` if the text's last byte is part of a word, so that what follows is no new one.
fn ends_in_a_word(text: &[u8]) -> bool {
    text.last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii())
}

/// The number that a text begins with, and how many digits it has.
#[inline]
fn whole(text: &[u8]) -> (u64, usize) {
    let mut value = 0_u64;
    let mut digits = 0;
    while let Some(&digit @ b'0'..=b'9') = text.get(digits) {
        let digit = u64::from(digit - b'0');
        value = if digits < 19 {
            value * 10 + digit
        } else {
            value.saturating_mul(10).saturating_add(digit)
        };
        digits += 1;
    }
    (value, digits)
}

/// A clock's rest, `None` below nought, and its length.
#[inline]
fn clock(text: &[u8]) -> Option<(Option<u64>, usize)> {
    match text {
        [b'-', rest @ ..] => seconds(rest).map(|(_, length)| (None, length + 1)),
        _ => seconds(text).map(|(left, length)| (Some(left), length)),
    }
}

/// The time behind the first word.
fn spent(comment: &[u8]) -> Option<u64> {
    let word = comment.iter().position(u8::is_ascii_whitespace)?;
    match comment[word..] {
        _ if word == 0 => None,
        [b'\r', b'\n', ref rest @ ..] | [_, ref rest @ ..] => seconds(rest).map(|(spent, _)| spent),
        [] => None,
    }
}

/// A decimal number and an `s`, in nanoseconds (further decimals are cut off), and their length.
#[inline]
fn seconds(text: &[u8]) -> Option<(u64, usize)> {
    let (value, mut at) = whole(text);
    let mut digits = at;
    let mut unit = 1_000_000_000;
    let mut nanos = value.saturating_mul(unit);
    if text.get(at) == Some(&b'.') {
        at += 1;
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            unit /= 10;
            nanos = nanos.saturating_add(u64::from(digit - b'0') * unit);
            at += 1;
            digits += 1;
        }
    }
    (digits > 0 && text.get(at) == Some(&b's')).then_some((nanos, at + 1))
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

    #[test]
    fn a_second_without_decimals_is_read_alike_both_ways() {
        let comment = b"-0.00/0 0.s, tl=0.0 n=0";
        let slow = Fields::default()
            .read_on(comment, 0)
            .thought(spent(comment));
        assert_eq!(Thought::read(comment), slow);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(comment in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = Thought::read(&comment);
        }

        #[test]
        fn the_usual_and_the_slow_way_agree(
            comment in "([+-][0-9]{1,2}\\.[0-9]{2}/[0-9]{1,2}|x|n=1)[ \n]([0-9]{1,2}\\.[0-9]{0,3}s?)?((, |,| )(n=[0-9]{0,3}|tl=-?[0-9]\\.[0-9]s?|sd=3|x)){0,5}"
        ) {
            let comment = comment.as_bytes();
            let slow = Fields::default().read_on(comment, 0).thought(spent(comment));
            prop_assert_eq!(Thought::read(comment), slow);
        }
    }
}
