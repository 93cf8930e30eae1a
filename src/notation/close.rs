//! Which names somebody may have meant.

/// Up to three of the names that are as like the given one as a slip of the keyboard makes it, or that hold it or are
/// held by it; the likest first.
#[must_use]
pub fn closest<'a, N: AsRef<str>>(given: &str, names: &'a [N]) -> Vec<&'a str> {
    let wanted = given.to_lowercase();
    let mut rated: Vec<(f64, &str)> = names
        .iter()
        .map(AsRef::as_ref)
        .map(|name| (likeness(&wanted, &name.to_lowercase()), name))
        .filter(|&(likeness, _)| likeness >= 0.75)
        .collect();
    rated.sort_by(|left, right| right.0.total_cmp(&left.0));
    rated.into_iter().map(|(_, name)| name).take(3).collect()
}

fn likeness(wanted: &str, name: &str) -> f64 {
    let part = wanted.len() >= 3 && (name.contains(wanted) || wanted.contains(name));
    strsim::jaro_winkler(wanted, name).max(if part { 0.8 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_parts_are_close() {
        let names = [
            "Hash",
            "Threads",
            "Clear Hash",
            "SyzygyPath",
            "Move Overhead",
        ];
        assert_eq!(closest("hahs", &names), ["Hash"]);
        assert_eq!(closest("Thread", &names), ["Threads"]);
        assert_eq!(closest("Syzygy", &names), ["SyzygyPath"]);
        assert_eq!(closest("MoveOverhead", &names), ["Move Overhead"]);
        assert!(closest("Contempt", &names).is_empty());
    }
}
