//! How much stronger the candidate is: all figures of a match, worked out once and placed by the renderers.

mod document;
mod homogeneity;
mod homogeneity_document;
mod lines;
mod markdown;
mod recount;
mod sequential;
mod sequential_document;
mod test_sentences;

use crate::games::{Instrument, Pool, Shard};
use crate::report::endings::EndingsTable;
use crate::stats::{AnytimeInterval, Estimate, Pentanomial, Sprt, Unfittable, Verdict};
use homogeneity::Agreement;
pub(super) use recount::{Judged, Recount};
pub use sequential::Judging;
use sequential::TestFigures;

/// Who played whom and at what time control, as the person who asks calls them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchNames {
    /// The engine under test; every score is from its side.
    pub candidate: String,
    /// What it was measured against. Recorded only.
    pub baseline: String,
    /// The time control. Recorded only; may be empty.
    pub tc: String,
}

/// A sequential test, and the pairs it counted before these games.
#[derive(Clone, Debug)]
pub struct RunningTest {
    /// The hypotheses and error rates.
    pub sprt: Sprt,
    /// Pairs of the earlier batches.
    pub prior: Pentanomial,
    /// How these games are judged.
    pub judging: Judging,
}

/// Everything a match's games say, ready to be placed.
#[derive(Clone, Debug)]
pub struct MatchReport {
    names: MatchNames,
    games: u64,
    /// Points over games, games without a partner included; nought when there are no games.
    score: f64,
    unpaired: u64,
    unfinished: u64,
    pairs: Pentanomial,
    estimate: Estimate,
    /// Over all pairs there are, those of earlier batches included; `None` when it was not asked for.
    anytime: Option<AnytimeInterval>,
    test: Option<TestFigures>,
    shards: Vec<ShardRow>,
    agreement: Agreement,
    faults: u64,
    endings: EndingsTable,
    instruments: Vec<InstrumentRow>,
    comparison: Option<Comparison>,
    remarks: Vec<String>,
}

/// One shard's share.
#[derive(Clone, Debug)]
struct ShardRow {
    name: String,
    index: Option<u64>,
    games: u64,
    points: f64,
    score: f64,
    pairs: u64,
    unpaired: u64,
    unfinished: u64,
    faults: u64,
}

/// What one engine's clock and search did, over the moves it thought about.
#[derive(Clone, Debug)]
struct InstrumentRow {
    name: String,
    moves: u64,
    nodes: u64,
    seconds: f64,
    /// Nodes a second; nought where no time was recorded.
    rate: f64,
    least_time_left: Option<f64>,
}

/// The first of two engines as a multiple of the second.
#[derive(Clone, Debug)]
struct Comparison {
    time: f64,
    nodes: f64,
    rate: f64,
}

impl MatchReport {
    /// Works out every figure of the report.
    ///
    /// # Errors
    /// When no distribution of pair scores meets a hypothesis of the test.
    pub fn new(
        pool: &Pool,
        names: MatchNames,
        test: Option<RunningTest>,
    ) -> Result<Self, Unfittable> {
        let pairs = pool.pentanomial();
        let test = test.map(|test| TestFigures::new(test, pairs)).transpose()?;
        Ok(Self::with(pool, names, test))
    }

    fn with(pool: &Pool, names: MatchNames, test: Option<TestFigures>) -> Self {
        let pairs = pool.pentanomial();
        let shards: Vec<ShardRow> = pool.shards.iter().map(ShardRow::new).collect();
        let instruments: Vec<InstrumentRow> =
            pool.instruments().iter().map(InstrumentRow::new).collect();
        Self {
            names,
            games: pool.games(),
            score: share(pool.points(), pool.games()),
            unpaired: pool.unpaired(),
            unfinished: pool.unfinished(),
            pairs,
            estimate: Estimate::of(pairs),
            anytime: None,
            test,
            faults: shards.iter().map(|shard| shard.faults).sum(),
            shards,
            agreement: Agreement::new(pool),
            endings: EndingsTable::new(&pool.endings),
            comparison: Comparison::new(&instruments),
            instruments,
            remarks: pool.remarks.clone(),
        }
    }

    /// The same report with the interval that is valid at any time.
    #[must_use]
    pub fn with_anytime_interval(mut self) -> Self {
        let counts = self.test.as_ref().map_or(self.pairs, |test| test.counts);
        self.anytime = Some(AnytimeInterval::of(counts));
        self
    }

    /// What the sequential test decided; `None` without one.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.test.as_ref().map(|test| test.verdict)
    }

    /// The pairs of these games.
    #[must_use]
    pub const fn pairs(&self) -> Pentanomial {
        self.pairs
    }

    /// All pairs of the sequential test, as its next batch has to be told; `None` without a test.
    #[must_use]
    pub fn carried(&self) -> Option<Pentanomial> {
        self.test.as_ref().map(|test| test.counts)
    }

    /// Pairs that an undecided test is still expected to take at the measured strength; `None` when it is decided, or
    /// the pairs show no spread to go by.
    #[must_use]
    pub fn further_pairs(&self) -> Option<f64> {
        let further = self.test.as_ref()?.further.as_ref()?;
        Some(further.measured.played)
    }
}

impl Comparison {
    /// The ratios a reader wants of the first of two engines; `None` for any other number of engines, where the
    /// second's nodes were not recorded, or where the time of either is too short to compare.
    fn new(instruments: &[InstrumentRow]) -> Option<Self> {
        let [first, second] = instruments else {
            return None;
        };
        let comparable = first.timed() && second.timed() && second.nodes > 0;
        comparable.then(|| Self {
            time: first.seconds / second.seconds,
            nodes: share(first.nodes as f64, second.nodes),
            rate: first.rate / second.rate,
        })
    }

    /// Whether the engines searched trees so different that nodes a second do not compare their speed.
    fn different_trees(&self) -> bool {
        !(0.9..=1.1).contains(&self.nodes)
    }
}

/// A part over its whole; nought of nothing.
fn share(part: f64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}

impl ShardRow {
    fn new(shard: &Shard) -> Self {
        Self {
            name: shard.name.clone(),
            index: shard.index,
            games: shard.games,
            points: shard.points,
            score: shard.score().unwrap_or(0.0),
            pairs: shard.pairs.pairs(),
            unpaired: shard.unpaired,
            unfinished: shard.unfinished,
            faults: shard.faults,
        }
    }
}

impl InstrumentRow {
    fn new((name, instrument): &(String, Instrument)) -> Self {
        let Instrument {
            moves,
            nodes,
            seconds,
            least_time_left,
        } = *instrument;
        Self {
            name: name.clone(),
            moves,
            nodes,
            seconds,
            rate: instrument.nodes_per_second(),
            least_time_left,
        }
    }

    /// Whether the time says how fast the engine was. Games are timed in whole milliseconds, rounded down: at less
    /// than one a move the sum is mostly what rounding left of it.
    fn timed(&self) -> bool {
        self.moves > 0 && self.seconds >= 0.001 * self.moves as f64
    }
}
