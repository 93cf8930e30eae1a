//! A match from its folder to its last word.

use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::progress::Progress;
use super::runners::Chosen;
use crate::cli::exit::Refused;
use crate::cli::remark;
use crate::openings::Opening;
use crate::plan::schedule;
use crate::play::manifest::{self, Manifest};
use crate::play::resume::{HALF, Match, TORN};
use crate::play::run_folder::{OnDisk, RunFolder};
use crate::play::tally::Tally;
use crate::play::{Event, MatchSetup, PlayError, Stop, StopRequest};
use crate::report::number::counted;

/// Between two looks at the clock.
const TICK: Duration = Duration::from_millis(200);
/// Between two writes of the manifest.
const RECORD_EVERY: Duration = Duration::from_secs(2);

/// A match that is ready to be played.
pub(super) struct Session<'a> {
    pub(super) runner: &'a Chosen,
    /// Without its pairs, which depend on what is on disk.
    pub(super) setup: MatchSetup,
    pub(super) openings: Vec<Opening>,
    pub(super) manifest: Manifest,
    pub(super) resume: bool,
    /// Events go to standard output.
    pub(super) json: bool,
    pub(super) stop: &'a StopRequest,
}

/// A match that is over.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) stop: Stop,
    /// What is on disk.
    pub(super) tally: Tally,
}

