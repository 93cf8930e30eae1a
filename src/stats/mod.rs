//! Pure numbers: pair counts, estimates and tests. Nothing here knows chess, opens a file or reads a clock.

mod brownian;
mod chances;
mod estimate;
mod fastchess;
mod logistic;
mod nearest;
mod normal;
mod normalized;
mod pentanomial;
mod planning;
pub mod rating;
mod root;
mod running;
mod sampler;
mod shares;
mod simulate;
mod sprt;
mod steps;
mod trinomial;
mod unbiased;
mod walk;

pub use chances::{Conditions, Difference, NoChances, PairChances};
pub use estimate::{Bounded, Estimate};
pub use fastchess::FastchessFigures;
pub use pentanomial::{GameScore, Pentanomial};
pub use planning::{FixedMatch, Forecast, Strength, settles, tightest};
pub use running::RunningRatio;
pub use sampler::Sampler;
pub use simulate::{Course, Design, Lengths, Rate, Rule, Simulated, Trial};
pub use sprt::{ErrorRate, Hypothesis, InvalidSprt, Model, Sprt, Unfittable, Verdict};
pub use trinomial::{GameFigures, Trinomial};
pub use unbiased::UnbiasedEstimate;
pub use walk::{Correction, Crossing, LOOK, Overshoot, Walk, walk_batch};
