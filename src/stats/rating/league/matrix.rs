//! Symmetric positive definite matrices: factor, solve, invert.

use rayon::prelude::*;

/// A pivot below this share of its diagonal entry is nought but for rounding.
const SMALLEST_PIVOT: f64 = 1e-11;

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        Self {
            size,
            values: vec![0.0; size * size],
        }
    }

    pub(super) const fn size(&self) -> usize {
        self.size
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.size..][..self.size]
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] += value;
    }

    /// Every entry worked out on its own, rows in parallel.
    pub(super) fn from_fn(size: usize, entry: impl Fn(usize, usize) -> f64 + Sync) -> Self {
        let mut values = vec![0.0; size * size];
        values
            .par_chunks_mut(size.max(1))
            .enumerate()
            .for_each(|(row, values)| {
                for (column, value) in values.iter_mut().enumerate() {
                    *value = entry(row, column);
                }
            });
        Self { size, values }
    }

    /// `self · middle · self`, all three symmetric.
    pub(super) fn sandwich(&self, middle: &Self) -> Self {
        let half = Self::from_fn(self.size, |row, column| {
            dot(self.row(row), middle.row(column))
        });
        Self::from_fn(self.size, |row, column| {
            dot(half.row(row), self.row(column))
        })
    }
}

/// The lower triangle `L` with `L Lᵀ` a symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub(super) struct Cholesky(Matrix);

impl Cholesky {
    /// Factors a matrix, of which the lower triangle is read. The error is the first row that depends on those before it.
    pub(super) fn of(mut matrix: Matrix) -> Result<Self, usize> {
        let size = matrix.size;
        for row in 0..size {
            let (above, rest) = matrix.values.split_at_mut(row * size);
            let own = &mut rest[..size];
            for column in 0..row {
                let other = &above[column * size..][..size];
                own[column] = (own[column] - dot(&own[..column], &other[..column])) / other[column];
            }
            let pivot = own[row] - dot(&own[..row], &own[..row]);
            if pivot.is_nan() || pivot <= SMALLEST_PIVOT * own[row] {
                return Err(row);
            }
            own[row] = pivot.sqrt();
        }
        Ok(Self(matrix))
    }

    /// Solves `L Lᵀ x = right`, in place.
    pub(super) fn solve(&self, right: &mut [f64]) {
        let lower = &self.0;
        for row in 0..right.len() {
            let own = lower.row(row);
            right[row] = (right[row] - dot(&own[..row], &right[..row])) / own[row];
        }
        for row in (0..right.len()).rev() {
            let own = lower.row(row);
            right[row] /= own[row];
            let known = right[row];
            for (value, factor) in right[..row].iter_mut().zip(own) {
                *value -= factor * known;
            }
        }
    }

    /// The inverse of the matrix that was factored.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut columns = Matrix::zero(size);
        // Row by row the columns of L⁻¹, whose entries above the diagonal are nought.
        columns
            .values
            .par_chunks_mut(size.max(1))
            .enumerate()
            .for_each(|(column, values)| {
                values[column] = 1.0 / self.0.at(column, column);
                for row in column + 1..size {
                    let own = self.0.row(row);
                    values[row] = -dot(&own[column..row], &values[column..row]) / own[row];
                }
            });
        Matrix::from_fn(size, |row, column| {
            let from = row.max(column);
            dot(&columns.row(row)[from..], &columns.row(column)[from..])
        })
    }
}

/// Sum of products, in eight sums that the processor adds up side by side.
fn dot(left: &[f64], right: &[f64]) -> f64 {
    let (left_blocks, left_rest) = left.as_chunks::<8>();
    let (right_blocks, right_rest) = right.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (left, right) in left_blocks.iter().zip(right_blocks) {
        for lane in 0..8 {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest: f64 = left_rest.iter().zip(right_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn positive(size: usize, seeds: &[f64]) -> Matrix {
        let part = |row: usize, column: usize| seeds[(row * 7 + column * 3) % seeds.len()];
        Matrix::from_fn(size, |row, column| {
            let sum: f64 = (0..size).map(|k| part(row, k) * part(column, k)).sum();
            sum + if row == column { 1.0 } else { 0.0 }
        })
    }

    proptest! {
        #[test]
        fn solving_and_inverting_undo_the_matrix(size in 1usize..20, seeds in prop::collection::vec(-1.0..1.0f64, 31)) {
            let matrix = positive(size, &seeds);
            let factor = Cholesky::of(matrix.clone()).unwrap();
            let wanted: Vec<f64> = (0..size).map(|at| at as f64 - 3.0).collect();
            let mut right: Vec<f64> = (0..size).map(|row| dot(matrix.row(row), &wanted)).collect();
            factor.solve(&mut right);
            for (got, want) in right.iter().zip(&wanted) {
                prop_assert!((got - want).abs() < 1e-9);
            }
            let inverse = factor.inverse();
            let whole = inverse.sandwich(&matrix);
            for row in 0..size {
                for column in 0..size {
                    prop_assert!((whole.at(row, column) - inverse.at(row, column)).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_row_that_depends_on_others_is_named() {
        let mut matrix = Matrix::zero(3);
        for (row, column, value) in [
            (0, 0, 2.0),
            (1, 0, 1.0),
            (1, 1, 2.0),
            (2, 0, 3.0),
            (2, 1, 3.0),
            (2, 2, 6.0),
        ] {
            matrix.add(row, column, value);
        }
        assert_eq!(Cholesky::of(matrix).unwrap_err(), 2);
        assert_eq!(Cholesky::of(Matrix::zero(1)).unwrap_err(), 0);
    }
}
