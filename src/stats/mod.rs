//! Pure numbers: pair counts, estimates and tests. Nothing here knows chess, opens a file or reads a clock.

mod estimate;
mod fastchess;
mod logistic;
mod nearest;
mod normalized;
mod pentanomial;
pub mod rating;
mod root;
mod shares;
mod sprt;
mod trinomial;

pub use estimate::{Bounded, Estimate};
pub use fastchess::FastchessFigures;
pub use pentanomial::{GameScore, Pentanomial};
pub use sprt::{ErrorRate, Hypothesis, InvalidSprt, Model, Sprt, Unfittable, Verdict};
pub use trinomial::{GameFigures, Trinomial};
