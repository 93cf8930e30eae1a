//! Whole sequential tests played out with random pairs.

use std::num::NonZeroU64;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{Correction, LOOK, PairChances, Pentanomial, Sampler, Sprt, Unfittable, Verdict, Walk};

/// When the pairs of a batch are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Once, when the batch is complete, by the totals of the test.
    Totals,
    /// In their fixed order, every few of them: the first look beyond a bound decides.
    Ordered,
}

/// How a test is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    /// Hypotheses and error rates.
    pub test: Sprt,
    /// When it is judged.
    pub rule: Rule,
    /// Pairs from one look to the next under [`Rule::Ordered`]; a batch's end is a look, too.
    pub look: NonZeroU64,
    /// Pairs that are played in one go, which is all of them even if an early one decides. `None` when the test is
    /// stopped the moment it is decided; it is then judged every [`Design::look`] pairs under either rule.
    pub batch: Option<NonZeroU64>,
    /// Whether bounds make up for steps over them.
    pub correction: Correction,
    /// Pairs after which no further batch is begun.
    pub cap: Option<NonZeroU64>,
}

impl Design {
    /// The test as it is run by default under a rule: ordered ones look every 8 pairs with the correction on.
    #[must_use]
    pub fn new(test: Sprt, rule: Rule) -> Self {
        Self {
            test,
            rule,
            look: NonZeroU64::new(LOOK).expect("it is not nought"),
            batch: None,
            correction: match rule {
                Rule::Totals => Correction::Off,
                Rule::Ordered => Correction::Dynamic,
            },
            cap: None,
        }
    }

    /// How the pairs of one batch are divided by looks: so many stretches of so many pairs, and a last shorter one.
    fn stretches(&self) -> (u64, u64, u64) {
        let look = self.look.get();
        match (self.batch, self.rule) {
            (None, Rule::Totals | Rule::Ordered) => (1, look, 0),
            (Some(batch), Rule::Totals) => (1, batch.get(), 0),
            (Some(batch), Rule::Ordered) => (batch.get() / look, look, batch.get() % look),
        }
    }
}

/// How one test went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// What it decided.
    pub verdict: Verdict,
    /// Pairs until it was decided, or all of them.
    pub judged: u64,
    /// Pairs played, with those of the last batch that came after the decision.
    pub played: u64,
}

/// A design with its random pairs.
#[derive(Clone, Debug)]
pub struct Trial {
    design: Design,
    stretches: u64,
    full: Sampler,
    rest: Option<Sampler>,
}

impl Trial {
    /// Tests of a design, when pairs have these chances.
    #[must_use]
    pub fn new(design: Design, chances: &PairChances) -> Self {
        let (stretches, full, rest) = design.stretches();
        Self {
            design,
            stretches,
            full: Sampler::new(chances, full),
            rest: (rest > 0).then(|| Sampler::new(chances, rest)),
        }
    }

    /// Plays one test.
    ///
    /// # Errors
    ///
    /// As [`Sprt::llr`].
    pub fn play(&self, rng: &mut impl Rng) -> Result<Course, Unfittable> {
        let Design {
            test, correction, ..
        } = self.design;
        let most = self.design.cap.map_or(u64::MAX, NonZeroU64::get);
        let mut walk = Walk::new(test, correction, Pentanomial::default())?;
        loop {
            self.batch(&mut walk, rng)?;
            let played = walk.pairs().pairs();
            let course = |verdict, judged| Course {
                verdict,
                judged,
                played: self.whole_batches(judged),
            };
            if let Some(crossing) = walk.crossing() {
                return Ok(course(crossing.verdict, crossing.pairs.pairs()));
            }
            if played >= most {
                return Ok(course(Verdict::Inconclusive, played));
            }
        }
    }

    /// One batch, or what of it comes before the decision.
    fn batch(&self, walk: &mut Walk, rng: &mut impl Rng) -> Result<(), Unfittable> {
        match (self.design.batch, self.design.rule) {
            (Some(_), Rule::Ordered) => walk.begin_batch(),
            // Judged once, a batch has no inside to learn from.
            (Some(_), Rule::Totals) | (None, _) => {}
        }
        for _ in 0..self.stretches {
            if walk.look(self.full.draw(rng))? != Verdict::Inconclusive {
                return Ok(());
            }
        }
        if let Some(rest) = &self.rest {
            walk.look(rest.draw(rng))?;
        }
        Ok(())
    }

    fn whole_batches(&self, pairs: u64) -> u64 {
        match self.design.batch {
            None => pairs,
            Some(batch) => pairs.next_multiple_of(batch.get()),
        }
    }

    /// Plays so many tests, on all cores. Test number `n` has its own stream of the seeded generator, so the answer
    /// depends neither on their number nor on the cores'. `done` is told of every finished one, from any thread.
    ///
    /// # Errors
    ///
    /// As [`Sprt::llr`].
    pub fn play_many(
        &self,
        tests: u64,
        seed: u64,
        done: &(dyn Fn(&Course) + Sync),
    ) -> Result<Vec<Course>, Unfittable> {
        let generator = ChaCha8Rng::seed_from_u64(seed);
        let play = |test: u64| {
            let mut rng = generator.clone();
            rng.set_stream(test);
            self.play(&mut rng).inspect(done)
        };
        (0..tests).into_par_iter().map(play).collect()
    }
}

