//! Settings of a whole match, made once by the job that plans and handed to those that play and judge.

use std::collections::BTreeMap;

use serde_json::Value;

/// Bytes a plan may have.
const LONGEST: usize = 64 * 1024;

/// Why a text is no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// Longer than any plan of ours.
    #[error("the plan has {0} bytes; no plan has more than {LONGEST}")]
    Long(usize),
    /// Not a JSON object.
    #[error("the plan is not a JSON object")]
    Json(#[from] serde_json::Error),
    /// A value that is itself a list or an object.
    #[error("the plan's `{0}` is no text, number or truth value")]
    Value(String),
}

/// Names and values, each a flag of the commands they are for with `_` for `-`.
///
/// One plan serves several commands, so each takes what it knows and passes over the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(BTreeMap<String, String>);

impl Settings {
    /// Reads a plan: a flat JSON object.
    ///
    /// # Errors
    /// When it is not one, or is longer than 64 KiB.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        if text.len() > LONGEST {
            return Err(SettingsError::Long(text.len()));
        }
        let entries: BTreeMap<String, Value> = serde_json::from_str(text)?;
        let plain = |(name, value): (String, Value)| match value {
            Value::String(text) => Ok((name, text)),
            Value::Number(number) => Ok((name, number.to_string())),
            Value::Bool(truth) => Ok((name, truth.to_string())),
            Value::Null => Ok((name, String::new())),
            Value::Array(_) | Value::Object(_) => Err(SettingsError::Value(name)),
        };
        entries
            .into_iter()
            .map(plain)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Adds a setting, in place of an earlier one of that name.
    pub fn set(&mut self, name: &str, value: impl ToString) {
        self.0.insert(name.to_owned(), value.to_string());
    }

    /// The setting of that name; an empty one is not given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Names and values in alphabetical order of the names, those that are not given left out.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self
            .0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        all.filter(|(_, value)| !value.is_empty())
    }

    /// The plan as JSON on one line, names in alphabetical order.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(&self.0).expect("texts make an object")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_plain_value_is_text() {
        let plan = r#"{"pairs": 62, "elo1": 2.5, "sprt": true, "book": "x", "prior_pairs": null}"#;
        let settings = Settings::parse(plan).expect("a plan");
        let read = ["pairs", "elo1", "sprt", "book", "prior_pairs", "none"]
            .map(|name| settings.get(name).unwrap_or("-"));
        assert_eq!(read, ["62", "2.5", "true", "x", "-", "-"]);
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        let error = |text: &str| Settings::parse(text).expect_err("no plan").to_string();
        insta::assert_snapshot!(error("[1]"), @"the plan is not a JSON object");
        insta::assert_snapshot!(error(r#"{"a": [1]}"#), @"the plan's `a` is no text, number or truth value");
        let long = format!(r#"{{"a": "{}"}}"#, "x".repeat(LONGEST));
        insta::assert_snapshot!(error(&long), @"the plan has 65545 bytes; no plan has more than 65536");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(entries in prop::collection::btree_map("[a-z_]{1,9}", ".{0,20}", 0..9)) {
            let mut settings = Settings::default();
            for (name, value) in &entries {
                settings.set(name, value);
            }
            let json = settings.json();
            prop_assert!(!json.contains('\n'));
            prop_assert_eq!(Settings::parse(&json).expect("a plan"), settings);
        }
    }
}
