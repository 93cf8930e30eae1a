//! Which games of a file make pairs: two of one round, against the same engine, from the same opening, colours swapped.

use std::collections::HashMap;

use super::digest::ByDigest;
use super::opening::alike;
use super::tally::{Played, Seat};
use crate::stats::Pentanomial;

/// So many games back a partner is looked for whose opening is written otherwise.
const REACH: usize = 4;

/// A pair of a shard with the number it had before it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NumberedPair {
    /// Its Round tag; `None` when that is no plain number.
    pub(super) round: Option<u32>,
    /// Half points of the candidate, 0 to 4.
    pub(super) halves: u8,
}

/// What a file's finished games make.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    pub(super) pairs: Pentanomial,
    /// The same pairs one by one, in no particular order.
    pub(super) numbered: Vec<NumberedPair>,
    /// Games that are part of no pair, round by round.
    pub(super) left_over: Vec<LeftOver>,
}

impl Pairing {
    fn add(&mut self, one: &Played, other: &Played) {
        self.pairs.record(one.score, other.score);
        self.numbered.push(NumberedPair {
            round: u32::try_from(one.round).ok(),
            halves: one.score as u8 + other.score as u8,
        });
    }
}

/// The games of one round that found no partner.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LeftOver {
    pub(super) round: u64,
    /// Places in the file.
    pub(super) games: Vec<u64>,
    pub(super) cause: Cause,
}

/// Why games of a round are no pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    /// One game stands alone.
    Alone,
    /// There are two, and the candidate has the same colour in both.
    SameColour,
    /// There are two with colours swapped, and they do not begin alike.
    OtherOpening,
}

/// Pairs the games of one file. `openings` holds the texts behind the openings' fingerprints.
pub(super) fn pair(played: Vec<Played>, openings: &ByDigest<Box<[u8]>>) -> Pairing {
    let mut pairing = Pairing::default();
    pairing.left_over = pair_each(played, openings, |one, other| pairing.add(one, other));
    pairing
}

/// Hands each pair of a file's games to `record`, and gives what is left over.
pub(super) fn pair_each(
    mut played: Vec<Played>,
    openings: &ByDigest<Box<[u8]>>,
    mut record: impl FnMut(&Played, &Played),
) -> Vec<LeftOver> {
    played.sort_by_key(|game| game.round);
    let mut all_left = Vec::new();
    for round in played.chunk_by(|one, other| one.round == other.round) {
        match round {
            [one, other] if partners(one, other, openings) => record(one, other),
            round => all_left.extend(pair_round(round, openings, &mut record)),
        }
    }
    all_left.sort_by_key(|left| left.games.first().copied());
    all_left
}

fn partners(one: &Played, other: &Played, openings: &ByDigest<Box<[u8]>>) -> bool {
    (one.own, one.rival) == (other.own, other.rival)
        && one.seat == swapped(other.seat)
        && begin_alike(one.opening, other.opening, openings)
}

const fn swapped(seat: Seat) -> Seat {
    match seat {
        Seat::White => Seat::Black,
        Seat::Black => Seat::White,
        Seat::Both => Seat::Both,
    }
}

fn begin_alike(one: u64, other: u64, openings: &ByDigest<Box<[u8]>>) -> bool {
    one == other || alike(&openings[&one], &openings[&other])
}

/// Each game takes the nearest fitting one before it that is still free: so a resumed run's replayed half
/// pairs with the half that was played after it, and two runs in one file pair each with itself.
fn pair_round(
    round: &[Played],
    openings: &ByDigest<Box<[u8]>>,
    record: &mut impl FnMut(&Played, &Played),
) -> Option<LeftOver> {
    let mut waiting = Waiting {
        free: vec![true; round.len()],
        ..Waiting::default()
    };
    for (at, game) in round.iter().enumerate() {
        let partner = waiting.exact(game).or_else(|| {
            waiting
                .near(game)
                .find(|&before| begin_alike(round[before].opening, game.opening, openings))
        });
        match partner {
            Some(before) => {
                waiting.free[before] = false;
                waiting.free[at] = false;
                record(&round[before], game);
            }
            None => waiting.add(at, game),
        }
    }
    let left: Vec<&Played> = round
        .iter()
        .zip(&waiting.free)
        .filter_map(|(game, &free)| free.then_some(game))
        .collect();
    left_over(&left)
}

/// Games of a round that have no partner yet, by what a partner needs.
#[derive(Default)]
struct Waiting {
    free: Vec<bool>,
    by_opening: HashMap<(u32, u32, Seat, u64), Vec<usize>>,
    by_seat: HashMap<(u32, u32, Seat), Vec<usize>>,
}

impl Waiting {
    fn add(&mut self, at: usize, game: &Played) {
        let key = (game.own, game.rival, game.seat, game.opening);
        self.by_opening.entry(key).or_default().push(at);
        let key = (game.own, game.rival, game.seat);
        self.by_seat.entry(key).or_default().push(at);
    }

    /// The nearest with the same opening, written the same way.
    fn exact(&mut self, game: &Played) -> Option<usize> {
        let key = (game.own, game.rival, swapped(game.seat), game.opening);
        let waiting = self.by_opening.get_mut(&key)?;
        while let Some(before) = waiting.pop() {
            if self.free[before] {
                return Some(before);
            }
        }
        None
    }

