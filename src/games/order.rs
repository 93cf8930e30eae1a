//! The order of pairs that was fixed before play: by batch, then by number within the shard, shards interleaved.
//!
//! In this order it does not matter which machine was the quicker or which games were short, so a test may
//! look at it again and again. What was played when says nothing here.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::pool::Pool;
use super::shard::{Shard, number_behind};
use crate::stats::Pentanomial;

/// A shard's place in its test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Which batch, from 0.
    pub batch: u64,
    /// Which shard of the batch, from 0.
    pub shard: u64,
    /// Which pairs of the shard the rounds 1, 2, 3 … are; `None` when each is its own.
    pub rounds: Option<Vec<usize>>,
}

/// Why the order of pairs cannot be known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// Nothing says which shard a file is.
    #[error(
        "cannot tell which shard {} is: keep its manifest.json beside it, or name its folder shard-0, shard-1, …; \
         without an order only the totals can be judged",
        path.display()
    )]
    Placeless {
        /// The file.
        path: PathBuf,
    },
    /// Two files are the same shard of the same batch.
    #[error(
        "{} and {} are both shard {shard} of batch {batch}, so their pairs have no order; \
         number the shards or batches apart",
        first.display(),
        second.display()
    )]
    Taken {
        /// The file read first.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// Their batch.
        batch: u64,
        /// Their shard.
        shard: u64,
    },
    /// A pair's Round tag is no number.
    #[error(
        "{}: not every pair has a plain number as its Round, so their order is not known",
        path.display()
    )]
    Unnumbered {
        /// The file.
        path: PathBuf,
    },
    /// Several pairs of a shard have the same number.
    #[error(
        "{}: several pairs are round {round}, so their order is not known",
        path.display()
    )]
    Twice {
        /// The file.
        path: PathBuf,
        /// The Round tag.
        round: u32,
    },
}

impl Shard {
    /// The place that the names of its folders give it: `shard-3`, and `batch-1` in that name or a folder above.
    #[must_use]
    pub fn place_by_name(&self) -> Option<Place> {
        let folders = self
            .path
            .parent()
            .into_iter()
            .flat_map(|path| path.components().rev());
        let names = folders.map(|folder| folder.as_os_str().to_string_lossy());
        let batch = names
            .filter_map(|name| number_behind(&name, "batch-"))
            .next();
        Some(Place {
            batch: batch.unwrap_or(0),
            shard: self.index?,
            rounds: None,
        })
    }

    /// Its pairs in the order in which they were begun, each as a count of one: runners number Rounds as they go.
    ///
    /// # Errors
    ///
    /// When Round tags do not number the pairs.
    pub fn in_play_order(
        &self,
    ) -> Result<impl ExactSizeIterator<Item = Pentanomial> + use<>, OrderError> {
        let path = || self.path.clone();
        let mut pairs = self.numbered.clone();
        pairs.sort_unstable();
        if pairs.first().is_some_and(|pair| pair.round.is_none()) {
            return Err(OrderError::Unnumbered { path: path() });
        }
        let same = pairs.windows(2).find(|two| two[0].round == two[1].round);
        if let Some(round) = same.and_then(|two| two[0].round) {
            return Err(OrderError::Twice {
                path: path(),
                round,
            });
        }
        Ok(pairs.into_iter().map(|pair| count_of_one(pair.halves)))
    }

    /// Its pairs by number within the shard.
    fn pairs_in_order(&self, place: &Place) -> Result<BTreeMap<usize, u8>, OrderError> {
        let path = || self.path.clone();
        let mut pairs = BTreeMap::new();
        for pair in &self.numbered {
            let round = pair
                .round
                .ok_or_else(|| OrderError::Unnumbered { path: path() })?;
            let number = place
                .number(round)
                .ok_or_else(|| OrderError::Unnumbered { path: path() })?;
            if pairs.insert(number, pair.halves).is_some() {
                return Err(OrderError::Twice {
                    path: path(),
                    round,
                });
            }
        }
        Ok(pairs)
    }
}

impl Place {
    /// The number in its shard of the pair played as this round.
    fn number(&self, round: u32) -> Option<usize> {
        let round = usize::try_from(round).ok()?;
        match &self.rounds {
            None => Some(round),
            Some(rounds) => rounds.get(round.checked_sub(1)?).copied(),
        }
    }
}

fn count_of_one(halves: u8) -> Pentanomial {
    let mut counts = [0; 5];
    counts[usize::from(halves)] = 1;
    Pentanomial::new(counts)
}

