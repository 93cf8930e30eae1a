//! How sure ratings are, and their differences.

use statrs::function::erf::erf;

use super::super::expectation::{ELO_PER_UNIT, WIDTH};
use super::fit::{Strengths, Unknowns};
use super::matrix::Matrix;

/// Both ends of an interval, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Variances of ratings from the likelihood, and ratings fitted to weights of the bootstrap. Both in Elo.
pub(super) struct Spread {
    /// By engine; nought for those that do not move.
    covariance: Matrix,
    /// By replicate and engine.
    replicates: Vec<Vec<f64>>,
    white: Option<f64>,
}

impl Spread {
    /// Of ratings that do not move.
    pub(super) fn none(engines: usize) -> Self {
        Self {
            covariance: Matrix::zero(engines),
            replicates: Vec::new(),
            white: None,
        }
    }

    pub(super) fn new(
        unknowns: &Unknowns,
        covariance: Matrix,
        replicates: Option<Vec<Strengths>>,
        group: &[Option<usize>],
        centred: &[bool],
    ) -> Self {
        let in_elo = ELO_PER_UNIT * ELO_PER_UNIT;
        let white = unknowns
            .white_place()
            .map(|place| (in_elo * covariance.at(place, place)).sqrt());
        let of_places = Matrix::from_fn(group.len(), |one, other| {
            match (unknowns.place(one), unknowns.place(other)) {
                (Some(one), Some(other)) => in_elo * covariance.at(one, other),
                (None, _) | (_, None) => 0.0,
            }
        });
        let to_elo = |strengths: Strengths| {
            let engines = strengths.engines.into_iter();
            engines.map(|strength| ELO_PER_UNIT * strength).collect()
        };
        Self {
            covariance: about_means(&of_places, group, centred),
            replicates: replicates.into_iter().flatten().map(to_elo).collect(),
            white,
        }
    }

    /// Half width of the 95 % interval of White's advantage, in Elo; `None` when it was not fitted.
    pub(super) fn white_margin(&self) -> Option<f64> {
        self.white.map(|error| WIDTH * error)
    }

    /// Half width of an engine's 95 % interval from the likelihood, in Elo.
    pub(super) fn margin(&self, engine: usize) -> f64 {
        WIDTH * self.covariance.at(engine, engine).max(0.0).sqrt()
    }

    /// The middle 95 % of an engine's ratings in the bootstrap; `None` without one.
    pub(super) fn interval(&self, engine: usize) -> Option<Interval> {
        let mut ratings: Vec<f64> = self.replicates.iter().map(|of| of[engine]).collect();
        ratings.sort_by(f64::total_cmp);
        Some(Interval {
            low: quantile(&ratings, 0.025)?,
            high: quantile(&ratings, 0.975)?,
        })
    }

    /// The chance that the first engine is the stronger, whose rating is higher by `difference`: from the bootstrap where there is
    /// one, else from the likelihood.
    pub(super) fn superiority(&self, one: usize, other: usize, difference: f64) -> f64 {
        let variance = if self.replicates.len() > 1 {
            variance(self.replicates.iter().map(|of| of[one] - of[other]))
        } else {
            let cov = &self.covariance;
            cov.at(one, one) + cov.at(other, other) - 2.0 * cov.at(one, other)
        };
        if variance <= 0.0 {
            return 0.5
                + 0.5
                    * if difference == 0.0 {
                        0.0
                    } else {
                        difference.signum()
                    };
        }
        (1.0 + erf(difference / (2.0 * variance).sqrt())) / 2.0
    }

    pub(super) fn is_bootstrapped(&self) -> bool {
        self.replicates.len() > 1
    }
}

/// The covariance of ratings about the mean of their group, for groups that are centred.
fn about_means(covariance: &Matrix, group: &[Option<usize>], centred: &[bool]) -> Matrix {
    let groups = centred.len();
    let mut sizes = vec![0.0; groups];
    for group in group.iter().flatten() {
        sizes[*group] += 1.0;
    }
    let is_centred = |engine: usize| group[engine].filter(|group| centred[*group]);
    // The mean over a group of an engine's covariances, and of those over another group.
    let row_mean = |engine: usize| {
        let mut means = vec![0.0; groups];
        for (value, group) in covariance.row(engine).iter().zip(group) {
            if let Some(group) = group {
                means[*group] += value / sizes[*group];
            }
        }
        means
    };
    let rows: Vec<Vec<f64>> = (0..covariance.size()).map(row_mean).collect();
    let mut both = vec![vec![0.0; groups]; groups];
    for (row, group) in rows.iter().zip(group) {
        if let Some(group) = group {
            for (sum, mean) in both[*group].iter_mut().zip(row) {
                *sum += mean / sizes[*group];
            }
        }
    }
    Matrix::from_fn(covariance.size(), |one, other| {
        let mut value = covariance.at(one, other);
        let (first, second) = (is_centred(one), is_centred(other));
        if let Some(group) = second {
            value -= rows[one][group];
        }
        if let Some(group) = first {
            value -= rows[other][group];
        }
        if let (Some(first), Some(second)) = (first, second) {
            value += both[first][second];
        }
        value
    })
}

/// Between the two sorted values about which a share of all lies; `None` of no values.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * last as f64;
    let (below, part) = (place.floor(), place.fract());
    let low = sorted[below as usize];
    let high = sorted[(below as usize + 1).min(last)];
    Some(low + part * (high - low))
}

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    values
        .map(|value| (value - mean) * (value - mean))
        .sum::<f64>()
        / (count - 1.0)
}
