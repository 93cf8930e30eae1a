//! `mache ci comment`, `status`, `fetch-fastchess`, `book-key`, `fetch-book` and `versions`, with a GitHub of our own.

use std::time::Duration;

use serde_json::{Value, json};

use crate::program::{Answer, Place};
use crate::test_server::{Reply, TestServer};

const HEAD: &str = "0123456789abcdef0123456789abcdef01234567";
const PULLS: &str = "GET /repos/owner/engine/pulls?state=open&per_page=100&head=someone%3Aidea";
const COMMENTS: &str = "GET /repos/owner/engine/issues/7/comments?per_page=100&page=1";
const COMMENT: &str = "POST /repos/owner/engine/issues/7/comments";
const STATUS: &str = "POST /repos/owner/engine/statuses/0123456789abcdef0123456789abcdef01234567";

fn pull_event() -> Value {
    json!({"pull_request": {"number": 7, "head": {"sha": HEAD}}})
}

fn run_event() -> Value {
    json!({"workflow_run": {
        "id": 42, "head_sha": HEAD, "head_branch": "idea", "pull_requests": [],
        "head_repository": {"full_name": "someone/engine"}
    }})
}

const OPEN: &str = "wdwdl";
const PASSED: &str = "wwdwlwwdwlwwdwlwwdwl";
const FAILED: &str = "lldlwlldlwlldlwlldlw";

