//! Steps of a workflow, run as a runner does: inputs in the environment, outputs and summary in files.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::matches::scripted_engine;
use crate::play::MACHE;
use crate::program::Place;

/// What a step left behind.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) outputs: BTreeMap<String, String>,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) summary: String,
}

/// Runs `mache ci NAME` with these inputs, `input=value`, as a step of a workflow.
#[track_caller]
pub(crate) fn step(place: &Place, name: &str, inputs: &[&str]) -> Step {
    let files =
        ["outputs", "environment", "summary"].map(|file| place.path(format!("step-{file}")));
    for file in &files {
        fs::write(file, "").expect("written");
    }
    let mut program = place.program();
    program
        .args(["ci", name])
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_OUTPUT", &files[0])
        .env("GITHUB_ENV", &files[1])
        .env("GITHUB_STEP_SUMMARY", &files[2]);
    for input in inputs {
        let (key, value) = input.split_once('=').expect("input=value");
        program.env(format!("MACHE_{}", key.to_uppercase()), value);
    }
    let output = program.output().expect("the program starts");
    let [outputs, environment, summary] =
        files.map(|file| fs::read_to_string(file).expect("it is there"));
    let step = Step {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).expect("it prints UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("it prints UTF-8"),
        outputs: values(&outputs),
        environment: values(&environment),
        summary,
    };
    step.commands_nothing_strange();
    step
}

/// Reads outputs as a runner does.
fn values(text: &str) -> BTreeMap<String, String> {
    let (mut found, mut lines) = (BTreeMap::new(), text.lines());
    while let Some(line) = lines.next() {
        let (key, delimiter) = line.split_once("<<").expect("a key and its delimiter");
        let value: Vec<&str> = lines
            .by_ref()
            .take_while(|line| *line != delimiter)
            .collect();
        found.insert(key.to_owned(), value.join("\n"));
    }
    found
}

impl Step {
    /// A log acts on lines that begin with `::` and on `##[` anywhere; ours are annotations and nothing else.
    #[track_caller]
    fn commands_nothing_strange(&self) {
        let ours = [
            "::notice title=mache",
            "::warning title=mache",
            "::error title=mache",
        ];
        for line in self.stdout.lines().chain(self.stderr.lines()) {
            let command = line.trim_start().starts_with("::");
            let known = ours.iter().any(|ours| line.starts_with(ours));
            assert!(!command || known, "{line}");
            assert!(!line.contains("##[") && !line.contains('\u{1b}'), "{line}");
        }
    }

    /// The annotations of a level, without their title.
    pub(crate) fn said(&self, level: &str) -> Vec<&str> {
        let lines = self.stderr.lines();
        lines
            .filter_map(|line| {
                line.strip_prefix(&format!("::{level} title="))?
                    .split_once("::")
            })
            .map(|(_, text)| text)
            .collect()
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub(crate) fn output(&self, key: &str) -> &str {
        self.outputs
            .get(key)
            .unwrap_or_else(|| panic!("no output {key}"))
    }
}

/// An engine as one file that nobody may run yet, as artifacts are.
pub(crate) fn engine(place: &Place, file: &str, command: &str) {
    place.write(file, format!("#!/bin/sh\nexec {command}\n"));
    let mode = fs::Permissions::from_mode(0o644);
    fs::set_permissions(place.path(file), mode).expect("ours");
}

/// An engine inside the program.
pub(crate) fn embedded(kind: &str) -> String {
    format!("'{MACHE}' engine {kind} --seed 1")
}

/// An engine that misbehaves.
pub(crate) fn scripted(arguments: &str) -> String {
    format!("'{}' {arguments}", scripted_engine().display())
}
