//! Vectors in which mache answers otherwise than the commands before it: what it answers, and that this is right.

use crate::json::Json;
use crate::vectors::vector;

/// The JSON document of a vector of `match-estimate`.
#[track_caller]
fn estimate(name: &str) -> Json {
    document("match-estimate.json.zst", &format!("estimate/{name}"))
}

#[track_caller]
fn document(file: &str, name: &str) -> Json {
    let vector = vector(file, name);
    let place = vector.place();
    let mut program = place.program();
    let output = program
        .arg(&vector.tool)
        .args(&vector.args)
        .arg("--json")
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {output:?}");
    Json::read(&String::from_utf8(output.stdout).unwrap())
}

/// Games, pairs, games left over and games without a result.
#[track_caller]
fn counts(report: &Json) -> [i128; 4] {
    ["games", "pairs", "unpaired", "unfinished"].map(|key| report.at(key).whole())
}

#[track_caller]
fn pentanomial(report: &Json) -> Vec<i128> {
    report
        .at("pentanomial")
        .list()
        .iter()
        .map(Json::whole)
        .collect()
}

/// Moves and nodes of an engine.
#[track_caller]
fn search(report: &Json, engine: &str) -> [i128; 2] {
    let row = report.at("instruments").at(engine);
    ["moves", "nodes"].map(|key| row.at(key).whole())
}

#[test]
fn a_byte_order_mark_hides_no_game() {
    let report = estimate("byte-order-mark");
    assert_eq!(counts(&report), [4, 2, 0, 0]);
    assert_eq!(pentanomial(&report), [0, 0, 1, 1, 0]);
    let endings = document(
        "match-terminations.json.zst",
        "terminations/byte-order-mark",
    );
    assert_eq!(endings.at("games").whole(), 2);
}

#[test]
fn a_brace_in_a_tag_begins_no_comment() {
    let endings = document("match-terminations.json.zst", "terminations/brace-in-a-tag");
    let forfeits = endings.at("endings").at("time forfeit");
    assert_eq!(forfeits.at("count").whole(), 1);
    assert_eq!(forfeits.at("blamed"), &Json::Map(Vec::new()));
}

#[test]
fn a_fit_that_exists_is_found() {
    let report = document(
        "errors.json.zst",
        "error/estimate-counts-that-cannot-be-fitted",
    );
    let test = report.at("sprt");
    assert_eq!(
        test.at("carried"),
        &Json::Text("0,0,1,1,99999999".to_owned())
    );
    assert_eq!(test.at("verdict"), &Json::Text("passed".to_owned()));
    // Where all pairs are won, the likeliest fit has won and lost pairs only: p − ½ = ±t·√(p(1 − p)).
    let t = 3.0 * 2.0_f64.sqrt() / (800.0 / 10.0_f64.ln());
    let lean = t / (1.0 + t * t).sqrt();
    let wanted = 99_999_999.0 * ((1.0 + lean) / (1.0 - lean)).ln();
    assert!((test.at("llr").double() / wanted - 1.0).abs() < 1e-6);
}

#[test]
fn a_folder_means_the_games_below_it() {
    let report = document("errors.json.zst", "error/estimate-file-is-a-directory");
    assert_eq!(counts(&report), [4, 2, 0, 0]);
    assert_eq!(
        report.at("shards").list()[0].at("name"),
        &Json::Text("shard-0".to_owned())
    );
}

#[test]
fn bytes_that_are_not_utf8_cost_no_game() {
    let report = document("errors.json.zst", "error/estimate-file-not-utf8");
    assert_eq!(counts(&report), [2, 1, 0, 0]);
    assert_eq!(search(&report, "Bréton")[0], 2);
}

#[test]
fn moves_tell_whose_comment_it_is() {
    let report = estimate("a-move-without-a-comment");
    assert_eq!(search(&report, "new"), [2, 1 + 4]);
    assert_eq!(search(&report, "old"), [2, 8 + 16]);
}

#[test]
fn black_moves_first_where_the_position_says_so() {
    let report = estimate("black-to-move-start");
    assert_eq!(search(&report, "new"), [1, 4]);
    assert_eq!(search(&report, "old"), [2, 8 + 16]);
}

#[test]
fn a_line_break_in_a_comment_loses_no_seconds() {
    let report = estimate("comment-with-a-newline");
    let seconds = |engine| report.at("instruments").at(engine).at("seconds").double();
    assert_eq!(seconds("new"), 0.31);
    assert_eq!(seconds("old"), 0.41);
}

#[test]
fn tags_and_records_begin_outside_comments() {
    let tag = estimate("comment-with-a-tag-line");
    assert_eq!(pentanomial(&tag), [0, 0, 0, 0, 1]);
    let event = estimate("comment-with-an-event-line");
    assert_eq!(counts(&event), [4, 2, 0, 0]);
    assert_eq!(search(&event, "new"), [4, 1000 + 900 + 100 + 900]);
}

#[test]
fn two_games_with_the_same_colours_are_no_pair() {
    let report = estimate("same-colour-twice-in-a-round");
    assert_eq!(counts(&report), [2, 0, 2, 0]);
    assert_eq!(report.at("elo"), &Json::Null);
    let faults = estimate("fault-of-each-kind");
    assert_eq!(counts(&faults), [9, 2, 5, 0]);
    assert_eq!(faults.at("shards").list()[0].at("faults").whole(), 2);
    assert_eq!(faults.at("shards").list()[1].at("faults").whole(), 3);
}

#[test]
fn blanks_in_and_before_tags_hide_neither_tag_nor_game() {
    for name in [
        "leading-space-before-event",
        "space-before-a-tag",
        "tab-in-a-tag",
        "lower-case-event",
    ] {
        assert_eq!(counts(&estimate(name)), [6, 3, 0, 0], "{name}");
    }
}

#[test]
fn moves_need_no_blank_line_before_them() {
    let report = estimate("no-blank-line-after-the-tags");
    assert_eq!(search(&report, "new"), [4, 3800]);
    assert_eq!(search(&report, "old"), [4, 3800]);
}

#[test]
fn an_escaped_quote_is_part_of_the_name() {
    let report = estimate("name-with-an-escaped-quote");
    assert_eq!(counts(&report), [2, 1, 0, 0]);
    assert_eq!(report.at("terminations").at("games").whole(), 4);
}

#[test]
fn a_file_given_twice_is_read_once() {
    let report = estimate("same-file-given-twice");
    assert_eq!(counts(&report), [4, 2, 0, 0]);
    assert_eq!(report.at("shards").list().len(), 1);
    assert_eq!(report.at("remarks").list().len(), 1);
}

#[test]
fn points_are_a_double_even_of_no_games() {
    let report = estimate("shard-with-no-games");
    assert_eq!(counts(&report), [4, 2, 0, 0]);
    let [played, empty] = report.at("shards").list() else {
        panic!("two shards were given")
    };
    assert_eq!(played.at("points"), &Json::Double(1.5));
    assert_eq!(empty.at("points"), &Json::Double(0.0));
    assert_eq!(empty.at("score"), &Json::Double(0.0));
}
