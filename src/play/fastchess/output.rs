//! What fastchess prints while it plays, line by line.

use crate::play::{Blame, Event, Fault, FinishedGame, Side};

/// A line of fastchess's output that says something about the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// `Started game 3 of 60 (A vs B)`.
    Started {
        /// Number of the game, from 1.
        game: usize,
    },
    /// `Finished game 3 (A vs B): 1-0 {White mates}`.
    Finished {
        /// Number of the game, from 1.
        game: usize,
        /// `1-0`, `0-1` or `1/2-1/2`.
        result: String,
        /// What stands in the braces.
        reason: String,
    },
    /// A line that begins with `Warning` or `Fatal`.
    Warning(String),
}

/// Reads a line; `None` when it says nothing of these.
///
/// Names stand in the parentheses as they are and may hold anything, so a line is read from its two ends.
#[must_use]
pub fn parse(line: &str) -> Option<Line> {
    let line = line.trim_end();
    if let Some(rest) = line.strip_prefix("Started game ") {
        let game = number(rest)?;
        return Some(Line::Started { game });
    }
    if let Some(rest) = line.strip_prefix("Finished game ") {
        return finished(rest);
    }
    let warns = line.starts_with("Warning") || line.starts_with("Fatal");
    warns.then(|| Line::Warning(line.to_owned()))
}

fn number(text: &str) -> Option<usize> {
    text.split(' ')
        .next()?
        .parse()
        .ok()
        .filter(|&game| game > 0)
}

fn finished(rest: &str) -> Option<Line> {
    let (result, at) = ["1-0", "0-1", "1/2-1/2"]
        .into_iter()
        .filter_map(|result| Some((result, rest.rfind(&format!("): {result} {{"))?)))
        .max_by_key(|&(_, at)| at)?;
    let reason = rest[at..].split_once('{')?.1;
    Some(Line::Finished {
        game: number(rest)?,
        result: result.to_owned(),
        reason: reason.strip_suffix('}').unwrap_or(reason).to_owned(),
    })
}

/// The event a line stands for; `rounds` are the numbers of the pairs that fastchess was given, in order.
///
/// `None` for a game that was not asked for.
#[must_use]
pub fn event(line: Line, rounds: &[usize]) -> Option<Event> {
    Some(match line {
        Line::Started { game } => {
            let place = Place::of(game, rounds)?;
            Event::GameStarted {
                round: place.round,
                game: place.game,
                white: place.white,
            }
        }
        Line::Finished {
            game,
            result,
            reason,
        } => Event::GameFinished(finished_game(Place::of(game, rounds)?, result, reason)),
        Line::Warning(text) => Event::Warning { text },
    })
}

/// Where a game stands in its match.
#[derive(Clone, Copy, Debug)]
struct Place {
    round: usize,
    game: u8,
    white: Side,
}

impl Place {
    /// fastchess numbers games over the whole match, two a pair, the first engine White in the odd ones.
    fn of(id: usize, rounds: &[usize]) -> Option<Self> {
        let index = id.checked_sub(1)?;
        let round = *rounds.get(index / 2)?;
        let (game, white) = if index.is_multiple_of(2) {
            (1, Side::First)
        } else {
            (2, Side::Second)
        };
        Some(Self { round, game, white })
    }
}

fn finished_game(place: Place, result: String, reason: String) -> FinishedGame {
    let fault = fault(&reason);
    FinishedGame {
        round: place.round,
        game: place.game,
        white: place.white,
        blame: fault.and_then(|fault| blame(fault, &result, place.white)),
        termination: termination(&reason, fault).to_owned(),
        plies: None,
        result,
        reason,
    }
}

/// The loser is at fault: the colour that fastchess names is wrong when an engine dies at `ucinewgame`.
fn blame(fault: Fault, result: &str, white: Side) -> Option<Blame> {
    let side = match (result, white) {
        ("0-1", side) => side,
        ("1-0", Side::First) => Side::Second,
        ("1-0", Side::Second) => Side::First,
        _ => return None,
    };
    Some(Blame { side, fault })
}

