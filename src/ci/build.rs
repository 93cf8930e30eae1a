//! What can be told of a build without running it: the bench a commit names, whether the program is for one processor
//! only, what is recorded.

use serde::{Deserialize, Serialize};

/// What is recorded of an engine that was built, beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildRecord {
    /// Version of this document: 1.
    pub format: u32,
    /// Version of mache.
    pub mache: String,
    /// What the caller calls it.
    pub name: String,
    /// The commit, all 40 digits.
    pub commit: String,
    /// The program that built it.
    pub build: String,
    /// What the engine calls itself.
    pub id_name: String,
    /// Who it says wrote it.
    pub id_author: String,
    /// SHA-256 of the engine in hexadecimal.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
    /// Nodes that its `bench` counted; null when it has none or was not asked.
    pub bench: Option<u64>,
    /// Nodes that the message of the commit names.
    pub commit_bench: Option<u64>,
    /// Whether something says that it was built for the processor of the machine it was built on.
    pub native: bool,
}

/// The node count that the message of a commit names: its last line `Bench: 1234567`, in whatever case, with or
/// without the colon.
#[must_use]
pub fn commit_bench(message: &str) -> Option<u64> {
    message.lines().rev().find_map(|line| {
        let line = line.trim();
        let (word, rest) = line.split_at_checked("bench".len())?;
        if !word.eq_ignore_ascii_case("bench") {
            return None;
        }
        let value = rest.trim_start();
        match value.strip_prefix([':', '=']) {
            Some(value) => first_number(value),
            // Without a colon prose is likely, so nothing else may stand there.
            None => first_number(value).filter(|_| value.chars().all(is_of_number)),
        }
    })
}

/// The node count in a line of what `bench` prints: `Nodes searched  : 1234567`, `1234567 nodes 890123 nps`,
/// `Total nodes: 1234567` and the like. `None` for other lines, information on a search among them.
#[must_use]
pub fn bench_nodes(line: &str) -> Option<u64> {
    let line = line.trim().to_lowercase();
    if line.starts_with("info ") || line.contains("nodes/s") {
        return None;
    }
    for label in ["nodes searched", "total nodes", "nodes", "bench"] {
        let value = line
            .strip_prefix(label)
            .and_then(|rest| rest.trim_start().strip_prefix([':', '=']));
        if let Some(value) = value {
            return first_number(value);
        }
    }
    let (before, _) = line.split_once(" nodes")?;
    first_number(before.rsplit(char::is_whitespace).next()?)
}

/// Whether a line shows a compiler told to build for the processor it runs on.
#[must_use]
pub fn is_for_one_processor(line: &str) -> bool {
    let found = |flag: &str| {
        line.match_indices(flag).any(|(at, _)| {
            let next = line[at + flag.len()..].chars().next();
            next.is_none_or(|next| !(next.is_alphanumeric() || next == '-' || next == '_'))
        })
    };
    ["-march=native", "-mcpu=native", "target-cpu=native"]
        .into_iter()
        .any(found)
}

fn is_of_number(letter: char) -> bool {
    letter.is_ascii_digit() || ",_'".contains(letter)
}

/// The whole number a text begins with, blanks before it and marks between thousands passed over. What follows may
/// not make a part of it something else, such as the decimals of a number.
fn first_number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c| !is_of_number(c)).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let part = rest
        .chars()
        .next()
        .is_some_and(|next| next.is_alphanumeric() || next == '%');
    let decimals = rest
        .strip_prefix('.')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if part || decimals {
        return None;
    }
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bench_of_a_commit() {
        let cases = [
            ("Prune more\n\nBench: 1234567\n", Some(1_234_567)),
            ("x\n\nbench 4563432", Some(4_563_432)),
            ("x\n\nBench: 12\nlater\nBENCH=34 (depth 13)", Some(34)),
            ("x\n\n  Bench : 1,234,567", Some(1_234_567)),
            ("Bench 3% faster", None),
            ("Bench 10 positions more", None),
            ("Benchmarks: 12", None),
            ("bench: 1.5 s", None),
            ("bench:", None),
            ("No functional change", None),
            ("bänch", None),
            ("", None),
        ];
        for (message, nodes) in cases {
            assert_eq!(commit_bench(message), nodes, "{message}");
        }
    }

    #[test]
    fn the_nodes_of_a_bench() {
        let cases = [
            ("Nodes searched  : 1234567", Some(1_234_567)),
            ("1234567 nodes 890123 nps", Some(1_234_567)),
            ("Total nodes: 12", Some(12)),
            ("Bench: 34", Some(34)),
            ("bench = 1_000", Some(1000)),
            ("12 nodes", Some(12)),
            ("info depth 3 nodes 77 nps 1", None),
            ("Nodes/second    : 890123", None),
            ("890123 nodes/second", None),
            ("Total time (ms) : 99", None),
            ("some nodes", None),
            ("", None),
        ];
        for (line, nodes) in cases {
            assert_eq!(bench_nodes(line), nodes, "{line}");
        }
    }

    #[test]
    fn builds_for_one_processor() {
        for line in [
            "g++ -O3 -march=native -c x.cpp",
            "rustc -C target-cpu=native",
            r#"rustflags = ["-C", "target-cpu=native"]"#,
            "cc -mcpu=native",
        ] {
            assert!(is_for_one_processor(line), "{line}");
        }
        for line in ["g++ -march=x86-64-v3", "-march=native-like", "native", ""] {
            assert!(!is_for_one_processor(line), "{line}");
        }
    }
}
