//! Clocks and search: what the comments say each engine spent.

use crate::notation::Thought;

/// What one engine spent over the moves it thought about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Instrument {
    /// Moves whose comment has a node count.
    pub moves: u64,
    /// Nodes over those moves.
    pub nodes: u64,
    /// Seconds charged for those moves.
    pub seconds: f64,
    /// The least time ever left on the clock, in seconds; `None` where no comment tells.
    pub least_time_left: Option<f64>,
}

impl Instrument {
    /// Nodes a second; nought where no second was counted.
    #[must_use]
    pub fn nodes_per_second(&self) -> f64 {
        if self.seconds > 0.0 {
            self.nodes as f64 / self.seconds
        } else {
            0.0
        }
    }
}

/// The same, in whole nanoseconds: sums do not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    moves: u64,
    nodes: u64,
    nanos: u64,
    least_left: Option<u64>,
}

impl Spent {
    pub(super) fn add_thought(&mut self, thought: Thought) {
        self.moves += 1;
        self.nodes = self.nodes.saturating_add(thought.nodes);
        self.nanos = self.nanos.saturating_add(thought.spent.unwrap_or(0));
        self.least_left = least(self.least_left, thought.left);
    }

    pub(super) fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.nanos = self.nanos.saturating_add(other.nanos);
        self.least_left = least(self.least_left, other.least_left);
    }

    pub(super) fn instrument(self) -> Instrument {
        let seconds = |nanos: u64| nanos as f64 / 1e9;
        Instrument {
            moves: self.moves,
            nodes: self.nodes,
            seconds: seconds(self.nanos),
            least_time_left: self.least_left.map(seconds),
        }
    }
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
