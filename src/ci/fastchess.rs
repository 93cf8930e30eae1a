//! fastchess from its own release: the archive for this machine, checked, and the one program out of it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::archive::{ArchiveError, ArchiveForm, unpack};
use super::github::{GitHub, GitHubError, Repository};
use super::http::{Address, Bounds, Client, HttpError};
use super::part_file::PartFile;
use crate::openings::Sha256Sum;

/// Whose releases they are.
const REPOSITORY: &str = "Disservin/fastchess";
/// Bytes an archive may have; those known have a few million.
const LARGEST_ARCHIVE: u64 = 64 << 20;
/// Bytes the program may have.
const LARGEST_PROGRAM: u64 = 64 << 20;
/// Sums of archives that somebody looked at: tag, name of the archive, SHA-256.
const KNOWN: [(&str, &str, &str); 0] = [];

/// The archive of a release for one kind of machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    folder: &'static str,
    form: ArchiveForm,
}

/// Why there is no fastchess.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot have fastchess {tag}; put a fastchess of your own on the path, or play with runner: built-in"
)]
pub struct NoFastchess {
    /// The release asked for.
    pub tag: String,
    /// Why it cannot be had.
    pub source: Box<FetchError>,
}

/// Why a program of a release cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// No release has one for such a machine.
    #[error("its releases have no build for {system} on {architecture}")]
    Machine {
        /// Such as `linux`.
        system: &'static str,
        /// Such as `x86_64`.
        architecture: &'static str,
    },
    /// GitHub could not be asked.
    #[error(transparent)]
    GitHub(#[from] GitHubError),
    /// The tag may exist, and its release be a draft still.
    #[error("there is no published release of that name")]
    NoRelease,
    /// It has other files.
    #[error("the release has no file `{0}`")]
    NoAsset(String),
    /// Nothing to know the archive by.
    #[error(
        "the release states no SHA-256 for `{0}`; look at it once and give its sum with --sha256"
    )]
    NoSum(String),
    /// Another file than the one that is wanted.
    #[error("the SHA-256 of `{name}` is {found}, and {says} {wanted}")]
    Sum {
        /// The archive.
        name: String,
        /// Its sum.
        found: Sha256Sum,
        /// Who says otherwise.
        says: &'static str,
        /// What it should be.
        wanted: Sha256Sum,
    },
    /// It could not be downloaded.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The other side does not give it.
    #[error("{address} answers {status}")]
    Status {
        /// Where it should be.
        address: Address,
        /// Such as 404.
        status: u16,
    },
    /// It holds no program.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A folder or file cannot be used.
    #[error("cannot write {}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A program that was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Where it is.
    pub program: PathBuf,
    /// Name of the archive it came in.
    pub archive: String,
    /// Sum of that.
    pub sha256: Sha256Sum,
}

/// A sum that an archive has to have, and who says so.
type Claim = (&'static str, Sha256Sum);

impl Build {
    /// The build for the machine this program was made for.
    ///
    /// # Errors
    /// When releases have none.
    pub const fn of_this_machine() -> Result<Self, FetchError> {
        Self::of(std::env::consts::OS, std::env::consts::ARCH)
    }

    /// The build for a system and an architecture, as Rust calls them.
    const fn of(system: &'static str, architecture: &'static str) -> Result<Self, FetchError> {
        let (folder, form) = match (system.as_bytes(), architecture.as_bytes()) {
            (b"linux", b"x86_64") => ("fastchess-linux-x86-64", ArchiveForm::Tar),
            (b"linux", b"aarch64") => ("fastchess-linux-arm64", ArchiveForm::Tar),
            (b"linux", b"riscv64") => ("fastchess-linux-risc-v", ArchiveForm::Tar),
            (b"macos", b"x86_64") => ("fastchess-mac-x86-64", ArchiveForm::Tar),
            (b"macos", b"aarch64") => ("fastchess-mac-arm64", ArchiveForm::Tar),
            (b"windows", b"x86_64") => ("fastchess-windows-x86-64", ArchiveForm::Zip),
            (b"windows", b"aarch64") => ("fastchess-windows-arm64", ArchiveForm::Zip),
            (_, _) => {
                return Err(FetchError::Machine {
                    system,
                    architecture,
                });
            }
        };
        Ok(Self { folder, form })
    }

    /// Name of its archive.
    #[must_use]
    pub fn archive(self) -> String {
        let ending = match self.form {
            ArchiveForm::Tar => "tar",
            ArchiveForm::Zip => "zip",
        };
        format!("{}.{ending}", self.folder)
    }

    /// Name of the program.
    #[must_use]
    pub const fn program(self) -> &'static str {
        match self.form {
            ArchiveForm::Tar => "fastchess",
            ArchiveForm::Zip => "fastchess.exe",
        }
    }
}

