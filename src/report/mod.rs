//! One struct per report, rendered as text, Markdown and JSON. Renderers place text; figures come from `stats`.

mod endings;
pub mod escape;
mod json;
mod match_report;
pub(crate) mod number;
mod play_summary;
mod terminations;

pub use match_report::{MatchNames, MatchReport, RunningTest};
pub use play_summary::PlaySummary;
pub use terminations::TerminationsReport;
