//! The engines seen from outside, through the lines they are told and answer.

mod games;

use super::session::{Session, Wish};
use super::*;

const ENGINES: [EmbeddedEngine; 3] = [
    EmbeddedEngine::Random,
    EmbeddedEngine::Greedy,
    EmbeddedEngine::Minimax,
];

/// What an engine says to these lines, in a conversation of its own.
fn told(engine: EmbeddedEngine, lines: &str) -> String {
    let mut output = Vec::new();
    speak(engine, 1, lines.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

fn bestmoves(answers: &str) -> Vec<&str> {
    let moves = answers
        .lines()
        .filter_map(|line| line.strip_prefix("bestmove "));
    moves.map(|rest| rest.split(' ').next().unwrap()).collect()
}

/// The word behind a key in the last `info` line.
fn info<'a>(answers: &'a str, key: &str) -> &'a str {
    let line = answers
        .lines()
        .rfind(|line| line.starts_with("info "))
        .unwrap();
    line.split(' ')
        .skip_while(|&word| word != key)
        .nth(1)
        .unwrap()
}

struct Player(Session);

impl Player {
    fn new(engine: EmbeddedEngine, seed: u32) -> Self {
        Self(Session::new(engine, seed))
    }

    fn hear(&mut self, line: &str) -> String {
        let mut answers = Vec::new();
        assert_eq!(self.0.hear(line, &mut answers), Wish::Continue);
        String::from_utf8(answers).unwrap()
    }

    fn bestmove(&mut self, position: &str) -> String {
        assert_eq!(self.hear(position), "");
        bestmoves(&self.hear("go wtime 1000 btime 1000"))[0].to_owned()
    }
}

#[test]
fn a_move_depends_on_seed_and_position_alone() {
    let start = "position startpos moves e2e4 e7e5";
    for engine in ENGINES {
        let fresh = Player::new(engine, 9).bestmove(start);
        let mut used = Player::new(engine, 9);
        used.bestmove("position startpos");
        used.hear("ucinewgame");
        assert_eq!(used.bestmove(start), fresh);
        let mut told = Player::new(engine, 1);
        told.hear("setoption name Seed value 9");
        assert_eq!(told.bestmove(start), fresh);
    }
    let moves: std::collections::HashSet<_> = (0..200)
        .map(|seed| Player::new(EmbeddedEngine::Random, seed).bestmove("position startpos"))
        .collect();
    assert_eq!(moves.len(), 20, "some seed plays every move");
}

