//! Ratings: one engine against opponents of known strength, and whole fields of engines at once.

mod encounter;
mod expectation;
mod gauntlet;
mod league;
mod record;

pub use encounter::{Encounter, Player};
pub use gauntlet::{Agreement, Bound, CONFIDENCE, Gauntlet, Rated, Rung};
pub use league::{
    Bootstrap, GroupTotals, Interval, InvalidLeague, League, Placed, Standing, Standings, White,
    WhiteAdvantage,
};
pub use record::Record;