impl Session<'_> {
    /// Plays what is missing of the match.
    pub(super) fn play(mut self, out: &mut impl Write) -> anyhow::Result<Outcome> {
        let folder = RunFolder::open(&self.setup.out)?;
        self.take_up(&folder)?;
        let mut on_disk = folder.read(self.of())?;
        self.tidy(&mut on_disk)?;
        self.announce();
        let (played, again) = on_disk.played();
        if again > 0 {
            remark(&format!(
                "{again} games are on disk for the second time; they count once"
            ));
        }
        let pairs = self.openings.len();
        self.setup.pairs = schedule(std::mem::take(&mut self.openings), &played);
        let mut tally = on_disk.tally();
        drop(on_disk);
        self.manifest.count(&tally);
        self.manifest.write(folder.path())?;
        let part = self.part(&folder)?;
        self.setup.out.clone_from(&part);
        let ended = self.run(pairs, &mut tally, &folder, out);
        self.close(ended, &folder)
    }

    fn of(&self) -> Match<'_> {
        Match {
            first: &self.manifest.candidate.name,
            second: &self.manifest.baseline.name,
            pairs: self.manifest.slice.pairs,
        }
    }

    /// Refuses to add to the games of another run, and goes on with those of this one.
    fn take_up(&mut self, folder: &RunFolder) -> anyhow::Result<()> {
        if !folder.holds_games() {
            return Ok(());
        }
        let shown = folder.path().display();
        if !self.resume {
            bail!(Refused(format!(
                "{shown} holds the games of another run: take another folder, or --resume to play what is missing there"
            )));
        }
        let Some(earlier) = Manifest::read(folder.path())? else {
            bail!(Refused(format!(
                "cannot resume: {shown} has games and no {}, so nobody knows what run they are of",
                manifest::NAME
            )));
        };
        let differences = self.manifest.differences(&earlier);
        if !differences.is_empty() {
            bail!(Refused(format!(
                "cannot resume: the games in {shown} are of another run; it differs in {}",
                differences.join(", ")
            )));
        }
        self.manifest.started = earlier.started;
        self.manifest.resumed = earlier.resumed + 1;
        Ok(())
    }

    /// Puts torn ends aside and, for a runner that plays whole pairs only, the games of half pairs.
    fn tidy(&self, on_disk: &mut OnDisk) -> anyhow::Result<()> {
        if on_disk.mend()? {
            remark(&format!("a game that was half written is now in {TORN}"));
        }
        if self.runner.plays_whole_pairs() {
            let moved = on_disk.set_half_pairs_aside()?;
            if moved > 0 {
                let games = counted(moved as u64, "game");
                remark(&format!(
                    "{games} of half pairs set aside in {HALF}; fastchess plays their pairs anew"
                ));
            }
        }
        Ok(())
    }

    /// The folder to play into: the run's own, or one beside its games for a runner that numbers from 1.
    fn part(&self, folder: &RunFolder) -> anyhow::Result<PathBuf> {
        if !(self.runner.plays_whole_pairs() && folder.holds_games()) {
            return Ok(folder.path().to_owned());
        }
        if self.setup.pairs.is_empty() {
            return Ok(folder.path().to_owned());
        }
        let path = folder.next_part();
        std::fs::create_dir(&path).with_context(|| format!("cannot make {}", path.display()))?;
        let rounds = self.setup.pairs.iter().map(|pair| pair.round).collect();
        let manifest = Manifest {
            rounds: Some(rounds),
            started: manifest::now(),
            ..self.manifest.clone()
        };
        manifest.write(&path)?;
        Ok(path)
    }

    fn announce(&self) {
        let Manifest {
            candidate,
            baseline,
            book,
            runner,
            ..
        } = &self.manifest;
        remark(&format!(
            "{} against {}, {} from {}, {} at once, played by {runner}",
            candidate.name,
            baseline.name,
            counted(self.openings.len() as u64, "pair"),
            book.name,
            self.setup.concurrency
        ));
    }

    /// Plays on one thread and tells on this one.
    fn run(
        &mut self,
        pairs: usize,
        tally: &mut Tally,
        folder: &RunFolder,
        out: &mut impl Write,
    ) -> Result<Stop, PlayError> {
        let names = [
            self.setup.first.name.clone(),
            self.setup.second.name.clone(),
        ];
        let (sender, events) = channel();
        let mut teller = Teller {
            progress: Progress::new(names, pairs, tally),
            tally,
            folder,
            manifest: &mut self.manifest,
            recorded: Instant::now(),
            out: self.json.then_some(out),
        };
        let (runner, setup, stop) = (self.runner.runner(), &self.setup, self.stop);
        thread::scope(|scope| {
            let play = scope.spawn(move || {
                runner.play(setup, stop, &|event| {
                    // Nobody listens any more only when the teller is done for.
                    _ = sender.send(event);
                })
            });
            teller.follow(&events);
            teller.progress.finish();
            play.join().unwrap_or(Err(PlayError::Panic))
        })
    }

    /// Counts what is on disk and writes the last manifest.
    fn close(
        mut self,
        ended: Result<Stop, PlayError>,
        folder: &RunFolder,
    ) -> anyhow::Result<Outcome> {
        let on_disk = folder.read(self.of());
        self.manifest.files = on_disk.as_ref().ok().map(OnDisk::files);
        let tally = on_disk.map(|on_disk| on_disk.tally());
        if let Ok(tally) = &tally {
            self.manifest.count(tally);
        }
        self.manifest.ended = Some(manifest::now());
        self.manifest.stopped = ended.as_ref().ok().copied();
        let written = self.manifest.write(folder.path());
        let stop = ended?;
        written?;
        Ok(Outcome {
            stop,
            tally: tally?,
        })
    }
}

/// Hands events on: to the person, to standard output, into the manifest.
struct Teller<'a, W: Write> {
    progress: Progress,
    tally: &'a mut Tally,
    folder: &'a RunFolder,
    manifest: &'a mut Manifest,
    recorded: Instant,
    out: Option<&'a mut W>,
}

impl<W: Write> Teller<'_, W> {
    /// Until the runner is done.
    fn follow(&mut self, events: &Receiver<Event>) {
        loop {
            match events.recv_timeout(TICK) {
                Ok(event) => self.tell(&event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.progress.tick(self.tally);
            self.record();
        }
    }

    fn tell(&mut self, event: &Event) {
        self.tally.take(event);
        self.progress.event(event, self.tally);
        let Some(out) = &mut self.out else { return };
        let line = serde_json::to_string(event).expect("an event is plain data");
        if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
            // Whoever read them left; the games are not lost for that.
            self.out = None;
        }
    }

    /// What is lost by a failed write here is written at the end, or the failure told then.
    fn record(&mut self) {
        if self.recorded.elapsed() < RECORD_EVERY || self.manifest.games == self.tally.total() {
            return;
        }
        self.recorded = Instant::now();
        self.manifest.count(self.tally);
        _ = self.manifest.write(self.folder.path());
    }
}
