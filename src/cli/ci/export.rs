//! A commit of the caller's repository, taken out into a folder of its own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;

use crate::play::program::Program;

/// How long git may take.
const GIT: Duration = Duration::from_secs(300);

/// The files of a commit and nothing else, each as if it were written now. A build that goes by times finds nothing
/// that could pass for its own earlier work. The folder goes when this does.
#[derive(Debug)]
pub(super) struct Export {
    folder: PathBuf,
}

/// The commit's number, all of it.
///
/// # Errors
/// When there is no such commit in the repository we are in.
pub(super) fn commit(name: &str) -> anyhow::Result<String> {
    let wanted = format!("{name}^{{commit}}");
    let git = git(&["rev-parse", "--verify", "--end-of-options", &wanted]);
    git.answer().with_context(|| {
        let name = name.escape_debug();
        format!("there is no commit `{name}` in this checkout; does it have the whole history (fetch-depth: 0)?")
    })
}

/// What the commit's author wrote about it.
///
/// # Errors
/// When git cannot be asked.
pub(super) fn message(commit: &str) -> anyhow::Result<String> {
    let git = git(&["show", "--no-patch", "--format=%B", commit]);
    git.answer()
        .context("cannot read the message of the commit")
}

fn git(words: &[&str]) -> Program {
    Program::new("git").arguments(words).within(GIT)
}

impl Export {
    /// Takes a commit out; `commit` is its number.
    ///
    /// # Errors
    /// When git cannot, or the files cannot be written.
    pub(super) fn of(commit: &str) -> anyhow::Result<Self> {
        let folder = new_folder()?;
        let export = Self { folder };
        let archive = export.folder.join("export.tar");
        let output = format!("--output={}", archive.display());
        git(&["archive", "--format=tar", &output, commit])
            .answer()
            .context("git cannot export the commit")?;
        unpack(&archive, &export.path())
            .with_context(|| format!("cannot write the export into {}", export.folder.display()))?;
        fs::remove_file(&archive).context("cannot delete the archive of the export")?;
        Ok(export)
    }

    /// The folder of the files.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join("export")
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        // What cannot be deleted is the system's to clear away, like everything in its temporary folder.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn unpack(archive: &Path, folder: &Path) -> std::io::Result<()> {
    let mut archive = tar::Archive::new(File::open(archive)?);
    archive.set_preserve_mtime(false);
    fs::create_dir(folder)?;
    archive.unpack(folder)
}

/// A folder that was not there before.
fn new_folder() -> anyhow::Result<PathBuf> {
    let parent = std::env::var_os("RUNNER_TEMP").filter(|path| !path.is_empty());
    let parent = parent.map_or_else(std::env::temp_dir, PathBuf::from);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or_default().as_nanos();
    let folder = parent.join(format!("mache-export-{}-{now}", std::process::id()));
    let folder = std::path::absolute(folder).context("cannot find the temporary folder")?;
    fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}
