//! Whether groups of pairs, such as shards or the CPU models they were played on, are alike.
//!
//! Pearson's chi-square test of homogeneity: a row for each group, a column for each kind of pair score, and the
//! counts expected where every group scores like all together.
//!
//! The approximation wants expected counts that are not small. Pairs of 0 and 2 points are rare, so they are counted
//! with those of ½ and 1½, as fishtest does; where that does not do, two columns are made by the most even cut. Every
//! expected count has to be 5 or more (W. Cochran, *Some methods for strengthening the common χ² tests*, Biometrics 10,
//! 1954, wants that of four cells in five). Groups too small for that are tested as one; no group's pairs are taken out
//! of anything but this test. How columns and rows are put together hangs on sums, not on how one group differs from another.

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

use super::Pentanomial;
use super::estimate::mean_score;

/// The least count that may be expected in a cell.
const LEAST: f64 = 5.0;

/// A group is named when one so far out, among so many groups that are alike, has a smaller chance.
const NAMED: f64 = 0.01;

/// Which pair scores are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoreColumns(&'static [&'static [usize]]);

/// A group's row in the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroupRow {
    /// It has one.
    Own(Deviation),
    /// It has one with all others that have too few pairs for their own.
    Shared,
    /// It has none: with all others of its kind it has too few pairs.
    Missing,
}

/// How far a group is from all the others together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The adjusted residual: the chi-square of the group against the others as one, as the standard normal value with
    /// the same chance above it. Nought or more, and at most about 37.
    pub residual: f64,
    /// The chance that a group named beforehand deviates as much if all are alike.
    pub p: f64,
}

/// The group that differs from the others by more than chance makes likely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlier {
    /// Its place among the groups.
    pub group: usize,
    /// The chance that any of the groups looked at deviates as much if all are alike, at most: the group's own, times the
    /// number of groups (Bonferroni).
    pub p: f64,
    /// Its points over games, 0 to 1.
    pub score: f64,
    /// Those of all other groups together.
    pub others: f64,
}

/// Why groups were not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotCompared {
    /// Fewer than two of them have a pair.
    OneGroup,
    /// No two rows have 5 expected pairs of each kind.
    TooFewPairs,
}

/// A test of whether groups of pairs are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Homogeneity {
    /// The kinds of pair scores told apart.
    pub columns: ScoreColumns,
    /// Squared differences from the expected counts, each over its expected count, summed.
    pub chi_square: f64,
    /// Degrees of freedom: (rows − 1) (columns − 1).
    pub degrees: u64,
    /// The chance of so large a sum if all groups are alike.
    pub p: f64,
    /// The groups' rows, in the order given.
    pub rows: Vec<GroupRow>,
    /// The one furthest out, where that is too far for chance. Of two rows neither can be called the odd one.
    pub outlier: Option<Outlier>,
}

impl Homogeneity {
    /// Compares groups with each other. The adjusted residuals are those of fishtest: the chi-square of a row is
    /// divided by the share of all other rows, which makes it that of the table of this row and the rest.
    ///
    /// # Errors
    ///
    /// When there are too few groups or too few pairs to compare.
    pub fn of(groups: &[Pentanomial]) -> Result<Self, NotCompared> {
        if groups.iter().filter(|group| group.pairs() > 0).count() < 2 {
            return Err(NotCompared::OneGroup);
        }
        let coarse = ScoreColumns::coarse(groups);
        let [fine, coarse] =
            [ScoreColumns::FINE, coarse].map(|columns| Table::new(groups, columns));
        let table = match (fine, coarse) {
            (Some(fine), Some(coarse)) if fine.serves(groups, &coarse) => fine,
            (None | Some(_), Some(coarse)) => coarse,
            (Some(fine), None) => fine,
            (None, None) => return Err(NotCompared::TooFewPairs),
        };
        Ok(table.test(groups))
    }

    /// The residual that, with a chance of at most `level`, any group reaches if all are alike (Bonferroni). `level` is
    /// between 0 and 1.
    #[must_use]
    pub fn limit(&self, level: f64) -> f64 {
        normal_value(level / self.looked_at() as f64)
    }

