//! What one run of a test hands to the next.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Settings;
use super::event::Commit;
use crate::openings::WholeNumber;
use crate::plan::MOST_RUNS;
use crate::stats::Pentanomial;

/// The form of token that this program writes and reads.
const VERSION: u32 = 1;
/// Bytes a token may have.
const LONGEST: usize = 16 * 1024;
/// Pairs of one score that a test may have.
const MOST_PAIRS: u64 = 99_999_999;
/// Digits of a seed.
const LONGEST_SEED: usize = 40;

/// Settings that have to stay as they are for the pairs of all runs to be one test with no opening twice.
const FIXED: [&str; 24] = [
    "alpha",
    "beta",
    "book",
    "book_table",
    "candidate_options",
    "candidate_time_control",
    "draw",
    "elo0",
    "elo1",
    "hash_mb",
    "max_moves",
    "openings",
    "opponent_options",
    "opponent_time_control",
    "options",
    "pairs",
    "resign",
    "run_batches",
    "runner",
    "shards",
    "sprt_model",
    "threads",
    "time_control",
    "verdict_rule",
];

/// The setting that says how many runs a test may take.
const MAX_RUNS: &str = "max_runs";

/// A run of a workflow, by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunId(String);

impl RunId {
    /// Reads a number of 1 to 20 digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits =
            (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| Self(text.to_owned()))
    }

    /// Its digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The commits a test compares, where they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commits {
    /// Of the engine under test.
    pub candidate: Option<Commit>,
    /// Of what it is compared with.
    pub baseline: Option<Commit>,
}

/// Where a test stands between two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The run to come, from nought; so many went before.
    pub(super) run: u64,
    /// Runs the test may take.
    pub(super) max_runs: u64,
    pub(super) seed: WholeNumber,
    /// Pairs the test has counted so far.
    pub(super) carried: Pentanomial,
    /// Pairs it had counted before its first run.
    pub(super) began: Pentanomial,
    /// The runs before, the first one first.
    pub(super) runs: Vec<RunId>,
    pub(super) commits: Commits,
    pub(super) settings: Settings,
}

/// Why a text is no token.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// Longer than any token of ours.
    #[error("the continue token has {0} bytes; none has more than {LONGEST}")]
    Long(usize),
    /// Not of the form.
    #[error(
        "the continue token cannot be read: hand on what `mache ci next-batch` put out, unchanged"
    )]
    Json(#[from] serde_json::Error),
    /// Made by a program that writes another form.
    #[error("the continue token has form {0}; this program reads form {VERSION}")]
    Version(u32),
    /// A value that cannot be.
    #[error("the continue token's `{0}` is not one that `mache ci next-batch` writes")]
    Value(&'static str),
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Text {
    version: u32,
    run: u64,
    max_runs: u64,
    seed: String,
    carried: [u64; 5],
    began: [u64; 5],
    runs: Vec<String>,
    candidate_sha: Option<String>,
    baseline_sha: Option<String>,
    settings: BTreeMap<String, String>,
}

impl Token {
    /// Reads a token.
    ///
    /// # Errors
    /// When it is none, or one that no run can have written.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        if text.len() > LONGEST {
            return Err(TokenError::Long(text.len()));
        }
        let text: Text = serde_json::from_str(text)?;
        if text.version != VERSION {
            return Err(TokenError::Version(text.version));
        }
        text.checked()
    }

    /// The token as JSON on one line.
    #[must_use]
    pub fn json(&self) -> String {
        let sha = |commit: &Option<Commit>| commit.as_ref().map(Commit::to_string);
        let text = Text {
            version: VERSION,
            run: self.run,
            max_runs: self.max_runs,
            seed: self.seed.to_string(),
            carried: self.carried.counts(),
            began: self.began.counts(),
            runs: self.runs.iter().map(|run| run.0.clone()).collect(),
            candidate_sha: sha(&self.commits.candidate),
            baseline_sha: sha(&self.commits.baseline),
            settings: self
                .settings
                .iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        };
        serde_json::to_string(&text).expect("texts and numbers make an object")
    }

    /// The run to come, from nought.
    #[must_use]
    pub const fn run(&self) -> u64 {
        self.run
    }

    /// Runs the test may take in all.
    #[must_use]
    pub const fn max_runs(&self) -> u64 {
        self.max_runs
    }

    /// The seed of the whole test.
    #[must_use]
    pub const fn seed(&self) -> &WholeNumber {
        &self.seed
    }

    /// Pairs the test has counted so far.
    #[must_use]
    pub const fn carried(&self) -> Pentanomial {
        self.carried
    }

    /// Pairs it had counted before its first run.
    #[must_use]
    pub const fn began(&self) -> Pentanomial {
        self.began
    }

    /// The runs before, the first one first.
    #[must_use]
    pub fn runs(&self) -> &[RunId] {
        &self.runs
    }

    /// The commits the test compares.
    #[must_use]
    pub const fn commits(&self) -> &Commits {
        &self.commits
    }

    /// What the plan of the run to come says otherwise than the test began with: name, then and now.
    #[must_use]
    pub fn differences(&self, plan: &Settings) -> Vec<String> {
        let value = |settings: &Settings, name| settings.get(name).unwrap_or_default().to_owned();
        let runs = (MAX_RUNS, self.max_runs.to_string(), value(plan, MAX_RUNS));
        FIXED
            .into_iter()
            .map(|name| (name, value(&self.settings, name), value(plan, name)))
            .chain([runs])
            .filter(|(_, then, now)| then != now)
            .map(|(name, then, now)| format!("{name} was `{then}` and is `{now}`"))
            .collect()
    }

    /// The settings of a plan that a token keeps.
    pub(super) fn fixed(plan: &Settings) -> Settings {
        let mut kept = Settings::default();
        for name in FIXED {
            if let Some(value) = plan.get(name) {
                kept.set(name, value);
            }
        }
        kept
    }
}

