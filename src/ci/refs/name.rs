//! Refs as a person writes them.

use super::RefError;

/// Characters a ref may have.
const LONGEST: usize = 255;

/// A branch, tag, commit or pull request number, as somebody wrote it; safe to hand to git behind `--end-of-options`.
///
/// It holds no blank or control character, begins with no hyphen, and is not one of git's expressions for searching,
/// paths, ranges or refspecs. `HEAD~2` and `v1^` are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefName(String);

impl RefName {
    /// Reads a ref, without the blanks around it; `None` when nothing else is there.
    ///
    /// # Errors
    /// When no ref can be called that.
    pub fn parse(text: &str) -> Result<Option<Self>, RefError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let unfit = |c: char| c.is_whitespace() || c.is_control() || ":?*[\\".contains(c);
        let wrong = text.chars().count() > LONGEST
            || text.starts_with(['-', '+', '^'])
            || text.contains(unfit)
            || text.contains("..")
            || text.contains("@{");
        if wrong {
            let shown: String = text.chars().take(80).collect();
            return Err(RefError::Name(shown.escape_debug().to_string()));
        }
        Ok(Some(Self(text.to_owned())))
    }

    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pull request it numbers: up to nine digits and nothing else.
    pub(super) fn pull_request(&self) -> Option<u32> {
        let digits = self.0.len() <= 9 && self.0.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| self.0.parse().ok()).flatten()
    }

    /// Whether origin can be asked for it: a name and no expression.
    pub(super) fn is_plain(&self) -> bool {
        !self.0.contains(['~', '^'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_ref_is_one_word_and_no_option() {
        for text in [
            "main",
            "v1.2.0-rc1",
            "feature/a_b",
            "HEAD~2",
            "$(id)",
            "it's",
            "@",
            "7",
        ] {
            let name = RefName::parse(text).expect("a ref").expect("a ref");
            assert_eq!(name.as_str(), text);
        }
        assert_eq!(RefName::parse(" \n ").expect("nothing"), None);
        let long = "x".repeat(256);
        for text in [
            "a b",
            "a\nb",
            "--upload-pack=id",
            "-h",
            "+main",
            "^main",
            "a:b",
            "a..b",
            "@{1}",
            ":/fix",
            "v*",
            "a\u{1b}",
            &long,
        ] {
            assert!(RefName::parse(text).is_err(), "{text}");
        }
        insta::assert_snapshot!(RefName::parse("--exec=$(id)\nx").expect_err("refused"), @r"`--exec=$(id)\nx` is no ref: name a branch, a tag, a commit or the number of a pull request");
    }

    #[test]
    fn digits_number_a_pull_request() {
        let number = |text: &str| {
            RefName::parse(text)
                .expect("a ref")
                .expect("a ref")
                .pull_request()
        };
        assert_eq!(number("7"), Some(7));
        assert_eq!(number("007"), Some(7));
        assert_eq!(number("1234567890"), None);
        assert_eq!(number("heads/7"), None);
    }

    proptest! {
        #[test]
        fn whatever_is_taken_is_one_word(text in ".{0,40}") {
            if let Ok(Some(name)) = RefName::parse(&text) {
                prop_assert!(!name.as_str().contains(char::is_whitespace));
                prop_assert!(!name.as_str().starts_with('-'));
            }
        }
    }
}
