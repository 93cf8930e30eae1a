//! How the games of a file ended: the block, and the same as a document.

use serde::Serialize;

use crate::games::Endings;
use crate::report::endings::EndingsTable;
use crate::report::json::{self, Tool};

/// How games ended and which engine each fault fell on.
#[derive(Clone, Debug)]
pub struct TerminationsReport {
    endings: EndingsTable,
    /// Said when games ended by a fault and not by play.
    fault_remark: String,
    remarks: Vec<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    tool: Tool,
    #[serde(flatten)]
    endings: &'a EndingsTable,
    remark: &'a str,
    remarks: &'a [String],
}

impl TerminationsReport {
    /// The endings as they were counted, and what a reader of them should know.
    #[must_use]
    pub fn new(endings: &Endings, remarks: Vec<String>) -> Self {
        Self {
            endings: EndingsTable::new(endings),
            fault_remark: endings.fault_remark().unwrap_or_default(),
            remarks,
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
            remark: &self.fault_remark,
            remarks: &self.remarks,
        })
    }
}
