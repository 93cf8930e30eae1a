//! Runs held against each other: are they the shards of one match, each once and all of them?

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::fault::{Fault, FaultKind};
use super::run::Run;
use super::stretch::Stretch;

/// Ranges of missing shards or batches that are named.
const NAMED: usize = 20;

/// Checks all runs. Answers those that are shards of the match, each place once.
pub(super) fn check<'r>(
    runs: &'r [Run],
    faults: &mut Vec<Fault>,
    notes: &mut Vec<String>,
) -> Vec<&'r Run> {
    same_files(runs, faults);
    let own = of_one_match(runs, faults);
    let own = each_place_once(own, faults);
    missing(&own, faults, notes);
    if own.len() > 1
        && own
            .iter()
            .filter_map(|run| run.stretch.as_ref())
            .any(|at| at.by_start)
    {
        notes.push(
            "the runs were cut by --start and not by --shard, so nothing says whether all are here"
                .to_owned(),
        );
    }
    own
}

/// The same content under two names.
fn same_files(runs: &[Run], faults: &mut Vec<Fault>) {
    let mut known = HashMap::new();
    for file in runs.iter().flat_map(|run| &run.files) {
        if file.games.is_empty() {
            continue;
        }
        let first = *known.entry(&file.sha256).or_insert(file);
        if first.path != file.path {
            let what = format!("it holds the same games as {}", first.path.display());
            faults.push(Fault::of(FaultKind::Repeated, &file.path, what));
        }
    }
}

/// The runs of the match that most of them are of; on a tie, of the first.
fn of_one_match<'r>(runs: &'r [Run], faults: &mut Vec<Fault>) -> Vec<&'r Run> {
    let mut alike: Vec<Vec<&Run>> = Vec::new();
    for run in runs {
        let mut groups = alike.iter_mut().take(GROUPS);
        match groups.find(|group| run.manifest.foreign_to(&group[0].manifest).is_empty()) {
            Some(group) => group.push(run),
            None => alike.push(vec![run]),
        }
    }
    let largest = alike.iter().map(Vec::len).max().unwrap_or(0);
    let Some(own) = alike.iter().position(|group| group.len() == largest) else {
        return Vec::new();
    };
    let own = alike.swap_remove(own);
    for run in alike.into_iter().flatten() {
        let differences = run.manifest.foreign_to(&own[0].manifest).join(", ");
        let what = format!(
            "it is of another match than {}: it differs in {differences}",
            own[0].folder.display()
        );
        faults.push(Fault::of(FaultKind::Foreign, &run.folder, what));
    }
    own
}

/// With more matches than this among the runs, further ones stand alone.
const GROUPS: usize = 64;

fn each_place_once<'r>(runs: Vec<&'r Run>, faults: &mut Vec<Fault>) -> Vec<&'r Run> {
    let mut taken: BTreeMap<(u128, u128), &Run> = BTreeMap::new();
    let mut own = Vec::with_capacity(runs.len());
    for run in runs {
        let divided = run.stretch.as_ref().filter(|at| !at.by_start);
        let Some(at) = divided else {
            own.push(run);
            continue;
        };
        let first = *taken
            .entry((at.batch.number, at.shard.number))
            .or_insert(run);
        if first.folder == run.folder {
            own.push(run);
            continue;
        }
        let what = format!(
            "it is {} once more, beside {}",
            place(at),
            first.folder.display()
        );
        faults.push(Fault::of(FaultKind::Repeated, &run.folder, what));
    }
    own
}

fn place(at: &Stretch) -> String {
    let shard = format!("shard {} of {}", at.shard.number, at.shard.of);
    match at.batch.of {
        1 => shard,
        of => format!("{shard} of batch {} of {of}", at.batch.number),
    }
}

/// Shards that are not there. Batches behind the last one are not missed: a test may stop early.
fn missing(runs: &[&Run], faults: &mut Vec<Fault>, notes: &mut Vec<String>) {
    let stretches = runs.iter().filter_map(|run| run.stretch.as_ref());
    let mut batches: BTreeMap<u128, (u128, BTreeSet<u128>)> = BTreeMap::new();
    for at in stretches.filter(|at| !at.by_start) {
        let (_, shards) = batches
            .entry(at.batch.number)
            .or_insert((at.shard.of, BTreeSet::new()));
        shards.insert(at.shard.number);
    }
    let mut fault = |what: String| faults.push(Fault::named(FaultKind::Missing, "", what));
    for (batch, (of, shards)) in &batches {
        if let Some(gaps) = gaps(shards, 0, *of) {
            fault(format!(
                "of the {of} shards of batch {batch} these are not here: {gaps}"
            ));
        }
    }
    let numbers: BTreeSet<u128> = batches.keys().copied().collect();
    let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else {
        return;
    };
    if first > 0 {
        notes.push(format!(
            "the runs begin with batch {first}; those before it are not here"
        ));
    }
    if let Some(gaps) = gaps(&numbers, first, last) {
        fault(format!(
            "between batches {first} and {last} these are not here: {gaps}"
        ));
    }
}

/// The numbers from `from` to below `to` that are not there, as ranges; `None` when all are.
fn gaps(present: &BTreeSet<u128>, from: u128, to: u128) -> Option<String> {
    let mut ranges = Vec::new();
    let mut next = from;
    for &number in present.iter().chain([&to]) {
        if number > next {
            ranges.push(match number - 1 {
                last if last == next => next.to_string(),
                last => format!("{next} to {last}"),
            });
        }
        next = number + 1;
    }
    let more = ranges.len().saturating_sub(NAMED);
    ranges.truncate(NAMED);
    let more = if more > 0 {
        format!(" and {more} more ranges")
    } else {
        String::new()
    };
    (!ranges.is_empty()).then(|| ranges.join(", ") + &more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_ranges_however_many_there_should_be() {
        let present = BTreeSet::from([1, 2, 5]);
        assert_eq!(gaps(&present, 0, 6).as_deref(), Some("0, 3 to 4"));
        assert_eq!(gaps(&present, 1, 3), None);
        let vast = 10_u128.pow(35);
        assert_eq!(
            gaps(&present, 0, vast),
            Some(format!("0, 3 to 4, 6 to {}", vast - 1))
        );
        assert_eq!(gaps(&BTreeSet::from([0, 1]), 0, 2), None);
    }
}
