//! `mache ci play-shard`: one shard of a match, as `mache play` would play it.

mod words;

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::JobArgs;
use super::shard_book::{ShardBook, book_file};
use crate::ci::Job;
use crate::cli::exit::Refused;
use crate::cli::play::{Play, joined};
use crate::cli::remark;
use crate::notation::TimeControl;
use crate::openings::{BookForm, Slice, SliceRequest, WholeNumber};
use crate::play::Stop;
use crate::play::manifest::{self, Manifest};
use crate::play::resume::{HALF, TORN};
use crate::play::run_folder::GAMES;
use crate::report::escape;
use words::{Files, play_words};

/// Play one shard of a match
///
/// Puts together the `mache play` that plays it, says it, and runs it. The games go to games.pgn in --workdir, beside a
/// manifest.json; those of an earlier shard there are deleted. An engine that crashes in a game loses it, and the
/// shard goes on.
#[derive(Debug, Args)]
pub(super) struct PlayShard {
    #[command(flatten)]
    engines: ShardEngines,
    #[command(flatten)]
    slice: ShardSlice,
    #[command(flatten)]
    games: ShardGames,
    #[command(flatten)]
    job: JobArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Engines")]
struct ShardEngines {
    /// Name of the engine under test
    #[arg(long, value_name = "NAME")]
    candidate: String,
    /// Its program, a file in --workdir
    #[arg(long, value_name = "FILE")]
    candidate_binary: PathBuf,
    /// The commit it was built from; recorded
    #[arg(long, value_name = "COMMIT")]
    candidate_sha: Option<String>,
    /// Name of the other side
    #[arg(long, value_name = "NAME")]
    opponent: String,
    /// Its program, a file in --workdir
    #[arg(long, value_name = "FILE")]
    opponent_binary: PathBuf,
    /// The commit it was built from; recorded
    #[arg(long, value_name = "COMMIT")]
    opponent_sha: Option<String>,
    /// Folder of programs and book, and for the games
    #[arg(long, value_name = "DIR", default_value = "tools")]
    workdir: PathBuf,
    /// UCI option Hash of both engines in MiB; 0 leaves it to the engine
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    hash_mb: u64,
    /// UCI option Threads of both engines
    #[arg(long, value_name = "N")]
    threads: Option<u64>,
    /// UCI options of both engines, Name=Value with commas between; may be repeated
    #[arg(long, value_name = "OPTIONS")]
    options: Vec<String>,
    /// UCI options of the engine under test alone
    #[arg(long, value_name = "OPTIONS")]
    candidate_options: Vec<String>,
    /// UCI options of the other side alone
    #[arg(long, value_name = "OPTIONS")]
    opponent_options: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Openings")]
struct ShardSlice {
    /// Book: `embedded`, a name in the table of books, or a file in --workdir
    #[arg(long, value_name = "BOOK", default_value = "embedded")]
    book: String,
    /// Table of books: a .toml file, or a program that answers its verbs [default: the table in this program]
    #[arg(long, value_name = "FILE")]
    book_table: Option<PathBuf>,
    /// Pairs that the shard plays
    #[arg(long, value_name = "N")]
    pairs: NonZeroUsize,
    /// Shards of a batch
    #[arg(long, value_name = "N")]
    shards: WholeNumber,
    /// Which of them this is, from 0
    #[arg(long, value_name = "I")]
    shard: WholeNumber,
    /// Where the whole test begins in the book
    #[arg(long, value_name = "N")]
    seed: WholeNumber,
    /// Batches of the whole test
    #[arg(long, value_name = "N", default_value = "1")]
    batches: WholeNumber,
    /// Which of them this is, from 0
    #[arg(long, value_name = "I", default_value = "0")]
    batch: WholeNumber,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
struct ShardGames {
    /// Both sides' clock, such as 10+0.1
    #[arg(long, value_name = "TC")]
    time_control: TimeControl,
    /// A clock for the engine under test alone
    #[arg(long, value_name = "TC")]
    candidate_time_control: Option<TimeControl>,
    /// A clock for the other side alone
    #[arg(long, value_name = "TC")]
    opponent_time_control: Option<TimeControl>,
    /// Resignation as MOVES,SCORE[,twosided]
    #[arg(long, value_name = "RULE")]
    resign: Option<String>,
    /// Draw adjudication as MOVE,MOVES,SCORE
    #[arg(long, value_name = "RULE")]
    draw: Option<String>,
    /// A draw after so many moves of each side beyond the opening
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Games at once
    #[arg(long, value_name = "N", default_value = "2")]
    concurrency: NonZeroUsize,
    /// Milliseconds an engine has to answer `uci`
    #[arg(long, value_name = "MS", default_value_t = 20_000)]
    startup_ms: u64,
    /// Stop after so many minutes; what was played by then counts
    #[arg(long, value_name = "MINUTES")]
    max_match_minutes: Option<f64>,
    /// What plays: auto, fastchess or built-in
    #[arg(long, value_name = "RUNNER", default_value = "auto")]
    runner: String,
    /// Program that is fastchess, when it is not on the path
    #[arg(long, value_name = "PROGRAM")]
    fastchess: Option<PathBuf>,
}

impl PlayShard {
    /// Plays, and puts out from where in the book and what ended it.
    ///
    /// # Errors
    /// When programs or book are missing, an engine does not start, or games cannot be written.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let job = self.job.job("mache play-shard");
        let put = |key: &str, value: &str, out: &mut _| {
            job.output(key, value, out)?;
            job.export(&key.to_uppercase(), value)
        };
        let folder = &self.engines.workdir;
        let book = book_file(&self.slice.book, self.slice.book_table.as_deref(), folder)?;
        let slice = self.slice.of_book(&book)?;
        let play = self.play(&book)?;
        put("book_file", &book.file, out)?;
        put("book_format", form_word(book.form), out)?;
        put("openings", &book.openings.to_string(), out)?;
        put("start", &slice.start().to_string(), out)?;
        if let Some(repeats) = slice.repeats() {
            job.warn(&repeats.to_string());
        }
        clear(folder)?;
        let played = play.run(&mut io::stderr());
        let manifest = Manifest::read(folder).ok().flatten();
        let stopped_by = manifest.as_ref().map(stopped_by).unwrap_or_default();
        put("stopped_by", &stopped_by, out)?;
        if let Some(manifest) = &manifest {
            remarks(&job, manifest);
        }
        played
    }

