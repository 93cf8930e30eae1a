//! `mache play`: a match, or one shard of it.

mod book;
mod command_line;
mod dry_run;
mod engines;
mod limits;
mod progress;
pub(super) mod rules;
pub(super) mod runners;
mod session;
mod spec;
mod summary;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::{exit, in_process, remark};
use crate::plan::{Played, schedule};
use crate::play::machine::Machine;
use crate::play::manifest::{self, Engine, FaultsRecord, Manifest};
use crate::play::{Adjudication, DrawRule, MatchSetup, ResignRule, Stop, StopRequest, StopSignal};
use book::{Drawn, OpeningArgs};
use engines::{EngineArgs, Engines};
use limits::LimitArgs;
use runners::{Chosen, RunnerArg};
use session::{Outcome, Session};

/// Play a match of game pairs between two engines, or one shard of it
///
/// Each pair is one opening played twice with colours swapped. The games go to games.pgn in the folder of the run,
/// beside a manifest.json that says how they came about.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 played, also when --max-minutes ended it; 1 failed; 2 arguments refused, nothing \
                  played; 130 and 143 after SIGINT and SIGTERM, the finished games kept.",
    after_long_help = LONG_HELP
)]
pub(super) struct Play {
    #[command(flatten)]
    engines: EngineArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    run: RunArgs,
    /// The command line that is recorded; that of this process unless another command plays.
    #[arg(skip)]
    command_line: Option<Vec<String>>,
}

const LONG_HELP: &str = "\
Two builds of an engine, ten seconds and a tenth, what fits on this machine at once:
  mache play --candidate ./new --baseline ./old --tc 10+0.1 --pairs 500 --out games

With names, options, a folder and arguments; values with commas stand in quotes:
  mache play --tc 10+0.1 --pairs 500 \\
    --engine 'name=new,cmd=./new,args=--net \"a, b.nnue\",option.Style=\"Bold, fast\"' \\
    --engine 'name=old,cmd=./old,dir=/srv/old,tc=20+0.2'

Shard 3 of 20, anywhere; all shards have pairs, shards, seed and book in common:
  mache play … --pairs 250 --shards 20 --seed 7 --shard 3 --out games/shard-3

Exit codes: 0 played, also when --max-minutes ended it; 1 failed; 2 arguments refused, nothing played;
130 and 143 after SIGINT and SIGTERM, the finished games kept.";

/// When games end.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
struct RuleArgs {
    /// An engine whose score is at most -SCORE centipawns for MOVES moves running has lost; with twosided both have
    /// to agree
    #[arg(long, value_name = "MOVES,SCORE[,twosided]", value_parser = rules::resign)]
    resign: Option<ResignRule>,
    /// From move MOVE on, a draw when both scores are within SCORE centipawns for MOVES moves running
    #[arg(long, value_name = "MOVE,MOVES,SCORE", value_parser = rules::draw)]
    draw: Option<DrawRule>,
    /// A draw after N moves of each side beyond the opening
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// Whether the match goes on after an engine crashed or stalled
    #[arg(long, value_name = "WHEN", value_enum, default_value = "on")]
    recover: Switch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    #[value(alias = "true")]
    On,
    #[value(alias = "false")]
    Off,
}

/// How the match is run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
struct RunArgs {
    /// Games at once [default: physical cores over the threads an engine uses]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Stop after so many minutes; the finished games count
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    max_minutes: Option<f64>,
    /// What plays
    #[arg(long, value_enum, default_value = "auto")]
    runner: RunnerArg,
    /// Program that is fastchess, when it is not the one of that name on the path
    #[arg(long, value_name = "PROGRAM")]
    fastchess: Option<PathBuf>,
    /// Folder for games, manifest, log and faults [default: a new one named after the time]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in --out: play what is missing of it, and nothing twice
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print what happens on standard output, one JSON object a line
    #[arg(long)]
    json: bool,
    /// Check everything, print fastchess's command line or the schedule, play nothing
    #[arg(long, conflicts_with = "json")]
    dry_run: bool,
}

fn minutes(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|&minutes: &f64| minutes > 0.0 && minutes <= 1e6)
        .ok_or_else(|| "write a number of minutes above 0".to_owned())
}

