//! A finished game as PGN: fastchess's tags in fastchess's order, its comments, its line breaks.

use std::borrow::Cow;
use std::fmt::Write;

use shakmaty::san::SanPlus;
use shakmaty::{ByColor, Chess, Color, Position};

use super::board;
use super::game::Played;
use crate::openings::Variant;
use crate::play::engine::Identity;
use crate::play::{EngineSetup, Limit};

/// Columns of a line; only what cannot be broken goes beyond.
const WIDTH: usize = 80;

/// All that is written of a game.
pub(super) struct Sheet<'a> {
    pub(super) event: &'a str,
    pub(super) round: usize,
    pub(super) setups: ByColor<&'a EngineSetup>,
    pub(super) identities: ByColor<&'a Identity>,
    pub(super) variant: Variant,
    pub(super) start: &'a Chess,
    pub(super) played: &'a Played,
}

impl Sheet<'_> {
    /// The whole record, from its first tag to the empty line behind the movetext.
    pub(super) fn render(&self) -> String {
        let mut text = String::with_capacity(1024 + 64 * self.played.moves.len());
        self.heading(&mut text);
        self.engines(&mut text);
        self.opening(&mut text);
        self.course(&mut text);
        self.time_controls(&mut text);
        text.push('\n');
        text.push_str(&self.movetext());
        text.push_str("\n\n");
        text
    }

    fn heading(&self, text: &mut String) {
        let date = self.played.started.strftime("%Y.%m.%d").to_string();
        tag(text, "Event", self.event);
        tag(text, "Site", "?");
        tag(text, "Date", &date);
        tag(text, "Round", &self.round.to_string());
        tag(text, "White", &self.setups.white.name);
        tag(text, "Black", &self.setups.black.name);
        tag(text, "Result", self.played.ending.result());
    }

    fn engines(&self, text: &mut String) {
        tag(text, "EngineWhiteName", &self.identities.white.name);
        tag(text, "EngineWhiteAuthor", &self.identities.white.author);
        tag(text, "EngineBlackName", &self.identities.black.name);
        tag(text, "EngineBlackAuthor", &self.identities.black.author);
    }

    fn opening(&self, text: &mut String) {
        if let Some(fen) = board::fen(self.start, self.variant.castling_mode()) {
            tag(text, "SetUp", "1");
            tag(text, "FEN", &fen);
        }
        match self.variant {
            Variant::Standard => {}
            Variant::Chess960 => tag(text, "Variant", "Chess960"),
        }
    }

    fn course(&self, text: &mut String) {
        const STAMP: &str = "%Y-%m-%dT%H:%M:%S %z";
        let Played { started, ended, .. } = self.played;
        let seconds = self.played.lasted.as_secs();
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let duration = format!("{hours:02}:{minutes:02}:{seconds:02}");
        tag(text, "GameDuration", &duration);
        tag(text, "GameStartTime", &started.strftime(STAMP).to_string());
        tag(text, "GameEndTime", &ended.strftime(STAMP).to_string());
        tag(text, "PlyCount", &self.played.moves.len().to_string());
        tag(text, "Termination", self.played.ending.termination());
    }

    fn time_controls(&self, text: &mut String) {
        let white = time_control(&self.setups.white.limit);
        let black = time_control(&self.setups.black.limit);
        if white == black {
            tag(text, "TimeControl", &white);
        } else {
            tag(text, "WhiteTimeControl", &white);
            tag(text, "BlackTimeControl", &black);
        }
    }

    /// The reason of the ending stands in the last move's comment; when that is a book move or there is no move,
    /// in a comment of its own behind it.
    fn movetext(&self) -> String {
        let moves = &self.played.moves;
        let reason = self.played.ending.to_string();
        let mut position = self.start.clone();
        let mut lines = Lines::default();
        for (index, made) in moves.iter().enumerate() {
            let mut unit = move_number(&position, index == 0);
            let san = SanPlus::from_move_and_play_unchecked(&mut position, made.played);
            let mut comment = Cow::Borrowed(&made.comment);
            if index + 1 == moves.len() && !comment.book {
                comment.to_mut().reason = Some(reason.clone());
            }
            write!(unit, "{san} {{{comment}}}").expect("a string takes all text");
            lines.push(&unit);
        }
        if moves.last().is_none_or(|last| last.comment.book) {
            lines.push(&format!("{{{reason}}}"));
        }
        lines.push(self.played.ending.result());
        lines.text
    }
}

/// `12. ` before White's move, `12... ` before Black's when the game begins with it.
fn move_number(position: &Chess, first: bool) -> String {
    let number = position.fullmoves();
    match position.turn() {
        Color::White => format!("{number}. "),
        Color::Black if first => format!("{number}... "),
        Color::Black => String::new(),
    }
}

/// Text of a TimeControl tag: `-` without a clock, `60+0.6`, `40/60`, `0.05/move`.
fn time_control(limit: &Limit) -> String {
    match (limit.clock, limit.movetime) {
        (Some(clock), _) => clock.to_string(),
        (None, Some(movetime)) => format!("{}/move", movetime.as_secs_f64()),
        (None, None) => "-".to_owned(),
    }
}

/// Writes a tag, unless it is empty.
fn tag(text: &mut String, name: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    write!(text, "[{name} \"").expect("a string takes all text");
    for letter in value.chars().filter(|letter| !letter.is_control()) {
        if matches!(letter, '"' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text.push_str("\"]\n");
}

/// Units set in lines: a line ends before the unit that would pass its width.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn push(&mut self, unit: &str) {
        if self.column == 0 {
            self.column = unit.len();
        } else if self.column + 1 + unit.len() > WIDTH {
            self.text.push('\n');
            self.column = unit.len();
        } else {
            self.text.push(' ');
            self.column += 1 + unit.len();
        }
        self.text.push_str(unit);
    }
}

#[cfg(test)]
#[path = "pgn_tests.rs"]
mod tests;
