//! Time controls as match runners write them: `10+0.1`, `40/60+0.5`, `1:30+1`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A clock: so many moves (or the whole game) in a time, and an increment a move.
///
/// ```
/// use mache::notation::TimeControl;
///
/// let clock: TimeControl = "40/1:00+0.5".parse().unwrap();
/// assert_eq!(clock.to_string(), "40/60+0.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    moves: Option<u32>,
    base: Duration,
    increment: Duration,
}

/// Why a text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a time control: write [MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 10+0.1 or 40/60+0.5"
)]
pub struct TimeControlError {
    text: String,
}

/// No clock is longer than this: a day.
const LONGEST: Duration = Duration::from_secs(86_400);

impl TimeControl {
    /// Moves to be made in the base time before it is added again; `None` for the whole game.
    #[must_use]
    pub const fn moves(self) -> Option<u32> {
        self.moves
    }

    /// Time for the period.
    #[must_use]
    pub const fn base(self) -> Duration {
        self.base
    }

    /// Time added after each move.
    #[must_use]
    pub const fn increment(self) -> Duration {
        self.increment
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| TimeControlError {
            text: text.to_owned(),
        })
    }
}

fn parse(text: &str) -> Option<TimeControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(whole(moves).filter(|&moves| moves > 0)?), rest),
        None => (None, text),
    };
    let (base, increment) = rest
        .split_once('+')
        .map_or((rest, None), |(base, inc)| (base, Some(inc)));
    let (minutes, seconds) = match base.split_once(':') {
        Some((minutes, seconds)) => (whole(minutes)?, seconds),
        None => (0, base),
    };
    let base = Duration::from_secs(60 * u64::from(minutes)).checked_add(duration(seconds)?)?;
    let increment = increment.map_or(Some(Duration::ZERO), duration)?;
    let usable = (base + increment) > Duration::ZERO && base <= LONGEST && increment <= LONGEST;
    usable.then_some(TimeControl {
        moves,
        base,
        increment,
    })
}

fn whole(text: &str) -> Option<u32> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

/// Decimal seconds, a trailing `s` allowed, kept to the millisecond.
fn duration(text: &str) -> Option<Duration> {
    let text = text.strip_suffix('s').unwrap_or(text);
    let plain = !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = plain.then(|| text.parse().ok())??;
    let seconds = Duration::try_from_secs_f64(seconds).ok()?;
    Some(Duration::from_millis(
        u64::try_from((seconds + Duration::from_micros(500)).as_millis()).ok()?,
    ))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, printed: &str) {
        assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), printed);
    }

    #[test]
    fn known_forms() {
        case("10+0.1", "10+0.1");
        case("40/60+0.5", "40/60+0.5");
        case("1:30+1", "90+1");
        case("0.05", "0.05");
        case("60s+0.6s", "60+0.6");
        case("40/60", "40/60");
    }

    #[test]
    fn refusals() {
        for text in [
            "", "+", "0", "0/10", "10+-1", "x", "1e3", "-1", "10+", "1:2:3", "40/", "inf",
            "99999999",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text} was taken");
        }
    }
}
