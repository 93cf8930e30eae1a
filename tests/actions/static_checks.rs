//! Workflows, actions and scripts, checked without running them; and each tool on a mistake that it has to find.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::Ended;
use crate::repositories::{committable, copy, git, write};
use crate::tools;
use crate::uses;
use crate::world::MACHE;

/// Files to check, in a git repository of their own, because the linters find `$/` from the root of one.
struct Checked {
    root: TempDir,
    /// `OWNER/NAME`.
    name: &'static str,
    /// Other repositories whose actions and workflows are used.
    others: Vec<(&'static str, PathBuf)>,
}

impl Checked {
    fn new(name: &'static str, source: &Path, wanted: impl Fn(&Path) -> bool) -> Self {
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        let mut files = committable(source);
        files.retain(|file| wanted(file));
        copy(&files, source, root.path());
        git(root.path(), &["init", "-q"]);
        Self {
            root,
            name,
            others: Vec::new(),
        }
    }

    /// This tree without its tests. A workflow among the examples is checked as `.github/workflows/example-NAME`.
    fn tree() -> Self {
        let checked = Self::new(MACHE, tools::tree(), |file| !file.starts_with("tests"));
        let examples = checked.root.path().join("examples");
        for entry in fs::read_dir(examples)
            .into_iter()
            .flatten()
            .map(Result::unwrap)
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".yml") {
                let folder = checked.root.path().join(".github/workflows");
                fs::rename(entry.path(), folder.join(format!("example-{name}"))).unwrap();
            }
        }
        checked
    }

    fn fixture(name: &'static str, folder: &str) -> Self {
        Self::new(name, &tools::here().join("fixture").join(folder), |_| true)
    }

    fn tool() -> Self {
        Self::fixture("owner/tool", "tool")
    }

    fn caller() -> Self {
        let mut caller = Self::fixture("someone/engine", "caller");
        caller
            .others
            .push(("owner/tool", tools::here().join("fixture/tool")));
        caller
    }

    /// Plants a mistake.
    #[track_caller]
    fn with(self, file: &str, right: &str, wrong: &str) -> Self {
        let path = self.root.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(right), "{file} has no {right}");
        fs::write(path, text.replacen(right, wrong, 1)).unwrap();
        self
    }

    fn files(&self, wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
        let mut files = uses::files(self.root.path());
        files.retain(|file| wanted(file));
        files
    }

    /// A tool, to be run at the root.
    fn command(&self, tool: &str) -> Command {
        let mut command = Command::new(tools::path(tool));
        command.current_dir(self.root.path());
        command
    }
}

/// What a tool found; empty if all is well.
fn findings(ended: &Ended) -> String {
    if ended.code == Some(0) {
        String::new()
    } else {
        format!("exit code {:?}\n{}\n", ended.code, ended.text())
    }
}

fn actionlint(checked: &Checked) -> Command {
    let mut command = checked.command("actionlint");
    command
        .args(["-no-color", "-pyflakes=", "-shellcheck"])
        .arg(tools::path("shellcheck"));
    command
}

/// actionlint on the workflows.
fn workflows(checked: &Checked) -> String {
    let files = checked.files(uses::is_workflow);
    if files.is_empty() {
        return String::new();
    }
    findings(&tools::look(actionlint(checked).args(files)))
}

/// actionlint on the composite actions, whose steps it does not read by itself: each is written out as a workflow beside it.
fn actions(checked: &Checked) -> String {
    let files = checked.files(uses::is_action);
    if files.is_empty() {
        return String::new();
    }
    let write_out = |(action, tree): (&PathBuf, &Value)| {
        let workflow = serde_json::to_string_pretty(&as_workflow(tree)).expect("it is JSON");
        let file = action.with_file_name("action-as-workflow.yml");
        write(&file, &workflow);
        file
    };
    let trees = tools::yaml_files(&files);
    let workflows = files.iter().zip(&trees).map(write_out);
    findings(&tools::look(actionlint(checked).args(workflows)))
}

