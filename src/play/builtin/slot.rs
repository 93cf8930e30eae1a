//! A slot: one thread, two engine processes, one game at a time.

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::Table;
use super::ending::{Ending, Foul};
use super::game::{self, Played, Seat};
use super::pgn::Sheet;
use crate::openings::Variant;
use crate::plan::{Missing, PlannedPair};
use crate::play::engine::{EngineProcess, Interrupt, Settled, StartError, Supervision, quit_all};
use crate::play::{Blame, EngineSetup, Event, FinishedGame, PlayError, Side};

/// Tries to start an engine before the match is given up.
const TRIES: u32 = 3;

/// Plays pairs until there are none left or the brake is pulled.
pub(super) struct Slot<'a> {
    table: &'a Table<'a>,
    first: Option<EngineProcess>,
    second: Option<EngineProcess>,
}

/// One of the two games of a pair.
#[derive(Clone, Copy)]
struct Leg {
    number: u8,
    white: Side,
}

const LEGS: [Leg; 2] = [
    Leg {
        number: 1,
        white: Side::First,
    },
    Leg {
        number: 2,
        white: Side::Second,
    },
];

impl<'a> Slot<'a> {
    pub(super) const fn new(table: &'a Table<'a>) -> Self {
        Self {
            table,
            first: None,
            second: None,
        }
    }

    /// Plays, and lets the engines go at the end however it comes.
    pub(super) fn run(mut self) -> Result<(), PlayError> {
        let played = self.play_pairs();
        if played.is_err() {
            self.table.brake.pull_for_failure();
        }
        let engines = self.first.take().into_iter().chain(self.second.take());
        quit_all(engines.collect(), self.table.setup.waits.quit);
        played
    }

