//! Text formats: PGN, EPD, move comments, UCI lines, time controls. Holds no results.

pub mod comment;
pub mod pgn;
pub mod thought;
pub mod time_control;

pub use comment::{MoveComment, MoveCommentError, MoveScore};
pub use thought::Thought;
pub use time_control::{TimeControl, TimeControlError};
