//! Close names for one that does not exist.

use crate::notation::closest;

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
