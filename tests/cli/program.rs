//! The built program, run in a folder of its own with a clean environment.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// A folder to run the program in.
pub(crate) struct Place(TempDir);

/// What a run of the program left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        let folder = path.parent().expect("a file has a folder");
        std::fs::create_dir_all(folder).expect("folders can be made");
        std::fs::write(path, content).expect("the file can be written");
        self
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// The content of a file the program wrote.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the program wrote this file")
    }

    /// The program, to be run here.
    pub(crate) fn program(&self) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_mache"));
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("GITHUB_")
                || name.starts_with("RUNNER_")
                || name.starts_with("MACHE_")
            {
                program.env_remove(&*name);
            }
        }
        program
            .env_remove("CI")
            .env_remove("NO_COLOR")
            .current_dir(self.0.path());
        program
    }

    /// Runs the program with these arguments.
    #[track_caller]
    pub(crate) fn run(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Answer {
        let output = self
            .program()
            .args(arguments)
            .output()
            .expect("the program starts");
        Answer {
            code: output.status.code().expect("no signal ended it"),
            stdout: String::from_utf8(output.stdout).expect("it prints UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("it prints UTF-8"),
        }
    }
}

/// A refusal: what the program says and nothing else, with its exit code in front.
#[track_caller]
pub(crate) fn refusal(answer: &Answer) -> String {
    assert_eq!(answer.stdout, "", "a refusal answers nothing");
    format!("{}: {}", answer.code, answer.stderr)
}
