//! Engines as a build leaves them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::matches::scripted_engine;
use crate::play::MACHE;
use crate::program::Place;

/// An engine as one file that nobody may run yet, as artifacts are.
pub(crate) fn engine(place: &Place, file: &str, command: &str) {
    place.write(file, format!("#!/bin/sh\nexec {command}\n"));
    let mode = fs::Permissions::from_mode(0o644);
    fs::set_permissions(place.path(file), mode).expect("ours");
}

/// An engine inside the program.
pub(crate) fn embedded(kind: &str) -> String {
    format!("'{MACHE}' engine {kind} --seed 1")
}

/// An engine that misbehaves.
pub(crate) fn scripted(arguments: &str) -> String {
    format!("'{}' {arguments}", scripted_engine().display())
}
