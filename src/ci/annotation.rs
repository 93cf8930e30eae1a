//! Annotations: remarks that a workflow shows beside its jobs.
//!
//! The syntax is that of a workflow command, `::level title=TITLE::MESSAGE`, in which `%`, carriage returns and line
//! feeds are written `%25`, `%0D` and `%0A`, and in a property `:` and `,` as `%3A` and `%2C` too. One that spans
//! several lines therefore stays one.

use std::fmt::Write;

/// How much an annotation matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Worth knowing.
    Notice,
    /// Something may be wrong.
    Warning,
    /// The step failed.
    Error,
}

impl Level {
    const fn word(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The line that makes an annotation, without its line feed.
#[must_use]
pub fn annotation(level: Level, title: &str, message: &str) -> String {
    let mut line = format!("::{} title=", level.word());
    push_escaped(&mut line, title, "%\r\n:,");
    line.push_str("::");
    push_escaped(&mut line, message, "%\r\n");
    line
}

/// Adds the text, with control characters and the given special ones as `%XX`.
fn push_escaped(line: &mut String, text: &str, special: &str) {
    for character in text.chars() {
        if character.is_ascii_control() || special.contains(character) {
            write!(line, "%{:02X}", u32::from(character)).expect("a string takes all text");
        } else {
            line.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_lines_stay_one_annotation() {
        let line = annotation(
            Level::Error,
            "mache: a, b",
            "50 %\n::error::not mine\r\x1b[31m",
        );
        insta::assert_snapshot!(line, @"::error title=mache%3A a%2C b::50 %25%0A::error::not mine%0D%1B[31m");
    }

    #[test]
    fn each_level_has_its_word() {
        insta::assert_snapshot!(annotation(Level::Notice, "x", "y"), @"::notice title=x::y");
        insta::assert_snapshot!(annotation(Level::Warning, "x", "y"), @"::warning title=x::y");
    }
}
