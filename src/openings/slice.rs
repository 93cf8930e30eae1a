//! Which stretch of a book a shard plays.

use std::fmt;

use super::WholeNumber;

/// What a slice is asked for; every number as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceRequest {
    /// Openings the book holds, at least one.
    pub openings: WholeNumber,
    /// Pairs one shard of one batch plays, at least one.
    pub pairs: WholeNumber,
    /// Shards in a batch, at least one.
    pub shards: WholeNumber,
    /// Which shard, from nought.
    pub shard: WholeNumber,
    /// Where in the book the whole test begins; any number from nought up.
    pub seed: WholeNumber,
    /// Batches in the whole test, at least one.
    pub batches: WholeNumber,
    /// Which batch, from nought.
    pub batch: WholeNumber,
}

/// Why there is no such slice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SliceError {
    /// A count of nought or below, or a seed below nought.
    #[error("the counts are all at least one and the seed is not negative")]
    Counts,
    /// The shard is not among those of a batch.
    #[error("shard {shard} is not one of {shards}")]
    Shard {
        /// As asked for.
        shard: WholeNumber,
        /// How many there are.
        shards: WholeNumber,
    },
    /// The batch is not among those of the test.
    #[error("batch {batch} is not one of {batches}")]
    Batch {
        /// As asked for.
        batch: WholeNumber,
        /// How many there are.
        batches: WholeNumber,
    },
    /// More openings than can be counted.
    #[error("the counts are too large: the run and the book have to stay below 10^36 openings")]
    TooLarge,
}

/// Counts stay below this, so that sums and the seed's remainder fit.
const LIMIT: u128 = 10_u128.pow(36);

/// The stretch of a book one shard of one batch plays, each of its pairs one opening.
///
/// The seed picks where the block of the whole test begins; inside it the slices of shards and batches
/// follow each other without gap or overlap:
///
/// ```text
/// wanted = pairs · shards · batches        room = openings − wanted
/// first  = 1 + seed mod room when room ≥ 1, else 1
/// start  = first + (batch · shards + shard) · pairs
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    openings: u128,
    wanted: u128,
    pairs: u128,
    start: u128,
}

impl Slice {
    /// The slice asked for.
    ///
    /// # Errors
    /// When a count is below one, the seed below nought, the shard or batch not among those there are, or a
    /// product beyond all reason.
    pub fn new(request: &SliceRequest) -> Result<Self, SliceError> {
        let counts = [
            &request.openings,
            &request.pairs,
            &request.shards,
            &request.batches,
        ];
        if counts
            .iter()
            .any(|count| count.is_negative() || count.is_nought())
            || request.seed.is_negative()
        {
            return Err(SliceError::Counts);
        }
        let shard = index(&request.shard, &request.shards).ok_or_else(|| SliceError::Shard {
            shard: request.shard.clone(),
            shards: request.shards.clone(),
        })?;
        let batch = index(&request.batch, &request.batches).ok_or_else(|| SliceError::Batch {
            batch: request.batch.clone(),
            batches: request.batches.clone(),
        })?;
        let [openings, pairs, shards, batches] = counts.map(bounded);
        let (openings, pairs, shards) = (openings?, pairs?, shards?);
        let wanted = product(product(pairs, shards)?, batches?)?;
        let first = first_of_test(openings, wanted, &request.seed);
        Ok(Self {
            openings,
            wanted,
            pairs,
            start: first + (batch * shards + shard) * pairs,
        })
    }

    /// One-based number of the first opening. It may lie past the end of the book when [`Self::repeats`]
    /// says so; play then goes on round the book.
    #[must_use]
    pub const fn start(&self) -> u128 {
        self.start
    }

    /// Openings in the slice.
    #[must_use]
    pub const fn pairs(&self) -> u128 {
        self.pairs
    }

