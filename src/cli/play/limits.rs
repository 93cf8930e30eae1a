//! How long engines may think.

use std::time::Duration;

use clap::Args;

use crate::notation::TimeControl;
use crate::play::{Limit, Waits};

/// Limits for both engines. At least one is needed here or with each engine.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits for both engines")]
pub(super) struct LimitArgs {
    /// Time control [MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 10+0.1 or 40/60+0.5
    #[arg(long, value_name = "TC", conflicts_with = "movetime")]
    tc: Option<TimeControl>,
    /// Seconds a move
    #[arg(long, value_name = "SECONDS", value_parser = super::spec::time_per_move)]
    movetime: Option<Duration>,
    /// Nodes a move; may stand beside a clock
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies a move; may stand beside a clock
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds past its flag that an engine is forgiven
    #[arg(long, value_name = "MS", default_value = "0", value_parser = milliseconds)]
    margin: Duration,
    /// Longest waits in seconds: for uciok (startup), after ucinewgame (new-game), for readyok (ready), for a move
    /// without a clock (move), for the end of an engine (quit)
    #[arg(
        long,
        value_name = "NAME=SECONDS,…",
        value_parser = waits,
        default_value = "startup=10,new-game=60,ready=60,move=60,quit=2"
    )]
    waits: Waits,
}

impl LimitArgs {
    /// The limit of an engine with limits of its own: a clock or a time per move replaces the one for both, so
    /// do nodes and depth.
    pub(super) fn of_engine(&self, own: Limit) -> Limit {
        let timed = own.clock.is_some() || own.movetime.is_some();
        let (clock, movetime) = if timed {
            (own.clock, own.movetime)
        } else {
            (self.tc, self.movetime)
        };
        Limit {
            clock,
            movetime,
            nodes: own.nodes.or(self.nodes),
            depth: own.depth.or(self.depth),
        }
    }

    pub(super) const fn margin(&self) -> Duration {
        self.margin
    }

    pub(super) const fn waits(&self) -> Waits {
        self.waits
    }
}

/// Reads `startup=10,quit=2`; a wait that is not named keeps its default.
fn waits(text: &str) -> Result<Waits, String> {
    let mut waits = Waits::default();
    for item in text.split(',') {
        let (name, value) = item.split_once('=').unwrap_or((item, ""));
        let wait = match name {
            "startup" => &mut waits.startup,
            "new-game" => &mut waits.new_game,
            "ready" => &mut waits.ready,
            "move" => &mut waits.unclocked_move,
            "quit" => &mut waits.quit,
            _ => {
                return Err(format!(
                    "there is no wait `{name}`: startup, new-game, ready, move, quit"
                ));
            }
        };
        *wait = super::spec::time_per_move(value)?;
    }
    Ok(waits)
}

/// A time as milliseconds in an argument.
fn milliseconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .map(Duration::from_millis)
        .map_err(|_| "write a whole number of milliseconds".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(tc: Option<&str>, nodes: Option<u64>) -> LimitArgs {
        LimitArgs {
            tc: tc.map(|text| text.parse().unwrap()),
            movetime: None,
            nodes,
            depth: None,
            margin: Duration::ZERO,
            waits: Waits::default(),
        }
    }

    #[test]
    fn an_engines_own_clock_replaces_the_one_for_both() {
        let common = both(Some("10+0.1"), Some(5000));
        let none = Limit::default();
        assert_eq!(common.of_engine(none).clock.unwrap().to_string(), "10+0.1");
        let own = Limit {
            movetime: Some(Duration::from_millis(50)),
            ..none
        };
        let merged = common.of_engine(own);
        assert_eq!((merged.clock, merged.movetime), (None, own.movetime));
        assert_eq!(merged.nodes, Some(5000));
        let own = Limit {
            nodes: Some(1),
            ..none
        };
        assert_eq!(common.of_engine(own).nodes, Some(1));
    }

    #[test]
    fn waits_are_named() {
        let read = waits("ready=0.5,quit=1").unwrap();
        assert_eq!(read.ready, Duration::from_millis(500));
        assert_eq!(read.quit, Duration::from_secs(1));
        assert_eq!(read.startup, Waits::default().startup);
        for text in ["", "ready", "ready=", "ready=-1", "redy=1", "ready=1,"] {
            assert!(waits(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_defaults_on_the_command_line_are_the_defaults() {
        let shown = "startup=10,new-game=60,ready=60,move=60,quit=2";
        assert_eq!(waits(shown).unwrap(), Waits::default());
    }
}
