//! A document against the one that the same counts or games give.

use serde_json::{Map, Value};

use super::fields::{Faults, shown};
use crate::play::audit::FaultKind;

/// Figures may differ by this much, absolutely below 1 and relatively above.
const TOLERANCE: f64 = 1e-9;

/// Where a comparison stands.
#[derive(Clone, Copy)]
pub(super) struct Against<'f> {
    pub(super) kind: FaultKind,
    /// `counts` or `games`.
    pub(super) source: &'static str,
    pub(super) faults: &'f Faults,
}

impl Against<'_> {
    /// Compares these fields of two objects. What else the given one holds is not looked at: later versions add fields.
    pub(super) fn fields(
        self,
        keys: &[&str],
        given: &Map<String, Value>,
        expected: &Map<String, Value>,
        path: &str,
    ) {
        for key in keys {
            if let Some(expected) = expected.get(*key) {
                let path = if path.is_empty() {
                    (*key).to_owned()
                } else {
                    format!("{path}.{key}")
                };
                match given.get(*key) {
                    Some(given) => self.value(given, expected, &path),
                    None => self
                        .faults
                        .push(FaultKind::Schema, format!("there is no `{path}`")),
                }
            }
        }
    }

    /// Compares two values; objects by the fields of the expected one.
    pub(super) fn value(self, given: &Value, expected: &Value, path: &str) {
        match (given, expected) {
            (Value::Object(given), Value::Object(expected)) => {
                let keys: Vec<&str> = expected.keys().map(String::as_str).collect();
                self.fields(&keys, given, expected, path);
            }
            (Value::Array(given), Value::Array(expected)) if given.len() == expected.len() => {
                for (at, (given, expected)) in given.iter().zip(expected).enumerate() {
                    self.value(given, expected, &format!("{path}[{at}]"));
                }
            }
            _ if same(given, expected) => {}
            _ => {
                let (given, expected) = (shown(given), shown(expected));
                let what = format!(
                    "`{path}` is {given}, and the {} say {expected}",
                    self.source
                );
                self.faults.push(self.kind, what);
            }
        }
    }
}

/// Whether two values that are no objects are the same.
fn same(given: &Value, expected: &Value) -> bool {
    if let (Some(given), Some(expected)) = (given.as_u64(), expected.as_u64()) {
        return given == expected;
    }
    match (given.as_f64(), expected.as_f64()) {
        // A count is written as a count.
        (Some(_), Some(_)) if expected.is_u64() => false,
        (Some(given), Some(expected)) => {
            (given - expected).abs() <= TOLERANCE * expected.abs().max(1.0)
        }
        (None, None) => given == expected,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn case(given: Value, expected: Value, what: &[&str]) {
        let faults = Faults::default();
        let against = Against {
            kind: FaultKind::Arithmetic,
            source: "counts",
            faults: &faults,
        };
        against.value(&given, &expected, "x");
        let found: Vec<String> = faults
            .into_list()
            .into_iter()
            .map(|fault| fault.what)
            .collect();
        assert_eq!(found, what);
    }

    #[test]
    fn values_are_the_same_up_to_the_tolerance() {
        case(
            json!({"a": 1.0, "new": 3}),
            json!({"a": 1.000_000_000_5}),
            &[],
        );
        case(json!(1e6), json!(1e6 + 1e-4), &[]);
        case(
            json!(0.5),
            json!(0.500_000_01),
            &["`x` is 0.5, and the counts say 0.50000001"],
        );
        case(json!(2.0), json!(2), &["`x` is 2.0, and the counts say 2"]);
        case(
            json!(null),
            json!(2),
            &["`x` is null, and the counts say 2"],
        );
        case(
            json!([1, 2]),
            json!([1, 3]),
            &["`x[1]` is 2, and the counts say 3"],
        );
        case(
            json!([1]),
            json!([1, 3]),
            &["`x` is [1], and the counts say [1,3]"],
        );
        case(json!({}), json!({"a": 1}), &["there is no `x.a`"]);
        case(
            json!("a"),
            json!("b"),
            &["`x` is \"a\", and the counts say \"b\""],
        );
    }
}