/// A share of many, with its binomial standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// 0 to 1.
    pub share: f64,
    /// Standard error.
    pub error: f64,
}

impl Rate {
    fn of(part: usize, whole: usize) -> Self {
        let share = part as f64 / whole as f64;
        Self {
            share,
            error: (share * (1.0 - share) / whole as f64).sqrt(),
        }
    }
}

/// What lengths came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lengths {
    /// Mean number of pairs.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// Number of pairs that 10, 50, 90 and 99 of a hundred tests stay within.
    pub quantiles: [u64; 4],
}

impl Lengths {
    fn of(mut pairs: Vec<u64>) -> Self {
        pairs.sort_unstable();
        let n = pairs.len() as f64;
        let mean = pairs.iter().map(|&pairs| pairs as f64).sum::<f64>() / n;
        let squares: f64 = pairs
            .iter()
            .map(|&pairs| (pairs as f64 - mean).powi(2))
            .sum();
        let last = pairs.len() - 1;
        let at = |percent: usize| {
            pairs[(pairs.len() * percent)
                .div_ceil(100)
                .saturating_sub(1)
                .min(last)]
        };
        Self {
            mean,
            error: (squares / (n - 1.0).max(1.0) / n).sqrt(),
            quantiles: [at(10), at(50), at(90), at(99)],
        }
    }
}

/// What many tests came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// How many.
    pub tests: u64,
    /// Share that passed.
    pub passed: Rate,
    /// Share that failed.
    pub failed: Rate,
    /// Share that met the cap undecided.
    pub inconclusive: Rate,
    /// Pairs until the decision.
    pub judged: Lengths,
    /// Pairs played.
    pub played: Lengths,
}

impl Simulated {
    /// Sums tests up; `None` without any.
    #[must_use]
    pub fn of(courses: &[Course]) -> Option<Self> {
        if courses.is_empty() {
            return None;
        }
        let rate = |verdict| {
            let part = courses.iter().filter(|course| course.verdict == verdict);
            Rate::of(part.count(), courses.len())
        };
        Some(Self {
            tests: courses.len() as u64,
            passed: rate(Verdict::Passed),
            failed: rate(Verdict::Failed),
            inconclusive: rate(Verdict::Inconclusive),
            judged: Lengths::of(courses.iter().map(|course| course.judged).collect()),
            played: Lengths::of(courses.iter().map(|course| course.played).collect()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Conditions, Difference, Model};

    fn trial(design: Design, elo: f64) -> Trial {
        let model = Model::Normalized;
        let chances = Conditions::games(0.5, 60.0).unwrap();
        Trial::new(design, &chances.at(Difference { model, elo }).unwrap())
    }

    fn design(rule: Rule, batch: u64) -> Design {
        let test = Sprt::new(Model::Normalized, 0.0, 40.0, 0.05, 0.05).unwrap();
        let batch = NonZeroU64::new(batch);
        Design {
            batch,
            ..Design::new(test, rule)
        }
    }

    fn courses(design: Design, tests: u64) -> Vec<Course> {
        trial(design, 10.0).play_many(tests, 7, &|_| {}).unwrap()
    }

    #[test]
    fn a_seed_gives_the_same_tests_however_many() {
        let few = courses(design(Rule::Ordered, 0), 20);
        let many = courses(design(Rule::Ordered, 0), 40);
        assert_eq!(few, many[..20]);
        let mut distinct: Vec<u64> = many.iter().map(|course| course.judged).collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert!(distinct.len() > 10, "streams differ: {distinct:?}");
    }

    #[test]
    fn whole_batches_are_played() {
        for course in courses(design(Rule::Ordered, 100), 50) {
            assert_eq!(course.played % 100, 0);
            assert!(course.judged <= course.played && course.played < course.judged + 100);
            let within = course.judged % 100;
            assert!(
                within % 8 == 0 || within == 0,
                "a look every 8 pairs and at the end: {within}"
            );
        }
        for course in courses(design(Rule::Totals, 100), 50) {
            assert_eq!((course.judged, course.judged % 100), (course.played, 0));
        }
    }

    #[test]
    fn a_cap_ends_a_test_at_the_end_of_a_batch() {
        let cap = NonZeroU64::new(150);
        let capped = courses(
            Design {
                cap,
                ..design(Rule::Totals, 100)
            },
            50,
        );
        assert!(capped.iter().all(|course| course.played <= 200));
        let simulated = Simulated::of(&capped).unwrap();
        assert!(simulated.inconclusive.share > 0.3);
        let all = simulated.passed.share + simulated.failed.share + simulated.inconclusive.share;
        assert!((all - 1.0).abs() < 1e-12);
    }

    #[test]
    fn lengths_are_summed_up() {
        let lengths = Lengths::of((1..=100).rev().collect());
        assert_eq!(lengths.quantiles, [10, 50, 90, 99]);
        assert_eq!(lengths.mean, 50.5);
        assert!((lengths.error - 2.901_15).abs() < 1e-4);
        assert_eq!(Lengths::of(vec![3]).quantiles, [3; 4]);
    }
}
