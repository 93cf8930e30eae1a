//! Pure numbers: pair counts, estimates and tests. Nothing here knows chess, opens a file or reads a clock.

mod brownian;
mod estimate;
mod fastchess;
mod logistic;
mod nearest;
mod normal;
mod normalized;
mod pentanomial;
mod root;
mod running;
mod shares;
mod sprt;
mod unbiased;
mod walk;

pub use estimate::{Bounded, Estimate};
pub use fastchess::FastchessFigures;
pub use pentanomial::{GameScore, Pentanomial};
pub use running::RunningRatio;
pub use sprt::{ErrorRate, Hypothesis, InvalidSprt, Model, Sprt, Unfittable, Verdict};
pub use unbiased::UnbiasedEstimate;
pub use walk::{Correction, Crossing, LOOK, Overshoot, Walk, walk_batch};
