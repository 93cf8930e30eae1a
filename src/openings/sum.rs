//! SHA-256 sums, by which a file is known to be the one that was recorded.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// A SHA-256 sum, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sha256Sum([u8; 32]);

/// A text that is no SHA-256 sum.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not the 64 hexadecimal digits of a SHA-256 sum", .0.escape_debug())]
pub struct NoSum(String);

impl Sha256Sum {
    /// The sum of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The sum of everything a reader gives.
    ///
    /// # Errors
    /// When it cannot be read to its end.
    pub fn of_reader(mut reader: impl Read) -> io::Result<Self> {
        let mut sum = RunningSum::default();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(sum.finish()),
                read => sum.add(&buffer[..read]),
            }
        }
    }
}

impl fmt::Display for Sha256Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Sha256Sum {
    type Err = NoSum;

    fn from_str(text: &str) -> Result<Self, NoSum> {
        let wrong = || NoSum(text.chars().take(80).collect());
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(wrong());
        }
        let mut sum = [0; 32];
        for (byte, pair) in sum.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |at: usize| char::from(pair[at]).to_digit(16);
            let (high, low) = digit(0).zip(digit(1)).ok_or_else(wrong)?;
            *byte = u8::try_from(16 * high + low).expect("two digits make a byte");
        }
        Ok(Self(sum))
    }
}

/// A sum in the making.
#[derive(Clone, Debug, Default)]
pub struct RunningSum(Sha256);

impl RunningSum {
    /// Adds the bytes that come next.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The sum of all bytes added.
    #[must_use]
    pub fn finish(self) -> Sha256Sum {
        Sha256Sum(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // FIPS 180-4, the example of one block.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_standards_example() {
        assert_eq!(Sha256Sum::of(b"abc").to_string(), ABC);
        assert_eq!(
            Sha256Sum::of_reader(&b"abc"[..]).unwrap(),
            Sha256Sum::of(b"abc")
        );
        let mut sum = RunningSum::default();
        sum.add(b"a");
        sum.add(b"bc");
        assert_eq!(sum.finish(), Sha256Sum::of(b"abc"));
    }

    #[test]
    fn a_sum_reads_back_in_either_case() {
        assert_eq!(ABC.parse(), Ok(Sha256Sum::of(b"abc")));
        assert_eq!(ABC.to_uppercase().parse(), Ok(Sha256Sum::of(b"abc")));
    }

    #[test]
    fn other_texts_are_no_sums() {
        for text in [
            "",
            "ba78",
            &ABC[1..],
            &format!("{ABC}0"),
            &ABC.replace('b', "g"),
            &"é".repeat(32),
        ] {
            assert!(text.parse::<Sha256Sum>().is_err(), "{text}");
        }
        let error = "a\nb".parse::<Sha256Sum>().unwrap_err();
        assert_eq!(
            error.to_string(),
            r"`a\nb` is not the 64 hexadecimal digits of a SHA-256 sum"
        );
    }
}
