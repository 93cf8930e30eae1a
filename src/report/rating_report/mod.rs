//! An engine's rating on a published list's scale, from a gauntlet against engines of the list.

mod document;
mod markdown;

use crate::games::Crosstable;
use crate::report::escape::one_line;
use crate::report::number::rounded;
use crate::stats::rating::{Gauntlet, Player, Record, Rung};

/// An engine of known rating.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderEntry {
    /// Its name in the games.
    pub name: String,
    /// Its rating in Elo, which is finite.
    pub rating: f64,
}

/// The games hold none of the engine against anyone of the ladder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no finished game of `{engine}` against any of {ladder}; {met}")]
pub struct NoGauntlet {
    engine: String,
    ladder: String,
    met: String,
}

/// Everything a gauntlet says of an engine's rating, ready to be placed.
#[derive(Clone, Debug)]
pub struct RatingReport {
    engine: String,
    scale: String,
    ladder: Vec<LadderEntry>,
    rows: Vec<Row>,
    fit: Gauntlet,
    games: u64,
    pairs: u64,
    remarks: Vec<String>,
}

/// One opponent that played.
#[derive(Clone, Debug)]
struct Row {
    opponent: String,
    rung: Rung,
    residual: Option<f64>,
}

impl RatingReport {
    /// Works out the rating of `engine` from its games against the engines of the ladder.
    ///
    /// # Errors
    /// When there is no finished game of the kind.
    pub fn new(
        table: &Crosstable,
        engine: &str,
        ladder: Vec<LadderEntry>,
        scale: &str,
    ) -> Result<Self, NoGauntlet> {
        let mut rows = rows(table, engine, &ladder);
        let rungs: Vec<Rung> = rows.iter().map(|row| row.rung).collect();
        let fit = Gauntlet::fit(&rungs).ok_or_else(|| no_gauntlet(table, engine, &ladder))?;
        if let Gauntlet::Rated(rated) = &fit {
            for (row, residual) in rows.iter_mut().zip(&rated.residuals) {
                row.residual = *residual;
            }
        }
        let record = |row: &Row| *row.rung.record();
        let report = Self {
            engine: engine.to_owned(),
            scale: scale.to_owned(),
            games: rows.iter().map(record).map(|record| record.games()).sum(),
            pairs: rows.iter().map(record).map(|record| record.pairs()).sum(),
            remarks: gauntlet_remarks(table, engine, &ladder),
            rows,
            fit,
            ladder,
        };
        Ok(report)
    }

    /// One line with the figure: `1861 ±97 (95%) on the ccrl blitz scale (40 games)`. Scripts read it.
    #[must_use]
    pub fn line(&self) -> String {
        let (scale, games) = (&self.scale, self.games);
        let line = format!("{} on the {scale} scale ({games} games)", self.figure());
        one_line(&line).into_owned()
    }

    /// Said when the opponents disagree; empty otherwise.
    #[must_use]
    pub fn note(&self) -> String {
        let agreement = match &self.fit {
            Gauntlet::Rated(rated) => rated.agreement,
            Gauntlet::Above(_) | Gauntlet::Below(_) => None,
        };
        match agreement.filter(|agreement| agreement.disagrees()) {
            Some(agreement) => format!(
                "no one rating fits these results: the opponents differ by more than chance (p = {}), and the margin \
                 leaves that out",
                p_value(agreement.p_value)
            ),
            None => String::new(),
        }
    }

    /// What a person should know of the files and the ladder, one line each.
    #[must_use]
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// `1861 ±97 (95%)`, `above 1700` or `below 1500`.
    fn figure(&self) -> String {
        match &self.fit {
            Gauntlet::Rated(rated) => {
                format!("{} ±{} (95%)", rounded(rated.rating), rounded(rated.margin))
            }
            Gauntlet::Above(_) | Gauntlet::Below(_) => self.bounded(),
        }
    }

    /// `above 1700`, `below 1500`, or nothing when the rating is known on both sides.
    fn bounded(&self) -> String {
        match &self.fit {
            Gauntlet::Rated(_) => String::new(),
            Gauntlet::Above(bound) => format!("above {}", rounded(bound.opponent)),
            Gauntlet::Below(bound) => format!("below {}", rounded(bound.opponent)),
        }
    }
}

/// Three decimals, and what is less than the last.
fn p_value(value: f64) -> String {
    if value < 0.0005 {
        "below 0.001".to_owned()
    } else {
        format!("{value:.3}")
    }
}

fn rows(table: &Crosstable, engine: &str, ladder: &[LadderEntry]) -> Vec<Row> {
    let Some(engine) = table.player(engine) else {
        return Vec::new();
    };
    let row = |entry: &LadderEntry| {
        let opponent = table.player(&entry.name)?;
        Some(Row {
            opponent: entry.name.clone(),
            rung: Rung::new(entry.rating, against(table, engine, opponent))?,
            residual: None,
        })
    };
    ladder.iter().filter_map(row).collect()
}

fn against(table: &Crosstable, engine: Player, opponent: Player) -> Record {
    let mut record = Record::default();
    for met in table.encounters() {
        if (met.white, met.black) == (engine, opponent) {
            record.add(met, true);
        } else if (met.black, met.white) == (engine, opponent) {
            record.add(met, false);
        }
    }
    record
}

/// Remarks of a gauntlet, its own before those on the files.
pub(crate) fn gauntlet_remarks(
    table: &Crosstable,
    engine: &str,
    ladder: &[LadderEntry],
) -> Vec<String> {
    let player = table.player(engine);
    let against_entry = |entry: &LadderEntry| {
        let (engine, opponent) = (player?, table.player(&entry.name)?);
        let unfinished = table.unfinished_between(engine, opponent);
        Some((against(table, engine, opponent).games(), unfinished))
    };
    let met: Vec<(u64, u64)> = ladder
        .iter()
        .map(|entry| against_entry(entry).unwrap_or_default())
        .collect();
    let mut remarks = Vec::new();
    match met.iter().map(|(_, unfinished)| unfinished).sum() {
        0 => {}
        1 => remarks.push("1 game has no result and is left out".to_owned()),
        games => remarks.push(format!("{games} games have no result and are left out")),
    }
    for (entry, (games, _)) in ladder.iter().zip(&met) {
        if *games == 0 {
            let name = &entry.name;
            remarks.push(format!("{name} is on the ladder and finished no game here"));
        }
    }
    remarks.extend_from_slice(&table.remarks);
    remarks
}

fn no_gauntlet(table: &Crosstable, engine: &str, ladder: &[LadderEntry]) -> NoGauntlet {
    let names: Vec<&str> = ladder.iter().map(|entry| entry.name.as_str()).collect();
    let met = match table.names() {
        [] => "there is no game of anyone".to_owned(),
        names => format!("the games name {}", names.join(", ")),
    };
    NoGauntlet {
        engine: engine.to_owned(),
        ladder: names.join(", "),
        met,
    }
}
