//! `mache ci resolve-ref`, in a small repository and in clones of it.

use std::path::Path;
use std::process::Command;

use crate::ci_step::Step;
use crate::program::Place;

/// A repository with three commits on `main`, tagged v0.1.0, v0.2.0 and v0.3.0-rc1, a branch `idea` off the first, and
/// the head of pull request 7.
struct World {
    place: Place,
    first: String,
    second: String,
    third: String,
    idea: String,
    pull: String,
}

#[track_caller]
fn git(folder: &Path, words: &[&str]) -> String {
    let output = Command::new("git")
        .args(words)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "a")
        .env("GIT_AUTHOR_EMAIL", "a@example.org")
        .env("GIT_COMMITTER_NAME", "a")
        .env("GIT_COMMITTER_EMAIL", "a@example.org")
        .output()
        .expect("git starts");
    assert!(output.status.success(), "git {words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[track_caller]
fn commit(folder: &Path, subject: &str) -> String {
    git(
        folder,
        &["commit", "--quiet", "--allow-empty", "-m", subject],
    );
    git(folder, &["rev-parse", "HEAD"])
}

impl World {
    fn new() -> Self {
        let place = Place::new();
        let folder = place.path("origin");
        std::fs::create_dir(&folder).unwrap();
        git(&folder, &["init", "--quiet", "--initial-branch=main"]);
        git(
            &folder,
            &["config", "uploadpack.allowAnySHA1InWant", "true"],
        );
        let first = commit(&folder, "one");
        git(&folder, &["tag", "v0.1.0"]);
        git(&folder, &["checkout", "--quiet", "-b", "idea"]);
        let idea = commit(&folder, "idea");
        git(&folder, &["checkout", "--quiet", "--detach"]);
        let pull = commit(&folder, "pull");
        git(&folder, &["update-ref", "refs/pull/7/head", &pull]);
        git(&folder, &["checkout", "--quiet", "main"]);
        let second = commit(&folder, "two");
        git(&folder, &["tag", "-a", "v0.2.0", "-m", "two"]);
        let third = commit(&folder, "three");
        git(&folder, &["tag", "v0.3.0-rc1"]);
        git(&folder, &["tag", "other"]);
        Self {
            place,
            first,
            second,
            third,
            idea,
            pull,
        }
    }

    /// A clone with further words for `git clone`.
    #[track_caller]
    fn clone(&self, words: &[&str]) {
        let origin = format!("file://{}", self.place.path("origin").display());
        let all = [&["clone", "--quiet"], words, &[&origin, "clone"]].concat();
        git(&self.place.path("."), &all);
    }

    /// Makes the clone's origin one that does not answer.
    fn cut_off(&self) {
        let nowhere = self.place.path("nowhere");
        let nowhere = nowhere.to_str().unwrap();
        git(
            &self.place.path("clone"),
            &["remote", "set-url", "origin", nowhere],
        );
    }

    #[track_caller]
    fn resolve_in(&self, folder: &str, variables: &[(&str, &str)]) -> Step {
        let folder = self.place.path(folder);
        self.place.step_in(&folder, &["resolve-ref"], variables)
    }

    #[track_caller]
    fn resolve(&self, variables: &[(&str, &str)]) -> Step {
        self.resolve_in("origin", variables)
    }

    /// Why there is no commit: one line.
    #[track_caller]
    fn refused(&self, folder: &str, variables: &[(&str, &str)]) -> String {
        let text = self.resolve_in(folder, variables).refusal();
        assert_eq!(text.lines().count(), 1, "{text}");
        let place = self.place.path("");
        text.trim_end().replace(place.to_str().unwrap(), "PLACE/")
    }

    fn event(&self, head: &str, base: &str) -> String {
        let text = format!(
            r#"{{"pull_request": {{"number": 7, "head": {{"sha": "{head}"}}, "base": {{"sha": "{base}", "ref": "main"}}}}}}"#
        );
        self.place.write("event.json", text);
        self.place.path("event.json").to_str().unwrap().to_owned()
    }
}

#[track_caller]
fn found(step: &Step) -> (&str, &str) {
    assert_eq!(step.answer.code, 0, "{step:?}");
    (step.output("name"), step.output("sha"))
}

#[test]
fn triggers_of_people_who_may_write_resolve() {
    let world = World::new();
    let ask = [("MACHE_REF", "v0.2.0")];
    let wanted = ("v0.2.0", world.second.as_str());
    assert_eq!(found(&world.resolve(&ask)), wanted);
    for trigger in [
        "workflow_dispatch",
        "push",
        "schedule",
        "release",
        "pull_request",
    ] {
        let step = world.resolve(&[ask[0], ("GITHUB_EVENT_NAME", trigger)]);
        assert_eq!(found(&step), wanted, "{trigger}");
    }
    for trigger in [
        "pull_request_target",
        "workflow_run",
        "issue_comment",
        "my_own",
    ] {
        let text = world.refused("origin", &[ask[0], ("GITHUB_EVENT_NAME", trigger)]);
        assert!(
            text.starts_with(
                "1: error: cannot resolve the ref `v0.2.0`: refuses to resolve a ref on"
            ),
            "{text}"
        );
        assert!(text.contains(&format!("`{trigger}`")), "{text}");
    }
}

#[test]
fn tags_branches_and_commits_resolve() {
    let world = World::new();
    for (name, sha) in [
        ("v0.1.0", &world.first),
        ("idea", &world.idea),
        (&world.second, &world.second),
        (&world.second[..10], &world.second),
        ("main~2", &world.first),
        ("refs/heads/main", &world.third),
        ("7", &world.pull),
    ] {
        world.clone(&[]);
        let step = world.resolve_in("clone", &[("MACHE_REF", name)]);
        assert_eq!(found(&step), (name, sha.as_str()));
        std::fs::remove_dir_all(world.place.path("clone")).unwrap();
    }
}

#[test]
fn a_shallow_clone_fetches_what_it_lacks() {
    let world = World::new();
    world.clone(&["--depth=1", "--single-branch"]);
    for (name, sha) in [
        ("idea", &world.idea),
        ("7", &world.pull),
        (&world.first, &world.first),
        (" main ", &world.third),
    ] {
        let step = world.resolve_in("clone", &[("MACHE_REF", name)]);
        assert_eq!(found(&step), (name.trim(), sha.as_str()));
    }
}

#[test]
fn without_origin_what_is_here_resolves() {
    let world = World::new();
    world.clone(&[]);
    world.cut_off();
    for (name, sha) in [
        ("idea", &world.idea),
        ("v0.1.0", &world.first),
        (&world.first, &world.first),
    ] {
        let step = world.resolve_in("clone", &[("MACHE_REF", name)]);
        assert_eq!(found(&step), (name, sha.as_str()));
    }
    for name in ["7", "no-such-branch", &"7".repeat(40)] {
        let text = world.refused("clone", &[("MACHE_REF", name)]);
        assert!(
            text.contains("did not come from origin") || text.contains("none came from origin"),
            "{text}"
        );
        assert!(
            text.contains("does not appear to be a git repository"),
            "{text}"
        );
    }
}

#[test]
fn an_empty_ref_has_a_default() {
    let world = World::new();
    let step = world.resolve(&[
        ("MACHE_WHEN_EMPTY", "head"),
        ("GITHUB_REF_NAME", "my/branch"),
        ("GITHUB_SHA", &world.second),
        ("GITHUB_EVENT_NAME", "issue_comment"),
    ]);
    assert_eq!(found(&step), ("my/branch", world.second.as_str()));
    let step = world.resolve(&[("MACHE_WHEN_EMPTY", "head")]);
    assert_eq!(found(&step), (&world.third[..8], world.third.as_str()));

    let release = ("MACHE_WHEN_EMPTY", "last-release");
    let step = world.resolve(&[release]);
    assert_eq!(found(&step), ("v0.2.0", world.second.as_str()));
    let step = world.resolve(&[release, ("GITHUB_REF_NAME", "v0.2.0")]);
    assert_eq!(found(&step), ("v0.1.0", world.first.as_str()));
    let step = world.resolve(&[release, ("MACHE_RELEASE_GLOB", "w*")]);
    assert_eq!(found(&step), ("", ""));
    insta::assert_snapshot!(step.answer.stderr, @"the ref: there is no release yet");
    insta::assert_snapshot!(world.refused("origin", &[release, ("MACHE_RELEASE_GLOB", "--format=x")]), @"1: error: cannot resolve the ref from its default: `--format=x` is no pattern of tags, such as v[0-9]*");

    insta::assert_snapshot!(world.refused("origin", &[("MACHE_LABEL", "the baseline")]), @"1: error: cannot resolve the baseline from its default: nothing to resolve and no default: give a ref");
    let words = [("MACHE_WHEN_EMPTY", "sometimes")];
    let text = world.resolve(&words).refusal();
    assert!(
        text.starts_with("2: error: invalid value 'sometimes'"),
        "{text}"
    );
}

#[test]
fn versions_are_ordered_as_numbers() {
    let world = World::new();
    let folder = world.place.path("origin");
    for tag in ["v0.10.0", "v0.9.0", "v1.0.0-beta"] {
        git(&folder, &["tag", tag, &world.first]);
    }
    let step = world.resolve(&[("MACHE_WHEN_EMPTY", "last-release")]);
    assert_eq!(step.output("name"), "v0.10.0");
}

#[test]
fn a_pull_request_has_its_head_and_merge_base() {
    let world = World::new();
    let event = world.event(&world.pull, &world.third);
    let around = [
        ("GITHUB_EVENT_NAME", "pull_request"),
        ("GITHUB_EVENT_PATH", event.as_str()),
        ("GITHUB_REF_NAME", "7/merge"),
        ("GITHUB_SHA", &world.third),
    ];
    // Shallow, as a runner checks out by default; what is missing is fetched.
    world.clone(&["--depth=1", "--single-branch"]);
    let ask = |when_empty| {
        let variables: Vec<_> = around
            .into_iter()
            .chain([("MACHE_WHEN_EMPTY", when_empty)])
            .collect();
        world.resolve_in("clone", &variables)
    };
    assert_eq!(found(&ask("merge-base")), ("main", world.first.as_str()));
    assert_eq!(found(&ask("head")), ("pr-7", world.pull.as_str()));
    let other: Vec<_> = around.into_iter().chain([("MACHE_REF", "8")]).collect();
    insta::assert_snapshot!(world.refused("clone", &other), @"1: error: cannot resolve the ref `8`: refuses to fetch pull request 8 on `pull_request`: that one may be anybody's");
}

#[test]
fn a_merge_base_wants_a_pull_request() {
    let world = World::new();
    let ask = ("MACHE_WHEN_EMPTY", "merge-base");
    insta::assert_snapshot!(world.refused("origin", &[ask]), @"1: error: cannot resolve the ref from its default: merge-base wants the event of a pull request, trigger `pull_request`; this is no workflow: give a ref");
    let event = world.event(&world.pull, &world.third);
    let target = [
        ask,
        ("GITHUB_EVENT_NAME", "pull_request_target"),
        ("GITHUB_EVENT_PATH", event.as_str()),
    ];
    insta::assert_snapshot!(world.refused("origin", &target), @"1: error: cannot resolve the ref from its default: merge-base wants the event of a pull request, trigger `pull_request`; this is `pull_request_target`: give a ref");
    let pull = |path: &str| {
        let variables = [
            ask,
            ("GITHUB_EVENT_NAME", "pull_request"),
            ("GITHUB_EVENT_PATH", path),
        ];
        world.refused("origin", &variables)
    };
    insta::assert_snapshot!(pull("none.json"), @"1: error: cannot resolve the ref from its default: cannot read the event in none.json: No such file or directory (os error 2)");
    let lie = world.event("--upload-pack=id", &world.third);
    insta::assert_snapshot!(pull(&lie), @"1: error: cannot resolve the ref from its default: `--upload-pack=id` is no commit");
    let gone = world.event(&"f".repeat(40), &world.third);
    insta::assert_snapshot!(pull(&gone), @"1: error: cannot resolve the ref from its default: the commit ffffffffffffffffffffffffffffffffffffffff is neither here nor at origin");
}

#[test]
fn names_that_are_none_are_refused_and_run_nothing() {
    let world = World::new();
    world.clone(&[]);
    let cases = [
        "two words",
        "a\nsha=1",
        "--upload-pack=touch pwned",
        "--output=pwned",
        "-h",
        "+main",
        "main:refs/heads/other",
        "a..b",
        ":/one",
        "main@{1 day ago}",
        "v*",
        "\u{1b}[31mred",
        &"x".repeat(300),
    ];
    for name in cases {
        let text = world.refused("clone", &[("MACHE_REF", name)]);
        assert!(
            text.starts_with("2: error: cannot resolve the ref `"),
            "{text}"
        );
        assert!(text.contains("is no ref: name a branch"), "{text}");
    }
    for name in [
        "$(touch pwned)",
        "`id`",
        "it's",
        "\"quoted\"",
        "a;b",
        "é",
        "main^{tree}",
        "@",
    ] {
        let step = world.resolve_in("clone", &[("MACHE_REF", name)]);
        assert!(name == "@" || step.answer.code != 0, "{name}: {step:?}");
    }
    insta::assert_snapshot!(world.refused("clone", &[("MACHE_REF", "$(id)")]), @"1: error: cannot resolve the ref `$(id)`: there is no branch, tag or commit `$(id)` here, and none came from origin: fatal: couldn't find remote ref $(id)");
    insta::assert_snapshot!(world.refused("clone", &[("MACHE_REF", "\"; id")]), @r#"2: error: cannot resolve the ref `\"; id`: `\"; id` is no ref: name a branch, a tag, a commit or the number of a pull request"#);
    assert!(!world.place.path("clone/pwned").exists());
    let branches = git(&world.place.path("clone"), &["branch", "--list"]);
    assert_eq!(branches, "* main");
}

#[test]
fn a_failure_is_one_annotation_without_commands() {
    let world = World::new();
    let step = world.resolve(&[
        ("MACHE_REF", "x\n::set-output name=sha::1"),
        ("MACHE_LABEL", "::error::the candidate"),
        ("GITHUB_ACTIONS", "true"),
    ]);
    let lines: Vec<&str> = step.answer.stderr.lines().collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    ::error title=mache::cannot resolve ::error::the candidate `x\n::set-output name=sha::1`: `x\n::set-output name=sha::1` is no ref: name a branch, a tag, a commit or the number of a pull request
    error: cannot resolve ::error::the candidate `x\n::set-output name=sha::1`: `x\n::set-output name=sha::1` is no ref: name a branch, a tag, a commit or the number of a pull request
    ");
}

#[test]
fn outside_a_repository_git_says_why() {
    let place = Place::new();
    let variables = [("MACHE_REF", "main"), ("GIT_CEILING_DIRECTORIES", "/")];
    let text = place.step(&["resolve-ref"], &variables).refusal();
    assert!(
        text.contains("this is no checkout of a repository"),
        "{text}"
    );
    assert!(text.contains("not a git repository"), "{text}");
}
