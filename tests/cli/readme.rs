//! The README says what the program does: every command and every exit code is in its tables.

use std::fs;
use std::path::Path;

use crate::matches::mache;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The rows of the first table below a heading, each as its cells.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let below = text
        .split(heading)
        .nth(1)
        .unwrap_or_else(|| panic!("no `{heading}`"));
    let lines = below.lines().skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    let cells = |row: &str| {
        row.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    rows.map(cells).collect()
}

fn help(arguments: &[&str]) -> String {
    let output = mache()
        .args(arguments)
        .arg("--help")
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "mache {arguments:?} --help");
    String::from_utf8(output.stdout).expect("help is UTF-8")
}

/// Names and first lines of the commands that a help text lists.
fn commands(help: &str) -> Vec<(String, String)> {
    let list = help
        .split("Commands:\n")
        .nth(1)
        .expect("a list of commands");
    let lines = list.lines().take_while(|line| !line.trim().is_empty());
    lines
        .filter_map(|line| line.trim().split_once("  "))
        .map(|(name, about)| (name.to_owned(), about.trim().to_owned()))
        .filter(|(name, _)| name != "help")
        .collect()
}

#[test]
fn every_command_is_in_the_table() {
    let rows = table(&read("README.md"), "## Commands");
    let listed: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let known: Vec<String> = commands(&help(&[]))
        .iter()
        .map(|(name, _)| format!("`mache {name}`"))
        .collect();
    assert_eq!(
        listed, known,
        "the README's table and `mache --help`, in the same order"
    );
}

#[test]
fn every_command_has_help_that_says_what_it_does() {
    for (name, about) in commands(&help(&[])) {
        assert!(about.len() > 10, "{name}: {about}");
        assert!(help(&[&name]).contains("Usage: mache"), "{name}");
    }
}

#[test]
fn every_exit_code_is_in_the_table() {
    let rows = table(&read("README.md"), "## Exit codes");
    let numbers = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_ascii_digit());
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let codes: Vec<String> = rows.iter().flat_map(|row| numbers(&row[0])).collect();
    let said = |command: &[&str]| {
        numbers(
            help(command)
                .split("Exit codes:")
                .nth(1)
                .expect("help lists exit codes"),
        )
    };
    assert!(codes.starts_with(&said(&[])), "{codes:?}");
    assert_eq!(codes, said(&["play"]));
}

#[test]
fn options_that_documents_name_exist() {
    let known: String = commands(&help(&[]))
        .iter()
        .map(|(name, _)| help(&[name]))
        .collect();
    let steps: String = commands(&help(&["ci"]))
        .iter()
        .map(|(name, _)| help(&["ci", name]))
        .collect();
    let known = known + &steps + &help(&[]);
    for document in ["README.md", "docs/distributed.md"] {
        let text = read(document);
        let named = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        // Options of other programs, in lines that call them.
        let foreign = [
            "--release",
            "--array",
            "--job-name",
            "--cpus-per-task",
            "--time",
            "--signal",
            "--bin",
            "--path",
            "--locked",
            "--git",
        ];
        // Rules of tables are made of dashes alone.
        let is_option = |word: &&str| word.starts_with("--") && !word.chars().all(|c| c == '-');
        for option in named.filter(is_option) {
            assert!(
                foreign.contains(&option) || known.contains(option),
                "{document}: no command knows {option}"
            );
        }
    }
}

#[test]
fn thin_commands_run_the_program() {
    if cfg!(not(unix)) {
        return;
    }
    let folder = Path::new(env!("CARGO_BIN_EXE_mache"))
        .parent()
        .expect("a folder");
    let path =
        std::env::join_paths([folder, Path::new("/usr/bin"), Path::new("/bin")]).expect("a path");
    for (script, command) in [
        ("book-slice", "book-slice"),
        ("match-estimate", "match-estimate"),
        ("rating-estimate", "rating-estimate"),
        ("match-terminations", "match-terminations"),
        ("terminations", "match-terminations"),
    ] {
        let script = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("bin")
            .join(script);
        let output = std::process::Command::new(&script)
            .arg("--help")
            .env("PATH", &path)
            .output();
        let output = output.unwrap_or_else(|why| panic!("{}: {why}", script.display()));
        assert_eq!(String::from_utf8_lossy(&output.stdout), help(&[command]));
    }
}
