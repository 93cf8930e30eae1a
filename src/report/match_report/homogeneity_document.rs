//! The parts of the JSON document that say whether shards, processors and the pairs along the match agree.

use serde::Serialize;

use super::homogeneity::{Compared, DriftFigures, Group};
use crate::stats::{Drift, GroupRow, Homogeneity, NotCompared, Pentanomial};

/// Why something was not tested.
const TOO_FEW: &str = "too few pairs";

/// Groups of pairs: shards or CPU models.
#[derive(Serialize)]
pub(super) struct ComparedDocument<'a> {
    not_tested: Option<&'static str>,
    test: Option<HomogeneityDocument<'a>>,
    groups: Vec<GroupDocument<'a>>,
}

#[derive(Serialize)]
struct HomogeneityDocument<'a> {
    /// The pair scores counted together, in points.
    columns: Vec<Vec<f64>>,
    chi2: f64,
    dof: u64,
    p: f64,
    differ: bool,
    /// Residuals that all stay below with a chance of 95 % and 99 % if groups are alike.
    z_95: f64,
    z_99: f64,
    outlier: Option<OutlierDocument<'a>>,
}

#[derive(Serialize)]
struct OutlierDocument<'a> {
    name: &'a str,
    p: f64,
    score: f64,
    others: f64,
}

#[derive(Serialize)]
struct GroupDocument<'a> {
    name: &'a str,
    shards: u64,
    pairs: u64,
    score: f64,
    pentanomial: [u64; 5],
    row: Option<&'static str>,
    residual: Option<f64>,
    p: Option<f64>,
}

/// The trend along the match.
#[derive(Serialize)]
pub(super) struct DriftDocument<'a> {
    not_tested: Option<&'a str>,
    test: Option<TrendDocument>,
}

#[derive(Serialize)]
struct TrendDocument {
    first: HalfDocument,
    second: HalfDocument,
    slope: f64,
    z: f64,
    p: f64,
    drifts: bool,
}

#[derive(Serialize)]
struct HalfDocument {
    pairs: u64,
    score: f64,
    pentanomial: [u64; 5],
}

impl<'a> ComparedDocument<'a> {
    /// `None` where there are not two groups.
    pub(super) fn new(compared: &'a Compared) -> Option<Self> {
        let (test, not_tested) = match &compared.test {
            Ok(test) => (Some(test), None),
            Err(NotCompared::TooFewPairs) => (None, Some(TOO_FEW)),
            Err(NotCompared::OneGroup) => return None,
        };
        let groups = compared.groups.iter().enumerate();
        Some(Self {
            not_tested,
            test: test.map(|test| HomogeneityDocument::new(test, &compared.groups)),
            groups: groups
                .map(|(at, group)| GroupDocument::new(group, test.map(|test| test.rows[at])))
                .collect(),
        })
    }
}

impl<'a> HomogeneityDocument<'a> {
    fn new(test: &Homogeneity, groups: &'a [Group]) -> Self {
        let points = |halves: &&[usize]| halves.iter().map(|&half| half as f64 / 2.0).collect();
        Self {
            columns: test.columns.half_points().iter().map(points).collect(),
            chi2: test.chi_square,
            dof: test.degrees,
            p: test.p,
            differ: test.differs(),
            z_95: test.limit(0.05),
            z_99: test.limit(0.01),
            outlier: test.outlier.map(|outlier| OutlierDocument {
                name: &groups[outlier.group].name,
                p: outlier.p,
                score: outlier.score,
                others: outlier.others,
            }),
        }
    }
}

impl<'a> GroupDocument<'a> {
    fn new(group: &'a Group, row: Option<GroupRow>) -> Self {
        let (word, deviation) = match row {
            Some(GroupRow::Own(deviation)) => (Some("own"), Some(deviation)),
            Some(GroupRow::Shared) => (Some("shared"), None),
            Some(GroupRow::Missing) | None => (None, None),
        };
        Self {
            name: &group.name,
            shards: group.shards,
            pairs: group.pairs.pairs(),
            score: group.score,
            pentanomial: group.pairs.counts(),
            row: word,
            residual: deviation.map(|deviation| deviation.residual),
            p: deviation.map(|deviation| deviation.p),
        }
    }
}

impl<'a> DriftDocument<'a> {
    pub(super) fn new(drift: &'a DriftFigures) -> Self {
        let (not_tested, test) = match drift {
            DriftFigures::Tested(drift) => (None, Some(TrendDocument::new(drift))),
            DriftFigures::TooFewPairs => (Some(TOO_FEW), None),
            DriftFigures::NoOrder(why) => (Some(why.as_str()), None),
        };
        Self { not_tested, test }
    }
}

impl TrendDocument {
    fn new(drift: &Drift) -> Self {
        let half = |pairs: Pentanomial, score| HalfDocument {
            pairs: pairs.pairs(),
            score,
            pentanomial: pairs.counts(),
        };
        Self {
            first: half(drift.first, drift.first_score),
            second: half(drift.second, drift.second_score),
            slope: drift.slope,
            z: drift.z,
            p: drift.p,
            drifts: drift.is_found(),
        }
    }
}