/// What is fetched, and where it goes.
#[derive(Clone, Debug)]
pub struct FastchessRequest<'a> {
    /// The release.
    pub tag: &'a str,
    /// The machine it is for.
    pub build: Build,
    /// Sum that the caller wants the archive to have.
    pub sha256: Option<Sha256Sum>,
    /// Folder for the program.
    pub into: &'a Path,
    /// Folder in which archives are kept and looked for, if they are.
    pub archives: Option<&'a Path>,
    /// Time the download may take.
    pub time: Duration,
}

/// Fetches the program. The archive has to have every sum there is for it: the caller's, the one known here, and the
/// one its release states. A kept archive of the caller's sum is used without asking anybody.
///
/// # Errors
/// When it cannot be had, or is not what it should be. Nothing is left in its place then.
pub fn fetch_fastchess(
    github: &GitHub,
    request: &FastchessRequest,
) -> Result<Fetched, NoFastchess> {
    fetch(github, request).map_err(|source| NoFastchess {
        tag: request.tag.to_owned(),
        source: Box::new(source),
    })
}

fn fetch(github: &GitHub, request: &FastchessRequest) -> Result<Fetched, FetchError> {
    let (build, name) = (request.build, request.build.archive());
    let (archive, sha256) = archive(github, request, &name)?;
    if let Some(folder) = request.archives {
        put(&folder.join(&name), false, |part| {
            Ok(part.write_all(&archive)?)
        })?;
    }
    let program = request.into.join(build.program());
    let entry = format!("{}/{}", build.folder, build.program());
    put(&program, true, |part| {
        unpack(&archive, build.form, &entry, LARGEST_PROGRAM, part)
    })?;
    Ok(Fetched {
        program,
        archive: name,
        sha256,
    })
}

/// The archive and its sum: the kept one if it is the right one, else from the release.
fn archive(
    github: &GitHub,
    request: &FastchessRequest,
    name: &str,
) -> Result<(Vec<u8>, Sha256Sum), FetchError> {
    let mut claims = given(request, name);
    let kept = request.archives.and_then(|folder| kept(&folder.join(name)));
    let fits = |archive: &&Vec<u8>, claims: &[Claim]| {
        !claims.is_empty() && check(name, archive, claims).is_ok()
    };
    if let Some(archive) = kept.as_ref().filter(|it| fits(it, &claims)) {
        return Ok((archive.clone(), Sha256Sum::of(archive)));
    }
    let (address, stated) = stated(github, request.tag, name)?;
    claims.extend(stated.map(|sum| ("its release states", sum)));
    if claims.is_empty() {
        return Err(FetchError::NoSum(name.to_owned()));
    }
    let archive = match kept.filter(|it| fits(&it, &claims)) {
        Some(archive) => archive,
        None => download(&address, request.time)?,
    };
    let sum = check(name, &archive, &claims)?;
    Ok((archive, sum))
}

/// What the archive has to be before its release is asked.
fn given(request: &FastchessRequest, name: &str) -> Vec<Claim> {
    let known = KNOWN
        .iter()
        .filter(|(tag, archive, _)| *tag == request.tag && *archive == name)
        .map(|(_, _, sum)| sum.parse().expect("recorded sums are sums"))
        .map(|sum| ("this program knows", sum));
    let asked = request.sha256.map(|sum| ("what was asked for is", sum));
    known.chain(asked).collect()
}

/// Where the archive is, and the sum its release states for it.
fn stated(
    github: &GitHub,
    tag: &str,
    name: &str,
) -> Result<(Address, Option<Sha256Sum>), FetchError> {
    let repository: Repository = REPOSITORY.parse()?;
    let release = github.release(&repository, tag)?;
    let assets = release.ok_or(FetchError::NoRelease)?.assets;
    let asset = assets.into_iter().find(|asset| asset.name == name);
    let asset = asset.ok_or_else(|| FetchError::NoAsset(name.to_owned()))?;
    let digest = asset
        .digest
        .as_deref()
        .and_then(|it| it.strip_prefix("sha256:"));
    let digest = digest.and_then(|digits| digits.parse().ok());
    Ok((Address::parse(&asset.browser_download_url)?, digest))
}

