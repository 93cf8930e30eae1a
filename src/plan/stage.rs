//! Where a run of a workflow stands in a test that may take several of them.

use std::fmt;

/// Batches one run plays at most: a workflow has so many stages.
pub const MOST_BATCHES: u64 = 4;
/// Runs one test takes at most.
pub const MOST_RUNS: u64 = 100;

/// Which of a test's batches a run plays.
///
/// All batches of all runs are reserved in the book from the beginning, so no opening comes twice however far the
/// test goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    batches: u64,
    runs: u64,
    run: u64,
}

/// Why a run has no such place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StageError {
    /// Nothing to play, or more than a workflow has stages.
    #[error(
        "batches has to be 1 to {MOST_BATCHES}, not {0}: for a longer test give max_runs, or carry the pairs on as prior_pairs"
    )]
    Batches(u64),
    /// No run, or more than a test takes.
    #[error("max_runs has to be 1 to {MOST_RUNS}, not {0}")]
    Runs(u64),
    /// Past the last run.
    #[error("run {} is not one of {runs}", run + 1)]
    Run {
        /// Counted from nought.
        run: u64,
        /// How many there are.
        runs: u64,
    },
    /// A batch that begins no run.
    #[error(
        "first_batch {first} begins no run: runs of {batches} batches begin at 0, {batches}, {}, up to {}", 2 * batches, (runs - 1) * batches
    )]
    First {
        /// Counted from nought.
        first: u64,
        /// Batches in a run.
        batches: u64,
        /// Runs of the test.
        runs: u64,
    },
}

impl Stage {
    /// The place of a run, counted from nought, in a test of so many runs with so many batches each.
    ///
    /// # Errors
    /// When a count is out of its range or there is no such run.
    pub const fn of_run(batches: u64, runs: u64, run: u64) -> Result<Self, StageError> {
        if batches == 0 || batches > MOST_BATCHES {
            return Err(StageError::Batches(batches));
        }
        if runs == 0 || runs > MOST_RUNS {
            return Err(StageError::Runs(runs));
        }
        if run >= runs {
            return Err(StageError::Run { run, runs });
        }
        Ok(Self { batches, runs, run })
    }

    /// The place of the run that begins with a batch, counted from nought.
    ///
    /// # Errors
    /// As [`Self::of_run`], and when no run begins with that batch.
    pub fn from_batch(batches: u64, runs: u64, first: u64) -> Result<Self, StageError> {
        let run = first / batches.max(1);
        let stage = Self::of_run(batches, runs, run);
        match stage {
            Ok(stage) if stage.first() == first => Ok(stage),
            Ok(_) | Err(StageError::Run { .. }) => Err(StageError::First {
                first,
                batches,
                runs,
            }),
            Err(error) => Err(error),
        }
    }

    /// Batches this run plays at most, 1 to [`MOST_BATCHES`].
    #[must_use]
    pub const fn batches(self) -> u64 {
        self.batches
    }

    /// Runs of the whole test, 1 to [`MOST_RUNS`].
    #[must_use]
    pub const fn runs(self) -> u64 {
        self.runs
    }

    /// Which run this is, from nought.
    #[must_use]
    pub const fn run(self) -> u64 {
        self.run
    }

    /// This run's first batch in the whole test, from nought.
    #[must_use]
    pub const fn first(self) -> u64 {
        self.run * self.batches
    }

    /// Batches of the whole test.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.runs * self.batches
    }

    /// The place of the run after this one; `None` after the last.
    #[must_use]
    pub const fn next(self) -> Option<Self> {
        let run = self.run + 1;
        if run < self.runs {
            Some(Self { run, ..self })
        } else {
            None
        }
    }
}

/// The first batch and how many there are, counted from one: `batch 5 of 12`.
impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.total() {
            1 => f.write_str("one batch"),
            total => write!(f, "batch {} of {total}", self.first() + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(stage: Result<Stage, StageError>) -> String {
        stage.expect_err("refused").to_string()
    }

    #[test]
    fn what_is_no_place_is_refused() {
        insta::assert_snapshot!(refused(Stage::of_run(5, 1, 0)), @"batches has to be 1 to 4, not 5: for a longer test give max_runs, or carry the pairs on as prior_pairs");
        insta::assert_snapshot!(refused(Stage::of_run(4, 101, 0)), @"max_runs has to be 1 to 100, not 101");
        insta::assert_snapshot!(refused(Stage::of_run(4, 2, 2)), @"run 3 is not one of 2");
        insta::assert_snapshot!(refused(Stage::from_batch(4, 3, 5)), @"first_batch 5 begins no run: runs of 4 batches begin at 0, 4, 8, up to 8");
        insta::assert_snapshot!(refused(Stage::from_batch(4, 3, 12)), @"first_batch 12 begins no run: runs of 4 batches begin at 0, 4, 8, up to 8");
        for stage in [Stage::from_batch(0, 1, 0), Stage::from_batch(1, 0, 0)] {
            refused(stage);
        }
    }

    #[test]
    fn readers_count_from_one() {
        let stage = Stage::of_run(4, 3, 2).expect("a stage");
        assert_eq!(stage.to_string(), "batch 9 of 12");
        assert_eq!(
            Stage::of_run(1, 1, 0).expect("a stage").to_string(),
            "one batch"
        );
    }

    proptest! {
        #[test]
        fn runs_play_every_batch_of_the_test_once(batches in 1..=MOST_BATCHES, runs in 1..=MOST_RUNS) {
            let (mut stage, mut played) = (Stage::of_run(batches, runs, 0).ok(), Vec::new());
            while let Some(run) = stage {
                prop_assert_eq!(Stage::from_batch(batches, runs, run.first()), Ok(run));
                played.extend(run.first()..run.first() + run.batches());
                stage = run.next();
            }
            prop_assert_eq!(played, (0..batches * runs).collect::<Vec<_>>());
        }
    }
}
