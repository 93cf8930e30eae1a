//! The log of act, one JSON record a line, read into jobs.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::run::{Annotation, Job, Step, StepPath};

/// The jobs of a log, and what belongs to none of them and is a complaint.
pub(crate) fn read(lines: &[String]) -> (Vec<Job>, Vec<String>) {
    let mut log = Log::default();
    for line in lines {
        match serde_json::from_str::<Record>(line) {
            Ok(record) => log.take(record),
            Err(_) => log.errors.push(line.clone()),
        }
    }
    (log.jobs, log.errors)
}

#[derive(Default)]
struct Log {
    jobs: Vec<Job>,
    errors: Vec<String>,
}

#[derive(Deserialize)]
struct Record {
    #[serde(default)]
    msg: String,
    #[serde(default)]
    level: String,
    job: Option<String>,
    #[serde(rename = "jobID")]
    job_id: Option<String>,
    matrix: Option<Map<String, Value>>,
    /// Of the job's own steps.
    #[serde(rename = "stepID")]
    step_id: Option<StepPath>,
    /// Of what act does before and after them.
    #[serde(rename = "stepid")]
    outer_id: Option<StepPath>,
    #[serde(default)]
    stage: String,
    #[serde(rename = "stepResult")]
    step_result: Option<String>,
    #[serde(rename = "jobResult")]
    job_result: Option<String>,
    #[serde(default)]
    raw_output: bool,
    command: Option<String>,
    name: Option<String>,
    #[serde(default)]
    arg: String,
    #[serde(default)]
    content: String,
    #[serde(rename = "kvPairs")]
    pairs: Option<Map<String, Value>>,
}

impl Record {
    fn complains(&self) -> bool {
        matches!(self.level.as_str(), "error" | "fatal")
    }

    /// An error that no step printed.
    fn fails(&self) -> bool {
        self.level == "error" && self.command.is_none()
    }

    fn annotation(&self) -> Annotation {
        let title = self
            .pairs
            .as_ref()
            .and_then(|pairs| pairs.get("title")?.as_str());
        Annotation {
            level: self.command.clone().unwrap_or_default(),
            title: title.unwrap_or_default().to_owned(),
            message: self.arg.clone(),
        }
    }
}

impl Log {
    fn take(&mut self, record: Record) {
        let of_a_job =
            record.step_id.is_some() || record.outer_id.is_some() || record.job_result.is_some();
        if !of_a_job {
            if record.complains() {
                self.errors.push(record.msg);
            }
            return;
        }
        let path = record.step_id.clone().unwrap_or_default();
        let job = self.job(&record);
        // The result that act gives is that of all the entries of the matrix so far, so it only says that one ended.
        job.ended |= record.job_result.is_some();
        job.failed |= record.fails() && path.len() < 2;
        if path.is_empty() || record.stage == "Pre" {
            if record.level == "error" {
                let complaint = format!("{}: {}", job.name, record.msg);
                self.errors.push(complaint);
            }
            return;
        }
        job.take(path, record);
    }

    /// The job of a record; the full name tells the entries of a matrix apart.
    fn job(&mut self, record: &Record) -> &mut Job {
        let name = record.job.as_deref().unwrap_or_default().trim();
        let at = self.jobs.iter().position(|job| job.name == name);
        let at = at.unwrap_or_else(|| {
            self.jobs.push(Job {
                id: record.job_id.clone().unwrap_or_default(),
                name: name.to_owned(),
                matrix: record.matrix.clone().unwrap_or_default(),
                ..Job::default()
            });
            self.jobs.len() - 1
        });
        &mut self.jobs[at]
    }
}

impl Job {
    fn take(&mut self, path: StepPath, record: Record) {
        let step = self.own_step(path);
        if record.raw_output {
            step.log.push_str(&record.msg);
        } else if record.fails() {
            step.log.push_str(&format!("[{}]\n", record.msg));
        }
        if let Some(result) = record
            .step_result
            .as_ref()
            .filter(|_| record.stage == "Main")
        {
            step.result.clone_from(result);
        }
        match record.command.as_deref() {
            Some("set-output") => {
                step.outputs
                    .insert(record.name.unwrap_or_default(), record.arg);
            }
            Some("summary") => {
                // A composite action repeats the summary of its last step.
                let path = step.path.clone();
                let inside =
                    |other: &Step| other.path.len() > path.len() && other.path.starts_with(&path);
                if !self.steps.iter().any(inside) {
                    self.summary.push_str(&record.content);
                }
            }
            Some("notice" | "warning" | "error") => self.annotations.push(record.annotation()),
            Some(_) | None => {}
        }
    }