/// The result of a match whose pairs both end in a win (`w`), a loss (`l`) or a draw, ten times over, as
/// `match-estimate` writes it.
fn result(place: &Place, pairs: &str) {
    let mut games = String::new();
    for (round, pair) in (1..).zip(pairs.repeat(10).chars()) {
        let results = match pair {
            'w' => ["1-0", "0-1"],
            'l' => ["0-1", "1-0"],
            _ => ["1/2-1/2", "1/2-1/2"],
        };
        let sides = [("new @all", "old"), ("old", "new @all")];
        for ((white, black), result) in sides.into_iter().zip(results) {
            games += &format!(
                "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
                 [Termination \"normal\"]\n\n1. e4 {result}\n\n"
            );
        }
    }
    place.write("games.pgn", games);
    let words = [
        "match-estimate",
        "games.pgn",
        "--candidate",
        "new @all",
        "--baseline",
        "old",
    ];
    let test = ["--elo0", "0", "--elo1", "20", "--json"];
    let answer = place.run(words.iter().chain(&test));
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    place.write("result.json", answer.stdout);
}

fn step(
    place: &Place,
    server: &TestServer,
    trigger: &str,
    event: &Value,
    words: &[&str],
) -> Answer {
    place.write("event.json", event.to_string());
    let output = place
        .program()
        .env("GITHUB_API_URL", server.address(""))
        .env("GITHUB_TOKEN", "secret")
        .env("GITHUB_REPOSITORY", "owner/engine")
        .env("GITHUB_EVENT_NAME", trigger)
        .env("GITHUB_EVENT_PATH", place.path("event.json"))
        .env("GITHUB_SHA", HEAD)
        .env("GITHUB_RUN_ID", "41")
        .args(["ci"].iter().chain(words))
        .output()
        .expect("the program starts");
    Answer {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

fn posted() -> Reply {
    Reply::text(
        201,
        r#"{"html_url": "https://github.com/owner/engine/pull/7#issuecomment-1"}"#,
    )
}

fn pulls(sha: &str) -> Reply {
    let pull = json!([{"number": 7, "head": {"sha": sha, "ref": "idea", "repo": {"full_name": "someone/engine"}}}]);
    Reply::text(200, &pull.to_string())
}

fn body(server: &TestServer, at: usize) -> Value {
    serde_json::from_str(&server.requests()[at].body).expect("JSON was sent")
}

#[test]
fn a_forks_result_is_told_in_our_words_on_its_pull_request() {
    let place = Place::new();
    result(&place, OPEN);
    let server = TestServer::start([
        (PULLS, pulls(HEAD)),
        (COMMENTS, Reply::text(200, "[]")),
        (COMMENT, posted()),
    ]);
    let answer = step(
        &place,
        &server,
        "workflow_run",
        &run_event(),
        &[
            "comment",
            "--result",
            "result.json",
            "--context",
            "strength",
        ],
    );
    assert_eq!(
        answer.stdout, "url=https://github.com/owner/engine/pull/7#issuecomment-1\n",
        "{}",
        answer.stderr
    );
    let sent = body(&server, 2);
    insta::assert_snapshot!(sent["body"].as_str().unwrap_or_default(), @r"
    <!-- mache comment: strength -->
    ### strength: inconclusive so far

    `new @all` against old: **+70 ±75 Elo (100 games), SPRT [0, 20] inconclusive, LLR 0.83 (-2.94, 2.94)**, 50 pairs.

    | pair score | 0 | 0.5 | 1 | 1.5 | 2 |
    | --- | --: | --: | --: | --: | --: |
    | pairs | 10 | 0 | 20 | 0 | 20 |

    SPRT [0, 20] Elo at error rates of 5% and 5%. About 154 further pairs are to be expected, in nine of ten cases no more than 200.

    [The whole report](https://github.com/owner/engine/actions/runs/42)
    ");
}

#[test]
fn a_run_whose_pull_request_moved_on_comments_on_nothing() {
    let place = Place::new();
    result(&place, OPEN);
    let server = TestServer::start([(PULLS, pulls(&HEAD.replace('0', "f")))]);
    let answer = step(
        &place,
        &server,
        "workflow_run",
        &run_event(),
        &["comment", "--result", "result.json"],
    );
    assert_eq!((answer.code, answer.stdout.as_str()), (0, "url=\n"));
    assert!(
        answer
            .stderr
            .contains("no open pull request has this commit"),
        "{}",
        answer.stderr
    );
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn text_is_markdown_when_it_is_ours_and_plain_when_another_run_left_it() {
    let sent = |trigger: &str, event: &Value| {
        let place = Place::new();
        place.write("text.md", "# hi @all\n```\n::error::x\n<!-- -->\n");
        let server = TestServer::start([
            (PULLS, pulls(HEAD)),
            (COMMENTS, Reply::text(200, "[]")),
            (COMMENT, posted()),
        ]);
        let answer = step(
            &place,
            &server,
            trigger,
            event,
            &["comment", "--text", "text.md"],
        );
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        let last = server.requests().len() - 1;
        body(&server, last)["body"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    insta::assert_snapshot!(sent("pull_request", &pull_event()), @r"
    <!-- mache comment: mache -->
    # hi @all
    ```
    ::error::x
    <!-- -->
    ");
    insta::assert_snapshot!(sent("workflow_run", &run_event()), @r"
    <!-- mache comment: mache -->
    ````
    # hi @all
    ```
    \::error::x
    <!-- -->
    ````
    ");
}

#[test]
fn results_that_lie_are_not_reported() {
    let place = Place::new();
    result(&place, OPEN);
    let text = place
        .read("result.json")
        .replace("\"verdict\": \"inconclusive\"", "\"verdict\": \"passed\"");
    place.write("result.json", text);
    let server = TestServer::start([(PULLS, pulls(HEAD))]);
    for command in ["comment", "status"] {
        let answer = step(
            &place,
            &server,
            "workflow_run",
            &run_event(),
            &[command, "--result", "result.json"],
        );
        assert_eq!(answer.code, 1);
        let why = "error: result.json: the result is not taken: ";
        assert!(answer.stderr.starts_with(why), "{}", answer.stderr);
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn a_token_that_may_not_write_fails_with_githubs_words() {
    let place = Place::new();
    result(&place, OPEN);
    let said = Reply::text(
        403,
        r#"{"message": "Resource not accessible by integration"}"#,
    );
    let server = TestServer::start([(COMMENTS, Reply::text(200, "[]")), (COMMENT, said)]);
    let answer = step(
        &place,
        &server,
        "pull_request",
        &pull_event(),
        &["comment", "--result", "result.json"],
    );
    insta::assert_snapshot!(format!("{}: {}", answer.code, answer.stderr), @"1: error: GitHub answers 403 to POST /repos/owner/engine/issues/7/comments: Resource not accessible by integration; the job's permissions may be too narrow, or too much was asked in an hour");
}

#[test]
fn other_triggers_have_no_pull_request() {
    let place = Place::new();
    result(&place, OPEN);
    let server = TestServer::start([("/", Reply::text(200, ""))]);
    let answer = step(
        &place,
        &server,
        "push",
        &json!({}),
        &["comment", "--result", "result.json"],
    );
    insta::assert_snapshot!(format!("{}: {}", answer.code, answer.stderr), @"1: error: `push` says nothing of a pull request; run this on pull_request or workflow_run");
}

#[test]
fn a_verdict_is_the_status_of_its_commit() {
    let state = |pairs: &str, trigger: &str, event: &Value| {
        let place = Place::new();
        result(&place, pairs);
        let server = TestServer::start([(STATUS, Reply::text(201, "{}"))]);
        let answer = step(
            &place,
            &server,
            trigger,
            event,
            &["status", "--result", "result.json"],
        );
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        let sent = body(&server, 0);
        assert_eq!(
            answer.stdout,
            format!("state={}\n", sent["state"].as_str().unwrap_or_default())
        );
        sent.to_string()
    };
    insta::assert_snapshot!(state(OPEN, "workflow_run", &run_event()), @r#"{"context":"mache","description":"about 154 further pairs expected: +70 ±75 Elo (100 games), SPRT [0, 20] inconclusive, LLR 0.83 (-2.94, 2.94)","state":"pending","target_url":"https://github.com/owner/engine/actions/runs/42"}"#);
    insta::assert_snapshot!(state(PASSED, "pull_request", &pull_event()), @r#"{"context":"mache","description":"+147 ±46 Elo (400 games), SPRT [0, 20] passed, LLR 5.36 (-2.94, 2.94)","state":"success","target_url":"https://github.com/owner/engine/actions/runs/41"}"#);
    insta::assert_snapshot!(state(FAILED, "push", &json!({})), @r#"{"context":"mache","description":"-147 ±46 Elo (400 games), SPRT [0, 20] failed, LLR -6.15 (-2.94, 2.94)","state":"failure","target_url":"https://github.com/owner/engine/actions/runs/41"}"#);
}

#[test]
fn a_release_that_is_not_there_names_the_way_out() {
    let place = Place::new();
    let server = TestServer::start([(
        "GET /repos/Disservin/fastchess/releases/tags/v9",
        Reply::text(200, "{}").after(Duration::from_secs(60)),
    )]);
    let run = |words: &[&str]| {
        place.write("empty/keep", "");
        let output = place
            .program()
            .env("GITHUB_API_URL", server.address(""))
            .env("PATH", place.path("empty"))
            .args(
                ["ci", "fetch-fastchess", "--into", "tools"]
                    .iter()
                    .chain(words),
            )
            .output()
            .expect("the program starts");
        let text = String::from_utf8(output.stderr).expect("text");
        text.replace(&server.address(""), "SERVER")
    };
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        insta::assert_snapshot!(run(&[]), @"error: cannot have fastchess v1.8.2-alpha; put a fastchess of your own on the path, or play with runner: built-in: there is no published release of that name");
        insta::assert_snapshot!(run(&["--tag", "v9", "--timeout", "1"]), @"error: cannot have fastchess v9; put a fastchess of your own on the path, or play with runner: built-in: cannot ask GitHub: SERVER/repos/Disservin/fastchess/releases/tags/v9 did not answer in full within 1 s");
    }
    assert!(run(&["--sha256", "12"]).contains("is not the 64 hexadecimal digits"));
    assert!(!place.path("tools").exists());
}

#[test]
fn a_book_comes_by_way_of_a_cache() {
    let place = Place::new();
    let key = |book: &str| place.run(["ci", "book-key", "--book", book]).stdout;
    assert!(
        key("8moves_v3").starts_with("key=mache-book-"),
        "{}",
        key("8moves_v3")
    );
    assert_ne!(key("8moves_v3"), key("UHO_4060_v2"));
    let words = [
        "ci",
        "fetch-book",
        "--book",
        "mache_8ply",
        "--cache",
        "cache",
        "--into",
        "tools",
    ];
    assert_eq!(place.run(words).stdout, "book_file=tools/mache_8ply.epd\n");
    place.write("cache/mache_8ply.epd", "rubbish\n");
    assert_eq!(place.run(words).code, 0);
    assert_eq!(
        place.read("tools/mache_8ply.epd"),
        include_str!("../../books/default.epd")
    );
    place.write("own.epd", "8/8/8/8/8/8/8/8 w - -\n");
    let own = ["ci", "fetch-book", "--book", "own.epd", "--into", "tools"];
    assert_eq!(place.run(own).stdout, "book_file=own.epd\n");
    let none = place.run(["ci", "fetch-book", "--book", "none", "--into", "tools"]);
    assert_eq!(none.code, 2);
    assert!(
        none.stderr
            .contains("no book named `none`; this table has "),
        "{}",
        none.stderr
    );
}

#[test]
fn versions_are_said() {
    let answer = Place::new().run(["ci", "versions"]);
    let version = format!("version={}\n", env!("CARGO_PKG_VERSION"));
    assert!(answer.stdout.starts_with(&version), "{}", answer.stdout);
    assert!(answer.stdout.contains("\nfastchess="), "{}", answer.stdout);
}
