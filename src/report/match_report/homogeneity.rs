//! Whether shards, processors and the pairs along the match agree with each other: figures and sentences.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::games::{OrderError, Pool};
use crate::report::escape::inline;
use crate::report::number::{counted, percent, short, tail};
use crate::stats::{
    Drift, Estimate, GroupRow, Homogeneity, NotCompared, Outlier, Pentanomial, ScoreColumns,
};

/// What of a match is compared with what.
#[derive(Clone, Debug)]
pub(super) struct Agreement {
    /// Shards, in their order.
    pub(super) shards: Compared,
    /// CPU models, in the order of their names; none where no manifest names one.
    pub(super) cpus: Compared,
    pub(super) drift: DriftFigures,
}

/// Groups of pairs, and a test of whether they are alike.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub(super) groups: Vec<Group>,
    pub(super) test: Result<Homogeneity, NotCompared>,
}

/// A part of the pairs.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) name: String,
    /// Shards it consists of.
    pub(super) shards: u64,
    pub(super) pairs: Pentanomial,
    /// Points over games, nought without a pair.
    pub(super) score: f64,
}

/// The trend along the match.
#[derive(Clone, Debug)]
pub(super) enum DriftFigures {
    Tested(Drift),
    TooFewPairs,
    /// Nothing says in which order the pairs were played.
    NoOrder(String),
}

impl Agreement {
    pub(super) fn new(pool: &Pool) -> Self {
        let mut cpus: BTreeMap<&str, (u64, Pentanomial)> = BTreeMap::new();
        for shard in &pool.shards {
            if let Some(cpu) = &shard.cpu {
                let (shards, pairs) = cpus.entry(cpu).or_default();
                *shards += 1;
                *pairs += shard.pairs;
            }
        }
        let shards = pool.shards.iter();
        let cpus = cpus.into_iter();
        Self {
            shards: Compared::new(shards.map(|shard| Group::new(&shard.name, 1, shard.pairs))),
            cpus: Compared::new(cpus.map(|(cpu, (shards, pairs))| Group::new(cpu, shards, pairs))),
            drift: DriftFigures::new(pool),
        }
    }

    /// That of counts alone, which no shard and no order is known of.
    pub(super) fn unknown() -> Self {
        Self {
            shards: Compared::new(std::iter::empty()),
            cpus: Compared::new(std::iter::empty()),
            drift: DriftFigures::TooFewPairs,
        }
    }
}

impl Compared {
    fn new(groups: impl Iterator<Item = Group>) -> Self {
        let groups: Vec<Group> = groups.collect();
        let pairs: Vec<Pentanomial> = groups.iter().map(|group| group.pairs).collect();
        Self {
            test: Homogeneity::of(&pairs),
            groups,
        }
    }

    /// Each group's residual as a table has it, `-` for one without; `None` where nothing was tested.
    pub(super) fn residuals(&self) -> Option<Vec<String>> {
        let test = self.test.as_ref().ok()?;
        let text = |row: &GroupRow| match row {
            GroupRow::Own(deviation) => format!("{:.1}", deviation.residual),
            GroupRow::Shared | GroupRow::Missing => "-".to_owned(),
        };
        Some(test.rows.iter().map(text).collect())
    }

    /// What the test says of groups called so; `None` where nothing was tested.
    fn sentences(&self, one: &str) -> Option<String> {
        let test = self.test.as_ref().ok()?;
        let verdict = if test.differs() {
            "**differ** by more than chance"
        } else {
            "agree as well as chance lets them"
        };
        let mut text = format!(
            "The {one}s {verdict}: χ² = {:.2} with {} of freedom, p {}.",
            test.chi_square,
            counted(test.degrees, "degree"),
            tail(test.p)
        );
        text += &columns_sentence(test.columns);
        text += &self.small_sentence(test, one);
        if let Some(outlier) = &test.outlier {
            text += &self.outlier_sentences(test, outlier, one);
        }
        Some(text)
    }

    fn outlier_sentences(&self, test: &Homogeneity, outlier: &Outlier, one: &str) -> String {
        format!(
            " **{} stands out**: it scored {} and the others {}; p {} with Bonferroni's correction for {}. \
             It stays in the pool: see what it ran on and beside.",
            inline(&self.groups[outlier.group].name),
            percent(outlier.score),
            percent(outlier.others),
            tail(outlier.p),
            counted(test.looked_at(), one)
        )
    }