    /// One-based place in the book of the slice's opening number `index`, from nought, counted on round the
    /// end of the book.
    #[must_use]
    pub const fn number(&self, index: u128) -> u128 {
        (self.start - 1 + index) % self.openings + 1
    }

    /// What to say when the whole test leaves the book no opening to spare.
    #[must_use]
    pub const fn repeats(&self) -> Option<Repeats> {
        if self.wanted < self.openings {
            return None;
        }
        Some(Repeats {
            openings: self.openings,
            wanted: self.wanted,
        })
    }
}

/// A book that is no larger than the run drawn from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// Openings in the book.
    pub openings: u128,
    /// Pairs of all shards and batches.
    pub wanted: u128,
}

impl fmt::Display for Repeats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { openings, wanted } = self;
        write!(
            f,
            "the book holds {openings} openings and the run wants {wanted}, so the shards repeat each other"
        )
    }
}

fn bounded(count: &WholeNumber) -> Result<u128, SliceError> {
    match count.to_u128() {
        Some(value) if value < LIMIT => Ok(value),
        Some(_) | None => Err(SliceError::TooLarge),
    }
}

fn product(left: u128, right: u128) -> Result<u128, SliceError> {
    left.checked_mul(right)
        .filter(|&value| value < LIMIT)
        .ok_or(SliceError::TooLarge)
}

/// The index when it is below the count. A count no machine holds is refused later.
fn index(index: &WholeNumber, count: &WholeNumber) -> Option<u128> {
    let index = index.to_u128()?;
    (index < count.to_u128().unwrap_or(u128::MAX)).then_some(index)
}

