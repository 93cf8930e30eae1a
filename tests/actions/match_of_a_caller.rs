//! An engine's repository that calls the reusable workflows, from its builds to its summaries.

use std::sync::LazyLock;

use serde_json::Value;

use crate::examples;
use crate::run::Run;
use crate::test_server::{Reply, TestServer};
use crate::tools;
use crate::trigger::Trigger;
use crate::world::World;

const CALLER: &str = "some/engine";

/// Ten lines, as in the README.
const STRENGTH: &str = "\
name: strength
on:
  workflow_dispatch:
    inputs:
      games: { type: string, default: '16' }
      batches: { type: string, default: '4' }
      elo0: { type: string, default: '0' }
      elo1: { type: string, default: '200' }
      max_match_minutes: { type: string, default: '10' }
permissions: {}
jobs:
  strength:
    permissions: { contents: read }
    uses: OWNER/mache/.github/workflows/strength.yml@v1
    with:
      build: ./build.sh
      runner: built-in
      book: embedded
      sprt: true
      elo0: ${{ inputs.elo0 }}
      elo1: ${{ inputs.elo1 }}
      games: ${{ fromJSON(inputs.games) }}
      shards: 2
      batches: ${{ fromJSON(inputs.batches) }}
      concurrency: 1
      seed: 7
      max_match_minutes: ${{ fromJSON(inputs.max_match_minutes) }}
";

/// The engine of a commit is a script in it.
const BUILD: &str = "#!/bin/sh\nset -e\ncp \"$MACHE_EXPORT/engine.sh\" \"$2\"\nchmod +x \"$2\"\n";

/// One of mache's own engines, as a script that differs from others.
fn engine(kind: &str) -> String {
    format!("#!/bin/sh\nexec mache engine {kind}\n")
}

/// A repository whose release plays as `baseline` and whose branch as `candidate`.
fn world(baseline: &str, candidate: &str) -> World {
    let world = World::with_mache();
    world.files(
        CALLER,
        &[
            (".github/workflows/strength.yml", STRENGTH),
            ("build.sh", BUILD),
            ("engine.sh", baseline),
        ],
    );
    world.git(CALLER, &["tag", "v1.0.0"]);
    world.files(CALLER, &[("engine.sh", candidate)]);
    world
}

fn strength(world: &World) -> Trigger<'_> {
    world.dispatch(CALLER, "strength.yml")
}

static STRONGER: LazyLock<(String, String)> =
    LazyLock::new(|| (engine("random"), engine("minimax")));

#[test]
#[ignore = "needs act: run bin/test"]
fn a_stronger_engine_passes_in_the_first_of_four_batches() {
    let world = world(&STRONGER.0, &STRONGER.1);
    let run = strength(&world).run();
    run.passed();
    assert_eq!(
        run.results(),
        "build: success\njudge1: success\nplan: success\nplay1: success success\nresult: success"
    );
    let judged = run.job("judge1");
    assert_eq!(judged.output("judge", "verdict"), "passed");
    assert_eq!(judged.output("judge", "carried"), "0,0,0,0,8");
    assert!(judged.summary.starts_with("main ("), "{}", judged.summary);
    assert!(
        judged.summary.contains("over 2 of 2 shards at 10+0.1."),
        "{}",
        judged.summary
    );
    assert!(judged.summary.contains("**SPRT [0, 200] passed**"));
    let end = &run.job("result").summary;
    assert!(end.contains("the test passed after 8 pairs"), "{end}");
    assert_eq!(run.job("result").output("next", "continue"), "");
    assert_eq!(
        run.artifacts(),
        "strength-1-batch-1-shard-0: games.pgn log manifest.json\n\
         strength-1-batch-1-shard-1: games.pgn log manifest.json\n\
         strength-1-engines: baseline baseline.json candidate candidate.json\n\
         strength-1-result: report.md result.json"
    );
}

/// Openings that the games of an artifact began from.
fn openings(run: &Run, artifact: &str) -> Vec<String> {
    let games = run.file(artifact, "games.pgn");
    let fens = games.lines().filter(|line| line.starts_with("[FEN "));
    let mut fens: Vec<String> = fens.map(str::to_owned).collect();
    fens.sort();
    fens.dedup();
    fens
}

/// What a run asked GitHub to start, as the inputs of that dispatch.
fn dispatched(server: &TestServer) -> Vec<(String, String)> {
    let requests = server.requests();
    let [request] = &requests[..] else {
        panic!("{} requests", requests.len());
    };
    let body: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(body["ref"], "main");
    let inputs = body["inputs"].as_object().unwrap();
    let texts = inputs
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
    texts.collect()
}