    /// What became of groups without a row of their own.
    fn small_sentence(&self, test: &Homogeneity, one: &str) -> String {
        let rows = self.groups.iter().zip(&test.rows);
        let small = rows.filter(|(group, row)| {
            group.pairs.pairs() > 0 && matches!(row, GroupRow::Shared | GroupRow::Missing)
        });
        let small: Vec<&GroupRow> = small.map(|(_, row)| row).collect();
        let count = counted(small.len() as u64, one);
        match small.as_slice() {
            [] => String::new(),
            [GroupRow::Shared, ..] => {
                format!(" With few pairs each, {count} count as one in this test.")
            }
            [GroupRow::Own(_) | GroupRow::Missing, ..] => {
                format!(
                    " For want of pairs {count} had no part in this test; the pool has them all."
                )
            }
        }
    }

    /// Every group with its score.
    fn scores(&self) -> String {
        let group = |group: &Group| {
            let shards = counted(group.shards, "shard");
            format!(
                "{} ({shards}) {}",
                inline(&group.name),
                percent(group.score)
            )
        };
        let groups: Vec<String> = self.groups.iter().map(group).collect();
        groups.join(", ")
    }
}

/// Which scores were told apart, where these are not all three kinds.
fn columns_sentence(columns: ScoreColumns) -> String {
    match columns.half_points() {
        [_, [from, ..]] => format!(
            " Some scores are rare: pairs are told apart only by whether they brought at least {} of 2 points.",
            short(*from as f64 / 2.0)
        ),
        _ => String::new(),
    }
}

impl Group {
    fn new(name: &str, shards: u64, pairs: Pentanomial) -> Self {
        Self {
            name: name.to_owned(),
            shards,
            pairs,
            score: Estimate::of(pairs).paired_score.unwrap_or(0.0),
        }
    }
}

impl DriftFigures {
    fn new(pool: &Pool) -> Self {
        if pool.pentanomial().pairs() < Drift::LEAST_PAIRS {
            return Self::TooFewPairs;
        }
        let orders: Result<Vec<_>, OrderError> = pool
            .shards
            .iter()
            .map(|shard| shard.in_play_order())
            .collect();
        match orders.map(Drift::of) {
            Ok(Some(drift)) => Self::Tested(drift),
            Ok(None) => Self::TooFewPairs,
            Err(error) => Self::NoOrder(error.to_string()),
        }
    }

    fn sentence(&self, shards: usize) -> Option<String> {
        let drift = match self {
            Self::Tested(drift) => drift,
            Self::TooFewPairs => return None,
            Self::NoOrder(why) => {
                return Some(format!(
                    "Drift along the match is not tested: {}.",
                    inline(why)
                ));
            }
        };
        let verdict = if drift.is_found() {
            "The score **drifts** along the match by more than chance"
        } else {
            "No sign of drift along the match"
        };
        let whose = if shards == 1 { "the" } else { "each shard's" };
        Some(format!(
            "{verdict}: {} in the first half of {whose} pairs and {} in the second, p {}.",
            percent(drift.first_score),
            percent(drift.second_score),
            tail(drift.p)
        ))
    }
}

impl Agreement {
    /// What there is to say, a paragraph each.
    pub(super) fn write(&self, page: &mut impl Write) -> fmt::Result {
        let drift = self.drift.sentence(self.shards.groups.len());
        let paragraphs = [self.shards.sentences("shard"), self.cpu_sentences(), drift];
        for text in paragraphs.into_iter().flatten() {
            writeln!(page, "{text}\n")?;
        }
        Ok(())
    }

    fn cpu_sentences(&self) -> Option<String> {
        let test = self.cpus.sentences("CPU model")?;
        let named: u64 = self.cpus.groups.iter().map(|group| group.shards).sum();
        let unnamed = match self.shards.groups.len() as u64 - named {
            0 => String::new(),
            unnamed => format!("; {} without one", counted(unnamed, "shard")),
        };
        Some(format!("{test} Scores: {}{unnamed}.", self.cpus.scores()))
    }
}
