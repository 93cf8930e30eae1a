//! The repositories that a run may see, and where each `uses:` is found.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::repositories::{commit_of, committable, copy, git, write};
use crate::tools;
use crate::trigger::Trigger;
use crate::uses::{self, Remote};

/// The name under which this tree is found in a world, and in our examples.
pub(crate) const MACHE: &str = "OWNER/mache";

/// Repositories in a folder of their own. Nothing in it comes from outside: an action that is neither in a repository
/// of the world nor a stand-in fails and names itself.
///
/// All runs of a world share its artifacts, each run under its own id, and its caches.
pub(crate) struct World {
    root: Rc<TempDir>,
    runs: Cell<u32>,
}

impl World {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        for folder in ["repositories", "store", "home", "empty"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        Self {
            root: Rc::new(root),
            runs: Cell::new(0),
        }
    }

    /// A world with this tree, as git would commit it, at `v1` of [`MACHE`] and at the version of this tree.
    ///
    /// The program's sources and tests are left out, because every use of an action copies the whole repository: steps
    /// find the program on the path.
    pub(crate) fn with_mache() -> Self {
        let world = Self::new();
        world.copy(MACHE, tools::tree(), needed_by_actions);
        for tag in ["v1", concat!("v", env!("CARGO_PKG_VERSION"))] {
            world.git(MACHE, &["tag", tag]);
        }
        world
    }

    /// Makes the repository `OWNER/NAME` of what git would commit in a folder.
    pub(crate) fn repository(&self, name: &str, source: &Path) {
        self.copy(name, source, |_| true);
    }

    fn copy(&self, name: &str, source: &Path, wanted: fn(&Path) -> bool) {
        let mut files = committable(source);
        files.retain(|file| wanted(file));
        copy(&files, source, &self.folder(name));
        self.commit(name, "Begin");
    }

    /// Writes files into a repository, which is made when it is not there, and commits; the commit's hash.
    pub(crate) fn files(&self, name: &str, files: &[(&str, &str)]) -> String {
        for (file, text) in files {
            write(&self.folder(name).join(file), text);
        }
        self.commit(name, "Change")
    }

    /// Commits what lies in a repository's folder, even nothing new; the commit's hash.
    pub(crate) fn commit(&self, name: &str, message: &str) -> String {
        let folder = self.folder(name);
        if !folder.join(".git").exists() {
            git(&folder, &["init", "-q", "-b", "main"]);
        }
        git(&folder, &["add", "-A", "-f"]);
        git(&folder, &["commit", "-q", "--allow-empty", "-m", message]);
        git(&folder, &["rev-parse", "HEAD"])
    }

    /// Runs git in a repository: tags, branches, and whatever else a scenario needs.
    #[track_caller]
    pub(crate) fn git(&self, name: &str, arguments: &[&str]) -> String {
        git(&self.folder(name), arguments)
    }

