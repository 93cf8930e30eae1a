//! Where the shards of a match are, and what they have in common.

use std::path::PathBuf;

use clap::Args;

use crate::ci::{Job, Shards, WantedEngine, WantedMatch};
use crate::notation::TimeControl;
use crate::openings::WholeNumber;
use crate::report::escape::inline;

/// What a plan says of all shards; what is not given is not looked at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Shards")]
pub(super) struct SliceInputs {
    /// What picked the openings
    #[arg(long, value_name = "N")]
    seed: Option<WholeNumber>,
    /// Which batch of the test this is, from 0
    #[arg(long, value_name = "I")]
    batch: Option<WholeNumber>,
    /// Pairs of a shard
    #[arg(long, value_name = "N")]
    pairs: Option<usize>,
    /// Both sides' clock
    #[arg(long, value_name = "TC", default_value = "", hide_default_value = true)]
    pub(super) time_control: String,
    /// A clock of the engine under test alone
    #[arg(long, value_name = "TC")]
    pub(super) candidate_time_control: Option<String>,
    /// A clock of the other side alone
    #[arg(long, value_name = "TC")]
    pub(super) opponent_time_control: Option<String>,
    /// A paragraph of the caller's for the summary, Markdown
    #[arg(long, value_name = "TEXT")]
    pub(super) provenance: Option<String>,
    /// Folder for result.json and report.md; none are written without it
    #[arg(long, value_name = "DIR")]
    pub(super) into: Option<PathBuf>,
}

impl SliceInputs {
    /// The match between these engines with so many shards.
    pub(super) fn wanted(
        &self,
        candidate: WantedEngine,
        opponents: Vec<WantedEngine>,
        shards: u64,
    ) -> WantedMatch {
        let text = |number: &Option<WholeNumber>| number.as_ref().map(WholeNumber::to_string);
        WantedMatch {
            candidate,
            opponents,
            shards,
            seed: text(&self.seed),
            batch: text(&self.batch),
            pairs: self.pairs,
            clocks: self.clocks(),
        }
    }

    /// The clocks of both sides as a manifest has them, where they are clocks.
    fn clocks(&self) -> [Option<String>; 2] {
        [&self.candidate_time_control, &self.opponent_time_control].map(|own| {
            let text = own.as_ref().unwrap_or(&self.time_control);
            let clock = text.trim().parse::<TimeControl>().ok()?;
            Some(clock.to_string())
        })
    }

    /// The time control in words: of both sides when theirs differ.
    pub(super) fn tc(&self) -> String {
        let [one, other] = [&self.candidate_time_control, &self.opponent_time_control]
            .map(|own| own.as_ref().unwrap_or(&self.time_control).trim());
        if one == other {
            one.to_owned()
        } else {
            format!("{one} against {other}")
        }
    }
}

/// Says beside the job which shards are missing or left out.
pub(super) fn warn(shards: &Shards, what: &str, job: &Job) {
    let missing = missing(shards, what);
    if !missing.is_empty() {
        job.warn(&format!("nothing came of {missing}; the others are judged"));
    }
    for left_out in &shards.left_out {
        job.warn(&format!("left out {left_out}"));
    }
}

/// The same as sentences for the summary; empty when all are there.
pub(super) fn absences(shards: &Shards, what: &str) -> String {
    let mut text = String::new();
    let missing = missing(shards, what);
    if !missing.is_empty() {
        text += &format!(" Missing: {missing}.");
    }
    for left_out in &shards.left_out {
        text += &format!(" Left out: {}.", inline(&left_out.to_string()));
    }
    text
}

/// `shard 3, shard 5`.
fn missing(shards: &Shards, what: &str) -> String {
    let missing = shards.missing();
    let names: Vec<String> = missing
        .iter()
        .map(|index| format!("{what} {index}"))
        .collect();
    names.join(", ")
}

/// An engine of a match; a commit that is not given holds for any.
pub(super) fn wanted_engine(name: &str, commit: &str) -> WantedEngine {
    WantedEngine {
        name: name.to_owned(),
        commit: Some(commit.to_owned()).filter(|commit| !commit.is_empty()),
    }
}
