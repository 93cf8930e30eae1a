//! What a shard's manifest is held against: the match asked for, the other shards, the games beside it.

use std::path::Path;

use super::flaw::Flaw;
use crate::play::manifest::{Engine, Manifest};
use crate::play::resume::Match;
use crate::play::run_folder::RunFolder;
use crate::play::tally::Tally;

/// Letters of a name that are repeated in a remark.
const WIDEST: usize = 80;

/// An engine as a plan names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedEngine {
    /// The name it plays under.
    pub name: String,
    /// Its commit; `None` holds for any.
    pub commit: Option<String>,
}

/// The match whose shards are looked for. What is `None` holds for any.
#[derive(Clone, Debug)]
pub struct WantedMatch {
    /// The engine under test.
    pub candidate: WantedEngine,
    /// Whom it plays: one in a match, one a shard in a gauntlet.
    pub opponents: Vec<WantedEngine>,
    /// How many shards there are to be.
    pub shards: u64,
    /// What picks the openings.
    pub seed: Option<String>,
    /// Which batch of the test.
    pub batch: Option<String>,
    /// Pairs of a shard.
    pub pairs: Option<usize>,
    /// The time controls of the engine under test and of the others.
    pub clocks: [Option<String>; 2],
}

/// A place among shards or batches; that of what was not divided is the first.
pub(super) fn place(number: &Option<String>) -> Option<u64> {
    match number {
        Some(number) => number.parse().ok(),
        None => Some(0),
    }
}

/// In what a manifest is not that of the match asked for.
pub(super) fn strangeness(manifest: &Manifest, wanted: &WantedMatch) -> Vec<String> {
    let mut found = Vec::new();
    let slice = &manifest.slice;
    let mut note = |what: &str, is: &str, asked: Option<&str>| {
        if let Some(asked) = asked.filter(|asked| *asked != is) {
            found.push(format!("{what} is {}, not {}", shown(is), shown(asked)));
        }
    };
    let opponent = wanted
        .opponents
        .iter()
        .find(|engine| engine.name == manifest.baseline.name);
    let expected = opponent.or(wanted.opponents.first());
    let sides = [
        (
            "candidate",
            &manifest.candidate,
            Some(&wanted.candidate),
            &wanted.clocks[0],
        ),
        ("baseline", &manifest.baseline, expected, &wanted.clocks[1]),
    ];
    for (side, engine, asked, clock) in sides {
        note(
            &format!("its {side}"),
            &engine.name,
            asked.map(|engine| &*engine.name),
        );
        let commits = (
            engine.commit.as_deref(),
            asked.and_then(|engine| engine.commit.as_deref()),
        );
        if let (Some(is), Some(asked)) = commits
            && !same_commit(is, asked)
        {
            note(&format!("the commit of its {side}"), is, Some(asked));
        }
        let tc = engine.limit.tc.as_deref().unwrap_or("none");
        note(
            &format!("the time control of its {side}"),
            tc,
            clock.as_deref(),
        );
    }
    let text = |number: &Option<String>, default: &str| {
        number.clone().unwrap_or_else(|| default.to_owned())
    };
    note(
        "its seed",
        &text(&slice.seed, "none"),
        wanted.seed.as_deref(),
    );
    note(
        "its batch",
        &text(&slice.batch, "0"),
        wanted.batch.as_deref(),
    );
    note(
        "its number of shards",
        &text(&slice.shards, "1"),
        Some(&wanted.shards.to_string()),
    );
    let pairs = wanted.pairs.map(|pairs| pairs.to_string());
    note(
        "its number of pairs",
        &slice.pairs.to_string(),
        pairs.as_deref(),
    );
    if place(&slice.shard).is_none_or(|index| index >= wanted.shards) {
        let is = shown(&text(&slice.shard, "0"));
        found.push(format!("it is shard {is} of {}", wanted.shards));
    }
    found
}

/// Whether two commits are the same, one of them perhaps cut short.
fn same_commit(one: &str, other: &str) -> bool {
    let least = one.len().min(other.len());
    one == other || (least >= 7 && (one.starts_with(other) || other.starts_with(one)))
}

/// In what two shards are not of the same match. The opponents of a gauntlet may differ.
pub(super) fn differences(one: &Manifest, other: &Manifest) -> Vec<String> {
    let mut like = one.clone();
    like.slice.shard.clone_from(&other.slice.shard);
    like.slice.first.clone_from(&other.slice.first);
    if one.baseline.name != other.baseline.name {
        like.baseline = Engine {
            limit: one.baseline.limit.clone(),
            margin_ms: one.baseline.margin_ms,
            ..other.baseline.clone()
        };
    }
    like.differences(other)
}

/// Holds the manifest against the games.
pub(super) fn check_games(folder: &Path, manifest: &Manifest) -> Result<(), Flaw> {
    let Manifest {
        candidate,
        baseline,
        slice,
        games,
        pairs,
        ended,
        ..
    } = manifest;
    let of = Match {
        first: &candidate.name,
        second: &baseline.name,
        pairs: slice.pairs,
    };
    let tally: Tally = RunFolder::open(folder)?.read(of)?.tally();
    let (found, found_pairs) = (tally.total(), tally.pairs().pairs());
    // A run that was killed had no time to count its last games.
    let fits = match ended {
        Some(_) => (found, found_pairs) == (*games, *pairs),
        None => found >= *games && found_pairs >= *pairs,
    };
    if fits && found > 0 {
        return Ok(());
    }
    if fits {
        return Err(Flaw::NoGames);
    }
    Err(Flaw::Counts {
        said: *games,
        said_pairs: *pairs,
        found,
        found_pairs,
    })
}

/// A stranger's word in a remark.
pub(super) fn shown(text: &str) -> String {
    let text: String = text.chars().take(WIDEST).collect();
    format!("`{}`", text.escape_debug())
}
