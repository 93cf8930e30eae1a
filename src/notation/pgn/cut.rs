//! Where a long text may be cut so that each piece can be read alone.

use std::ops::Range;

use memchr::memmem;

use super::tag::full_header;

const EVENT: &[u8] = b"[Event ";

/// Cuts a text into pieces of about `target` bytes, each beginning at a full header.
///
/// The pieces are the whole text, in order. A piece grows beyond `target` when no header comes.
#[must_use]
pub fn pieces(text: &[u8], target: usize) -> Vec<Range<usize>> {
    let mut cuts = Vec::with_capacity(text.len() / target.max(1) + 1);
    let mut start = 0;
    while start < text.len() {
        let wanted = start.saturating_add(target.max(1));
        let end = next_cut(text, wanted).unwrap_or(text.len());
        cuts.push(start..end);
        start = end;
    }
    cuts
}

/// The first full header at the start of a line, at or behind `from`.
fn next_cut(text: &[u8], from: usize) -> Option<usize> {
    let from = from.min(text.len());
    memmem::find_iter(&text[from..], EVENT)
        .map(|found| from + found)
        .find(|&at| cuts_at(text, at))
}

/// The last full header at the start of a line, behind the first byte: what comes before it can be
/// read, what comes after may still grow. `None` when there is none.
#[must_use]
pub fn last_cut(text: &[u8]) -> Option<usize> {
    memmem::rfind_iter(text, EVENT).find(|&at| cuts_at(text, at))
}

fn cuts_at(text: &[u8], at: usize) -> bool {
    at > 0 && matches!(text[at - 1], b'\n' | b'\r') && full_header(text, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str =
        "[Event \"x\"]\n[Site \"?\"]\n[Date \"?\"]\n\n1. e4 {see\n[Event \"y\"]\nthat} 1-0\n\n";

    #[test]
    fn pieces_are_the_text_and_begin_at_headers() {
        let text = GAME.repeat(5);
        for target in [0, 1, GAME.len(), GAME.len() + 1, 1000] {
            let pieces = pieces(text.as_bytes(), target);
            let joined: String = pieces.iter().map(|piece| &text[piece.clone()]).collect();
            assert_eq!(joined, text);
            for piece in pieces {
                assert!(text[piece].starts_with("[Event \"x\"]\n[Site"));
            }
        }
    }

    #[test]
    fn the_last_cut_leaves_the_last_record() {
        let text = GAME.repeat(3);
        assert_eq!(last_cut(text.as_bytes()), Some(2 * GAME.len()));
        assert_eq!(last_cut(GAME.as_bytes()), None);
        assert_eq!(last_cut(b""), None);
    }
}
