//! An engine's clock and the `go` line made of both.

use std::fmt::Write;
use std::time::Duration;

use shakmaty::{ByColor, Color};

use crate::notation::TimeControl;
use crate::play::{EngineSetup, Limit};

/// How long past its flag a move is still waited for, to be recorded as late.
pub(super) const GRACE: Duration = Duration::from_millis(100);

/// Time of one engine in one game.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    limit: Limit,
    margin: Duration,
    /// What is on the clock before the next move; without a clock, nothing.
    remaining: Duration,
    /// Moves to the next period.
    moves_left: Option<u32>,
    /// Least milliseconds left after a move and before its increment.
    least: Option<i64>,
}

/// What a move cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charge {
    /// The flag stands. Milliseconds left afterwards, increment included; `None` without a clock.
    InTime { left: Option<i64> },
    /// The flag fell so many milliseconds, at least one, before the move came.
    Late { overrun: u64 },
}

impl Clock {
    pub(super) fn new(engine: &EngineSetup) -> Self {
        let limit = engine.limit;
        let base = limit.clock.map(|clock| clock.base() + clock.increment());
        Self {
            limit,
            margin: engine.margin,
            remaining: base.or(limit.movetime).unwrap_or_default(),
            moves_left: limit.clock.and_then(TimeControl::moves),
            least: None,
        }
    }

    const fn runs(&self) -> bool {
        self.limit.clock.is_some() || self.limit.movetime.is_some()
    }

    /// How long a move is waited for at most; `unclocked` when nothing runs.
    pub(super) fn longest_wait(&self, unclocked: Duration) -> Duration {
        if self.runs() {
            self.remaining + self.margin + GRACE
        } else {
            unclocked
        }
    }

    /// Takes the time of a move off.
    ///
    /// The flag is looked at in whole milliseconds, for UCI tells the engine no finer ones, and before a new
    /// period brings its time.
    pub(super) fn charge(&mut self, elapsed: Duration) -> Charge {
        if !self.runs() {
            return Charge::InTime { left: None };
        }
        let left = if elapsed <= self.remaining {
            millis(self.remaining - elapsed)
        } else {
            -millis(elapsed - self.remaining)
        };
        self.least = Some(self.least.map_or(left, |least| least.min(left)));
        if left + millis(self.margin) < 0 {
            let overrun = left.unsigned_abs();
            return Charge::Late { overrun };
        }
        self.remaining = self.remaining.saturating_sub(elapsed);
        self.next_move();
        Charge::InTime {
            left: Some(self.left_to_show(left)),
        }
    }

    fn left_to_show(&self, before: i64) -> i64 {
        match self.limit.clock {
            Some(_) => millis(self.remaining),
            None => before.max(0),
        }
    }

    fn next_move(&mut self) {
        let Some(clock) = self.limit.clock else {
            self.remaining = self.limit.movetime.unwrap_or_default();
            return;
        };
        if let Some(left) = &mut self.moves_left {
            *left -= 1;
            if *left == 0 {
                self.remaining += clock.base();
                self.moves_left = clock.moves();
            }
        }
        self.remaining += clock.increment();
    }

    /// Milliseconds by which `elapsed` goes beyond the clock; `None` when nothing runs.
    pub(super) fn overrun(&self, elapsed: Duration) -> Option<u64> {
        let beyond = elapsed.saturating_sub(self.remaining).as_millis();
        self.runs()
            .then(|| u64::try_from(beyond).unwrap_or(u64::MAX))
    }

