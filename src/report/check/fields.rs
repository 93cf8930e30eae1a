//! Fields of a document by their path, each of the kind it has to be; everything that is not is noted.

use std::cell::RefCell;

use serde_json::{Map, Value};

use crate::play::audit::{Fault, FaultKind};

/// No match plays more of anything: sums of such counts fit with room to spare.
const MOST: u64 = 999_999_999_999;
/// Characters in a name or a line.
const LONGEST: usize = 2000;

/// Faults found while reading.
#[derive(Default)]
pub(super) struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    pub(super) fn push(&self, kind: FaultKind, what: impl Into<String>) {
        self.0.borrow_mut().push(Fault::named(kind, "", what));
    }

    pub(super) fn none(&self) -> bool {
        self.0.borrow().is_empty()
    }

    pub(super) fn into_list(self) -> Vec<Fault> {
        self.0.into_inner()
    }
}

/// An object and where it stands.
#[derive(Clone)]
pub(super) struct Object<'v> {
    map: &'v Map<String, Value>,
    path: String,
    faults: &'v Faults,
}

impl<'v> Object<'v> {
    /// The value as an object.
    pub(super) fn of(value: &'v Value, path: &str, faults: &'v Faults) -> Option<Self> {
        let Value::Object(map) = value else {
            faults.push(FaultKind::Schema, format!("`{path}` is no object"));
            return None;
        };
        Some(Self {
            map,
            path: path.to_owned(),
            faults,
        })
    }

    /// The same, its fields named by themselves.
    pub(super) fn at_root(self) -> Self {
        Self {
            path: String::new(),
            ..self
        }
    }

    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    fn schema(&self, key: &str, wanted: &str) {
        let path = self.path_of(key);
        let what = match self.map.get(key) {
            None => format!("there is no `{path}`"),
            Some(given) => format!("`{path}` is {}, not {wanted}", shown(given)),
        };
        self.faults.push(FaultKind::Schema, what);
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &'v String> {
        self.map.keys()
    }

    pub(super) fn get(&self, key: &str) -> Option<&'v Value> {
        self.map.get(key)
    }

    /// A count; nought where there is none.
    pub(super) fn count(&self, key: &str) -> u64 {
        self.map.get(key).and_then(count).unwrap_or_else(|| {
            self.schema(key, "a count");
            0
        })
    }

    /// A number; nought where there is none.
    pub(super) fn number(&self, key: &str) -> f64 {
        self.map
            .get(key)
            .and_then(Value::as_f64)
            .unwrap_or_else(|| {
                self.schema(key, "a number");
                0.0
            })
    }

    /// A text without an end to its length is none.
    pub(super) fn text(&self, key: &str) -> String {
        let text = self.map.get(key).and_then(Value::as_str);
        let text = text.filter(|text| text.chars().nth(LONGEST).is_none());
        text.map_or_else(
            || {
                self.schema(key, "a text of reasonable length");
                String::new()
            },
            str::to_owned,
        )
    }

    /// One of these words, by its place.
    pub(super) fn word(&self, key: &str, words: &[&str]) -> Option<usize> {
        let given = self.map.get(key).and_then(Value::as_str);
        let place = given.and_then(|given| words.iter().position(|word| *word == given));
        if place.is_none() {
            self.schema(key, &format!("one of the words {}", words.join(", ")));
        }
        place
    }

    /// Five counts; noughts where there are none.
    pub(super) fn five(&self, key: &str) -> [u64; 5] {
        let list = self.map.get(key).and_then(Value::as_array);
        let five = list.and_then(|list| {
            let counts: Option<Vec<u64>> = list.iter().map(count).collect();
            <[u64; 5]>::try_from(counts?).ok()
        });
        five.unwrap_or_else(|| {
            self.schema(key, "five counts");
            [0; 5]
        })
    }

    /// An object below.
    pub(super) fn object(&self, key: &str) -> Option<Object<'v>> {
        let Some(value) = self.map.get(key) else {
            self.schema(key, "an object");
            return None;
        };
        Self::of(value, &self.path_of(key), self.faults)
    }

    /// An object below, or nothing where it is null.
    pub(super) fn optional(&self, key: &str) -> Option<Object<'v>> {
        match self.map.get(key) {
            Some(Value::Null) => None,
            Some(_) | None => self.object(key),
        }
    }

    /// The objects of a list.
    pub(super) fn objects(&self, key: &str) -> Vec<Object<'v>> {
        let Some(list) = self.map.get(key).and_then(Value::as_array) else {
            self.schema(key, "a list");
            return Vec::new();
        };
        let path = self.path_of(key);
        let one = |(at, value)| Self::of(value, &format!("{path}[{at}]"), self.faults);
        list.iter().enumerate().filter_map(one).collect()
    }
}

fn count(value: &Value) -> Option<u64> {
    value.as_u64().filter(|&count| count <= MOST)
}

/// A value in few characters.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
