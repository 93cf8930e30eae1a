//! Ratings of whole leagues beside those that Ordo 1.2.6 prints for the same games, and margins beside simulated ones.

use std::path::{Path, PathBuf};

use mache::games::Crosstable;
use mache::stats::GameScore;
use mache::stats::rating::{
    Bootstrap, Encounter, League, Placed, Player, Standings, White, WhiteAdvantage,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Known {
    /// White, Black, wins, draws and losses of White.
    meetings: Vec<[u64; 5]>,
    ratings: Vec<f64>,
    white_advantage: f64,
    /// In hundredths.
    draw_rate: f64,
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn single(white: usize, black: usize, score: GameScore) -> Encounter {
    Encounter {
        white: Player::new(white),
        black: Player::new(black),
        score,
        returned: None,
    }
}

fn ratings(standings: &Standings) -> Vec<f64> {
    let rating = |placed: &Placed| match placed {
        Placed::Rated { rating, .. } => *rating,
        other => panic!("{other:?}"),
    };
    let engines = standings.engines().iter();
    engines.map(|engine| rating(&engine.placed)).collect()
}

#[test]
fn a_league_of_forty_is_rated_as_by_ordo() {
    let packed = std::fs::File::open(data("league.json.zst")).expect("test data is there");
    let text = zstd::decode_all(packed).expect("it is zstd");
    let known: Known = serde_json::from_slice(&text).expect("it is as described");
    let mut encounters = Vec::new();
    for [white, black, wins, draws, losses] in known.meetings {
        for (count, score) in [
            (wins, GameScore::Win),
            (draws, GameScore::Draw),
            (losses, GameScore::Loss),
        ] {
            let game = single(white as usize, black as usize, score);
            encounters.extend((0..count).map(|_| game));
        }
    }
    let league = League::new(vec![None; 40], encounters, WhiteAdvantage::Fitted).expect("valid");
    let standings = league.rate(None);
    for (engine, (ours, theirs)) in ratings(&standings).iter().zip(&known.ratings).enumerate() {
        assert!(
            (ours - theirs).abs() < 0.001,
            "{engine}: {ours} for {theirs}"
        );
    }
    let White::Fitted(white) = standings.white() else {
        panic!("{:?}", standings.white());
    };
    assert!((white - known.white_advantage).abs() < 0.005, "{white}");
    let draws = 100.0 * standings.draw_rate();
    assert!((draws - known.draw_rate).abs() < 0.005, "{draws}");
}

/// Ratings, White advantage and draw rate as Ordo prints them, with and without a White advantage.
#[test]
fn a_gauntlet_is_rated_as_by_ordo() {
    let table = Crosstable::read(&[data("games/gauntlet/games.pgn.zst")]).expect("it can be read");
    let engines = [
        ("ethereal 12.00", 146.7870, 144.7601),
        ("toga II 3.0", 81.3289, 80.1589),
        ("candidate", -2.4650, -2.4306),
        ("glaurung 2.2", -73.9339, -72.8671),
        ("fairy-stockfish 11.1", -151.7169, -149.6213),
    ];
    let rate = |white| {
        let anchors = vec![None; table.names().len()];
        let league = League::new(anchors, table.encounters().to_vec(), white).expect("valid");
        league.rate(None)
    };
    let fitted = rate(WhiteAdvantage::Fitted);
    let without = rate(WhiteAdvantage::Fixed(0.0));
    for (name, with_white, plain) in engines {
        let place = table.player(name).expect("it played").place();
        let (first, second) = (ratings(&fitted)[place], ratings(&without)[place]);
        assert!((first - with_white).abs() < 0.001, "{name}: {first}");
        assert!((second - plain).abs() < 0.001, "{name}: {second}");
    }
    let White::Fitted(white) = fitted.white() else {
        panic!("{:?}", fitted.white());
    };
    assert!((white - 42.26).abs() < 0.005, "{white}");
    assert!((100.0 * fitted.draw_rate() - 15.26).abs() < 0.005);
}

/// Ordo simulates the tournament 2,000 times over for its margins, which so have an error of 2 % or so themselves.
#[test]
fn margins_from_the_likelihood_are_those_of_simulation() {
    let table = Crosstable::read(&[data("games/gauntlet/games.pgn.zst")]).expect("it can be read");
    let anchors = vec![None; table.names().len()];
    let league = League::new(anchors, table.encounters().to_vec(), WhiteAdvantage::Fitted);
    let standings = league.expect("valid").rate(Some(Bootstrap {
        replicates: 4000,
        seed: 1,
    }));
    for (name, simulated) in [
        ("ethereal 12.00", 111.2),
        ("toga II 3.0", 105.7),
        ("candidate", 49.5),
        ("glaurung 2.2", 107.8),
        ("fairy-stockfish 11.1", 111.3),
    ] {
        let place = table.player(name).expect("it played").place();
        let Placed::Rated {
            margin,
            bootstrap: Some(interval),
            rating,
            ..
        } = standings.engines()[place].placed
        else {
            panic!("{name} is rated");
        };
        assert!((margin / simulated - 1.0).abs() < 0.06, "{name}: {margin}");
        let over_pairs = (interval.high - interval.low) / 2.0;
        assert!(interval.low < rating && rating < interval.high);
        assert!(
            (over_pairs / margin - 0.93).abs() < 0.12,
            "{name}: {over_pairs}"
        );
    }
}