fn fault(reason: &str) -> Option<Fault> {
    let rest = reason
        .strip_prefix("White")
        .or_else(|| reason.strip_prefix("Black"))?;
    [
        (" loses on time", Fault::Time),
        (" disconnects", Fault::Disconnect),
        ("'s connection stalls", Fault::Stall),
        (" makes an illegal move", Fault::IllegalMove),
    ]
    .into_iter()
    .find_map(|(text, fault)| rest.starts_with(text).then_some(fault))
}

/// The Termination tag fastchess writes for an ending.
fn termination(reason: &str, fault: Option<Fault>) -> &'static str {
    match fault {
        Some(Fault::Time) => "time forfeit",
        Some(Fault::Disconnect | Fault::Stall) => "abandoned",
        Some(Fault::IllegalMove) => "illegal move",
        None if reason.contains("by adjudication") => "adjudication",
        None => "normal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_games() {
        assert_eq!(
            parse("Started game 3 of 60 (a vs b)"),
            Some(Line::Started { game: 3 })
        );
        let odd =
            r#"Finished game 12 (x): 1-0 {y} vs c): 0-1 {White loses on time (31ms overrun)}"#;
        assert_eq!(
            parse(odd),
            Some(Line::Finished {
                game: 12,
                result: "0-1".to_owned(),
                reason: "White loses on time (31ms overrun)".to_owned(),
            })
        );
    }

    #[test]
    fn other_lines() {
        let warning = "Warning; Illegal PV move e2e5 from a";
        assert_eq!(parse(warning), Some(Line::Warning(warning.to_owned())));
        for line in [
            "",
            "Elo: 120.41 +/- 72.06, nElo: 161.99 +/- 87.91",
            "Finished match",
            "Finished game (a vs b): 1-0 {White mates}",
            "Finished game 1 (a vs b): * {Game interrupted}",
            "Started game x of 60 (a vs b)",
            "Started game 0 of 60 (a vs b)",
        ] {
            assert_eq!(parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn games_are_named_by_the_pairs_they_belong_to() {
        let rounds = [4, 9];
        let told = |id| event(Line::Started { game: id }, &rounds);
        let started = |round, game, white| Some(Event::GameStarted { round, game, white });
        assert_eq!(told(1), started(4, 1, Side::First));
        assert_eq!(told(2), started(4, 2, Side::Second));
        assert_eq!(told(3), started(9, 1, Side::First));
        assert_eq!(told(5), None);
    }

    #[track_caller]
    fn ending(game: usize, result: &str, reason: &str, termination: &str, blame: Option<Blame>) {
        let line = format!("Finished game {game} (a vs b): {result} {{{reason}}}");
        let Some(Event::GameFinished(ended)) = event(parse(&line).unwrap(), &[1]) else {
            panic!("{line} is no ending");
        };
        assert_eq!(
            (ended.termination.as_str(), ended.blame),
            (termination, blame)
        );
    }

    #[test]
    fn endings_carry_their_termination_and_the_loser_of_a_fault_the_blame() {
        let blame = |side, fault| Some(Blame { side, fault });
        ending(1, "1-0", "White mates", "normal", None);
        ending(1, "1/2-1/2", "Draw by 3-fold repetition", "normal", None);
        ending(1, "0-1", "Black wins by adjudication", "adjudication", None);
        ending(
            1,
            "1/2-1/2",
            "Draw by adjudication: SyzygyTB",
            "adjudication",
            None,
        );
        ending(
            1,
            "0-1",
            "White loses on time (9ms overrun)",
            "time forfeit",
            blame(Side::First, Fault::Time),
        );
        ending(
            2,
            "0-1",
            "White disconnects",
            "abandoned",
            blame(Side::Second, Fault::Disconnect),
        );
        ending(
            2,
            "1-0",
            "Black's connection stalls",
            "abandoned",
            blame(Side::First, Fault::Stall),
        );
        ending(
            1,
            "1-0",
            "Black makes an illegal move",
            "illegal move",
            blame(Side::Second, Fault::IllegalMove),
        );
        // The engine that died at `ucinewgame` had Black, though White is named.
        ending(
            1,
            "1-0",
            "White disconnects",
            "abandoned",
            blame(Side::Second, Fault::Disconnect),
        );
    }
}
