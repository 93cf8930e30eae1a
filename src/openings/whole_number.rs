//! Whole numbers of any size, as a person writes them on a command line.

use std::fmt;
use std::str::FromStr;

/// A whole number of any size: a count, an index or a seed before its range is checked.
///
/// Reading takes surrounding blanks, one sign, leading zeros (always decimal) and single underscores
/// between digits: `08`, `+8`, ` 34_700 `. Hexadecimal, fractions and exponents are refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WholeNumber {
    negative: bool,
    /// Decimal digits without leading zeros; nought is the single digit `0` and never negative.
    digits: String,
}

/// A text that is not a whole number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a whole number: '{0}'")]
pub struct NotWhole(pub String);

impl WholeNumber {
    /// Whether it is below nought.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether it is nought.
    #[must_use]
    pub fn is_nought(&self) -> bool {
        self.digits == "0"
    }

    /// The same number, unless it is negative or above `u128::MAX`.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        if self.negative {
            return None;
        }
        self.digits.parse().ok()
    }

    /// Its absolute value modulo `divisor`; `None` when the divisor is nought or above a tenth of `u128::MAX`.
    #[must_use]
    pub fn modulo(&self, divisor: u128) -> Option<u128> {
        if divisor == 0 || divisor > u128::MAX / 10 {
            return None;
        }
        let digits = self.digits.bytes().map(|digit| u128::from(digit - b'0'));
        // The rest is below the divisor, so ten times it and a digit still fit.
        Some(digits.fold(0, |rest, digit| (rest * 10 + digit) % divisor))
    }
}

impl FromStr for WholeNumber {
    type Err = NotWhole;

    fn from_str(text: &str) -> Result<Self, NotWhole> {
        let refuse = || NotWhole(text.to_owned());
        let trimmed = text.trim();
        let unsigned = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
        let groups = || unsigned.split('_');
        if groups().any(|group| group.is_empty() || !group.bytes().all(|b| b.is_ascii_digit())) {
            return Err(refuse());
        }
        let all: String = groups().collect();
        let significant = all.trim_start_matches('0');
        let digits = if significant.is_empty() {
            "0"
        } else {
            significant
        };
        Ok(Self {
            negative: trimmed.starts_with('-') && digits != "0",
            digits: digits.to_owned(),
        })
    }
}

impl fmt::Display for WholeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{}", self.digits)
    }
}

impl From<u128> for WholeNumber {
    fn from(value: u128) -> Self {
        Self {
            negative: false,
            digits: value.to_string(),
        }
    }
}

impl From<u64> for WholeNumber {
    fn from(value: u64) -> Self {
        Self::from(u128::from(value))
    }
}

impl From<usize> for WholeNumber {
    fn from(value: usize) -> Self {
        Self::from(value as u128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn reads(text: &str, wanted: &str) {
        assert_eq!(text.parse::<WholeNumber>().unwrap().to_string(), wanted);
    }

    #[test]
    fn forms_a_person_writes() {
        reads("08", "8");
        reads("+8", "8");
        reads(" 34_700 ", "34700");
        reads("-0", "0");
        reads("000", "0");
        reads("-1", "-1");
        reads(
            "1000000000000000000000000000000",
            "1000000000000000000000000000000",
        );
    }

    #[test]
    fn forms_that_are_refused() {
        for text in [
            "", " ", "seven", "0x7", "2.0", "1e3", "1__0", "_1", "1_", "+-1", "- 1", "+",
        ] {
            assert!(text.parse::<WholeNumber>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_seed_beyond_every_machine_word() {
        let seed: WholeNumber = format!("1{}", "0".repeat(60)).parse().unwrap();
        assert_eq!(seed.to_u128(), None);
        // 10^60 mod 7 = 3^60 mod 7 = (3^6)^10 mod 7 = 1
        assert_eq!(seed.modulo(7), Some(1));
        assert_eq!(seed.modulo(0), None);
        assert_eq!(seed.modulo(u128::MAX), None);
    }

    proptest! {
        #[test]
        fn printing_and_reading_agree(value: u128, divisor in 1..u128::MAX / 10) {
            let number = WholeNumber::from(value);
            prop_assert_eq!(number.to_string().parse::<WholeNumber>().unwrap(), number.clone());
            prop_assert_eq!(number.to_u128(), Some(value));
            prop_assert_eq!(number.modulo(divisor), Some(value % divisor));
        }
    }
}
