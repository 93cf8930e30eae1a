//! Text formats: PGN, EPD, move comments, UCI lines, time controls. Holds no results.

mod close;
pub mod comment;
pub mod epd;
pub mod pasted;
pub mod pgn;
pub mod thought;
pub mod time_control;
pub mod uci;

pub use close::closest;
pub use comment::{MoveComment, MoveCommentError, MoveScore};
pub use epd::{EpdError, EpdRecord, Operation};
pub use pasted::PastedResult;
pub use thought::Thought;
pub use time_control::{TimeControl, TimeControlError};
