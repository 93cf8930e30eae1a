use proptest::prelude::*;

use super::super::expectation::expected;
use super::super::{Encounter, Player};
use super::*;
use crate::stats::GameScore::{self, Draw, Loss, Win};

fn single(white: usize, black: usize, score: GameScore) -> Encounter {
    Encounter {
        white: Player::new(white),
        black: Player::new(black),
        score,
        returned: None,
    }
}

fn pair(white: usize, black: usize, score: GameScore, returned: GameScore) -> Encounter {
    Encounter {
        returned: Some(returned),
        ..single(white, black, score)
    }
}

#[track_caller]
fn rate(anchors: &[Option<f64>], encounters: &[Encounter]) -> Standings {
    let league = League::new(
        anchors.to_vec(),
        encounters.to_vec(),
        WhiteAdvantage::Fitted,
    );
    league.unwrap().rate(Some(Bootstrap {
        replicates: 100,
        seed: 7,
    }))
}

#[track_caller]
fn rating(standings: &Standings, engine: usize) -> f64 {
    match standings.engines()[engine].placed {
        Placed::Rated { rating, .. } => rating,
        ref other => panic!("{engine} is {other:?}"),
    }
}

#[test]
fn two_engines_differ_by_the_elo_of_their_score() {
    // Seven and a half of ten, colours balanced.
    let games = [
        pair(0, 1, Win, Win),
        pair(1, 0, Loss, Loss),
        pair(0, 1, Win, Draw),
        pair(0, 1, Draw, Win),
        pair(0, 1, Loss, Draw),
    ];
    let standings = rate(&[None, None], &games);
    let difference = rating(&standings, 0) - rating(&standings, 1);
    // The White advantage is fitted beside it: as White 3.5 of 5, as Black 4 of 5, so Black is favoured.
    let White::Fitted(white) = standings.white() else {
        panic!("{:?}", standings.white());
    };
    assert!(white < 0.0);
    let units = |elo: f64| elo / ELO_PER_UNIT;
    let points =
        5.0 * expected(units(difference + white)) + 5.0 * expected(units(difference - white));
    assert!((points - 7.5).abs() < 1e-9);
    assert!((rating(&standings, 0) + rating(&standings, 1)).abs() < 1e-9);
    assert!(
        (standings.superiority(0, 1).unwrap() + standings.superiority(1, 0).unwrap() - 1.0).abs()
            < 1e-12
    );
}

#[test]
fn an_anchor_keeps_its_rating_and_moves_the_others() {
    let games = [
        pair(0, 1, Win, Draw),
        pair(0, 1, Loss, Draw),
        pair(1, 2, Win, Draw),
        pair(1, 2, Draw, Loss),
        pair(2, 0, Draw, Draw),
        pair(2, 0, Draw, Win),
    ];
    let free = rate(&[None; 3], &games);
    let held = rate(&[None, Some(2700.0), None], &games);
    assert_eq!(rating(&held, 1), 2700.0);
    let shift = 2700.0 - rating(&free, 1);
    for engine in [0, 2] {
        assert!((rating(&held, engine) - rating(&free, engine) - shift).abs() < 1e-6);
    }
    let Placed::Rated { margin, anchor, .. } = held.engines()[1].placed else {
        panic!("it is rated");
    };
    assert!(anchor && margin == 0.0);
    // Two anchors hold the third between them.
    let both = rate(&[Some(2700.0), Some(2700.0), None], &games);
    assert_eq!((rating(&both, 0), rating(&both, 1)), (2700.0, 2700.0));
    assert!(held.groups()[0].anchored && !free.groups()[0].anchored);
}

#[test]
fn engines_that_never_met_are_not_compared() {
    let games = [
        pair(0, 1, Win, Draw),
        pair(0, 1, Draw, Loss),
        pair(2, 3, Draw, Win),
        pair(2, 3, Loss, Draw),
    ];
    let standings = rate(&[None; 5], &games);
    assert_eq!(standings.groups().len(), 2);
    assert_eq!(standings.superiority(0, 2), None);
    assert!(standings.superiority(0, 1).is_some());
    assert_eq!(standings.engines()[4].placed, Placed::Unrated);
    for (one, other) in [(0, 1), (2, 3)] {
        assert!((rating(&standings, one) + rating(&standings, other)).abs() < 1e-9);
    }
}

