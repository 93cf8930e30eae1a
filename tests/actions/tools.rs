//! The tools that `bin/install-test-tools` installs.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::process::{self, Ended};

/// The root of this tree.
pub(crate) fn tree() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// This folder.
pub(crate) fn here() -> PathBuf {
    tree().join("tests/actions")
}

/// The folder that holds the program under test.
pub(crate) fn programs() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_mache"))
        .parent()
        .expect("a program lies in a folder")
}

/// Where a tool is installed; fails the test when it is not.
pub(crate) fn path(name: &str) -> PathBuf {
    installed(&format!("venv/bin/{name}"))
}

/// One of our scripts over GitHub's own libraries.
pub(crate) fn node(script: &str) -> Command {
    let scripts = here().join("node");
    let packages = installed("node/node_modules");
    let mut command = Command::new("node");
    command
        .env(
            "MACHE_NODE_PACKAGES",
            packages.parent().expect("it lies in `node`"),
        )
        .arg("--import")
        .arg(scripts.join("hook.mjs"))
        .arg(scripts.join(script));
    command
}

/// Asks such a script, on a text; fails the test if the script fails.
#[track_caller]
pub(crate) fn ask(command: &mut Command, input: &str) -> Value {
    let ended = process::fed(command, input);
    assert_eq!(ended.code, Some(0), "{command:?}: {}", ended.text());
    serde_json::from_str(&ended.out.concat()).expect("the script prints JSON")
}

/// What YAML files say.
#[track_caller]
pub(crate) fn yaml_files(files: &[PathBuf]) -> Vec<Value> {
    let answer = ask(node("yaml-to-json.mjs").args(files), "");
    serde_json::from_value(answer).expect("the script prints a list")
}

/// What a YAML file says.
#[track_caller]
pub(crate) fn yaml(file: &Path) -> Value {
    yaml_files(&[file.to_owned()]).swap_remove(0)
}

/// Runs a tool that only looks at files.
pub(crate) fn look(command: &mut Command) -> Ended {
    let ended = process::watch(command, process::SHORT, |_| false);
    assert!(!ended.out_of_time, "{command:?} does not end");
    ended
}

fn installed(below: &str) -> PathBuf {
    let path = tree().join("target/tools").join(below);
    assert!(
        path.exists(),
        "{} is missing: run bin/install-test-tools",
        path.display()
    );
    path
}
