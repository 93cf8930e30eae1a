//! Why shards cannot be used.

use std::io;
use std::path::PathBuf;

use crate::play::manifest;
use crate::play::run_folder::{FolderError, GAMES};

/// Why a shard cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// Nothing says what its games are.
    #[error("it has no {}", manifest::NAME)]
    NoManifest,
    /// Nothing was played.
    #[error("it has no {GAMES}")]
    NoGames,
    /// The manifest is torn, too long or no manifest.
    #[error("its {} cannot be read", manifest::NAME)]
    Unreadable,
    /// The manifest is that of another match.
    #[error("it is of another match: {}", .0.join("; "))]
    OtherMatch(Vec<String>),
    /// The folder's name and the manifest contradict each other.
    #[error(
        "its folder is that of shard {folder}, its {} that of shard {manifest}",
        manifest::NAME
    )]
    Misnamed {
        /// As the folder's name says.
        folder: u64,
        /// As the manifest says.
        manifest: u64,
    },
    /// Another folder has its place.
    #[error("it is shard {index} again, as {first} is")]
    Again {
        /// The place of both.
        index: u64,
        /// The other folder's name.
        first: String,
    },
    /// The games are torn, or not those of the manifest's match.
    #[error("its games cannot be used: {0}")]
    Games(#[from] FolderError),
    /// The games are fewer or more than the manifest says.
    #[error(
        "its {} says {said} games in {said_pairs} pairs, and there are {found} in {found_pairs}: \
         the file is cut short, or not its own",
        manifest::NAME
    )]
    Counts {
        /// Games of the manifest.
        said: u64,
        /// Pairs of the manifest.
        said_pairs: u64,
        /// Games found.
        found: u64,
        /// Pairs found.
        found_pairs: u64,
    },
}

/// Why there is nothing to judge.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardsError {
    /// The folder cannot be looked through.
    #[error("cannot read {}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No shard can be used.
    #[error("no shard of {shards} can be used{why}; rerun all of them")]
    Nothing {
        /// How many there were to be.
        shards: u64,
        /// What is wrong with those there are.
        why: String,
    },
}
