//! `mache engine`.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use crate::program::{Place, refusal};

#[test]
fn a_conversation_ends_with_the_input() {
    for engine in ["random", "greedy", "minimax"] {
        let place = Place::new();
        let mut program = place.program();
        let run = program.args(["engine", engine, "--seed", "3"]);
        let output = run
            .write_stdin("uci\nisready\nposition startpos moves e2e4\ngo nodes 1\n")
            .output();
        let output = output.expect("the program starts");
        let text = String::from_utf8(output.stdout).expect("it prints UTF-8");
        assert!(output.status.success() && output.stderr.is_empty());
        assert!(
            text.starts_with(&format!("id name mache {engine} ")),
            "{text}"
        );
        assert!(
            text.contains("option name Seed type spin default 3 min 0 max 2147483647\n"),
            "{text}"
        );
        let last = text.lines().last().expect("it answers");
        assert!(last.starts_with("bestmove "), "{text}");
    }
}

fn ask(input: &mut ChildStdin, output: &mut BufReader<ChildStdout>, text: &str, until: &str) {
    input
        .write_all(text.as_bytes())
        .expect("the engine listens");
    let mut line = String::new();
    while !line.starts_with(until) {
        line.clear();
        let read = output.read_line(&mut line).expect("the engine prints text");
        assert_ne!(read, 0, "the engine is gone before `{until}`");
    }
}

#[test]
fn every_answer_is_sent_before_the_next_question() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_mache"))
        .args(["engine", "minimax"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = engine.stdin.take().expect("it is piped");
    let mut output = BufReader::new(engine.stdout.take().expect("it is piped"));
    ask(&mut input, &mut output, "uci\n", "uciok");
    ask(&mut input, &mut output, "ucinewgame\nisready\n", "readyok");
    ask(
        &mut input,
        &mut output,
        "position startpos\ngo infinite\n",
        "info ",
    );
    ask(&mut input, &mut output, "isready\n", "readyok");
    ask(&mut input, &mut output, "stop\n", "bestmove ");
    ask(&mut input, &mut output, "go movetime 10\n", "bestmove ");
    input.write_all(b"quit\n").expect("the engine listens");
    assert!(engine.wait().expect("it was started").success());
}

#[test]
fn an_unknown_engine_or_seed_is_refused() {
    let place = Place::new();
    insta::assert_snapshot!(refusal(&place.run(["engine", "stockfish"])), @r"
    2: error: invalid value 'stockfish' for '<ENGINE>'
      [possible values: random, greedy, minimax]

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refusal(&place.run(["engine", "random", "--seed", "2147483648"])), @r"
    2: error: invalid value '2147483648' for '--seed <N>': 2147483648 is not in 0..=2147483647

    For more information, try '--help'.
    ");
}
