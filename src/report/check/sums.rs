//! Counts of a report that add up: shards to the whole, endings to their games.

use super::fields::{Faults, Object};
use crate::games::EndingKind;
use crate::play::audit::FaultKind;
use crate::stats::Pentanomial;

/// What the shards add up to.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub(super) games: u64,
    pub(super) points: f64,
    pub(super) pairs: u64,
    pub(super) unpaired: u64,
    pub(super) unfinished: u64,
    pub(super) faults: u64,
    /// Games in the table of endings.
    ended: u64,
    ended_by_kind: u64,
    ended_by_fault: u64,
}

/// Reads shards, endings, clocks and remarks, and checks each by itself.
pub(super) fn read(document: &Object<'_>, faults: &Faults) -> Sums {
    let mut sums = Sums::default();
    for shard in document.objects("shards") {
        add_shard(&shard, &mut sums, faults);
    }
    if let Some(table) = document.object("terminations") {
        sums.ended = table.count("games");
        if let Some(endings) = table.object("endings") {
            add_endings(&endings, &mut sums, faults);
        }
    }
    if let Some(instruments) = document.object("instruments") {
        for name in instruments.keys() {
            check_instrument(instruments.object(name), faults);
        }
    }
    if let Some(list) = document.get("remarks").filter(|list| list.is_array()) {
        let texts = list.as_array().into_iter().flatten();
        if !texts.into_iter().all(serde_json::Value::is_string) {
            faults.push(FaultKind::Schema, "`remarks` are not all texts");
        }
    } else {
        faults.push(FaultKind::Schema, "`remarks` are no list");
    }
    sums
}

fn add_shard(shard: &Object<'_>, sums: &mut Sums, faults: &Faults) {
    shard.text("name");
    if shard
        .get("index")
        .is_none_or(|index| !index.is_null() && !index.is_u64())
    {
        shard.count("index");
    }
    let [games, pairs, unpaired, unfinished, faulty] =
        ["games", "pairs", "unpaired", "unfinished", "faults"].map(|key| shard.count(key));
    let points = shard.number("points");
    let path = shard.path_of("games");
    let refuse = |what: &str| faults.push(FaultKind::Arithmetic, format!("`{path}` {what}"));
    if games != 2 * pairs + unpaired {
        refuse("are not two a pair and those of no pair");
    }
    if !(0.0..=games as f64).contains(&points) || (2.0 * points).fract() != 0.0 {
        refuse("do not give such points");
    }
    let score = if games == 0 {
        0.0
    } else {
        points / games as f64
    };
    if (shard.number("score") - score).abs() > 1e-9 {
        refuse("and points do not give such a score");
    }
    sums.games += games;
    sums.points += points;
    sums.pairs += pairs;
    sums.unpaired += unpaired;
    sums.unfinished += unfinished;
    sums.faults += faulty;
}

fn add_endings(endings: &Object<'_>, sums: &mut Sums, faults: &Faults) {
    for kind in endings.keys() {
        let Some(row) = endings.object(kind) else {
            continue;
        };
        let count = row.count("count");
        sums.ended_by_kind += count;
        if EndingKind::from_word(kind).is_fault() {
            sums.ended_by_fault += count;
        }
        if let Some(blamed) = row.object("blamed") {
            let blames: u64 = blamed.keys().map(|name| blamed.count(name)).sum();
            if blames > count {
                let path = endings.path_of(kind);
                faults.push(
                    FaultKind::Arithmetic,
                    format!("`{path}` blames more than its games"),
                );
            }
        }
    }
}

fn check_instrument(row: Option<Object<'_>>, faults: &Faults) {
    let Some(row) = row else { return };
    row.count("moves");
    row.count("nodes");
    for key in ["seconds", "nps"] {
        if row.number(key) < 0.0 {
            let path = row.path_of(key);
            faults.push(FaultKind::Schema, format!("`{path}` is below nought"));
        }
    }
    if row
        .get("least_time_left")
        .is_none_or(|left| !left.is_null())
    {
        row.number("least_time_left");
    }
}

impl Sums {
    /// Holds them against the pairs of the whole.
    pub(super) fn check(&self, pairs: Pentanomial, faults: &Faults) {
        let refuse = |what: String| faults.push(FaultKind::Arithmetic, what);
        if self.pairs != pairs.pairs() {
            let (shards, whole) = (self.pairs, pairs.pairs());
            refuse(format!(
                "the shards have {shards} pairs and `pentanomial` has {whole}"
            ));
        }
        let halves = pairs.counts().into_iter().zip(0_u64..);
        let from_pairs = halves.map(|(count, halves)| count * halves).sum::<u64>() as f64 / 2.0;
        let left = self.points - from_pairs;
        if !(0.0..=self.unpaired as f64).contains(&left) {
            let (points, unpaired) = (self.points, self.unpaired);
            refuse(format!(
                "the shards have {points} points, `pentanomial` gives {from_pairs} and {unpaired} games are in no pair"
            ));
        }
        if self.ended != self.ended_by_kind {
            let (games, kinds) = (self.ended, self.ended_by_kind);
            refuse(format!(
                "`terminations.games` is {games} and its endings are {kinds}"
            ));
        }
        if self.ended < self.games + self.unfinished {
            let (games, fewer) = (self.games + self.unfinished, self.ended);
            refuse(format!(
                "the shards have {games} games and `terminations.games` is {fewer}"
            ));
        }
        if self.faults != self.ended_by_fault {
            let (shards, endings) = (self.faults, self.ended_by_fault);
            refuse(format!(
                "the shards have {shards} faults and `terminations` has {endings}"
            ));
        }
    }
}
