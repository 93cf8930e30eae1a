//! One struct per report, rendered as text, Markdown and JSON. Renderers place text; figures come from `stats`.

pub mod escape;
mod json;
mod number;
mod play_summary;

pub use play_summary::PlaySummary;
