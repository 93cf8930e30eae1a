//! One struct per report, rendered as text, Markdown and JSON. Renderers place text; figures come from `stats`.

mod endings;
pub mod escape;
mod json;
mod match_report;
pub(crate) mod number;
mod plan;
mod play_summary;
mod simulation;
mod terminations;
mod words;

pub use match_report::{Judging, MatchNames, MatchReport, RunningTest};
pub use plan::{Budget, PlanPoint, PlanReport};
pub use play_summary::PlaySummary;
pub use simulation::{SimulationReport, SimulationRow};
pub use terminations::TerminationsReport;