impl Pool {
    /// The pairs of each batch, each pair as a count of one, in the order fixed before play. `places` has one entry a
    /// shard, in the order of [`Pool::shards`]; the only shard there is needs none.
    ///
    /// A pair that was not completed leaves no gap: those behind it move up.
    ///
    /// # Errors
    ///
    /// When a place is missing or taken twice, or rounds do not number the pairs.
    pub fn in_order(&self, places: &[Option<Place>]) -> Result<Vec<Vec<Pentanomial>>, OrderError> {
        let mut batches: BTreeMap<u64, BTreeMap<(usize, u64), u8>> = BTreeMap::new();
        let mut taken: BTreeMap<(u64, u64), &Shard> = BTreeMap::new();
        for (at, shard) in self.shards.iter().enumerate() {
            let alone = (self.shards.len() == 1).then(Place::default);
            let place = places.get(at).cloned().flatten().or(alone);
            let place = place.ok_or_else(|| OrderError::Placeless {
                path: shard.path.clone(),
            })?;
            if let Some(first) = taken.insert((place.batch, place.shard), shard) {
                return Err(OrderError::Taken {
                    first: first.path.clone(),
                    second: shard.path.clone(),
                    batch: place.batch,
                    shard: place.shard,
                });
            }
            let batch = batches.entry(place.batch).or_default();
            for (number, halves) in shard.pairs_in_order(&place)? {
                batch.insert((number, place.shard), halves);
            }
        }
        Ok(batches
            .into_values()
            .map(|batch| batch.into_values().map(count_of_one).collect())
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pairing::NumberedPair;

    fn shard(path: &str, pairs: &[(u32, u8)]) -> Shard {
        let path = PathBuf::from(path);
        let name = super::super::shard::name_of(&path);
        Shard {
            index: super::super::shard::index_of(&name),
            name,
            path,
            games: 2 * pairs.len() as u64,
            points: 0.0,
            draws: 0,
            pairs: Pentanomial::default(),
            unpaired: 0,
            unfinished: 0,
            faults: 0,
            cpu: None,
            numbered: pairs
                .iter()
                .map(|&(round, halves)| NumberedPair {
                    round: Some(round),
                    halves,
                })
                .collect(),
        }
    }

    fn order(shards: Vec<Shard>) -> Result<Vec<Vec<usize>>, OrderError> {
        let places: Vec<_> = shards.iter().map(Shard::place_by_name).collect();
        in_order(shards, &places)
    }

    fn in_order(
        shards: Vec<Shard>,
        places: &[Option<Place>],
    ) -> Result<Vec<Vec<usize>>, OrderError> {
        let score =
            |pair: &Pentanomial| pair.counts().iter().position(|&count| count == 1).unwrap();
        let batches = Pool::of_shards(shards).in_order(places)?;
        Ok(batches
            .iter()
            .map(|batch| batch.iter().map(score).collect())
            .collect())
    }

    #[test]
    fn shards_are_interleaved_whatever_was_played_first() {
        let shards = vec![
            shard("games/shard-0/games.pgn", &[(3, 2), (1, 0)]),
            shard("games/shard-1/games.pgn", &[(1, 1), (2, 4), (4, 3)]),
        ];
        // Rounds 1, 1, 2, 3, 4: the second of shard 0 is missing, and so is the third of shard 1.
        assert_eq!(order(shards), Ok(vec![vec![0, 1, 4, 2, 3]]));
    }

    #[test]
    fn batches_follow_each_other() {
        let shards = vec![
            shard("batch-1/shard-0/games.pgn", &[(1, 3)]),
            shard("batch-0/shard-0/games.pgn", &[(1, 1), (2, 2)]),
        ];
        assert_eq!(order(shards), Ok(vec![vec![1, 2], vec![3]]));
    }

    #[test]
    fn rounds_of_a_resumed_run_are_told_by_its_manifest() {
        let place = Place {
            rounds: Some(vec![5, 2]),
            ..Place::default()
        };
        let shards = vec![shard("games.pgn", &[(1, 1), (2, 0)])];
        assert_eq!(in_order(shards, &[Some(place)]), Ok(vec![vec![0, 1]]));
    }

    #[test]
    fn one_file_needs_no_place() {
        let one = vec![shard("games.pgn", &[(2, 2), (1, 1)])];
        assert_eq!(order(one), Ok(vec![vec![1, 2]]));
    }

    #[test]
    fn a_shard_alone_is_in_order_by_its_rounds() {
        let play = |shard: &Shard| -> Result<Vec<Pentanomial>, OrderError> {
            shard.in_play_order().map(Iterator::collect)
        };
        let mut shard = shard("games.pgn", &[(9, 4), (2, 2), (5, 0)]);
        assert_eq!(play(&shard), Ok([2, 0, 4].map(count_of_one).to_vec()));
        shard.numbered[1].round = Some(9);
        assert!(matches!(
            play(&shard),
            Err(OrderError::Twice { round: 9, .. })
        ));
        shard.numbered[2].round = None;
        assert!(matches!(play(&shard), Err(OrderError::Unnumbered { .. })));
    }

    #[test]
    fn an_order_that_cannot_be_known_is_refused() {
        let placeless = vec![shard("a/games.pgn", &[]), shard("shard-1/games.pgn", &[])];
        assert!(
            matches!(order(placeless), Err(OrderError::Placeless { path }) if path.ends_with("a/games.pgn"))
        );
        let twins = vec![
            shard("x/shard-1/games.pgn", &[]),
            shard("y/shard-1/games.pgn", &[]),
        ];
        assert!(matches!(
            order(twins),
            Err(OrderError::Taken {
                shard: 1,
                batch: 0,
                ..
            })
        ));
        let twice = vec![shard("games.pgn", &[(7, 0), (7, 1)])];
        assert!(matches!(
            order(twice),
            Err(OrderError::Twice { round: 7, .. })
        ));
        let mut unnumbered = shard("games.pgn", &[(7, 0)]);
        unnumbered.numbered[0].round = None;
        assert!(matches!(
            order(vec![unnumbered]),
            Err(OrderError::Unnumbered { .. })
        ));
    }
}