    /// Whether groups differ by more than chance makes likely: all together or one of them, each at one in a hundred.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.p < NAMED || self.outlier.is_some()
    }

    /// Groups with a residual.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        let alone = |row: &&GroupRow| matches!(row, GroupRow::Own(_));
        self.rows.iter().filter(alone).count() as u64
    }
}

impl ScoreColumns {
    /// Below, at and above one point.
    pub const FINE: Self = Self(&[&[0, 1], &[2], &[3, 4]]);

    /// Below some points, and the others.
    const COARSE: [Self; 4] = [
        Self(&[&[0, 1], &[2, 3, 4]]),
        Self(&[&[0, 1, 2], &[3, 4]]),
        Self(&[&[0], &[1, 2, 3, 4]]),
        Self(&[&[0, 1, 2, 3], &[4]]),
    ];

    /// The two columns that divide all pairs the most evenly.
    fn coarse(groups: &[Pentanomial]) -> Self {
        let none = Pentanomial::default();
        let all = groups.iter().fold(none, |sum, group| sum + *group);
        let rarer = |columns: &Self| {
            columns
                .counts(all)
                .into_iter()
                .fold(f64::INFINITY, f64::min)
        };
        let [first, rest @ ..] = Self::COARSE;
        rest.into_iter().fold(first, |best, other| {
            if rarer(&other) > rarer(&best) {
                other
            } else {
                best
            }
        })
    }

    /// The pair scores of each column, in half points; both ascend.
    #[must_use]
    pub const fn half_points(self) -> &'static [&'static [usize]] {
        self.0
    }

    fn counts(self, pairs: Pentanomial) -> Vec<f64> {
        let counts = pairs.counts();
        let column =
            |halves: &&[usize]| halves.iter().map(|&half| counts[half]).sum::<u64>() as f64;
        self.half_points().iter().map(column).collect()
    }
}

/// Which groups have rows of their own, and what all rows add up to.
struct Table {
    columns: ScoreColumns,
    alone: Vec<usize>,
    /// Whether the others make a row together.
    together: bool,
    sums: Vec<f64>,
}

impl Table {
    /// The table of as many rows as its sums allow; `None` when that are fewer than two.
    fn new(groups: &[Pentanomial], columns: ScoreColumns) -> Option<Self> {
        let counts: Vec<Vec<f64>> = groups.iter().map(|&group| columns.counts(group)).collect();
        let sum = |chosen: &[usize]| -> Vec<f64> {
            let column = |at| chosen.iter().map(|&group| counts[group][at]).sum();
            (0..columns.half_points().len()).map(column).collect()
        };
        let all: Vec<usize> = (0..groups.len()).collect();
        let (whole, mut alone) = (sum(&all), all);
        loop {
            let kept = sum(&alone);
            let others: f64 = whole.iter().sum::<f64>() - kept.iter().sum::<f64>();
            let together = is_enough(others, &whole);
            let sums = if together { &whole } else { &kept };
            let fits = |&group: &usize| is_enough(counts[group].iter().sum(), sums);
            let fitting: Vec<usize> = alone.iter().copied().filter(fits).collect();
            if fitting.len() == alone.len() {
                let rows = alone.len() + usize::from(together);
                let sums = sums.clone();
                return (rows > 1 && !alone.is_empty()).then_some(Self {
                    columns,
                    alone,
                    together,
                    sums,
                });
            }
            alone = fitting;
        }
    }

    /// Whether it gives most groups a row of their own, or as many as a coarser one does.
    fn serves(&self, groups: &[Pentanomial], coarser: &Self) -> bool {
        2 * self.alone.len() > groups.len() || self.alone.len() >= coarser.alone.len()
    }

    fn test(&self, groups: &[Pentanomial]) -> Homogeneity {
        let total: f64 = self.sums.iter().sum();
        let others = if self.together {
            GroupRow::Shared
        } else {
            GroupRow::Missing
        };
        let mut rows = vec![others; groups.len()];
        let mut joined = self.sums.clone();
        let mut chi_square = 0.0;
        for &group in &self.alone {
            let counts = self.columns.counts(groups[group]);
            let row = self.row_chi_square(&counts);
            chi_square += row;
            let rest = 1.0 - counts.iter().sum::<f64>() / total;
            rows[group] = GroupRow::Own(Deviation::new(row / rest, self.sums.len()));
            joined
                .iter_mut()
                .zip(counts)
                .for_each(|(left, count)| *left -= count);
        }
        if self.together {
            chi_square += self.row_chi_square(&joined);
        }
        let count = self.alone.len() + usize::from(self.together);
        let degrees = (count - 1) * (self.sums.len() - 1);
        Homogeneity {
            columns: self.columns,
            chi_square,
            degrees: degrees as u64,
            p: chance_above(chi_square, degrees),
            outlier: (count > 2).then(|| self.outlier(groups, &rows)).flatten(),
            rows,
        }
    }

