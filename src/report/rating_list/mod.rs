//! A rating list of all engines that played.

mod document;
mod table;

use crate::games::Crosstable;
use crate::report::number::counted;
use crate::stats::rating::{
    Bootstrap, InvalidLeague, League, Placed, Standing, Standings, WhiteAdvantage,
};

/// What to rate by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListSettings {
    /// Engines of known rating.
    pub anchors: Vec<(String, f64)>,
    /// What is known of White's advantage.
    pub white: WhiteAdvantage,
    /// How margins over pairs are found; `None` for none.
    pub bootstrap: Option<Bootstrap>,
    /// Whether to give the chance of every engine to be stronger than every other.
    pub superiority: bool,
}

/// Why there is no list.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoList {
    /// No game was finished.
    #[error("no finished game between two engines")]
    NoGames,
    /// An engine of known rating did not play.
    #[error("the anchor `{0}` played no finished game here")]
    Anchor(String),
    /// What is known beforehand is not usable.
    #[error(transparent)]
    Invalid(#[from] InvalidLeague),
}

/// A rating list, ready to be placed.
pub struct RatingList {
    settings: ListSettings,
    rows: Vec<Row>,
    standings: Standings,
    games: u64,
    pairs: u64,
    unfinished: u64,
    remarks: Vec<String>,
}

/// One engine, where it stands in the list.
struct Row {
    /// Its place in the league.
    place: usize,
    name: String,
    /// From one, within its group; `None` without a rating.
    rank: Option<usize>,
    standing: Standing,
}

impl RatingList {
    /// Rates everyone.
    ///
    /// # Errors
    /// When there is no finished game, an anchor did not play, or something known beforehand is not usable.
    pub fn new(table: &Crosstable, settings: ListSettings) -> Result<Self, NoList> {
        if table.encounters().is_empty() {
            return Err(NoList::NoGames);
        }
        let mut anchors = vec![None; table.names().len()];
        for (name, rating) in &settings.anchors {
            let player = table
                .player(name)
                .ok_or_else(|| NoList::Anchor(name.clone()))?;
            anchors[player.place()] = Some(*rating);
        }
        let encounters = table.encounters().to_vec();
        let pairs = encounters
            .iter()
            .filter(|met| met.returned.is_some())
            .count() as u64;
        let games = encounters.len() as u64 + pairs;
        let league = League::new(anchors, encounters, settings.white)?;
        let standings = league.rate(settings.bootstrap);
        if let Some((name, _)) = settings.anchors.iter().find(|(name, _)| {
            let place = table.player(name).map(|player| player.place());
            place.is_none_or(|place| standings.engines()[place].games == 0)
        }) {
            return Err(NoList::Anchor(name.clone()));
        }
        let mut list = Self {
            rows: rows(table, &standings),
            remarks: table.remarks.clone(),
            unfinished: table.unfinished(),
            settings,
            standings,
            games,
            pairs,
        };
        list.remark(table);
        Ok(list)
    }

    /// What a person should know, one line each.
    #[must_use]
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    fn remark(&mut self, table: &Crosstable) {
        let has = |count: u64| if count == 1 { "has" } else { "have" };
        if self.unfinished > 0 {
            let games = counted(self.unfinished, "game");
            let has = has(self.unfinished);
            self.remarks.push(format!(
                "{games} without a result {has} no part in the list"
            ));
        }
        if table.against_themselves() > 0 {
            let games = counted(table.against_themselves(), "game");
            let has = has(table.against_themselves());
            self.remarks.push(format!(
                "{games} of engines against themselves {has} no part in the list"
            ));
        }
        self.remark_groups();
        let unrated = self
            .rows
            .iter()
            .filter(|row| row.standing.placed == Placed::Unrated);
        let names: Vec<String> = unrated
            .filter(|row| row.standing.games > 0)
            .map(|row| row.name.clone())
            .collect();
        if !names.is_empty() {
            self.remarks
                .push(format!("met no rated engine: {}", names.join(", ")));
        }
    }

    /// Groups that cannot be compared: those that never met, and those between which every point went one way.
    fn remark_groups(&mut self) {
        let groups = self.standings.groups().len();
        if groups < 2 {
            return;
        }
        let pool = |group: usize| {
            let mut rows = self.rows.iter();
            rows.find(|row| group_of(&row.standing.placed) == Some(group))
                .map(|row| row.standing.pool)
        };
        let first = pool(0);
        let apart = (1..groups).filter(|group| pool(*group) != first).count();
        let one_way = groups - 1 - apart;
        if apart > 0 {
            self.remarks.push(format!(
                "{groups} groups of engines are rated each on its own, since no chain of games connects them all"
            ));
        }
        if one_way > 0 {
            self.remarks.push(format!(
                "{groups} groups of engines are rated each on its own, since every point between some of them went one way"
            ));
        }
    }

    /// Groups with their rows, those without a group last.
    fn by_group(&self) -> impl Iterator<Item = (Option<usize>, Vec<&Row>)> {
        let groups = (0..self.standings.groups().len()).map(Some).chain([None]);
        groups.filter_map(|group| {
            let rows = self.rows.iter();
            let rows: Vec<&Row> = rows
                .filter(|row| group_of(&row.standing.placed) == group)
                .collect();
            (!rows.is_empty()).then_some((group, rows))
        })
    }
}

/// The group an engine is rated in or has a bound against.
fn group_of(placed: &Placed) -> Option<usize> {
    match placed {
        Placed::Rated { group, .. } | Placed::Above { group, .. } | Placed::Below { group, .. } => {
            Some(*group)
        }
        Placed::Unrated => None,
    }
}

/// Group by group; in each first those above it, then those with a rating, the best first, then those below.
fn rows(table: &Crosstable, standings: &Standings) -> Vec<Row> {
    let engines = standings.engines().iter().zip(table.names()).enumerate();
    let mut rows: Vec<Row> = engines
        .filter(|(_, (standing, _))| standing.games > 0)
        .map(|(place, (standing, name))| Row {
            place,
            name: name.clone(),
            rank: None,
            standing: standing.clone(),
        })
        .collect();
    let order = |row: &Row| {
        let (part, rating) = match row.standing.placed {
            Placed::Above { rating, .. } => (0, rating),
            Placed::Rated { rating, .. } => (1, rating),
            Placed::Below { rating, .. } => (2, rating),
            Placed::Unrated => (3, 0.0),
        };
        (
            group_of(&row.standing.placed).unwrap_or(usize::MAX),
            part,
            rating,
        )
    };
    rows.sort_by(|one, other| {
        let ((group, part, rating), (to, of, than)) = (order(one), order(other));
        (group, part)
            .cmp(&(to, of))
            .then(than.total_cmp(&rating))
            .then_with(|| one.name.cmp(&other.name))
    });
    let (mut last, mut rank) = (None, 0);
    for row in &mut rows {
        if let Placed::Rated { group, .. } = row.standing.placed {
            rank = if last == Some(group) { rank + 1 } else { 1 };
            last = Some(group);
            row.rank = Some(rank);
        }
    }
    rows
}
