//! A file that comes into being whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::openings::{RunningSum, Sha256Sum};

/// A file being written beside the place it is for. It is gone again unless it is kept.
#[derive(Debug)]
pub(crate) struct PartFile {
    file: Option<File>,
    part: PathBuf,
    place: PathBuf,
    sum: RunningSum,
}

impl PartFile {
    /// Begins a file for a place whose folder exists.
    pub(crate) fn begin(place: &Path) -> io::Result<Self> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let part = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&part)?;
        Ok(Self {
            file: Some(file),
            part,
            place: place.to_owned(),
            sum: RunningSum::default(),
        })
    }

    /// Sum of what was written so far.
    pub(crate) fn sum(&self) -> Sha256Sum {
        self.sum.clone().finish()
    }

    /// Puts the file in its place, as a program if it is one, instead of whatever is there.
    pub(crate) fn keep(mut self, executable: bool) -> io::Result<()> {
        let file = self.file.take().expect("it is open until it is kept");
        if executable {
            make_executable(&file)?;
        }
        file.sync_all()?;
        drop(file);
        fs::rename(&self.part, &self.place)
    }
}

#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = self.file.as_mut().expect("it is open until it is kept");
        let written = file.write(bytes)?;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        drop(self.file.take());
        // Once it is kept there is nothing left to remove.
        let _ = fs::remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_file_that_is_not_kept_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("book");
        fs::write(&place, "before").unwrap();
        let mut part = PartFile::begin(&place).unwrap();
        part.write_all(b"half").unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        drop(part);
        assert_eq!(names(folder.path()), ["book"]);
        assert_eq!(fs::read(&place).unwrap(), b"before");
    }

    #[test]
    fn a_kept_file_takes_the_place_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("program");
        fs::write(&place, "before").unwrap();
        let mut part = PartFile::begin(&place).unwrap();
        part.write_all(b"abc").unwrap();
        assert_eq!(part.sum(), Sha256Sum::of(b"abc"));
        part.keep(true).unwrap();
        assert_eq!(names(folder.path()), ["program"]);
        assert_eq!(fs::read(&place).unwrap(), b"abc");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(
                fs::metadata(&place).unwrap().permissions().mode() & 0o777,
                0o755
            );
        }
    }
}
