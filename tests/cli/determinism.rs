//! The same seed, book and engines at fixed nodes give the same games.

use crate::matches::{Game, Match};

/// The games of a run in the order of the schedule, without what depends on the clock.
fn played(of: Match) -> Vec<(String, impl Eq + std::fmt::Debug)> {
    let mut games = of.play().exits(0).games();
    games.sort_by_key(|game| {
        (
            game.tag("Round").parse::<u64>().ok(),
            game.tag("White").to_owned(),
        )
    });
    let timeless = |game: &Game| (game.tag("Round").to_owned(), game.without_times());
    games.iter().map(timeless).collect()
}

fn run(options: &str) -> Match {
    let limit = "--nodes 100";
    Match::new()
        .good("seed=1")
        .bad("seed=2")
        .limit(limit)
        .with("--pairs 4 --max-moves 40")
        .with(options)
}

#[test]
fn same_games_twice() {
    assert_eq!(played(run("--seed 7")), played(run("--seed 7")));
}

#[test]
fn same_games_at_any_concurrency() {
    let one = played(run("--seed 7"));
    assert_eq!(one.len(), 8);
    assert_eq!(one, played(run("--seed 7 --concurrency 2")));
}

#[test]
fn another_seed_plays_other_openings() {
    let fens = |options| -> Vec<String> {
        let games = run(options).play().exits(0).games();
        games
            .iter()
            .map(|game| game.tag("FEN").to_owned())
            .collect()
    };
    assert_ne!(
        fens("--seed 7 --shards 5 --shard 1"),
        fens("--seed 8 --shards 5 --shard 1")
    );
}
