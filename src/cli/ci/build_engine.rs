//! `mache ci build-engine`: one commit of an engine, built from a clean export and looked at.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::export::{self, Export};
use super::{JobArgs, make_executable};
use crate::ci::{BuildRecord, Job, bench_nodes, commit_bench, is_for_one_processor};
use crate::cli::{exit, remark};
use crate::play::engine::{EngineProcess, Identity};
use crate::play::manifest::sha256;
use crate::play::program::Program;
use crate::play::{EngineSetup, Limit, Waits};
use crate::report::escape;

/// How long an engine may take to answer `uci`.
const STARTUP: Duration = Duration::from_secs(20);
/// How long `bench` may take when it is known to be there.
const BENCH: Duration = Duration::from_secs(600);
/// How long one that may not be there is waited for.
const TRY: Duration = Duration::from_secs(60);

/// Build one commit of an engine in a clean export, and see that it is what it says
///
/// The build program is called as BUILD COMMIT OUTPUT in the folder we are in, with the path of a clean export of the
/// commit in the variable MACHE_EXPORT. Then the engine is asked who it is, its bench is compared with the commit's
/// `Bench:` line, and OUTPUT.json records what was found.
#[derive(Debug, Args)]
pub(super) struct BuildEngine {
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    checks: CheckArgs,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Build")]
struct BuildArgs {
    /// Program that builds
    #[arg(long, value_name = "PROGRAM")]
    build: PathBuf,
    /// The commit to build
    #[arg(long, value_name = "COMMIT")]
    commit: String,
    /// Where the engine goes; what is there is deleted before
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// What the engine is called in remarks and in its record [default: the commit]
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Stop the build after so many minutes
    #[arg(long, value_name = "MINUTES", default_value_t = 30.0, value_parser = minutes)]
    max_build_minutes: f64,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Checks")]
struct CheckArgs {
    /// An engine that was built before and has to differ
    #[arg(long, value_name = "FILE")]
    other: Option<PathBuf>,
    /// What to do when it does not
    #[arg(long, value_enum, default_value = "refuse")]
    same_binary: SameBinary,
    /// Whether the engine is run with `bench`
    #[arg(long, value_enum, default_value = "auto")]
    bench: Bench,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SameBinary {
    /// Fail
    Refuse,
    /// Say so and go on
    Allow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Bench {
    /// Yes, and it must count nodes
    True,
    /// No
    False,
    /// Yes, and no nodes are no fault
    Auto,
}

pub(super) fn minutes(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|&minutes: &f64| minutes > 0.0 && minutes <= 1e5)
        .ok_or_else(|| "write a number of minutes above 0".to_owned())
}

impl BuildEngine {
    /// Builds, looks, records.
    ///
    /// # Errors
    /// When the commit is not there, the build fails or leaves no engine, the engine is the other side's, or its bench
    /// is not the commit's.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache build-engine");
        let commit = export::commit(&self.build.commit)?;
        let message = export::message(&commit)?;
        let name = self.build.name.clone().unwrap_or_else(|| commit.clone());
        let shown = escape::one_line(&name).into_owned();
        let native = self.build.run(&commit, &shown)?;
        if native {
            job.warn(&format!(
                "{shown} is built for the processor of this machine (native): on another one it may not run, or play otherwise"
            ));
        }
        let output = &self.build.output;
        let sum = sha256(output).with_context(|| format!("cannot read {}", output.display()))?;
        self.checks.differs(output, &sum, &job)?;
        let identity = greet(&shown, output)?;
        let commit_bench = commit_bench(&message);
        let bench = self.checks.bench(&shown, output, commit_bench, &job)?;
        let record = BuildRecord {
            format: 1,
            mache: env!("CARGO_PKG_VERSION").to_owned(),
            name,
            commit,
            build: self.build.build.to_string_lossy().into_owned(),
            id_name: identity.name,
            id_author: identity.author,
            sha256: sum,
            size: fs::metadata(output).map_or(0, |about| about.len()),
            bench,
            commit_bench,
            native,
        };
        write_record(&record, output)?;
        put(&record, output, &job, out)?;
        Ok(exit::ANSWERED)
    }
}

/// Hands what was found to later steps.
fn put(record: &BuildRecord, output: &Path, job: &Job, out: &mut impl Write) -> anyhow::Result<()> {
    let number = |number: Option<u64>| number.map(|n| n.to_string()).unwrap_or_default();
    let values = [
        ("binary", output.to_string_lossy().into_owned()),
        ("sha256", record.sha256.clone()),
        ("size", record.size.to_string()),
        ("bench", number(record.bench)),
        ("commit_bench", number(record.commit_bench)),
        ("native", record.native.to_string()),
    ];
    for (key, value) in values {
        job.output(key, &value, out)?;
    }
    remark(&format!(
        "{} is `{}`, {} bytes, SHA-256 {}",
        record.name, record.id_name, record.size, record.sha256
    ));
    Ok(())
}

fn write_record(record: &BuildRecord, output: &Path) -> anyhow::Result<()> {
    let mut path = output.to_owned().into_os_string();
    path.push(".json");
    let mut text = serde_json::to_string_pretty(record).expect("a record is plain data");
    text.push('\n');
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.to_string_lossy()))
}

