//! `--engine name=…,cmd=…`: one engine in one argument.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::command_line::{self, SplitError};
use crate::cli::close;
use crate::notation::{TimeControl, TimeControlError};
use crate::play::Limit;

/// An engine as a person describes it; what is missing comes from the options for both engines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EngineSpec {
    pub(super) name: Option<String>,
    pub(super) command: String,
    pub(super) arguments: Vec<String>,
    pub(super) directory: Option<PathBuf>,
    pub(super) limit: Limit,
    pub(super) margin: Option<Duration>,
    pub(super) options: Vec<(String, String)>,
    pub(super) restart: bool,
}

/// Why a text describes no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SpecError {
    #[error("`{0}` is not of the form key=value")]
    NotAPair(String),
    #[error("the value of `{0}` begins with a quote that is not closed")]
    Unclosed(String),
    #[error("after the closing quote of `{0}` comes a comma or nothing")]
    AfterQuote(String),
    #[error("there is no key `{key}`{}", suggestion(.key))]
    UnknownKey { key: String },
    #[error("`{0}` is given twice")]
    Twice(String),
    #[error("`{0}` has no value")]
    Empty(String),
    #[error("`{key}={value}`: {wanted}")]
    Value {
        key: String,
        value: String,
        wanted: &'static str,
    },
    #[error(transparent)]
    Clock(#[from] TimeControlError),
    #[error("the value of `args`: {0}")]
    Arguments(#[from] SplitError),
    #[error("there is no `cmd=` that says which program to start")]
    NoCommand,
    #[error("`tc` and `st` contradict each other")]
    TwoClocks,
}

fn suggestion(key: &str) -> String {
    match close::hint(key, &KEYS) {
        close if close.is_empty() => format!("; the keys are {}NAME", KEYS.join(", ")),
        close => close,
    }
}

/// All keys; an option's name stands after the last.
const KEYS: [&str; 11] = [
    "name", "cmd", "dir", "args", "tc", "st", "nodes", "depth", "margin", "restart", "option.",
];

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut spec = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for (key, value) in pairs(text)? {
            let known = key.to_lowercase();
            if seen.contains(&known) {
                return Err(SpecError::Twice(key));
            }
            seen.push(known);
            spec.set(&key, value)?;
        }
        spec.checked()
    }
}

impl EngineSpec {
    /// The engine started by a whole command line, the program first.
    pub(super) fn of_command_line(name: &str, text: &str) -> Result<Self, SplitError> {
        let mut words = command_line::split(text)?.into_iter();
        Ok(Self {
            name: Some(name.to_owned()),
            command: words.next().ok_or(SplitError::Nothing)?,
            arguments: words.collect(),
            ..Self::default()
        })
    }

    fn set(&mut self, key: &str, value: String) -> Result<(), SpecError> {
        if let Some(option) = key.strip_prefix("option.") {
            if option.is_empty() {
                return Err(SpecError::NotAPair(format!("{key}={value}")));
            }
            self.options.push((option.to_owned(), value));
            return Ok(());
        }
        if value.is_empty() && KEYS.contains(&key) {
            return Err(SpecError::Empty(key.to_owned()));
        }
        let wrong = |wanted| SpecError::Value {
            key: key.to_owned(),
            value: value.clone(),
            wanted,
        };
        match key {
            "name" => self.name = Some(value),
            "cmd" => self.command = value,
            "dir" => self.directory = Some(PathBuf::from(value)),
            "args" => self.arguments = command_line::split(&value)?,
            "tc" => self.limit.clock = Some(value.parse::<TimeControl>()?),
            "st" => self.limit.movetime = Some(seconds(&value).ok_or_else(|| wrong(SECONDS))?),
            "nodes" => self.limit.nodes = Some(positive(&value).ok_or_else(|| wrong(WHOLE))?),
            "depth" => self.limit.depth = Some(depth(&value).ok_or_else(|| wrong(WHOLE))?),
            "margin" => self.margin = Some(margin(&value).ok_or_else(|| wrong(MILLISECONDS))?),
            "restart" => self.restart = switch(&value).ok_or_else(|| wrong("on or off"))?,
            _ => {
                return Err(SpecError::UnknownKey {
                    key: key.to_owned(),
                });
            }
        }
        Ok(())
    }

    fn checked(self) -> Result<Self, SpecError> {
        if self.command.is_empty() {
            return Err(SpecError::NoCommand);
        }
        if self.limit.clock.is_some() && self.limit.movetime.is_some() {
            return Err(SpecError::TwoClocks);
        }
        Ok(self)
    }
}

