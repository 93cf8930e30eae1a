//! Conditions of jobs, decided by GitHub's own evaluator: what act cannot run (a caller after a failure, a cancelled
//! run, a matrix that was skipped).

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::tools;

/// How things stand when GitHub asks whether a job runs.
#[derive(Clone, Default)]
pub(crate) struct Case {
    needs: Map<String, Value>,
    outputs: Map<String, Value>,
    contexts: Map<String, Value>,
    cancelled: bool,
}

impl Case {
    /// The results of the jobs it needs, `job: result` separated by commas.
    ///
    /// On GitHub `success()` and `failure()` look at the needs of the needs too: name all of them.
    pub(crate) fn needs(results: &str) -> Self {
        let pairs = results.split(',').filter_map(|pair| pair.split_once(':'));
        Self {
            needs: pairs
                .map(|(job, result)| (job.trim().to_owned(), result.trim().into()))
                .collect(),
            ..Self::default()
        }
    }

    /// An output of a job it needs.
    pub(crate) fn output(mut self, job: &str, name: &str, value: &str) -> Self {
        let outputs = self.outputs.entry(job).or_insert_with(|| json!({}));
        outputs[name] = value.into();
        self
    }

    /// A context: `github`, `inputs` or `vars`.
    pub(crate) fn context(mut self, name: &str, value: Value) -> Self {
        self.contexts.insert(name.to_owned(), value);
        self
    }

    /// The run was cancelled.
    pub(crate) fn cancelled(mut self) -> Self {
        self.cancelled = true;
        self
    }

    fn asked(&self, condition: &Value) -> Value {
        json!({
            "condition": condition,
            "needs": self.needs,
            "outputs": self.outputs,
            "contexts": self.contexts,
            "cancelled": self.cancelled,
        })
    }
}

/// Fails the test unless a job of a workflow runs in just the cases that say so.
#[track_caller]
pub(crate) fn assert_job_runs(workflow: &Path, job: &str, cases: &[(bool, Case)]) {
    let tree = tools::yaml(workflow);
    let job_tree = &tree["jobs"][job];
    assert!(
        job_tree.is_object(),
        "{} has no job {job}",
        workflow.display()
    );
    let asked: Vec<_> = cases
        .iter()
        .map(|(_, case)| case.asked(&job_tree["if"]))
        .collect();
    let answers = evaluate(&asked);
    for (((runs, _), asked), answer) in cases.iter().zip(&asked).zip(answers) {
        assert_eq!(answer, json!(runs), "{job} in {asked:#}");
    }
}

/// What an expression comes to, `${{` and `}}` left out; an error is `{"error": …}`.
pub(crate) fn value(expression: &str, contexts: Value) -> Value {
    evaluate(&[json!({ "expression": expression, "contexts": contexts })]).swap_remove(0)
}

fn evaluate(asked: &[Value]) -> Vec<Value> {
    let answer = tools::ask(&mut tools::node("gh-eval.mjs"), &json!(asked).to_string());
    serde_json::from_value(answer).expect("the script prints a list")
}

#[test]
#[ignore = "needs GitHub's libraries: run bin/test"]
fn judging_runs_on_whatever_the_shards_came_to() {
    let workflow = tools::here().join("fixture/tool/.github/workflows/match.yml");
    let cases = [
        (true, Case::needs("plan: success, play: success")),
        (true, Case::needs("plan: success, play: failure")),
        (false, Case::needs("plan: failure, play: skipped")),
        (
            false,
            Case::needs("plan: success, play: failure").cancelled(),
        ),
    ];
    assert_job_runs(&workflow, "judge", &cases);
}

#[test]
#[ignore = "needs GitHub's libraries: run bin/test"]
fn a_match_needs_the_label_and_no_draft() {
    let workflow = tools::here().join("fixture/tool/.github/workflows/pull-request.yml");
    let case = |draft: bool, label: &str| {
        let pull_request =
            json!({ "draft": draft, "labels": [{ "name": "docs" }, { "name": label }] });
        Case::needs("").context(
            "github",
            json!({ "event": { "pull_request": pull_request } }),
        )
    };
    let cases = [
        (true, case(false, "match")),
        (false, case(true, "match")),
        (false, case(false, "matches")),
    ];
    assert_job_runs(&workflow, "match", &cases);
}

#[test]
#[ignore = "needs GitHub's libraries: run bin/test"]
fn a_plain_condition_also_needs_success() {
    let workflow = tools::here().join("fixture/tool/.github/workflows/match.yml");
    let cases = [
        (true, Case::needs("plan: success")),
        (false, Case::needs("plan: failure")),
        (false, Case::needs("plan: skipped")),
    ];
    assert_job_runs(&workflow, "play", &cases);
}

#[test]
#[ignore = "needs GitHub's libraries: run bin/test"]
#[should_panic(expected = "judge in")]
fn a_wrong_expectation_is_found() {
    let workflow = tools::here().join("fixture/tool/.github/workflows/match.yml");
    assert_job_runs(
        &workflow,
        "judge",
        &[(true, Case::needs("plan: failure, play: skipped"))],
    );
}

#[test]
#[ignore = "needs GitHub's libraries: run bin/test"]
fn types_are_those_of_github() {
    assert_eq!(value("'3' == 3", json!({})), true);
    assert_eq!(
        value("inputs.on == 'true'", json!({ "inputs": { "on": true } })),
        false
    );
    let case = Case::needs("plan: success").output("plan", "shards", "[1]");
    let needs = json!({ "needs": { "plan": { "outputs": case.outputs["plan"] } } });
    assert_eq!(value("fromJSON(needs.plan.outputs.shards)[0]", needs), 1);
    assert!(value("fromJSON('')", json!({}))["error"].is_string());
}
