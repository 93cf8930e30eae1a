//! The command line of fastchess, built by a pure function.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::openings_file::Format;
use super::{FastchessError, words};
use crate::openings::Variant;
use crate::play::{Adjudication, EngineSetup, Limit, MatchSetup, Waits};

/// What fastchess is told, without the program itself: the pairs of `setup`, whose openings stand in `openings`
/// in the order they are played, its games going to `games` and its own log to `log`.
///
/// fastchess never ends such a match early: there is no `-sprt`. It saves no state of its own between games
/// (`-autosaveinterval 0`); the configuration that it writes at its end goes to `config`.
///
/// # Errors
/// When a name, an argument or an option is one that fastchess cannot be given.
pub fn argv(setup: &MatchSetup, files: &Files<'_>) -> Result<Vec<OsString>, FastchessError> {
    let mut line = CommandLine::default();
    engine(&mut line, &setup.first)?;
    engine(&mut line, &setup.second)?;
    openings(&mut line, files);
    schedule(&mut line, setup);
    adjudication(&mut line, &setup.adjudication);
    waits(&mut line, &setup.waits);
    output(&mut line, setup, files)?;
    Ok(line.words)
}

/// Where fastchess reads and writes.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    /// The openings of this run.
    pub openings: &'a Path,
    /// How they are written.
    pub format: Format,
    /// Its games.
    pub games: &'a Path,
    /// Its log, with what the engines write to standard error.
    pub log: &'a Path,
    /// Its saved configuration, of no use to us.
    pub config: &'a Path,
}

/// Words of a command line, in order.
#[derive(Debug, Default)]
struct CommandLine {
    words: Vec<OsString>,
}

impl CommandLine {
    fn word(&mut self, word: impl Into<OsString>) {
        self.words.push(word.into());
    }

    /// An option and its one value.
    fn pair(&mut self, option: &str, value: impl ToString) {
        self.word(option);
        self.word(value.to_string());
    }

    /// A `key=value` word.
    fn key(&mut self, key: &str, value: impl AsRef<std::ffi::OsStr>) {
        let mut word = OsString::from(format!("{key}="));
        word.push(value);
        self.words.push(word);
    }
}

fn engine(line: &mut CommandLine, engine: &EngineSetup) -> Result<(), FastchessError> {
    line.word("-engine");
    line.key("cmd", words::command(engine)?);
    line.key("name", words::name(engine)?);
    if let Some(directory) = &engine.directory {
        line.key("dir", directory);
    }
    if !engine.arguments.is_empty() {
        line.key("args", words::arguments(engine)?);
    }
    limit(line, &engine.limit);
    if engine.margin > Duration::ZERO {
        line.key("timemargin", engine.margin.as_millis().to_string());
    }
    if engine.restart {
        line.key("restart", "on");
    }
    for (name, value) in &engine.options {
        line.word(words::option(engine, name, value)?);
    }
    Ok(())
}

fn limit(line: &mut CommandLine, limit: &Limit) {
    if let Some(clock) = limit.clock {
        line.key("tc", clock.to_string());
    }
    if let Some(movetime) = limit.movetime {
        line.key("st", movetime.as_secs_f64().to_string());
    }
    if let Some(nodes) = limit.nodes {
        line.key("nodes", nodes.to_string());
    }
    if let Some(depth) = limit.depth {
        line.key("depth", depth.to_string());
    }
}

fn openings(line: &mut CommandLine, files: &Files<'_>) {
    line.word("-openings");
    line.key("file", files.openings);
    line.key("format", files.format.word());
    line.key("order", "sequential");
}

fn schedule(line: &mut CommandLine, setup: &MatchSetup) {
    line.pair("-rounds", setup.pairs.len());
    line.pair("-games", 2);
    line.word("-repeat");
    match setup.variant {
        Variant::Standard => {}
        Variant::Chess960 => line.pair("-variant", "fischerandom"),
    }
    line.pair("-concurrency", setup.concurrency);
    line.word("-force-concurrency");
    if setup.recover {
        line.word("-recover");
    }
}

