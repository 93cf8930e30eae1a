//! Every real match: what is read agrees with facts counted independently.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mache::games::{Pool, finished_games};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games")
}

/// What is known of every case that has games.
fn facts() -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(folder().join("facts.json")).unwrap();
    let mut facts: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    facts.retain(|_, facts| facts["games"] != 0);
    facts
}

fn games(case: &str) -> PathBuf {
    folder().join(case).join("games.pgn.zst")
}

fn pool(case: &str, facts: &Value) -> Pool {
    let name = |side: &str| facts[side].as_str().unwrap();
    Pool::read(&[games(case)], name("candidate"), name("baseline")).unwrap()
}

fn counts(value: &Value) -> BTreeMap<String, u64> {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn a_match_without_a_game_is_an_error() {
    let error = Pool::read(&[games("killed-sigint-group")], "candidate", "x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no finished game of `candidate` in 1 file, and no game of anyone"
    );
}

#[test]
fn games_results_and_rounds() {
    for (case, facts) in facts() {
        let pool = pool(&case, &facts);
        assert_eq!(facts["games"], pool.endings.games(), "games of {case}");
        let played = finished_games(&games(&case)).unwrap();
        let mut results: BTreeMap<&str, u64> = BTreeMap::new();
        let mut rounds: BTreeMap<&str, u64> = BTreeMap::new();
        for game in &played {
            *rounds.entry(&game.round).or_default() += 1;
            *results
                .entry(match game.result.white_score().points() {
                    1.0 => "1-0",
                    0.0 => "0-1",
                    _ => "1/2-1/2",
                })
                .or_default() += 1;
        }
        let results: BTreeMap<String, u64> = results
            .into_iter()
            .map(|(word, games)| (word.to_owned(), games))
            .collect();
        assert_eq!(counts(&facts["results"]), results, "results of {case}");
        let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
        for size in rounds.values() {
            *sizes.entry(size.to_string()).or_default() += 1;
        }
        let torn = played.iter().filter(|game| game.torn).count();
        assert_eq!(facts["truncated"], torn, "torn games of {case}");
        if torn == 0 {
            assert_eq!(counts(&facts["rounds"]), sizes, "rounds of {case}");
        }
    }
}

#[test]
fn every_engine_has_its_games_and_points() {
    for (case, facts) in facts() {
        for (name, own) in facts["engines"].as_object().unwrap() {
            let pool = Pool::read(&[games(&case)], name, "").unwrap();
            let count = |key: &str| own[key].as_u64().unwrap();
            let torn = facts["truncated"].as_u64().unwrap();
            assert_eq!(pool.games(), count("games") + torn, "{name} in {case}");
            if torn == 0 {
                let points = count("wins") as f64 + count("draws") as f64 / 2.0;
                assert!((pool.points() - points).abs() < 1e-9, "{name} in {case}");
            }
        }
    }
}

#[test]
fn pairs() {
    // The facts leave out rounds that hold more or less than one pair, and games that are cut off.
    let exceptions = BTreeMap::from([
        // Two runs in one file: each round holds two pairs.
        ("appended", [0, 0, 6, 3, 1]),
        // The half pair before the interrupt was replayed; fastchess counts the replay, and so do we.
        ("resumed", [0, 2, 3, 3, 0]),
        // The cut game's tags are whole, so its result counts.
        ("truncated-disk-full", [0, 0, 3, 0, 2]),
        ("truncated-file-limit", [0, 1, 1, 2, 3]),
    ]);
    for (case, facts) in facts() {
        let pool = pool(&case, &facts);
        let known: [u64; 5] = serde_json::from_value(facts["pairs"].clone()).unwrap();
        let expected = exceptions.get(case.as_str()).copied().unwrap_or(known);
        assert_eq!(pool.pentanomial().counts(), expected, "pairs of {case}");
        assert_eq!(
            pool.games(),
            2 * pool.pentanomial().pairs() + pool.unpaired(),
            "{case}"
        );
    }
}

#[test]
fn what_fastchess_counted() {
    // Its own figures are wrong for `-noswap`; its last report there lacks games of open pairs; a file may hold
    // fewer games than were played, or two runs.
    let others = [
        "noswap",
        "appended",
        "truncated-disk-full",
        "gauntlet",
        "roundrobin-3",
    ];
    let mut compared = 0;
    for (case, facts) in facts() {
        let counted = &facts["fastchess"];
        if counted.is_null() || others.contains(&case.as_str()) {
            continue;
        }
        let pool = pool(&case, &facts);
        let counts: [u64; 5] = serde_json::from_value(counted["ptnml"].clone()).unwrap();
        assert_eq!(pool.pentanomial().counts(), counts, "{case}");
        compared += 1;
    }
    assert!(compared > 40, "{compared} reports");
}

#[test]
fn endings_and_who_was_at_fault() {
    for (case, facts) in facts() {
        let pool = pool(&case, &facts);
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        let mut at_fault: BTreeMap<(String, String), u64> = BTreeMap::new();
        for (kind, ending) in pool.endings.iter().filter(|(_, ending)| ending.count > 0) {
            let tag = match kind.as_str() {
                "disconnect" | "stall" => "abandoned",
                "unrecorded" => "(no tag)",
                word => word,
            };
            *kinds.entry(tag.into()).or_default() += ending.count;
            for (name, games) in &ending.at_fault {
                at_fault.insert((kind.to_string(), name.clone()), *games);
            }
        }
        let torn = facts["truncated"].as_u64().unwrap();
        let mut known = counts(&facts["terminations"]);
        if torn > 0 {
            *known.entry("normal".into()).or_default() += torn;
        }
        assert_eq!(kinds, known, "endings of {case}");
        let mut expected: BTreeMap<(String, String), u64> = BTreeMap::new();
        for fault in facts["faults"].as_array().unwrap() {
            let word = |at: usize| fault[at].as_str().map(str::to_owned);
            let kind = word(2).or(word(1)).unwrap();
            *expected.entry((kind, word(3).unwrap())).or_default() += 1;
        }
        assert_eq!(at_fault, expected, "faults of {case}");
    }
}

#[test]
fn clocks_and_search() {
    // Here Black moves first, which shifts comments counted without looking at the moves.
    let shifted = ["black-to-move"];
    let mut compared = 0;
    for (case, facts) in facts() {
        let Some(known) = facts["instruments"].as_object() else {
            continue;
        };
        let pool = pool(&case, &facts);
        let same = pool.instruments().iter().all(|(name, ours)| {
            let known = &known[name];
            known["moves"] == ours.moves
                && known["nodes"] == ours.nodes
                && (known["seconds"].as_f64().unwrap() - ours.seconds).abs() < 0.000_6
                && known["least_time_left"].as_f64() == ours.least_time_left
        });
        assert_eq!(same, !shifted.contains(&case.as_str()), "{case}");
        assert_eq!(known.len(), pool.instruments().len(), "{case}");
        compared += 1;
    }
    assert!(compared > 60, "{compared} cases");
}

#[test]
fn shards_pool_in_any_order_to_the_whole_match() {
    let shard = |number: u32| games(&format!("match-60-shards/shard-{number}"));
    let whole = Pool::read(&[games("match-60")], "sf-n4000", "sf-n3000").unwrap();
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let pool = Pool::read(&order.map(shard), "sf-n4000", "sf-n3000").unwrap();
        assert_eq!(pool.pentanomial(), whole.pentanomial());
        assert_eq!(pool.points(), whole.points());
        let names: Vec<&str> = pool
            .shards
            .iter()
            .map(|shard| shard.name.as_str())
            .collect();
        assert_eq!(names, ["shard-0", "shard-1", "shard-2"]);
        let nodes = |pool: &Pool| {
            pool.instruments()
                .iter()
                .map(|(_, own)| own.nodes)
                .sum::<u64>()
        };
        assert_eq!(nodes(&pool), nodes(&whole));
        assert!(pool.remarks.is_empty(), "{:?}", pool.remarks);
    }
    let folder = folder().join("match-60-shards");
    let pool = Pool::read(&[folder], "sf-n4000", "sf-n3000").unwrap();
    assert_eq!(pool.shards.len(), 3);
}

