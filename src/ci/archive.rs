//! One file out of an archive: the one that was asked for, by its whole name, and no more bytes than it may have.
//!
//! Nothing is ever written under a name that an archive gives, so no name in it can lead anywhere.

use std::io::{self, Cursor, Read, Write};

use zip::ZipArchive;

/// How an archive is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveForm {
    /// `.tar`, not compressed.
    Tar,
    /// `.zip`.
    Zip,
}

/// Why a file could not be taken out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The archive is damaged, or the file cannot be written.
    #[error("the archive cannot be unpacked")]
    Io(#[from] io::Error),
    /// It is no zip archive, or a damaged one.
    #[error("the archive cannot be unpacked")]
    Zip(#[from] zip::result::ZipError),
    /// The file is not in it, or is no file.
    #[error("the archive holds no file `{0}`")]
    Missing(String),
    /// There are two of that name.
    #[error("the archive holds `{0}` twice")]
    Twice(String),
    /// More bytes than the file may have.
    #[error("`{name}` unpacks to more than {limit} bytes")]
    Large {
        /// The file.
        name: String,
        /// Bytes it may have.
        limit: u64,
    },
}

/// Writes the file of that name in the archive to `into`.
///
/// # Errors
/// When the archive is damaged, or does not hold exactly one such file, or that has more than `limit` bytes.
pub fn unpack(
    archive: &[u8],
    form: ArchiveForm,
    name: &str,
    limit: u64,
    into: &mut impl Write,
) -> Result<(), ArchiveError> {
    match form {
        ArchiveForm::Tar => from_tar(archive, name, limit, into),
        ArchiveForm::Zip => from_zip(archive, name, limit, into),
    }
}

fn from_zip(
    archive: &[u8],
    name: &str,
    limit: u64,
    into: &mut impl Write,
) -> Result<(), ArchiveError> {
    let mut archive = ZipArchive::new(Cursor::new(archive))?;
    match archive.by_name(name) {
        Ok(file) if !file.is_dir() && !file.is_symlink() => copy(file, name, limit, into),
        Ok(_) | Err(zip::result::ZipError::FileNotFound) => {
            Err(ArchiveError::Missing(name.to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}

fn from_tar(
    archive: &[u8],
    name: &str,
    limit: u64,
    into: &mut impl Write,
) -> Result<(), ArchiveError> {
    let mut found = false;
    for entry in tar::Archive::new(archive).entries()? {
        let entry = entry?;
        let path = entry.path_bytes();
        let path = path.strip_prefix(b"./").unwrap_or(&path);
        if path != name.as_bytes() || !entry.header().entry_type().is_file() {
            continue;
        }
        if found {
            return Err(ArchiveError::Twice(name.to_owned()));
        }
        copy(entry, name, limit, into)?;
        found = true;
    }
    if found {
        Ok(())
    } else {
        Err(ArchiveError::Missing(name.to_owned()))
    }
}

fn copy(
    from: impl Read,
    name: &str,
    limit: u64,
    into: &mut impl Write,
) -> Result<(), ArchiveError> {
    let copied = io::copy(&mut from.take(limit.saturating_add(1)), into)?;
    if copied > limit {
        let name = name.to_owned();
        return Err(ArchiveError::Large { name, limit });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;
    use tar::{EntryType, Header};

    const CONTENT: &[u8] = b"the program";

    fn zipped(names: &[&str]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            writer.write_all(CONTENT).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    /// Names as they are given, which the builder of archives would refuse for some.
    fn tarred(entries: &[(&str, EntryType)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, kind) in entries {
            let mut header = Header::new_gnu();
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_size(if kind.is_file() {
                CONTENT.len() as u64
            } else {
                0
            });
            header.set_cksum();
            let content = if kind.is_file() { CONTENT } else { b"" };
            builder.append(&header, content).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn taken(archive: &[u8], form: ArchiveForm, limit: u64) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        match unpack(archive, form, "a/program", limit, &mut content) {
            Ok(()) => Ok(content),
            Err(error) => Err(match error.source() {
                Some(_) => "damaged".to_owned(),
                None => error.to_string(),
            }),
        }
    }

    #[test]
    fn the_file_asked_for_is_taken_and_no_other() {
        let zip = zipped(&["a/readme", "../a/program", "a/program"]);
        assert_eq!(taken(&zip, ArchiveForm::Zip, 100).unwrap(), CONTENT);
        let file = EntryType::Regular;
        for name in ["a/program", "./a/program"] {
            let tar = tarred(&[("a", EntryType::Directory), ("/etc/x", file), (name, file)]);
            assert_eq!(taken(&tar, ArchiveForm::Tar, 100).unwrap(), CONTENT);
        }
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_not_the_file() {
        let missing = Err("the archive holds no file `a/program`".to_owned());
        for name in [
            "../a/program",
            "/a/program",
            "a/../a/program",
            "program",
            "a/program/x",
        ] {
            assert_eq!(
                taken(&zipped(&[name]), ArchiveForm::Zip, 100),
                missing,
                "{name}"
            );
            let tar = tarred(&[(name, EntryType::Regular)]);
            assert_eq!(taken(&tar, ArchiveForm::Tar, 100), missing, "{name}");
        }
        for kind in [
            EntryType::Symlink,
            EntryType::Link,
            EntryType::Directory,
            EntryType::Fifo,
        ] {
            let tar = tarred(&[("a/program", kind)]);
            assert_eq!(taken(&tar, ArchiveForm::Tar, 100), missing, "{kind:?}");
        }
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        writer
            .add_symlink("a/program", "/etc/passwd", options)
            .unwrap();
        let zip = writer.finish().unwrap().into_inner();
        assert_eq!(taken(&zip, ArchiveForm::Zip, 100), missing);
    }

    #[test]
    fn damaged_double_and_endless_archives_are_refused() {
        let file = ("a/program", EntryType::Regular);
        let double = tarred(&[file, file]);
        assert_eq!(
            taken(&double, ArchiveForm::Tar, 100).unwrap_err(),
            "the archive holds `a/program` twice"
        );
        let (zip, tar) = (zipped(&["a/program"]), tarred(&[file]));
        for (archive, form) in [(&zip, ArchiveForm::Zip), (&tar, ArchiveForm::Tar)] {
            assert_eq!(
                taken(archive, form, 10).unwrap_err(),
                "`a/program` unpacks to more than 10 bytes"
            );
            assert_eq!(taken(archive, form, 11).unwrap(), CONTENT);
        }
        for length in [0, 10, zip.len() / 2, zip.len() - 5] {
            assert_eq!(
                taken(&zip[..length], ArchiveForm::Zip, 100).unwrap_err(),
                "damaged",
                "{length}"
            );
        }
        assert_eq!(
            taken(&tar[..515], ArchiveForm::Tar, 100).unwrap_err(),
            "damaged"
        );
        assert_eq!(
            taken(b"<html>", ArchiveForm::Zip, 100).unwrap_err(),
            "damaged"
        );
        assert!(taken(b"<html>", ArchiveForm::Tar, 100).is_err());
    }
}
