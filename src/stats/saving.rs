//! What one way of running a test saves of another's pairs.

use super::Course;

/// How many fewer pairs are played one way than another, as a share of the other's.
///
/// Tests are compared one by one. Where both ways see the same random pairs, as tests of one number and seed do that are
/// looked at as often, what is common to both drops out of the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saving {
    /// Below nought when more are played.
    pub share: f64,
    /// Its standard error: that of a ratio of means, by the delta method.
    pub error: f64,
}

impl Saving {
    /// What the first tests save beside the second ones; `None` unless there are as many of both, two at least.
    #[must_use]
    pub fn of(courses: &[Course], beside: &[Course]) -> Option<Self> {
        if courses.len() != beside.len() || courses.len() < 2 {
            return None;
        }
        let pairs = || {
            let both = courses.iter().zip(beside);
            both.map(|(own, other)| (own.played as f64, other.played as f64))
        };
        let count = courses.len() as f64;
        let (own, other) = pairs().fold((0.0, 0.0), |sums, of| (sums.0 + of.0, sums.1 + of.1));
        let ratio = own / other;
        let squares: f64 = pairs()
            .map(|(own, other)| (own - ratio * other).powi(2))
            .sum();
        let error = (squares / (count - 1.0) * count).sqrt() / other;
        Some(Self {
            share: 1.0 - ratio,
            error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Verdict;

    fn courses(played: &[u64]) -> Vec<Course> {
        let course = |&played: &u64| Course {
            verdict: Verdict::Passed,
            judged: played,
            played,
        };
        played.iter().map(course).collect()
    }

    #[test]
    fn a_tenth_of_every_test_is_a_tenth_without_error() {
        let saving = Saving::of(&courses(&[90, 180, 900]), &courses(&[100, 200, 1000])).unwrap();
        assert!(
            (saving.share - 0.1).abs() < 1e-12 && saving.error < 1e-12,
            "{saving:?}"
        );
    }

    #[test]
    fn savings_that_differ_have_an_error() {
        let saving = Saving::of(&courses(&[100, 80]), &courses(&[100, 100])).unwrap();
        // Off by ±10 about the mean of 90, over two: a standard error of 10 of the 100.
        assert!((saving.share - 0.1).abs() < 1e-12, "{saving:?}");
        assert!((saving.error - 0.1).abs() < 1e-12, "{saving:?}");
    }

    #[test]
    fn tests_that_do_not_match_up_are_not_compared() {
        assert_eq!(Saving::of(&courses(&[1, 2]), &courses(&[1])), None);
        assert_eq!(Saving::of(&courses(&[1]), &courses(&[1])), None);
    }
}
