//! What the commands answered before mache was one program, vector by vector.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::json::{ANY_TEXT, Json};
use crate::program::{Answer, Place};

/// Vectors in which mache answers otherwise, and why it is right. What it answers is asserted in `ours_is_right.rs`.
const OURS_IS_RIGHT: &[(&str, &str)] = &[
    (
        "error/estimate-counts-that-cannot-be-fitted",
        "a distribution that meets the hypotheses exists and is found",
    ),
    (
        "error/estimate-model-unknown",
        "the model it calls unknown, BayesElo, is one of ours",
    ),
    (
        "error/estimate-file-is-a-directory",
        "a folder means every games.pgn below it",
    ),
    (
        "error/estimate-file-not-utf8",
        "bytes that are not UTF-8 cost no game",
    ),
    (
        "estimate/a-move-without-a-comment",
        "moves tell whose comment it is, not how many comments came before",
    ),
    (
        "estimate/black-to-move-start",
        "Black moves first when the start position says so",
    ),
    (
        "estimate/byte-order-mark",
        "a byte order mark hides no game",
    ),
    (
        "estimate/comment-with-a-newline",
        "a line break within a comment loses no seconds",
    ),
    (
        "estimate/comment-with-a-tag-line",
        "a tag within a comment is no tag",
    ),
    (
        "estimate/comment-with-an-event-line",
        "a record begins outside comments only",
    ),
    (
        "estimate/fault-of-each-kind",
        "two games with the same colours are no pair",
    ),
    (
        "estimate/leading-space-before-event",
        "blanks before a tag hide no game",
    ),
    (
        "estimate/lower-case-event",
        "tag names are told apart from text in any case",
    ),
    (
        "estimate/name-with-an-escaped-quote",
        "an escaped quote is part of the name",
    ),
    (
        "estimate/no-blank-line-after-the-tags",
        "moves need no blank line before them",
    ),
    (
        "estimate/same-colour-twice-in-a-round",
        "two games with the same colours are no pair",
    ),
    (
        "estimate/same-file-given-twice",
        "a file given twice is read once",
    ),
    (
        "estimate/shard-with-no-games",
        "points are a double, of no games too",
    ),
    (
        "estimate/space-before-a-tag",
        "blanks before a tag hide no tag",
    ),
    (
        "estimate/tab-in-a-tag",
        "a tab in a tag is a blank like any other",
    ),
    (
        "rating/ladder-name-twice-last-rating-wins",
        "an engine with two ratings is a mistake to be told of",
    ),
    (
        "terminations/brace-in-a-tag",
        "a brace in a tag begins no comment",
    ),
    (
        "terminations/byte-order-mark",
        "a byte order mark hides no game",
    ),
];

/// Vectors in which mache remarks on more than was remarked on before, and words of each further remark in order.
const MORE_REMARKS: &[(&str, &str)] = &[
    (
        "terminations/record-with-an-empty-player",
        "without two players is left out",
    ),
    (
        "terminations/record-with-one-player",
        "without two players is left out",
    ),
    (
        "terminations/record-without-players",
        "without two players is left out",
    ),
    (
        "estimate/a-drawn-pair-and-a-won-leftover",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/an-unfinished-game",
        "without a result is left out",
    ),
    (
        "estimate/baseline-and-tc-are-only-recorded",
        "play here: old (4 games)",
    ),
    (
        "estimate/bytes-utf8-from-latin-safe",
        "play here: Bréton (2 games)",
    ),
    (
        "estimate/comment-with-a-bracket",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/fault-in-an-unfinished-game",
        "without a result is left out",
    ),
    (
        "estimate/fault-time-forfeit",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/name-candidate-is-a-prefix",
        "play here: new-2 (6 games)",
    ),
    ("estimate/name-case-matters", "play here: New (2 games)"),
    (
        "estimate/name-outside-the-basic-plane",
        "play here: old♟ (8 games)",
    ),
    ("estimate/name-unicode", "play here: Brétön-λ (10 games)"),
    ("estimate/name-with-a-backslash", "play here: old (6 games)"),
    (
        "estimate/name-with-pipes-and-brackets",
        "play here: old[1] (6 games)",
    ),
    (
        "estimate/name-with-spaces-and-quotes",
        "play here: It's old (8 games)",
    ),
    (
        "estimate/no-newline-at-the-end-two-files",
        "hold the same games",
    ),
    (
        "estimate/no-pair-one-game",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/no-pair-one-game-line",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/no-pair-one-game-trailer",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/no-pair-two-rounds-of-one",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/no-pair-with-a-test",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/no-pair-with-a-test-line",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/no-pair-with-a-test-trailer",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/other-games-in-the-file",
        "play here: x (1 game) and y (1 game)",
    ),
    (
        "estimate/result-tag-missing",
        "without a result is left out",
    ),
    (
        "estimate/result-tag-not-the-movetext",
        "with another result than the Result tag",
    ),
    (
        "estimate/result-tag-unknown-word",
        "without a result is left out",
    ),
    (
        "estimate/round-tags-missing",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/round-tags-with-a-dot",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/shard-name-with-two-numbers",
        "shards are missing between 5 and 7: 6",
    ),
    (
        "estimate/shards-share-round-numbers",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/shards-share-round-numbers",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/shards-sort-by-number",
        "shards are missing between 0 and 10: 1 and 3 to 9",
    ),
    (
        "estimate/sweep-of-pairs-with-a-lost-leftover",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/tag-value-over-two-lines",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/tag-value-over-two-lines",
        "play here: ne�w (1 game)",
    ),
    (
        "estimate/tags-twice-the-last-wins",
        "with another result than the Result tag",
    ),
    (
        "estimate/test-prior-only-leftover-game",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/test-prior-only-leftover-game-trailer",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/three-games-in-one-round",
        "in no pair, because the round holds no partner",
    ),
    ("estimate/two-opponents", "play here: older (2 games)"),
    (
        "estimate/unfinished-half-of-a-round",
        "without a result is left out",
    ),
    (
        "estimate/unfinished-half-of-a-round",
        "in no pair, because the round holds no partner",
    ),
    (
        "estimate/worked-example",
        "in no pair, because the round holds no partner",
    ),
    ("estimate/worked-example", "play here: old (35 games)"),
    (
        "rating/three-unfinished-and-two-unplayed",
        "z is on the ladder and finished no game here",
    ),
    (
        "rating/three-unfinished-and-two-unplayed",
        "y is on the ladder and finished no game here",
    ),
    (
        "rating/truncated-game-borrows-nothing",
        "the moves of game 1 are cut off",
    ),
];

