//! One struct per report, rendered as text, Markdown and JSON. Renderers place text; figures come from `stats`.

pub mod check;
mod elo_report;
mod endings;
pub mod escape;
mod expected;
mod json;
mod match_report;
pub(crate) mod number;
mod plan;
mod play_summary;
mod rating_list;
mod rating_report;
mod result;
mod simulation;
mod terminations;
mod verification;
mod words;

pub use elo_report::{EloReport, InvalidCounts};
pub use expected::Expected;
pub use match_report::{Judging, MatchNames, MatchReport, RunningTest};
pub use plan::{Budget, PlanPoint, PlanReport};
pub use play_summary::PlaySummary;
pub use rating_list::{ListSettings, NoList, RatingList};
pub(crate) use rating_report::gauntlet_remarks;
pub use rating_report::{LadderEntry, NoGauntlet, RatingReport};
pub use result::{MatchResult, NoResult};
pub use simulation::{Beside, SimulationReport, SimulationRow};
pub use terminations::TerminationsReport;
pub use verification::{NamedReport, Verification};
