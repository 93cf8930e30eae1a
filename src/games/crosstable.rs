//! Who played whom: every engine's games, as a rating needs them.

use std::collections::HashSet;
use std::path::PathBuf;

use super::error::ReadError;
use super::merge::{FileTally, Totals};
use super::names::Sides;
use super::pairing::pair_each;
use super::pool::sorted;
use super::remarks;
use super::source::gather;
use super::tally::{Doubt, Played, Seat, numbered_round};
use crate::notation::pgn::unescaped;
use crate::stats::rating::{Encounter, Player};

/// The finished games of some files, whoever played them.
///
/// Games of one round between the same engines, from the same opening and with colours swapped, are a pair; games
/// without a Round tag stand alone. A file given twice is read once, as [`Pool`](super::Pool) does.
#[derive(Clone, Debug)]
pub struct Crosstable {
    names: Vec<String>,
    encounters: Vec<Encounter>,
    /// Who played each game without a result.
    open: Vec<[u32; 2]>,
    against_themselves: u64,
    /// What a person should know of the files, one line each.
    pub remarks: Vec<String>,
}

impl Crosstable {
    /// Reads the games of files, folders or standard input (see [`gather`]).
    ///
    /// # Errors
    /// When something cannot be read. Files without games are no error.
    pub fn read(paths: &[PathBuf]) -> Result<Self, ReadError> {
        let (sources, twice) = sorted(gather(paths)?);
        let mut totals = Totals::read(&sources, Sides::Everyone)?;
        let mut files = std::mem::take(&mut totals.files);
        let mut table = Self {
            names: totals.names.all().to_vec(),
            encounters: Vec::new(),
            open: Vec::new(),
            against_themselves: 0,
            remarks: Vec::new(),
        };
        remarks::twice(&twice, &mut table.remarks);
        remarks::same_content(&sources, &files, &mut table.remarks);
        for (source, file) in sources.iter().zip(&mut files) {
            // Whether a game without a result matters depends on who asks.
            file.doubts.remove(&Doubt::Unfinished);
            remarks::doubts(source.path(), file, &mut table.remarks);
            table.open.append(&mut file.open);
            table.add(file, &totals);
        }
        Ok(table)
    }

    /// The engines, in the order in which they first appear.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Pairs and single games, file by file. Players are places in [`names`](Self::names).
    #[must_use]
    pub fn encounters(&self) -> &[Encounter] {
        &self.encounters
    }

    /// The engine of that name, given as it is or as it stands in the tags; `None` when it did not play.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<Player> {
        let place = |wanted: &str| self.names.iter().position(|known| known == wanted);
        let place = place(name).or_else(|| place(&unescaped(name)))?;
        Some(Player::new(place))
    }

    /// Games without a result.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.open.len() as u64
    }

    /// Games without a result between these two.
    #[must_use]
    pub fn unfinished_between(&self, one: Player, other: Player) -> u64 {
        let both = [one, other].map(|player| player.place() as u32);
        let games = self.open.iter();
        let between = |players: &&[u32; 2]| **players == both || **players == [both[1], both[0]];
        games.filter(between).count() as u64
    }

    /// Finished games of an engine against itself, which say nothing of strength and are no encounters.
    #[must_use]
    pub fn against_themselves(&self) -> u64 {
        self.against_themselves
    }

    fn add(&mut self, file: &mut FileTally, totals: &Totals) {
        let nowhere = numbered_round(b"");
        let (mut in_rounds, mut alone) = (Vec::new(), Vec::new());
        for game in file.played.drain(..) {
            if game.own == game.rival {
                self.against_themselves += 1;
            } else if game.round == nowhere {
                alone.push(from_lower(game));
            } else {
                in_rounds.push(from_lower(game));
            }
        }
        let mut paired = HashSet::new();
        pair_each(in_rounds.clone(), &totals.openings, |one, other| {
            paired.extend([one.number, other.number]);
            let (first, second) = match one.seat {
                Seat::White | Seat::Both => (one, other),
                Seat::Black => (other, one),
            };
            self.encounters.push(encounter(first, Some(second)));
        });
        let unpaired = in_rounds
            .iter()
            .filter(|game| !paired.contains(&game.number));
        let single = unpaired.chain(&alone).map(|game| encounter(game, None));
        self.encounters.extend(single);
    }
}

