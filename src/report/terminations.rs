//! How the games of a file ended: the block, and the same as a document.

use serde::Serialize;

use crate::games::Endings;
use crate::report::endings::EndingsTable;
use crate::report::json::{self, Tool};

/// How games ended and which engine each fault fell on.
#[derive(Clone, Debug)]
pub struct TerminationsReport {
    endings: EndingsTable,
    remark: Option<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    tool: Tool,
    #[serde(flatten)]
    endings: &'a EndingsTable,
    remark: &'a str,
}

impl TerminationsReport {
    /// The endings as they were counted.
    #[must_use]
    pub fn new(endings: &Endings) -> Self {
        Self {
            endings: EndingsTable::new(endings),
            remark: endings.remark(),
        }
    }

    /// One line for the games and one for each kind of ending; scripts read it, so it stays as it is.
    #[must_use]
    pub fn block(&self) -> String {
        self.endings.block()
    }

    /// The report as a JSON document of format 1.
    #[must_use]
    pub fn json(&self) -> String {
        json::text(&Document {
            format: json::FORMAT,
            tool: Tool::new("match_terminations"),
            endings: &self.endings,
            remark: self.remark.as_deref().unwrap_or_default(),
        })
    }

    /// What to say when games ended by a fault and not by play.
    #[must_use]
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }
}
