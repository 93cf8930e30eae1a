//! Close names for one that does not exist.

/// ` (did you mean `a` or `b`?)` with up to three of the names that look like `given`, the closest first; nothing
/// when none does.
pub(super) fn hint<N: AsRef<str>>(given: &str, names: &[N]) -> String {
    let close = closest(given, names);
    if close.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = close.iter().map(|name| format!("`{name}`")).collect();
    format!(" (did you mean {}?)", quoted.join(" or "))
}

/// Names as alike as a slip of the keyboard, or that hold the given one or are held by it.
fn closest<'a, N: AsRef<str>>(given: &str, names: &'a [N]) -> Vec<&'a str> {
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
        assert_eq!(hint("hahs", &names), " (did you mean `Hash`?)");
        assert_eq!(hint("Syzygy", &names), " (did you mean `SyzygyPath`?)");
        assert_eq!(
            hint("MoveOverhead", &names),
            " (did you mean `Move Overhead`?)"
        );
        assert_eq!(hint("Contempt", &names), "");
        assert_eq!(hint("x", &[""; 0]), "");
    }
}
