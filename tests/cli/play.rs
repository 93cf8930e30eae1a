//! `mache play` with the engines inside the program: what is refused before any game, what is written, what is
//! resumed. Faults and signals have files of their own.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::matches::{Game, games, words};
use crate::program::{Answer, Place, refusal};

pub(crate) const MACHE: &str = env!("CARGO_BIN_EXE_mache");

/// `--engine` of an engine inside the program.
pub(crate) fn engine(name: &str, kind: &str, more: &str) -> [String; 2] {
    let text = format!("name={name},cmd=\"{MACHE}\",args=engine {kind} --seed 1{more}");
    ["--engine".to_owned(), text]
}

/// Two engines that answer at once, and the rest of the command line.
pub(crate) fn play(place: &Place, rest: &str) -> Answer {
    let mut arguments = words("play --runner built-in --concurrency 1");
    arguments.extend(engine("new", "greedy", ""));
    arguments.extend(engine("old", "random", ""));
    arguments.extend(words(rest));
    place.run(arguments)
}

/// What the program says, without the paths of this machine.
fn said(place: &Place, text: &str) -> String {
    text.replace(MACHE, "<mache>")
        .replace(&*place.path("").to_string_lossy(), "<place>/")
}

fn refused(rest: &str) -> String {
    let place = Place::new();
    let answer = play(&place, rest);
    assert!(!place.path("out").exists(), "a refused run left a folder");
    said(&place, &refusal(&answer))
}

fn played(place: &Place, out: &str) -> Vec<Game> {
    games(&place.read(&format!("{out}/games.pgn")))
}

#[track_caller]
fn manifest(place: &Place, out: &str) -> Value {
    serde_json::from_str(&place.read(&format!("{out}/manifest.json"))).unwrap()
}

#[test]
fn a_schedule() {
    let place = Place::new();
    let answer = play(
        &place,
        "--nodes 1 --pairs 2 --shards 3 --shard 1 --seed 8 --dry-run --out out",
    );
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(!place.path("out").exists(), "a dry run wrote something");
    // 500 openings less 6 wanted: the match begins at 1 + 8, and shard 1 two openings later.
    let numbers: Vec<&str> = answer
        .stdout
        .lines()
        .map(|line| line.split('\t').nth(1).unwrap())
        .collect();
    assert_eq!(numbers, ["11", "12"]);
    insta::assert_snapshot!(answer.stdout.lines().next().unwrap().replace('\t', " | "), @"1 | 11 | both | rnbqkbnr/p1pp3p/6p1/1p2pp2/8/3P1PP1/PPPQP2P/RNB1KBNR w KQkq - 0 5 |");
}

