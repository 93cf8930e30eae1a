//! One struct per report, rendered as text, Markdown and JSON. Computes no number.

pub mod escape;
mod json;
mod number;