    fn row_chi_square(&self, counts: &[f64]) -> f64 {
        let share = counts.iter().sum::<f64>() / self.sums.iter().sum::<f64>();
        let cells = counts.iter().zip(&self.sums);
        cells
            .map(|(count, sum)| (count - share * sum).powi(2) / (share * sum))
            .sum()
    }

    fn outlier(&self, groups: &[Pentanomial], rows: &[GroupRow]) -> Option<Outlier> {
        let deviations = rows.iter().enumerate().filter_map(|(at, row)| match row {
            GroupRow::Own(deviation) => Some((at, deviation.p)),
            GroupRow::Shared | GroupRow::Missing => None,
        });
        let (group, p) = deviations.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let p = (p * self.alone.len() as f64).min(1.0);
        let others = groups.iter().enumerate().filter(|(at, _)| *at != group);
        let others = others.fold(Pentanomial::default(), |sum, (_, pairs)| sum + *pairs);
        (p < NAMED).then(|| Outlier {
            group,
            p,
            score: mean_score(groups[group]),
            others: mean_score(others),
        })
    }
}

impl Deviation {
    fn new(chi_square: f64, columns: usize) -> Self {
        let p = chance_above(chi_square, columns - 1);
        Self {
            residual: normal_value(p).max(0.0) + 0.0, // never -0
            p,
        }
    }
}

/// Whether a row of so many pairs has enough expected ones in each column.
fn is_enough(pairs: f64, sums: &[f64]) -> bool {
    let total: f64 = sums.iter().sum();
    pairs > 0.0 && sums.iter().all(|sum| pairs * sum >= LEAST * total)
}

/// The chance of a larger chi-square.
fn chance_above(chi_square: f64, degrees: usize) -> f64 {
    let law = ChiSquared::new(degrees as f64).expect("there are two rows and two columns");
    law.sf(chi_square)
}