fn adjudication(line: &mut CommandLine, rules: &Adjudication) {
    if let Some(resign) = rules.resign {
        line.word("-resign");
        line.key("movecount", resign.moves.to_string());
        line.key("score", resign.score.to_string());
        line.key("twosided", resign.two_sided.to_string());
    }
    if let Some(draw) = rules.draw {
        line.word("-draw");
        line.key("movenumber", draw.from_move.to_string());
        line.key("movecount", draw.moves.to_string());
        line.key("score", draw.score.to_string());
    }
    if let Some(moves) = rules.max_moves {
        line.pair("-maxmoves", moves);
    }
}

fn waits(line: &mut CommandLine, waits: &Waits) {
    line.pair("-startup-ms", waits.startup.as_millis());
    line.pair("-ucinewgame-ms", waits.new_game.as_millis());
    line.pair("-ping-ms", waits.ready.as_millis());
}

fn output(
    line: &mut CommandLine,
    setup: &MatchSetup,
    files: &Files<'_>,
) -> Result<(), FastchessError> {
    line.word("-pgnout");
    line.key("file", files.games);
    for field in ["nodes", "seldepth", "nps", "timeleft"] {
        line.key(field, "true");
    }
    line.word("-log");
    line.key("file", files.log);
    line.key("level", "warn");
    line.key("append", "true");
    line.word("-config");
    line.key("outname", files.config);
    line.pair("-autosaveinterval", 0);
    line.pair("-event", words::event(&setup.event)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::Opening;
    use crate::plan::{Missing, PlannedPair};
    use crate::play::{DrawRule, ResignRule};
    use shakmaty::Chess;
    use std::num::NonZeroUsize;
    use std::path::PathBuf;

    fn engine_setup(name: &str) -> EngineSetup {
        EngineSetup {
            name: name.to_owned(),
            command: PathBuf::from(format!("/engines/{name}")),
            arguments: Vec::new(),
            directory: None,
            limit: Limit {
                clock: Some("10+0.1".parse().unwrap()),
                ..Limit::default()
            },
            margin: Duration::ZERO,
            options: Vec::new(),
            restart: false,
        }
    }

    fn setup() -> MatchSetup {
        let pair = |round| PlannedPair {
            round,
            opening: Opening {
                number: round,
                start: Chess::default(),
                moves: Vec::new(),
            },
            missing: Missing::Both,
        };
        MatchSetup {
            first: engine_setup("new"),
            second: engine_setup("old"),
            pairs: (1..=3).map(pair).collect(),
            variant: Variant::Standard,
            concurrency: NonZeroUsize::MIN,
            adjudication: Adjudication::default(),
            recover: true,
            max_time: None,
            waits: Waits::default(),
            event: "mache".to_owned(),
            out: PathBuf::from("out"),
        }
    }

    fn files() -> Files<'static> {
        Files {
            openings: Path::new("out/openings.epd"),
            format: Format::Epd,
            games: Path::new("out/games.pgn"),
            log: Path::new("out/log"),
            config: Path::new("out/fastchess.json"),
        }
    }

    /// One option a line.
    fn printed(setup: &MatchSetup) -> String {
        let mut page = String::new();
        for word in argv(setup, &files()).unwrap() {
            let word = word.into_string().unwrap();
            if word.starts_with('-') {
                page.push('\n');
            } else {
                page.push_str("  ");
            }
            page.push_str(&word);
        }
        page
    }

    #[test]
    fn a_plain_match() {
        insta::assert_snapshot!(printed(&setup()), @r"
        -engine  cmd=/engines/new  name=new  tc=10+0.1
        -engine  cmd=/engines/old  name=old  tc=10+0.1
        -openings  file=out/openings.epd  format=epd  order=sequential
        -rounds  3
        -games  2
        -repeat
        -concurrency  1
        -force-concurrency
        -recover
        -startup-ms  10000
        -ucinewgame-ms  60000
        -ping-ms  60000
        -pgnout  file=out/games.pgn  nodes=true  seldepth=true  nps=true  timeleft=true
        -log  file=out/log  level=warn  append=true
        -config  outname=out/fastchess.json
        -autosaveinterval  0
        -event  mache
        ");
    }

    #[test]
    fn every_option() {
        let mut full = setup();
        full.first = EngineSetup {
            name: r#"a "b" vs c, d"#.to_owned(),
            command: PathBuf::from("/my engines/new"),
            arguments: ["--net", "a b", r#"it's"#, r"C:\x y\"]
                .map(str::to_owned)
                .to_vec(),
            directory: Some(PathBuf::from("/my engines")),
            margin: Duration::from_millis(50),
            options: [
                ("Threads", "2"),
                ("SyzygyPath", "/a b;/c"),
                ("Debug Log File", ""),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec(),
            restart: true,
            ..full.first
        };
        full.second.limit = Limit {
            clock: None,
            movetime: Some(Duration::from_millis(250)),
            nodes: Some(5000),
            depth: Some(12),
        };
        full.variant = Variant::Chess960;
        full.concurrency = NonZeroUsize::new(3).unwrap();
        full.recover = false;
        full.adjudication = Adjudication {
            resign: Some(ResignRule {
                moves: 3,
                score: 400,
                two_sided: true,
            }),
            draw: Some(DrawRule {
                from_move: 40,
                moves: 8,
                score: 10,
            }),
            max_moves: Some(200),
        };
        insta::assert_snapshot!(printed(&full), @r#"
        -engine  cmd=/my engines/new  name=a "b" vs c, d  dir=/my engines  args=--net 'a b' "it's" 'C:\x y'\  tc=10+0.1  timemargin=50  restart=on  option.Threads=2  option.SyzygyPath=/a b;/c  option.Debug Log File=<empty>
        -engine  cmd=/engines/old  name=old  st=0.25  nodes=5000  depth=12
        -openings  file=out/openings.epd  format=epd  order=sequential
        -rounds  3
        -games  2
        -repeat
        -variant  fischerandom
        -concurrency  3
        -force-concurrency
        -resign  movecount=3  score=400  twosided=true
        -draw  movenumber=40  movecount=8  score=10
        -maxmoves  200
        -startup-ms  10000
        -ucinewgame-ms  60000
        -ping-ms  60000
        -pgnout  file=out/games.pgn  nodes=true  seldepth=true  nps=true  timeleft=true
        -log  file=out/log  level=warn  append=true
        -config  outname=out/fastchess.json
        -autosaveinterval  0
        -event  mache
        "#);
    }

    #[test]
    fn a_clock_for_each_side() {
        let mut odds = setup();
        odds.second.limit.clock = Some("40/1:00+0.5".parse().unwrap());
        let page = printed(&odds);
        assert!(
            page.contains("cmd=/engines/new  name=new  tc=10+0.1\n"),
            "{page}"
        );
        assert!(
            page.contains("cmd=/engines/old  name=old  tc=40/60+0.5\n"),
            "{page}"
        );
    }

    #[test]
    fn what_fastchess_cannot_be_given_is_refused() {
        let refused = |change: &dyn Fn(&mut EngineSetup)| {
            let mut odd = setup();
            change(&mut odd.first);
            argv(&odd, &files()).unwrap_err().to_string()
        };
        insta::assert_snapshot!(
            [
                refused(&|engine| engine.name = String::new()),
                refused(&|engine| engine.name = "two\nlines".to_owned()),
                refused(&|engine| engine.arguments = vec![String::new()]),
                refused(&|engine| engine.arguments = vec![r#"'"'"#.to_owned()]),
                refused(&|engine| engine.options = vec![("a=b".to_owned(), "1".to_owned())]),
                refused(&|engine| engine.options = vec![("a".to_owned(), "1\n2".to_owned())]),
            ]
            .join("\n"),
            @r#"
            engine ``: fastchess cannot be given the name ``; take --runner built-in or another name
            engine `two\nlines`: fastchess cannot be given the name `two\nlines`; take --runner built-in or another name
            engine `new`: fastchess cannot be given the argument ``; take --runner built-in or another argument
            engine `new`: fastchess cannot be given the argument `\'\"\'`; take --runner built-in or another argument
            engine `new`: fastchess cannot be given the option `a=b`; take --runner built-in or another option
            engine `new`: fastchess cannot be given the option value `1\n2`; take --runner built-in or another option value
            "#
        );
    }
}
