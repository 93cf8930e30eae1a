//! Actions hand their inputs to the program under names it knows, and their documents list them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::Place;

fn tree() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every action's metadata.
fn actions() -> Vec<PathBuf> {
    let folders = fs::read_dir(tree().join("actions")).expect("actions");
    let mut files: Vec<PathBuf> = folders
        .map(|folder| folder.expect("a folder").path().join("action.yml"))
        .collect();
    files.push(tree().join("action.yml"));
    assert!(files.len() >= 14, "{files:?}");
    files
}

/// Names of the entries of a block such as `inputs:`, each two blanks deep.
fn entries(text: &str, block: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| *line != format!("{block}:"));
    let inside = lines.skip(1).take_while(|line| line.starts_with(' '));
    inside
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'))
        .filter(|name| !name.starts_with(' '))
        .map(str::to_owned)
        .collect()
}

/// Steps that run a command of `mache ci`: the command, and the variables it is given.
fn steps(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for step in text.split("\n    - ").skip(1) {
        let run = step
            .lines()
            .find_map(|line| line.trim().strip_prefix("run: mache ci "));
        let Some(command) = run else { continue };
        let variables = step.lines().filter_map(|line| {
            let (name, _) = line.trim().split_once(": ")?;
            name.strip_prefix("MACHE_").map(str::to_owned)
        });
        found.push((command.to_owned(), variables.collect()));
    }
    found
}

#[test]
fn every_input_is_a_flag_of_the_command() {
    let mut looked_at = 0;
    for file in actions() {
        let text = fs::read_to_string(&file).expect("an action");
        for (command, variables) in steps(&text) {
            let help = Place::new().run(["ci", &command, "--help"]);
            assert_eq!(help.code, 0, "{}: no command {command}", file.display());
            for variable in variables {
                let flag = format!("--{} ", variable.to_lowercase().replace('_', "-"));
                let known = help.stdout.replace("[=", " ").contains(&flag);
                assert!(
                    known,
                    "{}: `mache ci {command}` has no {flag}",
                    file.display()
                );
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 120, "{looked_at}");
}

#[test]
fn every_input_and_output_is_documented() {
    for file in actions() {
        let text = fs::read_to_string(&file).expect("an action");
        let Ok(readme) = fs::read_to_string(file.with_file_name("README.md")) else {
            panic!("{} has no README.md beside it", file.display());
        };
        if file.parent() == Some(tree()) {
            continue; // its inputs are those of `match-estimate`
        }
        for block in ["inputs", "outputs"] {
            let names = entries(&text, block);
            assert!(!names.is_empty(), "{}: no {block}", file.display());
            for name in names {
                let row = format!("| `{name}` |");
                assert!(readme.contains(&row), "{}: no {row}", file.display());
            }
        }
    }
}

#[test]
fn every_input_of_a_reusable_workflow_is_documented() {
    let workflows = tree().join(".github/workflows");
    let readme = fs::read_to_string(workflows.join("README.md")).expect("a README");
    for name in ["strength.yml", "continue.yml", "calibrate.yml"] {
        let text = fs::read_to_string(workflows.join(name)).expect("a workflow");
        let inputs = text
            .split("    outputs:")
            .next()
            .expect("inputs come first");
        let inputs = inputs.split("\njobs:").next().expect("jobs come last");
        let names = inputs
            .lines()
            .filter_map(|line| line.strip_prefix("      ")?.strip_suffix(':'))
            .filter(|name| !name.starts_with(' '));
        let mut seen = 0;
        for input in names {
            assert!(
                readme.contains(&format!("| `{input}` |")),
                "{name}: {input}"
            );
            seen += 1;
        }
        assert!(seen > 4, "{name}: {seen}");
    }
}
