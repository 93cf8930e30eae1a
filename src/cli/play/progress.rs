//! What a person sees while a match is played: a block that keeps up to date on a terminal, otherwise a line a minute.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::remark;
use crate::play::tally::Tally;
use crate::play::{Event, Side};
use crate::report::escape::one_line;
use crate::stats::{Bounded, Estimate};

/// Between two lines when there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);
/// Warnings shown; engines can cause any number.
const WARNINGS: usize = 20;

/// Follows a match.
#[derive(Debug)]
pub(super) struct Progress {
    display: Display,
    course: Course,
    warnings: usize,
}

#[derive(Debug)]
enum Display {
    Bar(ProgressBar),
    Lines { next: Instant },
}

/// How far a match has to go and when it set out.
#[derive(Clone, Debug)]
struct Course {
    names: [String; 2],
    pairs: u64,
    /// Games on disk when it began.
    before: u64,
    started: Instant,
}

impl Progress {
    /// A match of `pairs` pairs, of which `tally` was played before.
    pub(super) fn new(names: [String; 2], pairs: usize, tally: &Tally) -> Self {
        let started = Instant::now();
        let course = Course {
            names: names.map(|name| one_line(&name).into_owned()),
            pairs: pairs as u64,
            before: tally.total(),
            started,
        };
        let display = if on_terminal() {
            Display::Bar(bar(course.pairs))
        } else {
            Display::Lines {
                next: started + LINE_EVERY,
            }
        };
        Self {
            display,
            course,
            warnings: 0,
        }
    }

    /// Shows what happened; `tally` has taken it in already.
    pub(super) fn event(&mut self, event: &Event, tally: &Tally) {
        match event {
            Event::Warning { text } => self.warn(text),
            Event::GameFinished(_) => self.refresh(tally),
            Event::GameStarted { .. } => {}
        }
    }

    /// Shows that time passes.
    pub(super) fn tick(&mut self, tally: &Tally) {
        let elapsed = self.course.started.elapsed();
        match &mut self.display {
            Display::Bar(_) => self.refresh(tally),
            Display::Lines { next } => {
                if Instant::now() >= *next {
                    *next += LINE_EVERY;
                    remark(&self.course.line(tally, elapsed));
                }
            }
        }
    }

    /// Takes the block off the terminal.
    pub(super) fn finish(self) {
        if let Display::Bar(bar) = self.display {
            bar.finish_and_clear();
        }
        if self.warnings > WARNINGS {
            let more = self.warnings - WARNINGS;
            remark(&format!("{more} more warnings are in the log"));
        }
    }

    fn refresh(&self, tally: &Tally) {
        if let Display::Bar(bar) = &self.display {
            bar.set_position(tally.pairs().pairs());
            bar.set_message(self.course.block(tally, self.course.started.elapsed()));
        }
    }

    fn warn(&mut self, text: &str) {
        self.warnings += 1;
        if self.warnings > WARNINGS {
            return;
        }
        let line = format!("warning: {text}");
        match &self.display {
            Display::Bar(bar) => bar.suspend(|| remark(&line)),
            Display::Lines { .. } => remark(&line),
        }
    }
}

fn on_terminal() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    std::io::stderr().is_terminal() && !(dumb && cfg!(unix))
}

/// No colours at all, so there is nothing for `NO_COLOR` to switch off.
fn bar(pairs: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(pairs), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("[{bar:40}] {pos} of {len} pairs\n{msg}")
        .expect("the template is sound");
    bar.set_style(style.progress_chars("=> "));
    bar
}

impl Course {
    fn block(&self, tally: &Tally, elapsed: Duration) -> String {
        let [first, second] = &self.names;
        format!(
            "{first} against {second}: {}\n{}{}\n{}",
            difference(tally),
            score(tally),
            self.faults(tally),
            self.pace(tally, elapsed)
        )
    }

    fn line(&self, tally: &Tally, elapsed: Duration) -> String {
        format!(
            "{} of {} pairs, {}, {}{}, {}",
            tally.pairs().pairs(),
            self.pairs,
            score(tally),
            difference(tally),
            self.faults(tally),
            self.pace(tally, elapsed)
        )
    }