    /// Least milliseconds that were ever left after a move, before its increment; negative once the flag fell.
    pub(super) const fn least(&self) -> Option<i64> {
        self.least
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Appends `go …` for the side to move: nodes and depth first, then the move's time or the clocks.
pub(super) fn write_go(text: &mut String, clocks: &ByColor<Clock>, mover: Color) {
    put_go(text, clocks, mover).expect("a string takes all text");
}

fn put_go(text: &mut String, clocks: &ByColor<Clock>, mover: Color) -> std::fmt::Result {
    let own = clocks.get(mover);
    text.push_str("go");
    if let Some(nodes) = own.limit.nodes {
        write!(text, " nodes {nodes}")?;
    }
    if let Some(depth) = own.limit.depth {
        write!(text, " depth {depth}")?;
    }
    if let Some(movetime) = own.limit.movetime {
        write!(text, " movetime {}", movetime.as_millis())?;
    } else if own.limit.clock.is_some() {
        put_clocks(text, clocks)?;
        if let Some(moves) = own.moves_left {
            write!(text, " movestogo {moves}")?;
        }
    }
    text.push('\n');
    Ok(())
}

fn put_clocks(text: &mut String, clocks: &ByColor<Clock>) -> std::fmt::Result {
    for (name, clock) in [("wtime", &clocks.white), ("btime", &clocks.black)] {
        if clock.limit.clock.is_some() {
            write!(text, " {name} {}", clock.remaining.as_millis())?;
        }
    }
    for (name, clock) in [("winc", &clocks.white), ("binc", &clocks.black)] {
        let increment = clock.limit.clock.map(TimeControl::increment);
        if let Some(increment) = increment.filter(|increment| !increment.is_zero()) {
            write!(text, " {name} {}", increment.as_millis())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn clock(control: &str, margin: u64) -> Clock {
        let limit = Limit {
            clock: Some(control.parse().unwrap()),
            ..Limit::default()
        };
        limited(limit, margin)
    }

    fn limited(limit: Limit, margin: u64) -> Clock {
        Clock::new(&EngineSetup {
            name: String::new(),
            command: "engine".into(),
            arguments: Vec::new(),
            directory: None,
            limit,
            margin: ms(margin),
            options: Vec::new(),
            restart: false,
        })
    }

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn go(white: Clock, black: Clock, mover: Color) -> String {
        let mut text = String::new();
        write_go(&mut text, &ByColor { white, black }, mover);
        text
    }

    #[test]
    fn the_increment_is_there_from_the_start() {
        let mut clock = clock("10+0.1", 0);
        let text = go(clock.clone(), clock.clone(), Color::White);
        assert_eq!(text, "go wtime 10100 btime 10100 winc 100 binc 100\n");
        assert_eq!(clock.charge(ms(600)), Charge::InTime { left: Some(9600) });
        assert_eq!(clock.least(), Some(9500));
    }

    #[test]
    fn periods_count_down_and_start_again_after_the_flag() {
        let mut clock = clock("2/1+0.5", 0);
        let text = go(clock.clone(), clock.clone(), Color::Black);
        assert_eq!(
            text,
            "go wtime 1500 btime 1500 winc 500 binc 500 movestogo 2\n"
        );
        assert_eq!(clock.charge(ms(1500)), Charge::InTime { left: Some(500) });
        assert_eq!(clock.moves_left, Some(1));
        // The last move of the period: its time does not help this move.
        assert_eq!(clock.clone().charge(ms(501)), Charge::Late { overrun: 1 });
        assert_eq!(clock.charge(ms(500)), Charge::InTime { left: Some(1500) });
        assert_eq!(clock.moves_left, Some(2));
    }

    #[test]
    fn nodes_and_depth_stand_first() {
        let limit = Limit {
            clock: Some("1".parse().unwrap()),
            nodes: Some(5),
            depth: Some(3),
            ..Limit::default()
        };
        let both = limited(limit, 0);
        let nodes = Limit {
            nodes: Some(7),
            ..Limit::default()
        };
        let nodes = limited(nodes, 0);
        let text = go(both.clone(), nodes.clone(), Color::White);
        assert_eq!(text, "go nodes 5 depth 3 wtime 1000\n");
        assert_eq!(go(both, nodes, Color::Black), "go nodes 7\n");
    }

    #[test]
    fn a_movetime_is_full_again_each_move() {
        let limit = Limit {
            movetime: Some(ms(20)),
            ..Limit::default()
        };
        let mut clock = limited(limit, 5);
        let text = go(clock.clone(), clock.clone(), Color::White);
        assert_eq!(text, "go movetime 20\n");
        assert_eq!(clock.charge(ms(12)), Charge::InTime { left: Some(8) });
        assert_eq!(clock.charge(ms(25)), Charge::InTime { left: Some(0) });
        assert_eq!(clock.charge(ms(26)), Charge::Late { overrun: 6 });
        assert_eq!(clock.least(), Some(-6));
        assert_eq!(clock.longest_wait(Duration::ZERO), ms(125));
    }

    #[test]
    fn less_than_a_millisecond_is_forgiven() {
        let mut clock = clock("1", 0);
        let charge = clock.charge(Duration::from_micros(1_000_999));
        assert_eq!(charge, Charge::InTime { left: Some(0) });
        assert_eq!(clock.charge(ms(1)), Charge::Late { overrun: 1 });
    }

    #[test]
    fn without_a_clock_nothing_is_charged() {
        let mut clock = limited(Limit::default(), 0);
        assert_eq!(clock.charge(ms(9999)), Charge::InTime { left: None });
        assert_eq!(clock.overrun(ms(9999)), None);
        assert_eq!(clock.longest_wait(ms(7)), ms(7));
    }

    proptest! {
        #[test]
        fn time_adds_up(moves in prop::collection::vec(0_u64..900, 1..30)) {
            let mut clock = clock("10+0.05", 0);
            let mut left = 10_050_i64;
            for spent in moves {
                left -= i64::try_from(spent).unwrap();
                match clock.charge(ms(spent)) {
                    Charge::InTime { left: told } => {
                        left += 50;
                        prop_assert_eq!(told, Some(left));
                    }
                    Charge::Late { overrun } => {
                        prop_assert_eq!(overrun, left.unsigned_abs());
                        prop_assert!(left < 0);
                        break;
                    }
                }
            }
        }
    }
}
