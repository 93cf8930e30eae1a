//! The stand-ins keep those rules of the real actions that workflows trip over.

use std::fmt::Write as _;

use crate::run::{Job, Run};
use crate::world::World;

const MADE: &str = "\
- run: |
    mkdir -p a/b c
    echo 1 > a/x.txt; echo 2 > a/b/y.txt; echo 3 > c/z.log; echo 4 > a/.h
    chmod +x a/x.txt
";

fn upload(name: &str, path: &str, more: &str) -> String {
    format!(
        "- uses: actions/upload-artifact@v7\n  with: {{ name: '{name}', path: \"{path}\"{more} }}\n"
    )
}

fn download(path: &str, more: &str) -> String {
    format!("- uses: actions/download-artifact@v8\n  with: {{ path: {path}, {more} }}\n")
}

fn last_words(job: &Job) -> &str {
    job.steps.last().map_or("", |step| &step.log)
}

/// The last error of a run that failed.
#[track_caller]
fn error_of(run: &Run) -> &str {
    let errors = run.failed().job("steps").messages("error");
    errors.last().expect("the stand-in says what is wrong")
}

#[test]
#[ignore = "needs act: run bin/test"]
fn what_an_upload_keeps() {
    let cases = [
        ("a", "b/y.txt x.txt"), // the folder itself is not kept, nor hidden files
        ("a/x.txt", "x.txt"),
        ("a/**/*.txt", "b/y.txt x.txt"),
        ("a/*/y.txt", "b/y.txt"),
        ("a\\nc", "a/b/y.txt a/x.txt c/z.log"), // the common folder is the root
        ("a\\n!a/b/**", "x.txt"),
    ];
    let (mut steps, mut expected) = (MADE.to_owned(), String::new());
    for (number, (path, kept)) in cases.iter().enumerate() {
        steps += &upload(&format!("n{number}"), path, "");
        writeln!(expected, "n{number}: {kept}").unwrap();
    }
    let run = World::new().steps(&steps).run();
    assert_eq!(run.passed().artifacts(), expected.trim_end());
}

#[test]
#[ignore = "needs act: run bin/test"]
fn uploads_that_fail() {
    let world = World::new();
    let twice = upload("one", "a", "") + &upload("one", "c", "");
    let cases = [
        (
            upload("a/b", "a", ""),
            "The artifact name is not valid: a/b",
        ),
        (
            upload("one", "c/../a", ""),
            "Relative pathing '.' and '..' is not allowed.",
        ),
        (twice, "(409) Conflict"),
        (
            upload("one", "nothing", ", if-no-files-found: error"),
            "No files were found",
        ),
    ];
    for (steps, message) in cases {
        let run = world.steps(&(MADE.to_owned() + &steps)).run();
        assert!(
            error_of(&run).contains(message),
            "{message}: {}",
            run.story()
        );
    }
}

#[test]
#[ignore = "needs act: run bin/test"]
fn an_upload_may_replace_and_may_find_nothing() {
    let steps = MADE.to_owned()
        + &upload("one", "a", "")
        + &upload("one", "c", ", overwrite: true")
        + &upload("two", "nothing", "")
        + &upload("three", "a/x.txt", "")
        + &download("back", "name: three")
        + "- run: test ! -x back/x.txt # artifacts lose the executable bit\n";
    let run = World::new().steps(&steps).run();
    assert_eq!(run.passed().artifacts(), "one: z.log\nthree: x.txt");
    let warnings = run.job("steps").messages("warning");
    assert!(
        warnings[0].starts_with("No files were found"),
        "{warnings:?}"
    );
}