fn download(address: &Address, time: Duration) -> Result<Vec<u8>, FetchError> {
    let client = Client::new(Bounds::file(LARGEST_ARCHIVE).within(time));
    let answer = client.get(address)?;
    if answer.status == 200 {
        return Ok(answer.body);
    }
    Err(FetchError::Status {
        address: address.clone(),
        status: answer.status,
    })
}

fn check(name: &str, archive: &[u8], claims: &[Claim]) -> Result<Sha256Sum, FetchError> {
    let found = Sha256Sum::of(archive);
    match claims.iter().find(|(_, wanted)| *wanted != found) {
        None => Ok(found),
        Some(&(says, wanted)) => Err(FetchError::Sum {
            name: name.to_owned(),
            found,
            says,
            wanted,
        }),
    }
}

/// An archive kept earlier; one that cannot be read is fetched again.
fn kept(path: &Path) -> Option<Vec<u8>> {
    let mut archive = Vec::new();
    let file = File::open(path).ok()?;
    file.take(LARGEST_ARCHIVE).read_to_end(&mut archive).ok()?;
    Some(archive)
}

/// Writes a file whole or not at all, in a folder that is made.
fn put(
    place: &Path,
    executable: bool,
    write: impl FnOnce(&mut PartFile) -> Result<(), ArchiveError>,
) -> Result<(), FetchError> {
    let failed = |source| FetchError::Io {
        path: place.to_owned(),
        source,
    };
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut part = PartFile::begin(place).map_err(failed)?;
    write(&mut part)?;
    part.keep(executable).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::http::Token;
    use crate::ci::test_server::{Reply, TestServer};
    use std::error::Error;

    const TAG: &str = "v1.8.2-alpha";
    const RELEASE: &str = "/repos/Disservin/fastchess/releases/tags/v1.8.2-alpha";

    fn linux() -> Build {
        Build::of("linux", "x86_64").unwrap()
    }

    fn tarred(entry: &str) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(7);
        header.set_mode(0o644);
        builder
            .append_data(&mut header, entry, &b"program"[..])
            .unwrap();
        builder.into_inner().unwrap()
    }

    fn sound() -> Vec<u8> {
        tarred("fastchess-linux-x86-64/fastchess")
    }

    /// A server with the release and its archive; the address of the archive needs the server's own.
    struct Releases {
        api: TestServer,
        files: TestServer,
    }

    fn releases(archive: Vec<u8>, digest: Option<Sha256Sum>) -> Releases {
        let files = TestServer::start([("/a.tar", Reply::bytes(200, archive))]);
        let digest = digest.map_or("null".to_owned(), |sum| format!("\"sha256:{sum}\""));
        let asset = format!(
            r#"{{"name": "fastchess-linux-x86-64.tar", "digest": {digest}, "browser_download_url": "{}"}}"#,
            files.address("/a.tar")
        );
        let release = format!(r#"{{"draft": false, "assets": [{asset}]}}"#);
        let api = TestServer::start([(RELEASE, Reply::text(200, &release))]);
        Releases { api, files }
    }

    fn tried(
        releases: &Releases,
        folder: &Path,
        sha256: Option<Sha256Sum>,
    ) -> Result<Fetched, String> {
        let api = Address::parse(&releases.api.address("")).unwrap();
        let github = GitHub::new(api, Token::new("secret"), Duration::from_secs(10));
        let request = FastchessRequest {
            tag: TAG,
            build: linux(),
            sha256,
            into: &folder.join("program"),
            archives: Some(&folder.join("archives")),
            time: Duration::from_secs(10),
        };
        fetch_fastchess(&github, &request).map_err(|error| {
            let source = error.source().expect("a cause");
            assert!(error.to_string().ends_with("runner: built-in"), "{error}");
            assert!(!folder.join("program/fastchess").exists());
            source.to_string()
        })
    }

    fn refused(archive: Vec<u8>, digest: Option<Sha256Sum>, sha256: Option<Sha256Sum>) -> String {
        let folder = tempfile::tempdir().unwrap();
        tried(&releases(archive, digest), folder.path(), sha256).unwrap_err()
    }

    #[test]
    fn each_machine_has_its_archive() {
        let archive = |system, architecture| Build::of(system, architecture).map(Build::archive);
        assert_eq!(
            archive("linux", "x86_64").unwrap(),
            "fastchess-linux-x86-64.tar"
        );
        assert_eq!(
            archive("macos", "aarch64").unwrap(),
            "fastchess-mac-arm64.tar"
        );
        assert_eq!(
            archive("windows", "x86_64").unwrap(),
            "fastchess-windows-x86-64.zip"
        );
        let error = archive("windows", "riscv64").unwrap_err();
        insta::assert_snapshot!(error, @"its releases have no build for windows on riscv64");
    }

    #[test]
    fn the_program_is_taken_from_the_release() {
        let folder = tempfile::tempdir().unwrap();
        let sum = Sha256Sum::of(&sound());
        let releases = releases(sound(), Some(sum));
        let fetched = tried(&releases, folder.path(), None).unwrap();
        assert_eq!(fetched.sha256, sum);
        assert_eq!(fs::read(&fetched.program).unwrap(), b"program");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&fetched.program).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o755);
        }
        let head = &releases.files.requests()[0].head;
        assert!(!head.contains("secret"), "{head}");
    }

    #[test]
    fn a_kept_archive_is_checked_and_not_downloaded_again() {
        let folder = tempfile::tempdir().unwrap();
        let sum = Sha256Sum::of(&sound());
        let releases = releases(sound(), Some(sum));
        for (asked, downloads) in [(None, 1), (None, 1), (Some(sum), 1)] {
            tried(&releases, folder.path(), asked).unwrap();
            assert_eq!(releases.files.requests().len(), downloads);
        }
        // The caller's own sum needed nobody's word.
        assert_eq!(releases.api.requests().len(), 2);
        let archive = folder.path().join("archives/fastchess-linux-x86-64.tar");
        fs::write(&archive, "another file").unwrap();
        tried(&releases, folder.path(), None).unwrap();
        assert_eq!(releases.files.requests().len(), 2);
        assert_eq!(fs::read(archive).unwrap(), sound());
    }

    #[test]
    fn an_archive_that_is_not_the_one_is_refused() {
        let (good, bad) = (Sha256Sum::of(&sound()), Sha256Sum::of(b"bad"));
        let error = refused(sound(), Some(bad), None);
        assert!(
            error.ends_with(&format!("is {good}, and its release states {bad}")),
            "{error}"
        );
        let error = refused(sound(), Some(good), Some(bad));
        assert!(
            error.ends_with(&format!("is {good}, and what was asked for is {bad}")),
            "{error}"
        );
        assert!(refused(sound(), Some(bad), Some(good)).contains("its release states"));
        insta::assert_snapshot!(refused(sound(), None, None), @"the release states no SHA-256 for `fastchess-linux-x86-64.tar`; look at it once and give its sum with --sha256");
        let folder = tempfile::tempdir().unwrap();
        assert!(tried(&releases(sound(), None), folder.path(), Some(good)).is_ok());
    }

    #[test]
    fn an_archive_without_the_program_is_refused() {
        let refused = |archive: Vec<u8>| {
            let sum = Sha256Sum::of(&archive);
            refused(archive, Some(sum), None)
        };
        insta::assert_snapshot!(refused(tarred("fastchess")), @"the archive holds no file `fastchess-linux-x86-64/fastchess`");
        insta::assert_snapshot!(refused(b"torn".to_vec()), @"the archive cannot be unpacked");
    }

    #[test]
    fn a_draft_is_no_release() {
        let folder = tempfile::tempdir().unwrap();
        let (nothing, files) = (
            ("/", Reply::text(200, "")),
            TestServer::start([("/", Reply::text(200, ""))]),
        );
        let api = TestServer::start([nothing]);
        let error = tried(&Releases { api, files }, folder.path(), None).unwrap_err();
        assert_eq!(error, "there is no published release of that name");
        let files = TestServer::start([("/", Reply::text(200, ""))]);
        let api = TestServer::start([(RELEASE, Reply::text(200, r#"{"assets": []}"#))]);
        let error = tried(&Releases { api, files }, folder.path(), None).unwrap_err();
        assert_eq!(
            error,
            "the release has no file `fastchess-linux-x86-64.tar`"
        );
    }
}
