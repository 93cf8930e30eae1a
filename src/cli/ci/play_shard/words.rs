//! What a shard plays, as the words of `mache play`.

use std::path::{Path, PathBuf};

use super::{ShardEngines, ShardGames, ShardSlice};
use crate::ci::engine_options;
use crate::cli::exit::Refused;

/// The files of a shard.
#[derive(Debug)]
pub(super) struct Files<'a> {
    /// Program of the engine under test.
    pub(super) candidate: PathBuf,
    /// Program of the other side.
    pub(super) opponent: PathBuf,
    /// The book; `None` for the one inside the program.
    pub(super) book: Option<&'a Path>,
    /// Where the games go.
    pub(super) out: &'a Path,
}

/// The command line of the shard without the program: what is typed to play the same on any machine.
///
/// # Errors
/// When an option or a name cannot be said on it.
pub(super) fn play_words(
    engines: &ShardEngines,
    slice: &ShardSlice,
    games: &ShardGames,
    files: &Files<'_>,
) -> Result<Vec<String>, Refused> {
    let mut words = vec!["play".to_owned()];
    let candidate = Side {
        name: &engines.candidate,
        program: &files.candidate,
        time_control: games.candidate_time_control.map(|tc| tc.to_string()),
        options: options("candidate-options", &engines.candidate_options)?,
    };
    let opponent = Side {
        name: &engines.opponent,
        program: &files.opponent,
        time_control: games.opponent_time_control.map(|tc| tc.to_string()),
        options: options("opponent-options", &engines.opponent_options)?,
    };
    for side in [candidate, opponent] {
        words.extend(["--engine".to_owned(), side.word()?]);
    }
    let common = options("options", &engines.options)?;
    words.extend(common.map(|(name, value)| format!("--option={name}={value}")));
    words.extend(flags(engines, slice, games, files)?);
    Ok(words)
}

/// Everything but the engines' own settings.
fn flags(
    engines: &ShardEngines,
    slice: &ShardSlice,
    games: &ShardGames,
    files: &Files<'_>,
) -> Result<Vec<String>, Refused> {
    let book = files.book.map(text).transpose()?;
    let fastchess = games.fastchess.as_deref().map(text).transpose()?;
    let waits = games.startup_ms as f64 / 1000.0;
    let flag = |name: &str, value: &dyn ToString| Some(format!("--{name}={}", value.to_string()));
    let given = |name: &str, value: Option<&dyn ToString>| flag(name, value?);
    let either = |value: &'_ Option<String>| value.clone().filter(|value| !value.is_empty());
    let (resign, draw) = (either(&games.resign), either(&games.draw));
    let all = [
        flag("tc", &games.time_control),
        given(
            "hash",
            (engines.hash_mb > 0).then_some(&engines.hash_mb as _),
        ),
        given("threads", engines.threads.as_ref().map(|n| n as _)),
        flag("waits", &format!("startup={waits}")),
        given(
            "commit-candidate",
            engines.candidate_sha.as_ref().map(|t| t as _),
        ),
        given(
            "commit-baseline",
            engines.opponent_sha.as_ref().map(|t| t as _),
        ),
        given("book", book.as_ref().map(|t| t as _)),
        flag("pairs", &slice.pairs),
        flag("shards", &slice.shards),
        flag("shard", &slice.shard),
        flag("seed", &slice.seed),
        flag("batches", &slice.batches),
        flag("batch", &slice.batch),
        given("resign", resign.as_ref().map(|t| t as _)),
        given("draw", draw.as_ref().map(|t| t as _)),
        given("max-moves", games.max_moves.as_ref().map(|n| n as _)),
        flag("concurrency", &games.concurrency),
        given(
            "max-minutes",
            games.max_match_minutes.as_ref().map(|n| n as _),
        ),
        flag("runner", &games.runner),
        given("fastchess", fastchess.as_ref().map(|t| t as _)),
        flag("out", &text(files.out)?),
    ];
    Ok(all.into_iter().flatten().collect())
}

/// One engine.
struct Side<'a, O> {
    name: &'a str,
    program: &'a Path,
    time_control: Option<String>,
    options: O,
}

impl<O: Iterator<Item = (String, String)>> Side<'_, O> {
    /// As `--engine` takes it.
    fn word(self) -> Result<String, Refused> {
        let mut word = format!("name={}", quoted(self.name)?);
        word += &format!(",cmd={}", quoted(&text(self.program)?)?);
        if let Some(tc) = self.time_control {
            word += &format!(",tc={tc}");
        }
        for (name, value) in self.options {
            if name.contains(',') {
                return Err(Refused(format!(
                    "an option of one engine cannot have a comma in its name: `{name}`"
                )));
            }
            word += &format!(",option.{name}={}", quoted(&value)?);
        }
        Ok(word)
    }
}

/// The options of an input.
fn options(
    flag: &str,
    lines: &[String],
) -> Result<impl Iterator<Item = (String, String)>, Refused> {
    let read = engine_options(&lines.join("\n"));
    let read = read.map_err(|error| Refused(format!("--{flag}: {error}")))?;
    Ok(read.into_iter())
}

