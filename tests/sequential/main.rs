//! Sequential tests against figures that others worked out, and their error rates by simulation.

mod estimate;
mod overshoot;
mod planning;
mod simulation;
