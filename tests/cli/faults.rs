//! Engines that misbehave: each loses the game by the ending named and with the blame on it, and the match goes on.

use std::fs;

use crate::matches::{Game, Match, Played};

/// What is written about a fault: Termination, and what follows the colour in the reason.
struct Ending(&'static str, &'static str);

const ON_TIME: Ending = Ending("time forfeit", " loses on time (");
const DISCONNECT: Ending = Ending("abandoned", " disconnects");
const STALL: Ending = Ending("abandoned", "'s connection stalls");
const ILLEGAL: Ending = Ending("illegal move", " makes an illegal move");

/// Asserts that every game of the match was lost by `bad` in that way, and that nothing is left of it.
#[track_caller]
fn loses(of: Match, ending: &Ending) -> Played {
    let played = of.play().exits(0);
    let games = played.games();
    assert_eq!(games.len(), 2, "{}", played.said());
    for game in &games {
        assert_lost(game, ending);
    }
    assert_blamed(&played, 2);
    assert_eq!(fault_folders(&played).len(), 2);
    played.of.left_nothing_running();
    played
}

#[track_caller]
fn assert_lost(game: &Game, Ending(termination, reason): &Ending) {
    assert_eq!(game.winner(), Some("good"), "{game:?}");
    assert_eq!(game.tag("Termination"), *termination, "{game:?}");
    let wanted = format!("{}{reason}", game.colour("bad"));
    assert!(
        game.reason().starts_with(&wanted),
        "wanted `{wanted}`, got {:?}",
        game.movetext
    );
}

/// Asserts that reading the games blames `bad` for so many and `good` for none.
#[track_caller]
fn assert_blamed(played: &Played, faults: u64) {
    let endings = played.estimate()["terminations"]["endings"].clone();
    let endings = endings.as_object().expect("a map");
    let blamed = |engine: &str| -> u64 {
        let counts = endings
            .values()
            .filter_map(|ending| ending["blamed"][engine].as_u64());
        counts.sum()
    };
    assert_eq!((blamed("bad"), blamed("good")), (faults, 0), "{endings:?}");
}

/// Asserts that `bad` may do that: no game ends by a fault.
#[track_caller]
fn plays_on(of: Match) -> Played {
    let played = of.play().exits(0);
    let games = played.games();
    assert_eq!(games.len(), 2, "{}", played.said());
    for game in &games {
        let termination = game.tag("Termination");
        assert!(
            ["normal", "adjudication"].contains(&termination),
            "{game:?}"
        );
    }
    assert_blamed(&played, 0);
    played.of.left_nothing_running();
    played
}

fn fault_folders(played: &Played) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(played.of.out().join("faults"))
        .into_iter()
        .flatten();
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

/// Everything in the files of a folder.
fn contents(folder: &std::path::Path) -> String {
    let entries = fs::read_dir(folder).expect("a folder");
    let texts = entries.map(|entry| fs::read(entry.expect("an entry").path()).expect("a file"));
    texts
        .map(|text| String::from_utf8(text).expect("UTF-8"))
        .collect()
}

#[test]
fn crash() {
    let played = loses(Match::new().bad("fault=crash ply=6"), &DISCONNECT);
    for folder in fault_folders(&played) {
        let kept = contents(&folder);
        assert!(
            kept.contains("assertion failed: king on board"),
            "no standard error in {kept}"
        );
        assert!(kept.contains("go movetime 300"), "no protocol in {kept}");
    }
}

#[test]
fn crash_on_its_first_move_still_gives_the_reason() {
    loses(Match::new().bad("fault=crash ply=0"), &DISCONNECT);
}

#[test]
fn crash_in_every_other_game_is_forgotten_in_the_next() {
    let played = Match::new()
        .bad("fault=crash ply=6 every=2")
        .with("--pairs 4");
    let played = played.play().exits(0);
    let games = played.games();
    assert_eq!(games.len(), 8, "{}", played.said());
    // A restarted engine counts its games anew.
    let crashed = games
        .iter()
        .filter(|game| game.tag("Termination") == "abandoned");
    assert_eq!(crashed.count(), 4);
}