const SECONDS: &str = "a number of seconds above 0, such as 0.25";
const WHOLE: &str = "a whole number above 0";
const MILLISECONDS: &str = "a whole number of milliseconds";

fn seconds(text: &str) -> Option<Duration> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let time = Duration::try_from_secs_f64(plain.then(|| text.parse().ok())??).ok()?;
    (Duration::from_millis(1)..=Duration::from_secs(86_400))
        .contains(&time)
        .then_some(time)
}

/// Seconds in an argument: a number above 0.
pub(super) fn time_per_move(text: &str) -> Result<Duration, String> {
    seconds(text).ok_or_else(|| format!("write {SECONDS}"))
}

fn positive(text: &str) -> Option<u64> {
    text.parse().ok().filter(|&number| number > 0)
}

fn depth(text: &str) -> Option<u32> {
    positive(text)?.try_into().ok()
}

fn margin(text: &str) -> Option<Duration> {
    text.parse().ok().map(Duration::from_millis)
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Cuts `key=value,key="a ""quoted"" value"` into its pairs.
///
/// A value that begins with a quote ends at the next one; inside, `""` and `\"` stand for a quote and everything
/// else for itself. Any other value ends at the next comma; that of `args`, at the next one outside quotes.
fn pairs(text: &str) -> Result<Vec<(String, String)>, SpecError> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (key, after) = rest
            .split_once('=')
            .filter(|(key, _)| !key.contains(','))
            .ok_or_else(|| SpecError::NotAPair(first_item(rest).to_owned()))?;
        let key = key.trim().to_owned();
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => unquote(quoted).ok_or_else(|| SpecError::Unclosed(key.clone()))?,
            None => {
                let value = match key.as_str() {
                    "args" => command_line(after),
                    _ => first_item(after),
                };
                (value.to_owned(), &after[value.len()..])
            }
        };
        rest = match after.strip_prefix(',') {
            Some(next) => next,
            None if after.is_empty() => "",
            None => return Err(SpecError::AfterQuote(key)),
        };
        found.push((key, value));
    }
    Ok(found)
}

fn first_item(text: &str) -> &str {
    text.split_once(',').map_or(text, |(item, _)| item)
}

/// The text up to the first comma outside quotes, or to the first one when quotes do not close.
fn command_line(text: &str) -> &str {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (letter, quote) {
            (',', None) => return &text[..at],
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            (_, _) => {}
        }
    }
    if quote.is_none() {
        text
    } else {
        first_item(text)
    }
}