impl Text {
    fn checked(self) -> Result<Token, TokenError> {
        let (run, max_runs) = (self.run, self.max_runs);
        if !(1..=MOST_RUNS).contains(&max_runs) {
            return Err(TokenError::Value("max_runs"));
        }
        if !(1..max_runs).contains(&run) {
            return Err(TokenError::Value("run"));
        }
        if self.seed.len() > LONGEST_SEED || !self.seed.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(TokenError::Value("seed"));
        }
        let seed = self.seed.parse().map_err(|_| TokenError::Value("seed"))?;
        let small = |counts: &[u64; 5]| counts.iter().all(|&count| count <= MOST_PAIRS);
        let less = self
            .began
            .iter()
            .zip(&self.carried)
            .all(|(began, carried)| began <= carried);
        if !(small(&self.carried) && less) {
            return Err(TokenError::Value("carried"));
        }
        let runs: Option<Vec<RunId>> = self.runs.iter().map(|run| RunId::parse(run)).collect();
        let runs = runs
            .filter(|runs| runs.len() as u64 <= run)
            .ok_or(TokenError::Value("runs"))?;
        let commit = |name, sha: Option<String>| {
            let parsed = sha.map(|sha| sha.parse::<Commit>()).transpose();
            parsed.map_err(|_| TokenError::Value(name))
        };
        let mut settings = Settings::default();
        for (name, value) in &self.settings {
            if !FIXED.contains(&name.as_str()) {
                return Err(TokenError::Value("settings"));
            }
            settings.set(name, value);
        }
        Ok(Token {
            run,
            max_runs,
            seed,
            carried: Pentanomial::new(self.carried),
            began: Pentanomial::new(self.began),
            runs,
            commits: Commits {
                candidate: commit("candidate_sha", self.candidate_sha)?,
                baseline: commit("baseline_sha", self.baseline_sha)?,
            },
            settings,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(crate) fn token() -> Token {
        let mut settings = Settings::default();
        settings.set("pairs", 50);
        settings.set("time_control", "8+0.08");
        Token {
            run: 1,
            max_runs: 3,
            seed: "16093711234".parse().expect("a seed"),
            carried: Pentanomial::new([2, 9, 36, 19, 9]),
            began: Pentanomial::default(),
            runs: vec![RunId::parse("16093711234").expect("a run")],
            commits: Commits {
                candidate: "1".repeat(40).parse().ok(),
                baseline: None,
            },
            settings,
        }
    }

    #[test]
    fn a_token_is_short_and_read_again() {
        let json = token().json();
        insta::assert_snapshot!(json, @r#"{"version":1,"run":1,"max_runs":3,"seed":"16093711234","carried":[2,9,36,19,9],"began":[0,0,0,0,0],"runs":["16093711234"],"candidate_sha":"1111111111111111111111111111111111111111","baseline_sha":null,"settings":{"pairs":"50","time_control":"8+0.08"}}"#);
        assert_eq!(Token::parse(&json).expect("a token"), token());
    }

    #[track_caller]
    fn refused(from: &str, to: &str) -> String {
        let json = token().json();
        assert!(json.contains(from), "{from}");
        let error = Token::parse(&json.replacen(from, to, 1)).expect_err("refused");
        error.to_string()
    }

    #[test]
    fn what_no_run_writes_is_refused() {
        insta::assert_snapshot!(refused("\"version\":1", "\"version\":2"), @"the continue token has form 2; this program reads form 1");
        insta::assert_snapshot!(refused("\"run\":1", "\"run\":0"), @"the continue token's `run` is not one that `mache ci next-batch` writes");
        insta::assert_snapshot!(refused("\"run\":1", "\"rum\":1"), @"the continue token cannot be read: hand on what `mache ci next-batch` put out, unchanged");
        insta::assert_snapshot!(refused(":1", &format!(":\"{}\"", "x".repeat(20_000))), @"the continue token has 20252 bytes; none has more than 16384");
        for (from, to, field) in [
            ("\"run\":1", "\"run\":3", "`run`"),
            ("\"max_runs\":3", "\"max_runs\":101", "`max_runs`"),
            ("\"seed\":\"", "\"seed\":\"-", "`seed`"),
            ("\"seed\":\"", "\"seed\":\"x", "`seed`"),
            ("[2,", "[100000000,", "`carried`"),
            ("[0,", "[3,", "`carried`"),
            ("[\"1", "[\"[1](x)", "`runs`"),
            ("[\"1", "[\"2\",\"1", "`runs`"),
            ("\"111", "\"HEAD", "`candidate_sha`"),
            ("\"pairs\"", "\"PATH\"", "`settings`"),
        ] {
            let error = refused(from, to);
            assert!(error.contains(field), "{to}: {error}");
        }
        for text in ["", "{}", "[]", "null", "{\"version\":1}"] {
            assert!(Token::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_plan_that_says_otherwise_is_told_apart() {
        let mut plan = Token::fixed(&token().settings);
        plan.set("max_runs", 3);
        assert_eq!(token().differences(&plan), [""; 0]);
        plan.set("time_control", "10+0.1");
        plan.set("draw", "40,8,10");
        plan.set("concurrency", "4");
        assert_eq!(
            token().differences(&plan),
            [
                "draw was `` and is `40,8,10`",
                "time_control was `8+0.08` and is `10+0.1`"
            ]
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_stumble(text in ".{0,80}") {
            prop_assert!(Token::parse(&text).is_err());
        }
    }
}
