//! Whole games, every move checked.

use super::{ENGINES, Player};
use crate::play::embedded::EmbeddedEngine;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// A start position of Chess960 by its number, as numbered by Scharnagl.
fn chess960_start(number: usize) -> String {
    let mut files = [None; 8];
    files[number % 4 * 2 + 1] = Some('b');
    files[number / 4 % 4 * 2] = Some('b');
    let place = |files: &mut [Option<char>; 8], nth: usize, piece: char| {
        let free = (0..8)
            .filter(|&file| files[file].is_none())
            .nth(nth)
            .unwrap();
        files[free] = Some(piece);
    };
    place(&mut files, number / 16 % 6, 'q');
    let knights = [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 2),
        (2, 3),
        (3, 3),
    ][number / 96];
    place(&mut files, knights.0, 'n');
    place(&mut files, knights.1, 'n');
    ["r", "k", "r"]
        .iter()
        .for_each(|piece| place(&mut files, 0, piece.chars().next().unwrap()));
    let rank: String = files.iter().flatten().collect();
    format!(
        "{rank}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1",
        rank.to_uppercase()
    )
}

fn start(fen: &str, mode: CastlingMode) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(mode).unwrap()
}

/// Plays a game from a position between two engines, checking every move; gives the positions seen.
fn play(fen: &str, mode: CastlingMode, players: [&mut Player; 2]) -> Vec<Chess> {
    let mut position = start(fen, mode);
    let mut seen = Vec::new();
    let mut line = format!("position fen {fen} moves");
    let [first, second] = players;
    while !position.is_game_over() && position.halfmoves() < 100 && seen.len() < 300 {
        seen.push(position.clone());
        let mover = if position.turn().is_white() {
            &mut *first
        } else {
            &mut *second
        };
        let told = if line.ends_with("moves") {
            line.trim_end_matches(" moves")
        } else {
            line.as_str()
        };
        let spelled = mover.bestmove(told);
        let uci: UciMove = spelled.parse().unwrap();
        let played = uci
            .to_move(&position)
            .unwrap_or_else(|_| panic!("{spelled} after {line}"));
        assert_eq!(UciMove::from_move(played, mode).to_string(), spelled);
        position.play_unchecked(played);
        line = format!("{line} {spelled}");
    }
    seen.push(position);
    seen
}

#[test]
fn chess960_starts_are_numbered_rightly() {
    assert!(chess960_start(518).starts_with("rnbqkbnr/"));
    assert!(chess960_start(0).starts_with("bbqnnrkr/"));
    assert!(chess960_start(959).starts_with("rkrnnqbb/"));
}

#[test]
fn ten_thousand_random_positions_get_a_legal_move_from_each() {
    let (mut positions, mut game) = (0, 0_u32);
    while positions < 10_000 {
        let mode = CastlingMode::from_standard(game % 2 == 0);
        let number = if mode.is_standard() {
            518
        } else {
            game as usize * 7 % 960
        };
        let [mut walker, mut other] =
            [1, 2].map(|seed| Player::new(EmbeddedEngine::Random, 2 * game + seed));
        let mut engines = ENGINES.map(|engine| Player::new(engine, game));
        for player in engines.iter_mut().chain([&mut walker, &mut other]) {
            player.hear(&format!(
                "setoption name UCI_Chess960 value {}",
                mode.is_chess960()
            ));
        }
        for position in play(&chess960_start(number), mode, [&mut walker, &mut other]) {
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            for engine in &mut engines {
                let spelled = engine.bestmove(&format!("position fen {fen}"));
                let legal = || {
                    spelled
                        .parse::<UciMove>()
                        .unwrap()
                        .to_move(&position)
                        .is_ok()
                };
                assert!(
                    if position.legal_moves().is_empty() {
                        spelled == "(none)"
                    } else {
                        legal()
                    },
                    "{spelled} in {fen}"
                );
            }
            positions += 1;
        }
        game += 1;
    }
}

#[test]
fn whole_games_of_chess960_are_told_by_their_moves() {
    for number in [0, 100, 518, 700, 959] {
        let players = &mut ENGINES.map(|engine| Player::new(engine, 5));
        players.iter_mut().for_each(|player| {
            assert_eq!(player.hear("setoption name UCI_Chess960 value true"), "")
        });
        let [random, greedy, minimax] = players;
        play(
            &chess960_start(number),
            CastlingMode::Chess960,
            [greedy, minimax],
        );
        play(
            &chess960_start(number),
            CastlingMode::Chess960,
            [minimax, random],
        );
    }
}

#[test]
fn each_engine_beats_the_one_below() {
    for pair in ENGINES.windows(2) {
        let mut points = 0.0;
        for seed in 0..20 {
            let mut weak = Player::new(pair[0], seed);
            let mut strong = Player::new(pair[1], seed);
            let fen = chess960_start(518);
            let swapped = seed % 2 == 1;
            let players = if swapped {
                [&mut weak, &mut strong]
            } else {
                [&mut strong, &mut weak]
            };
            let end = play(&fen, CastlingMode::Standard, players).pop().unwrap();
            points += match end.outcome().winner() {
                Some(colour) if colour.is_white() != swapped => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
        }
        eprintln!("{pair:?}: {points}");
        assert!(points >= 15.0, "{pair:?}: {points} of 20");
    }
}
