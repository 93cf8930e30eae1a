//! `mache ci build-engine`: a build contract of a few lines of shell, in a repository with two commits.

use std::process::Command;

use crate::ci_step::{Step, step};
use crate::engine_files::embedded;
use crate::program::Place;

/// Copies the engine out of the export, as a build would.
const BUILD: &str = "#!/bin/sh\nset -e\ncp \"$MACHE_EXPORT/engine\" \"$2\"\n";

fn git(place: &Place, words: &[&str]) -> String {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.org",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(words)
        .current_dir(place.path(""))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git is there");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout)
        .expect("text")
        .trim()
        .to_owned()
}

/// An engine of one file, whose bench counts so many nodes.
fn source(kind: &str, nodes: u32) -> String {
    let engine = embedded(kind);
    format!(
        "#!/bin/sh\nif [ \"$1\" = bench ]; then echo '{nodes} nodes 5 nps'; exit; fi\nexec {engine}\n"
    )
}

/// Two commits, the later one with a bench in its message, and a build program.
fn repository(build: &str) -> (Place, [String; 2]) {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    git(&place, &["init", "--quiet", "."]);
    place.write("build.sh", build);
    std::fs::set_permissions(
        place.path("build.sh"),
        std::fs::Permissions::from_mode(0o755),
    )
    .unwrap();
    let commits = [
        ("random", 11, "First"),
        ("greedy", 22, "Second\n\nBench: 22"),
    ];
    let commits = commits.map(|(kind, nodes, message)| {
        place.write("engine", source(kind, nodes));
        git(&place, &["add", "."]);
        git(&place, &["commit", "--quiet", "-m", message]);
        git(&place, &["rev-parse", "HEAD"])
    });
    // What lies in the checkout is not what is built.
    place.write("engine", "not committed");
    (place, commits)
}

#[track_caller]
fn build(place: &Place, commit: &str, more: &[&str]) -> Step {
    let commit = format!("commit={commit}");
    let mut inputs = vec!["build=./build.sh", commit.as_str(), "output=engines/new"];
    inputs.extend(more);
    step(place, "build-engine", &inputs)
}

fn error(step: &Step) -> String {
    format!("{}: {}", step.answer.code, step.said("error").join("\n"))
}

#[test]
fn an_engine_and_its_record() {
    let (place, [first, second]) = repository(BUILD);
    let step = build(&place, &second, &["name=v2"]).exits(0);
    assert_eq!(place.read("engines/new"), source("greedy", 22));
    assert_eq!(
        (step.output("bench"), step.output("commit_bench")),
        ("22", "22")
    );
    assert_eq!(
        (step.output("binary"), step.output("native")),
        ("engines/new", "false")
    );
    let record: serde_json::Value = serde_json::from_str(&place.read("engines/new.json")).unwrap();
    assert_eq!(record["sha256"], step.output("sha256"));
    assert_eq!(record["size"].to_string(), step.output("size"));
    assert_eq!(record["commit"], second);
    assert_eq!(
        (&record["name"], &record["id_name"]),
        (&"v2".into(), &"mache greedy 0.1.0".into())
    );
    let other = ["output=engines/old", "other=engines/new", "bench=false"];
    let step = build(&place, &first[..8], &other).exits(0);
    assert_eq!(
        (step.output("bench"), step.output("commit_bench")),
        ("", "")
    );
}

#[test]
fn the_other_sides_engine_is_refused() {
    // A build that goes by times and finds what it built before.
    let stale = "#!/bin/sh\n[ -f kept ] || cp \"$MACHE_EXPORT/engine\" kept\ncp kept \"$2\"\n";
    let (place, [first, second]) = repository(stale);
    build(&place, &second, &[]).exits(0);
    let other = ["output=engines/old", "other=engines/new"];
    let refused = build(&place, &first, &other);
    let said = error(&refused);
    assert!(
        said.starts_with("1: engines/old and engines/new are the same program (SHA-256 "),
        "{said}"
    );
    assert!(said.contains("`same_binary: allow`"), "{said}");
    let allowed = [&other[..], &["same_binary=allow"]].concat();
    let step = build(&place, &first, &allowed).exits(0);
    assert!(
        step.said("notice")[0].ends_with("as is allowed"),
        "{:?}",
        step.said("notice")
    );
}

