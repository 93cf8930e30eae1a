//! Splitting a command line into words, as a shell would with quotes and nothing else.

/// Why a text is no command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SplitError {
    #[error("a quote is not closed in `{0}`")]
    Unclosed(String),
    #[error("there is no program in it")]
    Nothing,
}

/// Words separated by blanks. `'…'` and `"…"` keep blanks together, and a backslash before a quote makes it an
/// ordinary character; nothing else is special: no variables, no patterns, no pipes.
pub(super) fn split(text: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters
                .peek()
                .is_some_and(|&next| next == '"' || next == '\'') =>
            {
                word.get_or_insert_default().extend(letters.next());
            }
            _ if quote == Some(letter) => quote = None,
            '\'' | '"' if quote.is_none() => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            _ if letter.is_whitespace() && quote.is_none() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err(SplitError::Unclosed(text.to_owned()));
    }
    words.extend(word);
    Ok(words)
}

/// The words as one line a POSIX shell takes apart again.
pub(super) fn join<W: AsRef<str>>(words: &[W]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word.as_ref())).collect();
    quoted.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, words: &[&str]) {
        assert_eq!(split(text).unwrap(), words, "{text}");
    }

    #[test]
    fn words() {
        case("", &[]);
        case("  a  b ", &["a", "b"]);
        case(r#"a "b c" 'd e' f"g h"i"#, &["a", "b c", "d e", "fg hi"]);
        case(r#""" ''"#, &["", ""]);
        case(r#""it's" 'say "hi"'"#, &["it's", r#"say "hi""#]);
        case(r#"\"a\" "b \" c""#, &[r#""a""#, r#"b " c"#]);
        case(r"C:\new\x.exe --a", &[r"C:\new\x.exe", "--a"]);
        case("$HOME * | x", &["$HOME", "*", "|", "x"]);
    }

    #[test]
    fn an_open_quote_is_refused() {
        assert_eq!(split("a 'b"), Err(SplitError::Unclosed("a 'b".to_owned())));
    }

    #[test]
    fn joined_words_survive_a_shell() {
        let words = ["a", "b c", "it's", "", "$x", "name=new", r"back\slash"];
        insta::assert_snapshot!(join(&words), @r"a 'b c' 'it'\''s' '' '$x' name=new 'back\slash'");
    }
}
