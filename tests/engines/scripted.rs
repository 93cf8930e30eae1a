//! A UCI engine for tests: plays legal moves at once, the same ones for the same seed, and misbehaves on request.
//!
//! Arguments are `key=value`; `settings.rs` lists them. A move depends on the seed and the position alone, so games do
//! not change with the number of games at once. Whatever it waits for, it ends after ten minutes.

mod misdeeds;
mod settings;

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

use settings::{Fault, Settings};

fn main() {
    let settings = Settings::read(std::env::args().skip(1)).unwrap_or_else(|why| {
        eprintln!("scripted-engine: {why}");
        exit(2)
    });
    Engine::new(settings).run();
}

/// Its whole state between two lines of input.
struct Engine {
    settings: Settings,
    position: Chess,
    /// Moves after the start position it was given.
    plies: usize,
    /// Games begun.
    games: usize,
    chess960: bool,
    /// Whether `isready` is still answered.
    ready: bool,
    /// Whether it flooded this game already; a flood comes once a game.
    flooded: bool,
    log: Option<File>,
}

/// One `go`: what was asked, and the move it will play.
struct Search {
    /// Words after `go`.
    words: Vec<String>,
    chosen: Move,
}

impl Engine {
    fn new(settings: Settings) -> Self {
        let log = settings.log.as_ref().map(|path| {
            let file = File::options().create(true).append(true).open(path);
            file.expect("the log can be written")
        });
        Self {
            settings,
            position: Chess::default(),
            plies: 0,
            games: 0,
            chess960: false,
            ready: true,
            flooded: false,
            log,
        }
    }

    fn run(&mut self) {
        self.misbehave_at_start();
        while let Some(line) = self.next_line() {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let Some(first) = words.first() else { continue };
            match first.as_str() {
                "uci" => self.introduce(),
                "setoption" => self.set_option(&words),
                "isready" => self.answer_ready(),
                "ucinewgame" => self.new_game(),
                "position" => self.set_position(&words[1..]),
                "go" => self.go(words[1..].to_vec()),
                "quit" => break,
                _ => {}
            }
        }
        if self.settings.fault == Some(Fault::IgnoreQuit) {
            never();
        }
    }

