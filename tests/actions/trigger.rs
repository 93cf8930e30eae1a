//! An event that starts workflows, and the command of act that plays it out.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::log;
use crate::process;
use crate::repositories::write;
use crate::run::Run;
use crate::tools;
use crate::world::World;

/// A step on GitHub has no terminal, and one of a composite action sees no `INPUT_` variables; under act they have both.
/// This takes most of the difference away.
const BASH_ENV: &str = "if [ -t 0 ]; then exec < /dev/null; fi\nunset \"${!INPUT_@}\"\n";

const NO_TERMINAL: [(&str, &str); 5] = [
    ("TERM", "dumb"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("NO_COLOR", "1"),
    ("CARGO_TERM_COLOR", "never"),
];

const ALWAYS: [&str; 11] = [
    "--json",
    "--rm",
    "--no-cache-server",
    "--no-skip-checkout",
    "--action-offline-mode",
    "--defaultbranch",
    "main",
    "--actor",
    "tester",
    "-s",
    "GITHUB_TOKEN=no-token",
];

/// Jobs with these labels run on this machine; those with another leave no trace.
const LABELS: [&str; 3] = ["ubuntu-latest", "ubuntu-24.04", "ubuntu-22.04"];

/// What steps see of the environment of the tests.
const HANDED_ON: [&str; 6] = [
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "USER",
    "RUSTUP_TOOLCHAIN",
    "LD_LIBRARY_PATH",
];

/// An event about to start workflows; nothing happens before [`Trigger::run`].
#[must_use]
pub(crate) struct Trigger<'w> {
    world: &'w World,
    repository: String,
    event: String,
    reference: String,
    workflow: Option<String>,
    payload: Value,
    inputs: Map<String, Value>,
    env: Vec<(String, String)>,
    /// Words for act.
    words: Vec<String>,
    run_id: Option<u32>,
    attempt: u32,
    limit: Duration,
    cancel_after: Option<Duration>,
    cancel_on: Option<String>,
}

impl<'w> Trigger<'w> {
    pub(crate) fn new(world: &'w World, repository: &str, event: &str) -> Self {
        Self {
            world,
            repository: repository.to_owned(),
            event: event.to_owned(),
            reference: "HEAD".to_owned(),
            workflow: None,
            payload: json!({}),
            inputs: Map::new(),
            env: Vec::new(),
            words: Vec::new(),
            run_id: None,
            attempt: 1,
            limit: Duration::from_secs(120),
            cancel_after: None,
            cancel_on: None,
        }
    }

    /// Another event than the one it was made for.
    pub(crate) fn on(mut self, event: &str) -> Self {
        self.event = event.to_owned();
        self
    }

    /// Runs only this file of `.github/workflows`.
    pub(crate) fn workflow(mut self, file: &str) -> Self {
        self.workflow = Some(file.to_owned());
        self
    }

    /// The branch, tag or commit to run at, instead of the one checked out in the repository's folder.
    pub(crate) fn at(mut self, reference: &str) -> Self {
        self.reference = reference.to_owned();
        self
    }

    /// `github.event`.
    pub(crate) fn payload(mut self, payload: Value) -> Self {
        self.payload = payload;
        self
    }

    /// An input of a dispatch; each arrives as text.
    pub(crate) fn input(mut self, name: &str, value: impl ToString) -> Self {
        self.inputs
            .insert(name.to_owned(), Value::String(value.to_string()));
        self
    }

    /// A variable of the environment of every step, which is how a test breaks one shard on purpose.
    pub(crate) fn env(mut self, name: &str, value: impl ToString) -> Self {
        self.env.push((name.to_owned(), value.to_string()));
        self
    }

    /// `vars.NAME`.
    pub(crate) fn variable(self, name: &str, value: &str) -> Self {
        self.words(["--var", &format!("{name}={value}")])
    }

    /// Where `github.api_url` points, which is how a test answers in place of GitHub.
    pub(crate) fn api(self, url: &str) -> Self {
        self.words(["--env", &format!("GITHUB_API_URL={url}")])
    }

    /// `secrets.NAME`.
    pub(crate) fn secret(self, name: &str, value: &str) -> Self {
        self.words(["-s", &format!("{name}={value}")])
    }

    /// Runs one job, and those it needs.
    pub(crate) fn job(self, id: &str) -> Self {
        self.words(["-j", id])
    }

    /// Of jobs with this key in their matrix, runs the entry with this value only.
    pub(crate) fn matrix(self, key: &str, value: impl ToString) -> Self {
        self.words(["--matrix", &format!("{key}:{}", value.to_string())])
    }

    /// Makes it the next attempt of a run: the same run id, so that the artifacts of the earlier attempts are there.
    pub(crate) fn again(mut self, run: &Run) -> Self {
        self.run_id = Some(run.id);
        self.attempt = run.attempt + 1;
        self
    }

