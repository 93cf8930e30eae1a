//! All games of a match, from all its shards.

use std::collections::HashSet;
use std::path::PathBuf;

use super::ending::Endings;
use super::error::ReadError;
use super::instrument::Instrument;
use super::merge::{FileTally, Totals};
use super::names::Sides;
use super::pairing::{Pairing, pair};
use super::remarks;
use super::shard::{self, Shard};
use super::source::{Source, gather};
use super::tally::Played;
use crate::stats::{GameScore, Pentanomial, Trinomial};

/// What the games of a match add up to, seen from the candidate.
///
/// The order in which files are given does not matter, nor does how they are cut into shards
/// (but a round never spans two files). A game counts once: a file given twice is read once, and of records that are the same
/// byte for byte and have a `GameStartTime` tag one counts. Without a start time two games at
/// fixed nodes may well be the same to the byte, so they all count.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Each file's share, those with an index first and by index, then by name.
    pub shards: Vec<Shard>,
    /// What a person should know of the files, one line each; faults come first.
    pub remarks: Vec<String>,
    /// How the games ended, the candidate's or not.
    pub endings: Endings,
    instruments: Vec<(String, Instrument)>,
}

impl Pool {
    /// Reads the games of `candidate` from files, folders or standard input (see [`gather`]).
    ///
    /// `baseline` only tells which opponents are expected; games against others count too, with a remark.
    ///
    /// # Errors
    ///
    /// When something cannot be read, or no finished game of the candidate is found.
    pub fn read(paths: &[PathBuf], candidate: &str, baseline: &str) -> Result<Self, ReadError> {
        let sides = Sides::Match {
            candidate,
            baseline,
        };
        let (sources, twice) = sorted(gather(paths)?);
        let mut totals = Totals::read(&sources, sides)?;
        let files = std::mem::take(&mut totals.files);
        if files.iter().all(|file| file.played.is_empty()) {
            return Err(ReadError::NoGames {
                candidate: candidate.to_owned(),
                files: sources.len(),
                names: totals.names.all().to_vec(),
            });
        }
        Ok(pooled(&sources, &twice, files, &totals, sides))
    }

    /// The candidate's pairs over all shards.
    #[must_use]
    pub fn pentanomial(&self) -> Pentanomial {
        self.shards
            .iter()
            .fold(Pentanomial::default(), |sum, shard| sum + shard.pairs)
    }

    /// Finished games of the candidate.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.shards.iter().map(|shard| shard.games).sum()
    }

    /// How the candidate's finished games ended.
    #[must_use]
    pub fn results(&self) -> Trinomial {
        let [games, draws] = [|shard: &Shard| shard.games, |shard: &Shard| shard.draws]
            .map(|count| self.shards.iter().map(count).sum::<u64>());
        let wins = (self.points() - draws as f64 / 2.0).round() as u64;
        Trinomial {
            losses: games - draws - wins,
            draws,
            wins,
        }
    }

    /// The candidate's points from its finished games.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.shards
            .iter()
            .fold(0.0, |sum, shard| sum + shard.points)
    }

    /// Finished games that are part of no pair.
    #[must_use]
    pub fn unpaired(&self) -> u64 {
        self.shards.iter().map(|shard| shard.unpaired).sum()
    }

    /// Games of the candidate without a result.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.shards.iter().map(|shard| shard.unfinished).sum()
    }

    /// Games that ended by a fault, whoever played them.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.shards.iter().map(|shard| shard.faults).sum()
    }

    /// What the comments in the candidate's games say of clocks and search: the candidate first, then the others in the order
    /// in which they appear. Empty when no move of these games has a comment.
    #[must_use]
    pub fn instruments(&self) -> &[(String, Instrument)] {
        &self.instruments
    }
}

#[cfg(test)]
impl Pool {
    /// Shards without anything around them.
    pub(super) fn of_shards(shards: Vec<Shard>) -> Self {
        Self {
            shards,
            remarks: Vec::new(),
            endings: Endings::default(),
            instruments: Vec::new(),
        }
    }
}

