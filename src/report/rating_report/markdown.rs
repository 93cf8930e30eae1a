//! The rating as a page to read: Markdown that also reads well in a terminal.

use std::fmt::{self, Write};

use super::{RatingReport, Row, p_value};
use crate::report::escape::{cell, inline};
use crate::report::number::{counted, percent, rounded};
use crate::stats::rating::{Agreement, Gauntlet, Rated};

impl RatingReport {
    /// The report as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = String::new();
        self.write_page(&mut page).expect("a string takes all text");
        page
    }

    fn write_page(&self, page: &mut String) -> fmt::Result {
        let (scale, games) = (inline(&self.scale), counted(self.games, "game"));
        writeln!(page, "{} on the {scale} scale ({games})\n", self.figure())?;
        writeln!(page, "{}\n", self.meaning())?;
        writeln!(
            page,
            "| opponent | {} | w-d-l | score | implies | residual |",
            cell(&self.scale)
        )?;
        writeln!(page, "| :-- | --: | --: | --: | --: | --: |")?;
        for row in &self.rows {
            write_row(page, row)?;
        }
        writeln!(page)?;
        if let Some(agreement) = self.agreement_sentences() {
            writeln!(page, "{agreement}\n")?;
        }
        for remark in &self.remarks {
            writeln!(page, "- {}", inline(remark))?;
        }
        if !self.remarks.is_empty() {
            writeln!(page)?;
        }
        writeln!(page, "Read by mache {}.", env!("CARGO_PKG_VERSION"))
    }

    fn meaning(&self) -> String {
        match &self.fit {
            Gauntlet::Rated(rated) => self.intervals(rated),
            Gauntlet::Above(bound) => format!(
                "Every point was won, so the rating has no upper end. At least {} with 95% confidence: below that so \
                 one-sided a gauntlet has a chance of less than 5 in 100.",
                rounded(bound.rating)
            ),
            Gauntlet::Below(bound) => format!(
                "Every point was lost, so the rating has no lower end. At most {} with 95% confidence: above that so \
                 one-sided a gauntlet has a chance of less than 5 in 100.",
                rounded(bound.rating)
            ),
        }
    }

    fn intervals(&self, rated: &Rated) -> String {
        let mut text = match rated.pair_margin {
            Some(margin) => {
                let (pairs, unpaired) = (counted(self.pairs, "pair"), self.games - 2 * self.pairs);
                let alone = match unpaired {
                    0 => String::new(),
                    games => format!(" and {} in no pair", counted(games, "game")),
                };
                format!(
                    "The margin above takes the games for independent. Over {pairs}{alone} it is ±{}.",
                    rounded(margin)
                )
            }
            None => {
                "The margin takes the games for independent: no two of them are a pair.".to_owned()
            }
        };
        if rated.modelled {
            text += " No two games against an opponent came out differently, so the spread is the model's.";
        }
        let (low, high) = (rounded(rated.low), rounded(rated.high));
        text += &format!(" 95% interval by profile likelihood: {low} to {high}.");
        text += " The ratings of the opponents are taken as exact.";
        text
    }

    fn agreement_sentences(&self) -> Option<String> {
        let agreement = match &self.fit {
            Gauntlet::Rated(rated) => rated.agreement?,
            Gauntlet::Above(_) | Gauntlet::Below(_) => return None,
        };
        let Agreement {
            chi_square,
            degrees,
            p_value: p,
        } = agreement;
        let verdict = if agreement.disagrees() {
            "The opponents **disagree** by more than chance: one rating does not describe these results, and the margins \
             leave that out."
        } else {
            "The opponents agree as well as chance lets them."
        };
        Some(format!(
            "{verdict} χ² = {chi_square:.2} with {}, p = {}. Residuals are in standard errors.",
            match degrees {
                1 => "1 degree of freedom".to_owned(),
                degrees => format!("{degrees} degrees of freedom"),
            },
            p_value(p)
        ))
    }
}

fn write_row(page: &mut String, row: &Row) -> fmt::Result {
    let (rung, record) = (&row.rung, row.rung.record());
    writeln!(
        page,
        "| {} | {} | {}-{}-{} | {} | {} | {} |",
        cell(&row.opponent),
        rounded(rung.rating()),
        record.wins(),
        record.draws(),
        record.losses(),
        percent(rung.score()),
        rounded(rung.implied()),
        row.residual
            .map_or_else(|| "-".to_owned(), |residual| format!("{residual:+.2}"))
    )
}
