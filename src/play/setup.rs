//! What a runner is told: engines, limits, openings, rules of adjudication.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::notation::TimeControl;
use crate::openings::Variant;
use crate::plan::PlannedPair;

/// How long an engine may think. At least one field is set; `nodes` and `depth` may stand beside a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// A clock for the game.
    pub clock: Option<TimeControl>,
    /// A time for each move; never beside `clock`.
    pub movetime: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u32>,
}

/// One engine: how it is started and what it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSetup {
    /// The name it plays under; unlike the other engine's.
    pub name: String,
    /// The program, found on the path when it has no separator.
    pub command: PathBuf,
    /// Its arguments; no shell ever sees them.
    pub arguments: Vec<String>,
    /// The folder it is started in.
    pub directory: Option<PathBuf>,
    /// How long it may think.
    pub limit: Limit,
    /// How far past its flag a move is forgiven.
    pub margin: Duration,
    /// UCI options in the order they are sent.
    pub options: Vec<(String, String)>,
    /// A new process for every game.
    pub restart: bool,
}

/// Resign rule: the side whose own score is at most `-score` for `moves` moves running has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Consecutive moves of the side.
    pub moves: u32,
    /// Centipawns, above nought.
    pub score: u32,
    /// Both sides have to agree.
    pub two_sided: bool,
}

/// Draw rule: from full move `from_move` on, both scores within `score` for `moves` moves of each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Full-move number from which the rule holds.
    pub from_move: u32,
    /// Consecutive moves of each side.
    pub moves: u32,
    /// Centipawns.
    pub score: u32,
}

/// When a game is ended from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// Lost games.
    pub resign: Option<ResignRule>,
    /// Dead games.
    pub draw: Option<DrawRule>,
    /// Drawn after so many moves of each side beyond the book.
    pub max_moves: Option<u32>,
}

/// Longest waits, none of them charged to an engine's clock but the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// From start to `uciok`.
    pub startup: Duration,
    /// From `ucinewgame` to `readyok`.
    pub new_game: Duration,
    /// From any other `isready` to `readyok`.
    pub ready: Duration,
    /// A move without a clock (`go nodes`, `go depth`).
    pub unclocked_move: Duration,
    /// From `quit` to the end of the process, all engines together.
    pub quit: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        Self {
            startup: Duration::from_secs(10),
            new_game: Duration::from_secs(60),
            ready: Duration::from_secs(60),
            unclocked_move: Duration::from_secs(60),
            quit: Duration::from_secs(2),
        }
    }
}

/// A match as a runner gets it: nothing is left to decide.
#[derive(Clone, Debug)]
pub struct MatchSetup {
    /// The engine under test.
    pub first: EngineSetup,
    /// What it is compared with.
    pub second: EngineSetup,
    /// Pairs still to be played, in order.
    pub pairs: Vec<PlannedPair>,
    /// Rules.
    pub variant: Variant,
    /// Games played at once.
    pub concurrency: NonZeroUsize,
    /// Early endings.
    pub adjudication: Adjudication,
    /// Go on after a crash or a stall.
    pub recover: bool,
    /// Cap on wall time.
    pub max_time: Option<Duration>,
    /// Longest waits.
    pub waits: Waits,
    /// The PGN's Event tag.
    pub event: String,
    /// Folder of the run: `games.pgn`, `manifest.json`, `log`, `faults/`. Exists.
    pub out: PathBuf,
}

/// As it is written on the command line: `3,400` or `3,400,twosided`.
impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.moves, self.score)?;
        if self.two_sided {
            f.write_str(",twosided")?;
        }
        Ok(())
    }
}

/// As it is written on the command line: `40,8,10`.
impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.from_move, self.moves, self.score)
    }
}
