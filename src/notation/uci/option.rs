//! `option` lines: what an engine can be told, and whether a value suits it.

use std::fmt;

/// An option an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name, with single blanks, in the engine's spelling.
    pub name: String,
    /// What it takes.
    pub kind: OptionKind,
}

/// What an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// What holds when nothing is sent.
        default: Option<bool>,
    },
    /// A whole number.
    Spin {
        /// What holds when nothing is sent.
        default: Option<i64>,
        /// The least allowed; without it, any.
        min: Option<i64>,
        /// The most allowed; without it, any.
        max: Option<i64>,
    },
    /// One of several words.
    Combo {
        /// What holds when nothing is sent.
        default: Option<String>,
        /// What is allowed.
        vars: Vec<String>,
    },
    /// Nothing: it is pressed.
    Button,
    /// Any text.
    String {
        /// What holds when nothing is sent; `<empty>` is an empty text.
        default: Option<String>,
    },
}

/// Why a value does not suit an option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option `{name}` cannot be `{value}`: it takes {takes}")]
pub struct WrongValue {
    name: String,
    value: String,
    takes: String,
}

impl OptionLine {
    /// Reads `option name Hash type spin default 16 min 1 max 1024`; `None` for anything else.
    ///
    /// ```
    /// use mache::notation::uci::OptionLine;
    ///
    /// let hash = OptionLine::parse("option name Hash type spin default 16 min 1 max 1024").unwrap();
    /// assert!(hash.accepts("64").is_ok());
    /// assert!(hash.accepts("0").is_err());
    /// ```
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let rest = words.strip_prefix(&["option", "name"])?;
        let split = rest.iter().position(|&word| word == "type")?;
        let (name, kind) = rest.split_at(split);
        let name = name.join(" ");
        let kind = OptionKind::read(kind.get(1)?, &Fields::cut(kind.get(2..)?))?;
        (!name.is_empty()).then_some(Self { name, kind })
    }

    /// Whether the option can take the value.
    ///
    /// # Errors
    /// When it is out of range or of the wrong kind; the message says what the option takes.
    pub fn accepts(&self, value: &str) -> Result<(), WrongValue> {
        if !value.contains(char::is_control) && self.kind.accepts(value) {
            return Ok(());
        }
        Err(WrongValue {
            name: self.name.clone(),
            value: value.escape_debug().to_string(),
            takes: self.kind.to_string(),
        })
    }
}

impl OptionKind {
    fn read(kind: &str, fields: &Fields) -> Option<Self> {
        let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
        Some(match kind {
            "check" => Self::Check {
                default: fields.default.as_ref().and_then(|text| text.parse().ok()),
            },
            "spin" => Self::Spin {
                default: number(&fields.default),
                min: number(&fields.min),
                max: number(&fields.max),
            },
            "combo" => Self::Combo {
                default: fields.default.clone(),
                vars: fields.vars.clone(),
            },
            "button" => Self::Button,
            "string" => Self::String {
                default: fields.default.clone(),
            },
            _ => return None,
        })
    }

    fn accepts(&self, value: &str) -> bool {
        match self {
            Self::Check { .. } => matches!(value, "true" | "false"),
            Self::Spin { min, max, .. } => value.parse::<i64>().is_ok_and(|value| {
                min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max)
            }),
            Self::Combo { vars, .. } => vars.iter().any(|var| var.eq_ignore_ascii_case(value)),
            Self::Button => matches!(value, "true" | "false" | ""),
            Self::String { .. } => true,
        }
    }
}

/// Says what a value may be: `a whole number from 1 to 1024`.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { .. } => f.write_str("true or false"),
            Self::Spin { min, max, .. } => {
                f.write_str("a whole number")?;
                min.map_or(Ok(()), |min| write!(f, " from {min}"))?;
                max.map_or(Ok(()), |max| write!(f, " to {max}"))
            }
            Self::Combo { vars, .. } => write!(f, "one of {}", vars.join(", ")),
            Self::Button => f.write_str("true, to be pressed"),
            Self::String { .. } => f.write_str("a text of one line"),
        }
    }
}

