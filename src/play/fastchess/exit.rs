//! What the end of a fastchess process means.

use std::process::ExitStatus;

use super::FastchessError;
use crate::play::Stop;

/// How the process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl From<ExitStatus> for Ended {
    fn from(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        Self::Code(status.code().unwrap_or(-1))
    }
}

/// A fastchess run that is over, as far as its meaning goes.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// How the process ended.
    pub ended: Ended,
    /// What we stopped it for, if we did.
    pub asked: Option<Stop>,
    /// Whether it was to go on after a crash or a stall.
    pub recover: bool,
    /// Games it was to play.
    pub planned: usize,
    /// Games in its PGN.
    pub found: usize,
    /// The end of its output.
    pub last_lines: &'a str,
}

/// Printed before a match without `-recover` ends at a crash or a stall.
const NO_RECOVERY: &str = "no recover option set";

impl Run<'_> {
    /// Why the match ended.
    ///
    /// fastchess exits with 0 even when it could not write its games, so the games decide; and with 1 for a
    /// failure as well as for an interrupt.
    ///
    /// # Errors
    /// When it failed, was killed by somebody else, or left games unplayed or unwritten without a reason.
    pub fn judge(self) -> Result<Stop, FastchessError> {
        match (self.ended, self.asked) {
            (Ended::Code(0), _) if self.found >= self.planned => Ok(Stop::Finished),
            (Ended::Code(0 | 1) | Ended::Signal(_), Some(stop)) => Ok(stop),
            (Ended::Code(0), None) => Err(FastchessError::GamesMissing {
                planned: self.planned,
                found: self.found,
            }),
            (Ended::Code(1), None) if !self.recover && self.last_lines.contains(NO_RECOVERY) => {
                Ok(Stop::Fault)
            }
            (Ended::Code(code), _) => Err(FastchessError::Failed {
                code,
                last_lines: self.last_lines.to_owned(),
            }),
            (Ended::Signal(signal), None) => Err(FastchessError::Killed {
                signal,
                last_lines: self.last_lines.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ended: Ended, asked: Option<Stop>, found: usize) -> Run<'static> {
        Run {
            ended,
            asked,
            recover: true,
            planned: 4,
            found,
            last_lines: "Engine binary does not exist: /nope",
        }
    }

    #[track_caller]
    fn error(run: Run<'_>) -> String {
        run.judge().unwrap_err().to_string()
    }

    #[test]
    fn a_match_that_was_played_out() {
        assert!(matches!(
            run(Ended::Code(0), None, 4).judge(),
            Ok(Stop::Finished)
        ));
        let late = run(Ended::Code(0), Some(Stop::Time), 4);
        assert!(matches!(late.judge(), Ok(Stop::Finished)));
    }

    #[test]
    fn a_match_that_we_stopped() {
        for ended in [
            Ended::Code(1),
            Ended::Code(0),
            Ended::Signal(9),
            Ended::Signal(2),
        ] {
            let stopped = run(ended, Some(Stop::Time), 3).judge();
            assert!(matches!(stopped, Ok(Stop::Time)), "{ended:?}");
        }
        let signalled = run(Ended::Code(1), Some(Stop::Signal), 0).judge();
        assert!(matches!(signalled, Ok(Stop::Signal)));
    }

    #[test]
    fn a_fault_without_recovery() {
        let fault = Run {
            recover: false,
            last_lines: "Game 2 stalled / disconnected and no recover option set for engine, stopping tournament.",
            ..run(Ended::Code(1), None, 1)
        };
        assert!(matches!(fault.judge(), Ok(Stop::Fault)));
    }

    #[test]
    fn failures_say_what_happened() {
        insta::assert_snapshot!(error(run(Ended::Code(0), None, 3)), @"fastchess ended without an error, and of 4 games only 3 are in its PGN: is the disk full, or the folder not to be written?");
        insta::assert_snapshot!(error(run(Ended::Code(1), None, 0)), @"fastchess failed with exit code 1 after printing: Engine binary does not exist: /nope");
        insta::assert_snapshot!(error(run(Ended::Signal(11), None, 2)), @"fastchess was ended by signal 11 after printing: Engine binary does not exist: /nope");
        insta::assert_snapshot!(error(run(Ended::Code(101), Some(Stop::Time), 2)), @"fastchess failed with exit code 101 after printing: Engine binary does not exist: /nope");
    }
}
