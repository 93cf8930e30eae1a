//! What an engine thinks a position is worth.

use std::path::Path;
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};

use super::engine::{EngineProcess, Silence, StartError, Uninterrupted};
use super::{EngineSetup, Limit, Waits};
use crate::notation::MoveScore;

/// Megabytes of hash a judge gets: its verdicts depend on it.
const HASH: &str = "16";

/// An engine asked about single positions. It gets one thread, a hash table of 16 MB and a new game for every
/// position, so what it says does not depend on what it was asked before.
#[derive(Debug)]
pub struct Judge {
    process: EngineProcess,
    depth: u32,
    longest: Duration,
}

/// Why a position was not judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// No engine to ask.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It did not answer.
    #[error("{engine} did not judge `{fen}`: {}", silence(*.reason))]
    Silent {
        /// Name of the engine.
        engine: String,
        /// The position.
        fen: String,
        /// What came instead.
        reason: Silence,
    },
    /// It moved and said nothing of what the position is worth.
    #[error("{engine} gave no score for `{fen}`")]
    NoScore {
        /// Name of the engine.
        engine: String,
        /// The position.
        fen: String,
    },
}

const fn silence(reason: Silence) -> &'static str {
    match reason {
        Silence::TimedOut => "no answer in time",
        Silence::Closed => "it ended",
        Silence::Interrupted => "interrupted",
    }
}

impl Judge {
    /// Starts an engine that looks so many plies deep.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command: &Path, depth: u32) -> Result<Self, JudgeError> {
        let waits = Waits::default();
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let setup = EngineSetup {
            name: command.display().to_string(),
            command: command.to_owned(),
            arguments: Vec::new(),
            directory: None,
            limit: Limit {
                depth: Some(depth),
                ..Limit::default()
            },
            margin: Duration::ZERO,
            options: vec![option("Threads", "1"), option("Hash", HASH)],
            restart: false,
        };
        let process = EngineProcess::start(&setup, &waits)?;
        Ok(Self {
            process,
            depth,
            longest: waits.unclocked_move,
        })
    }

    /// What the engine calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.process.identity().name
    }

    /// What a position is worth to the side to move.
    ///
    /// # Errors
    /// When the engine does not answer within a minute, ends, or gives no score.
    pub fn score(&mut self, position: &Chess) -> Result<MoveScore, JudgeError> {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        let command = format!("position fen {fen}\ngo depth {}\n", self.depth);
        let answer = self.ask(command.as_bytes());
        let engine = self.process.name().to_owned();
        match answer {
            Ok(Some(score)) => Ok(score),
            Ok(None) => Err(JudgeError::NoScore { engine, fen }),
            Err(reason) => Err(JudgeError::Silent {
                engine,
                fen,
                reason,
            }),
        }
    }

    fn ask(&mut self, command: &[u8]) -> Result<Option<MoveScore>, Silence> {
        self.process.announce_game(false, &Uninterrupted)?;
        self.process
            .await_ready(Instant::now() + self.longest, &Uninterrupted)?;
        let search = self
            .process
            .search(command, "", self.longest, &Uninterrupted);
        Ok(search.answer?.info.and_then(|info| info.score))
    }

    /// Ends the engine.
    pub fn quit(self) {
        self.process.quit();
    }
}
