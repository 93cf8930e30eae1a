//! Our own workflows that can be played here, and a gauntlet of a caller.

use crate::tools;
use crate::world::World;

#[test]
#[ignore = "needs act: run bin/test"]
fn every_action_does_and_refuses_what_it_should() {
    let world = World::with_mache();
    let run = world.dispatch("OWNER/mache", "selftest.yml").run();
    assert_eq!(run.passed().results(), "actions: success");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_gauntlet_rates_an_engine() {
    let world = World::with_mache();
    let table = tools::here().join("engine/opponents.sh");
    let table = std::fs::read_to_string(table).expect("a table of opponents");
    let workflow = "\
name: gauntlet
on: workflow_dispatch
permissions: {}
jobs:
  gauntlet:
    permissions: { contents: read }
    uses: OWNER/mache/.github/workflows/calibrate.yml@v1
    with:
      engine_name: mine
      build: ./build.sh
      ladder: 'random:v1:800, greedy:v1:900'
      games: 12
      time_control: 10+0.1
      scale: our own list
      runner: built-in
      book: embedded
      concurrency: 1
      seed: 7
";
    let build = "#!/bin/sh\nset -e\nprintf '#!/bin/sh\\nexec mache engine greedy --seed 3\\n' >\"$2\"\nchmod +x \"$2\"\n";
    let files = [
        (".github/workflows/gauntlet.yml", workflow),
        ("build.sh", build),
        ("scripts/opponent.sh", &table),
    ];
    world.files("some/engine", &files);
    let run = world.dispatch("some/engine", "gauntlet.yml").run();
    assert_eq!(
        run.passed().results(),
        "build: success\nestimate: success\nplan: success\nplay: success success"
    );
    let estimate = run.job("estimate");
    let line = estimate.output("estimate", "line");
    assert!(line.starts_with("Estimated rating | "), "{line}");
    assert!(line.contains("our own list"), "{line}");
    let summary = &estimate.summary;
    assert!(summary.contains("### Rating estimate"), "{summary}");
    assert!(summary.contains("2 of 2 rungs"), "{summary}");
}

#[test]
#[ignore = "needs act: run bin/test"]
fn games_that_are_there_are_pooled_by_the_root_action() {
    let steps = "\
- run: >-
    mache play --runner built-in --nodes 1 --pairs 8 --concurrency 1 --out games/one
    --engine name=new,cmd=mache,args='engine minimax' --engine name=old,cmd=mache,args='engine random'
- id: pool
  uses: OWNER/mache@v1
  with:
    pgn: games/**/*.pgn
    candidate: new
    baseline: old
    sprt: true
    elo1: 200
- id: nothing
  continue-on-error: true
  uses: OWNER/mache@v1
  with: { pgn: none/*.pgn, candidate: new, baseline: old }
- run: '[ ${{ steps.pool.outputs.verdict }}-${{ steps.nothing.outcome }} = passed-failure ]'
";
    let run = World::with_mache().steps(steps).run();
    let job = run.passed().job("steps");
    assert_eq!(job.output("pool", "carried"), "0,0,0,0,8");
    assert!(
        job.summary.contains("**SPRT [0, 200] passed**"),
        "{}",
        job.summary
    );
}
