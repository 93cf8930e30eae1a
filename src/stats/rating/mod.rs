//! Ratings: one engine against opponents of known strength, and whole fields of engines at once.

mod encounter;
mod expectation;
mod gauntlet;
mod record;

pub use encounter::{Encounter, Player};
pub use gauntlet::{Agreement, Bound, CONFIDENCE, Gauntlet, Rated, Rung};
pub use record::Record;
