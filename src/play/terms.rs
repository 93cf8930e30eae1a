//! Whether two runs belong together: as one run taken up again, or as shards of one match.

use super::manifest::{Engine, Manifest};

impl Manifest {
    /// In what this run differs from an earlier one so that their games do not belong together; empty when the
    /// one can go on with the other.
    ///
    /// The place of the programs, the machine, the concurrency and the cap on time may differ.
    #[must_use]
    pub fn differences(&self, earlier: &Self) -> Vec<String> {
        let mut found = self.other_terms(earlier);
        if self.slice != earlier.slice {
            found.push("the slice of the book".to_owned());
        }
        found
    }

    /// In what this run differs from another so that the two are no shards of one match; empty when they are.
    ///
    /// Beside what [`Self::differences`] allows, the stretch of the book, the shard and the batch may differ.
    #[must_use]
    pub fn foreign_to(&self, other: &Self) -> Vec<String> {
        let mut found = self.other_terms(other);
        let mut note = |what: &str, same: bool| {
            if !same {
                found.push(what.to_owned());
            }
        };
        for (side, new, old) in [
            ("candidate", &self.candidate, &other.candidate),
            ("baseline", &self.baseline, &other.baseline),
        ] {
            note(&format!("the {side}'s commit"), new.commit == old.commit);
        }
        let (new, old) = (&self.slice, &other.slice);
        note("the seed", new.seed == old.seed);
        note("the pairs of a shard", new.pairs == old.pairs);
        note("the number of shards", new.shards == old.shards);
        note("the number of batches", new.batches == old.batches);
        note(
            "the size of the book",
            self.book.openings == other.book.openings,
        );
        note("recovery from faults", self.recover == other.recover);
        found
    }

    /// In what the two differ, their slices aside.
    fn other_terms(&self, earlier: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut note = |what: &str, same: bool| {
            if !same {
                found.push(what.to_owned());
            }
        };
        note(
            "the runner",
            runner_kind(&self.runner) == runner_kind(&earlier.runner),
        );
        note("the book", self.book.sha256 == earlier.book.sha256);
        note("the variant", self.book.variant == earlier.book.variant);
        note("adjudication", self.adjudication == earlier.adjudication);
        for (side, new, old) in [
            ("candidate", &self.candidate, &earlier.candidate),
            ("baseline", &self.baseline, &earlier.baseline),
        ] {
            note(&format!("the {side}'s name"), new.name == old.name);
            note(
                &format!("the {side}'s arguments"),
                new.arguments == old.arguments,
            );
            note(&format!("the {side}'s options"), new.options == old.options);
            note(&format!("the {side}'s limit"), new.limit == old.limit);
            note(
                &format!("the {side}'s margin"),
                new.margin_ms == old.margin_ms,
            );
            note(&format!("the {side}'s program"), same_program(new, old));
        }
        found
    }
}

/// `built-in` or `fastchess`.
fn runner_kind(runner: &str) -> &str {
    runner.split(' ').next().unwrap_or_default()
}

/// By content where both are known, by what they call themselves otherwise.
fn same_program(new: &Engine, old: &Engine) -> bool {
    match (&new.sha256, &old.sha256) {
        (Some(new), Some(old)) => new == old,
        (_, None) | (None, _) => new.id_name == old.id_name,
    }
}

#[cfg(test)]
mod tests {
    use crate::play::manifest::example;

    #[test]
    fn what_may_differ_when_a_run_is_taken_up_again() {
        let mut moved = example();
        moved.candidate.command = "/elsewhere/new".to_owned();
        moved.concurrency = 8;
        moved.max_minutes = Some(5.0);
        moved.runner = "built-in 0.2.0".to_owned();
        assert_eq!(moved.differences(&example()), [""; 0]);
    }

    #[test]
    fn what_makes_games_another_runs() {
        let mut other = example();
        other.candidate.sha256 = Some("22".repeat(32));
        other.baseline.limit.nodes = Some(1000);
        other.slice.first = "41".to_owned();
        other.runner = "fastchess alpha 1.8.2".to_owned();
        assert_eq!(
            other.differences(&example()),
            [
                "the runner",
                "the candidate's program",
                "the baseline's limit",
                "the slice of the book"
            ]
        );
    }

    #[test]
    fn shards_of_one_match_differ_in_their_stretch_alone() {
        let mut shard = example();
        shard.slice.first = "41".to_owned();
        shard.slice.shard = Some("1".to_owned());
        assert_eq!(shard.foreign_to(&example()), [""; 0]);
        shard.slice.seed = Some("7".to_owned());
        shard.candidate.commit = Some("abc".to_owned());
        assert_eq!(
            shard.foreign_to(&example()),
            ["the candidate's commit", "the seed"]
        );
    }
}
