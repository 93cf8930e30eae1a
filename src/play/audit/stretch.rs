//! Where a run's manifest says that it stands: its shard, its batch and its stretch of the book.

use crate::openings::{Slice, SliceRequest, WholeNumber};
use crate::play::manifest::Manifest;

/// A run's place in its match and in its book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Which shard of how many; 0 of 1 when the match was not divided.
    pub shard: Part,
    /// Which batch of how many.
    pub batch: Part,
    /// Openings in the book.
    openings: u128,
    /// Zero-based place of the first opening.
    first: u128,
    /// The run's pairs.
    pub pairs: usize,
    /// The whole match wants more openings than the book has, so that pairs share some.
    pub wraps: bool,
    /// The stretch was picked by the number of its first opening, so nothing says what belongs beside it.
    pub by_start: bool,
}

/// One of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// Which, from 0.
    pub number: u128,
    /// Of how many.
    pub of: u128,
}

impl Stretch {
    /// The place a manifest gives.
    ///
    /// # Errors
    /// When its numbers are none or do not follow from each other.
    pub fn of(manifest: &Manifest) -> Result<Self, String> {
        let record = &manifest.slice;
        let first = number(Some(&record.first), "first opening", 0)?;
        let first = first.to_u128().filter(|&first| first > 0);
        let first = first.ok_or("its slice begins at no opening")?;
        let (openings, pairs) = (manifest.book.openings, record.pairs);
        if openings == 0 || pairs == 0 {
            return Err("its book has no opening or its slice no pair".to_owned());
        }
        let whole = Part { number: 0, of: 1 };
        if record.seed.is_none() {
            return Ok(Self {
                shard: whole,
                batch: whole,
                openings: openings as u128,
                first: (first - 1) % openings as u128,
                pairs,
                wraps: pairs > openings,
                by_start: true,
            });
        }
        let request = request(manifest)?;
        let slice = Slice::new(&request).map_err(|error| format!("its slice is none: {error}"))?;
        if slice.start() != first {
            return Err(format!(
                "its slice begins at opening {first}, and by its seed, shard and batch at {}",
                slice.start()
            ));
        }
        let small = |number: &WholeNumber| number.to_u128().unwrap_or(u128::MAX);
        Ok(Self {
            shard: Part {
                number: small(&request.shard),
                of: small(&request.shards),
            },
            batch: Part {
                number: small(&request.batch),
                of: small(&request.batches),
            },
            openings: openings as u128,
            first: slice.number(0) - 1,
            pairs,
            wraps: slice.repeats().is_some_and(|all| all.wanted > all.openings),
            by_start: false,
        })
    }

    /// One-based number in the book of the opening of the run's pair `round`, from 1.
    #[must_use]
    pub fn opening(&self, round: usize) -> u128 {
        (self.first + round.saturating_sub(1) as u128) % self.openings + 1
    }
}

fn request(manifest: &Manifest) -> Result<SliceRequest, String> {
    let record = &manifest.slice;
    Ok(SliceRequest {
        openings: (manifest.book.openings as u64).into(),
        pairs: (record.pairs as u64).into(),
        shards: number(record.shards.as_ref(), "number of shards", 1)?,
        shard: number(record.shard.as_ref(), "shard", 0)?,
        seed: number(record.seed.as_ref(), "seed", 0)?,
        batches: number(record.batches.as_ref(), "number of batches", 1)?,
        batch: number(record.batch.as_ref(), "batch", 0)?,
    })
}

fn number(text: Option<&String>, what: &str, default: u64) -> Result<WholeNumber, String> {
    let Some(text) = text else {
        return Ok(default.into());
    };
    text.parse()
        .map_err(|_| format!("its {what} `{text}` is no whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::manifest::example;

    fn sharded(shard: &str, first: &str) -> Manifest {
        let mut manifest = example();
        let some = |text: &str| Some(text.to_owned());
        manifest.slice.first = first.to_owned();
        manifest.slice.seed = some("7");
        manifest.slice.shard = some(shard);
        manifest.slice.shards = some("3");
        manifest.slice.batch = some("0");
        manifest.slice.batches = some("2");
        manifest
    }

    #[test]
    fn a_shard_has_its_stretch_by_the_formula() {
        // 500 openings, 240 wanted: the match begins at 1 + 7, shard 1 forty openings later.
        let stretch = Stretch::of(&sharded("1", "48")).unwrap();
        assert_eq!(stretch.shard, Part { number: 1, of: 3 });
        assert_eq!((stretch.opening(1), stretch.opening(40)), (48, 87));
        assert!(!stretch.wraps && !stretch.by_start);
        let message = Stretch::of(&sharded("1", "47")).unwrap_err();
        assert_eq!(
            message,
            "its slice begins at opening 47, and by its seed, shard and batch at 48"
        );
    }

    #[test]
    fn a_stretch_by_its_start_goes_round_the_book() {
        let mut manifest = example();
        manifest.slice.first = "499".to_owned();
        let stretch = Stretch::of(&manifest).unwrap();
        assert_eq!((stretch.opening(2), stretch.opening(3)), (500, 1));
        assert!(stretch.by_start && !stretch.wraps);
    }

    #[test]
    fn nonsense_is_refused() {
        for (shard, first) in [("3", "128"), ("x", "8"), ("-1", "8"), ("1", "0"), ("1", "")] {
            assert!(
                Stretch::of(&sharded(shard, first)).is_err(),
                "{shard} {first}"
            );
        }
        let mut empty = example();
        empty.book.openings = 0;
        assert!(Stretch::of(&empty).is_err());
        let mut vast = sharded("1", "48");
        vast.slice.pairs = usize::MAX;
        vast.slice.shards = Some("9".repeat(60));
        assert!(Stretch::of(&vast).is_err());
    }
}