#[test]
fn the_same_games_count_once() {
    let whole = games("match-60");
    let once = Pool::read(std::slice::from_ref(&whole), "sf-n4000", "sf-n3000").unwrap();
    let twice = Pool::read(&[whole.clone(), whole.clone()], "sf-n4000", "sf-n3000").unwrap();
    assert_eq!(twice.pentanomial(), once.pentanomial());
    assert_eq!(twice.shards.len(), 1);
    assert!(twice.remarks[0].ends_with("is given more than once and is read once"));

    let folder = tempfile::tempdir().unwrap();
    let text = zstd::decode_all(std::fs::File::open(&whole).unwrap()).unwrap();
    let half = text.len() / 2;
    let (copy, part) = (
        folder.path().join("copy.pgn"),
        folder.path().join("part.pgn"),
    );
    std::fs::write(&copy, [text.as_slice(), &text].concat()).unwrap();
    std::fs::write(&part, &text[half..]).unwrap();
    let copies = Pool::read(&[whole, copy, part], "sf-n4000", "sf-n3000").unwrap();
    assert_eq!(copies.pentanomial(), once.pentanomial());
    assert_eq!(copies.instruments(), once.instruments());
    assert_eq!(copies.endings, once.endings);
    assert!(
        copies
            .remarks
            .iter()
            .any(|line| line.contains("games have been read before"))
    );
}

#[test]
fn a_missing_shard_and_a_stranger_are_said() {
    let shard = |number: u32| games(&format!("match-60-shards/shard-{number}"));
    let pool = Pool::read(&[shard(0), shard(2)], "sf-n4000", "sf-n3001").unwrap();
    assert_eq!(
        pool.remarks,
        [
            "shards are missing between 0 and 2: 1",
            "engines that are neither sf-n4000 nor sf-n3001 play here: sf-n3000 (40 games)",
        ]
    );
    let error = Pool::read(&[shard(0)], "sf-n400", "x").unwrap_err();
    assert!(error.to_string().contains("sf-n3000, sf-n4000"), "{error}");
}

#[test]
fn games_in_no_pair_are_named() {
    let said = |case: &str| {
        let facts = &facts()[case];
        let path = format!("{}: ", games(case).display());
        let lines = pool(case, facts).remarks;
        lines
            .iter()
            .map(|line| line.replace(&path, ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        said("noswap"),
        [
            "6 games in no pair, because the colours are not swapped: games 1 and 2 (round 1), games 3 and 4 (round 2) and games 5 and 6 (round 3)"
        ]
    );
    assert_eq!(
        said("resumed"),
        ["1 game in no pair, because the round holds no partner: game 7 (round 4)"]
    );
    assert_eq!(
        said("truncated-file-limit"),
        ["the moves of game 14 are cut off; a Result tag that is whole counts"]
    );
}