#[test]
fn the_export_is_as_if_written_now_and_gone_afterwards() {
    let look = "#!/bin/sh\nset -e\ntest ! -e \"$MACHE_EXPORT/.git\"\ntest -n \"$(find \"$MACHE_EXPORT/engine\" -mmin -1)\"\n\
                echo \"$MACHE_EXPORT\" > where\ncp \"$MACHE_EXPORT/engine\" \"$2\"\n";
    let (place, [_, second]) = repository(look);
    build(&place, &second, &[]).exits(0);
    let export = place.read("where");
    assert!(!std::path::Path::new(export.trim()).exists(), "{export}");
}

#[test]
fn a_bench_that_is_not_the_commits() {
    let (place, _) = repository(BUILD);
    place.write("engine", source("greedy", 22));
    git(
        &place,
        &[
            "commit",
            "--quiet",
            "-a",
            "--allow-empty",
            "-m",
            "Third\n\nbench 33",
        ],
    );
    insta::assert_snapshot!(error(&build(&place, "HEAD", &["name=v3"])), @"1: v3: bench counts 22 nodes, and the message of the commit says 33: this is not the engine that was committed, or it counts otherwise on this machine");
    place.write(
        "engine",
        format!("#!/bin/sh\nexec {}\n", embedded("random")),
    );
    git(
        &place,
        &["commit", "--quiet", "-a", "-m", "Fourth\n\nBench: 44"],
    );
    let step = build(&place, "HEAD", &["name=v4"]).exits(0);
    insta::assert_snapshot!(step.said("warning").join("\n"), @"v4: the message of the commit says Bench: 44, and the engine's bench gives no node count");
    let step = build(&place, "HEAD", &["name=v4", "bench=true"]);
    assert!(
        error(&step).starts_with("1: v4: bench printed no node count"),
        "{}",
        error(&step)
    );
}

#[test]
fn builds_that_fail() {
    let fails = |script: &str, more: &[&str]| {
        let (place, [first, _]) = repository(&format!("#!/bin/sh\n{script}\n"));
        place.write("engines/new", "an earlier one");
        let step = build(&place, &first, &[&["name=v1"], more].concat());
        assert!(step.outputs.is_empty(), "{:?}", step.outputs);
        error(&step).replace(&first, "<commit>")
    };
    insta::assert_snapshot!(fails("echo 'engine.c:1: error' >&2; exit 2", &[]), @"1: the build of v1 (commit <commit>) failed: ./build.sh ended with exit status: 2: engine.c:1: error");
    insta::assert_snapshot!(fails("true", &[]), @"1: the build of v1 (commit <commit>) ended well and left no file at engines/new");
    insta::assert_snapshot!(fails("sleep 60", &["max_build_minutes=0.01"]), @"1: the build of v1 (commit <commit>) failed: ./build.sh was stopped after 0 s");
    let said = fails("printf '#!/bin/sh\\necho hello\\n' > \"$2\"", &[]);
    assert!(said.contains("`uciok`"), "{said}");
}

#[test]
fn what_a_build_prints_commands_nothing() {
    let hostile = format!(
        "{BUILD}printf '::set-output name=sha256::x\\n  ::add-mask::y\\n##[error]z\\n\\033[2Jw\\rv\\n'\n\
         echo ::stop-commands::pw >&2\necho 'cc -O3 -march=native x.c'\n"
    );
    let (place, [_, second]) = repository(&hostile);
    let step = build(&place, &second, &["name=<b>@all|x"]).exits(0);
    assert!(
        step.answer.stderr.contains("\\::set-output"),
        "{}",
        step.answer.stderr
    );
    assert_eq!(step.output("sha256").len(), 64);
    assert_eq!(step.output("native"), "true");
    let warnings = step.said("warning");
    assert!(
        warnings.len() == 1 && warnings[0].contains("(native)"),
        "{warnings:?}"
    );
}

#[test]
fn a_commit_that_is_not_there() {
    let (place, _) = repository(BUILD);
    for name in [
        "nothing",
        "--output=/tmp/x",
        "$(id)",
        "a b",
        "x\n::error::y",
    ] {
        let said = error(&build(&place, name, &[]));
        assert!(said.starts_with("1: there is no commit `"), "{said}");
    }
    assert!(!place.path("engines/new").exists());
}
