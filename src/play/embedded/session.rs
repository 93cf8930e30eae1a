//! One conversation with a harness.

use std::fmt::Write as _;
use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Instant;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, FromSetup, Move, MoveList, Position, PositionError, Setup};

use super::search::{Finding, Question};
use super::{EmbeddedEngine, LARGEST_SEED, greedy, minimax, random};
use crate::notation::MoveScore;
use crate::openings::PositionKey;

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Continue,
    Quit,
}

/// What the harness has said so far.
#[derive(Debug)]
pub(super) struct Session {
    engine: EmbeddedEngine,
    seed: u32,
    chess960: bool,
    game: Game,
    /// A move found that may not be told before `stop` or `ponderhit`.
    held: Option<Held>,
}

#[derive(Debug)]
struct Held {
    bestmove: String,
    /// `ponderhit` frees it.
    pondering: bool,
}

/// The game as the last `position` told it.
#[derive(Debug)]
struct Game {
    /// That line. The next one usually repeats it and adds two moves, so only those are played.
    line: String,
    has_moves: bool,
    position: Chess,
    past: Vec<PositionKey>,
}

/// The commands understood; others are passed over, as the protocol asks.
const COMMANDS: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

impl Session {
    pub(super) fn new(engine: EmbeddedEngine, seed: u32) -> Self {
        let game = Game::new(Chess::default());
        Self {
            engine,
            seed: seed.min(LARGEST_SEED),
            chess960: false,
            game,
            held: None,
        }
    }

    /// Takes in one line and appends what is to be said to it.
    pub(super) fn hear(&mut self, line: &str, answers: &mut Vec<u8>) -> Wish {
        let line = line.trim();
        let mut words = line.split_ascii_whitespace();
        let Some(command) = words.find(|word| COMMANDS.contains(word)) else {
            return Wish::Continue;
        };
        match command {
            "uci" => say(answers, &self.introduction()),
            "isready" => say(answers, "readyok"),
            "setoption" => self.set_option(words),
            "position" => self.set_position(line, answers),
            "go" => self.go(words, answers),
            "stop" => self.release(answers),
            "ponderhit" if self.held.as_ref().is_some_and(|held| held.pondering) => {
                self.release(answers)
            }
            "quit" => return Wish::Quit,
            // Nothing is kept from game to game, and there is nothing to debug or to register.
            _ => {}
        }
        Wish::Continue
    }

    fn introduction(&self) -> String {
        let (name, seed) = (self.engine.name(), self.seed);
        format!(
            "id name mache {name} {}\n\
             id author the mache project\n\
             option name Hash type spin default 1 min 1 max 1048576\n\
             option name Threads type spin default 1 min 1 max 1024\n\
             option name UCI_Chess960 type check default false\n\
             option name Seed type spin default {seed} min 0 max {LARGEST_SEED}\n\
             uciok",
            env!("CARGO_PKG_VERSION")
        )
    }

    fn set_option(&mut self, words: SplitAsciiWhitespace<'_>) {
        let words: Vec<&str> = words.skip_while(|&word| word != "name").skip(1).collect();
        let end = words
            .iter()
            .position(|&word| word == "value")
            .unwrap_or(words.len());
        let name = words[..end].join(" ").to_ascii_lowercase();
        let value = words.get(end + 1..).unwrap_or_default().join(" ");
        match name.as_str() {
            "uci_chess960" => {
                self.chess960 = value.eq_ignore_ascii_case("true");
                // The same line may now mean another position.
                self.game.line.clear();
            }
            "seed" => {
                self.seed = value
                    .parse()
                    .map_or(self.seed, |seed: u32| seed.min(LARGEST_SEED))
            }
            // One thread and no hash table, whatever is asked for.
            _ => {}
        }
    }

    fn set_position(&mut self, line: &str, answers: &mut Vec<u8>) {
        let outcome = match self.game.continuation(line) {
            Some(rest) => self.game.play_all(rest),
            None => Game::begin(line, self.chess960).and_then(|(game, moves)| {
                self.game = game;
                self.game.play_all(moves)
            }),
        };
        match outcome {
            Ok(()) => line.clone_into(&mut self.game.line),
            Err(complaint) => {
                self.game.line.clear();
                say(answers, &format!("info string {complaint}"));
            }
        }
    }

    fn go(&mut self, words: SplitAsciiWhitespace<'_>, answers: &mut Vec<u8>) {
        // Every `go` gets its move, also one that came before the last was stopped.
        self.release(answers);
        let order = Order::read(words, &self.game.position);
        let bestmove = self.find(&order, answers);
        self.held = Some(Held {
            bestmove,
            pondering: order.ponder,
        });
        if !order.waits {
            self.release(answers);
        }
    }

    fn release(&mut self, answers: &mut Vec<u8>) {
        if let Some(held) = self.held.take() {
            say(answers, &held.bestmove);
        }
    }

    /// Says what was found, and gives the line with the move.
    fn find(&self, order: &Order, answers: &mut Vec<u8>) -> String {
        let position = &self.game.position;
        if order.moves.is_empty() {
            let score = if position.is_check() {
                "mate 0"
            } else {
                "cp 0"
            };
            say(
                answers,
                &format!("info depth 0 score {score} nodes 0 time 0"),
            );
            return "bestmove (none)".to_owned();
        }
        let started = Instant::now();
        let finding = self.answer(&Question {
            position,
            moves: &order.moves,
            past: &self.game.past,
            depth: order.depth,
            nodes: order.nodes,
            seed: self.seed,
        });
        let millis = started.elapsed().as_millis();
        say(answers, &self.info(&finding, millis));
        let mut line = format!("bestmove {}", self.spell(finding.best));
        if let Some(answer) = finding.answer {
            write!(line, " ponder {}", self.spell(answer)).expect("a string takes all text");
        }
        line
    }