    /// The work tree of a repository.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.path("repositories").join(name)
    }

    /// Keeps the world's folder for as long as it is held.
    pub(crate) fn hold(&self) -> Rc<TempDir> {
        Rc::clone(&self.root)
    }

    /// A file or folder of the world's own.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    /// Puts a plain job with a known end and outputs in place of a job, and commits.
    ///
    /// act stops a caller whose called workflow failed, so what the caller does after a failure can only be run this way.
    pub(crate) fn stub_job(
        &self,
        name: &str,
        workflow: &str,
        job: &str,
        result: &str,
        outputs: &[(&str, &str)],
    ) {
        let file = self.folder(name).join(".github/workflows").join(workflow);
        let mut tree = tools::yaml(&file);
        let stub = tree["jobs"][job]
            .as_object_mut()
            .expect("the workflow has that job");
        for key in ["uses", "with", "secrets", "strategy"] {
            stub.remove(key);
        }
        let code = i32::from(result != "success");
        stub.insert("runs-on".into(), json!("ubuntu-latest"));
        stub.insert(
            "outputs".into(),
            json!(BTreeMap::from_iter(outputs.iter().copied())),
        );
        stub.insert("steps".into(), json!([{ "run": format!("exit {code}") }]));
        write(&file, &serde_json::to_string_pretty(&tree).unwrap()); // which is YAML too
        self.commit(name, "Stub a job");
    }

    /// The payload of a pull request from a branch of the repository to `main`, as it stands; `refs/pull/N/head` is made.
    pub(crate) fn pull_request(&self, name: &str, number: u32, branch: &str) -> Value {
        let commit = |reference| self.git(name, &["rev-parse", reference]);
        let head = commit(branch);
        self.git(
            name,
            &["update-ref", &format!("refs/pull/{number}/head"), &head],
        );
        let repository = json!({ "full_name": name, "default_branch": "main" });
        json!({
            "action": "synchronize",
            "number": number,
            "repository": &repository,
            "pull_request": {
                "number": number,
                "draft": false,
                "labels": [],
                "base": { "ref": "main", "sha": commit("main"), "repo": &repository },
                "head": { "ref": branch, "sha": head, "repo": &repository },
            },
        })
    }

    /// A `workflow_dispatch` of one workflow file.
    pub(crate) fn dispatch(&self, name: &str, workflow: &str) -> Trigger<'_> {
        self.event(name, "workflow_dispatch").workflow(workflow)
    }

    /// An event that starts every workflow of a repository that asks for it.
    pub(crate) fn event(&self, name: &str, event: &str) -> Trigger<'_> {
        Trigger::new(self, name, event)
    }

    /// Some steps, as YAML text, in the one job `steps` of an empty repository.
    pub(crate) fn steps(&self, steps: &str) -> Trigger<'_> {
        self.steps_in(&format!("owner/scratch-{}", self.next_run()), steps)
    }

    /// Some steps in the one job `steps` of a workflow that is added to a repository.
    pub(crate) fn steps_in(&self, name: &str, steps: &str) -> Trigger<'_> {
        let indented: String = steps
            .lines()
            .map(|line| format!("      {line}\n"))
            .collect();
        self.files(
            name,
            &[(".github/workflows/steps.yml", &format!("{STEPS}{indented}"))],
        );
        self.dispatch(name, "steps.yml")
    }

    /// The number of the next run, from 1.
    pub(crate) fn next_run(&self) -> u32 {
        self.runs.set(self.runs.get() + 1);
        self.runs.get()
    }

    /// The files of a repository at a ref, as act can run them; `None` if there is no such ref.
    ///
    /// act does not know `uses: $/PATH`, a path in the repository and at the commit of the file that says it, so it is
    /// spelled out here.
    pub(crate) fn export(&self, name: &str, reference: &str) -> Option<PathBuf> {
        let source = self.folder(name);
        let commit = commit_of(&source, reference)?;
        let key = format!("{name}@{reference}-{commit}").replace('/', "-");
        let folder = self.path("exports").join(key);
        if !folder.exists() {
            let is_branch = commit_of(&source, &format!("refs/heads/{reference}")).is_some();
            let branch = if is_branch { reference } else { "main" };
            let (from, to) = (source.to_string_lossy(), folder.to_string_lossy());
            git(
                self.root.path(),
                &["clone", "-q", "--no-checkout", &from, &to],
            );
            git(&folder, &["checkout", "-q", "-B", branch, &commit]);
            git(
                &folder,
                &[
                    "remote",
                    "set-url",
                    "origin",
                    &format!("https://github.com/{name}"),
                ],
            );
            for file in uses::files(&folder) {
                let text = fs::read_to_string(&file).unwrap();
                fs::write(&file, uses::spell_out(&text, name, reference)).unwrap();
            }
        }
        Some(folder)
    }

    /// Where each `OWNER/NAME@REF` that is used in a folder, at any depth, is found.
    pub(crate) fn places(&self, folder: &Path) -> BTreeMap<String, PathBuf> {
        let mut places = BTreeMap::new();
        self.find_places(folder, &mut places);
        places
    }

    fn find_places(&self, folder: &Path, places: &mut BTreeMap<String, PathBuf>) {
        for file in uses::files(folder) {
            for remote in uses::remotes(&fs::read_to_string(&file).unwrap()) {
                let key = remote.key();
                if places
                    .get(&key)
                    .is_some_and(|at| !at.starts_with(self.path("missing")))
                {
                    continue;
                }
                if let Some(export) = self.export_of(&remote) {
                    places.insert(key, export.clone());
                    self.find_places(&export, places);
                } else {
                    places.insert(
                        key,
                        stand_in(&remote).unwrap_or_else(|| self.missing(&remote)),
                    );
                }
            }
        }
    }

    fn export_of(&self, remote: &Remote) -> Option<PathBuf> {
        let known = self.folder(&remote.repository).exists();
        known.then(|| self.export(&remote.repository, &remote.reference))?
    }

    /// In place of what is not at hand: an action or workflow that fails and names itself.
    fn missing(&self, remote: &Remote) -> PathBuf {
        let folder = self.path("missing").join(remote.key().replace('/', "-"));
        let used = format!("{}/{}@{}", remote.repository, remote.path, remote.reference)
            .replace("/@", "@");
        let run = format!("echo \"::error::No repository and no stand-in for {used}\" && exit 1");
        if remote.path.starts_with(".github/workflows/") {
            let job = json!({ "runs-on": "ubuntu-latest", "steps": [{ "run": run }] });
            let workflow = json!({ "on": "workflow_call", "jobs": { "missing": job } });
            write(&folder.join(&remote.path), &workflow.to_string());
        } else {
            let runs = json!({ "using": "composite", "steps": [{ "run": run, "shell": "bash" }] });
            let action = json!({ "name": "missing", "description": "Not at hand", "runs": runs });
            write(
                &folder.join(&remote.path).join("action.yml"),
                &action.to_string(),
            );
        }
        folder
    }
}

fn needed_by_actions(file: &Path) -> bool {
    let left_out = ["src", "benches", "tests"]
        .iter()
        .any(|folder| file.starts_with(folder));
    !left_out || file.starts_with("tests/actions/engine")
}

fn stand_in(remote: &Remote) -> Option<PathBuf> {
    let folder = tools::here().join("stand-ins").join(&remote.repository);
    folder.exists().then_some(folder)
}

/// All events start it, so that a test may choose.
const STEPS: &str = "\
name: steps
on:
  workflow_dispatch:
  push:
  pull_request:
  pull_request_target:
  release:
  issue_comment:
  workflow_run: { workflows: [any] }
  schedule: [{ cron: 0 0 1 1 * }]
jobs:
  steps:
    runs-on: ubuntu-latest
    steps:
";
