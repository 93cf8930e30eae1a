//! How many games machines play in an hour.

use crate::notation::TimeControl;

/// Moves of each side that a game's length is reckoned with.
const MOVES: f64 = 68.0;

/// Share of the clock that is used up by then, as engines at fast time controls do.
const USED: f64 = 0.92;

/// Seconds a game takes at a time control, both sides together.
///
/// `2 · 0.92 · (base + 68 · increment)`, the figures fishtest reckons with; base time that comes again counts as
/// often as it comes. Starting engines and building them is not in it.
#[must_use]
pub fn game_seconds(clock: TimeControl) -> f64 {
    let periods = clock
        .moves()
        .map_or(1.0, |moves| (MOVES / f64::from(moves)).max(1.0));
    let base = clock.base().as_secs_f64() * periods;
    2.0 * USED * (base + MOVES * clock.increment().as_secs_f64())
}

/// Machines and what they play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// Jobs that run at once.
    pub jobs: u32,
    /// Games that one job plays in an hour, above nought.
    pub games_per_hour: f64,
}

impl Capacity {
    /// Jobs that each play so many games at once at a time control.
    #[must_use]
    pub fn at(clock: TimeControl, jobs: u32, concurrency: u32) -> Self {
        Self {
            jobs,
            games_per_hour: 3600.0 * f64::from(concurrency) / game_seconds(clock),
        }
    }

    /// Hours that so many pairs take on all jobs together.
    #[must_use]
    pub fn hours(&self, pairs: f64) -> f64 {
        self.job_hours(pairs) / f64::from(self.jobs)
    }

    /// Hours of jobs that so many pairs take, whoever plays them.
    #[must_use]
    pub fn job_hours(&self, pairs: f64) -> f64 {
        2.0 * pairs / self.games_per_hour
    }

    /// Pairs that all jobs play in so many hours.
    #[must_use]
    pub fn pairs(&self, hours: f64) -> f64 {
        hours * f64::from(self.jobs) * self.games_per_hour / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_those_of_fishtest() {
        for (tc, seconds) in [
            ("10+0.1", 30.912),
            ("60+0.6", 185.472),
            ("5+0.05", 15.456),
            ("1+0.01", 3.0912),
        ] {
            let clock: TimeControl = tc.parse().unwrap();
            assert!((game_seconds(clock) - seconds).abs() < 1e-9, "{tc}");
        }
        let capacity = Capacity::at("1+0.01".parse().unwrap(), 20, 3);
        assert!((capacity.games_per_hour - 3_493.788_819_875_775_5).abs() < 1e-9);
        assert!((2.0 * capacity.pairs(6.0) - 419_254.658_385_093_1).abs() < 1e-6);
        assert!((capacity.hours(capacity.pairs(6.0)) - 6.0).abs() < 1e-12);
    }

    #[test]
    fn base_time_that_comes_again_counts_again() {
        let (once, again): (TimeControl, TimeControl) =
            ("60".parse().unwrap(), "34/60".parse().unwrap());
        assert!((game_seconds(again) / game_seconds(once) - 2.0).abs() < 1e-12);
    }
}
