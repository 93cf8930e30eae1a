//! Git repositories on this machine.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, Ended};

/// Runs git with an identity, and without the hooks and settings of whoever runs the tests.
#[track_caller]
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let ended = attempt(folder, arguments);
    assert_eq!(ended.code, Some(0), "git {arguments:?}: {}", ended.text());
    ended.out.join("\n")
}

/// The commit that a ref names, if it does.
pub(crate) fn commit_of(folder: &Path, reference: &str) -> Option<String> {
    let name = format!("{reference}^{{commit}}");
    let ended = attempt(folder, &["rev-parse", "--quiet", "--verify", &name]);
    (ended.code == Some(0)).then(|| ended.out.concat())
}

fn attempt(folder: &Path, arguments: &[&str]) -> Ended {
    let identity = [
        "user.name=tests",
        "user.email=tests@example.org",
        "core.hooksPath=/dev/null",
    ];
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args(identity.iter().flat_map(|setting| ["-c", setting]))
        .args(arguments);
    process::watch(&mut command, process::SHORT, |_| false)
}

/// What git would commit below a folder of a work tree, tracked or not yet, relative to it.
pub(crate) fn committable(folder: &Path) -> Vec<PathBuf> {
    let listed = git(folder, &["ls-files", "-coz", "--exclude-standard", "."]);
    let names = listed.split('\0').filter(|name| !name.is_empty());
    names
        .map(PathBuf::from)
        .filter(|file| folder.join(file).symlink_metadata().is_ok())
        .collect()
}

/// Copies files, modes and links from one folder into another.
pub(crate) fn copy(files: &[PathBuf], from: &Path, to: &Path) {
    for file in files {
        let (source, copy) = (from.join(file), to.join(file));
        fs::create_dir_all(copy.parent().expect("a file has a folder")).unwrap();
        if source.is_symlink() {
            symlink(fs::read_link(source).unwrap(), copy).unwrap();
        } else {
            fs::copy(source, copy).unwrap();
        }
    }
}

/// Writes a file and the folders above it; a script becomes a program.
pub(crate) fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().expect("a file has a folder")).unwrap();
    fs::write(file, text).unwrap();
    if text.starts_with("#!") {
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