#[test]
fn contradictions_are_refused() {
    insta::assert_snapshot!(refused("--pairs 2 --out out"), @"2: error: the engine `new` has no limit: give --tc, --movetime, --nodes or --depth, or the same in its --engine");
    insta::assert_snapshot!(refused("--pairs 2 --out out --tc 1+0.1 --movetime 1"), @r"
    2: error: the argument '--tc <TC>' cannot be used with '--movetime <SECONDS>'

    Usage: mache play --pairs <N> --runner <RUNNER> --concurrency <N> --engine <KEY=VALUE,…> --out <DIR> --tc <TC>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--pairs 2 --out out --tc soon"), @r"
    2: error: invalid value 'soon' for '--tc <TC>': `soon` is not a time control: write [MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 10+0.1 or 40/60+0.5

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--pairs 0 --out out --nodes 1"), @r"
    2: error: invalid value '0' for '--pairs <N>': number would be zero for non-zero type

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--pairs 2 --out out --nodes 1 --shards 2 --shard 2"), @"2: error: shard 2 is not one of 2");
    insta::assert_snapshot!(refused("--pairs 2 --out out --nodes 1 --start 501"), @"2: error: --start 501: the book holds 500 openings");
    insta::assert_snapshot!(refused("--pairs 2 --out out --nodes 1 --start 1 --seed 1"), @r"
    2: error: the argument '--start <N>' cannot be used with '--seed <N>'

    Usage: mache play --pairs <N> --runner <RUNNER> --concurrency <N> --engine <KEY=VALUE,…> --out <DIR> --nodes <N> --start <N>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--pairs 2 --out out --nodes 1 --resign 3"), @r"
    2: error: invalid value '3' for '--resign <MOVES,SCORE[,twosided]>': write MOVES,SCORE or MOVES,SCORE,twosided, such as 3,400: whole numbers above 0

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("--pairs 2 --nodes 1 --resume"), @r"
    2: error: the following required arguments were not provided:
      --out <DIR>

    Usage: mache play --pairs <N> --out <DIR> --runner <RUNNER> --concurrency <N> --engine <KEY=VALUE,…> --nodes <N> --resume

    For more information, try '--help'.
    ");
}

#[test]
fn options_are_checked_against_what_the_engine_offers() {
    insta::assert_snapshot!(refused("--pairs 2 --out out --nodes 1 --option Haash=3"), @"2: error: the engine `new`: there is no option `Haash`; did you mean `Hash`?");
    insta::assert_snapshot!(refused("--pairs 2 --out out --nodes 1 --hash 0"), @"2: error: the engine `new`: option `Hash` cannot be `0`: it takes a whole number from 1 to 1048576");
}

#[test]
fn engines_are_checked() {
    let place = Place::new();
    let run = |engines: &[&str]| {
        let mut arguments = words("play --runner built-in --nodes 1 --pairs 1 --out out");
        for text in engines {
            let text = text.replace("MACHE", &format!("\"{MACHE}\""));
            arguments.extend(["--engine".to_owned(), text]);
        }
        let answer = place.run(arguments);
        said(&place, &refusal(&answer))
    };
    let same = "cmd=MACHE,args=engine random";
    insta::assert_snapshot!(run(&[same]), @"2: error: a match needs two engines, not 1: use --engine twice, or --candidate and --baseline");
    insta::assert_snapshot!(run(&[same, same]), @"2: error: both engines are called `mache random 0.1.0`: give each a name of its own with name=… in its --engine");
    insta::assert_snapshot!(run(&[same, "cmd=MACHE,args=engine random,optoin.Seed=3"]), @r#"
    2: error: invalid value 'cmd="<mache>",args=engine random,optoin.Seed=3' for '--engine <KEY=VALUE,…>': there is no key `optoin.Seed` (did you mean `option.`?)

    For more information, try '--help'.
    "#);
    insta::assert_snapshot!(run(&[same, "name=x,cmd=./no-such-engine"]), @"1: error: the engine `x`: there is no program `./no-such-engine`");
    insta::assert_snapshot!(run(&[same, "name=x,cmd=MACHE,args=book-slice"]), @"1: error: x: `<mache>` ended before it said `uciok` (exit status: 2), its last words: `Usage: mache book-slice --openings <N> --pairs <N> --shards <N> --shard <I> --seed <N>` `` `For more information, try '--help'.`; start it by hand and type `uci`");
}

#[test]
fn a_bad_opening_is_named_before_any_game() {
    let place = Place::new();
    let good = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    place.write(
        "book.epd",
        format!("{good}{good}rnbqkbnr/8/nonsense w - -\n{good}"),
    );
    let answer = play(&place, "--nodes 1 --pairs 4 --book book.epd --out out");
    assert_eq!(answer.code, 1);
    assert!(
        answer.stderr.contains("book.epd: opening 3 (line 3)"),
        "{}",
        answer.stderr
    );
    assert!(!place.path("out").exists());
    // A slice that does not hold it is played.
    let answer = play(
        &place,
        "--nodes 1 --pairs 2 --max-moves 5 --book book.epd --out out",
    );
    assert_eq!(answer.code, 0, "{}", answer.stderr);
}

#[test]
fn a_whole_run() {
    let place = Place::new();
    let answer = play(
        &place,
        "--nodes 1 --pairs 3 --max-moves 20 --out out --seed 7 --commit-candidate abc",
    );
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(
        answer
            .stdout
            .contains("Results of new vs old (1 nodes, 1t, 1MB, default.epd):"),
        "{}",
        answer.stdout
    );
    assert!(answer.stdout.contains("Games: 6, "), "{}", answer.stdout);
    assert!(
        answer.stderr.contains("played by built-in 0.1.0"),
        "{}",
        answer.stderr
    );
    let games = played(&place, "out");
    let rounds: Vec<_> = games
        .iter()
        .map(|game| (game.tag("Round"), game.tag("White")))
        .collect();
    assert_eq!(
        rounds,
        [
            ("1", "new"),
            ("1", "old"),
            ("2", "new"),
            ("2", "old"),
            ("3", "new"),
            ("3", "old")
        ]
    );
    let manifest = manifest(&place, "out");
    for (pointer, value) in [
        ("/format", Value::from(1)),
        ("/runner", "built-in 0.1.0".into()),
        ("/candidate/name", "new".into()),
        ("/candidate/commit", "abc".into()),
        ("/candidate/id_name", "mache greedy 0.1.0".into()),
        ("/baseline/commit", Value::Null),
        ("/candidate/limit/nodes", 1.into()),
        ("/book/openings", 500.into()),
        ("/slice/first", "8".into()),
        ("/slice/seed", "7".into()),
        ("/slice/shards", "1".into()),
        ("/adjudication/max_moves", 20.into()),
        ("/stopped", "finished".into()),
        ("/games", 6.into()),
        ("/pairs", 3.into()),
        ("/faults/baseline/time", 0.into()),
    ] {
        assert_eq!(manifest.pointer(pointer), Some(&value), "{pointer}");
    }
    assert_eq!(manifest["candidate"]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(manifest["book"]["sha256"].as_str().unwrap().len(), 64);
    assert!(manifest["ended"].as_str() >= manifest["started"].as_str());
}

#[test]
fn names_default_to_what_engines_call_themselves() {
    let place = Place::new();
    let mut arguments = words("play --runner built-in --nodes 1 --pairs 1 --max-moves 3 --out out");
    for kind in ["greedy", "random"] {
        arguments.extend([
            "--engine".to_owned(),
            format!("cmd=\"{MACHE}\",args=engine {kind}"),
        ]);
    }
    assert_eq!(place.run(arguments).code, 0);
    assert_eq!(played(&place, "out")[0].tag("White"), "mache greedy 0.1.0");
}

#[test]
fn command_lines_in_short() {
    let place = Place::new();
    let mut arguments = words("play --runner built-in --depth 1 --pairs 1 --max-moves 3 --out out");
    arguments.extend([
        "--candidate".to_owned(),
        format!("'{MACHE}' engine \"greedy\""),
    ]);
    arguments.extend([
        "--baseline".to_owned(),
        format!("'{MACHE}' engine random --seed 3"),
    ]);
    assert_eq!(place.run(arguments).code, 0);
    let games = played(&place, "out");
    assert_eq!(
        (games[0].tag("White"), games[0].tag("Black")),
        ("candidate", "baseline")
    );
    assert_eq!(games[0].tag("EngineWhiteName"), "mache greedy 0.1.0");
}

#[test]
fn each_engine_with_a_clock_of_its_own() {
    let place = Place::new();
    let mut arguments =
        words("play --runner built-in --tc 10+0.1 --pairs 1 --max-moves 3 --out out");
    arguments.extend(engine("new", "greedy", ",tc=40/60"));
    arguments.extend(engine("old", "random", ",st=0.5,nodes=9"));
    assert_eq!(place.run(arguments).code, 0);
    let games = played(&place, "out");
    assert_eq!(
        (
            games[0].tag("WhiteTimeControl"),
            games[0].tag("BlackTimeControl")
        ),
        ("40/60", "0.5/move")
    );
    let limit = &manifest(&place, "out")["baseline"]["limit"];
    assert_eq!(
        (&limit["tc"], &limit["movetime_ms"], &limit["nodes"]),
        (&Value::Null, &500.into(), &9.into())
    );
}

#[test]
fn names_of_any_kind_come_through() {
    let place = Place::new();
    let mut arguments = words("play --runner built-in --nodes 1 --pairs 1 --max-moves 3 --out out");
    let name = r#"a "b", \c] {d} é"#;
    let quoted = name.replace('"', "\"\"");
    arguments.extend([
        "--engine".to_owned(),
        format!("name=\"{quoted}\",cmd=\"{MACHE}\",args=engine greedy"),
    ]);
    arguments.extend(engine("old", "random", ""));
    let answer = place.run(arguments.clone());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let estimate = place.run([
        "match-estimate",
        "out",
        "--candidate",
        name,
        "--baseline",
        "old",
        "--line",
    ]);
    assert_eq!(estimate.code, 0, "{}", estimate.stderr);
    arguments.push("--resume".to_owned());
    assert_eq!(
        place.run(arguments).code,
        0,
        "its own games are known again"
    );
}

#[test]
fn shards_and_batches_play_openings_of_their_own() {
    let place = Place::new();
    let mut seen = BTreeSet::new();
    for batch in 0..2 {
        for shard in 0..3 {
            let out = format!("out-{batch}-{shard}");
            let rest = format!(
                "--nodes 1 --pairs 2 --max-moves 2 --seed 5 --shards 3 --shard {shard} --batches 2 --batch {batch} --out {out}"
            );
            assert_eq!(play(&place, &rest).code, 0);
            for game in played(&place, &out) {
                seen.insert((game.tag("FEN").to_owned(), game.tag("White").to_owned()));
            }
        }
    }
    assert_eq!(seen.len(), 2 * 2 * 3 * 2);
}

#[test]
fn events_are_lines_of_json() {
    let place = Place::new();
    let answer = play(&place, "--nodes 1 --pairs 2 --max-moves 3 --out out --json");
    assert_eq!(answer.code, 0);
    let events: Vec<Value> = answer
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let count = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert_eq!((count("game-started"), count("game-finished")), (4, 4));
    let last = events
        .iter()
        .rfind(|event| event["event"] == "game-finished")
        .unwrap();
    assert_eq!(last["round"], 2);
    assert_eq!(last["result"], "1/2-1/2");
    assert!(
        answer.stderr.contains("Results of new vs old"),
        "the summary moves to standard error"
    );
}

#[test]
fn games_of_another_run_are_left_alone() {
    let place = Place::new();
    let rest = "--nodes 1 --pairs 2 --max-moves 3 --out out";
    assert_eq!(play(&place, rest).code, 0);
    let before = place.read("out/games.pgn");
    let last_line = |rest: &str| {
        let answer = play(&place, rest);
        assert_eq!((answer.code, answer.stdout.as_str()), (2, ""));
        assert_eq!(place.read("out/games.pgn"), before);
        said(&place, answer.stderr.lines().last().unwrap())
    };
    insta::assert_snapshot!(last_line(rest), @"error: out holds the games of another run: take another folder, or --resume to play what is missing there");
    insta::assert_snapshot!(last_line("--nodes 2 --pairs 3 --max-moves 3 --seed 1 --out out --resume"), @"error: cannot resume: the games in out are of another run; it differs in the candidate's limit, the baseline's limit, the slice of the book");
    std::fs::remove_file(place.path("out/manifest.json")).unwrap();
    insta::assert_snapshot!(last_line(&format!("{rest} --resume")), @"error: cannot resume: out has games and no manifest.json, so nobody knows what run they are of");
}

#[test]
fn a_run_is_taken_up_where_it_was_torn() {
    let place = Place::new();
    let rest = "--nodes 1 --pairs 4 --max-moves 20 --seed 3 --out out";
    assert_eq!(play(&place, rest).code, 0);
    let whole = place.read("out/games.pgn");
    let records: Vec<&str> = whole.split_inclusive("\n\n[Event").collect();
    assert_eq!(records.len(), 8);
    // The games of pair 1, one of pair 2, and half of the next record are left.
    let kept: String = records[..3].concat();
    let kept = kept.trim_end_matches("[Event");
    let torn = &whole[kept.len()..kept.len() + 300];
    place.write("out/games.pgn", format!("{kept}{torn}"));

    let answer = play(&place, &format!("{rest} --resume"));
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(
        answer.stderr.contains("games.torn.pgn"),
        "{}",
        answer.stderr
    );
    assert_eq!(place.read("out/games.torn.pgn"), torn);
    let resumed = place.read("out/games.pgn");
    assert!(resumed.starts_with(kept));
    let (again, first) = (games(&resumed), games(&whole));
    let timeless = |games: &[Game]| games.iter().map(Game::without_times).collect::<Vec<_>>();
    assert_eq!(
        timeless(&again),
        timeless(&first),
        "the same games, each once"
    );
    let manifest = manifest(&place, "out");
    assert_eq!(
        (&manifest["games"], &manifest["pairs"], &manifest["resumed"]),
        (&8.into(), &4.into(), &1.into())
    );

    let answer = play(&place, &format!("{rest} --resume"));
    assert_eq!(answer.code, 0, "nothing is left to play");
    assert_eq!(place.read("out/games.pgn"), resumed);
    assert!(answer.stdout.contains("Games: 8, "), "{}", answer.stdout);
}

#[test]
fn resuming_what_never_began_plays_it() {
    let place = Place::new();
    let answer = play(
        &place,
        "--nodes 1 --pairs 1 --max-moves 3 --out deep/er/out --resume",
    );
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert_eq!(played(&place, "deep/er/out").len(), 2);
}

#[test]
fn a_folder_named_after_the_time_when_none_is_given() {
    let place = Place::new();
    assert_eq!(play(&place, "--nodes 1 --pairs 1 --max-moves 3").code, 0);
    let entries: Vec<_> = std::fs::read_dir(place.path(""))
        .unwrap()
        .flatten()
        .collect();
    let name = entries[0].file_name().into_string().unwrap();
    assert_eq!(entries.len(), 1);
    assert!(
        name.starts_with("match-20") && name.len() == "match-20260102-030405".len(),
        "{name}"
    );
}

#[test]
fn a_demonstration() {
    let place = Place::new();
    let answer = place.run(["demo", "--out", "games"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(
        answer.stdout.contains("**SPRT [0, 5] passed**"),
        "{}",
        answer.stdout
    );
    assert!(answer.stdout.contains("400 pairs"), "{}", answer.stdout);
    assert_eq!(played(&place, "games").len(), 800);
}
