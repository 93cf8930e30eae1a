//! How long a whole rating list takes, with its margins.

use divan::Bencher;
use mache::stats::GameScore;
use mache::stats::rating::{Bootstrap, Encounter, League, Player, WhiteAdvantage};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    divan::main();
}

/// Pairs of games between engines drawn at random, whose strengths lie a few Elo apart from one to the next.
fn encounters(engines: u64, pairs: usize) -> Vec<Encounter> {
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    let mut below = |limit: u64| chance.next_u64() % limit;
    let mut encounters = Vec::with_capacity(pairs);
    while encounters.len() < pairs {
        let (white, black) = (below(engines), below(engines));
        if white == black {
            continue;
        }
        let stronger = 2.0 * (white as f64 - black as f64) / 400.0;
        let expected = 1.0 / (1.0 + 10_f64.powf(-stronger));
        let mut score = || {
            let drawn = expected * (1.0 - expected);
            match below(1 << 20) as f64 / f64::from(1 << 20) {
                part if part < drawn => GameScore::Draw,
                part if part < expected + drawn / 2.0 => GameScore::Win,
                _ => GameScore::Loss,
            }
        };
        encounters.push(Encounter {
            score: score(),
            returned: Some(score()),
            white: Player::new(white as usize),
            black: Player::new(black as usize),
        });
    }
    encounters
}

/// Ratings, margins from the likelihood and 400 fits of the bootstrap.
#[divan::bench(args = [(40, 2_500), (500, 250_000)], sample_count = 5)]
fn whole_list(bencher: Bencher<'_, '_>, (engines, pairs): (u64, usize)) {
    let encounters = encounters(engines, pairs);
    let anchors = vec![None; engines as usize];
    let league = League::new(anchors, encounters, WhiteAdvantage::Fitted).expect("it is valid");
    let bootstrap = Bootstrap {
        replicates: 400,
        seed: 0,
    };
    bencher.bench(|| league.rate(Some(bootstrap)));
}
