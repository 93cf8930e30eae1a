//! One game between two running engines.

use std::time::{Duration, Instant};

use jiff::ZonedDateTime;
use shakmaty::{ByColor, Color, Move, Position};

use super::adjudication::{Adjudicator, Judged};
use super::board::Board;
use super::clock::{Charge, Clock, write_go};
use super::ending::{Ending, Foul};
use crate::notation::{MoveComment, uci};
use crate::openings::{Opening, Variant};
use crate::play::engine::{Answer, EngineProcess, Interrupt, Settled, Silence};
use crate::play::{EngineSetup, MatchSetup};

/// How long an engine may take to come to order after a fault.
const SETTLE: Duration = Duration::from_secs(3);

/// A move of the game and what is written behind it.
#[derive(Clone, Debug)]
pub(super) struct MoveMade {
    pub(super) played: Move,
    pub(super) comment: MoveComment,
}

/// A game that is over.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) moves: Vec<MoveMade>,
    pub(super) ending: Ending,
    pub(super) started: ZonedDateTime,
    pub(super) ended: ZonedDateTime,
    pub(super) lasted: Duration,
    /// The last position.
    pub(super) board: Board,
    pub(super) clocks: ByColor<Clock>,
    /// The state of the engine that lost by a foul.
    pub(super) settled: Option<Settled>,
}

/// An engine at the board.
pub(super) struct Seat<'a> {
    pub(super) engine: &'a mut EngineProcess,
    pub(super) setup: &'a EngineSetup,
}

/// Plays a game to its end. Faults of the engines are endings too.
pub(super) fn play(
    seats: ByColor<Seat<'_>>,
    opening: &Opening,
    setup: &MatchSetup,
    interrupt: &dyn Interrupt,
) -> Played {
    let started = ZonedDateTime::now();
    let since = Instant::now();
    let mut game = Game {
        clocks: ByColor {
            white: Clock::new(seats.white.setup),
            black: Clock::new(seats.black.setup),
        },
        seats,
        board: Board::new(&opening.start, setup.variant.castling_mode()),
        adjudicator: Adjudicator::new(setup.adjudication),
        adjudicated: None,
        moves: Vec::new(),
        said: ByColor::default(),
        settled: None,
        setup,
        interrupt,
        line: String::new(),
    };
    game.play_book(&opening.moves);
    let ending = game.prepare().unwrap_or_else(|| game.play_on());
    game.finish(ending, started, since.elapsed())
}

struct Game<'a> {
    seats: ByColor<Seat<'a>>,
    clocks: ByColor<Clock>,
    board: Board,
    adjudicator: Adjudicator,
    /// What the rules of adjudication made of the last move.
    adjudicated: Option<Ending>,
    moves: Vec<MoveMade>,
    /// What each engine said last, as it spelled it.
    said: ByColor<String>,
    settled: Option<Settled>,
    setup: &'a MatchSetup,
    interrupt: &'a dyn Interrupt,
    /// What is written to an engine; its memory is used again.
    line: String,
}

