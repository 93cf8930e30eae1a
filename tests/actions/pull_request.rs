//! A fork's pull request: played with nothing to lose, reported by a workflow that runs nothing of it.

use serde_json::{Value, json};

use crate::examples;
use crate::test_server::{Reply, TestServer};
use crate::tools;
use crate::world::World;

const CALLER: &str = "some/engine";
const FORK: &str = "stranger/engine";

/// The example that plays, playing little.
fn play() -> String {
    let little = "games: 16\n      shards: 2\n      runner: built-in\n      book: embedded\n      concurrency: 1";
    examples::changed(
        "pull-request.yml",
        &[("games: 1000", little), ("batches: 4", "batches: 1")],
    )
}

const BUILD: &str = "#!/bin/sh\nset -e\ncp \"$MACHE_EXPORT/engine.sh\" \"$2\"\nchmod +x \"$2\"\n";

/// An engine's repository with a pull request from a fork, and its payload with the label.
fn world() -> (World, String, Value) {
    let world = World::with_mache();
    world.files(
        CALLER,
        &[
            (".github/workflows/play.yml", &play()),
            (
                ".github/workflows/report.yml",
                &examples::text("pull-request-report.yml"),
            ),
            ("build.sh", BUILD),
            ("engine.sh", "#!/bin/sh\nexec mache engine random\n"),
        ],
    );
    world.git(CALLER, &["checkout", "-q", "-b", "faster"]);
    let head = world.files(
        CALLER,
        &[(
            "engine.sh",
            "#!/bin/sh\nexec mache engine random --seed 9\n",
        )],
    );
    let mut payload = world.pull_request(CALLER, 12, "faster");
    payload["pull_request"]["labels"] = json!([{ "name": "strength" }]);
    payload["pull_request"]["head"]["repo"]["full_name"] = json!(FORK);
    world.git(CALLER, &["checkout", "-q", "main"]);
    (world, head, payload)
}

/// What `workflow_run` says of the run with this number.
fn ended(run: u32, head: &str) -> Value {
    json!({ "action": "completed", "workflow_run": {
        "id": run, "event": "pull_request", "conclusion": "success", "name": "pull request strength",
        "head_sha": head, "head_branch": "faster", "pull_requests": [],
        "head_repository": { "full_name": FORK },
    }})
}

/// A GitHub on which the pull request is open and has no comment yet.
fn github(head: &str) -> TestServer {
    let pull = json!([{ "number": 12, "head": {
        "sha": head, "ref": "faster", "repo": { "full_name": FORK },
    }}]);
    let pulls = "GET /repos/some/engine/pulls?state=open&per_page=100&head=stranger%3Afaster";
    let status = format!("POST /repos/some/engine/statuses/{head}");
    let posted = r#"{"html_url": "https://github.com/some/engine/pull/12#issuecomment-1"}"#;
    TestServer::start([
        (pulls, Reply::text(200, &pull.to_string())),
        (
            "GET /repos/some/engine/issues/12/comments?per_page=100&page=1",
            Reply::text(200, "[]"),
        ),
        (
            "POST /repos/some/engine/issues/12/comments",
            Reply::text(201, posted),
        ),
        (status.as_str(), Reply::text(201, "{}")),
    ])
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_forks_pull_request_is_played_and_told_of() {
    let (world, head, payload) = world();
    let play = |payload: Value| {
        let event = world.event(CALLER, "pull_request").workflow("play.yml");
        event.payload(payload).at("faster").run()
    };
    let mut unlabelled = payload.clone();
    unlabelled["pull_request"]["labels"] = json!([]);
    assert_eq!(play(unlabelled).passed().results(), "");

    let run = play(payload);
    run.passed();
    let judged = run.job("judge1");
    assert_eq!(judged.output("judge", "verdict"), "inconclusive");
    assert!(judged.summary.contains(&head[..8]), "{}", judged.summary);

    let server = github(&head);
    let event = world.event(CALLER, "workflow_run").workflow("report.yml");
    let report = event
        .payload(ended(run.id, &head))
        .api(&server.address(""))
        .run();
    assert_eq!(
        report.passed().results(),
        "comment: success\nfetch: success\nstatus: success"
    );
    let requests = server.requests();
    let sent = |path: &str| -> Value {
        let found = requests
            .iter()
            .find(|request| request.head.starts_with(path));
        serde_json::from_str(&found.unwrap_or_else(|| panic!("no {path}")).body).unwrap()
    };
    let comment = sent("POST /repos/some/engine/issues/12/comments");
    let text = comment["body"].as_str().unwrap();
    assert!(
        text.contains("inconclusive") && text.contains("16 games"),
        "{text}"
    );
    assert!(text.contains("further pairs are to be expected"), "{text}");
    let status = sent("POST /repos/some/engine/statuses/");
    let said = status["description"].as_str().unwrap();
    assert!(said.contains("further pairs expected"), "{said}");
    assert_eq!(status["state"], "pending");
    assert_eq!(status["context"], "strength");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_result_that_lies_is_not_told() {
    let world = World::new();
    world.repository("OWNER/mache", tools::tree());
    world.git("OWNER/mache", &["tag", "v1"]);
    let server = github("0123456789abcdef0123456789abcdef01234567");
    let steps = "\
- uses: OWNER/mache/actions/setup@v1
- run: |
    printf '%s' '{\"format\": 1, \"line\": \"+999 Elo @everyone\", \"sprt\": null}' >lie.json
- id: comment
  continue-on-error: true
  uses: OWNER/mache/actions/comment@v1
  with: { result: lie.json }
- id: status
  continue-on-error: true
  uses: OWNER/mache/actions/status@v1
  with: { result: lie.json }
- run: '[ ${{ steps.comment.outcome }}-${{ steps.status.outcome }} = failure-failure ]'
";
    world.steps(steps).api(&server.address("")).run().passed();
    assert!(server.requests().is_empty());
}
