//! UCI options as a workflow's input writes them.

use std::fmt;
use std::str::FromStr;

/// Options one side may be told.
const MOST_OPTIONS: usize = 100;

/// Names and values to tell an engine, no name twice.
///
/// Written `Name=Value`, one a line or with commas between. A value with a comma stands in double quotes, in which
/// `""` is a quote.
///
/// ```
/// use mache::plan::EngineOptions;
///
/// let options: EngineOptions = "Hash=16, Style=\"a, b\"".parse().unwrap();
/// assert_eq!(options.to_string(), "Hash=16\nStyle=\"a, b\"");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineOptions(Vec<(String, String)>);

/// Why a text is no list of options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// Not of the form.
    #[error("`{0}` is no option: write Name=Value, one a line or with commas between")]
    Form(String),
    /// The same option again.
    #[error("the option `{0}` is given twice")]
    Twice(String),
    /// A quote without its partner.
    #[error("the value of the option `{0}` begins with a quote that is not closed at its end")]
    Quote(String),
    /// A character that would end the line it is told in.
    #[error("the option `{0}` holds a control character")]
    Control(String),
    /// More than any engine has.
    #[error("there are {0} options; an engine is told {MOST_OPTIONS} at most")]
    Many(usize),
}

impl EngineOptions {
    /// Name and value of each, in the order given.
    #[must_use]
    pub fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for EngineOptions {
    type Err = OptionsError;

    fn from_str(text: &str) -> Result<Self, OptionsError> {
        let mut options: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            let mut rest = line;
            while let Some((item, after)) = first_item(rest) {
                rest = after;
                if item.trim().is_empty() {
                    continue;
                }
                let (name, value) = option(item.trim())?;
                if options
                    .iter()
                    .any(|(other, _)| other.eq_ignore_ascii_case(&name))
                {
                    return Err(OptionsError::Twice(name));
                }
                options.push((name, value));
            }
        }
        match options.len() {
            0..=MOST_OPTIONS => Ok(Self(options)),
            many => Err(OptionsError::Many(many)),
        }
    }
}

/// What stands before the next comma outside quotes, and what after it; `None` at the end.
fn first_item(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    let (mut in_quotes, mut value_begins) = (false, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' if in_quotes || value_begins => in_quotes = !in_quotes,
            ',' if !in_quotes => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
        // A quote right after a closing one stands for itself, which toggling back says as well.
        value_begins = match character {
            '=' => true,
            '"' => value_begins,
            c if c.is_whitespace() => value_begins,
            _ => in_quotes && value_begins,
        };
    }
    Some((text, ""))
}

fn option(item: &str) -> Result<(String, String), OptionsError> {
    let wrong = || OptionsError::Form(item.escape_debug().to_string());
    let (name, value) = item.split_once('=').ok_or_else(wrong)?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() {
        return Err(wrong());
    }
    if item.contains(char::is_control) {
        return Err(OptionsError::Control(name.escape_debug().to_string()));
    }
    let value = match value.strip_prefix('"') {
        Some(quoted) => unquoted(quoted).ok_or_else(|| OptionsError::Quote(name.to_owned()))?,
        None => value.to_owned(),
    };
    Ok((name.to_owned(), value))
}

/// What stood in quotes, of which the first is gone already.
fn unquoted(text: &str) -> Option<String> {
    let inside = text.strip_suffix('"')?;
    // No control character gets here, so this one stands for nothing else.
    let value = inside.replace("\"\"", "\u{0}");
    (!value.contains('"')).then(|| value.replace('\u{0}', "\""))
}

impl fmt::Display for EngineOptions {
    /// One a line, as it is read again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, value)) in self.0.iter().enumerate() {
            let line = if at == 0 { "" } else { "\n" };
            let plain = !value.contains([',', '"']) && value.trim() == value;
            if plain {
                write!(f, "{line}{name}={value}")?;
            } else {
                write!(f, "{line}{name}=\"{}\"", value.replace('"', "\"\""))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn reads(text: &str, wanted: &[(&str, &str)]) {
        let options: EngineOptions = text.parse().expect("options");
        let read: Vec<(&str, &str)> = options
            .pairs()
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(read, wanted, "{text}");
    }

    #[track_caller]
    fn refused(text: &str) -> String {
        text.parse::<EngineOptions>()
            .expect_err("refused")
            .to_string()
    }

    #[test]
    fn lines_and_commas_part_options() {
        reads("", &[]);
        reads(" \n , \n", &[]);
        reads(
            "Hash=16,Move Overhead = 10\nStyle=bold=er",
            &[
                ("Hash", "16"),
                ("Move Overhead", "10"),
                ("Style", "bold=er"),
            ],
        );
        reads("Book=", &[("Book", "")]);
        reads(
            "Net=\"a, b.nnue\", Say = \"a \"\"b\"\", c\",Hash=1",
            &[("Net", "a, b.nnue"), ("Say", "a \"b\", c"), ("Hash", "1")],
        );
    }

    #[test]
    fn what_is_no_option_is_refused() {
        insta::assert_snapshot!(refused("Hash"), @"`Hash` is no option: write Name=Value, one a line or with commas between");
        insta::assert_snapshot!(refused("=5"), @"`=5` is no option: write Name=Value, one a line or with commas between");
        insta::assert_snapshot!(refused("Hash=1\nhash=2"), @"the option `hash` is given twice");
        insta::assert_snapshot!(refused("Net=\"a, b"), @"the value of the option `Net` begins with a quote that is not closed at its end");
        insta::assert_snapshot!(refused("Net=\"a\" b"), @"the value of the option `Net` begins with a quote that is not closed at its end");
        insta::assert_snapshot!(refused("Net=\u{1b}[31m"), @"the option `Net` holds a control character");
        let many: Vec<String> = (0..101).map(|at| format!("o{at}=1")).collect();
        insta::assert_snapshot!(refused(&many.join(",")), @"there are 101 options; an engine is told 100 at most");
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read(options in prop::collection::btree_map("[a-z]([a-z ]{0,6}[a-z])?", "[ -~]{0,12}", 0..6)) {
            let options = EngineOptions(options.into_iter().collect());
            prop_assert_eq!(options.to_string().parse::<EngineOptions>(), Ok(options));
        }

        #[test]
        fn no_text_makes_it_stumble(text in ".{0,60}") {
            let _ = text.parse::<EngineOptions>();
        }
    }
}
