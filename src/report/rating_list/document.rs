//! The list as a JSON document of format 1.

use serde::Serialize;

use super::table::half_width;
use super::{RatingList, Row, group_of};
use crate::report::json::{self, Tool};
use crate::stats::rating::{Placed, White};

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    tool: Tool,
    games: u64,
    pairs: u64,
    unpaired: u64,
    unfinished: u64,
    engines: Vec<Engine<'a>>,
    groups: Vec<Group>,
    white_advantage: WhiteDocument,
    draw_rate: f64,
    bootstrap: Option<BootstrapDocument>,
    superiority: Option<Superiority<'a>>,
    remarks: &'a [String],
}

#[derive(Serialize)]
struct Engine<'a> {
    name: &'a str,
    group: Option<usize>,
    rank: Option<usize>,
    rating: Option<f64>,
    margin: Option<f64>,
    pairs_margin: Option<f64>,
    pairs_low: Option<f64>,
    pairs_high: Option<f64>,
    anchor: bool,
    bounded: &'static str,
    bound: Option<f64>,
    games: u64,
    draws: u64,
    points: f64,
    score: f64,
}

#[derive(Serialize)]
struct Group {
    engines: usize,
    anchored: bool,
}

#[derive(Serialize)]
struct WhiteDocument {
    elo: f64,
    margin: Option<f64>,
    from: &'static str,
}

#[derive(Serialize)]
struct BootstrapDocument {
    replicates: u32,
    seed: u64,
}

#[derive(Serialize)]
struct Superiority<'a> {
    from: &'static str,
    engines: Vec<&'a str>,
    chances: Vec<Vec<Option<f64>>>,
}

impl RatingList {
    /// The list as a JSON document of format 1.
    #[must_use]
    pub fn json(&self) -> String {
        json::text(&self.document())
    }

    fn document(&self) -> Document<'_> {
        let groups = self.standings.groups().iter();
        let bootstrap = self.settings.bootstrap;
        Document {
            format: json::FORMAT,
            tool: Tool::new("rating_list"),
            games: self.games,
            pairs: self.pairs,
            unpaired: self.games - 2 * self.pairs,
            unfinished: self.unfinished,
            engines: self.rows.iter().map(Engine::new).collect(),
            groups: groups
                .map(|group| Group {
                    engines: group.engines,
                    anchored: group.anchored,
                })
                .collect(),
            white_advantage: self.white_document(),
            draw_rate: self.standings.draw_rate(),
            bootstrap: bootstrap.map(|bootstrap| BootstrapDocument {
                replicates: bootstrap.replicates,
                seed: bootstrap.seed,
            }),
            superiority: self.settings.superiority.then(|| self.superiority()),
            remarks: &self.remarks,
        }
    }

    fn white_document(&self) -> WhiteDocument {
        let (elo, from) = match self.standings.white() {
            White::Fitted(elo) => (elo, "games"),
            White::Fixed(elo) => (elo, "given"),
            White::Unknown => (0.0, "unknown"),
        };
        WhiteDocument {
            elo,
            margin: self
                .standings
                .white_margin()
                .filter(|_| !self.white_is_given()),
            from,
        }
    }

    fn superiority(&self) -> Superiority<'_> {
        let rated: Vec<&Row> = self.rows.iter().filter(|row| row.rank.is_some()).collect();
        let chance = |one: &Row, other: &Row| {
            let chance = self.standings.superiority(one.place, other.place);
            chance.filter(|_| one.place != other.place)
        };
        Superiority {
            from: if self.standings.is_bootstrapped() {
                "bootstrap"
            } else {
                "likelihood"
            },
            engines: rated.iter().map(|row| row.name.as_str()).collect(),
            chances: rated
                .iter()
                .map(|one| rated.iter().map(|other| chance(one, other)).collect())
                .collect(),
        }
    }
}

impl<'a> Engine<'a> {
    fn new(row: &'a Row) -> Self {
        let standing = &row.standing;
        let bare = Self {
            name: &row.name,
            group: group_of(&standing.placed).map(|group| group + 1),
            rank: row.rank,
            rating: None,
            margin: None,
            pairs_margin: None,
            pairs_low: None,
            pairs_high: None,
            anchor: false,
            bounded: "",
            bound: None,
            games: standing.games,
            draws: standing.draws,
            points: standing.points,
            score: standing.points / standing.games as f64,
        };
        match &standing.placed {
            Placed::Rated {
                rating,
                margin,
                bootstrap,
                anchor,
                ..
            } => Self {
                rating: Some(*rating),
                margin: Some(*margin),
                pairs_margin: bootstrap.map(half_width),
                pairs_low: bootstrap.map(|of| of.low),
                pairs_high: bootstrap.map(|of| of.high),
                anchor: *anchor,
                ..bare
            },
            Placed::Above { rating, .. } => Self {
                bounded: "above",
                bound: Some(*rating),
                ..bare
            },
            Placed::Below { rating, .. } => Self {
                bounded: "below",
                bound: Some(*rating),
                ..bare
            },
            Placed::Unrated => Self {
                bounded: "unrated",
                ..bare
            },
        }
    }
}
