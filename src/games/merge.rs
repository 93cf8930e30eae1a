//! Tallies of pieces added up: per file, and over all files.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::digest::{ByDigest, Digests};
use super::ending::EndingCounts;
use super::error::ReadError;
use super::instrument::Spent;
use super::names::{Names, Sides};
use super::source::{Piece, Pieces, Source};
use super::tally::{Doubt, Played, Tally};

/// Pieces of their own memory are read ahead up to this many bytes.
const HELD: usize = 8 << 20;
/// So many mapped pieces are read before their tallies are added up.
const AT_ONCE: usize = 128;

/// The records of one file.
#[derive(Debug, Default)]
pub(super) struct FileTally {
    pub(super) records: u64,
    pub(super) played: Vec<Played>,
    pub(super) unfinished: u64,
    /// Who played each game without a result, when everyone's games were asked for.
    pub(super) open: Vec<[u32; 2]>,
    pub(super) endings: EndingCounts,
    pub(super) doubts: BTreeMap<Doubt, Vec<u64>>,
    pub(super) content: u64,
    pub(super) undated: bool,
    /// The compressed text breaks off.
    pub(super) broken: bool,
}

/// The records of all files.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) files: Vec<FileTally>,
    pub(super) names: Names,
    /// Games with two players, by the number of a name.
    pub(super) appearances: Vec<u64>,
    pub(super) spent: Vec<(u32, Spent)>,
    pub(super) openings: ByDigest<Box<[u8]>>,
    pub(super) rounds: ByDigest<Box<[u8]>>,
    seen: Digests,
}

impl Totals {
    /// Reads all sources, in their order. Pieces are read in parallel and added up in the order of the text.
    pub(super) fn read(sources: &[Source], sides: Sides<'_>) -> Result<Self, ReadError> {
        let mut totals = Self::default();
        totals.files.resize_with(sources.len(), FileTally::default);
        let mut pieces = Pieces::new(sources.to_vec());
        let mut batch = take(&mut pieces)?;
        while !batch.is_empty() {
            let seen = &totals.seen;
            let (tallies, next) = rayon::join(
                || {
                    let tally = |piece: &Piece| Tally::of(piece.text(), sides, seen);
                    batch.par_iter().map(tally).collect::<Vec<_>>()
                },
                || take(&mut pieces),
            );
            for (piece, tally) in batch.iter().zip(tallies) {
                totals.add(piece, tally, sides);
            }
            batch = next?;
        }
        for &broken in &pieces.broken {
            totals.files[broken].broken = true;
        }
        Ok(totals)
    }

    fn add(&mut self, piece: &Piece, tally: Tally, sides: Sides<'_>) {
        // Games repeated within one batch are known only here: then the piece is read again without them.
        let tally = if tally.digests.is_disjoint(&self.seen) {
            tally
        } else {
            Tally::of(piece.text(), sides, &self.seen)
        };
        let names = self.numbers(&tally, sides);
        for (&name, games) in names.iter().zip(&tally.appearances) {
            self.appearances[name as usize] += games;
        }
        for (name, spent) in tally.spent {
            let name = names[name as usize];
            match self.spent.iter_mut().find(|(of, _)| *of == name) {
                Some((_, mine)) => mine.add(spent),
                None => self.spent.push((name, spent)),
            }
        }
        self.openings.extend(tally.openings);
        self.rounds.extend(tally.rounds);
        self.seen.extend(tally.digests);
        let file = &mut self.files[piece.source];
        let before = file.records;
        file.played
            .extend(tally.played.into_iter().map(|game| Played {
                number: game.number + before,
                own: names[game.own as usize],
                rival: names[game.rival as usize],
                ..game
            }));
        for (doubt, number) in tally.doubts {
            file.doubts.entry(doubt).or_default().push(number + before);
        }
        file.records += tally.records;
        file.unfinished += tally.unfinished;
        let open = tally.open.into_iter();
        file.open
            .extend(open.map(|players| players.map(|name| names[name as usize])));
        file.endings.add(tally.endings, &names);
        file.content = file.content.wrapping_add(tally.content);
        file.undated |= tally.undated;
    }

    /// The numbers here of a tally's names.
    fn numbers(&mut self, tally: &Tally, sides: Sides<'_>) -> Vec<u32> {
        let names = &mut self.names;
        let numbers = tally
            .names
            .iter()
            .map(|raw| names.number(sides.name(raw)))
            .collect();
        self.appearances.resize(self.names.all().len(), 0);
        numbers
    }
}

/// The next pieces: enough for every thread, and not too much memory.
fn take(pieces: &mut Pieces) -> Result<Vec<Piece>, ReadError> {
    let mut batch = Vec::new();
    let mut held = 0;
    while held < HELD && batch.len() < AT_ONCE {
        let Some(piece) = pieces.next_piece()? else {
            break;
        };
        held += piece.weight();
        batch.push(piece);
    }
    Ok(batch)
}
