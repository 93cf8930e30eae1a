//! How games ended, as the block scripts read.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::games::Endings;
use crate::report::escape::one_line;

/// How many games ended in which way, and on whom the faults fell. Kinds in the order they are printed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct EndingsTable {
    pub(super) games: u64,
    #[serde(rename = "endings", serialize_with = "by_kind")]
    pub(super) rows: Vec<EndingRow>,
}

/// One way to end a game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct EndingRow {
    #[serde(skip)]
    pub(super) kind: String,
    pub(super) count: u64,
    /// By engine, in code point order.
    pub(super) blamed: BTreeMap<String, u64>,
}

impl EndingsTable {
    pub(super) fn new(endings: &Endings) -> Self {
        let rows = endings.iter().map(|(kind, ending)| EndingRow {
            kind: kind.as_str().to_owned(),
            count: ending.count,
            blamed: ending.blamed.clone(),
        });
        Self {
            games: endings.games(),
            rows: rows.collect(),
        }
    }

    /// One line for the games and one for each kind: `time forfeit: 2 (new 1, old 1)`.
    pub(super) fn block(&self) -> String {
        let mut block = format!("games: {}\n", self.games);
        for row in &self.rows {
            let mut line = format!("{}: {}", row.kind, row.count);
            if !row.blamed.is_empty() {
                write!(line, " ({})", names_and_counts(&row.blamed))
                    .expect("a string takes all text");
            }
            block.push_str(&one_line(&line));
            block.push('\n');
        }
        block
    }
}

fn names_and_counts(blamed: &BTreeMap<String, u64>) -> String {
    let parts: Vec<String> = blamed
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    parts.join(", ")
}

fn by_kind<S: Serializer>(rows: &[EndingRow], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(rows.len()))?;
    for row in rows {
        map.serialize_entry(&row.kind, row)?;
    }
    map.end()
}
