//! What the built-in runner costs: whole games between two engines that answer at once.
//!
//! Engines are the program's own random mover, so a figure holds their time too. To compare with another match
//! runner, pin both to one processor and give both the same engines.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use divan::counter::ItemsCount;
use mache::openings::{Opening, Variant};
use mache::plan::{Missing, PlannedPair};
use mache::play::builtin::Builtin;
use mache::play::engine::{EngineProcess, Uninterrupted};
use mache::play::{Adjudication, EngineSetup, Limit, MatchSetup, Runner, Stop, StopRequest, Waits};

/// Pairs of a match.
const PAIRS: usize = 20;
/// Moves of each side, at most.
const MOVES: u32 = 40;

fn main() {
    divan::main();
}

fn engine(name: &str) -> EngineSetup {
    EngineSetup {
        name: name.to_owned(),
        command: PathBuf::from(env!("CARGO_BIN_EXE_mache")),
        arguments: vec!["engine".to_owned(), "random".to_owned()],
        directory: None,
        limit: Limit {
            nodes: Some(1),
            ..Limit::default()
        },
        margin: Duration::ZERO,
        options: Vec::new(),
        restart: false,
    }
}

fn setup(concurrency: NonZeroUsize, out: PathBuf) -> MatchSetup {
    let pair = |round| PlannedPair {
        round,
        opening: Opening {
            number: round,
            start: shakmaty::Chess::default(),
            moves: Vec::new(),
        },
        missing: Missing::Both,
    };
    MatchSetup {
        first: engine("first"),
        second: engine("second"),
        pairs: (1..=PAIRS).map(pair).collect(),
        variant: Variant::Standard,
        concurrency,
        adjudication: Adjudication {
            max_moves: Some(MOVES),
            ..Adjudication::default()
        },
        recover: true,
        max_time: None,
        waits: Waits::default(),
        event: "bench".to_owned(),
        out,
    }
}

/// Moves of a match, the start of its engines included.
#[divan::bench(args = [1, 2], sample_count = 5)]
fn games(bencher: divan::Bencher<'_, '_>, concurrency: usize) {
    let concurrency = NonZeroUsize::new(concurrency).expect("one or two");
    bencher
        .counter(ItemsCount::new(2 * PAIRS * 2 * MOVES as usize))
        .with_inputs(|| tempfile::tempdir().expect("a folder for games"))
        .bench_values(|folder| {
            let setup = setup(concurrency, folder.path().to_owned());
            let played = Builtin::new().play(&setup, &StopRequest::default(), &|_| {});
            assert!(matches!(played, Ok(Stop::Finished)), "{played:?}");
        });
}

/// One `position` and `go`, up to the `bestmove`.
#[divan::bench]
fn one_move(bencher: divan::Bencher<'_, '_>) {
    let mut engine =
        EngineProcess::start(&engine("first"), &Waits::default()).expect("our own engine starts");
    bencher.bench_local(|| {
        let command = b"position startpos\ngo nodes 1\n";
        let search = engine.search(command, "", Duration::from_secs(5), &Uninterrupted);
        assert!(search.answer.is_ok());
        search.elapsed
    });
}
