//! `mache demo`: a whole match between two small engines inside the program, and its report.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, FromArgMatches};

use super::match_estimate::MatchEstimate;
use super::play::Play;
use super::{exit, in_process, play, remark};

/// Play a match between two small engines inside the program and report it, in under a minute
///
/// An engine that looks two plies ahead against itself with fewer nodes a move. What it runs are the two commands that
/// a real match takes, and it prints them.
#[derive(Debug, Args)]
pub(super) struct Demo {
    /// Folder for the games [default: a new one among the system's temporary files]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Pairs of the match.
const PAIRS: u32 = 400;
/// Both engines are `minimax`; the second one looks less deep where its nodes do not suffice.
const ENGINES: [(&str, &str); 2] = [("minimax", ""), ("minimax-1600", ",nodes=1600")];

impl Demo {
    /// Plays, then prints the report.
    ///
    /// # Errors
    /// When the games cannot be written.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let folder = self.out.unwrap_or_else(|| {
            std::env::temp_dir().join(format!("mache-demo-{}", std::process::id()))
        });
        let program = std::env::current_exe().context("cannot find this program")?;
        let program = program.to_string_lossy();
        let folder = folder.to_string_lossy();
        let played = command::<Play>(&play_words(&program, &folder))?.run(out)?;
        if played != exit::ANSWERED {
            return Ok(played);
        }
        writeln!(out)?;
        command::<MatchEstimate>(&estimate_words(&folder))?.run(out)
    }
}

fn play_words(program: &str, folder: &str) -> Vec<String> {
    let program = program.replace('"', "\"\"");
    let pairs = PAIRS.to_string();
    let mut words: Vec<String> = ["play", "--tc", "10+0.1", "--pairs", &pairs]
        .map(str::to_owned)
        .to_vec();
    for (name, limit) in ENGINES {
        let engine = format!("name={name},cmd=\"{program}\",args=engine minimax{limit}");
        words.extend(["--engine".to_owned(), engine]);
    }
    words.extend(["--runner", "built-in", "--out", folder].map(str::to_owned));
    words
}

fn estimate_words(folder: &str) -> Vec<String> {
    [
        "match-estimate",
        "--candidate",
        ENGINES[0].0,
        "--baseline",
        ENGINES[1].0,
        "--elo0",
        "0",
        "--elo1",
        "5",
        "--",
        folder,
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Reads the words as the command would, and says what is run.
fn command<C: Args + FromArgMatches>(words: &[String]) -> anyhow::Result<C> {
    remark(&format!("$ mache {}", play::joined(words)));
    Ok(in_process::read(words)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_runs_can_be_read() {
        let program = r#"/a "strange", place/mache"#;
        command::<Play>(&play_words(program, "games")).unwrap();
        command::<MatchEstimate>(&estimate_words("games")).unwrap();
    }
}
