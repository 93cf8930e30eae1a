//! A step of a workflow, run as a runner runs it: settings in the environment, outputs and summary in files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::program::{Answer, Place};

/// What a step left behind.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) answer: Answer,
    pub(crate) outputs: BTreeMap<String, String>,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) summary: String,
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
        for line in self.answer.stdout.lines().chain(self.answer.stderr.lines()) {
            let command = line.trim_start().starts_with("::");
            let known = ours.iter().any(|ours| line.starts_with(ours));
            assert!(!command || known, "{line}");
            assert!(!line.contains("##[") && !line.contains('\u{1b}'), "{line}");
        }
    }

    /// The annotations of a level, without their title.
    pub(crate) fn said(&self, level: &str) -> Vec<&str> {
        let lines = self.answer.stderr.lines();
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
        assert_eq!(
            self.answer.code, code,
            "{}{}",
            self.answer.stdout, self.answer.stderr
        );
        self
    }

    /// An output; it has to be there.
    #[track_caller]
    pub(crate) fn output(&self, key: &str) -> &str {
        self.outputs
            .get(key)
            .unwrap_or_else(|| panic!("no output {key}: {self:?}"))
    }

    /// A setting of the plan put out; empty when it is not there.
    #[track_caller]
    pub(crate) fn planned(&self, key: &str) -> String {
        let plan: BTreeMap<String, String> =
            serde_json::from_str(self.output("plan")).expect("the plan is texts by name");
        plan.get(key).cloned().unwrap_or_default()
    }

    /// The exit code and what was said, when nothing was put out.
    #[track_caller]
    pub(crate) fn refusal(&self) -> String {
        assert!(self.outputs.is_empty(), "{self:?}");
        assert_eq!(self.answer.stdout, "");
        format!("{}: {}", self.answer.code, self.answer.stderr)
    }
}

impl Place {
    /// Runs `mache ci WORDS…` as a step, with these variables.
    #[track_caller]
    pub(crate) fn step(&self, words: &[&str], variables: &[(&str, &str)]) -> Step {
        self.step_in(&self.path(""), words, variables)
    }

    /// The same, started in another folder.
    #[track_caller]
    pub(crate) fn step_in(
        &self,
        folder: &Path,
        words: &[&str],
        variables: &[(&str, &str)],
    ) -> Step {
        let files = ["outputs.txt", "environment.txt", "summary.md"];
        for file in files {
            self.write(file, "");
        }
        let [outputs, environment, summary] = files.map(|file| self.path(file));
        let output = self
            .program()
            .current_dir(folder)
            .arg("ci")
            .args(words)
            .env("GITHUB_OUTPUT", outputs)
            .env("GITHUB_ENV", environment)
            .env("GITHUB_STEP_SUMMARY", summary)
            .envs(variables.iter().copied())
            .output()
            .expect("the program starts");
        let step = Step {
            answer: Answer {
                code: output.status.code().expect("no signal ended it"),
                stdout: String::from_utf8(output.stdout).expect("it prints UTF-8"),
                stderr: String::from_utf8(output.stderr).expect("it prints UTF-8"),
            },
            outputs: read(&self.read("outputs.txt")),
            environment: read(&self.read("environment.txt")),
            summary: self.read("summary.md"),
        };
        step.commands_nothing_strange();
        step
    }
}

/// Runs `mache ci NAME` in a run of a workflow, with these inputs, `input=value`.
#[track_caller]
pub(crate) fn step(place: &Place, name: &str, inputs: &[&str]) -> Step {
    let pairs = inputs
        .iter()
        .map(|input| input.split_once('=').expect("input=value"));
    let named: Vec<(String, &str)> = pairs
        .map(|(key, value)| (format!("MACHE_{}", key.to_uppercase()), value))
        .collect();
    let mut variables = vec![("GITHUB_ACTIONS", "true")];
    variables.extend(named.iter().map(|(key, value)| (key.as_str(), *value)));
    place.step(&[name], &variables)
}

/// Reads a file of outputs as a runner does.
fn read(text: &str) -> BTreeMap<String, String> {
    let (mut found, mut lines) = (BTreeMap::new(), text.lines());
    while let Some(line) = lines.next() {
        let (key, delimiter) = line.split_once("<<").expect("a key and its delimiter");
        let value: Vec<&str> = lines
            .by_ref()
            .take_while(|line| *line != delimiter)
            .collect();
        let before = found.insert(key.to_owned(), value.join("\n"));
        assert_eq!(before, None, "{key} is put out twice");
    }
    found
}
