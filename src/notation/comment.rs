//! The comment a match runner writes behind a move.

use std::fmt;
use std::str::FromStr;

/// What an engine says a position is worth, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate as UCI counts them: positive when the engine mates, negative when it is mated.
    Mate(i32),
}

/// Writes the score as fastchess does: `+0.25`, `0.00`, `-M4` (mates in plies).
impl fmt::Display for MoveScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(0) => f.write_str("0.00"),
            Self::Centipawns(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                let value = value.unsigned_abs();
                write!(f, "{sign}{}.{:02}", value / 100, value % 100)
            }
            Self::Mate(moves) if moves > 0 => write!(f, "+M{}", i64::from(moves) * 2 - 1),
            Self::Mate(moves) => write!(f, "-M{}", i64::from(moves).abs() * 2),
        }
    }
}

/// A move's comment in fastchess's grammar, without its braces.
///
/// `book`, or `score/depth seconds s` and then the fields that were written, in the order
/// `tl= n= sd= nps=`, and last the reason the game ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveComment {
    /// The move came from the opening book and nothing else was written.
    pub book: bool,
    /// What the mover's last `info` line with a score said.
    pub score: Option<MoveScore>,
    /// Depth of that line, in plies.
    pub depth: u32,
    /// Time charged, in milliseconds.
    pub millis: u64,
    /// Time left on the mover's clock after the move and its increment, in milliseconds; negative on a forfeit.
    pub time_left: Option<i64>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Selective depth, in plies.
    pub seldepth: Option<u32>,
    /// Nodes a second as the engine states it.
    pub nps: Option<u64>,
    /// Why the game ended after this move.
    pub reason: Option<String>,
}

impl fmt::Display for MoveComment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.book {
            return f.write_str("book");
        }
        if let Some(score) = self.score {
            write!(f, "{score}")?;
        }
        write!(
            f,
            "/{} {}.{:03}s",
            self.depth,
            self.millis / 1000,
            self.millis % 1000
        )?;
        if let Some(left) = self.time_left {
            let sign = if left < 0 { "-" } else { "" };
            let left = left.unsigned_abs();
            write!(f, ", tl={sign}{}.{:03}s", left / 1000, left % 1000)?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, ", n={nodes}")?;
        }
        if let Some(seldepth) = self.seldepth {
            write!(f, ", sd={seldepth}")?;
        }
        if let Some(nps) = self.nps {
            write!(f, ", nps={nps}")?;
        }
        match &self.reason {
            Some(reason) => write!(f, ", {reason}"),
            None => Ok(()),
        }
    }
}

/// Reads what [`MoveComment`] writes. Fields it does not know (`latency=`, `hashfull=`, …) are passed over.
///
/// ```
/// use mache::notation::MoveComment;
///
/// let comment: MoveComment = "+0.25/10 0.105s, tl=9.900s, n=12345, White mates".parse().unwrap();
/// assert_eq!((comment.depth, comment.nodes), (10, Some(12_345)));
/// assert_eq!(comment.reason.as_deref(), Some("White mates"));
/// ```
impl FromStr for MoveComment {
    type Err = MoveCommentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| MoveCommentError {
            text: text.to_owned(),
        })
    }
}

/// Why a comment is none that a match runner writes behind a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not `book` and not `score/depth seconds s` with further fields")]
pub struct MoveCommentError {
    text: String,
}

fn parse(text: &str) -> Option<MoveComment> {
    if text == "book" {
        return Some(MoveComment {
            book: true,
            ..MoveComment::default()
        });
    }
    let (judged, rest) = text.split_once(' ')?;
    let (score, depth) = judged.split_once('/')?;
    let (seconds, mut rest) = rest.split_once(", ").unwrap_or((rest, ""));
    let mut comment = MoveComment {
        score: match score {
            "" => None,
            score => Some(parse_score(score)?),
        },
        depth: depth.parse().ok()?,
        millis: u64::try_from(millis(seconds)?).ok()?,
        ..MoveComment::default()
    };
    while let Some((name, value)) = field(rest) {
        let (value, after) = value.split_once(", ").unwrap_or((value, ""));
        match name {
            "tl" => comment.time_left = Some(millis(value)?),
            "n" => comment.nodes = Some(value.parse().ok()?),
            "sd" => comment.seldepth = Some(value.parse().ok()?),
            "nps" => comment.nps = Some(value.parse().ok()?),
            _ => {}
        }
        rest = after;
    }
    comment.reason = (!rest.is_empty()).then(|| rest.to_owned());
    Some(comment)
}