#[test]
fn perfect_scores_have_a_bound() {
    let games = [pair(0, 1, Win, Loss), pair(0, 1, Draw, Draw)];
    let ten = |met: Encounter| std::iter::repeat_n(met, 10);
    let perfect = [
        pair(2, 0, Win, Win),
        pair(2, 1, Win, Win),
        pair(3, 0, Loss, Loss),
    ];
    let all: Vec<Encounter> = games
        .into_iter()
        .chain(perfect.into_iter().flat_map(ten))
        .collect();
    let standings = rate(&[None; 4], &all);
    let Placed::Above {
        group: 0,
        rating: up,
    } = standings.engines()[2].placed
    else {
        panic!("{:?}", standings.engines()[2]);
    };
    let Placed::Below {
        group: 0,
        rating: down,
    } = standings.engines()[3].placed
    else {
        panic!("{:?}", standings.engines()[3]);
    };
    assert!(up > rating(&standings, 0).max(rating(&standings, 1)));
    assert!(down < rating(&standings, 0).min(rating(&standings, 1)));
    // What they did says nothing of the others.
    let alone = rate(&[None; 2], &games);
    assert!((rating(&alone, 0) - rating(&standings, 0)).abs() < 1e-9);
}

#[test]
fn a_match_won_outright_rates_nobody() {
    let games = [pair(0, 1, Win, Win), pair(1, 0, Loss, Loss)];
    let standings = rate(&[None, None], &games);
    let Placed::Below { rating: bound, .. } = standings.engines()[1].placed else {
        panic!("{:?}", standings.engines());
    };
    assert_eq!(rating(&standings, 0), 0.0);
    // Four games: the fourth root of 0.05 a game.
    let score: f64 = 0.05_f64.powf(0.25);
    assert!((bound + 400.0 * (score / (1.0 - score)).log10()).abs() < 1e-6);
}

#[test]
fn a_white_advantage_that_nothing_tells_is_taken_for_nought() {
    // One always had White.
    let apart = rate(
        &[None, None],
        &[single(0, 1, Win), single(0, 1, Loss), single(0, 1, Win)],
    );
    assert_eq!(apart.white(), White::Unknown);
    let difference = rating(&apart, 0) - rating(&apart, 1);
    assert!((difference - 400.0 * 2.0_f64.log10()).abs() < 1e-6);
    // White won every game: the advantage has no end.
    let endless = rate(
        &[None, None],
        &[pair(0, 1, Win, Loss), pair(1, 0, Win, Loss)],
    );
    assert_eq!(endless.white(), White::Unknown);
    assert!(rating(&endless, 0).abs() < 1e-9);
    assert_eq!(endless.white_margin(), None);
}

#[test]
fn what_is_no_league_is_refused() {
    let two = vec![None, None];
    let league = |anchors: &[Option<f64>], met, white| {
        League::new(anchors.to_vec(), vec![met], white).map(|_| ())
    };
    let fitted = WhiteAdvantage::Fitted;
    assert_eq!(
        league(&two, single(0, 2, Win), fitted),
        Err(InvalidLeague::Encounter(0))
    );
    assert_eq!(
        league(&two, single(1, 1, Win), fitted),
        Err(InvalidLeague::Encounter(0))
    );
    let game = single(0, 1, Win);
    assert_eq!(
        league(&[Some(f64::INFINITY), None], game, fitted),
        Err(InvalidLeague::Anchor(f64::INFINITY))
    );
    assert!(league(&[Some(f64::NAN), None], game, fitted).is_err());
    assert_eq!(
        league(&two, game, WhiteAdvantage::Fixed(2000.0)),
        Err(InvalidLeague::White(2000.0))
    );
}