/// A composite action as a workflow of one job.
fn as_workflow(action: &Value) -> Value {
    assert_eq!(action["runs"]["using"], "composite", "{action:#}");
    let empty = serde_json::Map::new();
    let of = |key: &str| action[key].as_object().unwrap_or(&empty).clone();
    let input =
        |input: Value| json!({ "type": "string", "required": input["required"] == json!(true) });
    let inputs: Value = of("inputs")
        .into_iter()
        .map(|(name, value)| (name, input(value)))
        .collect();
    let outputs: Value = of("outputs")
        .into_iter()
        .map(|(name, o)| (name, o["value"].clone()))
        .collect();
    let steps = &action["runs"]["steps"];
    json!({
        "on": { "workflow_call": { "inputs": inputs } },
        "permissions": {},
        "jobs": { "action": { "runs-on": "ubuntu-latest", "outputs": outputs, "steps": steps } },
    })
}

/// zizmor at its strictest; what is allowed, and why, stands in `.github/zizmor.yml`.
fn zizmor(checked: &Checked) -> String {
    let mut command = checked.command("zizmor");
    command.args([
        "--offline",
        "--no-progress",
        "--quiet",
        "--color=never",
        "--persona=auditor",
        ".",
    ]);
    findings(&tools::look(&mut command))
}

/// GitHub's own parser and language service.
fn github(checked: &Checked) -> String {
    let mut command = tools::node("gh-validate.mjs");
    command.arg(checked.root.path()).arg(checked.name);
    command.args(
        checked
            .others
            .iter()
            .map(|(name, at)| format!("{name}={}", at.display())),
    );
    findings(&tools::look(&mut command))
}

/// shellcheck on every shell script.
fn scripts(checked: &Checked) -> String {
    let is_script = |file: &PathBuf| {
        let bytes = fs::read(checked.root.path().join(file)).unwrap_or_default();
        let first = bytes
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        first.starts_with(b"#!") && (first.ends_with(b"sh"))
    };
    let mut files = committable(checked.root.path());
    files.retain(is_script);
    if files.is_empty() {
        return String::new();
    }
    findings(&tools::look(checked.command("shellcheck").args(files)))
}

const ALL: [fn(&Checked) -> String; 5] = [workflows, actions, zizmor, github, scripts];

fn everything(checked: &Checked) -> String {
    ALL.iter().map(|check| check(checked)).collect()
}

#[test]
#[ignore = "needs the linters: run bin/test"]
fn this_tree() {
    let checked = Checked::tree();
    assert!(!uses::files(checked.root.path()).is_empty());
    assert_eq!(everything(&checked), "");
}

/// What zizmor may pass over has a reason beside it.
#[test]
fn what_is_allowed_has_a_reason() {
    let text = fs::read_to_string(tools::tree().join(".github/zizmor.yml")).unwrap_or_default();
    assert_eq!(without_reason(&text), Vec::<&str>::new());
}

fn without_reason(settings: &str) -> Vec<&str> {
    let allows = |line: &&str| {
        let line = line.trim();
        let words = ["- ", "disable:", "\""];
        words.iter().any(|word| line.starts_with(word))
    };
    settings
        .lines()
        .filter(allows)
        .filter(|line| !line.contains(" # "))
        .collect()
}

#[test]
fn an_exception_without_a_reason_is_found() {
    let settings = "rules:\n  unpinned-uses:\n    ignore:\n      - a.yml # ours\n      - b.yml\n    config:\n      policies:\n        \"*\": any\n";
    assert_eq!(
        without_reason(settings),
        ["      - b.yml", "        \"*\": any"]
    );
}

#[test]
#[ignore = "needs the linters: run bin/test"]
fn the_fixture_is_clean() {
    assert_eq!(everything(&Checked::tool()), "");
    let caller = Checked::caller();
    let found = workflows(&caller) + &github(&caller); // it uses a tag, as callers do
    assert_eq!(found, "");
}