#[test]
fn abort() {
    loses(Match::new().bad("fault=abort ply=6"), &DISCONNECT);
}

#[test]
fn exit() {
    loses(Match::new().bad("fault=exit ply=6"), &DISCONNECT);
}

#[test]
fn exit_after_bestmove() {
    loses(Match::new().bad("fault=last-word ply=6"), &DISCONNECT);
}

#[test]
fn crash_at_a_new_game_blames_the_engine_and_not_a_colour() {
    loses(Match::new().bad("fault=crash-newgame"), &DISCONNECT);
}

#[test]
#[cfg(unix)]
fn output_closed() {
    loses(Match::new().bad("fault=close-output ply=6"), &DISCONNECT);
}

#[test]
#[cfg(unix)]
fn input_closed() {
    loses(Match::new().bad("fault=close-input ply=6"), &ON_TIME);
}

#[test]
fn no_readyok() {
    loses(Match::new().bad("fault=no-readyok"), &STALL);
}

#[test]
fn no_readyok_after_a_move() {
    let played = Match::new()
        .bad("fault=readyok-no-more ply=6")
        .play()
        .exits(0);
    let games = played.games();
    assert_eq!(games.len(), 2, "{}", played.said());
    assert_eq!(games[0].tag("Termination"), "adjudication");
    assert_lost(&games[1], &STALL);
    played.of.left_nothing_running();
}

#[test]
fn hang() {
    loses(Match::new().bad("fault=hang ply=6"), &STALL);
}

#[test]
fn deaf_until_it_is_stopped() {
    loses(Match::new().bad("fault=deaf ply=6"), &ON_TIME);
}

#[test]
fn thinks_for_ever() {
    loses(Match::new().bad("fault=think ply=6"), &ON_TIME);
}

#[test]
fn thinks_for_ever_on_a_clock() {
    loses(
        Match::new().bad("fault=think ply=6").limit("--tc 0.4+0.02"),
        &ON_TIME,
    );
}

#[test]
fn mute_even_after_stop() {
    loses(Match::new().bad("fault=mute ply=6"), &ON_TIME);
}

#[test]
fn late() {
    loses(Match::new().bad("fault=late over=60 ply=6"), &ON_TIME);
    loses(Match::new().bad("fault=late over=600 ply=6"), &ON_TIME);
}

#[test]
fn late_within_the_margin_is_forgiven() {
    plays_on(
        Match::new()
            .bad("fault=late over=20 ply=6")
            .limit("--movetime 0.05")
            .with("--margin 200"),
    );
}

#[test]
fn chatter_past_the_flag_is_cut_off() {
    let played = loses(Match::new().bad("fault=chatter over=1500 ply=6"), &ON_TIME);
    let said = played.games()[0].reason().to_owned();
    let overrun = said
        .split(['(', 'm'])
        .find_map(|word| word.parse::<u64>().ok());
    assert!(overrun.is_some_and(|overrun| overrun < 1000), "{said}");
}

#[test]
fn chatter_without_end_is_cut_off_too() {
    loses(Match::new().bad("fault=chatter over=60000 ply=6"), &ON_TIME);
}

#[test]
fn ignores_go_nodes() {
    loses(
        Match::new()
            .bad("fault=ignore-nodes ply=6")
            .limit("--nodes 100"),
        &STALL,
    );
}

#[test]
fn ignores_go_depth() {
    loses(
        Match::new()
            .bad("fault=ignore-nodes ply=6")
            .limit("--depth 3"),
        &STALL,
    );
}

#[test]
fn hangs_without_a_clock() {
    loses(
        Match::new().bad("fault=hang ply=6").limit("--nodes 100"),
        &STALL,
    );
}

#[test]
fn a_million_lines_of_information() {
    plays_on(Match::new().bad("fault=flood ply=6").limit("--tc 60+1"));
}

#[test]
fn a_million_lines_on_standard_error() {
    plays_on(
        Match::new()
            .bad("fault=stderr-flood ply=6")
            .limit("--tc 60+1"),
    );
}

#[test]
fn a_line_without_end() {
    loses(Match::new().bad("fault=endless ply=6"), &ON_TIME);
}

