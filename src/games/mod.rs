//! What was played: games, pairs, how they ended, clocks, shards and the pool of all.
//!
//! Games are not kept. A text is cut into pieces, each piece is folded into a tally on its own, and
//! tallies are added up in the order of the text, so the answer does not depend on the number of threads.

mod crosstable;
mod digest;
mod ending;
mod error;
mod game;
mod instrument;
mod merge;
mod names;
mod opening;
mod order;
mod pairing;
mod pool;
mod remarks;
mod roll;
mod shard;
mod source;
mod tally;

pub use crosstable::Crosstable;
pub use ending::{Ending, EndingKind, Endings};
pub use error::ReadError;
pub use game::{GameResult, PlayedGame, finished_games};
pub use instrument::Instrument;
pub use order::{OrderError, Place};
pub use pool::Pool;
pub use roll::{RollEntry, roll};
pub use shard::{Shard, index_of as shard_index};
pub use source::{Source, gather, read_whole};