/// A value of `--engine`: as it stands, or in quotes where a comma or a quote at its beginning would end it.
fn quoted(value: &str) -> Result<String, Refused> {
    if !value.contains(',') && !value.starts_with('"') {
        return Ok(value.to_owned());
    }
    // A backslash before a quote, the closing one too, would make it an ordinary letter.
    if value.contains("\\\"") || value.ends_with('\\') {
        return Err(Refused(format!(
            "`{value}` has a comma, and a backslash before a quote or at its end; that cannot be said"
        )));
    }
    Ok(format!("\"{}\"", value.replace('"', "\"\"")))
}

fn text(path: &Path) -> Result<String, Refused> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| Refused(format!("the path {} is not UTF-8", path.display())))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::PlayShard;
    use super::*;
    use crate::cli::play::{Play, joined};

    #[derive(Parser)]
    struct Step {
        #[command(flatten)]
        shard: PlayShard,
    }

    fn words(more: &[&str]) -> Result<Vec<String>, Refused> {
        let fixed = [
            "step",
            "--candidate=new, fast",
            "--candidate-binary=engines/candidate",
            "--opponent=v1.2.0",
            "--opponent-binary=engines/baseline",
            "--pairs=50",
            "--shards=5",
            "--shard=3",
            "--seed=8123456789",
            "--time-control=10+0.1",
        ];
        let Step { shard } = Step::parse_from(fixed.iter().chain(more));
        let files = Files {
            candidate: PathBuf::from("/tools/engines/candidate"),
            opponent: PathBuf::from("/tools/engines/baseline"),
            book: more
                .iter()
                .any(|word| word.starts_with("--book"))
                .then_some(Path::new("tools/x.epd")),
            out: Path::new("tools"),
        };
        play_words(&shard.engines, &shard.slice, &shard.games, &files)
    }

    #[test]
    fn the_least_that_is_said() {
        insta::assert_snapshot!(joined(&words(&[]).unwrap()), @r#"play --engine 'name="new, fast",cmd=/tools/engines/candidate' --engine name=v1.2.0,cmd=/tools/engines/baseline --tc=10+0.1 --hash=256 --waits=startup=20 --pairs=50 --shards=5 --shard=3 --seed=8123456789 --batches=1 --batch=0 --concurrency=2 --runner=auto --out=tools"#);
    }

    #[test]
    fn all_that_can_be_said() {
        let words = words(&[
            "--book=x",
            "--batches=4",
            "--batch=2",
            "--candidate-time-control=8+0.08",
            "--opponent-time-control=40/60",
            "--hash-mb=16",
            "--threads=2",
            "--options=Ponder=false,Style=Bold",
            "--options=Path=/a,b",
            "--candidate-options=Net=x,y.nnue",
            "--opponent-options=Contempt=3",
            "--resign=3,400",
            "--draw=40,8,10",
            "--max-moves=200",
            "--concurrency=4",
            "--startup-ms=1500",
            "--max-match-minutes=150",
            "--runner=fastchess",
            "--fastchess=tools/fastchess",
            "--candidate-sha=aaaa",
            "--opponent-sha=bbbb",
        ])
        .unwrap();
        insta::assert_snapshot!(joined(&words), @r#"play --engine 'name="new, fast",cmd=/tools/engines/candidate,tc=8+0.08,option.Net="x,y.nnue"' --engine name=v1.2.0,cmd=/tools/engines/baseline,tc=40/60,option.Contempt=3 --option=Ponder=false --option=Style=Bold --option=Path=/a,b --tc=10+0.1 --hash=16 --threads=2 --waits=startup=1.5 --commit-candidate=aaaa --commit-baseline=bbbb --book=tools/x.epd --pairs=50 --shards=5 --shard=3 --seed=8123456789 --batches=4 --batch=2 --resign=3,400 --draw=40,8,10 --max-moves=200 --concurrency=4 --max-minutes=150 --runner=fastchess --fastchess=tools/fastchess --out=tools"#);
    }

    #[test]
    fn what_is_said_can_be_read() {
        let words = words(&["--candidate-options=A=\"x\", \"y\"", "--hash-mb=0"]).unwrap();
        Play::of_words(words).unwrap();
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        let why = |word: &str| words(&[word]).unwrap_err().to_string();
        insta::assert_snapshot!(why("--options=Hash"), @"--options: `Hash` is no option: write Name=Value, one a line or with commas between");
        insta::assert_snapshot!(why(r"--candidate-options=Path=C:\a,b\"), @r"`C:\a,b\` has a comma, and a backslash before a quote or at its end; that cannot be said");
        let words = words(&["--resign=soon"]).unwrap();
        insta::assert_snapshot!(Play::of_words(words).unwrap_err(), @"invalid value 'soon' for '--resign <MOVES,SCORE[,twosided]>': write MOVES,SCORE or MOVES,SCORE,twosided, such as 3,400: whole numbers above 0");
    }
}
