//! An engine's repository that calls the reusable workflows, from its builds to its summaries.

use std::sync::LazyLock;

use crate::run::Run;
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
      continue: { type: string, default: '' }
      max_runs: { type: string, default: '1' }
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
      continue: ${{ inputs.continue }}
      max_runs: ${{ fromJSON(inputs.max_runs) }}
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
    println!("{}", run.story());
    for job in ["plan", "build", "judge1", "result"] {
        println!("== {job}\n{}", run.job(job).summary);
    }
    println!("{}", run.artifacts());
}
