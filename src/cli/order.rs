//! Where shards stand in their test: by the manifest beside the games, else by the names of folders.

use std::path::Path;

use crate::games::{Place, Pool, Shard};
use crate::play::manifest::{Manifest, ManifestError};

/// The place of each shard; `None` where neither says one.
pub(super) fn places(pool: &Pool) -> Result<Vec<Option<Place>>, ManifestError> {
    pool.shards.iter().map(place).collect()
}

fn place(shard: &Shard) -> Result<Option<Place>, ManifestError> {
    let by_name = shard.place_by_name();
    let folder = match shard.path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    };
    let standard_input = shard.path == Path::new("-");
    let manifest = if standard_input {
        None
    } else {
        Manifest::read(folder)?
    };
    Ok(match manifest {
        None => by_name,
        Some(manifest) => by_manifest(&manifest, by_name),
    })
}

fn by_manifest(manifest: &Manifest, by_name: Option<Place>) -> Option<Place> {
    let slice = &manifest.slice;
    let named = by_name.unwrap_or_default();
    // A match that was not divided is number 0 of 1; what its folder is called may still tell it from others.
    let number = |at: &Option<String>, of: &Option<String>, named: u64| match (at, of) {
        (Some(at), Some(of)) if of != "1" => at.parse().ok(),
        (_, _) => Some(named),
    };
    Some(Place {
        shard: number(&slice.shard, &slice.shards, named.shard)?,
        batch: number(&slice.batch, &slice.batches, named.batch)?,
        rounds: manifest.rounds.clone(),
    })
}
