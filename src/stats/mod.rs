//! Pure numbers: pair counts, estimates and tests. Nothing here knows chess, opens a file or reads a clock.

mod pentanomial;

pub use pentanomial::{GameScore, Pentanomial};
