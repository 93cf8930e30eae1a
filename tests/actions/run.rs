//! What a run of workflows left behind.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::{Map, Value};
use tempfile::TempDir;

/// The ids of a step, the outer composite actions first; a step without an id has its number, from 0.
pub(crate) type StepPath = Vec<String>;

/// A step of a job.
#[derive(Debug, Default)]
pub(crate) struct Step {
    pub(crate) path: StepPath,
    /// `success` or `failure`, before `continue-on-error`; empty if it did not end.
    pub(crate) result: String,
    pub(crate) outputs: BTreeMap<String, String>,
    pub(crate) log: String,
}

/// `notice`, `warning` or `error`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Annotation {
    pub(crate) level: String,
    pub(crate) title: String,
    pub(crate) message: String,
}

/// A job, or one entry of its matrix.
#[derive(Debug, Default)]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) matrix: Map<String, Value>,
    pub(crate) steps: Vec<Step>,
    /// What its steps wrote to `GITHUB_STEP_SUMMARY`.
    pub(crate) summary: String,
    pub(crate) annotations: Vec<Annotation>,
    pub(crate) failed: bool,
    pub(crate) ended: bool,
}

impl Job {
    pub(crate) fn result(&self) -> &'static str {
        if self.failed {
            "failure"
        } else if self.ended {
            "success"
        } else {
            "unfinished"
        }
    }

    /// The step with an id or number; inside composite actions `outer/inner`.
    #[track_caller]
    pub(crate) fn step(&self, path: &str) -> &Step {
        let found = self.steps.iter().find(|step| step.path.join("/") == path);
        found.unwrap_or_else(|| panic!("no step {path} in {}", self.story()))
    }

    /// An output of a step; empty if it was not set, as in an expression.
    #[track_caller]
    pub(crate) fn output(&self, step: &str, name: &str) -> &str {
        self.step(step).outputs.get(name).map_or("", String::as_str)
    }

    /// The results of the job's own steps, in order; a skipped one is not there.
    pub(crate) fn step_results(&self) -> Vec<&str> {
        let own = self.steps.iter().filter(|step| step.path.len() == 1);
        own.map(|step| step.result.as_str()).collect()
    }

    /// All that its steps printed.
    pub(crate) fn log(&self) -> String {
        self.steps.iter().map(|step| step.log.as_str()).collect()
    }

    /// The messages of one level.
    pub(crate) fn messages(&self, level: &str) -> Vec<&str> {
        let of_level = self.annotations.iter().filter(|a| a.level == level);
        of_level.map(|a| a.message.as_str()).collect()
    }

    fn story(&self) -> String {
        let mut story = format!("job {} ({}): {}\n", self.id, self.name, self.result());
        for step in &self.steps {
            writeln!(story, "  step {}: {}", step.path.join("/"), step.result)
                .expect("a string takes all");
            let lines: Vec<_> = step.log.lines().collect();
            for line in &lines[lines.len().saturating_sub(30)..] {
                writeln!(story, "    | {line}").expect("a string takes all");
            }
        }
        for a in &self.annotations {
            writeln!(story, "  {} {}: {}", a.level, a.title, a.message)
                .expect("a string takes all");
        }
        story
    }
}

/// A run that came to its end.
#[derive(Debug)]
pub(crate) struct Run {
    /// 0 if all went well, 1 if a job failed.
    pub(crate) code: i32,
    /// What act itself complained of.
    pub(crate) errors: Vec<String>,
    /// Jobs that started, one an entry of a matrix.
    pub(crate) jobs: Vec<Job>,
    /// `github.run_id`.
    pub(crate) id: u32,
    /// `github.run_attempt`.
    pub(crate) attempt: u32,
    /// The folder of its world, so that the artifacts outlive the world.
    pub(crate) world: Rc<TempDir>,
}

impl Run {
    /// The only job with an id.
    #[track_caller]
    pub(crate) fn job(&self, id: &str) -> &Job {
        self.entry(id, |_| true)
    }

    /// The only entry of a job's matrix with a value under a key.
    #[track_caller]
    pub(crate) fn shard(&self, id: &str, key: &str, value: impl Into<Value>) -> &Job {
        let value = value.into();
        self.entry(id, |job| job.matrix.get(key) == Some(&value))
    }

    #[track_caller]
    fn entry(&self, id: &str, wanted: impl Fn(&Job) -> bool) -> &Job {
        let found: Vec<_> = self
            .jobs
            .iter()
            .filter(|job| job.id == id && wanted(job))
            .collect();
        let [job] = found[..] else {
            panic!("{} jobs {id} in {}", found.len(), self.story());
        };
        job
    }

    /// `id: result result …`, sorted, a line a job; a job that never started is not there.
    pub(crate) fn results(&self) -> String {
        let mut by_id: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for job in &self.jobs {
            by_id.entry(&job.id).or_default().push(job.result());
        }
        let lines = by_id.into_iter().map(|(id, mut results)| {
            results.sort_unstable();
            format!("{id}: {}", results.join(" "))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Fails the test, with all that is known, unless the run passed.
    #[track_caller]
    pub(crate) fn passed(&self) -> &Self {
        assert!(
            self.code == 0 && self.errors.is_empty(),
            "the run failed\n{}",
            self.story()
        );
        self
    }

    /// Fails the test, with all that is known, unless a job of the run failed.
    #[track_caller]
    pub(crate) fn failed(&self) -> &Self {
        let job_failed = self.jobs.iter().any(|job| job.failed);
        assert!(
            self.code == 1 && job_failed,
            "the run did not fail\n{}",
            self.story()
        );
        self
    }

    /// The artifacts of the run and the files in each, sorted: `name: file file …`, a line each.
    pub(crate) fn artifacts(&self) -> String {
        let lines = names_in(&self.artifact_folder()).into_iter().map(|name| {
            let folder = self.artifact(&name);
            let mut files = Vec::new();
            list(&folder, &folder, &mut files);
            files.sort();
            format!("{name}: {}", files.join(" "))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The folder of an artifact's files.
    pub(crate) fn artifact(&self, name: &str) -> PathBuf {
        self.artifact_folder().join(name)
    }

    /// The text of a file in an artifact.
    #[track_caller]
    pub(crate) fn file(&self, artifact: &str, file: &str) -> String {
        fs::read_to_string(self.artifact(artifact).join(file)).unwrap_or_else(|error| {
            panic!(
                "{artifact}/{file}: {error}; there are\n{}",
                self.artifacts()
            )
        })
    }

    /// All that is known of the run, for a person to read.
    pub(crate) fn story(&self) -> String {
        let jobs: String = self.jobs.iter().map(Job::story).collect();
        format!(
            "run {} ended with {}\n{}\n{jobs}",
            self.id,
            self.code,
            self.errors.join("\n")
        )
    }

    fn artifact_folder(&self) -> PathBuf {
        self.world
            .path()
            .join("store/artifacts")
            .join(self.id.to_string())
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn list(folder: &Path, root: &Path, files: &mut Vec<String>) {
    for name in names_in(folder) {
        let path = folder.join(name);
        if path.is_dir() {
            list(&path, root, files);
        } else {
            let inside = path.strip_prefix(root).expect("it lies below");
            files.push(inside.to_string_lossy().into_owned());
        }
    }
}
