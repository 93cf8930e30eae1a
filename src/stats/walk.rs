//! A sequential test walked along pairs in a fixed order, with a look every few of them.

use super::{Pentanomial, RunningRatio, Sprt, Unfittable, Verdict};

/// Pairs from one look to the next, by convention.
pub const LOOK: u64 = 8;

/// How far a ratio is expected to step over the bounds, learnt from the test itself.
///
/// Wald's bounds are for a ratio that meets them exactly. One that moves in steps ends beyond them, on average
/// by `E J² / 2 E J`, with `J` the jumps from one record of the walk to the next, in the direction of the
/// bound (Siegmund, *Sequential Analysis*, 1985, corollary 8.33). Each bound is moved inwards by that, with
/// the means taken over the records so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overshoot {
    low: Records,
    high: Records,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Records {
    record: f64,
    jumps: f64,
    squares: f64,
}

impl Records {
    const fn from(record: f64) -> Self {
        Self {
            record,
            jumps: 0.0,
            squares: 0.0,
        }
    }

    fn jump_to(&mut self, record: f64) {
        let jump = (record - self.record).abs();
        self.jumps += jump;
        self.squares += jump * jump;
        self.record = record;
    }

    /// Nought before the first jump.
    fn excess(&self) -> f64 {
        if self.jumps == 0.0 {
            0.0
        } else {
            self.squares / self.jumps / 2.0
        }
    }
}

impl Overshoot {
    /// For a walk that starts at this ratio: nought, or what earlier batches came to.
    #[must_use]
    pub const fn from(llr: f64) -> Self {
        Self {
            low: Records::from(llr),
            high: Records::from(llr),
        }
    }

    /// Notes the ratio at a look.
    pub fn look(&mut self, llr: f64) {
        if llr < self.low.record {
            self.low.jump_to(llr);
        }
        if llr > self.high.record {
            self.high.jump_to(llr);
        }
    }

    /// What the lower bound is to be raised by, and the upper one lowered.
    #[must_use]
    pub fn corrections(&self) -> (f64, f64) {
        (self.low.excess(), self.high.excess())
    }
}

/// Whether bounds are moved to make up for the steps of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// Wald's bounds as they are.
    Off,
    /// Moved by [`Overshoot`].
    Dynamic,
}

/// The look at which a walk met a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// What it decides: passed or failed.
    pub verdict: Verdict,
    /// The pairs counted by then, carried ones included.
    pub pairs: Pentanomial,
    /// The ratio then.
    pub llr: f64,
}

/// A test on its way through the pairs; the first look beyond a bound decides it, whatever follows.
///
/// ```
/// use mache::stats::{Correction, Model, Pentanomial, Sprt, Walk};
///
/// let test = Sprt::new(Model::Logistic, 0.0, 50.0, 0.05, 0.05)?;
/// let mut walk = Walk::new(test, Correction::Dynamic, Pentanomial::default())?;
/// for _ in 0..30 {
///     walk.look(Pentanomial::new([0, 1, 3, 2, 2]))?;
/// }
/// assert_eq!(walk.crossing().map(|crossing| crossing.pairs.pairs()), Some(24));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walk {
    test: Sprt,
    correction: Correction,
    ratio: RunningRatio,
    bounds: (f64, f64),
    pairs: Pentanomial,
    llr: f64,
    overshoot: Overshoot,
    crossing: Option<Crossing>,
}

impl Walk {
    /// A walk that goes on from the pairs of earlier batches, which have not decided.
    ///
    /// # Errors
    ///
    /// As [`Sprt::llr`], for the carried pairs.
    pub fn new(
        test: Sprt,
        correction: Correction,
        carried: Pentanomial,
    ) -> Result<Self, Unfittable> {
        let mut ratio = RunningRatio::new(test);
        let llr = if carried == Pentanomial::default() {
            0.0
        } else {
            ratio.llr(carried)?
        };
        Ok(Self {
            test,
            correction,
            ratio,
            bounds: test.bounds(),
            pairs: carried,
            llr,
            overshoot: Overshoot::from(llr),
            crossing: None,
        })
    }

    /// Begins a batch: what the walk has learnt about its steps is forgotten, as only five counts are carried over a
    /// border.
    pub fn begin_batch(&mut self) {
        self.overshoot = Overshoot::from(self.llr);
    }

    /// Adds the pairs played since the last look and looks. After a crossing they only add up.
    ///
    /// # Errors
    ///
    /// As [`Sprt::llr`].
    pub fn look(&mut self, more: Pentanomial) -> Result<Verdict, Unfittable> {
        self.pairs += more;
        if let Some(crossing) = self.crossing {
            return Ok(crossing.verdict);
        }
        self.llr = self.ratio.llr(self.pairs)?;
        let verdict = self.judge();
        if verdict != Verdict::Inconclusive {
            self.crossing = Some(Crossing {
                verdict,
                pairs: self.pairs,
                llr: self.llr,
            });
        }
        Ok(verdict)
    }

    fn judge(&mut self) -> Verdict {
        let (mut lower, mut upper) = self.bounds;
        match self.correction {
            Correction::Off => {}
            Correction::Dynamic => {
                self.overshoot.look(self.llr);
                let (low, high) = self.overshoot.corrections();
                lower += low;
                upper -= high;
            }
        }
        if self.llr >= upper {
            Verdict::Passed
        } else if self.llr <= lower {
            Verdict::Failed
        } else {
            Verdict::Inconclusive
        }
    }

    /// The test that is walked.
    #[must_use]
    pub const fn test(&self) -> &Sprt {
        &self.test
    }

    /// All pairs so far, carried ones and those after a crossing included.
    #[must_use]
    pub const fn pairs(&self) -> Pentanomial {
        self.pairs
    }

    /// The ratio at the last look before or at the crossing.
    #[must_use]
    pub const fn llr(&self) -> f64 {
        self.llr
    }

    /// Where the walk stands with its bounds' corrections; see [`Overshoot`].
    #[must_use]
    pub const fn overshoot(&self) -> &Overshoot {
        &self.overshoot
    }

    /// The look that decided; `None` while none has.
    #[must_use]
    pub const fn crossing(&self) -> Option<&Crossing> {
        self.crossing.as_ref()
    }
}

/// Walks a batch: its pairs one by one in their fixed order, a look after every `every` of them and after the last.
///
/// # Errors
///
/// As [`Sprt::llr`].
pub fn walk_batch(
    walk: &mut Walk,
    every: u64,
    pairs: impl IntoIterator<Item = Pentanomial>,
) -> Result<(), Unfittable> {
    walk.begin_batch();
    let mut since = Pentanomial::default();
    for pair in pairs {
        since += pair;
        if since.pairs() >= every {
            walk.look(std::mem::take(&mut since))?;
        }
    }
    if since.pairs() > 0 {
        walk.look(since)?;
    }
    Ok(())
}
