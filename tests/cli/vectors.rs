//! What the commands answered before mache was one program, vector by vector.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::json::{ANY_TEXT, Json};
use crate::program::{Answer, Place};

/// Vectors in which mache answers otherwise, and why it is right. What it answers is asserted in
/// `match_estimate.rs` and `match_terminations.rs`.
const OURS_IS_RIGHT: &[(&str, &str)] = &[];

/// One run of a command.
#[derive(serde::Deserialize)]
pub(crate) struct Vector {
    name: String,
    tool: String,
    pub(crate) args: Vec<String>,
    files: BTreeMap<String, String>,
    bytes: BTreeMap<String, Vec<u8>>,
    exit: i32,
    stdout: Option<String>,
    stderr: String,
    json: Option<Json>,
}

impl Vector {
    /// A folder with the vector's files.
    pub(crate) fn place(&self) -> Place {
        let place = Place::new();
        for (name, text) in &self.files {
            place.write(name, text);
        }
        for (name, bytes) in &self.bytes {
            place.write(name, bytes);
        }
        place
    }

    fn run(&self, place: &Place, arguments: impl Iterator<Item = String>) -> Answer {
        place.run([self.tool.clone()].into_iter().chain(arguments))
    }

    /// Everything in which the program's answer is not the expected one.
    fn differences(&self) -> Vec<String> {
        let place = self.place();
        let answer = self.run(&place, self.args.iter().cloned());
        let mut found = Vec::new();
        if answer.code != self.exit {
            found.push(format!(
                "exit {} for {}: {}",
                answer.code, self.exit, answer.stderr
            ));
        }
        if let Some(wanted) = &self.stdout
            && !says(&answer.stdout, wanted)
        {
            found.push(format!("printed {:?} for {wanted:?}", answer.stdout));
        }
        if !says(&answer.stderr, &self.stderr) {
            found.push(format!(
                "remarked {:?} for {:?}",
                answer.stderr, self.stderr
            ));
        }
        if let Some(wanted) = &self.json {
            found.extend(self.json_differences(&place, wanted));
        }
        found
    }

    fn json_differences(&self, place: &Place, wanted: &Json) -> Vec<String> {
        let other_mode =
            |flag: &String| flag.starts_with("--l") || flag.starts_with("--tr") || flag == "--json";
        let arguments = self.args.iter().filter(|flag| !other_mode(flag)).cloned();
        let answer = self.run(place, arguments.chain(["--json".to_owned()]));
        if answer.code != 0 {
            return vec![format!("--json: exit {}: {}", answer.code, answer.stderr)];
        }
        let wanted = with_our_version(wanted.clone());
        let found = Json::read(&answer.stdout).differences(&wanted);
        found
            .into_iter()
            .map(|line| format!("--json {line}"))
            .collect()
    }
}

/// Whether the text is the wanted one, or any where any will do.
fn says(text: &str, wanted: &str) -> bool {
    if wanted == ANY_TEXT {
        !text.is_empty()
    } else {
        text == wanted
    }
}

/// The document's version is the printing program's own.
fn with_our_version(mut document: Json) -> Json {
    if let Json::Map(entries) = &mut document {
        for (key, value) in entries {
            if key == "version" {
                *value = Json::Text(env!("CARGO_PKG_VERSION").to_owned());
            } else if key == "tool" {
                *value = with_our_version(value.clone());
            }
        }
    }
    document
}

fn load(file: &str) -> Vec<Vector> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/vectors")
        .join(file);
    let mut text = String::new();
    zstd::Decoder::new(std::fs::File::open(&path).unwrap())
        .and_then(|mut reader| reader.read_to_string(&mut text))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// One vector of a file.
#[track_caller]
pub(crate) fn vector(file: &str, name: &str) -> Vector {
    let mut vectors = load(file).into_iter();
    vectors
        .find(|vector| vector.name == name)
        .unwrap_or_else(|| panic!("no vector is called {name}"))
}

/// Runs every vector of the file that mache answers alike, on all processors, and lists those it does not.
#[track_caller]
fn all_as_before(file: &str, count: usize) {
    let vectors = load(file);
    assert_eq!(vectors.len(), count, "vectors in {file}");
    let excepted = |vector: &Vector| OURS_IS_RIGHT.iter().any(|(name, _)| *name == vector.name);
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(vector) = vectors.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = if excepted(vector) {
                        Vec::new()
                    } else {
                        vector.differences()
                    };
                    if !found.is_empty() {
                        failures.lock().unwrap().push(format!(
                            "{}\n  {}",
                            vector.name,
                            found.join("\n  ")
                        ));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {count} differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn book_slice() {
    all_as_before("book-slice.json.zst", 64);
}

#[test]
fn match_terminations() {
    all_as_before("match-terminations.json.zst", 33);
}

#[test]
fn match_estimate() {
    all_as_before("match-estimate.json.zst", 147);
}

#[test]
fn refusals() {
    all_as_before("errors.json.zst", 87);
}

#[test]
fn every_exception_is_a_vector() {
    let files = [
        "match-estimate.json.zst",
        "match-terminations.json.zst",
        "errors.json.zst",
    ];
    let names: Vec<String> = files
        .iter()
        .flat_map(|file| load(file))
        .map(|vector| vector.name)
        .collect();
    for (name, reason) in OURS_IS_RIGHT {
        assert!(
            names.iter().any(|known| known == name),
            "no vector is called {name}"
        );
        assert!(!reason.is_empty());
    }
}
