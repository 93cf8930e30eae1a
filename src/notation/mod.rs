//! Text formats: PGN, EPD, move comments, UCI lines, time controls. Holds no results.

pub mod comment;
pub mod pgn;
pub mod time_control;

pub use comment::{MoveComment, MoveScore};
pub use time_control::{TimeControl, TimeControlError};