    /// Nothing while there are none.
    fn faults(&self, tally: &Tally) -> String {
        let [first, second] = [Side::First, Side::Second].map(|side| tally.faults(side).total());
        if first + second == 0 {
            return String::new();
        }
        let [one, other] = &self.names;
        format!(", faults: {one} {first}, {other} {second}")
    }

    fn pace(&self, tally: &Tally, elapsed: Duration) -> String {
        let played = tally.total().saturating_sub(self.before);
        let left = (2 * self.pairs).saturating_sub(tally.total());
        if played == 0 || elapsed.is_zero() {
            return format!("{} elapsed", clock(elapsed));
        }
        let per_second = played as f64 / elapsed.as_secs_f64();
        let rest = Duration::try_from_secs_f64(left as f64 / per_second).unwrap_or(Duration::MAX);
        format!(
            "{}, {} elapsed, {} left",
            rate(per_second),
            clock(elapsed),
            clock(rest)
        )
    }
}

fn rate(per_second: f64) -> String {
    let per_minute = 60.0 * per_second;
    if per_minute >= 1.0 {
        format!("{per_minute:.1} games a minute")
    } else {
        format!("{:.1} games an hour", 60.0 * per_minute)
    }
}

fn score(tally: &Tally) -> String {
    let [wins, draws, losses] = tally.games();
    let [ll, ld, even, wd, ww] = tally.pairs().counts();
    format!("W {wins} D {draws} L {losses}, pairs [{ll}, {ld}, {even}, {wd}, {ww}]")
}

fn difference(tally: &Tally) -> String {
    let estimate = Estimate::of(tally.pairs());
    let mut text = "Elo ".to_owned();
    match (estimate.bounded, estimate.elo, estimate.margin) {
        (Bounded::No, Some(elo), Some(margin)) => write!(text, "{elo:+.1} ± {margin:.1}"),
        (bounded, _, _) => write!(text, "{}", bounded.text()),
    }
    .expect("a string takes all text");
    text
}

/// `1:02:03`, or `2:03` below an hour.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Blame, Fault, FinishedGame};
    use crate::stats::GameScore;

    fn course() -> Course {
        Course {
            names: ["new".to_owned(), "old".to_owned()],
            pairs: 40,
            before: 4,
            started: Instant::now(),
        }
    }

    fn tally() -> Tally {
        let mut tally = Tally::default();
        for (round, score) in [
            (1, GameScore::Win),
            (1, GameScore::Win),
            (2, GameScore::Draw),
            (2, GameScore::Loss),
            (3, GameScore::Draw),
            (3, GameScore::Win),
        ] {
            tally.score(round, score);
        }
        tally.take(&Event::GameFinished(FinishedGame {
            round: 4,
            game: 1,
            white: Side::First,
            result: "1-0".to_owned(),
            reason: "Black disconnects".to_owned(),
            termination: "abandoned".to_owned(),
            plies: None,
            blame: Some(Blame {
                side: Side::Second,
                fault: Fault::Disconnect,
            }),
        }));
        tally
    }

    #[test]
    fn before_the_first_game() {
        let course = Course {
            before: 0,
            ..course()
        };
        insta::assert_snapshot!(course.line(&Tally::default(), Duration::from_secs(3)), @"0 of 40 pairs, W 0 D 0 L 0, pairs [0, 0, 0, 0, 0], Elo not measured, 0:03 elapsed");
    }

    #[test]
    fn under_way() {
        insta::assert_snapshot!(course().block(&tally(), Duration::from_secs(90)), @r"
        new against old: Elo +120.4 ± 275.8
        W 4 D 2 L 1, pairs [0, 1, 0, 1, 1], faults: new 0, old 1
        2.0 games a minute, 1:30 elapsed, 36:30 left
        ");
        insta::assert_snapshot!(course().line(&tally(), Duration::from_secs(3700)), @"3 of 40 pairs, W 4 D 2 L 1, pairs [0, 1, 0, 1, 1], Elo +120.4 ± 275.8, faults: new 0, old 1, 2.9 games an hour, 1:01:40 elapsed, 25:00:33 left");
    }

    #[test]
    fn a_clean_sweep_has_no_margin() {
        let mut tally = Tally::default();
        tally.score(1, GameScore::Win);
        tally.score(1, GameScore::Win);
        assert_eq!(difference(&tally), "Elo above +1200");
    }
}
