//! How a game ends, in the words match runners use for it.

use std::fmt;

use shakmaty::Color;

use crate::notation::uci::cleaned;
use crate::play::Fault;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Mate {
        winner: Color,
    },
    Stalemate,
    InsufficientMaterial,
    Threefold,
    FiftyMoves,
    AdjudicatedWin {
        winner: Color,
    },
    AdjudicatedDraw,
    Foul {
        loser: Color,
        foul: Foul,
    },
    /// Stopped from outside: no result.
    Interrupted,
}

/// What the losing engine did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Foul {
    /// So many milliseconds beyond the clock, margin included.
    Time {
        overrun: u64,
    },
    Disconnect,
    Stall,
    /// The move as it was spelled, or nothing.
    IllegalMove {
        text: String,
    },
}

/// Letters of an illegal move that are shown.
const SHOWN: usize = 40;

impl Ending {
    /// The PGN's Result.
    pub(super) const fn result(&self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => match self {
                Self::Interrupted => "*",
                _ => "1/2-1/2",
            },
        }
    }

    const fn winner(&self) -> Option<Color> {
        match self {
            Self::Mate { winner } | Self::AdjudicatedWin { winner } => Some(*winner),
            Self::Foul { loser, .. } => Some(match loser {
                Color::White => Color::Black,
                Color::Black => Color::White,
            }),
            Self::Stalemate
            | Self::InsufficientMaterial
            | Self::Threefold
            | Self::FiftyMoves
            | Self::AdjudicatedDraw
            | Self::Interrupted => None,
        }
    }

    /// The PGN's Termination.
    pub(super) const fn termination(&self) -> &'static str {
        match self {
            Self::Mate { .. }
            | Self::Stalemate
            | Self::InsufficientMaterial
            | Self::Threefold
            | Self::FiftyMoves => "normal",
            Self::AdjudicatedWin { .. } | Self::AdjudicatedDraw => "adjudication",
            Self::Foul { foul, .. } => match foul {
                Foul::Time { .. } => "time forfeit",
                Foul::Disconnect | Foul::Stall => "abandoned",
                Foul::IllegalMove { .. } => "illegal move",
            },
            Self::Interrupted => "unterminated",
        }
    }

    /// Who lost by a foul and by which.
    pub(super) const fn foul(&self) -> Option<(Color, &Foul)> {
        match self {
            Self::Foul { loser, foul } => Some((*loser, foul)),
            Self::Mate { .. }
            | Self::Stalemate
            | Self::InsufficientMaterial
            | Self::Threefold
            | Self::FiftyMoves
            | Self::AdjudicatedWin { .. }
            | Self::AdjudicatedDraw
            | Self::Interrupted => None,
        }
    }
}

impl Foul {
    /// The same, as it is told to others.
    pub(super) const fn fault(&self) -> Fault {
        match self {
            Self::Time { .. } => Fault::Time,
            Self::Disconnect => Fault::Disconnect,
            Self::Stall => Fault::Stall,
            Self::IllegalMove { .. } => Fault::IllegalMove,
        }
    }
}

/// Writes the text that stands in the last comment. It holds no brace and no control character.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate { winner } => write!(f, "{winner:?} mates"),
            Self::Stalemate => f.write_str("Draw by stalemate"),
            Self::InsufficientMaterial => f.write_str("Draw by insufficient mating material"),
            Self::Threefold => f.write_str("Draw by 3-fold repetition"),
            Self::FiftyMoves => f.write_str("Draw by fifty moves rule"),
            Self::AdjudicatedWin { winner } => write!(f, "{winner:?} wins by adjudication"),
            Self::AdjudicatedDraw => f.write_str("Draw by adjudication"),
            Self::Foul { loser, foul } => write_foul(f, *loser, foul),
            Self::Interrupted => f.write_str("Game interrupted"),
        }
    }
}

fn write_foul(f: &mut fmt::Formatter<'_>, loser: Color, foul: &Foul) -> fmt::Result {
    match foul {
        Foul::Time { overrun } => write!(f, "{loser:?} loses on time ({overrun}ms overrun)"),
        Foul::Disconnect => write!(f, "{loser:?} disconnects"),
        Foul::Stall => write!(f, "{loser:?}'s connection stalls"),
        Foul::IllegalMove { text } => {
            write!(f, "{loser:?} makes an illegal move")?;
            match harmless(text).as_str() {
                "" => Ok(()),
                text => write!(f, ": {text}"),
            }
        }
    }
}

/// A move text that cannot end a comment.
fn harmless(text: &str) -> String {
    cleaned(text, SHOWN).replace('{', "(").replace('}', ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(ending: &Ending, text: &str, result: &str, termination: &str) {
        assert_eq!(ending.to_string(), text);
        assert_eq!(ending.result(), result);
        assert_eq!(ending.termination(), termination);
    }

    #[test]
    fn endings_without_a_fault() {
        let winner = Color::White;
        case(&Ending::Mate { winner }, "White mates", "1-0", "normal");
        case(&Ending::Stalemate, "Draw by stalemate", "1/2-1/2", "normal");
        let insufficient = Ending::InsufficientMaterial;
        let text = "Draw by insufficient mating material";
        case(&insufficient, text, "1/2-1/2", "normal");
        let text = "Draw by 3-fold repetition";
        case(&Ending::Threefold, text, "1/2-1/2", "normal");
        let text = "Draw by fifty moves rule";
        case(&Ending::FiftyMoves, text, "1/2-1/2", "normal");
        let winner = Color::Black;
        let text = "Black wins by adjudication";
        case(
            &Ending::AdjudicatedWin { winner },
            text,
            "0-1",
            "adjudication",
        );
        let text = "Draw by adjudication";
        case(&Ending::AdjudicatedDraw, text, "1/2-1/2", "adjudication");
        case(
            &Ending::Interrupted,
            "Game interrupted",
            "*",
            "unterminated",
        );
    }

    #[test]
    fn fouls_lose() {
        let foul = |loser, foul| Ending::Foul { loser, foul };
        let late = foul(Color::White, Foul::Time { overrun: 57 });
        case(
            &late,
            "White loses on time (57ms overrun)",
            "0-1",
            "time forfeit",
        );
        let gone = foul(Color::Black, Foul::Disconnect);
        case(&gone, "Black disconnects", "1-0", "abandoned");
        let deaf = foul(Color::Black, Foul::Stall);
        case(&deaf, "Black's connection stalls", "1-0", "abandoned");
        let text = String::from("xyzzy!{}[]\"\u{1b};");
        let illegal = foul(Color::White, Foul::IllegalMove { text });
        let shown = "White makes an illegal move: xyzzy!()[]\";";
        case(&illegal, shown, "0-1", "illegal move");
        let text = String::new();
        let missing = foul(Color::White, Foul::IllegalMove { text });
        case(
            &missing,
            "White makes an illegal move",
            "0-1",
            "illegal move",
        );
    }
}
