//! Pair counts as a distribution a likelihood can be taken of.

use super::Pentanomial;

/// Pair scores as a fraction of the two points, less a half: what an even pair is away from.
pub(super) const OFFSETS: [f64; 5] = [-0.5, -0.25, 0.0, 0.25, 0.5];

/// Pairs a score is taken to have been seen in when it was not seen at all.
///
/// A maximum-likelihood distribution puts any weight on an unseen score for nothing, so that the very first
/// pairs of a test would decide it. fishtest and fastchess take the same thousandth of a pair.
pub(super) const UNSEEN: f64 = 0.001;

/// The share each pair score has of all pairs. None is nought, and they add up to one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    pairs: f64,
    shares: [f64; 5],
}

impl Shares {
    pub(super) fn of(pairs: Pentanomial) -> Self {
        let seen = pairs
            .counts()
            .map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [ll, ld, even, wd, ww] = seen;
        // Outside in, so that flipped counts have the very same sum.
        let pairs = (ll + ww) + (ld + wd) + even;
        Self {
            pairs,
            shares: seen.map(|count| count / pairs),
        }
    }

    /// Number of pairs, with the thousandths of unseen scores.
    pub(super) const fn pairs(&self) -> f64 {
        self.pairs
    }

    /// Shares by pair score, lowest first.
    pub(super) const fn by_score(&self) -> &[f64; 5] {
        &self.shares
    }

    /// The same pairs, seen from the second engine.
    pub(super) fn flipped(mut self) -> Self {
        self.shares.reverse();
        self
    }

    /// Mean of the offset from an even pair, exactly negated by flipping.
    pub(super) fn mean(&self) -> f64 {
        let [ll, ld, _, wd, ww] = self.shares;
        0.5 * (ww - ll) + 0.25 * (wd - ld)
    }

    /// Mean square of the offset from an even pair (not from the mean), unchanged by flipping.
    pub(super) fn square(&self) -> f64 {
        let [ll, ld, _, wd, ww] = self.shares;
        0.25 * (ww + ll) + 0.0625 * (wd + ld)
    }

    /// Variance of a pair's score, as a fraction of its two points.
    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.shares
            .iter()
            .zip(OFFSETS)
            .map(|(share, offset)| share * (offset - mean) * (offset - mean))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unseen_scores_get_a_thousandth_of_a_pair() {
        let shares = Shares::of(Pentanomial::new([0, 3, 0, 0, 1]));
        assert_eq!(shares.pairs(), 4.003);
        assert_eq!(shares.by_score()[2] * shares.pairs(), 0.001);
        assert!((shares.by_score().iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn flipping_mirrors_to_the_last_bit() {
        let pairs = Pentanomial::new([3, 0, 17, 5, 1]);
        let (shares, mirrored) = (Shares::of(pairs), Shares::of(pairs.flipped()));
        assert_eq!(shares.flipped().by_score(), mirrored.by_score());
        assert_eq!(shares.pairs(), mirrored.pairs());
        assert_eq!(shares.mean(), -mirrored.mean());
        assert_eq!(shares.square(), mirrored.square());
    }

    #[test]
    fn moments_are_those_of_the_offsets() {
        let shares = Shares::of(Pentanomial::new([1, 2, 3, 4, 5]));
        assert!((shares.mean() - 10.0 / 15.0 * 0.25).abs() < 1e-15);
        assert!((shares.square() - 30.0 / 15.0 * 0.0625).abs() < 1e-15);
    }
}