    /// The next line of input; `None` at its end.
    fn next_line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = io::stdin().lock().read_line(&mut line).unwrap_or(0);
        if let Some(log) = &mut self.log {
            write!(log, "{line}").expect("the log can be written");
        }
        (length > 0).then_some(line)
    }

    /// Prints one line.
    fn say(&self, text: &str) {
        let end = match self.settings.fault {
            Some(Fault::Crlf) => "\r\n",
            _ => "\n",
        };
        let mut out = io::stdout().lock();
        let written = write!(out, "{text}{end}").and_then(|()| out.flush());
        if written.is_err() {
            exit(0); // nobody listens any more
        }
    }

    fn introduce(&self) {
        if self.settings.fault == Some(Fault::NoUciok) {
            return;
        }
        self.say(&format!("id name {}", self.settings.name));
        self.say("id author nobody");
        self.say("option name Hash type spin default 16 min 1 max 1024");
        self.say("option name Threads type spin default 1 min 1 max 8");
        self.say("option name Move Overhead type spin default 10 min 0 max 5000");
        self.say("option name Style type combo default Solid var Solid var Risky Play");
        self.say("option name Clear Hash type button");
        self.say("option name UCI_Chess960 type check default false");
        self.say("uciok");
    }

    fn set_option(&mut self, words: &[String]) {
        if words.iter().any(|word| word == "UCI_Chess960") {
            self.chess960 = words.last().is_some_and(|word| word == "true");
        }
    }

    fn answer_ready(&self) {
        if !self.ready || self.settings.fault == Some(Fault::NoReadyok) {
            never();
        }
        self.say("readyok");
    }

    fn new_game(&mut self) {
        self.games += 1;
        self.flooded = false;
        if self.settings.fault == Some(Fault::CrashNewgame) && self.is_faulty_game() {
            exit(1);
        }
    }

    fn is_faulty_game(&self) -> bool {
        self.games.is_multiple_of(self.settings.every)
    }

    fn set_position(&mut self, words: &[String]) {
        let end = words.iter().position(|word| word == "moves");
        let moves = end.map_or(&[][..], |at| &words[at + 1..]);
        let start = &words[..end.unwrap_or(words.len())];
        self.position = match start.split_first() {
            Some((kind, fen)) if kind == "fen" => self.read_fen(&fen.join(" ")),
            _ => Chess::default(),
        };
        for word in moves {
            let parsed: UciMove = word.parse().expect("a move");
            let legal = parsed.to_move(&self.position).expect("a legal move");
            self.position.play_unchecked(legal);
        }
        self.plies = moves.len();
    }

    fn read_fen(&self, fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(self.castling())
            .expect("a legal position")
    }

    fn castling(&self) -> CastlingMode {
        if self.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }

    fn go(&mut self, words: Vec<String>) {
        let Some(chosen) = self.choose() else {
            self.say("bestmove (none)");
            return;
        };
        let search = Search { words, chosen };
        thread::sleep(self.settings.think);
        for depth in 1..=self.settings.info {
            self.say(&self.info(depth));
        }
        let due = self.plies >= self.settings.ply && self.is_faulty_game();
        match self.settings.fault.filter(|_| due) {
            Some(fault) => self.misbehave(fault, &search),
            None => self.play(&search),
        }
    }

    fn play(&self, search: &Search) {
        self.say(&format!("bestmove {}", self.uci(&search.chosen)));
    }

    fn uci(&self, chosen: &Move) -> String {
        chosen.to_uci(self.castling()).to_string()
    }

    /// A legal move that depends on the seed and the position alone.
    fn choose(&self) -> Option<Move> {
        let legal = self.position.legal_moves();
        let fen = Fen::from_position(&self.position, shakmaty::EnPassantMode::Legal);
        let place = hash(self.settings.seed, &fen.to_string()) % legal.len().max(1) as u64;
        legal
            .get(usize::try_from(place).expect("below the number of moves"))
            .copied()
    }

    fn info(&self, depth: usize) -> String {
        let (line, mut copy) = (self.settings.line, self.still());
        let mut moves = String::new();
        for _ in 0..line {
            let Some(next) = copy.choose() else { break };
            moves.push(' ');
            moves.push_str(&copy.uci(&next));
            copy.position.play_unchecked(next);
        }
        let score = &self.settings.score;
        format!(
            "info depth {depth} seldepth {depth} multipv 1 score {score} nodes {depth} nps 1000 time 1 pv{moves}"
        )
    }

    /// The same engine at the same position, without its log.
    fn still(&self) -> Self {
        Self {
            settings: self.settings.clone(),
            position: self.position.clone(),
            log: None,
            ..*self
        }
    }
}

impl Search {
    /// Milliseconds until the flag of the side to move falls; `None` without a clock.
    fn left(&self, engine: &Engine) -> Option<Duration> {
        let clock = engine.position.turn().fold_wb("wtime", "btime");
        let number = |key: &str| {
            let place = self.words.iter().position(|word| word == key)?;
            self.words.get(place + 1)?.parse().ok()
        };
        number("movetime")
            .or_else(|| number(clock))
            .map(Duration::from_millis)
    }
}

/// FNV-1a over the seed and the text, mixed so that its low bits are good.
fn hash(seed: u64, text: &str) -> u64 {
    let seed = seed.to_le_bytes();
    let bytes = seed.iter().chain(text.as_bytes());
    let sum = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (sum ^ (sum >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}

/// Does nothing, for ten minutes: long enough for any test, short enough to leave no process behind.
fn never() -> ! {
    thread::sleep(Duration::from_secs(600));
    exit(1)
}

/// Whether a deadline lies ahead.
fn before(end: Instant) -> bool {
    Instant::now() < end
}