#[test]
#[ignore = "needs act: run bin/test"]
fn downloads() {
    let cases = [
        ("name: s-1", "x.txt"),
        ("pattern: s-*", "s-1/x.txt s-2/z.log"),
        ("pattern: s-2", "z.log"), // one artifact found makes no folder
        ("pattern: 's-*', merge-multiple: true", "x.txt z.log"),
        ("pattern: t-*", ""),
    ];
    let mut steps = MADE.to_owned() + &upload("s-1", "a/x.txt", "") + &upload("s-2", "c", "");
    for (number, (more, _)) in cases.iter().enumerate() {
        steps += &download(&format!("d{number}"), more);
        write!(
            steps,
            "- id: list-{number}\n  run: mkdir -p d{number}; cd d{number}; "
        )
        .unwrap();
        steps += "find . -type f | cut -c3- | sort | xargs\n";
    }
    steps += &download("back", "name: none");
    let run = World::new().steps(&steps).run();
    assert!(error_of(&run).ends_with("Artifact not found for name: none"));
    for (number, (more, files)) in cases.iter().enumerate() {
        let step = run.job("steps").step(&format!("list-{number}"));
        assert_eq!(step.log.trim(), *files, "{more}");
    }
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_later_run_takes_the_artifacts_of_an_earlier_one_with_a_token() {
    let world = World::new();
    let steps = MADE.to_owned() + &upload("report", "a/x.txt", "");
    let first = world.steps(&steps).run().passed().id;
    let with_token = download(
        "back",
        &format!("name: report, run-id: {first}, github-token: t"),
    );
    let run = world
        .steps(&(with_token + "- run: cat back/x.txt\n"))
        .on("workflow_run")
        .run();
    assert_eq!(last_words(run.passed().job("steps")), "1\n");

    let without = world
        .steps(&download("back", &format!("name: report, run-id: {first}")))
        .run();
    assert!(error_of(&without).ends_with("Artifact not found for name: report"));
}

#[test]
#[ignore = "needs act: run bin/test"]
fn caches_are_found_by_key_then_by_prefix() {
    let world = World::new();
    let steps = "\
- id: cache
  uses: actions/cache@v5
  with: { path: data, key: '${{ vars.KEY }}', restore-keys: data- }
- run: mkdir -p data; cat data/* || true; echo made with ${{ vars.KEY }} > data/file
";
    let seen = ["data-1", "data-1", "data-2"].map(|key| {
        let run = world.steps(steps).variable("KEY", key).run();
        let job = run.passed().job("steps");
        let kept = job.step("1").log.trim().to_owned();
        (job.output("cache", "cache-hit").to_owned(), kept)
    });
    assert_eq!(seen[0].0, "");
    assert_eq!(seen[1], ("true".into(), "made with data-1".into()));
    assert_eq!(seen[2], ("false".into(), "made with data-1".into()));
}

#[test]
#[ignore = "needs act: run bin/test"]
fn the_halves_of_cache() {
    let steps = "\
- run: mkdir data; echo kept > data/file
- uses: actions/cache/save@v5
  with: { path: data, key: one }
- run: rm -r data
- id: back
  uses: actions/cache/restore@v5
  with: { path: data, key: two, restore-keys: o }
- run: cat data/file
- uses: actions/cache/restore@v5
  with: { path: data, key: two, fail-on-cache-miss: true }
";
    let run = World::new().steps(steps).run();
    let job = run.failed().job("steps");
    let outputs = ["cache-primary-key", "cache-matched-key", "cache-hit"]
        .map(|name| job.output("back", name));
    assert_eq!(outputs, ["two", "one", "false"]);
    assert_eq!(
        job.step_results(),
        [
            "success", "success", "success", "success", "success", "failure"
        ]
    );
}

#[test]
#[ignore = "needs act: run bin/test"]
fn checkouts() {
    let world = World::new();
    let first = world.files("owner/tool", &[("tool.sh", "#!/bin/sh\n")]);
    world.git("owner/tool", &["tag", "v1"]);
    world.files("owner/tool", &[("later.txt", "later")]);
    let steps = "\
- run: touch left-over
- uses: actions/checkout@v7
- run: test ! -e left-over
- uses: actions/checkout@v7
  id: other
  with: { repository: owner/tool, ref: v1, path: sub }
- run: test -x sub/tool.sh; test ! -e sub/later.txt; git -C sub rev-parse --is-shallow-repository
- uses: actions/checkout@v7
  with: { repository: owner/tool, path: whole, fetch-depth: 0 }
- run: git -C whole rev-list --count HEAD; git -C whole tag
- uses: actions/checkout@v7
  with: { repository: owner/nothing }
";
    let run = world.steps(steps).run();
    assert_eq!(error_of(&run), "Repository not found: owner/nothing");
    let job = run.job("steps");
    assert_eq!(job.output("other", "commit"), first);
    assert_eq!(job.step("6").log, "2\nv1\n");
    assert_eq!(
        job.step_results()
            .iter()
            .filter(|result| **result == "success")
            .count(),
        7
    );
}
