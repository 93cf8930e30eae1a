//! The comment a match runner writes behind a move.

use std::fmt;

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