/// The text up to the closing quote, and what follows it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text;
    loop {
        let at = rest.find('"')?;
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        if let Some(before) = before.strip_suffix('\\') {
            value.push_str(before);
            value.push('"');
            rest = after;
        } else if let Some(after) = after.strip_prefix('"') {
            value.push_str(before);
            value.push('"');
            rest = after;
        } else {
            value.push_str(before);
            return Some((value, after));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spec(text: &str) -> EngineSpec {
        text.parse().unwrap()
    }

    #[test]
    fn a_short_one() {
        let engine = spec("cmd=./engine");
        assert_eq!(engine.command, "./engine");
        assert_eq!(
            engine,
            EngineSpec {
                command: "./engine".to_owned(),
                ..EngineSpec::default()
            }
        );
    }

    #[test]
    fn every_key() {
        let engine = spec(
            "name=new,cmd=engines/new,dir=/tmp,args=uci --net \"a b\",tc=40/60+0.5,nodes=5000,depth=9,margin=20,\
             restart=on,option.Hash=64,option.Clear Hash=",
        );
        assert_eq!(engine.name.as_deref(), Some("new"));
        assert_eq!(engine.arguments, ["uci", "--net", "a b"]);
        assert_eq!(engine.limit.clock.unwrap().to_string(), "40/60+0.5");
        assert_eq!(
            (engine.limit.nodes, engine.limit.depth),
            (Some(5000), Some(9))
        );
        assert_eq!(engine.margin, Some(Duration::from_millis(20)));
        assert!(engine.restart);
        let options = [("Hash", "64"), ("Clear Hash", "")];
        assert_eq!(
            engine.options,
            options.map(|(n, v)| (n.to_owned(), v.to_owned()))
        );
        assert_eq!(
            spec("cmd=x,st=0.25").limit.movetime,
            Some(Duration::from_millis(250))
        );
    }

    #[test]
    fn commas_and_quotes() {
        let engine = spec(
            r#"cmd="/a,b/""x"" y",name="say \"hi\"",option.Path="a,b",args="--eval ""1,2"" 'it''s'""#,
        );
        assert_eq!(engine.command, r#"/a,b/"x" y"#);
        assert_eq!(engine.name.as_deref(), Some(r#"say "hi""#));
        assert_eq!(engine.options, [("Path".to_owned(), "a,b".to_owned())]);
        assert_eq!(engine.arguments, ["--eval", "1,2", "its"]);
        let engine = spec(r#"args=--net "a, b.nnue" 'c,d' e,cmd=x"#);
        assert_eq!(engine.arguments, ["--net", "a, b.nnue", "c,d", "e"]);
        // A quote that does not begin the value is one like any other character.
        assert_eq!(
            spec(r#"cmd=a"b,name=5" gun"#).name.as_deref(),
            Some(r#"5" gun"#)
        );
        assert_eq!(
            spec(r"cmd=C:\engines\new.exe").command,
            r"C:\engines\new.exe"
        );
    }

    #[test]
    fn refusals() {
        let refused = [
            "",
            "cmd=",
            "name=x",
            "stockfish",
            "cmd=x,,name=y",
            "cmd=x,nam=y",
            "cmd=x,optoin.Hash=3",
            "cmd=x,time=3",
            "cmd=x,cmd=y",
            "cmd=x,option.hash=1,option.Hash=2",
            "cmd=\"x",
            "cmd=\"x\"y",
            "cmd=x,tc=1,st=1",
            "cmd=x,tc=soon",
            "cmd=x,st=0",
            "cmd=x,nodes=-5",
            "cmd=x,depth=0",
            "cmd=x,margin=1.5",
            "cmd=x,restart=yes",
            "cmd=x,args='open",
            "cmd=x,option.=3",
        ];
        let page: Vec<String> = refused
            .iter()
            .map(|text| match text.parse::<EngineSpec>() {
                Ok(engine) => format!("{text}: taken as {engine:?}"),
                Err(error) => format!("{text}: {error}"),
            })
            .collect();
        insta::assert_snapshot!(page.join("\n"), @r#"
        : there is no `cmd=` that says which program to start
        cmd=: `cmd` has no value
        name=x: there is no `cmd=` that says which program to start
        stockfish: `stockfish` is not of the form key=value
        cmd=x,,name=y: `` is not of the form key=value
        cmd=x,nam=y: there is no key `nam` (did you mean `name`?)
        cmd=x,optoin.Hash=3: there is no key `optoin.Hash` (did you mean `option.`?)
        cmd=x,time=3: there is no key `time`; the keys are name, cmd, dir, args, tc, st, nodes, depth, margin, restart, option.NAME
        cmd=x,cmd=y: `cmd` is given twice
        cmd=x,option.hash=1,option.Hash=2: `option.Hash` is given twice
        cmd="x: the value of `cmd` begins with a quote that is not closed
        cmd="x"y: after the closing quote of `cmd` comes a comma or nothing
        cmd=x,tc=1,st=1: `tc` and `st` contradict each other
        cmd=x,tc=soon: `soon` is not a time control: write [MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 10+0.1 or 40/60+0.5
        cmd=x,st=0: `st=0`: a number of seconds above 0, such as 0.25
        cmd=x,nodes=-5: `nodes=-5`: a whole number above 0
        cmd=x,depth=0: `depth=0`: a whole number above 0
        cmd=x,margin=1.5: `margin=1.5`: a whole number of milliseconds
        cmd=x,restart=yes: `restart=yes`: on or off
        cmd=x,args='open: the value of `args`: a quote is not closed in `'open`
        cmd=x,option.=3: `option.=3` is not of the form key=value
        "#);
    }

    #[test]
    fn a_whole_command_line() {
        let engine =
            EngineSpec::of_command_line("baseline", r#"'/my engines/x' --a "b c""#).unwrap();
        assert_eq!(engine.command, "/my engines/x");
        assert_eq!(engine.arguments, ["--a", "b c"]);
        assert!(EngineSpec::of_command_line("baseline", " ").is_err());
    }

    proptest! {
        #[test]
        fn any_value_can_be_quoted(value in r#"[ -~é]{1,20}"#) {
            // A backslash before a quote would keep it, so quotes are doubled and backslashes kept from them.
            prop_assume!(!value.contains("\\\"") && !value.ends_with('\\'));
            let text = format!("name=\"{}\",cmd=x", value.replace('"', "\"\""));
            prop_assert_eq!(spec(&text).name, Some(value));
        }

        #[test]
        fn nothing_panics(text in r#"[a-z=,."'\\ é]{0,30}"#) {
            let _ = text.parse::<EngineSpec>();
        }
    }
}
