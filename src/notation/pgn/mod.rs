//! PGN as it is found: cut into records first, then read one record at a time.
//!
//! A match that was stopped ends in the middle of a comment, names hold unescaped quotes, lines end in LF, CRLF or CR:
//! none of that may cost a game. So records are told apart by their headers before anything in them is understood.
//!
//! A line of a movetext that begins with a tag starts the next record. Inside a comment only a *full header* does
//! (an `Event` tag and two more tag lines right behind it): then the comment was never closed, as when a run was killed
//! and a later one wrote on in the same file. A full header at the start of a line is a boundary whatever stands before it, so
//! text may be cut there without reading what comes first.

mod cut;
mod mainline;
mod record;
mod tag;

pub use cut::{last_cut, pieces};
pub use mainline::{BookGame, BookGameError, BookGames};
pub use record::{Record, Visitor, scan};
pub use tag::{Tags, decoded, unescaped};