    /// The match to play, with all its programs there.
    fn play(&self, book: &ShardBook) -> anyhow::Result<Play> {
        let engines = &self.engines;
        let folder = &engines.workdir;
        let files = Files {
            candidate: program("--candidate-binary", folder, &engines.candidate_binary)?,
            opponent: program("--opponent-binary", folder, &engines.opponent_binary)?,
            book: book.path.as_deref(),
            out: folder,
        };
        spare(book, folder)?;
        let words = play_words(engines, &self.slice, &self.games, &files)?;
        remark(&format!("$ mache {}", joined(&words)));
        Ok(Play::of_words(words)?)
    }
}

impl ShardSlice {
    /// The stretch of the book that the shard plays.
    fn of_book(&self, book: &ShardBook) -> Result<Slice, Refused> {
        let wide = |number: usize| WholeNumber::from(number as u64);
        let request = SliceRequest {
            openings: wide(book.openings),
            pairs: wide(self.pairs.get()),
            shards: self.shards.clone(),
            shard: self.shard.clone(),
            seed: self.seed.clone(),
            batches: self.batches.clone(),
            batch: self.batch.clone(),
        };
        Slice::new(&request).map_err(|error| Refused(error.to_string()))
    }
}

const fn form_word(form: BookForm) -> &'static str {
    match form {
        BookForm::Epd => "epd",
        BookForm::Pgn => "pgn",
    }
}

/// The program of an engine, made one that may be run: what is sent from job to job loses that.
fn program(flag: &str, folder: &Path, given: &Path) -> anyhow::Result<PathBuf> {
    let plain = folder.join(given);
    let mut suffixed = plain.clone().into_os_string();
    suffixed.push(std::env::consts::EXE_SUFFIX);
    let found = [plain, PathBuf::from(suffixed)]
        .into_iter()
        .find(|path| path.is_file());
    let path = found.with_context(|| {
        let (given, folder) = (given.display(), folder.display());
        format!("{flag}: there is no file `{given}` in {folder}")
    })?;
    super::make_executable(&path)?;
    std::path::absolute(&path).with_context(|| format!("cannot find {}", path.display()))
}

/// fastchess is handed the openings of the shard in a file of its own, which may not be the book.
fn spare(book: &ShardBook, folder: &Path) -> Result<(), Refused> {
    let clashes = ["openings.epd", "openings.pgn"].map(|name| folder.join(name));
    match &book.path {
        Some(path) if clashes.contains(path) => Err(Refused(format!(
            "the book {} would be overwritten by the shard's openings: give it another name",
            path.display()
        ))),
        Some(_) | None => Ok(()),
    }
}

/// Deletes the games of an earlier shard, known by its manifest. Without one they are not ours to delete.
fn clear(folder: &Path) -> anyhow::Result<()> {
    if !folder.join(manifest::NAME).is_file() {
        return Ok(());
    }
    // The manifest goes last, so that what was begun is gone on with.
    for name in [GAMES, TORN, HALF, "log", "fastchess.log", manifest::NAME] {
        let path = folder.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot delete {}", path.display()));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// What ended the shard, in words.
fn stopped_by(manifest: &Manifest) -> String {
    match manifest.stopped {
        Some(Stop::Finished) => format!("{}, at the game count", runner(manifest)),
        Some(Stop::Time) => match manifest.max_minutes {
            Some(minutes) => format!("the {minutes} minute wall clock cap"),
            None => "the wall clock cap".to_owned(),
        },
        Some(Stop::Signal) => "a signal".to_owned(),
        Some(Stop::Fault) => "a fault of an engine".to_owned(),
        None => String::new(),
    }
}

/// `fastchess`, or `mache` for its own runner.
fn runner(manifest: &Manifest) -> &str {
    match manifest.runner.split(' ').next() {
        Some("built-in") | None => "mache",
        Some(other) => other,
    }
}

/// What a person should know of the shard, beside the job.
fn remarks(job: &Job, manifest: &Manifest) {
    if manifest.stopped == Some(Stop::Time) {
        job.warn(&format!(
            "{} ended the shard: {} of {} pairs were played, and they count",
            stopped_by(manifest),
            manifest.pairs,
            manifest.slice.pairs
        ));
    }
    let sides = [
        (&manifest.candidate.name, manifest.faults.candidate),
        (&manifest.baseline.name, manifest.faults.baseline),
    ];
    for (name, faults) in sides {
        if faults.total() > 0 {
            job.warn(&format!(
                "{} lost {} by faults: time {}, crash {}, stall {}, illegal move {}",
                escape::one_line(name),
                crate::report::number::counted(faults.total(), "game"),
                faults.time,
                faults.disconnect,
                faults.stall,
                faults.illegal_move
            ));
        }
    }
}
