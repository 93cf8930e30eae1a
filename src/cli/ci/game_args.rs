//! What the games of a match are like, as the plan of any match is told it.

use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::books::{self, PlannedBook};
use super::count::count;
use crate::ci::{CiError, Job, Settings, engine_options};
use crate::cli::exit::Refused;
use crate::cli::play::rules;
use crate::cli::play::runners::RunnerArg;
use crate::notation::TimeControl;
use crate::openings::{Slice, SliceRequest, WholeNumber};
use crate::plan::{Capacity, PlayTime, game_seconds};
use crate::play::{DrawRule, ResignRule};

/// Digits a seed may have.
const LONGEST_SEED: usize = 40;

/// Flags that are the same for a match and a gauntlet. Each is checked here, before anything is built or played.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub(super) struct GameArgs {
    /// Book of openings: a name of the table, `embedded`, or a file in this folder
    #[arg(long, value_name = "NAME", default_value = "8moves_v3")]
    book: String,
    /// Table of books rather than the program's own: a .toml file, or a program with the verbs of one
    #[arg(long, value_name = "FILE")]
    book_table: Option<PathBuf>,
    /// Clock of both sides
    #[arg(long, value_name = "TC", default_value = "10+0.1")]
    time_control: TimeControl,
    /// Clock of the engine under test, where it differs
    #[arg(long, value_name = "TC")]
    candidate_time_control: Option<TimeControl>,
    /// Clock of the other side, where it differs
    #[arg(long, value_name = "TC")]
    opponent_time_control: Option<TimeControl>,
    /// UCI option Hash of both engines, in MiB
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = clap::value_parser!(u64).range(1..=33_554_432))]
    hash_mb: u64,
    /// UCI option Threads of both engines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// UCI options of both engines: Name=Value, one a line or with commas between
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true, value_parser = options)]
    options: String,
    /// UCI options of the engine under test alone
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true, value_parser = options)]
    candidate_options: String,
    /// UCI options of the other side alone
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true, value_parser = options)]
    opponent_options: String,
    /// A side at -SCORE centipawns or less for MOVES moves running has lost; with twosided both have to agree
    #[arg(long, value_name = "MOVES,SCORE[,twosided]", value_parser = rules::resign)]
    resign: Option<ResignRule>,
    /// From move MOVE on, a draw when both scores are within SCORE centipawns for MOVES moves running
    #[arg(long, value_name = "MOVE,MOVES,SCORE", value_parser = rules::draw)]
    draw: Option<DrawRule>,
    /// A draw after N moves of each side beyond the opening
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// Games a job plays at once
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// Milliseconds an engine has to answer `uci`
    #[arg(long, value_name = "MS", default_value = "20000", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    startup_ms: u64,
    /// Minutes after which a job stops playing; the finished games count
    #[arg(long, value_name = "MINUTES", default_value = "150", value_parser = count)]
    max_match_minutes: u64,
    /// What plays
    #[arg(long, value_enum, default_value = "fastchess")]
    runner: RunnerArg,
    /// Where in the book the whole match begins [default: the number of the run, else 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<WholeNumber>,
    /// Whether the engines are run with `bench` once built
    #[arg(long, value_enum, default_value = "auto")]
    bench: Bench,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Bench {
    /// When they have one
    Auto,
    /// Yes, and they must have one
    True,
    /// No
    False,
}

/// How a match runs through its book.
pub(super) struct Course<'a> {
    /// Pairs of a shard in one batch.
    pub(super) pairs: u64,
    /// Jobs that share a batch.
    pub(super) shards: u64,
    /// Batches of the whole match.
    pub(super) batches: u64,
    pub(super) seed: &'a WholeNumber,
}

/// Games that can be played.
pub(super) struct PlannedGames {
    pub(super) book: PlannedBook,
    pub(super) time: PlayTime,
    /// What a person should know.
    pub(super) warnings: Vec<String>,
}

impl GameArgs {
    /// The seed that was given.
    pub(super) const fn seed(&self) -> Option<&WholeNumber> {
        self.seed.as_ref()
    }

    /// Checks book, time and the way through the book.
    pub(super) fn planned(&self, course: &Course) -> anyhow::Result<PlannedGames> {
        let time = PlayTime::new(self.max_match_minutes).map_err(refused)?;
        let book = books::planned(&self.book, self.book_table.as_deref())?;
        let warnings = [
            repeats(&book, course)?,
            time.too_short_for(course.pairs, self.capacity()),
        ];
        Ok(PlannedGames {
            book,
            time,
            warnings: warnings.into_iter().flatten().collect(),
        })
    }

