//! `mache ci dispatch`, before a stand-in for GitHub.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;

use crate::ci_step::Step;
use crate::program::Place;

const TOKEN: &str = r#"{"version":1,"run":1,"max_runs":3,"seed":"111","carried":[3,8,18,7,4],"began":[0,0,0,0,0],"runs":["111"],"candidate_sha":null,"baseline_sha":null,"settings":{}}"#;

/// Answers one request, and gives its first line and its body.
fn github(answer: &'static str) -> (String, JoinHandle<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut head, mut length) = (Vec::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some(bytes) = line.to_lowercase().strip_prefix("content-length:") {
                length = bytes.trim().parse().unwrap();
            }
            head.push(line.trim().to_owned());
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        stream.write_all(answer.as_bytes()).unwrap();
        (head.remove(0), String::from_utf8(body).unwrap())
    });
    (address, served)
}

#[track_caller]
fn dispatch(variables: &[(&str, &str)]) -> Step {
    let around = [
        ("GITHUB_REPOSITORY", "someone/engine"),
        (
            "GITHUB_WORKFLOW_REF",
            "someone/engine/.github/workflows/sprt.yml@refs/heads/main",
        ),
        ("GITHUB_REF_NAME", "main"),
        ("GITHUB_TOKEN", "secret"),
    ];
    let all: Vec<_> = around.iter().chain(variables).copied().collect();
    Place::new().step(&["dispatch"], &all)
}

#[test]
fn the_next_run_is_started_with_the_inputs_of_this_one() {
    let (address, served) = github("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n");
    let step = dispatch(&[
        ("GITHUB_API_URL", &address),
        ("MACHE_CONTINUE", TOKEN),
        (
            "MACHE_INPUTS",
            r#"{"candidate": "idea", "baseline": "", "fast": true, "continue": "old"}"#,
        ),
    ]);
    assert_eq!(
        (step.answer.code, step.output("started")),
        (0, "true"),
        "{step:?}"
    );
    insta::assert_snapshot!(step.answer.stderr, @"started run 2 of 3 of the test: sprt.yml on main");
    let (line, body) = served.join().unwrap();
    insta::assert_snapshot!(line, @"POST /repos/someone/engine/actions/workflows/sprt.yml/dispatches HTTP/1.1");
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    let wanted = serde_json::json!({
        "ref": "main",
        "inputs": {"candidate": "idea", "baseline": "", "fast": "true", "continue": TOKEN},
    });
    assert_eq!(body, wanted);
}

#[test]
fn inputs_that_are_not_given_are_those_of_the_event() {
    let place = Place::new();
    place.write(
        "event.json",
        r#"{"inputs": {"candidate": "idea", "continue": ""}}"#,
    );
    let (address, served) = github("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n");
    let step = place.step(
        &[
            "dispatch",
            "--workflow=other.yml",
            "--ref=dev",
            "--inputs={}",
        ],
        &[
            ("GITHUB_API_URL", &address),
            ("GITHUB_REPOSITORY", "someone/engine"),
            ("GITHUB_TOKEN", "secret"),
            ("GITHUB_EVENT_NAME", "workflow_dispatch"),
            ("GITHUB_EVENT_PATH", "event.json"),
            ("MACHE_CONTINUE", TOKEN),
        ],
    );
    assert_eq!(step.answer.code, 0, "{step:?}");
    let (line, body) = served.join().unwrap();
    assert!(line.contains("/workflows/other.yml/dispatches"), "{line}");
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(body["ref"], "dev");
    assert_eq!(body["inputs"]["candidate"], "idea");
    assert_eq!(body["inputs"]["continue"], TOKEN);
}

#[test]
fn without_a_token_nothing_is_started() {
    let step = dispatch(&[("GITHUB_API_URL", "http://127.0.0.1:9")]);
    assert_eq!((step.answer.code, step.output("started")), (0, "false"));
    insta::assert_snapshot!(step.answer.stderr, @"there is nothing to go on with");
}

#[test]
fn githubs_refusal_says_what_is_wanted() {
    let (address, served) = github(
        "HTTP/1.1 422 Unprocessable Entity\r\nContent-Length: 60\r\n\r\n{\"message\": \"Unexpected inputs provided: [\\\"continue\\\"]\"}    ",
    );
    let text = dispatch(&[("GITHUB_API_URL", &address), ("MACHE_CONTINUE", TOKEN)]).refusal();
    insta::assert_snapshot!(text, @r#"1: error: cannot start `sprt.yml` on `main`; it needs a workflow_dispatch with an input `continue`: GitHub answers 422 to POST /repos/someone/engine/actions/workflows/sprt.yml/dispatches: Unexpected inputs provided: ["continue"]"#);
    served.join().unwrap();
}

#[test]
fn what_is_no_test_or_no_workflow_is_refused() {
    let refused = |variables: &[(&str, &str)]| {
        let given = [
            ("GITHUB_API_URL", "http://127.0.0.1:9"),
            ("MACHE_CONTINUE", TOKEN),
        ];
        let kept = given
            .iter()
            .filter(|(name, _)| !variables.iter().any(|(other, _)| name == other));
        let all: Vec<_> = kept.chain(variables).copied().collect();
        dispatch(&all).refusal()
    };
    insta::assert_snapshot!(refused(&[("MACHE_CONTINUE", "not a token")]), @"2: error: the continue token cannot be read: hand on what `mache ci next-batch` put out, unchanged");
    insta::assert_snapshot!(refused(&[("MACHE_WORKFLOW", "../x.yml")]), @"2: error: `../x.yml` is no file of a workflow: give its name, such as sprt.yml");
    insta::assert_snapshot!(refused(&[("MACHE_INPUTS", "[1]")]), @"2: error: the inputs are no JSON object");
    insta::assert_snapshot!(refused(&[("GITHUB_REPOSITORY", "someone")]), @"1: error: `someone` is no repository; owner/name was wanted");
    insta::assert_snapshot!(refused(&[("GITHUB_TOKEN", "")]), @"1: error: cannot start `sprt.yml` on `main`; it needs a workflow_dispatch with an input `continue`: GITHUB_TOKEN is not set; give the step a token that may write");
}
