//! What one piece of text adds up to. A piece is read alone, so pieces can be read in parallel.

use shakmaty::Color;

use super::digest::{ByDigest, Digests, digest};
use super::ending::{EndingCounts, Verdict};
use super::game::GameResult;
use super::instrument::Spent;
use super::names::{RawNames, Sides};
use super::opening;
use crate::notation::Thought;
use crate::notation::pgn::{Record, Tags, Visitor, scan};
use crate::stats::GameScore;

/// Where the candidate sat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seat {
    White,
    Black,
    /// It played itself, and the score is White's.
    Both,
}

/// A finished game, as pairing needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    /// One-based place of the record in its file.
    pub(super) number: u64,
    pub(super) round: u64,
    /// Fingerprint of [`opening::describe`]'s text.
    pub(super) opening: u64,
    /// Whose score it is.
    pub(super) own: u32,
    pub(super) rival: u32,
    pub(super) seat: Seat,
    pub(super) score: GameScore,
}

/// Something about a record that has to be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// The same record was read before.
    Repeated,
    /// It has not both players.
    NoPlayers,
    /// The moves are cut off.
    Torn,
    /// The movetext ends with another result than the tag says.
    Contradicted,
    /// It has no result.
    Unfinished,
}

/// What the records of one piece add up to.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) records: u64,
    pub(super) names: Vec<Box<[u8]>>,
    /// Games with two players, by the number of a name.
    pub(super) appearances: Vec<u64>,
    pub(super) played: Vec<Played>,
    pub(super) unfinished: u64,
    /// Who played each game without a result, when everyone's games are asked for.
    pub(super) open: Vec<[u32; 2]>,
    pub(super) endings: EndingCounts,
    /// In the order in which an engine's first comment appeared.
    pub(super) spent: Vec<(u32, Spent)>,
    pub(super) openings: ByDigest<Box<[u8]>>,
    /// Round tags that are no plain number.
    pub(super) rounds: ByDigest<Box<[u8]>>,
    pub(super) doubts: Vec<(Doubt, u64)>,
    /// Fingerprints of games that a start time tells apart.
    pub(super) digests: Digests,
    /// Sum of all records' fingerprints.
    pub(super) content: u64,
    /// `true` if some record has no start time.
    pub(super) undated: bool,
}

impl Tally {
    /// Reads a piece. Records in `seen` are not counted again.
    pub(super) fn of(text: &[u8], sides: Sides<'_>, seen: &Digests) -> Self {
        let mut counter = Counter::new(sides, seen);
        scan(text, &mut counter);
        let mut tally = counter.tally;
        tally.names = counter.names.into_raw();
        tally.appearances.resize(tally.names.len(), 0);
        tally
    }
}

/// A Round tag as a number: itself if it is plainly written, else its fingerprint, marked by the highest bit.
fn round_key(round: &[u8], rounds: &mut ByDigest<Box<[u8]>>) -> u64 {
    let plain = matches!(round, [b'1'..=b'9', ..] | b"0")
        && round.len() < 19
        && round.iter().all(u8::is_ascii_digit);
    if plain {
        return round
            .iter()
            .fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
    }
    let key = numbered_round(round);
    rounds.entry(key).or_insert_with(|| round.into());
    key
}

/// The number of a Round tag that is no plain number; of the empty text when there is no tag.
pub(super) fn numbered_round(round: &[u8]) -> u64 {
    digest(round) | 1 << 63
}

struct Counter<'t, 'q> {
    sides: Sides<'q>,
    seen: &'q Digests,
    tally: Tally,
    names: RawNames,
    game: Game<'t>,
    /// The book moves of the game, a blank behind each.
    book: Vec<u8>,
    opening: Vec<u8>,
}

/// What is known so far of the game being read.
#[derive(Default)]
struct Game<'t> {
    players: Option<(u32, u32)>,
    seat: Option<Seat>,
    white: Option<Spent>,
    black: Option<Spent>,
    black_first: bool,
    /// The last comment and the one before.
    comments: [&'t [u8]; 2],
    /// Only book moves so far.
    in_book: bool,
    /// A move that no comment has followed yet.
    bare_move: Option<&'t [u8]>,
}

impl<'t, 'q> Counter<'t, 'q> {
    fn new(sides: Sides<'q>, seen: &'q Digests) -> Self {
        Self {
            sides,
            seen,
            tally: Tally::default(),
            names: RawNames::default(),
            game: Game::default(),
            book: Vec::new(),
            opening: Vec::new(),
        }
    }

    fn seat(&mut self, white: &[u8], black: &[u8]) -> ((u32, u32), Option<Seat>) {
        let (white, white_is_ours) = self.names.number(white, self.sides);
        let (black, black_is_ours) = self.names.number(black, self.sides);
        let seat = match (white_is_ours, black_is_ours) {
            (true, true) => Some(Seat::Both),
            (true, false) => Some(Seat::White),
            (false, true) => Some(Seat::Black),
            (false, false) => None,
        };
        ((white, black), seat)
    }

    /// `true` if the same record was read before. Only a start time tells games from their copies.
    fn repeated(&mut self, record: &Record<'t>) -> bool {
        let key = digest(record.text.trim_ascii_end());
        self.tally.content = self.tally.content.wrapping_add(key);
        if record.tags.start_time.is_none() {
            self.tally.undated = true;
            return false;
        }
        self.seen.contains(&key) || !self.tally.digests.insert(key)
    }

    fn doubt(&mut self, doubt: Doubt) {
        self.tally.doubts.push((doubt, self.tally.records));
    }

