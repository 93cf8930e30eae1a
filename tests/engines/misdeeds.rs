//! How the scripted engine misbehaves.

use std::io::{self, Write};
use std::process::{Command, Stdio, abort, exit};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::Position;
use shakmaty::san::San;

use crate::settings::Fault;
use crate::{Engine, Search, before, never};

/// Information lines of a flood.
const FLOOD: usize = 1_000_000;

impl Engine {
    /// Faults that come before the first line is read.
    pub(crate) fn misbehave_at_start(&self) {
        match self.settings.fault {
            Some(Fault::CrashStart) => {
                eprintln!("cannot load the network");
                exit(1);
            }
            Some(Fault::IgnoreQuit) => leave_a_child(),
            _ => {}
        }
    }

    /// Does what is asked instead of a plain move.
    pub(crate) fn misbehave(&mut self, fault: Fault, search: &Search) {
        match fault {
            Fault::Crash => {
                eprintln!("assertion failed: king on board");
                exit(1);
            }
            Fault::Abort => abort(),
            Fault::Exit => exit(0),
            Fault::CloseOutput => {
                close_output();
                never();
            }
            Fault::CloseInput => {
                close_input();
                never();
            }
            Fault::Hang => never(),
            Fault::Think => self.await_stop(true, search),
            Fault::Deaf => self.await_stop(false, search),
            Fault::Mute => {}
            Fault::Chatter => self.chatter(search),
            Fault::Endless => endless(),
            Fault::IgnoreNodes
                if search
                    .words
                    .iter()
                    .any(|word| word == "nodes" || word == "depth") =>
            {
                self.await_stop(true, search);
            }
            Fault::Late => {
                thread::sleep(search.left(self).unwrap_or_default() + self.settings.over);
                self.play(search);
            }
            Fault::LastWord => {
                self.play(search);
                exit(0);
            }
            Fault::ReadyokNoMore => {
                self.play(search);
                self.ready = false;
            }
            Fault::Double => {
                let answer = format!("bestmove {}", self.uci(&search.chosen));
                self.say(&format!("{answer}\n{answer}"));
            }
            Fault::IllegalThinking => {
                self.say("bestmove a1a1");
                self.await_stop(true, search);
            }
            Fault::Flood | Fault::StderrFlood | Fault::Long => {
                if !self.flooded {
                    self.flooded = true;
                    self.clutter(fault);
                }
                self.play(search);
            }
            Fault::Binary | Fault::Commands | Fault::BadScore => {
                self.clutter(fault);
                self.play(search);
            }
            Fault::Illegal
            | Fault::WrongSide
            | Fault::Null
            | Fault::None
            | Fault::Empty
            | Fault::Upper
            | Fault::San
            | Fault::Garbage
            | Fault::Ponder => {
                let answer = format!("bestmove {}", self.answer(fault, search));
                self.say(answer.trim_end());
            }
            Fault::CrashStart
            | Fault::NoUciok
            | Fault::NoReadyok
            | Fault::CrashNewgame
            | Fault::IgnoreQuit
            | Fault::IgnoreNodes
            | Fault::Crlf => self.play(search),
        }
    }

    /// What it says for a move.
    fn answer(&self, fault: Fault, search: &Search) -> String {
        let chosen = self.uci(&search.chosen);
        match fault {
            Fault::WrongSide => {
                let other = self.position.clone().swap_turn();
                let moves = other.map(|other| other.legal_moves()).unwrap_or_default();
                moves
                    .first()
                    .map_or("e2e4".to_owned(), |first| self.uci(first))
            }
            Fault::Null => "0000".to_owned(),
            Fault::None => "(none)".to_owned(),
            Fault::Empty => String::new(),
            Fault::Upper => chosen.to_uppercase(),
            Fault::San => San::from_move(&self.position, search.chosen).to_string(),
            Fault::Garbage => "x{}[]\"\\; 1-0 % }".to_owned(),
            Fault::Ponder => format!("{chosen} ponder a2a3"),
            _ => "a1a1".to_owned(),
        }
    }

    /// Prints much, or strange things.
    fn clutter(&self, fault: Fault) {
        match fault {
            Fault::Flood => flood(&mut io::stdout().lock(), &self.info(1)),
            Fault::StderrFlood => flood(&mut io::stderr().lock(), "a line on standard error"),
            Fault::Long => self.say(&format!("info string {}", "x".repeat(200_000))),
            Fault::Binary => {
                let bytes = b"\x00\xff\xfe info \x80 score\ninfo string \xc3\x28 \xf0\x9f\n";
                let _ = io::stdout().write_all(bytes);
            }
            Fault::Commands => {
                self.say("::error::the job is lost");
                self.say("info string \u{1b}[31m::set-output name=verdict::passed\u{1b}[0m\u{7}");
                eprintln!("::error::\u{1b}[2J from standard error");
            }
            Fault::BadScore => {
                self.say("info depth 2 score cp abc nodes -1 time 99999999999999999999 pv");
                self.say("info depth 99999999999999999999 score mate");
                self.say("info");
            }
            _ => {}
        }
    }

    /// No move until `stop`, then the one it had in mind; positions and searches that come meanwhile are not heard.
    fn await_stop(&mut self, answers: bool, search: &Search) {
        while let Some(line) = self.next_line() {
            match line.trim() {
                "stop" => return self.play(search),
                "isready" if answers => self.say("readyok"),
                "quit" => exit(0),
                _ => {}
            }
        }
        exit(0);
    }

    /// Information every 5 ms until well past the flag, then the move.
    fn chatter(&self, search: &Search) {
        let end = Instant::now() + search.left(self).unwrap_or_default() + self.settings.over;
        while before(end) {
            self.say(&self.info(1));
            thread::sleep(Duration::from_millis(5));
        }
        self.play(search);
    }
}

fn flood(out: &mut impl Write, line: &str) {
    let chunk = format!("{line}\n").repeat(100);
    for _ in 0..FLOOD / 100 {
        if out.write_all(chunk.as_bytes()).is_err() {
            exit(0);
        }
    }
}

/// One line that never ends, while somebody reads it.
fn endless() -> ! {
    let (chunk, end) = ([b'x'; 4096], Instant::now() + Duration::from_secs(600));
    let mut out = io::stdout().lock();
    while before(end) && out.write_all(&chunk).is_ok() {}
    exit(1)
}

/// A process of its own that outlives this one unless somebody ends both.
fn leave_a_child() {
    let own = std::env::current_exe().expect("its own path");
    let mark = std::env::args().filter(|argument| argument.starts_with("mark="));
    let child = Command::new(own)
        .args(mark)
        .arg("fault=hang")
        .arg("ply=0")
        .stdin(Stdio::piped())
        .spawn();
    let mut child = child.expect("a child can be started");
    let mut input = child.stdin.take().expect("its input is a pipe");
    let _ = writeln!(input, "go");
    std::mem::forget(input);
    std::mem::forget(child);
}

#[cfg(unix)]
fn close_output() {
    let nowhere = std::fs::File::create("/dev/null").expect("/dev/null");
    rustix::stdio::dup2_stdout(nowhere).expect("standard output can be replaced");
}

#[cfg(unix)]
fn close_input() {
    let nowhere = std::fs::File::open("/dev/null").expect("/dev/null");
    rustix::stdio::dup2_stdin(nowhere).expect("standard input can be replaced");
}

#[cfg(not(unix))]
fn close_output() {}

#[cfg(not(unix))]
fn close_input() {}
