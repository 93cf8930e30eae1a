//! The name of a commit.

use std::fmt;
use std::str::FromStr;

/// A commit by its whole hash: 40 or 64 hexadecimal digits in small letters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommitId(String);

/// A text that is no whole hash of a commit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no commit: a commit is named by the 40 hexadecimal digits of its hash")]
pub struct NoCommit(String);

impl CommitId {
    /// All digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first eight digits, for a reader.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..8]
    }
}

impl FromStr for CommitId {
    type Err = NoCommit;

    fn from_str(text: &str) -> Result<Self, NoCommit> {
        let whole =
            matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if whole {
            return Ok(Self(text.to_ascii_lowercase()));
        }
        let shown: String = text.chars().take(80).collect();
        Err(NoCommit(shown.escape_debug().to_string()))
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_hash_is_a_commit() {
        let text = "F618E34540f94f4719ad3817950618dabe441318";
        let commit: CommitId = text.parse().expect("a commit");
        assert_eq!(commit.to_string(), text.to_ascii_lowercase());
        assert_eq!(commit.short(), "f618e345");
        assert!("0".repeat(64).parse::<CommitId>().is_ok());
        for text in ["", "f618e34", &"g".repeat(40), &"0".repeat(41), "HEAD\n"] {
            assert!(text.parse::<CommitId>().is_err(), "{text}");
        }
        insta::assert_snapshot!("a\nb".parse::<CommitId>().expect_err("refused"), @r"`a\nb` is no commit: a commit is named by the 40 hexadecimal digits of its hash");
    }
}
