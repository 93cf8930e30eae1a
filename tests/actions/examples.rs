//! The workflows and scripts that callers copy.

use std::fs;

use crate::tools;

#[track_caller]
pub(crate) fn text(name: &str) -> String {
    let path = tools::tree().join("examples").join(name);
    fs::read_to_string(path).expect("an example")
}

/// One with other texts in it, each of which has to be there: what is played is little, and fetches nothing.
#[track_caller]
pub(crate) fn changed(name: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text(name), |text, (from, to)| {
        assert!(text.contains(from), "{name} has no {from}");
        text.replace(from, to)
    })
}
