//! The match as a page to read: Markdown that also reads well in a terminal.

use std::fmt::{self, Write};

use super::{Comparison, InstrumentRow, MatchReport, ShardRow};
use crate::report::escape::{cell, fenced, inline, one_line};
use crate::report::number::{
    counted, grouped, grouped_rounded, grouped_tenths, percent, rounded, signed,
};
use crate::stats::{AnytimeInterval, Bounded};

impl MatchReport {
    /// The report as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = String::new();
        self.write_page(&mut page).expect("a string takes all text");
        page
    }

    fn write_page(&self, page: &mut String) -> fmt::Result {
        writeln!(
            page,
            "{} ({})\n",
            self.figure(),
            counted(self.games, "game")
        )?;
        writeln!(
            page,
            "{}\n\n{}\n",
            self.games_sentences(),
            self.interval_sentences()
        )?;
        self.write_pairs(page)?;
        if let Some(test) = &self.test {
            writeln!(page, "{}\n", self.test_sentences(test))?;
        }
        self.write_shards(page)?;
        writeln!(
            page,
            "How the games ended:\n\n{}",
            fenced(&self.endings.block())
        )?;
        self.write_instruments(page)?;
        self.write_remarks(page)?;
        writeln!(page, "Read by mache {}.", env!("CARGO_PKG_VERSION"))
    }

    fn games_sentences(&self) -> String {
        let (candidate, baseline) = (inline(&self.names.candidate), inline(&self.names.baseline));
        let mut text = format!("{candidate} against {baseline}");
        if !self.names.tc.is_empty() {
            text += &format!(" at {}", inline(&self.names.tc));
        }
        let (pairs, games) = (
            counted(self.pairs.pairs(), "pair"),
            counted(self.games, "game"),
        );
        text += &format!(": {pairs} from {games}.");
        if self.unpaired > 0 {
            let (games, it) = (counted(self.unpaired, "game"), it_is(self.unpaired));
            text += &format!(" {games} had no partner: {it} in the score but not in the estimate.");
        }
        if self.unfinished > 0 {
            let (games, it) = (counted(self.unfinished, "game"), it_is(self.unfinished));
            text += &format!(" {games} had no result: {it} left out altogether.");
        }
        text
    }

    fn interval_sentences(&self) -> String {
        self.fixed_sentences() + &self.anytime_sentence()
    }

    /// The interval for those who look when they like.
    fn anytime_sentence(&self) -> String {
        let Some(AnytimeInterval { low, high }) = self.anytime else {
            return String::new();
        };
        let pairs = self.test.as_ref().map_or(self.pairs, |test| test.counts);
        let ends = match (low, high) {
            (Some(low), Some(high)) => format!("{} to {} Elo", signed(low), signed(high)),
            (Some(low), None) => format!("above {} Elo", signed(low)),
            (None, Some(high)) => format!("below {} Elo", signed(high)),
            (None, None) => "open on both sides".to_owned(),
        };
        format!(
            " 95% interval valid at any time, however often one looks, over {}: {ends}.",
            counted(pairs.pairs(), "pair")
        )
    }

    fn fixed_sentences(&self) -> String {
        match self.estimate.bounded {
            Bounded::NotMeasured => {
                "No pair is complete, so there is no interval to give.".to_owned()
            }
            side @ (Bounded::Above | Bounded::Below) => format!(
                "All pairs went to one side, which bounds the difference on one side only: {} Elo.",
                side.text()
            ),
            Bounded::No => self.measured_sentences(),
        }
    }

    fn measured_sentences(&self) -> String {
        let estimate = &self.estimate;
        let ends = [estimate.low, estimate.high, estimate.los];
        let [low, high, los] = ends.map(|end| end.expect("what is measured has both ends"));
        let mut text = format!(
            "95% interval: {} to {} Elo. Likelihood of superiority: {}.",
            signed(low),
            signed(high),
            percent(los)
        );
        if let (Some(nelo), Some(margin)) = (estimate.nelo, estimate.nelo_margin) {
            text += &format!(
                " Normalized Elo: {} ±{}, the figure that compares across books and time controls.",
                signed(nelo),
                rounded(margin)
            );
        }
        if estimate.modelled {
            text += match estimate.pairs {
                1 => " One pair shows no spread",
                _ => " Pairs that all brought the same score show no spread",
            };
            text += "; the interval assumes the spread of games that have nothing to do with each other.";
        }
        text
    }

    fn write_pairs(&self, page: &mut String) -> fmt::Result {
        let [ll, ld, even, wd, ww] = self.pairs.counts();
        writeln!(page, "| pair score | 0 | 0.5 | 1 | 1.5 | 2 |")?;
        writeln!(page, "| --- | --- | --- | --- | --- | --- |")?;
        writeln!(page, "| pairs | {ll} | {ld} | {even} | {wd} | {ww} |\n")
    }

    fn write_shards(&self, page: &mut String) -> fmt::Result {
        let residuals = self.agreement.shards.residuals();
        // One column more where shards are compared.
        let column = |text: &str| residuals.as_ref().map(|_| format!(" {text} |"));
        let [head, line, pooled] =
            ["residual", "---", "-"].map(|text| column(text).unwrap_or_default());
        writeln!(page, "| shard | games | score | faults |{head}")?;
        writeln!(page, "| --- | --- | --- | --- |{line}")?;
        for (at, row) in self.shards.iter().enumerate() {
            let ShardRow { games, faults, .. } = row;
            let (name, score) = (cell(&row.name), percent(row.score));
            let residual = residuals.as_ref().and_then(|all| column(&all[at]));
            let residual = residual.unwrap_or_default();
            writeln!(page, "| {name} | {games} | {score} | {faults} |{residual}")?;
        }
        let (games, score, faults) = (self.games, percent(self.score), self.faults);
        writeln!(page, "| pooled | {games} | {score} | {faults} |{pooled}\n")?;
        self.agreement.write(page)
    }

    fn write_instruments(&self, page: &mut String) -> fmt::Result {
        if self.instruments.is_empty() {
            return Ok(());
        }
        writeln!(
            page,
            "Clocks and search, over the moves that were thought about:\n"
        )?;
        writeln!(
            page,
            "| side | moves | nodes | time | nodes a second | least time left |"
        )?;
        writeln!(page, "| --- | ---: | ---: | ---: | ---: | ---: |")?;
        for row in &self.instruments {
            writeln!(page, "{}", instrument_row(row))?;
        }
        writeln!(page)?;
        match (&self.comparison, &*self.instruments) {
            (Some(comparison), [first, second]) => {
                writeln!(
                    page,
                    "{}\n",
                    comparison.sentences(&first.name, &second.name)
                )
            }
            (None | Some(_), rows) if rows.iter().any(|row| row.moves > 0 && !row.timed()) => {
                writeln!(page, "{UNMEASURED}\n")
            }
            (None | Some(_), _) => Ok(()),
        }
    }

    fn write_remarks(&self, page: &mut String) -> fmt::Result {
        if self.remarks.is_empty() {
            return Ok(());
        }
        writeln!(page, "Remarks:\n")?;
        let block: String = self
            .remarks
            .iter()
            .map(|remark| format!("{}\n", one_line(remark)))
            .collect();
        writeln!(page, "{}", fenced(&block))
    }
}

/// Said where a rate would be nonsense.
const UNMEASURED: &str =
    "Games are timed in milliseconds; below one a move there are no nodes a second to state.";

impl Comparison {
    fn sentences(&self, first: &str, second: &str) -> String {
        let Self { time, nodes, rate } = self;
        let mut text = format!(
            "Beside {}, {} took {time:.3} times the time and {nodes:.3} times the nodes, \
             at {rate:.3} times the nodes a second.",
            inline(second),
            inline(first)
        );
        if self.different_trees() {
            text += " Trees so different make that no comparison of speed: \
                     a side that prunes more visits fewer nodes, and each costs it more.";
        }
        text
    }
}

fn instrument_row(row: &InstrumentRow) -> String {
    format!(
        "| {} | {} | {} | {} s | {} | {} |",
        cell(&row.name),
        grouped(row.moves),
        grouped(row.nodes),
        grouped_tenths(row.seconds),
        if row.timed() {
            grouped_rounded(row.rate)
        } else {
            "-".to_owned()
        },
        row.least_time_left
            .map_or_else(|| "-".to_owned(), |left| format!("{left:.3} s"))
    )
}

const fn it_is(count: u64) -> &'static str {
    if count == 1 { "it is" } else { "they are" }
}