#[track_caller]
fn assert_found(check: fn(&Checked) -> String, in_this: &Checked, words: &str) {
    let found = check(in_this);
    assert!(found.contains(words), "not found: {words}; but {found:?}");
}

const MATCH: &str = ".github/workflows/match.yml";
const ACTION: &str = "actions/split/action.yml";

#[test]
#[ignore = "needs the linters: run bin/test"]
fn actionlint_finds_mistakes_in_workflows() {
    let label = Checked::tool().with(MATCH, "ubuntu-24.04", "ubuntu-24.4");
    assert_found(workflows, &label, "label \"ubuntu-24.4\" is unknown");
    let shell = Checked::tool().with(MATCH, "mkdir -p games", "mkdir -p $games");
    assert_found(workflows, &shell, "SC2086");
    let output = Checked::tool().with(
        MATCH,
        "needs.plan.outputs.shards",
        "needs.plan.outputs.shard",
    );
    assert_found(workflows, &output, "\"shard\" is not defined");
}

#[test]
#[ignore = "needs the linters: run bin/test"]
fn actionlint_finds_mistakes_in_actions() {
    let input = Checked::tool().with(ACTION, "inputs.pairs", "inputs.pears");
    assert_found(actions, &input, "\"pears\" is not defined");
    let step = Checked::tool().with(ACTION, "steps.split.outputs", "steps.splitt.outputs");
    assert_found(actions, &step, "\"splitt\" is not defined");
    let shell = Checked::tool().with(ACTION, "\"${GITHUB_ACTION_PATH:?}/run.sh\"", "$PAIRS");
    assert_found(actions, &shell, "SC2086");
}

#[test]
#[ignore = "needs the linters: run bin/test"]
fn zizmor_finds_what_is_unsafe() {
    let injected = Checked::tool().with(ACTION, "run: bash", "run: echo ${{ inputs.pairs }}; bash");
    assert_found(zizmor, &injected, "template-injection");
    let kept = Checked::tool().with(
        MATCH,
        "persist-credentials: false",
        "persist-credentials: true",
    );
    assert_found(zizmor, &kept, "artipacked");
    let unpinned = Checked::tool().with(
        MATCH,
        "checkout@3d3c42e5aac5ba805825da76410c181273ba90b1",
        "checkout@v7",
    );
    assert_found(zizmor, &unpinned, "unpinned-uses");
}

#[test]
#[ignore = "needs the linters: run bin/test"]
fn zizmor_heeds_our_settings() {
    let kept = Checked::tool().with(
        MATCH,
        "persist-credentials: false",
        "persist-credentials: true",
    );
    let settings = "rules:\n  artipacked:\n    ignore:\n      - match.yml # to be seen\n";
    fs::write(kept.root.path().join(".github/zizmor.yml"), settings).unwrap();
    assert_eq!(zizmor(&kept), "");
}

#[test]
#[ignore = "needs the linters: run bin/test"]
fn githubs_parser_finds_names_that_are_not_there() {
    let input = Checked::tool().with(MATCH, "if-no-files-found", "if-no-files");
    assert_found(github, &input, "if-no-files");
    let action = Checked::tool().with(MATCH, "$/actions/split", "$/actions/spilt");
    assert_found(github, &action, "spilt");
    let called = Checked::caller().with(".github/workflows/weekly.yml", "pairs: 4", "pears: 4");
    assert_found(github, &called, "pears");
    let output = Checked::tool().with(
        MATCH,
        "steps.split.outputs.shards",
        "steps.split.outputs.shard",
    );
    assert_found(github, &output, "shard");
}

#[test]
#[ignore = "needs the linters: run bin/test"]
fn shellcheck_finds_mistakes_in_scripts() {
    let script = Checked::tool().with("actions/split/run.sh", "$((SHARDS - 1))", "$SHARDS");
    assert_found(scripts, &script, "SC2086");
}