#[test]
fn the_bootstrap_depends_on_its_seed_only() {
    let games: Vec<Encounter> = (0..30)
        .map(|at| {
            pair(
                at % 3,
                (at + 1) % 3,
                [Win, Draw, Loss][at / 3 % 3],
                [Draw, Win][at % 2],
            )
        })
        .collect();
    let with = |seed| {
        let league = League::new(vec![None; 3], games.clone(), WhiteAdvantage::Fitted).unwrap();
        let standings = league.rate(Some(Bootstrap {
            replicates: 50,
            seed,
        }));
        standings.engines().to_vec()
    };
    assert_eq!(with(1), with(1));
    assert_ne!(with(1), with(2));
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    assert_eq!(one.install(|| with(1)), with(1));
}

#[test]
fn pairs_that_share_their_points_are_sure() {
    // In every pair White wins both games or the points are shared otherwise: over pairs nothing moves.
    let games: Vec<Encounter> = (0..40)
        .map(|at| {
            if at % 4 == 0 {
                pair(0, 1, Draw, Draw)
            } else {
                pair(0, 1, Win, Loss)
            }
        })
        .collect();
    let standings = rate(&[None, None], &games);
    let Placed::Rated {
        margin,
        bootstrap: Some(interval),
        ..
    } = standings.engines()[0].placed
    else {
        panic!("it is rated");
    };
    assert!(margin > 20.0);
    assert!(interval.high - interval.low < 1.0, "{interval:?}");
}

fn scores() -> impl Strategy<Value = GameScore> {
    prop::sample::select(vec![Win, Draw, Loss])
}

proptest! {
    #[test]
    fn every_engines_points_are_those_expected(
        met in prop::collection::vec((0usize..6, 0usize..6, scores(), scores()), 20..80)
    ) {
        let games: Vec<Encounter> = met
            .into_iter()
            .filter(|(white, black, ..)| white != black)
            .map(|(white, black, score, returned)| pair(white, black, score, returned))
            .collect();
        let league = League::new(vec![None; 6], games.clone(), WhiteAdvantage::Fitted).unwrap();
        let standings = league.rate(None);
        let white = match standings.white() {
            White::Fitted(elo) | White::Fixed(elo) => elo,
            White::Unknown => 0.0,
        };
        let place = |engine: usize| match standings.engines()[engine].placed {
            Placed::Rated { group, rating, .. } => Some((group, rating)),
            _ => None,
        };
        let mut off = [0.0; 6];
        for met in &games {
            let (one, other) = (met.white.place(), met.black.place());
            let (Some((group, first)), Some((of, second))) = (place(one), place(other)) else { continue };
            if group != of {
                continue;
            }
            for (score, white) in [(met.score, white), (met.returned.unwrap(), -white)] {
                let by = score.points() - expected((first - second + white) / ELO_PER_UNIT);
                off[one] += by;
                off[other] -= by;
            }
        }
        for off in off {
            prop_assert!(off.abs() < 1e-6, "{off:?}");
        }
    }

    #[test]
    fn twice_the_games_have_the_same_ratings_and_smaller_margins(
        met in prop::collection::vec((0usize..4, 0usize..4, scores(), scores()), 20..40)
    ) {
        let games: Vec<Encounter> = met
            .into_iter()
            .filter(|(white, black, ..)| white != black)
            .map(|(white, black, score, returned)| pair(white, black, score, returned))
            .collect();
        let rate = |games: Vec<Encounter>| {
            League::new(vec![None; 4], games, WhiteAdvantage::Fixed(20.0)).unwrap().rate(None)
        };
        let (once, twice) = (rate(games.clone()), rate([games.clone(), games].concat()));
        for (one, two) in once.engines().iter().zip(twice.engines()) {
            if let (Placed::Rated { rating, margin, .. }, Placed::Rated { rating: again, margin: less, .. }) =
                (&one.placed, &two.placed)
            {
                prop_assert!((rating - again).abs() < 1e-6);
                prop_assert!((margin / less - 2.0_f64.sqrt()).abs() < 1e-6 || *margin == 0.0);
            }
        }
    }
}