    /// The nearest few whatever their openings, the nearest first.
    fn near(&mut self, game: &Played) -> impl Iterator<Item = usize> + use<'_> {
        let free = &self.free;
        let waiting = self
            .by_seat
            .entry((game.own, game.rival, swapped(game.seat)))
            .or_default();
        while waiting.last().is_some_and(|&before| !free[before]) {
            waiting.pop();
        }
        waiting
            .iter()
            .rev()
            .copied()
            .filter(|&before| free[before])
            .take(REACH)
    }
}

fn left_over(left: &[&Played]) -> Option<LeftOver> {
    let round = left.first()?.round;
    let mut seats: HashMap<(u32, Seat), usize> = HashMap::new();
    for game in left {
        *seats.entry((game.rival, game.seat)).or_default() += 1;
    }
    let both = |&(rival, seat): &(u32, Seat)| {
        seat != Seat::Both && seats.contains_key(&(rival, swapped(seat)))
    };
    let cause = if seats.keys().any(both) {
        Cause::OtherOpening
    } else if seats
        .iter()
        .any(|((_, seat), &games)| *seat != Seat::Both && games > 1)
    {
        Cause::SameColour
    } else if seats.values().any(|&games| games > 1) {
        Cause::OtherOpening
    } else {
        Cause::Alone
    };
    let games = left.iter().map(|game| game.number).collect();
    Some(LeftOver {
        round,
        games,
        cause,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::digest::digest;
    use crate::games::opening::describe;
    use crate::stats::GameScore;

    /// Games as `round seat score book-moves`, such as `4W1 e4,e5`.
    fn paired(games: &[&str]) -> Pairing {
        let mut openings = ByDigest::default();
        let played = games.iter().zip(1..).map(|(game, number)| {
            let (head, book) = game.split_once(' ').unwrap_or((game, ""));
            let mut text = Vec::new();
            describe(&mut text, None, book.replace(',', " ").as_bytes());
            let opening = digest(&text);
            openings.insert(opening, text.into());
            let (round, result) = head.split_at(head.find(['W', 'B', '=']).unwrap());
            Played {
                number,
                round: round.parse().unwrap(),
                opening,
                own: 0,
                rival: 1,
                seat: match &result[..1] {
                    "W" => Seat::White,
                    "B" => Seat::Black,
                    _ => Seat::Both,
                },
                score: match &result[1..] {
                    "1" => GameScore::Win,
                    "0" => GameScore::Loss,
                    _ => GameScore::Draw,
                },
            }
        });
        let played = played.collect();
        pair(played, &openings)
    }

    #[track_caller]
    fn case(games: &[&str], pairs: [u64; 5], left: &[(Cause, &[u64])]) {
        let pairing = paired(games);
        let left_over: Vec<(Cause, &[u64])> = pairing
            .left_over
            .iter()
            .map(|left| (left.cause, left.games.as_slice()))
            .collect();
        assert_eq!(
            (pairing.pairs.counts(), left_over.as_slice()),
            (pairs, left)
        );
    }

    #[test]
    fn two_games_of_a_round_with_colours_swapped_are_a_pair() {
        case(&["1W1", "2W0", "2B½", "1B1"], [0, 1, 0, 0, 1], &[]);
        case(
            &["1W1", "2B1"],
            [0; 5],
            &[(Cause::Alone, &[1]), (Cause::Alone, &[2])],
        );
        case(&["1=1", "1=0"], [0, 0, 1, 0, 0], &[]);
    }

    #[test]
    fn games_of_the_same_colour_are_no_pair() {
        case(&["1W1", "1W1"], [0; 5], &[(Cause::SameColour, &[1, 2])]);
    }

    #[test]
    fn games_of_different_openings_are_no_pair() {
        case(
            &["1W1 e4", "1B1 d4"],
            [0; 5],
            &[(Cause::OtherOpening, &[1, 2])],
        );
        case(
            &["1W1 e4", "1W1 d4", "1B0 e4", "1B0 d4"],
            [0, 0, 2, 0, 0],
            &[],
        );
        case(&["1W1 e4,e5", "1B1 e2e4,e7e5"], [0, 0, 0, 0, 1], &[]);
    }

    #[test]
    fn a_round_may_hold_any_number_of_games() {
        case(
            &["4W1 e4", "4W½ e4", "4B1 e4"],
            [0, 0, 0, 1, 0],
            &[(Cause::Alone, &[1])],
        );
        case(&["1W1", "1B1", "1W½", "1B0"], [0, 1, 0, 0, 1], &[]);
        case(
            &["1W1", "1B1", "1W½"],
            [0, 0, 0, 0, 1],
            &[(Cause::Alone, &[3])],
        );
    }

    #[test]
    fn a_long_round_is_paired_in_time_linear_in_its_games() {
        let games: Vec<String> = (0..20_000)
            .map(|game| format!("1{}1", if game % 3 == 0 { 'B' } else { 'W' }))
            .collect();
        let games: Vec<&str> = games.iter().map(String::as_str).collect();
        let pairing = paired(&games);
        assert_eq!(pairing.pairs.pairs(), 6667);
    }
}