impl Play {
    /// Plays, and prints the summary or the events.
    ///
    /// # Errors
    /// When arguments make no sense, engines cannot be started or do not take their options, the book is unsound, or
    /// games cannot be written.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let stop = Arc::new(StopRequest::default());
        let signal = StopSignal::listen(&stop).context("cannot listen to signals")?;
        let ended = self.go(&stop, out);
        if let Some(number) = signal.number() {
            if let Err(error) = ended {
                remark(&format!("{error:#}"));
            }
            return Ok(ExitCode::from(128 + number));
        }
        ended
    }

    /// Reads the words of a `mache play` that another command puts together, and records them as the command line.
    ///
    /// # Errors
    /// When they make no sense.
    pub(super) fn of_words(words: Vec<String>) -> Result<Self, exit::Refused> {
        let play: Self = in_process::read(&words)?;
        let command_line = std::iter::once("mache".to_owned()).chain(words).collect();
        Ok(Self {
            command_line: Some(command_line),
            ..play
        })
    }

    fn go(&self, stop: &StopRequest, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let setups = self.engines.setups(&self.limits)?;
        let drawn = self.openings.draw()?;
        let runner = self.runner()?;
        let engines = self.engines.greet(setups, &self.limits.waits(), stop)?;
        if let Some(text) = &drawn.remark {
            remark(text);
        }
        let setup = self.setup(&engines, &drawn);
        if self.run.dry_run {
            let pairs = schedule(drawn.openings.clone(), &Played::default());
            out.write_all(runner.plan(&MatchSetup { pairs, ..setup })?.as_bytes())?;
            return Ok(exit::ANSWERED);
        }
        let session = Session {
            manifest: self.manifest(&engines, &drawn, &setup, &runner),
            openings: drawn.openings.clone(),
            runner: &runner,
            setup,
            resume: self.run.resume,
            json: self.run.json,
            stop,
        };
        let folder = session.setup.out.clone();
        let outcome = session.play(out)?;
        self.report(&engines, &drawn, &outcome, out)?;
        remark(&format!(
            "{} after {} of {} pairs; played by {}; games in {}",
            ending(outcome.stop),
            outcome.tally.pairs().pairs(),
            self.openings.pairs(),
            runner.runner().identity(),
            folder.display()
        ));
        Ok(match outcome.stop {
            Stop::Finished | Stop::Time | Stop::Signal => exit::ANSWERED,
            Stop::Fault => exit::FAILED.into(),
        })
    }

    /// The summary, on standard output if that is not taken by events. Without a whole pair there is nothing to sum up.
    fn report(
        &self,
        engines: &Engines,
        drawn: &Drawn,
        outcome: &Outcome,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        if outcome.tally.pairs().pairs() == 0 {
            return Ok(());
        }
        let text = summary::summary(engines, &drawn.book.name, &outcome.tally);
        if self.run.json {
            eprint!("{text}");
            return Ok(());
        }
        out.write_all(text.as_bytes())
            .context("cannot print the summary")
    }

    fn runner(&self) -> anyhow::Result<Chosen> {
        let earlier = self.earlier_runner()?;
        let program = self.run.fastchess.as_deref();
        Ok(self.run.runner.choose(earlier.as_deref(), program)?)
    }

    /// What played the games that are gone on from.
    fn earlier_runner(&self) -> anyhow::Result<Option<String>> {
        let folder = self.run.out.as_ref().filter(|_| self.run.resume);
        let earlier = folder.map(|folder| Manifest::read(folder)).transpose()?;
        Ok(earlier.flatten().map(|manifest| manifest.runner))
    }

    fn setup(&self, engines: &Engines, drawn: &Drawn) -> MatchSetup {
        let [first, second] = engines.setups.clone();
        MatchSetup {
            first,
            second,
            pairs: Vec::new(),
            variant: drawn.variant,
            concurrency: self.concurrency(engines),
            adjudication: self.adjudication(),
            recover: self.rules.recover == Switch::On,
            max_time: self
                .run
                .max_minutes
                .map(|minutes| Duration::from_secs_f64(60.0 * minutes)),
            waits: self.limits.waits(),
            event: "mache".to_owned(),
            out: self.run.out.clone().unwrap_or_else(new_folder),
        }
    }

    const fn adjudication(&self) -> Adjudication {
        Adjudication {
            resign: self.rules.resign,
            draw: self.rules.draw,
            max_moves: self.rules.max_moves,
        }
    }

    fn concurrency(&self, engines: &Engines) -> NonZeroUsize {
        let machine = Machine::current();
        let fitting = machine.slots(engines.threads());
        let Some(wanted) = self.run.concurrency else {
            return fitting;
        };
        if wanted > fitting {
            remark(&format!(
                "warning: {wanted} games at once with {} threads an engine are more than {} cores hold; clocks suffer",
                engines.threads(),
                machine.cores
            ));
        }
        wanted
    }

    fn manifest(
        &self,
        engines: &Engines,
        drawn: &Drawn,
        setup: &MatchSetup,
        runner: &Chosen,
    ) -> Manifest {
        let [candidate, baseline] = self.engines.commits();
        let [first, second] = &engines.identities;
        Manifest {
            format: 1,
            mache: env!("CARGO_PKG_VERSION").to_owned(),
            command_line: self.command_line.clone().unwrap_or_else(words_of_process),
            runner: runner.runner().identity(),
            candidate: Engine::new(&setup.first, &first.name, &first.author, candidate),
            baseline: Engine::new(&setup.second, &second.name, &second.author, baseline),
            book: drawn.book.clone(),
            slice: drawn.slice.clone(),
            adjudication: setup.adjudication.into(),
            recover: setup.recover,
            concurrency: setup.concurrency.get(),
            max_minutes: self.run.max_minutes,
            machine: Machine::current(),
            started: manifest::now(),
            ended: None,
            stopped: None,
            games: 0,
            pairs: 0,
            faults: FaultsRecord::default(),
            resumed: 0,
            rounds: None,
            files: None,
        }
    }
}

fn words_of_process() -> Vec<String> {
    std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

const fn ending(stop: Stop) -> &'static str {
    match stop {
        Stop::Finished => "done",
        Stop::Time => "stopped by --max-minutes",
        Stop::Signal => "stopped by a signal",
        Stop::Fault => "stopped because an engine failed and --recover is off",
    }
}

/// Words as one line for a shell.
pub(super) fn joined(words: &[String]) -> String {
    command_line::join(words)
}

/// `match-20260102-030405`.
fn new_folder() -> PathBuf {
    let now = manifest::now();
    let digits: String = now.chars().filter(char::is_ascii_digit).collect();
    let (day, time) = digits.split_at(8);
    PathBuf::from(format!("match-{day}-{time}"))
}