/// The standard normal value with such a chance above it, which is at least that of the smallest double.
fn normal_value(chance: f64) -> f64 {
    let law = Normal::standard();
    let chance = chance.max(f64::MIN_POSITIVE);
    -law.inverse_cdf(chance)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::stats::{Conditions, Difference, Model, Sampler};

    fn groups(counts: &[[u64; 5]]) -> Vec<Pentanomial> {
        counts
            .iter()
            .map(|&counts| Pentanomial::new(counts))
            .collect()
    }

    fn residuals(test: &Homogeneity) -> Vec<Option<f64>> {
        let residual = |row: &GroupRow| match row {
            GroupRow::Own(deviation) => Some(deviation.residual),
            GroupRow::Shared | GroupRow::Missing => None,
        };
        test.rows.iter().map(residual).collect()
    }

    #[test]
    fn a_table_worked_out_by_hand() {
        // Expected: 20, 40 and 40 in both rows; differences of 10, 0 and 10.
        let test = Homogeneity::of(&groups(&[[10, 20, 40, 20, 10], [0, 10, 40, 40, 10]])).unwrap();
        assert_eq!(test.columns, ScoreColumns::FINE);
        assert!((test.chi_square - (100.0 / 20.0 + 100.0 / 40.0) * 2.0).abs() < 1e-12);
        assert_eq!(test.degrees, 2);
        // With two degrees the chance is an exponential.
        assert!((test.p - (-test.chi_square / 2.0).exp()).abs() < 1e-12);
    }

    #[test]
    fn of_two_groups_neither_is_the_odd_one() {
        let test = Homogeneity::of(&groups(&[[90, 0, 40, 0, 10], [10, 0, 40, 0, 90]])).unwrap();
        assert!(test.p < 1e-9);
        assert_eq!(test.outlier, None);
        let residuals = residuals(&test);
        assert_eq!(residuals[0], residuals[1]);
    }

    #[test]
    fn a_lopsided_group_is_named_with_its_score() {
        let even = [10, 20, 40, 20, 10];
        let test = Homogeneity::of(&groups(&[even, even, [40, 30, 20, 10, 0], even])).unwrap();
        let outlier = test.outlier.expect("one is far out");
        assert_eq!(
            (outlier.group, outlier.score, outlier.others),
            (2, 0.25, 0.5)
        );
        let own = match test.rows[2] {
            GroupRow::Own(deviation) => deviation,
            GroupRow::Shared | GroupRow::Missing => panic!("it has many pairs"),
        };
        assert!((outlier.p - 4.0 * own.p).abs() < 1e-15);
        assert!(own.residual > test.limit(0.01));
    }

    #[test]
    fn one_group_is_not_compared_nor_are_few_pairs() {
        let none = [0; 5];
        let some = [5, 10, 20, 10, 5];
        assert_eq!(Homogeneity::of(&[]), Err(NotCompared::OneGroup));
        assert_eq!(
            Homogeneity::of(&groups(&[some, none])),
            Err(NotCompared::OneGroup)
        );
        let few = groups(&[[1, 1, 2, 1, 1], [0, 1, 2, 1, 0]]);
        assert_eq!(Homogeneity::of(&few), Err(NotCompared::TooFewPairs));
        let even = groups(&[[0, 0, 500, 0, 0], [0, 0, 400, 0, 0]]);
        assert_eq!(Homogeneity::of(&even), Err(NotCompared::TooFewPairs));
    }

    #[test]
    fn rare_scores_are_counted_with_their_neighbours() {
        let case = |counts: [[u64; 5]; 2], columns: &[&[usize]]| {
            let test = Homogeneity::of(&groups(&counts)).unwrap();
            assert_eq!((test.columns.half_points(), test.degrees), (columns, 1));
        };
        case(
            [[0, 2, 60, 30, 8], [0, 1, 70, 20, 9]],
            &[&[0, 1, 2], &[3, 4]],
        );
        case(
            [[8, 30, 60, 2, 0], [9, 20, 70, 1, 0]],
            &[&[0, 1], &[2, 3, 4]],
        );
        case(
            [[0, 0, 1, 20, 79], [0, 0, 1, 30, 69]],
            &[&[0, 1, 2, 3], &[4]],
        );
    }

    #[test]
    fn small_groups_are_tested_as_one_or_left_out() {
        let (big, small) = ([10, 20, 40, 20, 10], [1, 2, 4, 2, 1]);
        let test = Homogeneity::of(&groups(&[big, small, big, small])).unwrap();
        assert_eq!(test.rows[1], GroupRow::Shared);
        assert_eq!(test.degrees, 4);
        let test = Homogeneity::of(&groups(&[big, small, big, [0; 5]])).unwrap();
        assert_eq!(test.rows[1], GroupRow::Missing);
        assert_eq!((test.degrees, test.chi_square), (2, 0.0));
        assert_eq!(residuals(&test)[0], Some(0.0));
    }

    #[test]
    fn differences_beyond_all_doubles_have_a_residual() {
        let test = Homogeneity::of(&groups(&[
            [9000, 0, 9, 0, 0],
            [0, 0, 9, 0, 9000],
            [5, 0, 5, 0, 5],
        ]));
        let test = test.expect("there are many pairs");
        assert!(test.p >= 0.0 && test.p < 1e-300, "{}", test.p);
        let furthest = residuals(&test)[0].expect("it has many pairs");
        assert!((37.0..38.0).contains(&furthest), "{furthest}");
    }

    fn decisive() -> Conditions {
        Conditions::games(0.5, 60.0).unwrap()
    }

    /// So many matches of shards with these true differences in Elo: the test of each.
    fn simulated(
        matches: u64,
        conditions: Conditions,
        pairs: u64,
        shards: &[f64],
    ) -> Vec<Homogeneity> {
        let shards: Vec<Sampler> = shards
            .iter()
            .map(|&elo| {
                let model = Model::Logistic;
                Sampler::new(&conditions.at(Difference { model, elo }).unwrap(), pairs)
            })
            .collect();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut play =
            || -> Vec<Pentanomial> { shards.iter().map(|shard| shard.draw(&mut rng)).collect() };
        (0..matches)
            .map(|_| Homogeneity::of(&play()).unwrap())
            .collect()
    }

    /// Four standard errors.
    #[track_caller]
    fn assert_rate(count: usize, of: usize, want: f64) {
        let rate = count as f64 / of as f64;
        let error = (want * (1.0 - want) / of as f64).sqrt();
        assert!(
            (rate - want).abs() < 4.0 * error,
            "{rate} for {want} ± {error}"
        );
    }

    #[test]
    fn chances_are_uniform_where_shards_are_alike() {
        // Small shards: about 11 expected pairs in the rarest column.
        let tests = simulated(4000, decisive(), 40, &[10.0; 6]);
        for level in [0.05, 0.1, 0.5] {
            let below = tests.iter().filter(|test| test.p < level).count();
            assert_rate(below, tests.len(), level);
        }
        let named = tests.iter().filter(|test| test.outlier.is_some()).count();
        assert!(named <= 80, "{named} of 4000 named at one in a hundred");
    }

    #[test]
    fn chances_are_uniform_in_two_columns() {
        let drawish = Conditions::games(0.9, 0.0).unwrap();
        let tests = simulated(4000, drawish, 60, &[150.0; 6]);
        let two = tests.iter().filter(|test| test.degrees == 5);
        assert!(two.count() > 3900);
        for level in [0.05, 0.5] {
            let below = tests.iter().filter(|test| test.p < level).count();
            assert_rate(below, tests.len(), level);
        }
    }

    #[test]
    fn a_lopsided_shard_is_found_and_named() {
        let tests = simulated(500, decisive(), 100, &[0.0, 0.0, -120.0, 0.0]);
        let (found, named): (Vec<_>, Vec<_>) = tests
            .iter()
            .map(|test| (test.p < 0.05, test.outlier.map(|outlier| outlier.group)))
            .unzip();
        let found = found.into_iter().filter(|found| *found).count();
        let right = named.iter().filter(|&&group| group == Some(2)).count();
        let wrong = named.iter().flatten().count() - right;
        assert!(
            found > 450 && right > 400 && wrong < 5,
            "{found} {right} {wrong}"
        );
    }

    fn counts() -> impl Strategy<Value = Vec<[u64; 5]>> {
        prop::collection::vec(prop::array::uniform5(0_u64..60), 2..7)
    }

    proptest! {
        #[test]
        fn permuting_groups_permutes_residuals(counts in counts(), by in 1_usize..6) {
            let mut turned = counts.clone();
            turned.rotate_left(by % counts.len());
            let (here, there) = (Homogeneity::of(&groups(&counts)), Homogeneity::of(&groups(&turned)));
            match (here, there) {
                (Ok(here), Ok(there)) => {
                    let mut wanted = residuals(&here);
                    wanted.rotate_left(by % counts.len());
                    for (got, want) in residuals(&there).into_iter().zip(wanted) {
                        prop_assert_eq!(got.is_some(), want.is_some());
                        prop_assert!((got.unwrap_or(0.0) - want.unwrap_or(0.0)).abs() < 1e-9);
                    }
                    prop_assert!((here.p - there.p).abs() < 1e-12);
                }
                (here, there) => prop_assert_eq!(here.err(), there.err()),
            }
        }

        #[test]
        fn it_does_not_matter_whose_side_pairs_are_seen_from(counts in counts()) {
            let here = groups(&counts);
            let there: Vec<Pentanomial> = here.iter().map(|group| group.flipped()).collect();
            let test = |groups: &[Pentanomial]| Homogeneity::of(groups);
            if let (Ok(here), Ok(there)) = (test(&here), test(&there))
                && here.columns == ScoreColumns::FINE
            {
                prop_assert!((here.chi_square - there.chi_square).abs() < 1e-9);
            }
        }

        #[test]
        fn one_group_cut_in_two_is_alike(counts in prop::array::uniform5(20_u64..400)) {
            let test = Homogeneity::of(&groups(&[counts, counts])).unwrap();
            prop_assert!(test.chi_square < 1e-20 && test.p > 0.999 && test.outlier.is_none());
        }
    }
}
