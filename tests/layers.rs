//! The direction between modules, and what each may know, enforced on the text of `src/`.
//!
//! A small reader of Rust's tokens finds every path that starts at `crate`, `super` or a foreign crate, groups and
//! nested groups included, so that `use crate::{cli, stats::Pentanomial};` is seen as two uses.

use std::fs;
use std::path::{Path, PathBuf};

/// Left to right: a module may use itself and those before it.
const LAYERS: [&str; 9] = [
    "stats", "notation", "openings", "games", "plan", "play", "report", "ci", "cli",
];

/// A crate or path of the standard library, and the places that may name it.
const KEPT_TO: [(&str, &[&str]); 11] = [
    ("clap", &["cli/", "main.rs"]),
    ("anyhow", &["cli/", "main.rs"]),
    ("indicatif", &["cli/"]),
    ("pgn_reader", &["notation/pgn"]),
    ("duct", &["play/"]),
    ("ureq", &["ci/http"]),
    ("tar", &["ci/", "cli/ci/export"]),
    ("toml", &["openings/table"]),
    ("std::process::Command", &["play/"]),
    ("std::process::Child", &["play/"]),
    ("std::process::Stdio", &["play/"]),
];

/// What pure modules may not touch.
const IMPURE: [&str; 9] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "rand::rng",
    "rand::random",
];

/// Modules that open no file, start no process and read no clock.
const PURE: [&str; 2] = ["stats/", "plan/"];

/// Lines a file may have before its tests.
const LONGEST: usize = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Mark(char),
    PathSeparator,
}

impl Token {
    fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Mark(_) | Self::PathSeparator => None,
        }
    }
}

/// Words and marks of a source text, without comments, strings, characters and lifetimes.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let first = rest.chars().next().expect("inside the text");
        if let Some(length) = ignored(rest) {
            at += length;
        } else if first.is_alphabetic() || first == '_' {
            let word: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            at += word.len();
            found.push(Token::Word(word));
        } else if rest.starts_with("::") {
            at += 2;
            found.push(Token::PathSeparator);
        } else {
            at += first.len_utf8();
            if !first.is_whitespace() {
                found.push(Token::Mark(first));
            }
        }
    }
    found
}

/// Length of the comment, string, character or lifetime that the text begins with.
fn ignored(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment(rest));
    }
    let prefixes = ["br", "cr", "r", "b", "c", ""];
    prefixes
        .iter()
        .find_map(|prefix| {
            let after = rest.strip_prefix(prefix)?;
            let length = if prefix.ends_with('r') {
                raw_string(after)
            } else {
                string(after)
            };
            length.map(|length| prefix.len() + length)
        })
        .or_else(|| character(rest))
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn string(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            '"' if !escaped => return Some(at + 2),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    Some(rest.len())
}

fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    rest[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let body = hashes + 1;
    Some(
        rest[body..]
            .find(&end)
            .map_or(rest.len(), |at| body + at + end.len()),
    )
}

/// A character such as `'"'` or `'\''`, or a lifetime such as `'a`.
fn character(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('\'')?;
    if let Some(escape) = inner.strip_prefix('\\') {
        let skip = escape.chars().next().map_or(0, char::len_utf8);
        return Some(2 + skip + escape[skip..].find('\'').map_or(0, |at| at + 1));
    }
    let width = inner.chars().next().map_or(0, char::len_utf8);
    Some(if inner[width..].starts_with('\'') {
        width + 2
    } else {
        1
    })
}

/// A path as written, groups taken apart, and how many inline modules stand around it.
#[derive(Debug, PartialEq, Eq)]
struct NamedPath {
    words: Vec<String>,
    inline: usize,
}

/// Every path of two words or more that starts at a word, and every `use` of a single word.
fn paths(tokens: &[Token]) -> Vec<NamedPath> {
    let mut found = Vec::new();
    let mut blocks: Vec<bool> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = |back: usize| at.checked_sub(back).map(|at| &tokens[at]);
        match token {
            Token::Mark('{') => {
                blocks.push(before(2).and_then(Token::word) == Some("mod"));
            }
            Token::Mark('}') => {
                blocks.pop();
            }
            Token::Word(_) if before(1) != Some(&Token::PathSeparator) => {
                let used = before(1).and_then(Token::word) == Some("use");
                if used || tokens.get(at + 1) == Some(&Token::PathSeparator) {
                    let inline = blocks.iter().filter(|module| **module).count();
                    let (whole, _) = tree(tokens, at);
                    found.extend(whole.into_iter().map(|words| NamedPath { words, inline }));
                }
            }
            Token::Word(_) | Token::Mark(_) | Token::PathSeparator => {}
        }
    }
    found
}

/// The paths of the tree that starts at `at`, and where it ends.
fn tree(tokens: &[Token], mut at: usize) -> (Vec<Vec<String>>, usize) {
    let mut stem = Vec::new();
    loop {
        match tokens.get(at) {
            Some(Token::Word(word)) => stem.push(word.clone()),
            Some(Token::Mark('{')) => return group(tokens, at + 1, &stem),
            Some(Token::Mark('*')) => stem.push("*".to_owned()),
            Some(Token::Mark(_) | Token::PathSeparator) | None => return (vec![stem], at),
        }
        at += 1;
        if tokens.get(at) != Some(&Token::PathSeparator) {
            return (vec![stem], at);
        }
        at += 1;
    }
}