/// What follows the type, by keyword. Values may hold blanks.
#[derive(Default)]
struct Fields {
    default: Option<String>,
    min: Option<String>,
    max: Option<String>,
    vars: Vec<String>,
}

impl Fields {
    fn cut(words: &[&str]) -> Self {
        let mut fields = Self::default();
        let mut rest = words;
        while let Some((keyword, tail)) = rest.split_first() {
            let end = tail.iter().position(|word| is_keyword(word));
            let (value, next) = tail.split_at(end.unwrap_or(tail.len()));
            fields.put(keyword, value.join(" "));
            rest = next;
        }
        fields
    }

    fn put(&mut self, keyword: &str, value: String) {
        match keyword {
            "default" => self.default = Some(value),
            "min" => self.min = Some(value),
            "max" => self.max = Some(value),
            "var" => self.vars.push(value),
            _ => {}
        }
    }
}

fn is_keyword(word: &str) -> bool {
    matches!(word, "default" | "min" | "max" | "var")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn kind(line: &str, name: &str, kind: OptionKind) {
        let name = name.to_owned();
        assert_eq!(OptionLine::parse(line), Some(OptionLine { name, kind }));
    }

    #[test]
    fn every_type_is_read() {
        kind(
            "option name UCI_Chess960 type check default false",
            "UCI_Chess960",
            OptionKind::Check {
                default: Some(false),
            },
        );
        kind(
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "Move Overhead",
            OptionKind::Spin {
                default: Some(10),
                min: Some(0),
                max: Some(5000),
            },
        );
        kind(
            "option name Style type combo default Very Solid var Very Solid var Risky",
            "Style",
            OptionKind::Combo {
                default: Some("Very Solid".into()),
                vars: vec!["Very Solid".into(), "Risky".into()],
            },
        );
        kind(
            "option name Clear Hash type button",
            "Clear Hash",
            OptionKind::Button,
        );
        kind(
            "option name Debug Log File type string default",
            "Debug Log File",
            OptionKind::String {
                default: Some(String::new()),
            },
        );
    }

    #[test]
    fn what_is_no_option() {
        for line in [
            "",
            "option",
            "option name",
            "option name X",
            "option name X type",
            "option name X type odd",
            "option name type spin",
            "id name X",
        ] {
            assert_eq!(OptionLine::parse(line), None, "{line}");
        }
    }

    #[track_caller]
    fn refusal(line: &str, value: &str) -> String {
        OptionLine::parse(line)
            .unwrap()
            .accepts(value)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn refusals_say_what_is_taken() {
        let hash = "option name Hash type spin default 16 min 1 max 1024";
        insta::assert_snapshot!(refusal(hash, "0"), @"option `Hash` cannot be `0`: it takes a whole number from 1 to 1024");
        insta::assert_snapshot!(refusal(hash, "big"), @"option `Hash` cannot be `big`: it takes a whole number from 1 to 1024");
        insta::assert_snapshot!(refusal("option name Ponder type check", "yes"), @"option `Ponder` cannot be `yes`: it takes true or false");
        insta::assert_snapshot!(refusal("option name Style type combo var A B var C", "D"), @"option `Style` cannot be `D`: it takes one of A B, C");
        insta::assert_snapshot!(refusal("option name File type string", "a\nquit"), @r"option `File` cannot be `a\nquit`: it takes a text of one line");
        insta::assert_snapshot!(refusal("option name Clear type button", "1"), @"option `Clear` cannot be `1`: it takes true, to be pressed");
    }

    #[test]
    fn good_values_pass() {
        let hash =
            OptionLine::parse("option name Hash type spin default 16 min 1 max 1024").unwrap();
        assert!(hash.accepts("1024").is_ok());
        let style = OptionLine::parse("option name Style type combo var A B var C").unwrap();
        assert!(style.accepts("a b").is_ok());
    }

    proptest! {
        #[test]
        fn no_line_panics(tail in "[a-z0-9 ]*") {
            _ = OptionLine::parse(&format!("option name {tail}"));
            _ = OptionLine::parse(&format!("option name x type {tail}"));
        }
    }
}