/// One run of a command.
#[derive(serde::Deserialize)]
pub(crate) struct Vector {
    name: String,
    pub(crate) tool: String,
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
        found.extend(self.remark_differences(&answer));
        if let Some(wanted) = &self.json {
            found.extend(self.json_differences(&place, wanted));
        }
        found
    }

    /// Refusals say anything; answers have the expected remark first and then those named in [`MORE_REMARKS`].
    fn remark_differences(&self, answer: &Answer) -> Option<String> {
        let more = MORE_REMARKS.iter().filter(|(name, _)| *name == self.name);
        let more = more.map(|(_, fragment)| *fragment);
        let wanted: Vec<&str> = match (self.exit, &*self.stderr) {
            (0, "") => more.collect(),
            (0, _) => [""].into_iter().chain(more).collect(),
            (_, _) => {
                return answer
                    .stderr
                    .is_empty()
                    .then(|| "refused without a word".to_owned());
            }
        };
        let lines: Vec<&str> = answer.stderr.lines().collect();
        let fits = lines
            .iter()
            .zip(&wanted)
            .all(|(line, fragment)| line.contains(fragment));
        (lines.len() != wanted.len() || !fits).then(|| format!("remarked {lines:?} for {wanted:?}"))
    }

    fn json_differences(&self, place: &Place, wanted: &Json) -> Vec<String> {
        let other_mode =
            |flag: &String| flag.starts_with("--l") || flag.starts_with("--tr") || flag == "--json";
        let arguments = self.args.iter().filter(|flag| !other_mode(flag)).cloned();
        let answer = self.run(place, arguments.chain(["--json".to_owned()]));
        if answer.code != 0 {
            return vec![format!("--json: exit {}: {}", answer.code, answer.stderr)];
        }
        let wanted = as_ours(wanted.clone(), &answer.stderr);
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

/// The document with what is the printing program's own: its version, and its remarks as standard error has them.
fn as_ours(mut document: Json, stderr: &str) -> Json {
    if let Json::Map(entries) = &mut document {
        for (key, value) in entries {
            match &**key {
                "version" => *value = Json::Text(env!("CARGO_PKG_VERSION").to_owned()),
                "tool" => *value = as_ours(value.clone(), stderr),
                "remarks" => {
                    *value = Json::List(
                        stderr
                            .lines()
                            .filter(|line| !line.starts_with("note: "))
                            .map(|line| Json::Text(line.to_owned()))
                            .collect(),
                    );
                }
                _ => {}
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
fn rating_estimate() {
    all_as_before("rating-estimate.json.zst", 38);
}

#[test]
fn refusals() {
    all_as_before("errors.json.zst", 108);
}

#[test]
fn every_exception_is_a_vector() {
    let files = [
        "match-estimate.json.zst",
        "match-terminations.json.zst",
        "rating-estimate.json.zst",
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