#[test]
fn illegal_moves() {
    for fault in [
        "illegal",
        "wrong-side",
        "null",
        "none",
        "empty",
        "san",
        "garbage",
    ] {
        loses(Match::new().bad(&format!("fault={fault} ply=5")), &ILLEGAL);
    }
}

#[test]
fn an_illegal_first_move_still_gives_the_reason() {
    loses(Match::new().bad("fault=illegal ply=0"), &ILLEGAL);
}

#[test]
fn garbage_for_a_move_breaks_no_comment() {
    let played = loses(Match::new().bad("fault=garbage ply=6"), &ILLEGAL);
    for game in played.games() {
        let opened = game.movetext.matches('{').count();
        assert_eq!(
            opened,
            game.movetext.matches('}').count(),
            "{}",
            game.movetext
        );
    }
}

#[test]
fn an_engine_thinking_on_after_an_illegal_move_is_stopped() {
    let played = Match::new()
        .bad("fault=illegal-thinking ply=6 every=2")
        .with("--pairs 4");
    let played = played.play().exits(0);
    let games = played.games();
    assert_eq!(games.len(), 8);
    let wrong: Vec<_> = games
        .iter()
        .filter(|game| game.tag("Termination") == "illegal move")
        .collect();
    let other = games.iter().filter(|game| {
        !["illegal move", "adjudication", "normal"].contains(&game.tag("Termination"))
    });
    assert_eq!(other.count(), 0, "an innocent game was lost: {games:?}");
    assert!(!wrong.is_empty());
    played.of.left_nothing_running();
}

#[test]
fn a_move_said_twice_is_not_the_next_one() {
    plays_on(Match::new().bad("fault=double ply=4"));
}

#[test]
fn odd_but_harmless_lines() {
    for fault in ["long", "binary", "commands", "ponder", "bad-score", "crlf"] {
        plays_on(Match::new().bad(&format!("fault={fault} ply=4")));
    }
}

#[test]
fn what_an_engine_prints_is_no_command_to_a_workflow() {
    let played = Match::new()
        .bad("fault=commands ply=2")
        .good("fault=crash ply=8")
        .play();
    let said = played.said() + &String::from_utf8_lossy(&played.output.stdout);
    for line in said.lines() {
        assert!(!line.trim_start().starts_with("::"), "{line:?}");
        assert!(!line.contains('\u{1b}'), "{line:?}");
    }
}

#[test]
fn engines_may_call_themselves_anything() {
    let name = r#"Q"u}{o\te% ::error:: <b>|@x"#;
    let played = Match::new().bad(&format!("'name={name}'")).play().exits(0);
    let games = played.games();
    assert_eq!(games.len(), 2, "{}", played.said());
    let told = games[0].tag(&format!("Engine{}Name", games[0].colour("bad")));
    assert_eq!(told, name.replace('\\', r"\\").replace('"', "\\\""));
    assert_blamed(&played, 0);
}

#[test]
fn no_uciok_fails_and_names_the_engine() {
    let played = Match::new().bad("fault=no-uciok").play().exits(1);
    assert!(played.said().contains("bad"), "{}", played.said());
    assert!(played.said().contains("uciok"), "{}", played.said());
    played.of.left_nothing_running();
}

#[test]
fn crash_at_start_fails_and_shows_why() {
    let played = Match::new().bad("fault=crash-start").play().exits(1);
    assert!(played.said().contains("bad"), "{}", played.said());
    assert!(
        played.said().contains("cannot load the network"),
        "{}",
        played.said()
    );
    played.of.left_nothing_running();
}

#[test]
fn an_engine_that_will_not_quit_is_ended_with_its_children() {
    let played = plays_on(Match::new().bad("fault=ignore-quit"));
    played.of.left_nothing_running();
}

#[test]
fn without_recovery_the_first_fault_stops_the_match() {
    let played = Match::new()
        .bad("fault=crash ply=6")
        .with("--pairs 3 --recover off")
        .play();
    assert_ne!(played.output.status.code(), Some(2), "{}", played.said());
    let games = played.games();
    assert_eq!(
        games.len(),
        1,
        "the crashed game is kept and no other is played"
    );
    assert_lost(&games[0], &DISCONNECT);
    played.of.left_nothing_running();
}
