//! `mache elo`: the figures of counts that are already known.

use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::exit::{self, Refused};
use super::sprt_args::SprtArgs;
use crate::notation::PastedResult;
use crate::report::EloReport;
use crate::stats::{Model, Pentanomial, Sprt, Trinomial};

/// Say what counts are worth: Elo, margin, normalized Elo, LOS and the ratio of a test
///
/// Reads --pairs or --wdl, or else a block of fastchess, cutechess, OpenBench or fishtest from standard input. Margins are over
/// pairs when these are given, over games otherwise.
#[derive(Debug, Args)]
pub(super) struct Elo {
    #[command(flatten)]
    counts: CountsArgs,
    #[command(flatten)]
    sprt: SprtArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Counts")]
struct CountsArgs {
    /// Pairs by score, in the order 0, 0.5, 1, 1.5, 2
    #[arg(long, value_name = "N,N,N,N,N", value_parser = counts::<5>)]
    pairs: Option<[u64; 5]>,
    /// Games won, drawn and lost
    #[arg(long, value_name = "W,D,L", value_parser = counts::<3>)]
    wdl: Option<[u64; 3]>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// Whose block to print [default: fastchess for pairs, cutechess for games]
    #[arg(long, value_enum)]
    style: Option<Style>,
    /// Print a JSON document (as --style json)
    #[arg(long, conflicts_with = "style")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Style {
    /// fastchess
    Fastchess,
    /// cutechess, over games only
    Cutechess,
    /// OpenBench
    Openbench,
    /// fishtest
    Fishtest,
    /// A JSON document of format 1
    Json,
}

impl Elo {
    /// Prints the figures.
    ///
    /// # Errors
    /// When there are no counts, they contradict each other, or the answer cannot be printed.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let test = self.sprt.test()?;
        if test.as_ref().is_some_and(|test| test.prior.pairs() > 0) {
            let why = "--prior-pairs belong to match-estimate; add them to the counts here";
            return Err(Refused(why.to_owned()).into());
        }
        let result = self.counts.result()?;
        let test = test
            .map(|test| for_games(test.sprt, result.games))
            .transpose()?;
        let report = EloReport::new(result, test)?;
        let usual = if report.counts_pairs() {
            Style::Fastchess
        } else {
            Style::Cutechess
        };
        let style = if self.output.json {
            Style::Json
        } else {
            self.output.style.unwrap_or(usual)
        };
        if style == Style::Cutechess && !report.counts_games() {
            let why = "--style cutechess is over games: give --wdl, or a block that counts them";
            return Err(Refused(why.to_owned()).into());
        }
        let text = style.render(&report);
        out.write_all(text.as_bytes())
            .context("cannot print the figures")?;
        Ok(exit::ANSWERED)
    }
}

impl Style {
    fn render(self, report: &EloReport) -> String {
        match self {
            Self::Fastchess => report.fastchess(),
            Self::Cutechess => report.cutechess(),
            Self::Openbench => report.openbench(),
            Self::Fishtest => report.fishtest(),
            Self::Json => report.json(),
        }
    }
}

impl CountsArgs {
    fn result(&self) -> anyhow::Result<PastedResult> {
        if self.pairs.is_none() && self.wdl.is_none() {
            return pasted();
        }
        Ok(PastedResult {
            names: None,
            games: self.wdl.map(|[wins, draws, losses]| Trinomial {
                losses,
                draws,
                wins,
            }),
            pairs: self.pairs.map(Pentanomial::new),
        })
    }
}

/// The test of these games. One of BayesElo hangs on how many of them were drawn.
fn for_games(test: Sprt, games: Option<Trinomial>) -> Result<Sprt, Refused> {
    match (games, test.model()) {
        (Some(games), _) => Ok(test.for_games(games)),
        (None, Model::Logistic | Model::Normalized) => Ok(test),
        (None, Model::Bayesian(_)) => Err(Refused(
            "--model bayesian hangs on how many games were drawn: give --wdl too".to_owned(),
        )),
    }
}

fn pasted() -> anyhow::Result<PastedResult> {
    let mut input = io::stdin();
    if input.is_terminal() {
        let why = "no counts: give --pairs or --wdl, or a block on standard input";
        return Err(Refused(why.to_owned()).into());
    }
    let mut bytes = Vec::new();
    input
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    Ok(PastedResult::read(&String::from_utf8_lossy(&bytes)))
}

/// No match has more games or pairs of one kind.
const MOST: u64 = 99_999_999;

/// Whole numbers with commas between them.
fn counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let counts: Option<Vec<u64>> = text
        .split(',')
        .map(|count| count.trim().parse().ok().filter(|count| *count <= MOST))
        .collect();
    let counts = counts.and_then(|counts| counts.try_into().ok());
    counts.ok_or_else(|| format!("write {N} whole numbers with commas between them"))
}
