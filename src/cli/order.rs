//! What the manifests beside the games say of shards: where they stand in their test (else the names of folders say it),
//! and the processor they were played on.

use std::path::Path;

use crate::games::{Place, Pool, Shard};
use crate::play::manifest::{Manifest, ManifestError};

/// The place of each shard; `None` where neither says one.
pub(super) fn places(pool: &Pool) -> Result<Vec<Option<Place>>, ManifestError> {
    pool.shards.iter().map(place).collect()
}

fn place(shard: &Shard) -> Result<Option<Place>, ManifestError> {
    let by_name = shard.place_by_name();
    Ok(match manifest(shard)? {
        None => by_name,
        Some(manifest) => by_manifest(&manifest, by_name),
    })
}

/// Notes for each of several shards the processor its manifest names. A manifest that cannot be read is remarked on.
pub(super) fn note_processors(pool: &mut Pool) {
    if pool.shards.len() < 2 {
        return;
    }
    for shard in &mut pool.shards {
        match manifest(shard) {
            Ok(manifest) => {
                let cpu = manifest.map(|manifest| manifest.machine.cpu);
                shard.cpu = cpu.filter(|cpu| !cpu.is_empty());
            }
            Err(error) => pool.remarks.push(format!(
                "{error}, so the processor of shard {} is not known",
                shard.name
            )),
        }
    }
}

/// The manifest in the folder of a shard's games.
fn manifest(shard: &Shard) -> Result<Option<Manifest>, ManifestError> {
    if shard.path == Path::new("-") {
        return Ok(None);
    }
    let folder = match shard.path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    };
    Manifest::read(folder)
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
