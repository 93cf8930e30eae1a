//! Numbers as a person writes them on the command line.

use std::fmt;

/// A text that is not a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotANumber;

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a number; write it as 5, -0.5 or 1e3")
    }
}

impl std::error::Error for NotANumber {}

/// A number with blanks around it and single underscores between digits: ` 1_000.5 `. `nan` and `inf` are
/// read too, for the range check behind to name.
pub(super) fn real(text: &str) -> Result<f64, NotANumber> {
    let trimmed = text.trim();
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = trimmed.as_bytes();
    let misplaced = |(place, _): (usize, &str)| {
        !(place > 0 && digit(bytes.get(place - 1)) && digit(bytes.get(place + 1)))
    };
    if trimmed.match_indices('_').any(misplaced) {
        return Err(NotANumber);
    }
    trimmed.replace('_', "").parse().map_err(|_| NotANumber)
}

/// Whether a word that begins with a hyphen is a negative number without a leading digit: `-.5`.
pub(super) fn is_bare_fraction(word: &str) -> bool {
    let digits = word.strip_prefix("-.").unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_are_numbers() {
        let cases = [
            ("5", 5.0),
            (" -0.5 ", -0.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("1e3", 1000.0),
            ("1_0", 10.0),
            ("1_0.2_5e1_0", 10.25e10),
            ("+inf", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
        ];
        for (text, value) in cases {
            assert_eq!(real(text), Ok(value), "{text}");
        }
        assert!(real("NaN").is_ok_and(f64::is_nan));
    }

    #[test]
    fn forms_that_are_not() {
        for text in [
            "", " ", "five", "1_", "_1", "1__0", "1_.5", "0x7", "1 0", "e5", ".", "--1",
        ] {
            assert_eq!(real(text), Err(NotANumber), "{text}");
        }
    }

    #[test]
    fn fractions_without_a_leading_digit() {
        assert!(is_bare_fraction("-.5"));
        for word in ["-0.5", "-.", "-.5e1", ".5", "-5", "--.5"] {
            assert!(!is_bare_fraction(word), "{word}");
        }
    }
}