fn first_of_test(openings: u128, wanted: u128, seed: &WholeNumber) -> u128 {
    // No room: nothing to choose, so the test begins at the first opening.
    let room = openings.saturating_sub(wanted);
    1 + seed.modulo(room).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn request(openings: u64, pairs: u64, shards: u64, shard: u64, seed: &str) -> SliceRequest {
        SliceRequest {
            openings: openings.into(),
            pairs: pairs.into(),
            shards: shards.into(),
            shard: shard.into(),
            seed: seed.parse().unwrap(),
            batches: 1_u64.into(),
            batch: 0_u64.into(),
        }
    }

    fn batched(mut request: SliceRequest, batches: u64, batch: u64) -> SliceRequest {
        request.batches = batches.into();
        request.batch = batch.into();
        request
    }

    #[track_caller]
    fn starts(request: &SliceRequest, start: u128, repeats: bool) {
        let slice = Slice::new(request).unwrap();
        assert_eq!(slice.start(), start);
        assert_eq!(slice.repeats().is_some(), repeats);
    }

    #[track_caller]
    fn refused(request: &SliceRequest, message: &str) {
        assert_eq!(Slice::new(request).unwrap_err().to_string(), message);
    }

    /// Starts printed by mache 0.7.1's `book-slice`.
    #[test]
    fn known_starts() {
        starts(&request(34700, 250, 5, 3, "7"), 758, false);
        starts(&request(34700, 250, 5, 0, "34699"), 1250, false);
        starts(&request(34700, 250, 5, 0, "33450"), 1, false);
        starts(&request(34700, 250, 5, 0, "16093711234"), 13085, false);
        starts(
            &request(34700, 250, 5, 0, "18446744073709551616"),
            28817,
            false,
        );
        starts(
            &request(34700, 250, 5, 0, "1000000000000000000000000000000"),
            25751,
            false,
        );
        starts(&request(34700, 100, 5, 2, "0"), 201, false);
        starts(&batched(request(34700, 100, 5, 2, "0"), 4, 1), 701, false);
        starts(
            &batched(request(34700, 100, 5, 4, "16093711234"), 4, 3),
            15735,
            false,
        );
        starts(
            &batched(request(242_201, 250, 10, 9, "987654321987"), 8, 7),
            227_270,
            false,
        );
        starts(&request(501, 100, 5, 0, "123456"), 1, false);
        starts(&request(502, 100, 5, 0, "5"), 2, false);
        starts(&request(34700, 1, 1, 0, "34698"), 34699, false);
        starts(&request(34700, 1, 1, 0, "34699"), 1, false);
    }

    #[test]
    fn a_book_without_room_is_remarked_on() {
        starts(&request(500, 100, 5, 4, "99"), 401, true);
        starts(&request(499, 100, 5, 4, "99"), 401, true);
        starts(&request(10, 100, 5, 3, "99"), 301, true);
        starts(&request(1, 1, 1, 0, "1000000000000"), 1, true);
        let slice = Slice::new(&batched(request(1000, 100, 5, 0, "99"), 4, 0)).unwrap();
        insta::assert_snapshot!(
            slice.repeats().unwrap(),
            @"the book holds 1000 openings and the run wants 2000, so the shards repeat each other"
        );
    }

    #[test]
    fn a_book_larger_than_a_machine_word() {
        let mut request = batched(request(1, 20, 2, 1, "31111111111111111111111111"), 3, 2);
        request.openings = "1000000000000000000000".parse().unwrap();
        starts(&request, 111_111_111_111_114_844_532, false);
    }

    #[test]
    fn refusals() {
        let counts = "the counts are all at least one and the seed is not negative";
        refused(&request(0, 2, 2, 0, "7"), counts);
        refused(&request(100, 0, 2, 0, "7"), counts);
        refused(&request(100, 2, 0, 0, "7"), counts);
        refused(&batched(request(100, 2, 2, 0, "7"), 0, 0), counts);
        refused(&request(100, 2, 2, 0, "-1"), counts);
        refused(&request(100, 2, 5, 5, "0"), "shard 5 is not one of 5");
        refused(
            &batched(request(100, 2, 2, 0, "7"), 4, 4),
            "batch 4 is not one of 4",
        );
        let mut negative = request(100, 2, 2, 0, "7");
        negative.shard = "-1".parse().unwrap();
        refused(&negative, "shard -1 is not one of 2");
        let mut vast = request(100, 2, 2, 0, "7");
        vast.pairs = "1000000000000000000000000000000000000".parse().unwrap();
        assert_eq!(Slice::new(&vast), Err(SliceError::TooLarge));
    }

    #[test]
    fn play_goes_on_round_the_book() {
        let slice = Slice::new(&request(3, 2, 2, 1, "0")).unwrap();
        assert_eq!((slice.number(0), slice.number(1)), (3, 1));
    }

    proptest! {
        #[test]
        fn slices_of_a_test_share_no_opening(
            pairs in 1..20_u64, shards in 1..6_u64, batches in 1..4_u64, spare in 1..50_u64, seed: u128,
        ) {
            let openings = pairs * shards * batches + spare;
            let mut seen = HashSet::new();
            for (batch, shard) in (0..batches).flat_map(|b| (0..shards).map(move |s| (b, s))) {
                let request = batched(request(openings, pairs, shards, shard, &seed.to_string()), batches, batch);
                let slice = Slice::new(&request).unwrap();
                prop_assert!(slice.repeats().is_none());
                for index in 0..slice.pairs() {
                    let number = slice.number(index);
                    prop_assert_eq!(number, slice.start() + index);
                    prop_assert!(seen.insert(number));
                }
            }
            prop_assert_eq!(seen.len() as u64, pairs * shards * batches);
            prop_assert!(seen.iter().max() <= Some(&u128::from(openings)));
        }

        #[test]
        fn a_full_book_is_covered_once(pairs in 1..20_u64, shards in 1..6_u64, seed: u128) {
            let openings = pairs * shards;
            let mut seen = HashSet::new();
            for shard in 0..shards {
                let slice = Slice::new(&request(openings, pairs, shards, shard, &seed.to_string())).unwrap();
                seen.extend((0..slice.pairs()).map(|index| slice.number(index)));
            }
            prop_assert_eq!(seen.len() as u64, openings);
        }
    }
}
