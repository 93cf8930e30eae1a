//! The list as a page to read, and as comma-separated values.

use std::fmt::{self, Write};

use super::{RatingList, Row};
use crate::report::escape::{cell, inline, one_line};
use crate::report::number::{counted, percent, rounded};
use crate::stats::rating::{Interval, Placed, White, WhiteAdvantage};

impl RatingList {
    /// The list as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = String::new();
        self.write_page(&mut page).expect("a string takes all text");
        page
    }

    /// The list as comma-separated values, one engine a line.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text =
            "group,rank,engine,rating,margin,pairs_low,pairs_high,bound,games,points,draws\n"
                .to_owned();
        for row in &self.rows {
            let standing = &row.standing;
            let (group, rating, margin, pairs, bound) = match &standing.placed {
                Placed::Rated {
                    group,
                    rating,
                    margin,
                    bootstrap,
                    ..
                } => (Some(*group), Some(*rating), Some(*margin), *bootstrap, ""),
                Placed::Above { group, rating } => {
                    (Some(*group), Some(*rating), None, None, "above")
                }
                Placed::Below { group, rating } => {
                    (Some(*group), Some(*rating), None, None, "below")
                }
                Placed::Unrated => (None, None, None, None, "unrated"),
            };
            let number =
                |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
            let whole =
                |value: Option<usize>| value.map_or_else(String::new, |value| value.to_string());
            let line = [
                whole(group.map(|group| group + 1)),
                whole(row.rank),
                quoted(&row.name),
                number(rating),
                number(margin),
                number(pairs.map(|pairs| pairs.low)),
                number(pairs.map(|pairs| pairs.high)),
                bound.to_owned(),
                standing.games.to_string(),
                format!("{:.1}", standing.points),
                standing.draws.to_string(),
            ];
            text += &(line.join(",") + "\n");
        }
        text
    }

    fn write_page(&self, page: &mut String) -> fmt::Result {
        let engines = counted(self.rows.len() as u64, "engine");
        let (games, pairs) = (counted(self.games, "game"), counted(self.pairs, "pair"));
        writeln!(
            page,
            "{engines}, {games}, of which {} in {pairs}.\n",
            2 * self.pairs
        )?;
        let groups = self.standings.groups().len();
        for (group, rows) in self.by_group() {
            match group {
                Some(group) if groups > 1 => writeln!(page, "**Group {}**\n", group + 1)?,
                None => writeln!(page, "**Without a rating**\n")?,
                Some(_) => {}
            }
            self.write_table(page, &rows)?;
        }
        writeln!(page, "{}\n", self.meaning())?;
        if self.settings.superiority {
            self.write_superiority(page)?;
        }
        for remark in &self.remarks {
            writeln!(page, "- {}", inline(remark))?;
        }
        if !self.remarks.is_empty() {
            writeln!(page)?;
        }
        writeln!(page, "Read by mache {}.", env!("CARGO_PKG_VERSION"))
    }

    fn write_table(&self, page: &mut String, rows: &[&Row]) -> fmt::Result {
        writeln!(
            page,
            "| # | engine | rating | ± games | ± pairs | games | score | draws | above next |"
        )?;
        writeln!(
            page,
            "| --: | :-- | --: | --: | --: | --: | --: | --: | --: |"
        )?;
        for (at, row) in rows.iter().enumerate() {
            let next = rows
                .get(at + 1)
                .and_then(|next| self.standings.superiority(row.place, next.place));
            self.write_row(page, row, next)?;
        }
        writeln!(page)
    }

    fn write_row(&self, page: &mut String, row: &Row, next: Option<f64>) -> fmt::Result {
        let standing = &row.standing;
        let dash = || "-".to_owned();
        let (rating, games, pairs) = match &standing.placed {
            Placed::Rated {
                rating,
                anchor: true,
                ..
            } => (rounded(*rating), "anchor".to_owned(), "anchor".to_owned()),
            Placed::Rated {
                rating,
                margin,
                bootstrap,
                anchor: false,
                ..
            } => (
                rounded(*rating),
                rounded(*margin),
                bootstrap.map_or_else(dash, |of| rounded(half_width(of))),
            ),
            Placed::Above { rating, .. } => (format!("above {}", rounded(*rating)), dash(), dash()),
            Placed::Below { rating, .. } => (format!("below {}", rounded(*rating)), dash(), dash()),
            Placed::Unrated => (dash(), dash(), dash()),
        };
        let played = standing.games as f64;
        writeln!(
            page,
            "| {} | {} | {rating} | {games} | {pairs} | {} | {} | {} | {} |",
            row.rank.map_or_else(String::new, |rank| rank.to_string()),
            cell(&row.name),
            standing.games,
            percent(standing.points / played),
            percent(standing.draws as f64 / played),
            next.map_or_else(dash, percent),
        )
    }

    /// What the columns say, and the two parameters that all engines share.
    fn meaning(&self) -> String {
        let anchors = &self.settings.anchors;
        let mut text = match anchors.len() {
            0 => "Ratings are about a mean of 0.".to_owned(),
            1 => format!("Ratings are on the scale of {}.", inline(&anchors[0].0)),
            count => format!("Ratings are on the scale of {count} anchors, which keep theirs."),
        };
        text += " ± games: 95% margin from the likelihood and the draw rate, were no two games to do with each other.";
        if let Some(bootstrap) = self.settings.bootstrap {
            text += &format!(
                " ± pairs: half of the 95% interval over pairs, from {} bootstrap fits (seed {}); \
                 too narrow for an engine with fewer than some twenty pairs.",
                bootstrap.replicates, bootstrap.seed
            );
        }
        text += " Bounds are one-sided, with 95% confidence.\n\n";
        text += &match self.standings.white() {
            White::Fitted(elo) => match self.standings.white_margin() {
                Some(margin) => format!("White advantage: {elo:.1} ± {margin:.1} Elo."),
                None => format!("White advantage: {elo:.1} Elo."),
            },
            White::Fixed(elo) => format!("White advantage: {elo:.1} Elo, as given."),
            White::Unknown => {
                "White advantage: taken for 0, since nothing tells it from the engines' strengths."
                    .to_owned()
            }
        };
        let draws = percent(self.standings.draw_rate());
        text + &format!(" Draw rate between equals: {draws}.")
    }

    fn write_superiority(&self, page: &mut String) -> fmt::Result {
        let rated: Vec<&Row> = self.rows.iter().filter(|row| row.rank.is_some()).collect();
        let from = if self.standings.is_bootstrapped() {
            "the spread over pairs"
        } else {
            "the likelihood"
        };
        writeln!(
            page,
            "Chance in % that the engine of the row is stronger than that of the column, from {from}:\n"
        )?;
        let heads: Vec<String> = (1..=rated.len()).map(|at| at.to_string()).collect();
        writeln!(page, "| | engine | {} |", heads.join(" | "))?;
        writeln!(page, "| --: | :-- |{}", " --: |".repeat(rated.len()))?;
        for (at, row) in rated.iter().enumerate() {
            write!(page, "| {} | {} |", at + 1, cell(&row.name))?;
            for other in &rated {
                let chance = self.standings.superiority(row.place, other.place);
                match chance.filter(|_| row.place != other.place) {
                    Some(chance) => write!(page, " {:.1} |", 100.0 * chance)?,
                    None => write!(page, " |")?,
                }
            }
            writeln!(page)?;
        }
        writeln!(page)
    }

    /// What was known of White's advantage beforehand.
    pub(super) fn white_is_given(&self) -> bool {
        matches!(self.settings.white, WhiteAdvantage::Fixed(_))
    }
}

pub(super) fn half_width(interval: Interval) -> f64 {
    (interval.high - interval.low) / 2.0
}

/// A name as one field, whatever is in it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", one_line(name).replace('"', "\"\""))
}
