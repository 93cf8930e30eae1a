//! Runs actions and workflows for real on this machine, with no network, and checks them without running them.
//!
//! Tests that start a tool are ignored by a plain `cargo test`, because the tools have to be installed first: `bin/test`
//! does both. There a missing tool fails them.
//!
//! A scenario makes a world, starts something in it and looks at what came of it:
//!
//! ```ignore
//! let world = World::with_mache(); // this tree is OWNER/mache, as in our examples
//! world.files("someone/engine", &[(".github/workflows/test.yml", WORKFLOW), ("engine.sh", ENGINE)]);
//! let run = world.dispatch("someone/engine", "test.yml").input("games", 8).env("BREAK_SHARD", 1).run();
//! assert_eq!(run.failed().results(), "judge: success\nplan: success\nplay: failure success");
//! let again = world.dispatch("someone/engine", "test.yml").input("games", 8).matrix("shard", 1).again(&run).run();
//! assert_eq!(again.passed().job("judge").output("judge", "verdict"), "passed");
//! ```
//!
//! `world.steps("- uses: OWNER/mache/actions/setup@v1\n")` runs one action alone. What act cannot play out (what a caller
//! does after a called workflow failed, a cancelled run) is asked of GitHub's evaluator in `conditions`.

#![cfg(target_os = "linux")] // jobs run on the host
#![allow(clippy::unwrap_used)] // a test that panics has failed as it should

mod conditions;
mod examples;
mod fixture;
mod log;
mod match_of_a_caller;
mod own;
mod process;
mod pull_request;
mod repositories;
mod run;
mod setup;
mod stand_ins;
mod static_checks;
#[path = "../../src/ci/test_server.rs"]
mod test_server;
mod tools;
mod trigger;
mod uses;
mod world;
