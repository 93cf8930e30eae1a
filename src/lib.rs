//! Measure A CHess Engine: play game pairs, pool them, say how much stronger one engine is.
//!
//! Modules depend one way only, each on those to its left:
//! `stats` ← `notation` ← `openings` ← `games` ← `plan` ← `play` ← `report` ← `ci` ← `cli`.
//! A match flows through them the other way round: *plan* says who plays what, *play* writes games and
//! events, *games* reads games into a pool, *stats* turns the pool into numbers, *report* places them.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod ci;
pub mod cli;
pub mod games;
pub mod notation;
pub mod openings;
pub mod plan;
pub mod play;
pub mod report;
pub mod stats;
