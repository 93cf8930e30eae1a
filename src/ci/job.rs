//! The job a command runs in: where its outputs, its summary and its remarks go.

use std::collections::hash_map::RandomState;
use std::fs::OpenOptions;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::annotation::{Level, annotation};
use super::error::CiError;
use crate::report::escape;

/// Bytes a step's summary may have; what is longer would be dropped as a whole.
const LONGEST_SUMMARY: usize = 1024 * 1024;

/// Whether this process is a step of a workflow.
#[must_use]
pub fn in_workflow() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Where a command leaves what it found.
///
/// In a workflow these are files that the runner names; on a laptop outputs are printed and there is no summary
/// unless files are given.
#[derive(Debug)]
pub struct Job {
    title: &'static str,
    outputs: Option<PathBuf>,
    summary: Option<PathBuf>,
    environment: Option<PathBuf>,
    path: Option<PathBuf>,
    annotates: bool,
}

impl Job {
    /// The job of this process. `title` heads its remarks; the files given win over those the runner names.
    #[must_use]
    pub fn of_process(
        title: &'static str,
        outputs: Option<PathBuf>,
        summary: Option<PathBuf>,
    ) -> Self {
        Self {
            title,
            outputs: outputs.or_else(|| named("GITHUB_OUTPUT")),
            summary: summary.or_else(|| named("GITHUB_STEP_SUMMARY")),
            environment: named("GITHUB_ENV"),
            path: named("GITHUB_PATH"),
            annotates: in_workflow(),
        }
    }

    /// Hands a value to later steps, under a key of ours. Without a file for outputs it is printed on `out`.
    ///
    /// # Errors
    /// When the file cannot be added to.
    pub fn output(&self, key: &str, value: &str, out: &mut impl Write) -> Result<(), CiError> {
        match &self.outputs {
            Some(path) => append(path, &entry(key, value)),
            None => Ok(writeln!(out, "{key}={}", escape::one_line(value))?),
        }
    }

    /// Hands a value to later steps as a variable of their environment; does nothing outside a workflow.
    ///
    /// # Errors
    /// When the file cannot be added to.
    pub fn export(&self, name: &str, value: &str) -> Result<(), CiError> {
        match &self.environment {
            Some(path) => append(path, &entry(name, value)),
            None => Ok(()),
        }
    }

    /// Puts a folder on the path of later steps; does nothing outside a workflow.
    ///
    /// # Errors
    /// When the file cannot be added to.
    pub fn add_to_path(&self, folder: &Path) -> Result<(), CiError> {
        match &self.path {
            Some(path) => append(path, &format!("{}\n", folder.display())),
            None => Ok(()),
        }
    }

    /// Adds Markdown to the summary of the run, cut at a line where it is longer than a summary may be.
    ///
    /// # Errors
    /// When the file cannot be added to.
    pub fn summarise(&self, markdown: &str) -> Result<(), CiError> {
        let Some(path) = &self.summary else {
            return Ok(());
        };
        let taken = std::fs::metadata(path).map_or(0, |file| file.len());
        let room = LONGEST_SUMMARY.saturating_sub(usize::try_from(taken).unwrap_or(usize::MAX));
        append(path, within(markdown, room))
    }

    /// A remark worth knowing.
    pub fn notice(&self, message: &str) {
        self.remark(Level::Notice, message);
    }

    /// A remark that something may be wrong.
    pub fn warn(&self, message: &str) {
        self.remark(Level::Warning, message);
    }

    /// What made the command fail.
    pub fn error(&self, message: &str) {
        self.remark(Level::Error, message);
    }