impl Endings {
    /// Counts how the games of some files ended, with the remarks a person should read.
    ///
    /// # Errors
    ///
    /// When something cannot be read. Files without games are no error.
    pub fn read(paths: &[PathBuf]) -> Result<(Self, Vec<String>), ReadError> {
        let (sources, twice) = sorted(gather(paths)?);
        let totals = Totals::read(&sources, Sides::default())?;
        let mut endings = Self::default();
        let mut remarks = Vec::new();
        remarks::twice(&twice, &mut remarks);
        for (source, file) in sources.iter().zip(&totals.files) {
            file.endings.add_to(&mut endings, &totals.names);
            remarks::doubts(source.path(), file, &mut remarks);
        }
        remarks.splice(0..0, endings.fault_remark());
        Ok((endings, remarks))
    }
}

/// Sources in the order of shards, each once, and those that were given again.
pub(super) fn sorted(sources: Vec<Source>) -> (Vec<Source>, Vec<PathBuf>) {
    let mut known = HashSet::new();
    let (mut once, again): (Vec<_>, Vec<_>) = sources
        .into_iter()
        .partition(|source| known.insert(source.identity()));
    once.sort_by_key(|source| shard::order(&shard::name_of(source.path())));
    let again = again.iter().map(|source| source.path().to_owned());
    (once, again.collect())
}

fn pooled(
    sources: &[Source],
    twice: &[PathBuf],
    mut files: Vec<FileTally>,
    totals: &Totals,
    sides: Sides<'_>,
) -> Pool {
    let mut shards = Vec::with_capacity(files.len());
    let mut endings = Endings::default();
    let mut remarks = Vec::new();
    remarks::twice(twice, &mut remarks);
    remarks::same_content(sources, &files, &mut remarks);
    for (source, file) in sources.iter().zip(&mut files) {
        file.endings.add_to(&mut endings, &totals.names);
        remarks::doubts(source.path(), file, &mut remarks);
        let results = results(&file.played);
        let pairing = pair(std::mem::take(&mut file.played), &totals.openings);
        remarks::left_over(source.path(), &pairing, &totals.rounds, &mut remarks);
        shards.push(shard_of(source, file, results, pairing));
    }
    remarks::missing_shards(&shards, &mut remarks);
    remarks::strangers(totals, sides, &mut remarks);
    remarks.splice(0..0, endings.fault_remark());
    Pool {
        shards,
        remarks,
        endings,
        instruments: instruments(totals, sides),
    }
}

/// The candidate's results, pair or no pair.
fn results(played: &[Played]) -> Trinomial {
    let mut results = Trinomial::default();
    for game in played {
        match game.score {
            GameScore::Loss => results.losses += 1,
            GameScore::Draw => results.draws += 1,
            GameScore::Win => results.wins += 1,
        }
    }
    results
}

fn shard_of(source: &Source, file: &FileTally, results: Trinomial, pairing: Pairing) -> Shard {
    let name = shard::name_of(source.path());
    Shard {
        index: shard::index_of(&name),
        name,
        games: results.games(),
        points: results.points(),
        draws: results.draws,
        pairs: pairing.pairs,
        unpaired: results.games() - 2 * pairing.pairs.pairs(),
        unfinished: file.unfinished,
        faults: file.endings.faults(),
        path: source.path().to_owned(),
        cpu: None,
        numbered: pairing.numbered,
    }
}

fn instruments(totals: &Totals, sides: Sides<'_>) -> Vec<(String, Instrument)> {
    let mut rows: Vec<(String, Instrument)> = totals
        .spent
        .iter()
        .map(|(name, spent)| (totals.names.name(*name).to_owned(), spent.instrument()))
        .collect();
    rows.sort_by_key(|(name, _)| Some(name.as_str()) != sides.candidate());
    rows
}