fn group(tokens: &[Token], mut at: usize, stem: &[String]) -> (Vec<Vec<String>>, usize) {
    let mut found = Vec::new();
    while at < tokens.len() && tokens[at] != Token::Mark('}') {
        if tokens[at] == Token::Mark(',') || tokens[at].word() == Some("as") {
            at += 1 + usize::from(tokens[at] != Token::Mark(','));
            continue;
        }
        let (branches, end) = tree(tokens, at);
        found.extend(
            branches
                .into_iter()
                .map(|branch| [stem, &branch[..]].concat()),
        );
        at = end.max(at + 1);
    }
    (found, at + 1)
}

/// How deep below the crate's root the module of a file is: `play/mod.rs` 1, `play/clock.rs` 2, `lib.rs` 0.
fn depth(file: &str) -> usize {
    let names = file.split('/').count();
    match file {
        "lib.rs" | "main.rs" => 0,
        _ if file.ends_with("/mod.rs") => names - 1,
        _ => names,
    }
}

/// The top-level module a path leads to, when it starts at this crate's root or climbs there.
fn target(file: &str, path: &NamedPath) -> Option<String> {
    let climbs = path.words.iter().skip_while(|w| *w == "self");
    let climbs = climbs.take_while(|word| *word == "super").count();
    let roots = path.words.iter().take_while(|w| *w == "self").count();
    let next = match path.words.first()?.as_str() {
        "crate" => path.words.get(1),
        "self" | "super" if climbs >= depth(file) + path.inline && climbs > 0 => {
            path.words.get(roots + climbs)
        }
        _ => None,
    };
    next.cloned()
}

/// Everything a file does against the rules; `file` is its path below `src/` with `/` between names.
fn offences(file: &str, text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let paths = paths(&tokens);
    let mut found = Vec::new();
    for path in &paths {
        let name = path.words.join("::");
        found.extend(wrong_way(file, path).map(|why| format!("{file}: {name} {why}")));
        found.extend(misplaced(file, &name).map(|why| format!("{file}: {name} {why}")));
    }
    for word in tokens.iter().filter_map(Token::word) {
        if ["todo", "unimplemented"].contains(&word) {
            found.push(format!("{file}: unfinished, it says {word}"));
        }
    }
    let lines = text
        .lines()
        .take_while(|line| !line.starts_with("#[cfg(test)]"));
    let lines = lines.count();
    if lines >= LONGEST {
        found.push(format!("{file}: {lines} lines before its tests"));
    }
    found
}

fn wrong_way(file: &str, path: &NamedPath) -> Option<String> {
    let own = file.split('/').next().filter(|_| depth(file) > 0)?;
    let own = own.trim_end_matches(".rs");
    let Some(place) = LAYERS.iter().position(|layer| *layer == own) else {
        return Some(format!("in {own}, which is no layer"));
    };
    let target = target(file, path)?;
    match LAYERS.iter().position(|layer| *layer == target) {
        Some(other) => (other > place).then(|| format!("points to the right of {own}")),
        None => Some("names no layer: say which module it is in".to_owned()),
    }
}

fn misplaced(file: &str, name: &str) -> Option<String> {
    let names = |known: &str| {
        let short = known.trim_start_matches("std::");
        let mut forms = [known, short].into_iter();
        forms.any(|form| {
            name.strip_prefix(form)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        })
    };
    let kept = KEPT_TO
        .iter()
        .find(|(known, homes)| names(known) && !homes.iter().any(|home| file.starts_with(home)));
    let impure = || PURE.iter().any(|pure| file.starts_with(pure));
    let chess = file.starts_with("stats/") && names("shakmaty");
    kept.map(|(_, homes)| format!("belongs to {}", homes.join(" and ")))
        .or_else(|| {
            (IMPURE.iter().any(|known| names(known)) && impure()).then(|| "is not pure".to_owned())
        })
        .or_else(|| chess.then(|| "knows chess".to_owned()))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of sources");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect();
    found.sort();
    found
}

#[test]
fn sources_keep_to_their_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources(&root);
    assert!(files.len() > LAYERS.len(), "{} files found", files.len());
    let offences: Vec<String> = files
        .iter()
        .flat_map(|path| {
            let below = path.strip_prefix(&root).expect("below src");
            let file = below.to_string_lossy().replace('\\', "/");
            offences(&file, &fs::read_to_string(path).expect("a source file"))
        })
        .collect();
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}

/// Asserts that a sample is refused for the reason given, or allowed when there is none.
#[track_caller]
fn case(file: &str, text: &str, reason: Option<&str>) {
    let found = offences(file, text);
    match reason {
        Some(reason) => assert!(
            found.iter().any(|offence| offence.contains(reason)),
            "wanted `{reason}`, got {found:?}"
        ),
        None => assert_eq!(found, Vec::<String>::new()),
    }
}

