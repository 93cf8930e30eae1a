//! What a person should know of the files, in words.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::digest::ByDigest;
use super::merge::{FileTally, Totals};
use super::names::Sides;
use super::pairing::{Cause, LeftOver, Pairing};
use super::shard::Shard;
use super::source::Source;
use super::tally::Doubt;
use crate::notation::pgn::decoded;

/// So many are named, the rest is counted.
const NAMED: usize = 3;

/// `1 game`, `2 games`.
fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The first few in words and how many more there are.
fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    let total = items.len();
    let mut text = String::new();
    for (at, item) in items.take(NAMED).enumerate() {
        let joint = match at {
            0 => "",
            _ if at + 1 == total => " and ",
            _ => ", ",
        };
        text += joint;
        text += &item;
    }
    if total > NAMED {
        write!(text, " and {} more", total - NAMED).expect("a string takes all text");
    }
    text
}

/// Names and tags come from strangers: a line stays a line.
fn plain(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

pub(super) fn twice(paths: &[PathBuf], remarks: &mut Vec<String>) {
    remarks.extend(paths.iter().map(|path| {
        format!(
            "{} is given more than once and is read once",
            path.display()
        )
    }));
}

/// Files that hold the same games, which nothing tells from other games.
pub(super) fn same_content(sources: &[Source], files: &[FileTally], remarks: &mut Vec<String>) {
    let mut known: HashMap<(u64, u64), &Source> = HashMap::new();
    for (source, file) in sources.iter().zip(files) {
        if !file.undated || file.records == 0 {
            continue;
        }
        let first = *known.entry((file.content, file.records)).or_insert(source);
        if first != source {
            remarks.push(format!(
                "{} and {} hold the same games; nothing in them says when they were played, so all count",
                first.path().display(),
                source.path().display()
            ));
        }
    }
}

pub(super) fn doubts(path: &Path, file: &FileTally, remarks: &mut Vec<String>) {
    let path = path.display();
    if file.broken {
        remarks.push(format!(
            "{path}: the compressed file breaks off; what it gives is read"
        ));
    }
    for (doubt, games) in &file.doubts {
        let named = listed(games.iter().map(u64::to_string));
        let number = games.len() as u64;
        let (one, game) = (number == 1, if number == 1 { "game" } else { "games" });
        let remark = match doubt {
            Doubt::Repeated => format!(
                "{} {} been read before and {} once: {game} {named}",
                count(number, "game"),
                if one { "has" } else { "have" },
                if one { "counts" } else { "count" },
            ),
            Doubt::NoPlayers => format!(
                "{} without two players {} left out: {named} in the order of the file",
                count(number, "record"),
                if one { "is" } else { "are" },
            ),
            Doubt::Torn => format!(
                "the moves of {game} {named} are cut off; a Result tag that is whole counts"
            ),
            Doubt::Contradicted => format!(
                "the moves of {game} {named} end with another result than the Result tag, which counts"
            ),
            Doubt::Unfinished => format!(
                "{} without a result {} left out: {game} {named}",
                count(number, "game"),
                if one { "is" } else { "are" },
            ),
        };
        remarks.push(format!("{path}: {remark}"));
    }
}

pub(super) fn left_over(
    path: &Path,
    pairing: &Pairing,
    rounds: &ByDigest<Box<[u8]>>,
    remarks: &mut Vec<String>,
) {
    for cause in [Cause::SameColour, Cause::OtherOpening, Cause::Alone] {
        let left: Vec<&LeftOver> = pairing
            .left_over
            .iter()
            .filter(|left| left.cause == cause)
            .collect();
        if left.is_empty() {
            continue;
        }
        let named = listed(left.iter().map(|left| in_words(left, rounds)));
        let games: usize = left.iter().map(|left| left.games.len()).sum();
        let why = match cause {
            Cause::SameColour => "the colours are not swapped",
            Cause::OtherOpening => "the openings differ",
            Cause::Alone => "the round holds no partner",
        };
        remarks.push(format!(
            "{}: {} in no pair, because {why}: {named}",
            path.display(),
            count(games as u64, "game"),
        ));
    }
}

fn in_words(left: &LeftOver, rounds: &ByDigest<Box<[u8]>>) -> String {
    let games = listed(left.games.iter().map(u64::to_string));
    let word = if left.games.len() == 1 {
        "game"
    } else {
        "games"
    };
    let round = match rounds.get(&left.round) {
        None => format!("round {}", left.round),
        Some(text) if text.is_empty() => "no round".into(),
        Some(text) => format!("round {}", plain(&decoded(text))),
    };
    format!("{word} {games} ({round})")
}

pub(super) fn missing_shards(shards: &[Shard], remarks: &mut Vec<String>) {
    let indices: Vec<u64> = shards.iter().filter_map(|shard| shard.index).collect();
    let (Some(first), Some(last)) = (indices.first(), indices.last()) else {
        return;
    };
    let gaps: Vec<String> = indices
        .windows(2)
        .filter(|pair| pair[1] - pair[0] > 1)
        .map(|pair| match (pair[0] + 1, pair[1] - 1) {
            (from, to) if from == to => from.to_string(),
            (from, to) => format!("{from} to {to}"),
        })
        .collect();
    if !gaps.is_empty() {
        remarks.push(format!(
            "shards are missing between {first} and {last}: {}",
            listed(gaps.into_iter())
        ));
    }
}

/// Engines that are neither of the two sides.
pub(super) fn strangers(totals: &Totals, sides: Sides<'_>, remarks: &mut Vec<String>) {
    let strange: Vec<String> = totals
        .names
        .all()
        .iter()
        .zip(&totals.appearances)
        .filter(|(name, games)| {
            **games > 0 && ![sides.candidate(), sides.baseline()].contains(&Some(name.as_str()))
        })
        .map(|(name, games)| format!("{} ({})", plain(name), count(*games, "game")))
        .collect();
    if !strange.is_empty() {
        remarks.push(format!(
            "engines that are neither {} nor {} play here: {}",
            sides.candidate().unwrap_or_default(),
            sides.baseline().unwrap_or_default(),
            listed(strange.into_iter())
        ));
    }
}