impl Game<'_> {
    fn play_book(&mut self, moves: &[Move]) {
        for &played in moves {
            self.board.play(played);
            let comment = MoveComment {
                book: true,
                ..MoveComment::default()
            };
            self.moves.push(MoveMade { played, comment });
        }
    }

    /// Announces the game to both engines, then waits for both.
    fn prepare(&mut self) -> Option<Ending> {
        let chess960 = self.setup.variant == Variant::Chess960;
        let deadline = Instant::now() + self.setup.waits.new_game;
        for color in Color::ALL {
            let engine = &mut *self.seats.get_mut(color).engine;
            if let Err(silence) = engine.announce_game(chess960, self.interrupt) {
                return Some(self.silent(color, silence, None));
            }
        }
        for color in Color::ALL {
            let engine = &mut *self.seats.get_mut(color).engine;
            if let Err(silence) = engine.await_ready(deadline, self.interrupt) {
                return Some(self.silent(color, silence, None));
            }
        }
        None
    }

    fn play_on(&mut self) -> Ending {
        loop {
            let over = self.board.ending().or_else(|| self.adjudicated.take());
            if let Some(ending) = over.or_else(|| self.turn()) {
                return ending;
            }
        }
    }

    /// The mover's turn; answers an ending if the game ends by it.
    fn turn(&mut self) -> Option<Ending> {
        let mover = self.board.turn();
        self.line.clear();
        self.line.push_str(self.board.command());
        self.line.push('\n');
        write_go(&mut self.line, &self.clocks, mover);
        let unclocked = self.setup.waits.unclocked_move;
        let longest = self.clocks.get(mover).longest_wait(unclocked);
        let engine = &mut *self.seats.get_mut(mover).engine;
        let echo = self.said.get(mover);
        let search = engine.search(self.line.as_bytes(), echo, longest, self.interrupt);
        match search.answer {
            Ok(answer) => self.answered(mover, answer, search.elapsed),
            Err(silence) => Some(self.silent(mover, silence, Some(search.elapsed))),
        }
    }

    /// A move that is illegal and late is illegal.
    fn answered(&mut self, mover: Color, answer: Answer, elapsed: Duration) -> Option<Ending> {
        let Some(played) = uci::read_move(self.board.position(), &answer.bestmove) else {
            let text = answer.bestmove;
            return Some(self.foul(mover, Foul::IllegalMove { text }));
        };
        let charge = self.clocks.get_mut(mover).charge(elapsed);
        let comment = comment(&answer, elapsed, charge);
        let score = comment.score;
        self.moves.push(MoveMade { played, comment });
        self.board.play(played);
        *self.said.get_mut(mover) = answer.bestmove;
        if let Charge::Late { overrun } = charge {
            return Some(self.foul(mover, Foul::Time { overrun }));
        }
        self.adjudicated = self.adjudicator.judge(Judged {
            mover,
            score,
            zeroing: played.is_zeroing(),
            fullmoves: self.board.position().fullmoves().get(),
        });
        None
    }

    /// An answer that did not come: to `go` after the time given, or to the announcement of the game.
    fn silent(&mut self, color: Color, silence: Silence, waited: Option<Duration>) -> Ending {
        let foul = match silence {
            Silence::Interrupted => return Ending::Interrupted,
            Silence::Closed => Foul::Disconnect,
            Silence::TimedOut => self.timed_out(color, waited),
        };
        let loser = color;
        Ending::Foul { loser, foul }
    }

    /// With a clock the flag decides, unless the engine turns out to be deaf. Without one it is a stall.
    fn timed_out(&mut self, color: Color, waited: Option<Duration>) -> Foul {
        let settled = self.settle(color);
        let overrun = waited.and_then(|waited| self.clocks.get(color).overrun(waited));
        match (overrun, settled) {
            (Some(overrun), Settled::Ready | Settled::Thinking | Settled::Gone) => {
                Foul::Time { overrun }
            }
            (Some(_), Settled::Silent) | (None, _) => Foul::Stall,
        }
    }

    fn foul(&mut self, loser: Color, foul: Foul) -> Ending {
        self.settle(loser);
        Ending::Foul { loser, foul }
    }

    fn settle(&mut self, color: Color) -> Settled {
        let engine = &mut *self.seats.get_mut(color).engine;
        let settled = engine.settle(SETTLE, self.interrupt);
        self.settled = Some(settled);
        settled
    }

    fn finish(self, ending: Ending, started: ZonedDateTime, lasted: Duration) -> Played {
        Played {
            moves: self.moves,
            ending,
            started,
            ended: ZonedDateTime::now(),
            lasted,
            board: self.board,
            clocks: self.clocks,
            settled: self.settled,
        }
    }
}

fn comment(answer: &Answer, elapsed: Duration, charge: Charge) -> MoveComment {
    let info = answer.info.unwrap_or_default();
    MoveComment {
        book: false,
        score: info.score,
        depth: info.depth.unwrap_or(0),
        millis: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
        time_left: match charge {
            Charge::InTime { left } => left,
            Charge::Late { overrun } => i64::try_from(overrun).ok().map(|overrun| -overrun),
        },
        nodes: info.nodes,
        seldepth: info.seldepth,
        nps: info.nps,
        reason: None,
    }
}