    fn own_step(&mut self, path: StepPath) -> &mut Step {
        let at = self.steps.iter().position(|step| step.path == path);
        let at = at.unwrap_or_else(|| {
            self.steps.push(Step {
                path,
                ..Step::default()
            });
            self.steps.len() - 1
        });
        &mut self.steps[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(lines: &[&str]) -> (Vec<Job>, Vec<String>) {
        read(&lines.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn entries_of_a_matrix_have_results_of_their_own() {
        let (jobs, errors) = jobs(&[
            r#"{"job":"w/s-1","jobID":"s","matrix":{"n":0},"stepID":["0"],"stage":"Main","stepResult":"failure","level":"error","msg":"exit"}"#,
            r#"{"job":"w/s-2","jobID":"s","matrix":{"n":1},"stepID":["0"],"stage":"Main","stepResult":"success","level":"info"}"#,
            r#"{"job":"w/s-2","jobID":"s","matrix":{"n":1},"jobResult":"failure","level":"info"}"#,
            r#"{"job":"w/s-3","jobID":"s","matrix":{"n":2},"stepID":["0"],"level":"info","msg":"x","raw_output":true}"#,
        ]);
        let results: Vec<_> = jobs
            .iter()
            .map(|job| (job.matrix["n"].as_i64().unwrap(), job.result()))
            .collect();
        assert_eq!(results, [(0, "failure"), (1, "success"), (2, "unfinished")]);
        assert_eq!(
            (jobs[0].steps[0].log.as_str(), errors.len()),
            ("[exit]\n", 0)
        );
    }

    #[test]
    fn a_failure_inside_a_composite_action_counts_once_it_is_the_jobs() {
        let inner = r#"{"job":"j","jobID":"j","stepID":["a","0"],"stage":"Main","level":"error","msg":"exit"}"#;
        assert!(!jobs(&[inner]).0[0].failed);
        let outer =
            r#"{"job":"j","jobID":"j","stepID":["a"],"stage":"Main","level":"error","msg":"exit"}"#;
        assert!(jobs(&[inner, outer]).0[0].failed);
    }

    #[test]
    fn an_error_that_a_step_prints_fails_nothing() {
        let (jobs, _) = jobs(&[
            r#"{"job":"j","jobID":"j","stepID":["0"],"level":"error","command":"error","arg":"a\nb","kvPairs":{"title":"t"}}"#,
        ]);
        assert!(!jobs[0].failed);
        let expected = Annotation {
            level: "error".into(),
            title: "t".into(),
            message: "a\nb".into(),
        };
        assert_eq!(jobs[0].annotations, [expected]);
    }

    #[test]
    fn the_summary_of_a_composite_action_is_not_said_twice() {
        let (jobs, _) = jobs(&[
            r#"{"job":"j","jobID":"j","stepID":["a","0"],"command":"summary","content":"once\n","level":"info"}"#,
            r#"{"job":"j","jobID":"j","stepID":["a"],"command":"summary","content":"once\n","level":"info"}"#,
            r#"{"job":"j","jobID":"j","stepID":["1"],"command":"summary","content":"more\n","level":"info"}"#,
        ]);
        assert_eq!(jobs[0].summary, "once\nmore\n");
    }

    #[test]
    fn complaints_of_no_job_are_kept() {
        let (jobs, errors) = jobs(&[
            r#"{"level":"warning","msg":"no docker"}"#,
            r#"{"level":"error","msg":"bad workflow"}"#,
            "Error: a plain line",
        ]);
        assert!(jobs.is_empty());
        assert_eq!(errors, ["bad workflow", "Error: a plain line"]);
    }
}