    fn play_pairs(&mut self) -> Result<(), PlayError> {
        while let Some(pair) = self.table.next_pair() {
            for leg in LEGS {
                let planned = match pair.missing {
                    Missing::Both => true,
                    Missing::FirstWhite => leg.white == Side::First,
                    Missing::SecondWhite => leg.white == Side::Second,
                };
                if planned && !self.play_game(pair, leg)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Plays a game and writes it; `false` when the match is to stop.
    fn play_game(&mut self, pair: &PlannedPair, leg: Leg) -> Result<bool, PlayError> {
        let brake = &self.table.brake;
        let seated = !brake.is_raised() && self.seat(Side::First)? && self.seat(Side::Second)?;
        if !seated {
            brake.leave_unfinished();
            return Ok(false);
        }
        (self.table.events)(Event::GameStarted {
            round: pair.round,
            game: leg.number,
            white: leg.white,
        });
        let played = self.play_seated(pair, leg);
        self.write(pair, leg, &played)?;
        self.clear_table(pair, leg, &played)?;
        let finished = finished(pair, leg, &played);
        let stops = !self.table.setup.recover && is_failure(&played.ending);
        (self.table.events)(Event::GameFinished(finished));
        if played.ending == Ending::Interrupted {
            self.table.brake.leave_unfinished();
        }
        if stops {
            self.table.brake.pull_for_fault();
        }
        Ok(!stops && played.ending != Ending::Interrupted)
    }

    fn play_seated(&mut self, pair: &PlannedPair, leg: Leg) -> Played {
        let setup = self.table.setup;
        let seated = "both engines were started";
        let first = Seat {
            engine: self.first.as_mut().expect(seated),
            setup: &setup.first,
        };
        let second = Seat {
            engine: self.second.as_mut().expect(seated),
            setup: &setup.second,
        };
        let seats = by_color(leg, first, second);
        game::play(seats, &pair.opening, setup, &self.table.brake)
    }

    /// Puts the game on disk, then says so in the log.
    fn write(&self, pair: &PlannedPair, leg: Leg, played: &Played) -> Result<(), PlayError> {
        let setup = self.table.setup;
        let seated = "both engines were started";
        let first = self.first.as_ref().expect(seated).identity();
        let second = self.second.as_ref().expect(seated).identity();
        let sheet = Sheet {
            event: &setup.event,
            round: pair.round,
            setups: by_color(leg, &setup.first, &setup.second),
            identities: by_color(leg, first, second),
            variant: setup.variant,
            start: &pair.opening.start,
            played,
        };
        self.table.files.write_game(&sheet.render())?;
        self.table.files.log(&log_line(pair, leg, &sheet))
    }

    /// Keeps what is known of a fault and lets engines go that cannot play on.
    fn clear_table(
        &mut self,
        pair: &PlannedPair,
        leg: Leg,
        played: &Played,
    ) -> Result<(), PlayError> {
        if let Some((loser, foul)) = played.ending.foul() {
            self.keep_fault(pair, leg, played, (loser, foul))?;
            let gone = *foul == Foul::Disconnect || played.settled != Some(Settled::Ready);
            if gone && let Some(engine) = self.engine(side_of(leg, loser)).take() {
                engine.kill();
            }
        }
        for side in [Side::First, Side::Second] {
            if self.setup(side).restart
                && let Some(engine) = self.engine(side).take()
            {
                engine.quit();
            }
        }
        Ok(())
    }

    fn keep_fault(
        &mut self,
        pair: &PlannedPair,
        leg: Leg,
        played: &Played,
        (loser, foul): (Color, &Foul),
    ) -> Result<(), PlayError> {
        let color = loser.fold_wb("white", "black");
        let name = format!("{}-{color}", pair.round);
        let files = &self.table.files;
        let side = side_of(leg, loser);
        let Some(engine) = self.engine(side).as_mut() else {
            return Ok(());
        };
        let end = engine.end(match foul {
            Foul::Disconnect => Duration::from_millis(50),
            Foul::Stall | Foul::Time { .. } | Foul::IllegalMove { .. } => Duration::ZERO,
        });
        let kept = files.keep_fault(&name, engine, played)?;
        let end = end.map_or(String::new(), |end| format!(" ({end})"));
        let place = kept.map_or_else(
            || "enough faults were kept, not this one".to_owned(),
            |folder| format!("its last words are in {}", folder.display()),
        );
        let text = format!(
            "round {}, game {}: {}: {}{end}; {place}",
            pair.round,
            leg.number,
            self.setup(side).name,
            played.ending,
        );
        self.table.warn(text)
    }

    /// Starts the engine of a side if it does not run; `false` when the match is to stop.
    fn seat(&mut self, side: Side) -> Result<bool, PlayError> {
        let mut tries = 0;
        while self.engine(side).is_none() {
            tries += 1;
            match self.start(side) {
                Ok(engine) => *self.engine(side) = Some(engine),
                Err(StartError::Interrupted { .. }) => return Ok(false),
                Err(error) if error.may_pass() && tries < TRIES => {
                    self.table.warn(format!("{error}; trying again"))?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    fn start(&self, side: Side) -> Result<EngineProcess, StartError> {
        let setup = self.setup(side);
        let supervision = Supervision {
            interrupt: &self.table.brake,
            watchdog: self.table.watchdog.as_ref(),
        };
        let engine = EngineProcess::start_under(setup, &self.table.setup.waits, supervision)?;
        let checked = engine.identity().check(&setup.options);
        checked.map_err(|source| StartError::Option {
            engine: setup.name.clone(),
            source,
        })?;
        self.table.warn_once_of_chess960(&engine);
        Ok(engine)
    }

    const fn engine(&mut self, side: Side) -> &mut Option<EngineProcess> {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }

    const fn setup(&self, side: Side) -> &'a EngineSetup {
        match side {
            Side::First => &self.table.setup.first,
            Side::Second => &self.table.setup.second,
        }
    }
}

fn by_color<T>(leg: Leg, first: T, second: T) -> ByColor<T> {
    match leg.white {
        Side::First => ByColor {
            white: first,
            black: second,
        },
        Side::Second => ByColor {
            white: second,
            black: first,
        },
    }
}

fn side_of(leg: Leg, color: Color) -> Side {
    *by_color(leg, Side::First, Side::Second).get(color)
}

/// What stops a match without recovery: a crash or a stall.
fn is_failure(ending: &Ending) -> bool {
    ending.foul().is_some_and(|(_, foul)| match foul {
        Foul::Disconnect | Foul::Stall => true,
        Foul::Time { .. } | Foul::IllegalMove { .. } => false,
    })
}

fn finished(pair: &PlannedPair, leg: Leg, played: &Played) -> FinishedGame {
    FinishedGame {
        round: pair.round,
        game: leg.number,
        white: leg.white,
        result: played.ending.result().to_owned(),
        reason: played.ending.to_string(),
        termination: played.ending.termination().to_owned(),
        plies: Some(played.moves.len()),
        blame: played.ending.foul().map(|(loser, foul)| Blame {
            side: side_of(leg, loser),
            fault: foul.fault(),
        }),
    }
}

fn log_line(pair: &PlannedPair, leg: Leg, sheet: &Sheet<'_>) -> String {
    let Sheet { setups, played, .. } = sheet;
    let least = played.clocks.as_ref().map(|clock| match clock.least() {
        Some(least) => format!("{least} ms"),
        None => "-".to_owned(),
    });
    format!(
        "round {} game {} ({} - {}): {} {{{}}} {} plies, {} ms, least time left {} and {}",
        pair.round,
        leg.number,
        setups.white.name,
        setups.black.name,
        played.ending.result(),
        played.ending,
        played.moves.len(),
        played.lasted.as_millis(),
        least.white,
        least.black,
    )
}

/// Whether an engine says that it plays Chess960.
pub(super) fn plays(variant: Variant, engine: &EngineProcess) -> bool {
    match variant {
        Variant::Standard => true,
        Variant::Chess960 => engine.identity().option("UCI_Chess960").is_some(),
    }
}
