//! Games of a book: tags and the moves of the main line, each a real move in SAN.

use std::ops::ControlFlow;

use pgn_reader::{Reader, SanPlus};
use shakmaty::Color;

use super::record::{Record, Visitor, scan};
use super::tag::{Tags, decoded};

/// No tag line or comment is longer than the text it stands in; this is where pgn-reader would give up.
const LONGEST: usize = 1 << 24;

/// One game of a PGN book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookGame {
    /// One-based place in its file.
    pub number: usize,
    /// Where the game starts, as the `FEN` tag says; `None` for the initial position.
    pub fen: Option<String>,
    /// The `Variant` tag.
    pub variant: Option<String>,
    /// The main line without comments and variations.
    pub moves: Vec<SanPlus>,
}

/// Why a game of a book cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookGameError {
    /// A word in its moves is no move: playing on without it would shorten the opening in silence.
    #[error("game {game}: `{word}` is no move")]
    NoMove {
        /// One-based place of the game in its file.
        game: usize,
        /// The word as it stands.
        word: String,
    },
    /// The moves cannot be told apart.
    #[error("game {game}: its moves cannot be read")]
    Unreadable {
        /// One-based place of the game in its file.
        game: usize,
    },
}

/// The games of a PGN book, one after the other; a game that cannot be used is an error and the next one follows.
#[derive(Debug)]
pub struct BookGames {
    games: std::vec::IntoIter<Result<BookGame, BookGameError>>,
}

impl BookGames {
    /// Reads a whole book.
    #[must_use]
    pub fn new(text: &[u8]) -> Self {
        let mut book = Collector::default();
        scan(text, &mut book);
        Self {
            games: book.games.into_iter(),
        }
    }
}

impl Iterator for BookGames {
    type Item = Result<BookGame, BookGameError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.games.next()
    }
}

#[derive(Default)]
struct Collector {
    games: Vec<Result<BookGame, BookGameError>>,
    /// The main line's moves as they stand, a blank between them.
    moves: Vec<u8>,
    count: usize,
    stray: Option<String>,
}

impl<'t> Visitor<'t> for Collector {
    fn begin(&mut self, _tags: &Tags<'t>) -> bool {
        self.moves.clear();
        self.count = 0;
        self.stray = None;
        true
    }

    fn play(&mut self, _mover: Color, text: &'t [u8]) {
        self.moves.extend_from_slice(text);
        self.moves.push(b' ');
        self.count += 1;
    }

    fn stray(&mut self, text: &'t [u8]) {
        self.stray.get_or_insert_with(|| decoded(text).into_owned());
    }

    fn end(&mut self, record: &Record<'t>) {
        let number = self.games.len() + 1;
        let game = self.moves(number).map(|moves| BookGame {
            number,
            fen: record.tags.fen.map(|fen| decoded(fen).trim().to_owned()),
            variant: record.tags.variant.map(|name| decoded(name).into_owned()),
            moves,
        });
        self.games.push(game);
    }
}

impl Collector {
    fn moves(&self, game: usize) -> Result<Vec<SanPlus>, BookGameError> {
        if let Some(word) = &self.stray {
            let word = word.clone();
            return Err(BookGameError::NoMove { game, word });
        }
        let moves = main_line(&self.moves).ok_or(BookGameError::Unreadable { game })?;
        if moves.len() == self.count {
            return Ok(moves);
        }
        // pgn-reader passes over words it cannot read, so the first one that it alone cannot read is named.
        let unread = self
            .moves
            .split(|byte| *byte == b' ')
            .find(|word| !word.is_empty() && main_line(word).is_none_or(|moves| moves.is_empty()));
        Err(unread.map_or(BookGameError::Unreadable { game }, |word| {
            let word = decoded(word).into_owned();
            BookGameError::NoMove { game, word }
        }))
    }
}

fn main_line(moves: &[u8]) -> Option<Vec<SanPlus>> {
    Reader::build(moves)
        .set_supported_comment_length(LONGEST)
        .finish()
        .read_game(&mut Moves)
        .map(Option::unwrap_or_default)
        .ok()
}

/// Keeps the moves and nothing else.
struct Moves;

impl pgn_reader::Visitor for Moves {
    type Tags = ();
    type Movetext = Vec<SanPlus>;
    type Output = Vec<SanPlus>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(Vec::new())
    }

    fn san(&mut self, moves: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        moves.push(san);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Self::Movetext) -> Self::Output {
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        BookGames::new(text.as_bytes())
            .map(|game| match game {
                Ok(game) => {
                    let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
                    format!("{} {}", game.fen.unwrap_or_default(), moves.join(" "))
                }
                Err(error) => error.to_string(),
            })
            .collect()
    }

    #[test]
    fn comments_and_variations_are_skipped() {
        let text = "[Event \"a\"]\n\n1. e4 {good} e5!? (1... c5 2. Nf3) 2. Nf3 $1 Nc6+ 3. 0-0 *\n\n\
                    [FEN \"8/8/8/8/8/8/8/K6k b - - 0 1\"]\n\n1... Kg1 2.Ka2 Kf1 1/2-1/2\n";
        assert_eq!(
            lines(text),
            [
                " e4 e5 Nf3 Nc6+ O-O",
                "8/8/8/8/8/8/8/K6k b - - 0 1 Kg1 Ka2 Kf1"
            ]
        );
    }

    #[test]
    fn a_word_that_is_no_move_is_an_error_of_its_game_alone() {
        let text = "[Event \"a\"]\n\n1. e4 hello e5 *\n\n[Event \"b\"]\n\n1. e4 exxxd5 *\n\n[Event \"c\"]\n\n1. d4 *\n";
        assert_eq!(
            lines(text),
            [
                "game 1: `hello` is no move",
                "game 2: `exxxd5` is no move",
                " d4"
            ]
        );
    }
}