    fn capacity(&self) -> Capacity {
        let seconds = |own: Option<TimeControl>| game_seconds(own.unwrap_or(self.time_control));
        let both = seconds(self.candidate_time_control) + seconds(self.opponent_time_control);
        Capacity {
            jobs: 1,
            games_per_hour: 3600.0 * f64::from(self.concurrency) / (both / 2.0),
        }
    }

    /// Adds all of it to a plan.
    pub(super) fn enter(&self, games: &PlannedGames, course: &Course, plan: &mut Settings) {
        plan.set("book", &games.book.name);
        enter("openings", games.book.openings, plan);
        plan.set("time_control", self.time_control);
        plan.set("hash_mb", self.hash_mb);
        plan.set("concurrency", self.concurrency);
        plan.set("startup_ms", self.startup_ms);
        plan.set("max_match_minutes", self.max_match_minutes);
        plan.set("runner", word(self.runner));
        plan.set("bench", word(self.bench));
        plan.set("pairs", course.pairs);
        plan.set("shards", course.shards);
        plan.set("batches", course.batches);
        plan.set("seed", course.seed);
        let table = self
            .book_table
            .as_ref()
            .map(|path| path.display().to_string());
        enter("book_table", table, plan);
        enter("candidate_time_control", self.candidate_time_control, plan);
        enter("opponent_time_control", self.opponent_time_control, plan);
        enter("threads", self.threads, plan);
        enter("options", given(&self.options), plan);
        enter("candidate_options", given(&self.candidate_options), plan);
        enter("opponent_options", given(&self.opponent_options), plan);
        enter("resign", self.resign, plan);
        enter("draw", self.draw, plan);
        enter("max_moves", self.max_moves, plan);
    }
}

impl PlannedGames {
    /// Hands on what the jobs that play are asked to do first, and how long they may take.
    pub(super) fn put_out(&self, job: &Job, out: &mut impl Write) -> Result<(), CiError> {
        job.output("book", &self.book.name, out)?;
        job.output("wants_book", &self.book.wanted.to_string(), out)?;
        job.output("play_timeout", &self.time.job().to_string(), out)
    }
}

/// The number of this run of the workflow, else 0.
pub(super) fn default_seed() -> WholeNumber {
    let run = std::env::var("GITHUB_RUN_ID").unwrap_or_default();
    let digits =
        (1..=LONGEST_SEED).contains(&run.len()) && run.bytes().all(|byte| byte.is_ascii_digit());
    digits
        .then(|| run.parse().ok())
        .flatten()
        .unwrap_or_else(|| 0_u64.into())
}

/// Refuses a way through the book that there is not; says when it comes round again.
fn repeats(book: &PlannedBook, course: &Course) -> Result<Option<String>, Refused> {
    if course.seed.to_string().len() > LONGEST_SEED {
        return Err(Refused(format!(
            "the seed has more than {LONGEST_SEED} digits"
        )));
    }
    let request = SliceRequest {
        // How a book of unknown length is gone through shows when it is played.
        openings: book.openings.unwrap_or(u64::MAX).into(),
        pairs: course.pairs.into(),
        shards: course.shards.into(),
        shard: 0_u64.into(),
        seed: course.seed.clone(),
        batches: course.batches.into(),
        batch: 0_u64.into(),
    };
    let slice = Slice::new(&request).map_err(refused)?;
    let repeats = slice
        .repeats()
        .filter(|repeats| repeats.wanted > repeats.openings);
    Ok(repeats.map(|repeats| repeats.to_string()))
}

/// Options that can be read, as they stand.
fn options(text: &str) -> Result<String, String> {
    engine_options(text)
        .map(|_| text.trim().to_owned())
        .map_err(|error| error.to_string())
}

fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn enter(name: &str, value: Option<impl ToString>, plan: &mut Settings) {
    if let Some(value) = value {
        plan.set(name, value);
    }
}

/// A choice as it is written.
fn word(choice: impl ValueEnum) -> String {
    let value = choice.to_possible_value().expect("no choice is hidden");
    value.get_name().to_owned()
}

pub(super) fn refused(why: impl Display) -> Refused {
    Refused(why.to_string())
}
