//! The moves of a PGN record, read strictly.
//!
//! A book has to be played as it is written: a reader that passes over what it cannot read would shorten an
//! opening without a word. So every token is either known or reported.

/// What counts in movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Meant to be a move; not looked at yet.
    Move(&'a [u8]),
    /// `*`, `1-0`, `0-1` or `1/2-1/2`.
    Result,
}

/// What movetext may not end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenBracket {
    /// `{` without `}`.
    #[error("a comment is not closed")]
    Comment,
    /// `(` without `)`.
    #[error("a variation is not closed")]
    Variation,
}

/// The main line's tokens: comments, variations, glyphs and move numbers are passed over.
pub(super) struct Tokens<'a> {
    rest: &'a [u8],
    /// At the beginning of a line, where `%` makes the line a comment.
    line_begins: bool,
}

impl<'a> Tokens<'a> {
    pub(super) const fn new(movetext: &'a [u8]) -> Self {
        Self {
            rest: movetext,
            line_begins: true,
        }
    }

    /// Passes over everything up to the first of these bytes, and over it.
    fn pass_after(&mut self, end: u8) -> bool {
        let found = memchr::memchr(end, self.rest);
        self.rest = found.map_or(&[], |at| &self.rest[at + 1..]);
        found.is_some()
    }

    fn pass_line(&mut self) {
        self.pass_after(b'\n');
        self.line_begins = true;
    }

    fn pass_comment(&mut self) -> Result<(), OpenBracket> {
        if self.pass_after(b'}') {
            Ok(())
        } else {
            Err(OpenBracket::Comment)
        }
    }

    /// Passes over the rest of a variation, the ones inside it included.
    fn pass_variation(&mut self) -> Result<(), OpenBracket> {
        let mut depth = 1;
        while let Some((&byte, rest)) = self.rest.split_first() {
            self.rest = rest;
            match byte {
                b'{' => self.pass_comment()?,
                b';' => self.pass_line(),
                b'(' => depth += 1,
                b')' if depth == 1 => return Ok(()),
                b')' => depth -= 1,
                _ => {}
            }
        }
        Err(OpenBracket::Variation)
    }

    fn word(&mut self) -> &'a [u8] {
        let end = self.rest.iter().position(|&byte| is_delimiter(byte));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, OpenBracket>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some((&byte, rest)) = self.rest.split_first() {
            let line_begins = std::mem::replace(&mut self.line_begins, byte == b'\n');
            if !is_delimiter(byte) && !(byte == b'%' && line_begins) {
                match meaning(self.word()) {
                    Some(token) => return Some(Ok(token)),
                    None => continue,
                }
            }
            self.rest = rest;
            let passed = match byte {
                b'{' => self.pass_comment(),
                b'(' => self.pass_variation(),
                b';' | b'%' => {
                    self.pass_line();
                    Ok(())
                }
                b'$' => {
                    self.word();
                    Ok(())
                }
                b'*' => return Some(Ok(Token::Result)),
                // A bracket nobody opened is no move, and no game of ours has one.
                b')' | b'}' => {
                    return Some(Ok(Token::Move(&b")}"[usize::from(byte == b'}')..][..1])));
                }
                _ => Ok(()),
            };
            if let Err(open) = passed {
                return Some(Err(open));
            }
        }
        None
    }
}

const fn is_delimiter(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'{' | b'}' | b'(' | b')' | b';' | b'$' | b'!' | b'?' | b'*'
        )
}

/// What a word says, without the move number before it; `None` for a number alone.
fn meaning(word: &[u8]) -> Option<Token<'_>> {
    if matches!(word, b"1-0" | b"0-1" | b"1/2-1/2") || word == "½-½".as_bytes() {
        return Some(Token::Result);
    }
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..]
        .iter()
        .take_while(|&&byte| byte == b'.')
        .count();
    // `0-0` is castling written with noughts, not a number.
    let number = if dots > 0 || digits == word.len() {
        digits + dots
    } else {
        0
    };
    let rest = &word[number..];
    (!rest.is_empty() && rest != b"e.p.").then_some(Token::Move(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(movetext: &str) -> Vec<String> {
        let tokens: Result<Vec<_>, _> = Tokens::new(movetext.as_bytes()).collect();
        let text = |token: &Token| match token {
            Token::Move(word) => String::from_utf8_lossy(word).into_owned(),
            Token::Result => "=".to_owned(),
        };
        tokens.unwrap().iter().map(text).collect()
    }

    #[test]
    fn what_is_no_move_is_passed_over() {
        let text = "1. e4 {a (b} e5 2.Nf3!? $14 ( 2. f4 {)} (2. d4) exf4 ) 2... Nc6?! ; f4 )\n\
                    % 3. h4\n3 . Bb5 a6 4. exd6 e.p. 0-0 1/2-1/2 { the end }";
        assert_eq!(
            moves(text),
            ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "exd6", "0-0", "="]
        );
    }

    #[test]
    fn results_of_every_kind() {
        for result in ["*", "1-0", "0-1", "1/2-1/2", "½-½"] {
            assert_eq!(moves(&format!("1...c5 {result}")), ["c5", "="]);
        }
        assert_eq!(moves("1. e4*"), ["e4", "="]);
    }

    #[test]
    fn rubbish_is_kept_for_the_reader_to_refuse() {
        assert_eq!(
            moves("1. e4 xyzzy 2. ) -- 50%"),
            ["e4", "xyzzy", ")", "--", "50%"]
        );
    }

    #[test]
    fn open_brackets() {
        fn last(text: &str) -> Result<Token<'_>, OpenBracket> {
            Tokens::new(text.as_bytes()).last().unwrap()
        }
        assert_eq!(last("1. e4 {a (b"), Err(OpenBracket::Comment));
        assert_eq!(last("1. e4 (1. d4 {)}"), Err(OpenBracket::Variation));
        assert_eq!(last("1. e4 (1. d4 {)"), Err(OpenBracket::Comment));
    }
}
