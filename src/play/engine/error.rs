//! Why an engine cannot play.

use std::path::PathBuf;
use std::time::Duration;

use crate::notation::uci::WrongValue;

/// Why an engine cannot be told something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// It offers no such option.
    #[error("there is no option `{name}`{}", suggestion(close))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Names it may have been meant for.
        close: Vec<String>,
    },
    /// The option does not take the value.
    #[error(transparent)]
    Value(#[from] WrongValue),
}

fn suggestion(close: &[String]) -> String {
    if close.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = close.iter().map(|name| format!("`{name}`")).collect();
    format!("; did you mean {}?", quoted.join(" or "))
}

/// Why an engine could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The system did not start the program.
    #[error("{engine}: cannot start `{}`; check the path and that it may be run", command.display())]
    Spawn {
        /// Name of the engine.
        engine: String,
        /// The program.
        command: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It lives and did not greet.
    #[error(
        "{engine}: `{}` did not answer `uci` with `uciok` within {} ms{last}; is it a UCI engine?",
        command.display(), waited.as_millis()
    )]
    NoAnswer {
        /// Name of the engine.
        engine: String,
        /// The program.
        command: PathBuf,
        /// How long was waited.
        waited: Duration,
        /// What it said last, made harmless.
        last: String,
    },
    /// It ended before it greeted.
    #[error(
        "{engine}: `{}` ended before it said `uciok` ({end}){last}; start it by hand and type `uci`",
        command.display()
    )]
    Ended {
        /// Name of the engine.
        engine: String,
        /// The program.
        command: PathBuf,
        /// How it ended.
        end: String,
        /// What it said last, made harmless.
        last: String,
    },
    /// An option it does not offer or a value it does not take.
    #[error("{engine}: {source}")]
    Option {
        /// Name of the engine.
        engine: String,
        /// Which.
        source: OptionError,
    },
    /// The run was stopped meanwhile.
    #[error("{engine}: stopped while it was started")]
    Interrupted {
        /// Name of the engine.
        engine: String,
    },
}

impl StartError {
    /// Whether another try may go better and costs little: it was not for a wrong path or option, nor a long wait.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Ended { .. } => true,
            Self::NoAnswer { .. }
            | Self::Spawn { .. }
            | Self::Option { .. }
            | Self::Interrupted { .. } => false,
        }
    }
}