#[test]
#[ignore = "needs act: run bin/test"]
fn an_open_test_plays_four_batches_and_starts_its_next_run() {
    let world = world(&engine("random"), &engine("random --seed 9"));
    let little = "games: 8\n      runner: built-in\n      book: embedded\n      concurrency: 1\n      seed: 7";
    let changes = [
        ("games: 2000", little),
        ("shards: 10", "shards: 2"),
        ("max_runs: 10", "max_runs: 2"),
    ];
    world.files(
        CALLER,
        &[(
            ".github/workflows/sprt.yml",
            &examples::changed("sprt.yml", &changes),
        )],
    );
    let start = "POST /repos/some/engine/actions/workflows/sprt.yml/dispatches";
    let github = TestServer::start([(start, Reply::text(204, ""))]);
    let sprt = || world.dispatch(CALLER, "sprt.yml").api(&github.address(""));
    let run = sprt().input("candidate", "main").run();
    run.passed();
    let judged = ["judge1", "judge2", "judge3", "judge4"].map(|job| run.job(job));
    let verdicts = judged.map(|job| job.output("judge", "verdict"));
    assert_eq!(verdicts, ["inconclusive"; 4]);
    let pairs =
        |counts: &str| -> u64 { counts.split(',').map(|n| n.parse::<u64>().unwrap()).sum() };
    let carried = judged.map(|job| pairs(job.output("judge", "carried")));
    assert_eq!(carried, [4, 8, 12, 16]);
    let summary = &run.job("result").summary;
    assert!(summary.contains("goes on with run 2 of 2"), "{summary}");

    let inputs = dispatched(&github);
    let names: Vec<&str> = inputs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["baseline", "candidate", "continue"]);
    let next = inputs
        .iter()
        .fold(sprt(), |next, (name, value)| next.input(name, value))
        .run();
    next.passed();
    assert_eq!(pairs(next.job("judge4").output("judge", "carried")), 32);
    assert_eq!(next.job("result").output("next", "continue"), "");
    assert_eq!(github.requests().len(), 1, "the last run starts no other");
    let chain = &next.job("result").summary;
    assert!(chain.contains("/actions/runs/1"), "{chain}");
    let mut all = Vec::new();
    for (run, id) in [(&run, 1), (&next, 2)] {
        for batch in 1..=4 {
            for shard in 0..2 {
                all.extend(openings(
                    run,
                    &format!("strength-{id}-batch-{batch}-shard-{shard}"),
                ));
            }
        }
    }
    assert_eq!(all.len(), 32);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 32, "an opening came twice");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_broken_shard_is_named_and_can_be_played_again() {
    // The step that plays tells its number to the engine, whose environment it is.
    let breaks = "#!/bin/sh\n[ \"$MACHE_SHARD\" != 1 ] || [ -n \"$MENDED\" ] || exit 3\nexec mache engine minimax\n";
    let world = world(&engine("random"), breaks);
    let run = strength(&world).run();
    run.passed();
    let judged = run.job("judge1");
    let missing = judged.messages("warning").join("\n");
    assert!(missing.contains("shard 1"), "{missing}");
    assert!(
        judged.summary.contains("over 1 of 2 shards"),
        "{}",
        judged.summary
    );
    assert!(
        judged.summary.contains("| batch-1 | 8 |"),
        "{}",
        judged.summary
    );

    let again = strength(&world)
        .env("MENDED", 1)
        .matrix("shard", 1)
        .again(&run)
        .run();
    let judged = again.passed().job("judge1");
    assert!(
        judged.summary.contains("over 2 of 2 shards"),
        "{}",
        judged.summary
    );
    assert_eq!(judged.output("judge", "verdict"), "passed");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_shard_stopped_by_the_clock_counts_as_far_as_it_got() {
    let slow = "#!/bin/sh\nmache engine random | while read -r line; do case $line in bestmove*) sleep 0.02;; esac; echo \"$line\"; done\n";
    let world = world(&engine("random"), slow);
    let run = strength(&world)
        .input("games", "4000")
        .input("batches", "1")
        .input("max_match_minutes", "1")
        .run();
    run.passed();
    let warnings = run
        .shard("play1", "shard", 0)
        .messages("warning")
        .join("\n");
    assert!(
        warnings.contains("the 1 minute wall clock cap ended the shard"),
        "{warnings}"
    );
    let judged = &run.job("judge1").summary;
    assert!(judged.contains("over 2 of 2 shards"), "{judged}");
    assert!(
        judged.contains("1 game without a result is left out"),
        "{judged}"
    );
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_plan_that_makes_no_sense_is_refused_before_anything_is_built() {
    let world = world(&STRONGER.0, &STRONGER.1);
    let run = strength(&world).input("elo0", "5").input("elo1", "0").run();
    assert_eq!(run.failed().results(), "plan: failure");
    let errors = run.job("plan").messages("error").join("\n");
    assert!(errors.contains("elo0 must be below elo1"), "{errors}");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn an_engine_that_crashes_loses_and_is_blamed() {
    let crashes = "#!/bin/sh\nwhile read -r line; do case $line in uci) echo id name crash; echo uciok;; isready) echo readyok;; go*) exit 3;; quit) exit;; esac; done\n";
    let world = world(&engine("random"), crashes);
    let run = strength(&world).input("batches", "1").run();
    let judged = run.passed().job("judge1");
    assert_eq!(judged.output("judge", "verdict"), "failed");
    assert!(
        judged.summary.contains("disconnect: 16"),
        "{}",
        judged.summary
    );
}

#[test]
#[ignore = "needs act: run bin/test"]
fn the_same_engine_twice_is_refused() {
    let world = world(&engine("random"), &engine("random"));
    world.files(
        CALLER,
        &[("notes.txt", "nothing that the engine is made of")],
    );
    let run = strength(&world).run();
    assert_eq!(run.failed().results(), "build: failure\nplan: success");
    let errors = run.job("build").messages("error").join("\n");
    assert!(errors.contains("are the same program"), "{errors}");
}

/// A cargo engine that looks no ply ahead, and one that looks two ahead, each with the node count of its bench.
#[test]
#[ignore = "needs act: run bin/test"]
fn a_cargo_engine_is_built_at_two_commits() {
    let world = World::with_mache();
    let source = |file: &str| {
        let path = tools::here().join("cargo-engine").join(file);
        std::fs::read_to_string(path).expect("the engine's source")
    };
    let main = source("src/main.rs");
    let deeper = main.replace("DEPTH: u32 = 0", "DEPTH: u32 = 2");
    let write = |files: &[(&str, &str)], message: &str| {
        world.files(CALLER, files);
        world.git(CALLER, &["commit", "-q", "--amend", "-m", message]);
    };
    write(
        &[
            (".github/workflows/strength.yml", STRENGTH),
            ("build.sh", &examples::text("build-cargo.sh")),
            ("Cargo.toml", &source("Cargo.toml")),
            ("Cargo.lock", &source("Cargo.lock")),
            ("src/main.rs", &main),
        ],
        "Play chess\n\nBench: 20",
    );
    world.git(CALLER, &["tag", "v1.0.0"]);
    write(&[("src/main.rs", &deeper)], "Look ahead\n\nBench: 10209");
    let run = strength(&world).run();
    let built = run.passed().job("build");
    for (step, bench) in [("candidate", "10209"), ("baseline", "20")] {
        assert_eq!(built.output(step, "bench"), bench);
        assert_eq!(built.output(step, "commit_bench"), bench);
    }
    assert_eq!(run.job("judge1").output("judge", "verdict"), "passed");

    write(
        &[("src/main.rs", &deeper.replace("= 2;", "= 1;"))],
        "Look less far\n\nBench: 10209",
    );
    let lies = strength(&world).run();
    assert_eq!(lies.failed().results(), "build: failure\nplan: success");
    let errors = lies.job("build").messages("error").join("\n");
    assert!(
        errors.contains("the message of the commit says 10209"),
        "{errors}"
    );
}

/// An engine in C that hands everything to one of ours.
const IN_C: &str = "\
#include <unistd.h>
int main(void) { return execlp(\"mache\", \"mache\", \"engine\", \"random\", (char *)0); }
";

#[test]
#[ignore = "needs act, make and cmake: run bin/test"]
fn engines_are_built_with_make_and_with_cmake() {
    let world = World::with_mache();
    let makefile = "$(EXE): main.c\n\t$(CC) -DARCH='\"$(ARCH)\"' -o $@ $<\n";
    let lists = "cmake_minimum_required(VERSION 3.16)\nproject(my-engine C)\nadd_executable(my-engine src/main.c)\n";
    world.files(
        CALLER,
        &[
            ("build-make.sh", &examples::text("build-make.sh")),
            ("build-cmake.sh", &examples::text("build-cmake.sh")),
            ("src/main.c", IN_C),
            ("src/Makefile", makefile),
            ("CMakeLists.txt", lists),
        ],
    );
    let steps = "\
- uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
- uses: OWNER/mache/actions/setup@v1
- id: make
  uses: OWNER/mache/actions/build-engine@v1
  with: { build: ./build-make.sh, commit: HEAD, output: made }
- id: cmake
  uses: OWNER/mache/actions/build-engine@v1
  with: { build: ./build-cmake.sh, commit: HEAD, output: cmade }
- run: for engine in made cmade; do echo uci | \"./${engine}\" | grep uciok; done
";
    let run = world.steps_in(CALLER, steps).run();
    let job = run.passed().job("steps");
    for step in ["make", "cmake"] {
        assert_ne!(job.output(step, "size"), "", "{}", job.log());
    }
}
