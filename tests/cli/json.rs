//! JSON read with its keys in order and its whole numbers told from its doubles.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Whole(i128),
    Double(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

/// What stands for a sentence that has to be there, in other words than ours.
pub(crate) const ANY_TEXT: &str = "<any text>";

impl Json {
    #[track_caller]
    pub(crate) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
    }

    /// The value under a key of a map.
    #[track_caller]
    pub(crate) fn at(&self, key: &str) -> &Self {
        let Self::Map(entries) = self else {
            panic!("no map, so no {key}: {self:?}")
        };
        let entry = entries.iter().find(|(name, _)| name == key);
        &entry.unwrap_or_else(|| panic!("no {key}")).1
    }

    #[track_caller]
    pub(crate) fn whole(&self) -> i128 {
        let Self::Whole(value) = self else {
            panic!("no whole number: {self:?}")
        };
        *value
    }

    #[track_caller]
    pub(crate) fn double(&self) -> f64 {
        let Self::Double(value) = self else {
            panic!("no double: {self:?}")
        };
        *value
    }

    #[track_caller]
    pub(crate) fn list(&self) -> &[Self] {
        let Self::List(values) = self else {
            panic!("no list: {self:?}")
        };
        values
    }

    /// Where this differs from what was expected. Doubles may differ by a relative 1e-9; further keys may follow
    /// the expected ones.
    pub(crate) fn differences(&self, expected: &Self) -> Vec<String> {
        let mut found = Vec::new();
        compare(self, expected, "", &mut found);
        found
    }
}

fn compare(ours: &Json, theirs: &Json, path: &str, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Json::Text(text), Json::Text(wanted)) if wanted == ANY_TEXT => {
            if text.is_empty() {
                found.push(format!("{path}: nothing said"));
            }
        }
        (Json::Double(a), Json::Double(b)) if close(*a, *b) => {}
        (Json::List(a), Json::List(b)) if a.len() == b.len() => {
            for (place, (a, b)) in a.iter().zip(b).enumerate() {
                compare(a, b, &format!("{path}[{place}]"), found);
            }
        }
        (Json::Map(a), Json::Map(b)) => compare_maps(a, b, path, found),
        (a, b) if a == b => {}
        (a, b) => found.push(format!("{path}: {a:?} for {b:?}")),
    }
}

fn compare_maps(a: &[(String, Json)], b: &[(String, Json)], path: &str, found: &mut Vec<String>) {
    if a.len() < b.len() {
        found.push(format!("{path}: {} keys for {}", a.len(), b.len()));
    }
    for ((ours, a), (theirs, b)) in a.iter().zip(b) {
        if ours != theirs {
            found.push(format!("{path}: key {ours:?} for {theirs:?}"));
        }
        compare(a, b, &format!("{path}.{theirs}"), found);
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Whole(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Whole(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Double(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Json::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Json::Map(entries))
    }
}