/// The same game from the side of the engine with the lower number, so that both games of a pair are told from one side.
fn from_lower(game: Played) -> Played {
    if game.own < game.rival {
        return game;
    }
    Played {
        own: game.rival,
        rival: game.own,
        seat: Seat::Black,
        score: game.score.flipped(),
        ..game
    }
}

/// What two engines did against each other, from the side of the one that had White first.
fn encounter(first: &Played, second: Option<&Played>) -> Encounter {
    let players = [first.own, first.rival].map(|number| Player::new(number as usize));
    match first.seat {
        Seat::White | Seat::Both => Encounter {
            white: players[0],
            black: players[1],
            score: first.score,
            returned: second.map(|game| game.score),
        },
        Seat::Black => Encounter {
            white: players[1],
            black: players[0],
            score: first.score.flipped(),
            returned: second.map(|game| game.score.flipped()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::GameScore;
    use std::fmt::Write;

    fn read(games: &[(&str, &str, &str, &str)]) -> Crosstable {
        let mut text = String::new();
        for (round, white, black, result) in games {
            writeln!(text, "[Event \"x\"]").unwrap();
            if !round.is_empty() {
                writeln!(text, "[Round \"{round}\"]").unwrap();
            }
            writeln!(
                text,
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n"
            )
            .unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, text).unwrap();
        Crosstable::read(&[path]).unwrap()
    }

    fn told(table: &Crosstable) -> Vec<(&str, &str, GameScore, Option<GameScore>)> {
        let name = |player: Player| table.names()[player.place()].as_str();
        let one = |met: &Encounter| (name(met.white), name(met.black), met.score, met.returned);
        table.encounters().iter().map(one).collect()
    }

    #[test]
    fn pairs_are_found_among_the_games_of_many_engines() {
        use GameScore::{Draw, Loss, Win};
        let table = read(&[
            ("1", "a", "b", "1-0"),
            ("1", "c", "a", "0-1"),
            ("1", "b", "a", "1/2-1/2"),
            ("1", "a", "c", "0-1"),
            ("2", "b", "c", "1-0"),
        ]);
        assert_eq!(
            told(&table),
            [
                ("a", "b", Win, Some(Draw)),
                ("a", "c", Loss, Some(Win)),
                ("b", "c", Win, None),
            ]
        );
    }

    #[test]
    fn games_without_a_round_stand_alone() {
        let table = read(&[("", "b", "a", "1-0"), ("", "a", "b", "1-0")]);
        assert_eq!(
            told(&table),
            [
                ("b", "a", GameScore::Win, None),
                ("a", "b", GameScore::Win, None)
            ]
        );
    }

    #[test]
    fn unfinished_games_and_games_against_oneself_are_counted_apart() {
        let table = read(&[
            ("1", "a", "b", "*"),
            ("1", "b", "a", "*"),
            ("2", "a", "c", "*"),
            ("3", "a", "a", "1-0"),
            ("4", "a", "c", "1-0"),
        ]);
        let player = |name| table.player(name).unwrap();
        assert_eq!(table.unfinished(), 3);
        assert_eq!(table.unfinished_between(player("a"), player("b")), 2);
        assert_eq!(table.unfinished_between(player("c"), player("a")), 1);
        assert_eq!(table.against_themselves(), 1);
        assert_eq!(told(&table).len(), 1);
        assert!(table.remarks.is_empty(), "{:?}", table.remarks);
    }

    #[test]
    fn a_name_is_found_as_it_is_and_as_it_stands_in_the_tags() {
        let table = read(&[("1", r#"a \"b\""#, "c", "1-0")]);
        assert_eq!(table.names()[0], r#"a "b""#);
        assert_eq!(table.player(r#"a "b""#), table.player(r#"a \"b\""#));
        assert!(table.player("c").is_some() && table.player("C").is_none());
    }
}
