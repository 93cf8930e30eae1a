//! Values as fastchess takes them on its command line, and those it cannot be given.

use std::ffi::OsString;

use super::FastchessError;
use crate::play::EngineSetup;

fn refused(engine: &EngineSetup, what: &'static str, value: &str) -> FastchessError {
    FastchessError::Unspeakable {
        engine: engine.name.clone(),
        what,
        value: value.to_owned(),
    }
}

/// An empty value is an error to fastchess, and its output and its PGN are cut into lines.
fn is_one_line(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

pub(super) fn name(engine: &EngineSetup) -> Result<&str, FastchessError> {
    if is_one_line(&engine.name) && engine.name.trim() == engine.name {
        Ok(&engine.name)
    } else {
        Err(refused(engine, "name", &engine.name))
    }
}

pub(super) fn command(engine: &EngineSetup) -> Result<OsString, FastchessError> {
    let command = engine.command.as_os_str();
    if command.is_empty() {
        return Err(refused(engine, "command", ""));
    }
    Ok(command.to_owned())
}

/// An `option.NAME=VALUE` word; UCI writes an empty string as `<empty>`.
pub(super) fn option(
    engine: &EngineSetup,
    name: &str,
    value: &str,
) -> Result<String, FastchessError> {
    if !is_one_line(name) || name.contains('=') {
        return Err(refused(engine, "option", name));
    }
    let value = if value.is_empty() { "<empty>" } else { value };
    if !is_one_line(value) {
        return Err(refused(engine, "option value", value));
    }
    Ok(format!("option.{name}={value}"))
}

pub(super) fn event(text: &str) -> Result<&str, FastchessError> {
    if is_one_line(text) && !text.starts_with('-') {
        Ok(text)
    } else {
        Err(FastchessError::Event {
            text: text.to_owned(),
        })
    }
}

/// All arguments as the one string that fastchess splits at blanks, quotes of both kinds respected.
pub(super) fn arguments(engine: &EngineSetup) -> Result<String, FastchessError> {
    let quoted: Result<Vec<String>, FastchessError> = engine
        .arguments
        .iter()
        .map(|argument| quote(argument).ok_or_else(|| refused(engine, "argument", argument)))
        .collect();
    Ok(quoted?.join(" "))
}

/// An argument that fastchess's splitting gives back unchanged; `None` when there is no such spelling.
///
/// A backslash stands for itself everywhere and keeps a quote after it from closing, so those at the end stay
/// outside the quotes. An empty argument cannot be written, nor one with both kinds of quotes.
fn quote(argument: &str) -> Option<String> {
    if !is_one_line(argument) {
        return None;
    }
    if !argument.contains([' ', '\'', '"']) {
        return Some(argument.to_owned());
    }
    let mark = ['\'', '"']
        .into_iter()
        .find(|&mark| !argument.contains(mark))?;
    let body = argument.trim_end_matches('\\');
    let tail = &argument[body.len()..];
    Some(format!("{mark}{body}{mark}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_come_apart_again_as_they_were() {
        // Each spelling was given to fastchess 1.8.2 and its engine saw the argument.
        for (argument, spelling) in [
            ("--plain", Some("--plain")),
            (r"plain\", Some(r"plain\")),
            ("two words", Some("'two words'")),
            (r"tr a\", Some(r"'tr a'\")),
            (r#"a \" b"#, Some(r#"'a \" b'"#)),
            ("it's", Some(r#""it's""#)),
            (r#"--x="y z""#, Some(r#"'--x="y z"'"#)),
            ("", None),
            (r#"both ' and ""#, None),
            ("two\nlines", None),
        ] {
            assert_eq!(quote(argument).as_deref(), spelling, "{argument:?}");
        }
    }
}