    fn answer(&self, question: &Question<'_>) -> Finding {
        match self.engine {
            EmbeddedEngine::Random => random::answer(question),
            EmbeddedEngine::Greedy => greedy::answer(question),
            EmbeddedEngine::Minimax => minimax::answer(question),
        }
    }

    fn info(&self, finding: &Finding, millis: u128) -> String {
        let Finding { depth, nodes, .. } = finding;
        let score = match finding.score {
            MoveScore::Centipawns(value) => format!("cp {value}"),
            MoveScore::Mate(moves) => format!("mate {moves}"),
        };
        // A search shorter than a millisecond counts as one, so that a game can be repeated to the letter.
        let nps = u128::from(*nodes) * 1000 / millis.max(1);
        let mut line = format!(
            "info depth {depth} score {score} nodes {nodes} nps {nps} time {millis} pv {}",
            self.spell(finding.best)
        );
        if let Some(answer) = finding.answer {
            write!(line, " {}", self.spell(answer)).expect("a string takes all text");
        }
        line
    }

    fn spell(&self, played: Move) -> UciMove {
        UciMove::from_move(played, self.game.position.castles().mode())
    }
}

fn say(answers: &mut Vec<u8>, text: &str) {
    answers.extend_from_slice(text.as_bytes());
    answers.push(b'\n');
}

impl Game {
    fn new(position: Chess) -> Self {
        let past = vec![PositionKey::of(&position)];
        Self {
            line: String::new(),
            has_moves: false,
            position,
            past,
        }
    }

    /// The moves a `position` line adds to the one before, when it only adds.
    fn continuation<'a>(&self, line: &'a str) -> Option<&'a str> {
        if self.line.is_empty() {
            return None;
        }
        let rest = line.strip_prefix(self.line.as_str())?;
        match (rest.strip_prefix(' '), self.has_moves) {
            (None, _) => rest.is_empty().then_some(rest),
            (Some(rest), true) => Some(rest),
            (Some(rest), false) => rest.strip_prefix("moves "),
        }
    }

    /// The start a `position` line names, and the moves behind it.
    fn begin(line: &str, chess960: bool) -> Result<(Self, &str), String> {
        let (_, rest) = line.split_once("position").unwrap_or_default();
        let (start, moves) = match rest.find(" moves") {
            Some(at) => (rest[..at].trim(), &rest[at + " moves".len()..]),
            None => (rest.trim(), ""),
        };
        let setup = match start.strip_prefix("fen") {
            Some(fen) => Fen::from_str(fen.trim())
                .map_err(|error| format!("{error}"))?
                .into_setup(),
            None if start == "startpos" => Setup::initial(),
            None => return Err("position wants startpos or fen".to_owned()),
        };
        let mode = if chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::detect(&setup)
        };
        // Whatever can be played is played: the rest is for the harness to judge.
        let position = Chess::from_setup(setup, mode)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|error| error.to_string())?;
        Ok((Self::new(position), moves))
    }

    fn play_all(&mut self, moves: &str) -> Result<(), String> {
        for word in moves.split_ascii_whitespace() {
            self.has_moves = true;
            let uci: Option<UciMove> = word.parse().ok();
            let played = uci.and_then(|uci| uci.to_move(&self.position).ok());
            self.position
                .play_unchecked(played.ok_or_else(|| format!("illegal move {word}"))?);
            self.past.push(PositionKey::of(&self.position));
        }
        Ok(())
    }
}

/// What a `go` asks for. Clocks are of no interest to engines that answer at once.
struct Order {
    moves: MoveList,
    depth: u32,
    nodes: u64,
    /// Only `stop` frees the move, or `ponderhit` when pondering.
    waits: bool,
    ponder: bool,
}

impl Order {
    fn read(words: SplitAsciiWhitespace<'_>, position: &Chess) -> Self {
        let mut order = Self {
            moves: position.legal_moves(),
            depth: u32::MAX,
            nodes: u64::MAX,
            waits: false,
            ponder: false,
        };
        let words: Vec<&str> = words.collect();
        for (index, &word) in words.iter().enumerate() {
            let value = || {
                words
                    .get(index + 1)
                    .and_then(|value| value.parse::<u64>().ok())
            };
            match word {
                "infinite" => order.waits = true,
                "ponder" => (order.waits, order.ponder) = (true, true),
                "depth" => {
                    order.depth = value().map_or(u32::MAX, |depth| {
                        u32::try_from(depth.max(1)).unwrap_or(u32::MAX)
                    })
                }
                "nodes" => order.nodes = value().unwrap_or(u64::MAX),
                "searchmoves" => order.choose_from(&words[index + 1..], position),
                // Clocks, `mate`, values and what is unknown.
                _ => {}
            }
        }
        order
    }

    /// Keeps the moves named; all when none of the names is a legal move.
    fn choose_from(&mut self, words: &[&str], position: &Chess) {
        let read = |word: &&str| word.parse::<UciMove>().ok()?.to_move(position).ok();
        let named: MoveList = words.iter().map_while(read).collect();
        if !named.is_empty() {
            self.moves = named;
        }
    }
}
