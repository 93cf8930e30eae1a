use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use shakmaty::fen::Fen;
use shakmaty::{ByColor, CastlingMode, Chess, Color};

use super::super::board::Board;
use super::super::clock::Clock;
use super::super::ending::{Ending, Foul};
use super::super::game::{MoveMade, Played};
use super::*;
use crate::notation::{MoveComment, MoveScore, uci};

fn engine(name: &str, control: Option<&str>) -> EngineSetup {
    EngineSetup {
        name: name.into(),
        command: "engine".into(),
        arguments: Vec::new(),
        directory: None,
        limit: Limit {
            clock: control.map(|control| control.parse().unwrap()),
            ..Limit::default()
        },
        margin: Duration::ZERO,
        options: Vec::new(),
        restart: false,
    }
}

fn comment(centipawns: i32) -> MoveComment {
    MoveComment {
        score: Some(MoveScore::Centipawns(centipawns)),
        depth: 12,
        millis: 123,
        time_left: Some(9_977),
        nodes: Some(4_711),
        seldepth: Some(20),
        nps: Some(38_300),
        ..MoveComment::default()
    }
}

/// A game from `start` in which the first `book` of `moves` came from the book.
fn played(start: &Chess, mode: CastlingMode, moves: &str, book: usize, ending: Ending) -> Played {
    let time: Timestamp = "2026-11-30T21:10:56Z".parse().unwrap();
    let time = time.to_zoned_datetime(TimeZone::UTC);
    let mut board = Board::new(start, mode);
    let mut made = Vec::new();
    for (index, text) in moves.split_ascii_whitespace().enumerate() {
        let played = uci::read_move(board.position(), text).expect(text);
        board.play(played);
        let book = index < book;
        let comment = if book {
            MoveComment {
                book,
                ..MoveComment::default()
            }
        } else {
            comment(25)
        };
        made.push(MoveMade { played, comment });
    }
    let clock = Clock::new(&engine("", None));
    Played {
        moves: made,
        ending,
        started: time.clone(),
        ended: time,
        lasted: Duration::from_secs(3_725),
        board,
        clocks: ByColor {
            white: clock.clone(),
            black: clock,
        },
        settled: None,
    }
}

