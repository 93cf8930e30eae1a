//! Where pairs began: each from its own place in the book, and no two from one position.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use super::fault::{Fault, FaultKind};
use super::run::{File, Run};
use super::stretch::Stretch;
use crate::games::RollEntry;
use crate::openings::{Book, PositionKey};

/// A pair as its first game in the files shows it.
#[derive(Clone, Copy)]
struct Pair<'r> {
    run: &'r Run,
    file: &'r File,
    game: &'r RollEntry,
    round: usize,
    /// One-based number of its opening in the book.
    number: u128,
    wraps: bool,
}

impl Pair<'_> {
    fn fault(&self, kind: FaultKind, what: String) -> Fault {
        Fault::of(kind, &self.file.path, what).at_game(self.game.number)
    }

    fn place(&self) -> String {
        format!("pair {} of {}", self.round, self.run.folder.display())
    }

    fn is(&self, other: &Self) -> bool {
        self.round == other.round && self.run.folder == other.run.folder
    }
}

/// What is known so far.
#[derive(Default)]
struct Known<'r> {
    by_position: HashMap<PositionKey, Pair<'r>>,
    by_pair: HashMap<(&'r Path, usize), PositionKey>,
    by_game: HashMap<u64, Pair<'r>>,
    shared: u64,
    repeated_in_book: u64,
    unknown: u64,
}

/// Checks the pairs of the shards of one match.
pub(super) fn check(
    runs: &[&Run],
    book: Option<&Book>,
    faults: &mut Vec<Fault>,
    notes: &mut Vec<String>,
) {
    let embedded = Book::embedded();
    let mut known = Known::default();
    for run in runs {
        let Some(stretch) = &run.stretch else {
            continue;
        };
        let book = of_run(run, book, &embedded, faults, notes);
        for (file, game) in run.games() {
            if let Some(pair) = pair(run, stretch, file, game) {
                known.take(pair, book, faults);
            }
        }
    }
    known.note(notes);
}

fn pair<'r>(run: &'r Run, at: &Stretch, file: &'r File, game: &'r RollEntry) -> Option<Pair<'r>> {
    let round = game.round.filter(|_| game.candidate_is_white.is_some())?;
    Some(Pair {
        run,
        file,
        game,
        round,
        number: at.opening(round),
        wraps: at.wraps,
    })
}

/// The book that the run says it played from: the one given, or without one that inside the program.
fn of_run<'b>(
    run: &Run,
    given: Option<&'b Book>,
    embedded: &'b Book,
    faults: &mut Vec<Fault>,
    notes: &mut Vec<String>,
) -> Option<&'b Book> {
    let record = &run.manifest.book;
    let book = given.unwrap_or(embedded);
    let is_own = book.sha256().is_ok_and(|sha256| sha256 == record.sha256);
    if is_own && book.len() == record.openings {
        return Some(book);
    }
    if is_own {
        let (said, holds) = (record.openings, book.len());
        let what = format!("it says its book has {said} openings and it has {holds}");
        faults.push(Fault::of(FaultKind::Altered, &run.folder, what));
    } else if given.is_some() {
        let what = format!("it was played from another book than {}", book.name());
        faults.push(Fault::of(FaultKind::Foreign, &run.folder, what));
    } else {
        let note = format!(
            "the book {} is not here, so that pairs begin from their places in it was not checked; give it with --book",
            record.name
        );
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    None
}

impl<'r> Known<'r> {
    fn take(&mut self, pair: Pair<'r>, book: Option<&Book>, faults: &mut Vec<Fault>) {
        let Some(opening) = pair.game.opening else {
            self.unknown += 1;
            return;
        };
        let by_the_book = book.and_then(|book| {
            let number = usize::try_from(pair.number).ok()?;
            let opening = book.opening(number).ok()?;
            Some(PositionKey::of(&opening.end()))
        });
        if by_the_book.is_some_and(|own| own != opening) {
            let what = format!(
                "it does not begin from opening {} of the book, its own",
                pair.number
            );
            faults.push(pair.fault(FaultKind::Opening, what));
        }
        if self.copied(pair, faults) {
            return;
        }
        // A pair is held against others once, by its first game.
        let key = (pair.run.folder.as_path(), pair.round);
        if let Some(of_pair) = self.by_pair.get(&key) {
            if *of_pair != opening {
                let round = pair.round;
                let what =
                    format!("it begins from another position than the first game of pair {round}");
                faults.push(pair.fault(FaultKind::Opening, what));
            }
            return;
        }
        self.by_pair.insert(key, opening);
        faults.extend(self.overlap(pair, opening, by_the_book == Some(opening)));
    }

    /// Whether a pair meets another one at its opening where it should not.
    fn overlap(&mut self, pair: Pair<'r>, opening: PositionKey, as_drawn: bool) -> Option<Fault> {
        let first = match self.by_position.entry(opening) {
            Entry::Occupied(first) => *first.get(),
            Entry::Vacant(free) => {
                free.insert(pair);
                return None;
            }
        };
        let numbers = if first.number == pair.number {
            if pair.wraps {
                self.shared += 1;
                return None;
            }
            format!("both are opening {} of the book", pair.number)
        } else {
            if as_drawn {
                self.repeated_in_book += 1;
                return None;
            }
            format!(
                "they are openings {} and {} of the book",
                pair.number, first.number
            )
        };
        let what = format!(
            "it begins from the same position as {}; by their places {numbers}",
            first.place()
        );
        Some(pair.fault(FaultKind::Overlap, what))
    }

    /// Whether the game is a copy of one of another pair.
    fn copied(&mut self, pair: Pair<'r>, faults: &mut Vec<Fault>) -> bool {
        let Some(fingerprint) = pair.game.fingerprint.filter(|_| pair.game.finished) else {
            return false;
        };
        let first = *self.by_game.entry(fingerprint).or_insert(pair);
        let legitimate = !pair.game.dated && pair.wraps && first.number == pair.number;
        if first.is(&pair) || legitimate {
            return false;
        }
        let what = format!(
            "it is game {} of {} again",
            first.game.number,
            first.file.path.display()
        );
        faults.push(pair.fault(FaultKind::Repeated, what));
        true
    }

    fn note(&self, notes: &mut Vec<String>) {
        let mut note = |many: u64, what: &str| {
            if many > 0 {
                notes.push(what.replace('#', &many.to_string()));
            }
        };
        note(
            self.shared,
            "pairs that began from the opening of an earlier one: #; the match wants more openings than its book has and \
             went round it",
        );
        note(
            self.repeated_in_book,
            "pairs that began from the position of an earlier one: #; the book holds it several times",
        );
        note(
            self.unknown,
            "games that do not say where they began: #; their openings were not compared",
        );
    }
}