    /// How long the run may take, two minutes if not said; one that takes longer is interrupted and fails the test.
    pub(crate) fn within(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Cancels the run after a while.
    pub(crate) fn cancel_after(mut self, time: Duration) -> Self {
        self.cancel_after = Some(time);
        self
    }

    /// Cancels the run once a step prints a line with this text.
    pub(crate) fn cancel_on(mut self, text: &str) -> Self {
        self.cancel_on = Some(text.to_owned());
        self
    }

    fn words<const N: usize>(mut self, words: [&str; N]) -> Self {
        self.words.extend(words.map(str::to_owned));
        self
    }

    /// Runs it to its end.
    #[track_caller]
    pub(crate) fn run(self) -> Run {
        let id = self.run_id.unwrap_or_else(|| self.world.next_run());
        let limit = self.cancel_after.unwrap_or(self.limit);
        let ended = process::watch(&mut self.command(id), limit, |line| self.cancels(line));
        let (jobs, mut errors) = log::read(&ended.out);
        errors.extend(ended.err.iter().filter(|line| !is_remark(line)).cloned());
        let run = Run {
            code: ended.code.unwrap_or(-1),
            errors,
            jobs,
            id,
            attempt: self.attempt,
            world: self.world.hold(),
        };
        let in_time = !ended.out_of_time || self.cancel_after.is_some();
        assert!(in_time, "not over after {limit:?}\n{}", run.story());
        run
    }

    fn cancels(&self, line: &str) -> bool {
        let Some(text) = &self.cancel_on else {
            return false;
        };
        let record: Value = serde_json::from_str(line).unwrap_or_default();
        record["raw_output"] == true
            && record["msg"]
                .as_str()
                .is_some_and(|printed| printed.contains(text))
    }

    #[track_caller]
    fn command(&self, run_id: u32) -> Command {
        let folder = self.folder();
        let mut act = Command::new(tools::path("act"));
        act.arg(&self.event).arg("-C").arg(&folder);
        act.arg("-e").arg(self.event_file(run_id));
        act.args(ALWAYS);
        act.arg("--action-cache-path").arg(self.world.path("work"));
        for kind in ["env", "secret", "var", "input"] {
            // Or act reads .env, .secrets and so on of the repository.
            act.arg(format!("--{kind}-file"));
            act.arg(self.world.path("none"));
        }
        for (name, value) in [
            ("ID", run_id),
            ("NUMBER", run_id),
            ("ATTEMPT", self.attempt),
        ] {
            act.arg("--env").arg(format!("GITHUB_RUN_{name}={value}"));
        }
        if let Some(file) = &self.workflow {
            let path = format!(".github/workflows/{file}");
            act.arg("-W").arg(&path).arg("--env");
            let branch = self.reference.replace("HEAD", "main");
            act.arg(format!(
                "GITHUB_WORKFLOW_REF={}/{path}@refs/heads/{branch}",
                self.repository
            ));
        }
        for label in LABELS {
            act.arg("-P").arg(format!("{label}=-self-hosted"));
        }
        for (used, place) in self.world.places(&folder) {
            act.arg("--local-repository");
            act.arg(format!("{used}={}", place.display()));
        }
        act.args(&self.words);
        self.surround(&mut act);
        act
    }

    /// The files to run, at a commit or at a branch, which keeps its name.
    #[track_caller]
    fn folder(&self) -> PathBuf {
        let (world, name) = (self.world, &self.repository);
        let folder = if self.reference == "HEAD" {
            world.export(name, &world.git(name, &["rev-parse", "HEAD"]))
        } else {
            world.export(name, &self.reference)
        };
        folder.unwrap_or_else(|| panic!("{name} has no {}", self.reference))
    }

    fn event_file(&self, run_id: u32) -> PathBuf {
        let mut payload = self.payload.clone();
        if !self.inputs.is_empty() {
            payload["inputs"] = Value::Object(self.inputs.clone());
        }
        let file = self.world.path(&format!("event-{run_id}.json"));
        write(&file, &payload.to_string());
        file
    }

    /// The environment, which act hands on to the steps, and an empty folder, because act reads `.actrc` from it.
    fn surround(&self, act: &mut Command) {
        let bash_env = self.world.path("bash_env");
        write(&bash_env, BASH_ENV);
        act.current_dir(self.world.path("empty"));
        act.env_clear().env("PATH", path()).envs(NO_TERMINAL);
        act.envs(
            HANDED_ON
                .iter()
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        );
        act.envs(rust_homes());
        act.env("HOME", self.world.path("home"));
        act.env("XDG_CONFIG_HOME", self.world.path("empty"));
        act.env("BASH_ENV", bash_env);
        act.env("STANDIN_STORE", self.world.path("store"));
        act.env("STANDIN_REPOS", self.world.path("repositories"));
        act.envs(self.env.iter().map(|(name, value)| (name, value)));
    }
}

/// The program under test first.
fn path() -> std::ffi::OsString {
    let outer = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::iter::once(tools::programs().to_owned()).chain(std::env::split_paths(&outer));
    std::env::join_paths(folders).expect("no folder has a colon in its name")
}

/// Where cargo and rustup keep their things, because the steps have another home.
fn rust_homes() -> impl Iterator<Item = (&'static str, PathBuf)> {
    let homes = [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")];
    homes.into_iter().filter_map(|(name, folder)| {
        let set = std::env::var_os(name).map(PathBuf::from);
        let path = set.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(folder)))?;
        path.exists().then_some((name, path))
    })
}

/// What act says on standard error whatever it runs.
fn is_remark(line: &str) -> bool {
    line.contains("docker connection") || line.trim().is_empty() || line.starts_with("Error: Job '")
}