    /// Remarks go to standard error, which a runner reads for annotations as it does standard output. That nobody can
    /// read one is no reason to fail.
    fn remark(&self, level: Level, message: &str) {
        let line = if self.annotates {
            annotation(level, self.title, message)
        } else {
            escape::lines(message)
        };
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// The file a variable names; an empty one names none.
fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
}

/// A key with a value that may hold anything: the delimiter cannot be guessed, and is not part of the value.
fn entry(key: &str, value: &str) -> String {
    debug_assert!(key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
    let mut delimiter = random_word();
    while value.contains(&delimiter) {
        delimiter = random_word();
    }
    format!("{key}<<{delimiter}\n{value}\n{delimiter}\n")
}

/// 128 bits from the system's source of randomness, by way of the keys of the standard library's hash maps.
fn random_word() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("end-{:016x}{:016x}", half(), half())
}

fn append(path: &Path, text: &str) -> Result<(), CiError> {
    let open = OpenOptions::new().create(true).append(true).open(path);
    open.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|source| CiError::Append {
            path: path.to_owned(),
            source,
        })
}

/// As many whole lines as fit.
fn within(text: &str, room: usize) -> &str {
    if text.len() <= room {
        return text;
    }
    let mut end = room;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind('\n').map_or(0, |at| at + 1);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(folder: &Path) -> Job {
        Job {
            title: "mache",
            outputs: Some(folder.join("outputs")),
            summary: Some(folder.join("summary")),
            environment: Some(folder.join("environment")),
            path: Some(folder.join("path")),
            annotates: true,
        }
    }

    /// Reads a file of outputs as a runner does.
    fn read(text: &str) -> Vec<(String, String)> {
        let (mut found, mut lines) = (Vec::new(), text.lines());
        while let Some(line) = lines.next() {
            let (key, delimiter) = line.split_once("<<").expect("a key and its delimiter");
            let value: Vec<&str> = lines
                .by_ref()
                .take_while(|line| *line != delimiter)
                .collect();
            found.push((key.to_owned(), value.join("\n")));
        }
        found
    }

    #[test]
    fn a_value_cannot_give_another_output() {
        let folder = tempfile::tempdir().expect("a folder");
        let job = job(folder.path());
        let hostile = "one\nverdict=passed\nverdict<<end\npassed\nend";
        job.output("line", hostile, &mut io::sink())
            .expect("written");
        job.output("verdict", "failed", &mut io::sink())
            .expect("written");
        job.export("LINE", hostile).expect("written");
        let text = std::fs::read_to_string(folder.path().join("outputs")).expect("outputs");
        let wanted = [("line", hostile), ("verdict", "failed")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(read(&text), wanted);
        let text = std::fs::read_to_string(folder.path().join("environment")).expect("variables");
        assert_eq!(read(&text), [("LINE".to_owned(), hostile.to_owned())]);
        job.add_to_path(Path::new("/a b")).expect("written");
        let text = std::fs::read_to_string(folder.path().join("path")).expect("folders");
        assert_eq!(text, "/a b\n");
    }

    #[test]
    fn delimiters_differ() {
        assert_ne!(entry("a", "b"), entry("a", "b"));
    }

    #[test]
    fn outputs_without_a_file_are_printed_one_a_line() {
        let job = Job {
            outputs: None,
            ..job(Path::new("."))
        };
        let mut out = Vec::new();
        job.output("line", "a\nb=c", &mut out).expect("printed");
        assert_eq!(String::from_utf8(out).expect("text"), "line=a\\nb=c\n");
    }

    #[test]
    fn a_summary_is_cut_at_a_line_when_it_is_full() {
        assert_eq!(within("one\ntwo\n", 8), "one\ntwo\n");
        assert_eq!(within("one\ntwo\n", 7), "one\n");
        assert_eq!(within("öne", 1), "");
        let folder = tempfile::tempdir().expect("a folder");
        let job = job(folder.path());
        let line = format!("{}\n", "x".repeat(600_000));
        job.summarise(&line).expect("written");
        job.summarise(&line).expect("written");
        let text = std::fs::read_to_string(folder.path().join("summary")).expect("a summary");
        assert_eq!(text, line);
    }

    #[test]
    fn a_file_that_cannot_be_added_to_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let job = Job {
            outputs: Some(folder.path().join("none/outputs")),
            ..job(folder.path())
        };
        let error = job
            .output("a", "b", &mut io::sink())
            .expect_err("no folder");
        assert!(error.to_string().starts_with("cannot add to "), "{error}");
    }
}
