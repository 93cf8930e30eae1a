//! Ratings: one engine against opponents of known strength, and whole fields of engines at once.

mod encounter;

pub use encounter::{Encounter, Player};
