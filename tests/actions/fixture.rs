//! The harness itself, on the two small repositories in `fixture`.

use std::time::Duration;

use serde_json::json;

use crate::tools;
use crate::world::World;

const TOOL: &str = "owner/tool";
const CALLER: &str = "someone/engine";

fn world() -> World {
    let world = World::new();
    let fixture = tools::here().join("fixture");
    world.repository(TOOL, &fixture.join("tool"));
    world.git(TOOL, &["tag", "v1"]);
    world.repository(CALLER, &fixture.join("caller"));
    world
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_whole_match() {
    let world = world();
    let run = world.dispatch(TOOL, "match.yml").input("shards", 3).run();
    run.passed();
    assert_eq!(
        run.results(),
        "judge: success\nplan: success\nplay: success success success"
    );
    assert_eq!(run.job("plan").output("split", "shards"), "[0,1,2]");
    assert_eq!(run.shard("play", "shard", 1).summary, "shard 1 is done\n");
    assert_eq!(run.job("judge").output("verdict", "verdict"), "complete");
    assert_eq!(run.job("judge").summary, "3 shards, complete\n");
    assert_eq!(
        run.artifacts(),
        "shard-0: result.txt\nshard-1: result.txt\nshard-2: result.txt"
    );
}

#[test]
#[ignore = "needs act: run bin/test"]
fn the_program_under_test_is_on_the_path() {
    let run = world().dispatch(TOOL, "match.yml").job("plan").run();
    let version = concat!("mache ", env!("CARGO_PKG_VERSION"));
    assert_eq!(run.passed().job("plan").output("split", "version"), version);
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_broken_shard_and_its_rerun() {
    let world = world();
    let run = world
        .dispatch(TOOL, "match.yml")
        .env("BREAK_SHARD", 1)
        .run();
    run.failed();
    assert_eq!(
        run.results(),
        "judge: success\nplan: success\nplay: failure success"
    );
    let broken = &run.shard("play", "shard", 1).annotations;
    assert_eq!(broken.len(), 1);
    assert_eq!(broken[0].title, "engine crashed");
    assert_eq!(broken[0].message, "shard 1 lost its engine");
    assert_eq!(run.job("judge").summary, "1 shards, partial\n");

    let again = world
        .dispatch(TOOL, "match.yml")
        .matrix("shard", 1)
        .again(&run)
        .run();
    assert_eq!(
        again.passed().results(),
        "judge: success\nplan: success\nplay: success"
    );
    assert_eq!(again.job("judge").summary, "2 shards, complete\n");
    let attempts = [0, 1].map(|shard| again.file(&format!("shard-{shard}"), "result.txt"));
    assert_eq!(attempts, ["attempt 1\n", "attempt 2\n"]);
}

#[test]
#[ignore = "needs act: run bin/test"]
fn this_tree_is_there_to_be_used() {
    let world = World::with_mache();
    let steps = "\
- uses: actions/checkout@v7
  with: { repository: OWNER/mache, ref: v1 }
- run: cmp Cargo.toml $TREE/Cargo.toml; test -x bin/test; test ! -e target
";
    let steps = world
        .steps_in("someone/engine", steps)
        .env("TREE", tools::tree().display());
    assert_eq!(steps.run().passed().results(), "steps: success");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn setup_sees_the_program_under_test() {
    let steps = "- uses: OWNER/mache/actions/setup@v1\n";
    let run = World::with_mache().steps(steps).run();
    let expected = concat!("the mache on the path, ", env!("CARGO_PKG_VERSION"));
    let notices = run.job("steps").messages("notice");
    let [setup, versions] = notices[..] else {
        panic!("{notices:?}");
    };
    assert_eq!(setup, expected);
    let version = concat!("mache ", env!("CARGO_PKG_VERSION"), "; ");
    assert!(versions.starts_with(version), "{versions}");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_refused_plan_stops_the_rest() {
    let run = world()
        .dispatch(TOOL, "match.yml")
        .input("pairs", "many")
        .run();
    assert_eq!(run.failed().results(), "plan: failure");
    let expected = ["pairs 'many' and shards '2' must be whole numbers"];
    assert_eq!(run.job("plan").messages("error"), expected);
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_pull_request() {
    let world = world();
    world.git(TOOL, &["checkout", "-q", "-b", "faster"]);
    let head = world.files(TOOL, &[("new.txt", "new")]);
    let mut payload = world.pull_request(TOOL, 12, "faster");
    let pull_request = |payload| {
        world
            .event(TOOL, "pull_request")
            .payload(payload)
            .at("faster")
    };

    let run = pull_request(payload.clone()).run();
    assert_eq!(run.passed().results(), "", "without the label nothing runs");

    payload["pull_request"]["labels"] = json!([{ "name": "match" }]);
    let run = pull_request(payload.clone()).run();
    assert_eq!(
        run.passed().job("report").summary,
        format!("success complete for {head}\n")
    );

    // act ends a caller whose called workflow failed; when it stops doing so, the stub below is not needed.
    let run = pull_request(payload.clone()).env("BREAK_SHARD", 0).run();
    assert!(
        !run.failed().results().contains("report"),
        "{}",
        run.story()
    );

    world.stub_job(
        TOOL,
        "pull-request.yml",
        "match",
        "failure",
        &[("verdict", "partial")],
    );
    let run = pull_request(payload).run();
    assert_eq!(
        run.failed().job("report").summary,
        format!("failure partial for {head}\n")
    );
}

#[test]
#[ignore = "needs act: run bin/test"]
fn an_outside_caller() {
    let run = world().dispatch(CALLER, "weekly.yml").run();
    let expected = "judge: success\nplan: success\nplay: success success\nsplit: success";
    assert_eq!(run.passed().results(), expected);
    assert_eq!(run.job("split").output("split", "shards"), "[0,1,2]");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn one_action_alone() {
    let steps =
        "- id: split\n  uses: owner/tool/actions/split@v1\n  with: { pairs: 5, shards: 0 }\n";
    let run = world().steps(steps).run();
    assert_eq!(run.failed().job("steps").step_results(), ["failure"]);
    assert_eq!(run.job("steps").step("split/split").result, "failure");
    assert_eq!(run.job("steps").annotations[0].title, "bad plan");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn what_is_not_at_hand_names_itself() {
    let world = world();
    let steps = "- run: echo first\n- uses: someone/else/sub@v1\n";
    let run = world.steps(steps).run();
    assert_eq!(
        run.failed().job("steps").step_results(),
        ["success", "failure"]
    );
    let expected = ["No repository and no stand-in for someone/else/sub@v1"];
    assert_eq!(run.job("steps").messages("error"), expected);

    let run = world.steps("- uses: owner/tool/actions/split@v9\n").run();
    let expected = ["No repository and no stand-in for owner/tool/actions/split@v9"];
    assert_eq!(run.failed().job("steps").messages("error"), expected);
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_cancelled_run() {
    let world = world();
    let steps = "\
- run: echo begun; sleep 60; echo slept
- run: echo not this
- if: cancelled()
  run: echo tidied up
";
    let by_text = world.steps(steps).cancel_on("begun").run();
    let by_time = world
        .steps(steps)
        .cancel_after(Duration::from_secs(4))
        .run();
    for run in [by_text, by_time] {
        let job = run.job("steps");
        assert_eq!(job.step_results(), ["failure", "success"]);
        assert_eq!(job.step("2").log, "tidied up\n");
        assert!(!job.log().contains("slept"));
    }
}

#[test]
#[ignore = "needs act: run bin/test"]
#[should_panic(expected = "not over after")]
fn a_run_that_takes_too_long_fails_the_test() {
    let run = world()
        .steps("- run: sleep 60\n")
        .within(Duration::from_secs(3))
        .run();
    unreachable!("{}", run.story());
}

#[test]
#[ignore = "needs act: run bin/test"]
fn what_steps_see() {
    let world = World::new();
    let action = "\
name: a
description: a
inputs:
  word: { description: w }
runs:
  using: composite
  steps:
    - shell: bash
      run: echo ${INPUT_WORD:-none} ${{ inputs.word }} $GITHUB_REF $GITHUB_EVENT_NAME
";
    world.files("owner/a", &[("action.yml", action)]);
    world.git("owner/a", &["tag", "v1"]);
    let steps = "\
- uses: owner/a@v1
  with: { word: hello }
- run: 'echo ${{ vars.V }} ${{ secrets.S }} ${{ github.event.number }} $E; test ! -t 0; echo $GITHUB_API_URL'
- run: exit 1
  continue-on-error: true
";
    let run = world
        .steps(steps)
        .on("issue_comment")
        .payload(json!({ "number": 7 }));
    let run = run
        .variable("V", "v")
        .secret("S", "hidden-word")
        .env("E", "e")
        .api("http://127.0.0.1:9")
        .run();
    let job = run.passed().job("steps");
    assert_eq!(
        job.step("0/0").log,
        "none hello refs/heads/main issue_comment\n"
    );
    assert_eq!(job.step("1").log, "v *** 7 e\nhttp://127.0.0.1:9\n");
    assert_eq!(job.step_results(), ["success", "success", "failure"]);
}
