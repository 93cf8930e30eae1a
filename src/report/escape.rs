//! Words written by strangers (names, paths, endings), made harmless for the place they go to.
//!
//! Names come from PGN tags. In a log they must not move the cursor, forge a line or give a workflow command;
//! in Markdown they must not break a table, call people (`@name`), or bring HTML, links and images.

use std::borrow::Cow;
use std::fmt::Write;

/// One line for a log or a terminal: control, direction and line-breaking characters as `\n`, `\x1b`, `\u{202e}`,
/// and whatever a workflow's log would take for a command disarmed by a backslash.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) && !is_command(text) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        push_visible(&mut line, character);
    }
    Cow::Owned(disarmed(&line))
}

/// A block of lines in which only line feeds break lines; each line is made harmless as by [`one_line`].
#[must_use]
pub fn lines(text: &str) -> String {
    text.split('\n')
        .map(one_line)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A name in running Markdown text: as it stands when plain, otherwise as a code span.
#[must_use]
pub fn inline(name: &str) -> Cow<'_, str> {
    if is_plain(name) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(code_span(&visible(name)))
}

/// A name in a cell of a Markdown table: as [`inline`], with bars escaped too.
#[must_use]
pub fn cell(name: &str) -> Cow<'_, str> {
    if is_plain(name) {
        return Cow::Borrowed(name);
    }
    // Backslashes were doubled, so the one that escapes a bar is never itself escaped.
    Cow::Owned(code_span(&visible(name).replace('|', "\\|")))
}

/// A fenced code block whose fence is longer than any run of backticks inside. The text ends in a line feed.
#[must_use]
pub fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
    format!("{fence}\n{text}{fence}\n")
}

/// Letters, digits and marks between them that neither Markdown nor a log gives a meaning.
fn is_plain(name: &str) -> bool {
    name.chars()
        .all(|c| c.is_alphanumeric() || " .-+_',()=".contains(c))
        && begins_and_ends(name, |c| c.is_alphanumeric() || "()".contains(c))
        && (!name.contains('_')
            || name
                .split('_')
                .all(|part| begins_and_ends(part, char::is_alphanumeric)))
        && !name.contains("  ")
        && !name.to_ascii_lowercase().contains("www.")
}

/// Whether the first and the last character are as wanted; false for no text.
fn begins_and_ends(text: &str, wanted: impl Fn(char) -> bool) -> bool {
    text.chars().next().is_some_and(&wanted) && text.chars().next_back().is_some_and(&wanted)
}

/// The name with backslashes doubled and everything invisible spelled out, so that no two names look alike.
fn visible(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 8);
    for character in name.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            other => push_visible(&mut text, other),
        }
    }
    disarmed(&text)
}

fn code_span(text: &str) -> String {
    let fence = "`".repeat(longest_run(text, '`') + 1);
    // A space on both sides is dropped again when the span is read; without it a backtick would join the fence,
    // and an empty name would be no span at all.
    let edge = |c: Option<char>| c.is_none_or(|c| c == '`' || c == ' ');
    let pad = if edge(text.chars().next()) || edge(text.chars().next_back()) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn longest_run(text: &str, wanted: char) -> usize {
    text.split(|c| c != wanted).map(str::len).max().unwrap_or(0)
}

fn push_visible(text: &mut String, character: char) {
    match character {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        c if c.is_ascii_control() => {
            write!(text, "\\x{:02x}", u32::from(c)).expect("a string takes all text")
        }
        c if is_hidden(c) => {
            write!(text, "\\u{{{:x}}}", u32::from(c)).expect("a string takes all text")
        }
        c => text.push(c),
    }
}

/// Control characters, line and paragraph separators, zero-width and text-direction marks.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Workflow logs act on a line that begins with `::` and on `##[` anywhere.
fn is_command(text: &str) -> bool {
    text.trim_start().starts_with("::") || text.contains("##[")
}

fn disarmed(line: &str) -> String {
    let line = line.replace("##[", "#\\#[");
    let body = line.trim_start();
    if body.starts_with("::") {
        let blanks = &line[..line.len() - body.len()];
        return format!("{blanks}\\{body}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_names_stay_as_they_are() {
        for name in [
            "new",
            "ce8b662",
            "Stockfish 17.1",
            "strength-7-1-shard-0",
            "Brétön",
            "my_engine",
            "a (dev)",
            "10+0.1",
        ] {
            assert_eq!(inline(name), name);
            assert_eq!(cell(name), name);
        }
    }

    #[test]
    fn names_with_a_meaning_in_markdown_become_code() {
        let cases = [
            ("new|x]y", r"`new\|x]y`"),
            (r"a\|b", r"`a\\\|b`"),
            ("@everyone", "`@everyone`"),
            ("<img src=x>", "`<img src=x>`"),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("", "`  `"),
            ("_x_", "`_x_`"),
            ("a__b", "`a__b`"),
            ("*x*", "`*x*`"),
            ("www.example.org", "`www.example.org`"),
            ("#12", "`#12`"),
            ("a\nb\u{1b}[31m\u{202e}", r"`a\nb\x1b[31m\u{202e}`"),
            ("::error::x", r"`\::error::x`"),
            ("##[error]x", r"`#\#[error]x`"),
        ];
        for (name, text) in cases {
            assert_eq!(cell(name), text);
        }
        assert_eq!(inline("new|x"), "`new|x`");
    }

    #[test]
    fn a_line_of_a_log_neither_moves_nor_commands() {
        assert_eq!(one_line("plain: 1 (a|b 2)"), "plain: 1 (a|b 2)");
        assert_eq!(
            one_line("a\r\n::error::b\u{1b}[2J\0"),
            r"a\r\n::error::b\x1b[2J\x00"
        );
        assert_eq!(one_line("  ::error::b"), r"  \::error::b");
        assert_eq!(one_line(r"C:\games\new.pgn"), r"C:\games\new.pgn");
        assert_eq!(
            lines("games: 1\n::stop::1: 1\n"),
            "games: 1\n\\::stop::1: 1\n"
        );
    }

    #[test]
    fn a_fence_outlasts_the_backticks_inside() {
        assert_eq!(fenced("normal: 1\n"), "```\nnormal: 1\n```\n");
        assert_eq!(fenced("````: 1\n"), "`````\n````: 1\n`````\n");
    }

    proptest! {
        #[test]
        fn nothing_leaves_its_cell_or_line(name in r"[ -~\n\r\x1b|`@<\\:#\[é]{0,12}") {
            let text = cell(&name);
            prop_assert!(!text.chars().any(is_hidden));
            prop_assert!(!text.contains("##["));
            let mut escaped = false;
            for character in text.chars() {
                prop_assert!(character != '|' || escaped, "a bare bar in {}", text);
                escaped = character == '\\' && !escaped;
            }
            let line = one_line(&name);
            let harmless = !line.chars().any(is_hidden) && !is_command(&line);
            prop_assert!(harmless, "{line:?}");
        }
    }
}