fn render(start: &Chess, variant: Variant, played: &Played, controls: [Option<&str>; 2]) -> String {
    let white = engine(r#"A "quoted" \ name"#, controls[0]);
    let black = engine("B\n[Result \"1-0\"]", controls[1]);
    let identity = Identity {
        name: "Fine 1".into(),
        author: "A. Author".into(),
        options: Vec::new(),
    };
    let nameless = Identity::default();
    let sheet = Sheet {
        event: "Test",
        round: 7,
        setups: ByColor {
            white: &white,
            black: &black,
        },
        identities: ByColor {
            white: &identity,
            black: &nameless,
        },
        variant,
        start,
        played,
    };
    sheet.render()
}

fn movetext(moves: &str, book: usize, ending: Ending) -> String {
    let start = Chess::default();
    let played = played(&start, CastlingMode::Standard, moves, book, ending);
    let text = render(&start, Variant::Standard, &played, [None, None]);
    text.split("\n\n").nth(1).unwrap().to_owned()
}

#[test]
fn a_whole_game() {
    let start = Chess::default();
    let winner = Color::Black;
    let moves = "f2f3 e7e5 g2g4 d8h4";
    let played = played(
        &start,
        CastlingMode::Standard,
        moves,
        2,
        Ending::Mate { winner },
    );
    let text = render(&start, Variant::Standard, &played, [Some("10+0.1"); 2]);
    insta::assert_snapshot!(text, @r#"
    [Event "Test"]
    [Site "?"]
    [Date "2026.11.30"]
    [Round "7"]
    [White "A \"quoted\" \\ name"]
    [Black "B[Result \"1-0\"]"]
    [Result "0-1"]
    [EngineWhiteName "Fine 1"]
    [EngineWhiteAuthor "A. Author"]
    [GameDuration "01:02:05"]
    [GameStartTime "2026-11-30T21:10:56 +0000"]
    [GameEndTime "2026-11-30T21:10:56 +0000"]
    [PlyCount "4"]
    [Termination "normal"]
    [TimeControl "10+0.1"]

    1. f3 {book} e5 {book}
    2. g4 {+0.25/12 0.123s, tl=9.977s, n=4711, sd=20, nps=38300}
    Qh4# {+0.25/12 0.123s, tl=9.977s, n=4711, sd=20, nps=38300, Black mates} 0-1
    "#);
    assert!(text.ends_with(" 0-1\n\n"));
}

#[test]
fn chess960_with_black_to_move_and_odds() {
    let mode = CastlingMode::Chess960;
    let fen = "qn1rkrbb/ppppppp1/3n4/7p/8/1P5P/P1PPPPPB/QNNRKR1B b KQkq - 1 3";
    let start: Chess = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
    let loser = Color::White;
    let foul = Foul::Time { overrun: 12 };
    let ending = Ending::Foul { loser, foul };
    let played = played(&start, mode, "g8h7 e1f1 e8f8", 0, ending);
    let text = render(
        &start,
        Variant::Chess960,
        &played,
        [Some("40/60+0.6"), None],
    );
    let from_setup = &text[text.find("[SetUp").unwrap()..];
    insta::assert_snapshot!(from_setup, @r#"
    [SetUp "1"]
    [FEN "qn1rkrbb/ppppppp1/3n4/7p/8/1P5P/P1PPPPPB/QNNRKR1B b FDfd - 1 3"]
    [Variant "Chess960"]
    [GameDuration "01:02:05"]
    [GameStartTime "2026-11-30T21:10:56 +0000"]
    [GameEndTime "2026-11-30T21:10:56 +0000"]
    [PlyCount "3"]
    [Termination "time forfeit"]
    [WhiteTimeControl "40/60+0.6"]
    [BlackTimeControl "-"]

    3... Bh7 {+0.25/12 0.123s, tl=9.977s, n=4711, sd=20, nps=38300}
    4. O-O {+0.25/12 0.123s, tl=9.977s, n=4711, sd=20, nps=38300}
    O-O {+0.25/12 0.123s, tl=9.977s, n=4711, sd=20, nps=38300, White loses on time (12ms overrun)}
    0-1
    "#);
}

#[test]
fn a_fault_on_the_first_move_after_the_book_has_its_reason() {
    let loser = Color::White;
    let gone = Ending::Foul {
        loser,
        foul: Foul::Disconnect,
    };
    insta::assert_snapshot!(movetext("e2e4 e7e5", 2, gone.clone()), @"1. e4 {book} e5 {book} {White disconnects} 0-1");
    insta::assert_snapshot!(movetext("", 0, gone), @"{White disconnects} 0-1");
    let text = "}{ 1-0 \r\n[X \"y\"]".to_owned();
    let illegal = Ending::Foul {
        loser,
        foul: Foul::IllegalMove { text },
    };
    insta::assert_snapshot!(movetext("e2e4 e7e5", 1, illegal), @r#"
    1. e4 {book}
    e5 {+0.25/12 0.123s, tl=9.977s, n=4711, sd=20, nps=38300, White makes an illegal move: )( 1-0 [X "y"]}
    0-1
    "#);
}

#[test]
fn an_unfinished_game_is_marked() {
    let text = movetext("e2e4", 0, Ending::Interrupted);
    assert!(text.ends_with(", Game interrupted} *"), "{text}");
}

#[test]
fn lines_end_at_eighty_columns() {
    let mut lines = Lines::default();
    let unit = "x".repeat(39);
    lines.push(&unit);
    lines.push(&"y".repeat(40));
    lines.push("z");
    lines.push(&"w".repeat(100));
    let widths: Vec<usize> = lines.text.lines().map(str::len).collect();
    assert_eq!(widths, [80, 1, 100]);
}

#[test]
fn movetimes_are_seconds_a_move() {
    let limit = Limit {
        movetime: Some(Duration::from_millis(50)),
        ..Limit::default()
    };
    assert_eq!(time_control(&limit), "0.05/move");
}
