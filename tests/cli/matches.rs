//! Matches between scripted engines, played by the built program, and what they leave behind.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The built program, in an environment that no workflow or terminal touches.
pub(crate) fn mache() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mache"));
    let touched = |name: &str| {
        name == "CI"
            || name == "NO_COLOR"
            || name.starts_with("GITHUB_")
            || name.starts_with("MACHE_")
            || name.starts_with("RUNNER_")
    };
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(touched) {
            command.env_remove(name);
        }
    }
    command
}

/// The scripted engine, which cargo builds beside the tests.
pub(crate) fn scripted_engine() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_mache"))
        .parent()
        .expect("a folder");
    let name = format!("scripted-engine{}", std::env::consts::EXE_SUFFIX);
    let path = folder.join("examples").join(name);
    assert!(
        path.exists(),
        "no {}: run `cargo build --example scripted-engine`",
        path.display()
    );
    path
}

/// A match to be played. `good` does all right; `bad` does what it is told.
pub(crate) struct Match {
    folder: TempDir,
    mark: String,
    good: String,
    bad: String,
    limit: Vec<String>,
    options: Vec<String>,
}

impl Match {
    /// One pair at a time of 0.3 s a move, between two engines that behave.
    pub(crate) fn new() -> Self {
        static MATCHES: AtomicUsize = AtomicUsize::new(0);
        let number = MATCHES.fetch_add(1, Ordering::SeqCst);
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            mark: format!("mark=mache-test-{}-{number}", std::process::id()),
            good: String::new(),
            bad: String::new(),
            limit: words("--movetime 0.3"),
            options: words("--pairs 1 --concurrency 1 --runner built-in --max-moves 20"),
        }
    }

    /// The same with arguments for the engine that misbehaves.
    pub(crate) fn bad(mut self, arguments: &str) -> Self {
        arguments.clone_into(&mut self.bad);
        self
    }

    /// The same with arguments for the engine that behaves.
    pub(crate) fn good(mut self, arguments: &str) -> Self {
        arguments.clone_into(&mut self.good);
        self
    }

    /// The same with another limit, such as `--tc 1+0.1`.
    pub(crate) fn limit(mut self, limit: &str) -> Self {
        self.limit = words(limit);
        self
    }

    /// The same with further options; the last one of its name counts.
    pub(crate) fn with(mut self, options: &str) -> Self {
        self.options.extend(words(options));
        self
    }

    /// Where the match is written.
    pub(crate) fn out(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    /// The command that plays it.
    pub(crate) fn command(&self) -> Command {
        let mut command = mache();
        command.arg("play").args(&self.limit).args(&self.options);
        command.args(words(WAITS));
        command.arg("--out").arg(self.out());
        for (name, arguments) in [("good", &self.good), ("bad", &self.bad)] {
            let program = scripted_engine();
            let arguments = quoted(&format!("{} {arguments}", self.mark));
            command.arg("--engine");
            command.arg(format!(
                "name={name},cmd={},args={arguments}",
                program.display()
            ));
        }
        command.stdin(Stdio::null());
        command
    }

    /// Plays it to the end.
    pub(crate) fn play(self) -> Played {
        let output = self.command().output().expect("the program starts");
        self.ended(output)
    }

    /// Plays it again after something was changed or lost.
    pub(crate) fn ended(self, output: Output) -> Played {
        Played { output, of: self }
    }

    /// The games on disk.
    pub(crate) fn games(&self) -> Vec<Game> {
        let text = fs::read(self.out().join("games.pgn")).unwrap_or_default();
        games(&String::from_utf8(text).expect("games are UTF-8"))
    }

    /// Waits until there are so many finished games on disk.
    #[track_caller]
    pub(crate) fn await_games(&self, wanted: usize) {
        let end = Instant::now() + Duration::from_secs(60);
        while self.games().len() < wanted {
            assert!(
                Instant::now() < end,
                "{} games after a minute",
                self.games().len()
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Process numbers of this match's engines and of what they started; empty where `/proc` cannot be read.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers
            .filter(|number| is_engine(*number, &self.mark))
            .collect()
    }

    /// Asserts that no engine of the match lives, and ends those that do.
    #[track_caller]
    pub(crate) fn left_nothing_running(&self) {
        let end = Instant::now() + Duration::from_secs(2);
        while !self.processes().is_empty() && Instant::now() < end {
            thread::sleep(Duration::from_millis(20));
        }
        let left = self.processes();
        for number in &left {
            let _ = Command::new("kill")
                .args(["-9", &number.to_string()])
                .status();
        }
        assert!(
            left.is_empty(),
            "{} processes outlived the match",
            left.len()
        );
    }
}

/// Short waits, so that a dead engine does not hold up a test.
const WAITS: &str = "--waits startup=2,new-game=1,ready=1,move=1,quit=0.5";

/// An engine of the match that is no longer running but not yet collected does not count.
fn is_engine(number: u32, mark: &str) -> bool {
    let folder = PathBuf::from(format!("/proc/{number}"));
    let arguments = fs::read(folder.join("cmdline")).unwrap_or_default();
    let program = arguments
        .split(|byte| *byte == 0)
        .next()
        .unwrap_or_default();
    String::from_utf8_lossy(program).contains("scripted-engine")
        && arguments
            .split(|byte| *byte == 0)
            .any(|argument| argument == mark.as_bytes())
}

/// A match that ended.
pub(crate) struct Played {
    pub(crate) output: Output,
    pub(crate) of: Match,
}

impl Played {
    /// Asserts the exit code, and shows what was said when it is another.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        let said = self.said();
        assert_eq!(self.output.status.code(), Some(code), "{said}");
        self
    }

    /// What the program printed on standard error.
    pub(crate) fn said(&self) -> String {
        String::from_utf8(self.output.stderr.clone()).expect("what it says is UTF-8")
    }

    /// The games on disk.
    pub(crate) fn games(&self) -> Vec<Game> {
        self.of.games()
    }

    /// `match-estimate --json` of the games, with `good` as the candidate.
    pub(crate) fn estimate(&self) -> serde_json::Value {
        let mut command = mache();
        command
            .arg("match-estimate")
            .arg(self.of.out().join("games.pgn"));
        command.args(words("--candidate good --baseline bad --json"));
        let output = command.output().expect("the program starts");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

/// A game as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Game {
    tags: BTreeMap<String, String>,
    /// Moves, comments and the result.
    pub(crate) movetext: String,
}

impl Game {
    /// A tag's value, empty when it is absent.
    pub(crate) fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    /// The colour of an engine.
    pub(crate) fn colour(&self, engine: &str) -> &'static str {
        if self.tag("White") == engine {
            "White"
        } else {
            "Black"
        }
    }

    /// Who won by its result.
    pub(crate) fn winner(&self) -> Option<&str> {
        match self.tag("Result") {
            "1-0" => Some(self.tag("White")),
            "0-1" => Some(self.tag("Black")),
            _ => None,
        }
    }

    /// The end of its last comment, after the last `, `.
    pub(crate) fn reason(&self) -> &str {
        let comment = self
            .movetext
            .rsplit_once('{')
            .map_or("", |(_, comment)| comment);
        let comment = comment.split('}').next().unwrap_or_default();
        comment.rsplit(", ").next().unwrap_or_default()
    }

    /// Its text without what depends on the clock.
    pub(crate) fn without_times(&self) -> (BTreeMap<String, String>, String) {
        let timeless = |name: &&String| {
            !["Date", "GameDuration", "GameStartTime", "GameEndTime"].contains(&name.as_str())
        };
        let tags = self.tags.iter().filter(|(name, _)| timeless(name));
        let words = self.movetext.split_whitespace().filter(|word| {
            let word = word.trim_end_matches(['}', ',']);
            let seconds = word
                .strip_suffix('s')
                .is_some_and(|number| number.parse::<f64>().is_ok());
            !(seconds || word.starts_with("nps=") || word.starts_with("tl="))
        });
        (
            tags.map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            words.collect::<Vec<_>>().join(" "),
        )
    }
}

/// Reads games in the plain form that the program writes, independently of its own reader.
pub(crate) fn games(text: &str) -> Vec<Game> {
    let records = text.split("[Event \"").skip(1);
    records
        .filter_map(|record| {
            let (tags, movetext) = record.split_once("\n\n")?;
            let pairs = tags.lines().filter_map(|line| {
                let (name, value) = line.strip_prefix('[')?.split_once(" \"")?;
                Some((name.to_owned(), value.strip_suffix("\"]")?.to_owned()))
            });
            Some(Game {
                tags: pairs.collect(),
                movetext: movetext.trim_end().to_owned(),
            })
        })
        .filter(|game| game.movetext.ends_with(game.tag("Result")))
        .collect()
}

/// A value of `--engine` that may hold commas and quotes.
pub(crate) fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('"', "\"\""))
}

/// The words of a line.
pub(crate) fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