#[test]
fn left_is_allowed() {
    case("games/pool.rs", "use crate::stats::Pentanomial;", None);
    case(
        "cli/mod.rs",
        "use crate::{report, stats::{self, Sprt}};",
        None,
    );
    case(
        "play/clock.rs",
        "use super::setup::Limit; use super::{Stop, super::stats};",
        None,
    );
    case(
        "play/clock.rs",
        "mod tests { use super::*; use super::super::Stop; }",
        None,
    );
    case("lib.rs", "pub mod cli; pub use crate::cli::Cli;", None);
    case(
        "main.rs",
        "fn main() -> anyhow::Result<()> { mache::cli::run() }",
        None,
    );
}

#[test]
fn right_is_refused() {
    let right = Some("points to the right");
    case("stats/sprt.rs", "use crate::games::Pool;", right);
    case("stats/sprt.rs", "fn f() { crate::cli::run() }", right);
    case(
        "stats/sprt.rs",
        "pub(crate) use crate::{\n    stats::Elo,\n    report::{text, Json},\n};",
        Some("crate::report::text"),
    );
    case(
        "plan/mod.rs",
        "use crate::{self as root, openings::{key}, play::Stop as Ended};",
        Some("crate::play::Stop"),
    );
    case("plan/mod.rs", "use super::play::Stop;", right);
    case("plan/seed.rs", "use super::super::play::Stop;", right);
    case("plan/seed.rs", "use super::{super::{cli}};", right);
    case(
        "plan/seed.rs",
        "mod tests { use super::super::super::cli; }",
        right,
    );
    case("games.rs", "use self::super::cli::run;", right);
}

#[test]
fn unknown_modules_are_refused() {
    case("utils/mod.rs", "use crate::stats::Elo;", Some("no layer"));
    case(
        "games/mod.rs",
        "use crate::helpers::x;",
        Some("names no layer"),
    );
}

#[test]
fn text_that_only_looks_like_code_is_allowed() {
    let text = r##"
        //! See crate::cli and todo!().
        /* crate::cli /* nested crate::report */ crate::cli */
        fn f<'a>(x: &'a str) -> char { let _ = ("crate::cli \" crate::cli", b"crate::cli", r#"" crate::cli"#); '"' }
        fn g() -> char { '\'' } fn h() -> char { '\u{7b}' }
    "##;
    case("stats/mod.rs", text, None);
    let text = r##"fn f() -> char { let _ = r#"" "#; '"' } use crate::cli::run;"##;
    case("stats/mod.rs", text, Some("crate::cli::run"));
}

#[test]
fn crates_stay_where_they_belong() {
    case(
        "report/mod.rs",
        "use anyhow::Context;",
        Some("belongs to cli/"),
    );
    case(
        "games/mod.rs",
        "#[derive(clap::Args)] struct X;",
        Some("belongs to cli/"),
    );
    case(
        "play/mod.rs",
        "use indicatif::{ProgressBar};",
        Some("belongs to cli/"),
    );
    case(
        "games/mod.rs",
        "use pgn_reader::Visitor;",
        Some("belongs to notation/pgn"),
    );
    case("notation/pgn/read.rs", "use pgn_reader::Visitor;", None);
    case("ci/mod.rs", "use duct::cmd;", Some("belongs to play/"));
    case(
        "cli/play.rs",
        "use std::{io, process::{self, Command}};",
        Some("belongs to play/"),
    );
    case(
        "cli/play.rs",
        "use std::process; fn f() { process::Command::new(\"x\"); }",
        Some("belongs to play/"),
    );
    case("cli/exit.rs", "use std::process::ExitCode;", None);
    case(
        "play/engine.rs",
        "use std::process::{Child, Command, Stdio};",
        None,
    );
}

#[test]
fn pure_modules_stay_pure() {
    case(
        "stats/elo.rs",
        "use std::{fmt, fs::File};",
        Some("not pure"),
    );
    case(
        "plan/mod.rs",
        "use std::time::{Duration, Instant};",
        Some("not pure"),
    );
    case(
        "plan/mod.rs",
        "use std::time; fn f() { time::SystemTime::now(); }",
        Some("not pure"),
    );
    case(
        "stats/walk.rs",
        "fn f() { let _ = rand::rng(); }",
        Some("not pure"),
    );
    case("stats/mod.rs", "use shakmaty::Chess;", Some("knows chess"));
    case(
        "plan/mod.rs",
        "use std::time::Duration; use std::fmt;",
        None,
    );
    case("play/clock.rs", "use std::time::Instant;", None);
}

#[test]
fn unfinished_and_long_files_are_refused() {
    case("stats/mod.rs", "fn f() { todo!() }", Some("unfinished"));
    let long = "fn f() {}\n".repeat(LONGEST);
    case("stats/mod.rs", &long, Some("400 lines before its tests"));
    let tests = format!("fn f() {{}}\n#[cfg(test)]\nmod tests {{}}\n{long}");
    case("stats/mod.rs", &tests, None);
}
