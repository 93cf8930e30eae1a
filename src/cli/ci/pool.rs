//! `mache ci pool`: games that are already there, judged.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use glob::MatchOptions;

use super::JobArgs;
use super::judged::{self, Question};
use super::test_args::TestArgs;
use crate::cli::exit;
use crate::report::escape::inline;
use crate::report::number::counted;

/// Pool files of games that are already there, and judge them
///
/// Every file is one shard's. What each pattern matches is all that is read; one that matches nothing is an error.
#[derive(Debug, Args)]
pub(super) struct PoolGames {
    #[command(flatten)]
    files: FileInputs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Match")]
struct FileInputs {
    /// Files of games or patterns, blanks between them; `**` reaches into folders. May be repeated
    #[arg(long, value_name = "PATTERNS", required = true)]
    pgn: Vec<String>,
    /// Name the engine under test played under
    #[arg(long, value_name = "NAME")]
    candidate: String,
    /// Name the other side played under
    #[arg(long, value_name = "NAME")]
    baseline: String,
    /// The time control; recorded only
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    time_control: String,
}

impl PoolGames {
    /// Judges the games.
    ///
    /// # Errors
    /// When a pattern matches nothing, no game can be used, the test makes no sense, or something cannot be written.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache");
        let FileInputs {
            pgn,
            candidate,
            baseline,
            time_control,
        } = &self.files;
        let paths = files(pgn)?;
        let count = paths.len() as u64;
        let question = Question {
            candidate,
            baseline,
            opponent: baseline,
            tc: time_control.trim(),
            test: self.test.words()?,
            paths,
        };
        let report = question.answer()?;
        let at = match time_control.trim() {
            "" => String::new(),
            tc => format!(" at {}", inline(tc)),
        };
        let (one, other) = (inline(candidate), inline(baseline));
        let head = format!(
            "{one} against {other}, over {}{at}.",
            counted(count, "PGN file")
        );
        judged::show(&judged::page(&head, &report, None), &job)?;
        judged::put(&report, &report.line(), &job, out)?;
        Ok(exit::ANSWERED)
    }
}

/// The files that lines of patterns mean, each once, in the order of their paths.
fn files(lines: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for line in lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty())
    {
        // A file may have blanks in its name.
        if Path::new(line).is_file() {
            found.push(PathBuf::from(line));
            continue;
        }
        for pattern in line.split_whitespace() {
            found.extend(matching(pattern)?);
        }
    }
    if found.is_empty() {
        bail!("no file of games is named");
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn matching(pattern: &str) -> anyhow::Result<Vec<PathBuf>> {
    if Path::new(pattern).is_file() {
        return Ok(vec![PathBuf::from(pattern)]);
    }
    let shown = pattern.escape_debug();
    let options = MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: false,
    };
    let paths = glob::glob_with(pattern, options)
        .with_context(|| format!("`{shown}` is no pattern"))?
        .collect::<Result<Vec<PathBuf>, _>>()
        .with_context(|| format!("cannot look for `{shown}`"))?;
    let files: Vec<PathBuf> = paths.into_iter().filter(|path| path.is_file()).collect();
    if files.is_empty() {
        bail!("nothing matches `{shown}`");
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_reach_into_folders_and_name_each_file_once() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [
            "a.pgn",
            "b c.pgn",
            "x[1].pgn",
            "deep/er/d.pgn",
            "deep/notes.txt",
        ] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "").expect("written");
        }
        let place = |name: &str| folder.path().join(name).display().to_string();
        let names = |lines: &[&str]| -> Vec<String> {
            let lines: Vec<String> = lines.iter().map(|line| place(line)).collect();
            let found = files(&lines).expect("files");
            let inside = |path: PathBuf| {
                let path = path.strip_prefix(&folder).expect("inside").to_owned();
                path.display().to_string().replace('\\', "/")
            };
            found.into_iter().map(inside).collect()
        };
        assert_eq!(
            names(&["**/*.pgn"]),
            ["a.pgn", "b c.pgn", "deep/er/d.pgn", "x[1].pgn"]
        );
        assert_eq!(names(&["a.pgn", "*.pgn"]), ["a.pgn", "b c.pgn", "x[1].pgn"]);
        assert_eq!(names(&["b c.pgn"]), ["b c.pgn"]);
        assert_eq!(names(&["x[1].pgn"]), ["x[1].pgn"]);
        let two = format!("{} {}", place("a.pgn"), place("deep/**/d.pgn"));
        assert_eq!(files(&[two]).expect("files").len(), 2);
    }

    #[test]
    fn a_pattern_without_a_file_is_named() {
        let why = |line: &str| format!("{:#}", files(&[line.to_owned()]).expect_err("nothing"));
        insta::assert_snapshot!(why("/nowhere/*.pgn"), @"nothing matches `/nowhere/*.pgn`");
        insta::assert_snapshot!(why("a**b"), @"`a**b` is no pattern: Pattern syntax error near position 0: recursive wildcards must form a single path component");
        insta::assert_snapshot!(why(" "), @"no file of games is named");
    }
}