impl BuildArgs {
    /// Builds the commit into a file that was not there before. Answers whether it is for this processor only.
    fn run(&self, commit: &str, name: &str) -> anyhow::Result<bool> {
        self.clear()?;
        let export = Export::of(commit)?;
        let mut native = is_told_native(&export.path());
        let limit = Duration::from_secs_f64(60.0 * self.max_build_minutes);
        let build = Program::new(self.program())
            .arguments([commit.as_ref(), self.output.as_os_str()])
            .variable("MACHE_EXPORT", export.path())
            .within(limit);
        let built = build.follow(|_, line| {
            native |= is_for_one_processor(line);
            remark(line.trim_end());
        });
        built.with_context(|| format!("the build of {name} (commit {commit}) failed"))?;
        if !self.output.is_file() {
            bail!(
                "the build of {name} (commit {commit}) ended well and left no file at {}",
                self.output.display()
            );
        }
        make_executable(&self.output)?;
        Ok(native)
    }

    /// A program of this folder may be named without a slash.
    fn program(&self) -> PathBuf {
        if self.build.components().count() == 1 && self.build.is_file() {
            Path::new(".").join(&self.build)
        } else {
            self.build.clone()
        }
    }

    /// So that what was there cannot pass for what is built.
    fn clear(&self) -> anyhow::Result<()> {
        let output = &self.output;
        if let Some(folder) = output.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        match fs::remove_file(output) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot delete {}", output.display()))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// Whether the environment or the engine's own settings for cargo ask for this processor.
fn is_told_native(export: &Path) -> bool {
    let variables = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CFLAGS", "CXXFLAGS"];
    let told = |name: &str| std::env::var(name).is_ok_and(|value| is_for_one_processor(&value));
    let files = [".cargo/config.toml", ".cargo/config"].map(|name| export.join(name));
    let says = |path: &PathBuf| {
        fs::read_to_string(path).is_ok_and(|text| text.lines().any(is_for_one_processor))
    };
    variables.into_iter().any(told) || files.iter().any(says)
}

/// Starts the engine, asks who it is, ends it.
pub(super) fn greet(name: &str, program: &Path) -> anyhow::Result<Identity> {
    let setup = EngineSetup {
        name: name.to_owned(),
        command: absolute(program)?,
        arguments: Vec::new(),
        directory: None,
        limit: Limit::default(),
        margin: Duration::ZERO,
        options: Vec::new(),
        restart: false,
    };
    let waits = Waits {
        startup: STARTUP,
        ..Waits::default()
    };
    let engine = EngineProcess::start(&setup, &waits)?;
    let identity = engine.identity().clone();
    engine.quit();
    Ok(identity)
}

fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))
}

impl CheckArgs {
    /// Fails, or says, when the engine is the same file as the one built before.
    fn differs(&self, output: &Path, sum: &str, job: &Job) -> anyhow::Result<()> {
        let Some(other) = &self.other else {
            return Ok(());
        };
        let theirs = sha256(other).with_context(|| format!("cannot read {}", other.display()))?;
        if theirs != sum {
            return Ok(());
        }
        let same = format!(
            "{} and {} are the same program (SHA-256 {sum})",
            output.display(),
            other.display()
        );
        match self.same_binary {
            SameBinary::Refuse => bail!(
                "{same}: either the build handed back what it had built before, or the commits do not differ in the \
                 engine; `same_binary: allow` plays them all the same"
            ),
            SameBinary::Allow => {
                job.notice(&format!("{same}, as is allowed"));
                Ok(())
            }
        }
    }

    /// Nodes that the engine's bench counts, compared with those of the commit.
    fn bench(
        &self,
        name: &str,
        program: &Path,
        wanted: Option<u64>,
        job: &Job,
    ) -> anyhow::Result<Option<u64>> {
        let limit = match (self.bench, wanted) {
            (Bench::False, _) => return Ok(None),
            (Bench::Auto, None) => TRY,
            (Bench::True, _) | (Bench::Auto, Some(_)) => BENCH,
        };
        let mut nodes = None;
        let bench = Program::new(absolute(program)?)
            .arguments(["bench"])
            .within(limit);
        let ended = bench.follow(|_, line| nodes = bench_nodes(line).or(nodes));
        let nodes = nodes.filter(|_| ended.is_ok());
        match (nodes, wanted) {
            (Some(found), Some(wanted)) if found != wanted => bail!(
                "{name}: bench counts {found} nodes, and the message of the commit says {wanted}: this is not the \
                 engine that was committed, or it counts otherwise on this machine"
            ),
            (Some(_), _) => Ok(nodes),
            (None, _) if self.bench == Bench::True => {
                ended.with_context(|| format!("{name}: bench failed"))?;
                bail!("{name}: bench printed no node count, such as `1234567 nodes 890123 nps`")
            }
            (None, Some(wanted)) => {
                job.warn(&format!(
                    "{name}: the message of the commit says Bench: {wanted}, and the engine's bench gives no node count"
                ));
                Ok(None)
            }
            (None, None) => Ok(None),
        }
    }
}