/// A field's name and what follows its `=`; the reason has none.
fn field(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    name.bytes()
        .all(|byte| byte.is_ascii_lowercase())
        .then_some((name, value))
}

fn parse_score(text: &str) -> Option<MoveScore> {
    let (sign, size) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    if let Some(plies) = size.strip_prefix('M') {
        let plies: i32 = plies.parse().ok()?;
        return Some(MoveScore::Mate(sign * (plies / 2 + plies % 2)));
    }
    let (pawns, hundredths) = size.split_once('.')?;
    let hundredths = (hundredths.len() == 2).then(|| hundredths.parse::<u8>().ok())??;
    let pawns = pawns.parse::<i32>().ok()?.checked_mul(100)?;
    Some(MoveScore::Centipawns(
        sign * pawns.checked_add(i32::from(hundredths))?,
    ))
}

/// Seconds with three decimals and an `s`, in milliseconds.
fn millis(text: &str) -> Option<i64> {
    let seconds = text.strip_suffix('s')?;
    let (negative, size) = match seconds.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, seconds),
    };
    let (whole, part) = size.split_once('.')?;
    let part = (part.len() == 3).then(|| part.parse::<u16>().ok())??;
    let size = whole
        .parse::<i64>()
        .ok()?
        .checked_mul(1000)?
        .checked_add(i64::from(part))?;
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::option::of;
    use proptest::prelude::*;

    #[track_caller]
    fn case(text: &str, comment: MoveComment) {
        assert_eq!(text.parse(), Ok(comment.clone()));
        assert_eq!(comment.to_string(), text);
    }

    #[test]
    fn known_comments() {
        let book = MoveComment {
            book: true,
            ..MoveComment::default()
        };
        case("book", book);
        case("/0 0.000s", MoveComment::default());
        let mated = MoveComment {
            score: Some(MoveScore::Mate(-2)),
            depth: 30,
            millis: 51,
            time_left: Some(-7),
            reason: Some("Black loses on time (7ms overrun)".into()),
            ..MoveComment::default()
        };
        case(
            "-M4/30 0.051s, tl=-0.007s, Black loses on time (7ms overrun)",
            mated,
        );
    }

    #[test]
    fn fields_it_does_not_keep_are_passed_over() {
        let text =
            "+M5/12 1.002s, tl=3.000s, latency=0.001s, n=7, hashfull=3, tbhits=0, White mates";
        let comment: MoveComment = text.parse().unwrap();
        assert_eq!(comment.score, Some(MoveScore::Mate(3)));
        assert_eq!((comment.nodes, comment.millis), (Some(7), 1002));
        assert_eq!(comment.reason.as_deref(), Some("White mates"));
    }

    #[test]
    fn other_comments_are_refused() {
        for text in [
            "",
            "good move",
            "[%clk 0:03:00]",
            "+0.2/8",
            "0.2/8 1s",
            "x/8 0.100s",
        ] {
            assert!(text.parse::<MoveComment>().is_err(), "{text} was taken");
        }
    }

    fn any_score() -> impl Strategy<Value = MoveScore> {
        prop_oneof![
            (-99_999..99_999).prop_map(MoveScore::Centipawns),
            (1..500).prop_map(MoveScore::Mate),
            (-500..0).prop_map(MoveScore::Mate),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            score in of(any_score()),
            depth in any::<u32>(),
            millis in 0..u64::from(u32::MAX),
            time_left in of(-100_000_i64..100_000_000),
            nodes in of(any::<u64>()),
            seldepth in of(any::<u32>()),
            nps in of(any::<u64>()),
            reason in of("(White mates|Draw by 3-fold repetition|Black makes an illegal move: a=b)"),
        ) {
            let comment = MoveComment {
                book: false, score, depth, millis, time_left, nodes, seldepth, nps, reason,
            };
            prop_assert_eq!(comment.to_string().parse(), Ok(comment));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,60}") {
            let _ = text.parse::<MoveComment>();
        }
    }
}
