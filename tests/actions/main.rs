//! Runs actions and workflows for real on this machine, with no network, and checks them without running them.
//!
//! Tests that start a tool are ignored by a plain `cargo test`, because the tools have to be installed first: `bin/test`
//! does both. There a missing tool fails them.

#![cfg(target_os = "linux")] // jobs run on the host
#![allow(clippy::unwrap_used)] // a test that panics has failed as it should

mod conditions;
mod fixture;
mod log;
mod process;
mod repositories;
mod run;
mod stand_ins;
mod static_checks;
mod tools;
mod trigger;
mod uses;
mod world;
