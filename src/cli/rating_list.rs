//! `mache rating-list`: all engines of any mix of games rated at once.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;

use super::exit::Refused;
use super::games_args::GamesArgs;
use super::number::real;
use super::{close, exit, remark};
use crate::games::Crosstable;
use crate::report::{ListSettings, NoList, RatingList as List, escape};
use crate::stats::rating::{Bootstrap, WhiteAdvantage};

/// Rate all engines of tournaments, gauntlets and matches at once
///
/// Maximum likelihood on the Elo scale, a draw being half a win and half a loss, with one White advantage and one draw rate for
/// all. Engines that no games connect are rated apart.
#[derive(Debug, Args)]
pub(super) struct RatingList {
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    rating: RatingArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Rating")]
struct RatingArgs {
    /// An engine of known rating, which it keeps; may be given several times
    #[arg(long, value_name = "NAME=RATING", value_parser = anchor)]
    anchor: Vec<(String, f64)>,
    /// Take this many Elo for White's advantage and do not fit it
    #[arg(long, value_name = "ELO", value_parser = real, allow_negative_numbers = true)]
    white_advantage: Option<f64>,
    /// Fits of the bootstrap behind the margins over pairs; 0 for no such margins
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(..=100_000))]
    replicates: u32,
    /// Seed of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// Also give the chance of each engine to be stronger than each other
    #[arg(long)]
    los: bool,
    /// Print the JSON document of format 1
    #[arg(long, group = "mode")]
    json: bool,
    /// Print comma-separated values
    #[arg(long, group = "mode")]
    csv: bool,
}

impl RatingList {
    /// Prints the list.
    ///
    /// # Errors
    /// When no game can be used, an anchor did not play, or the list cannot be printed.
    pub(super) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let settings = self.settings()?;
        let table = Crosstable::read(&self.games.paths)?;
        let list = List::new(&table, settings).map_err(|why| match why {
            NoList::Anchor(name) => {
                let hint = close::hint(&name, table.names());
                anyhow!("the anchor `{name}` finished no game here{hint}")
            }
            NoList::NoGames | NoList::Invalid(_) => why.into(),
        })?;
        list.remarks().iter().for_each(|text| remark(text));
        let text = if self.output.json {
            list.json()
        } else if self.output.csv {
            list.csv()
        } else {
            escape::lines(&list.markdown())
        };
        out.write_all(text.as_bytes())
            .context("cannot print the list")?;
        Ok(exit::ANSWERED)
    }

    fn settings(&self) -> Result<ListSettings, Refused> {
        let anchors = &self.rating.anchor;
        for (at, (name, _)) in anchors.iter().enumerate() {
            if anchors[..at].iter().any(|(known, _)| known == name) {
                return Err(Refused(format!("--anchor gives `{name}` two ratings")));
            }
        }
        let white = match self.rating.white_advantage {
            Some(elo) if !(-1000.0..=1000.0).contains(&elo) => {
                return Err(Refused(format!(
                    "--white-advantage {elo} has to lie between -1000 and 1000"
                )));
            }
            Some(elo) => WhiteAdvantage::Fixed(elo),
            None => WhiteAdvantage::Fitted,
        };
        Ok(ListSettings {
            anchors: anchors.clone(),
            white,
            bootstrap: (self.rating.replicates > 0).then_some(Bootstrap {
                replicates: self.rating.replicates,
                seed: self.rating.seed,
            }),
            superiority: self.output.los,
        })
    }
}

/// Reads `NAME=RATING`: the last equals sign is the rating's.
fn anchor(text: &str) -> Result<(String, f64), String> {
    let (name, rating) = text.rsplit_once('=').unwrap_or_default();
    let rating = real(rating).ok().filter(|rating| rating.abs() <= 50_000.0);
    match rating {
        Some(rating) if !name.is_empty() => Ok((name.to_owned(), rating)),
        Some(_) | None => Err("write it as NAME=RATING, such as Stash 21=2714".to_owned()),
    }
}