#[test]
fn introductions_name_the_options() {
    insta::assert_snapshot!(told(EmbeddedEngine::Minimax, "uci\nisready\n"), @r"
    id name mache minimax 0.1.0
    id author the mache project
    option name Hash type spin default 1 min 1 max 1048576
    option name Threads type spin default 1 min 1 max 1024
    option name UCI_Chess960 type check default false
    option name Seed type spin default 1 min 0 max 2147483647
    uciok
    readyok
    ");
}

#[test]
fn a_search_without_end_waits_for_stop() {
    for engine in ENGINES {
        for go in [
            "go infinite",
            "go ponder",
            "go ponder wtime 1000 btime 1000",
        ] {
            let answers = told(engine, &format!("{go}\nisready\n"));
            assert!(
                answers.ends_with("readyok\n") && bestmoves(&answers).is_empty(),
                "{answers}"
            );
            let answers = told(engine, &format!("{go}\nisready\nstop\nstop\n"));
            assert!(
                answers.contains("readyok\nbestmove ") && bestmoves(&answers).len() == 1,
                "{answers}"
            );
        }
        assert_eq!(bestmoves(&told(engine, "go ponder\nponderhit\n")).len(), 1);
        assert_eq!(
            bestmoves(&told(engine, "go infinite\nponderhit\n")).len(),
            0
        );
        assert_eq!(
            bestmoves(&told(engine, "go infinite\ngo depth 1\n")).len(),
            2
        );
        assert_eq!(told(engine, "stop\nponderhit\n"), "");
    }
}

#[test]
fn every_form_of_go_is_answered() {
    let forms = "go\ngo wtime 1 btime 1 winc 0 binc 0\ngo wtime -5 btime 1 movestogo 1\ngo movetime 5\n\
                 go nodes 1\ngo depth 1\ngo mate 2\ngo depth 99 nodes 99999\ngo depth x\n";
    for engine in ENGINES {
        assert_eq!(bestmoves(&told(engine, forms)).len(), forms.lines().count());
    }
}

#[test]
fn limits_are_honoured() {
    let depth = |go: &str| info(&told(EmbeddedEngine::Minimax, go), "depth").to_owned();
    assert_eq!(depth("go"), "2");
    assert_eq!(depth("go depth 1"), "1");
    assert_eq!(depth("go nodes 100"), "1");
    assert_eq!(depth("go nodes 420"), "2");
    assert_eq!(info(&told(EmbeddedEngine::Minimax, "go"), "nodes"), "420");
    for engine in ENGINES {
        assert_eq!(
            bestmoves(&told(engine, "go searchmoves a2a3 infinite\nstop\n")),
            ["a2a3"]
        );
    }
}

#[test]
fn finished_games_have_no_move() {
    for engine in ENGINES {
        let mated = told(engine, "position startpos moves f2f3 e7e5 g2g4 d8h4\ngo\n");
        assert_eq!(
            mated,
            "info depth 0 score mate 0 nodes 0 time 0\nbestmove (none)\n"
        );
        let stalemate = told(engine, "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo\n");
        assert_eq!(
            stalemate,
            "info depth 0 score cp 0 nodes 0 time 0\nbestmove (none)\n"
        );
    }
}

#[test]
fn what_is_unknown_or_broken_is_passed_over() {
    for engine in ENGINES {
        assert_eq!(
            told(
                engine,
                "\n \nxyzzy\nsetoption\nsetoption name No Such value 1\ndebug on\nregister later\n"
            ),
            ""
        );
        assert_eq!(
            told(engine, "please isready\r\nquit\nisready\n"),
            "readyok\n"
        );
        assert_eq!(told(engine, "isready"), "readyok\n");
        let answers = told(
            engine,
            "position startpos moves e2e5\nposition fen 8/8 w\nposition\ngo\n",
        );
        assert!(
            answers.starts_with("info string illegal move e2e5\ninfo string "),
            "{answers}"
        );
        assert_eq!(bestmoves(&answers).len(), 1);
    }
    let mut output = Vec::new();
    speak(
        EmbeddedEngine::Random,
        0,
        &b"\xff\xfe\nisready\n"[..],
        &mut output,
    )
    .unwrap();
    assert_eq!(output, b"readyok\n");
}

#[test]
fn castling_is_spelled_as_the_variant_does() {
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (chess960, wanted) in [(false, "e1g1"), (true, "e1h1")] {
        for given in ["e1g1", "e1h1"] {
            let lines = format!(
                "setoption name UCI_Chess960 value {chess960}\n{position}\ngo searchmoves {given}\n"
            );
            assert_eq!(bestmoves(&told(EmbeddedEngine::Greedy, &lines)), [wanted]);
            let played = format!("{position} moves {given} e8e7\ngo searchmoves g1h1\n");
            assert_eq!(bestmoves(&told(EmbeddedEngine::Greedy, &played)), ["g1h1"]);
        }
    }
}

#[test]
fn mates_are_seen() {
    let mate_in_one = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo\n";
    for engine in [EmbeddedEngine::Greedy, EmbeddedEngine::Minimax] {
        let answers = told(engine, mate_in_one);
        assert_eq!(bestmoves(&answers), ["a1a8"]);
        assert!(answers.contains("score mate 1 "));
    }
    // Taking the pawn leaves the back rank to the rook.
    let trap = "position fen r5k1/5ppp/8/8/1p6/8/2N2PPP/6K1 w - - 0 1\ngo searchmoves c2b4 g2g3\n";
    assert_eq!(bestmoves(&told(EmbeddedEngine::Minimax, trap)), ["g2g3"]);
    assert_eq!(bestmoves(&told(EmbeddedEngine::Greedy, trap)), ["c2b4"]);
    let lost = told(
        EmbeddedEngine::Minimax,
        "position fen 8/8/8/8/8/5qk1/8/7K w - - 0 1\ngo\n",
    );
    assert!(
        lost.contains(" score mate -1 ") && lost.contains(" pv h1g1 "),
        "{lost}"
    );
}

proptest::proptest! {
    /// Whatever is said, every `go` gets one move and every `isready` its answer.
    #[test]
    fn any_conversation_is_answered(
        lines in proptest::collection::vec(
            "(position (startpos|fen [ -~]{0,20})( moves( [a-h][1-8][a-h][1-8]q?){0,4})?|go( [a-z]{0,11}( -?[0-9]{1,20})?){0,3}|setoption name [ -~]{0,20}|\\PC{0,20})",
            0..12,
        ),
        engine in proptest::sample::select(&ENGINES[..]),
    ) {
        let text = lines.iter().map(|line| format!("{line}\ngo\nisready\n")).collect::<String>();
        let answers = told(engine, &text);
        let quits = lines.iter().any(|line| line.contains("quit"));
        proptest::prop_assert!(quits || bestmoves(&answers).len() >= lines.len());
        proptest::prop_assert!(quits || answers.matches("readyok\n").count() >= lines.len());
    }
}