    fn count(&mut self, record: &Record<'t>, (white, black): (u32, u32)) {
        let result = record.tags.result.and_then(GameResult::from_tag);
        if record.torn() {
            self.doubt(Doubt::Torn);
        } else if GameResult::from_tag(record.last_word)
            .is_some_and(|end| result.is_some_and(|tag| tag != end))
        {
            self.doubt(Doubt::Contradicted);
        }
        self.count_appearances(white, black);
        let [last, before] = self.game.comments;
        let comment = if record.open_comment { before } else { last };
        let reason = match memchr::memrchr(b'{', comment) {
            Some(brace) => &comment[brace + 1..],
            None => comment,
        };
        let loser = result.and_then(GameResult::loser);
        let verdict = Verdict::of(record.tags.termination, reason, loser);
        let name = |colour: Color| colour.fold_wb(white, black);
        self.tally.endings.add_game(verdict, name);
        match (self.sides, self.game.seat) {
            (Sides::Everyone, _) => self.count_anyones(record, (white, black), result),
            (_, Some(seat)) => self.count_own(record, (white, black), seat, result),
            (_, None) => {}
        }
    }

    fn count_appearances(&mut self, white: u32, black: u32) {
        let most = white.max(black) as usize;
        if self.tally.appearances.len() <= most {
            self.tally.appearances.resize(most + 1, 0);
        }
        self.tally.appearances[white as usize] += 1;
        if black != white {
            self.tally.appearances[black as usize] += 1;
        }
    }

    fn count_own(
        &mut self,
        record: &Record<'t>,
        (white, black): (u32, u32),
        seat: Seat,
        result: Option<GameResult>,
    ) {
        let mut sides = [(white, self.game.white), (black, self.game.black)];
        if self.game.black_first {
            sides.reverse();
        }
        for (name, spent) in sides {
            if let Some(spent) = spent {
                self.add_spent(name, spent);
            }
        }
        let Some(result) = result else {
            self.tally.unfinished += 1;
            self.doubt(Doubt::Unfinished);
            return;
        };
        let ((own, rival), score) = match seat {
            Seat::White | Seat::Both => ((white, black), result.white_score()),
            Seat::Black => ((black, white), result.white_score().flipped()),
        };
        self.push_played(record, (own, rival), seat, score);
    }

    /// Counts a game from White's side, whoever that is.
    fn count_anyones(
        &mut self,
        record: &Record<'t>,
        (white, black): (u32, u32),
        result: Option<GameResult>,
    ) {
        match result {
            Some(result) => {
                self.push_played(record, (white, black), Seat::White, result.white_score());
            }
            None => self.tally.open.push([white, black]),
        }
    }

    fn push_played(
        &mut self,
        record: &Record<'t>,
        (own, rival): (u32, u32),
        seat: Seat,
        score: GameScore,
    ) {
        let round = record.tags.round.unwrap_or_default();
        let played = Played {
            number: self.tally.records,
            round: round_key(round, &mut self.tally.rounds),
            opening: self.opening_key(record),
            own,
            rival,
            seat,
            score,
        };
        self.tally.played.push(played);
    }

    fn add_spent(&mut self, name: u32, spent: Spent) {
        match self.tally.spent.iter_mut().find(|(of, _)| *of == name) {
            Some((_, mine)) => mine.add(spent),
            None => self.tally.spent.push((name, spent)),
        }
    }

    fn opening_key(&mut self, record: &Record<'t>) -> u64 {
        opening::describe(&mut self.opening, record.tags.fen, &self.book);
        let key = digest(&self.opening);
        let text = &self.opening;
        self.tally
            .openings
            .entry(key)
            .or_insert_with(|| text.as_slice().into());
        key
    }
}

impl<'t> Visitor<'t> for Counter<'t, '_> {
    fn begin(&mut self, tags: &Tags<'t>) -> bool {
        self.tally.records += 1;
        self.book.clear();
        self.game = Game {
            in_book: true,
            ..Game::default()
        };
        let Some((white, black)) = tags.players() else {
            return false;
        };
        let (players, seat) = self.seat(white, black);
        self.game.players = Some(players);
        self.game.seat = seat;
        true
    }

    #[inline]
    fn play(&mut self, _mover: Color, text: &'t [u8]) {
        if self.game.in_book && self.game.bare_move.replace(text).is_some() {
            self.game.in_book = false;
        }
    }

    #[inline]
    fn comment(&mut self, mover: Option<Color>, text: &'t [u8]) {
        self.game.comments = [text, self.game.comments[0]];
        if self.game.in_book {
            match self.game.bare_move.take() {
                Some(played) if text == b"book" => {
                    self.book.extend_from_slice(played);
                    self.book.push(b' ');
                }
                _ => self.game.in_book = false,
            }
        }
        if self.game.seat.is_none() {
            return;
        }
        // Before the first move only a reason can stand: its engine gets a row and no move.
        let thought = mover.and_then(|_| Thought::read(text));
        let mover = mover.unwrap_or(Color::White);
        let first = self.game.white.is_none() && self.game.black.is_none();
        self.game.black_first |= first && mover.is_black();
        let spent = match mover {
            Color::White => &mut self.game.white,
            Color::Black => &mut self.game.black,
        };
        let spent = spent.get_or_insert_default();
        if let Some(thought) = thought {
            spent.add_thought(thought);
        }
    }

    fn end(&mut self, record: &Record<'t>) {
        if self.repeated(record) {
            self.doubt(Doubt::Repeated);
            return;
        }
        match self.game.players {
            Some(players) => self.count(record, players),
            None => self.doubt(Doubt::NoPlayers),
        }
    }
}
