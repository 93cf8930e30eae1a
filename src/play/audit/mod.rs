//! Whether runs from strangers are one whole match: every shard once, as it was played, each from its own openings.
//!
//! Nothing here trusts a file: reads are bounded, links are not followed, names in a manifest are compared and never
//! opened. A hash in a manifest tells that a file changed after the run, not that the run was honest: who can
//! rewrite both files can make both agree.

mod fault;
mod find;
mod match_checks;
mod openings;
mod run;
mod stretch;

pub use fault::{Fault, FaultKind};
pub use run::{File, Run};
pub use stretch::{Part, Stretch};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::openings::Book;
use crate::play::manifest::Manifest;
use find::{Finds, Found};
use run::{Budget, read_manifest};

/// What was found below some folders.
#[derive(Debug, Default)]
pub struct Evidence {
    /// The runs, by batch, then by shard, then by folder.
    pub runs: Vec<Run>,
    /// What the runs of the match have in common is in this manifest of one of them; `None` without a run.
    pub terms: Option<Manifest>,
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
    /// What a person should know and is no fault.
    pub notes: Vec<String>,
}

impl Evidence {
    /// Looks at every run below these folders. With the book, or where they were played from the one inside the
    /// program, each pair's opening is looked up as well.
    #[must_use]
    pub fn gather(paths: &[PathBuf], book: Option<&Book>) -> Self {
        let finds = Finds::below(paths);
        let mut evidence = Self {
            faults: finds.faults,
            ..Self::default()
        };
        evidence.read(&finds.folders);
        let Self {
            runs,
            terms,
            faults,
            notes,
        } = &mut evidence;
        for run in runs.iter() {
            run.check(faults, notes);
        }
        runs.sort_by_key(|run| {
            let place = run
                .stretch
                .as_ref()
                .map(|at| (at.batch.number, at.shard.number));
            (place.is_none(), place, run.folder.clone())
        });
        let own = match_checks::check(runs, faults, notes);
        *terms = own.first().map(|run| run.manifest.clone());
        openings::check(&own, book, faults, notes);
        evidence
    }

    /// The numbers of the batches there are, and the files of each; a run without a place is in the first.
    #[must_use]
    pub fn batches(&self) -> BTreeMap<u128, Vec<PathBuf>> {
        let mut batches: BTreeMap<u128, Vec<PathBuf>> = BTreeMap::new();
        for run in &self.runs {
            let number = run.stretch.as_ref().map_or(0, |at| at.batch.number);
            let files = run.files.iter().map(|file| file.path.clone());
            batches.entry(number).or_default().extend(files);
        }
        batches
    }

    fn read(&mut self, folders: &BTreeMap<PathBuf, Found>) {
        let mut budget = Budget::new();
        let mut runs: BTreeMap<&Path, Run> = BTreeMap::new();
        // A folder comes before those below it, so a part finds its run.
        for (folder, found) in folders {
            if !found.has_manifest {
                let what = "there is no manifest.json beside these games, so nobody knows of what match they are";
                let files = found.games.iter();
                self.faults
                    .extend(files.map(|path| Fault::of(FaultKind::Foreign, path, what)));
                continue;
            }
            let manifest = match read_manifest(folder) {
                Ok(manifest) => manifest,
                Err(fault) => {
                    self.faults.push(fault);
                    continue;
                }
            };
            let rounds = manifest.rounds.clone();
            let run = match &rounds {
                None => {
                    let run = Run::new(folder, manifest, &mut self.faults);
                    runs.entry(folder).or_insert(run)
                }
                Some(_) => match folder.parent().and_then(|parent| runs.get_mut(parent)) {
                    Some(run) => {
                        let differences = manifest.differences(&run.manifest);
                        if !differences.is_empty() {
                            let what = format!(
                                "it is no part of the run above: it differs in {}",
                                differences.join(", ")
                            );
                            self.faults
                                .push(Fault::of(FaultKind::Foreign, folder, what));
                        }
                        run
                    }
                    None => {
                        let what = "it is a part of a run whose folder is not here";
                        self.faults
                            .push(Fault::of(FaultKind::Missing, folder, what));
                        continue;
                    }
                },
            };
            run.read(found, rounds.as_deref(), &mut budget, &mut self.faults);
        }
        self.runs = runs.into_values().collect();
    }
}
