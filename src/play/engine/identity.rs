//! What an engine says of itself between `uci` and `uciok`.

use std::fmt::Write;

use super::OptionError;
use crate::notation::closest;
use crate::notation::uci::{OptionLine, cleaned};

/// Letters of a name kept.
const LONGEST_NAME: usize = 200;
/// Options kept; no engine has as many.
const MOST_OPTIONS: usize = 2000;

/// Name, author and options of an engine. The texts hold no control characters and are at most 200 letters long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The name; empty when it gave none.
    pub name: String,
    /// The author; empty when it gave none.
    pub author: String,
    /// What it can be told, in its order.
    pub options: Vec<OptionLine>,
}

impl Identity {
    /// Takes in a line of the answer to `uci`.
    pub(super) fn take(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name") {
            self.name = cleaned(name, LONGEST_NAME);
        } else if let Some(author) = line.strip_prefix("id author") {
            self.author = cleaned(author, LONGEST_NAME);
        } else if let Some(option) = OptionLine::parse(line)
            && self.options.len() < MOST_OPTIONS
        {
            self.options.push(option);
        }
    }

    /// The option of that name, in whatever case.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&OptionLine> {
        self.options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Whether the engine can be told all of these.
    ///
    /// # Errors
    /// For the first option it does not have, with names that look alike, and the first value out of range.
    pub fn check(&self, options: &[(String, String)]) -> Result<(), OptionError> {
        for (name, value) in options {
            let Some(option) = self.option(name) else {
                return Err(OptionError::Unknown {
                    name: name.clone(),
                    close: self.close_to(name),
                });
            };
            option.accepts(value)?;
        }
        Ok(())
    }

    /// Names of options that somebody who wrote `name` may have meant, the closest first.
    fn close_to(&self, name: &str) -> Vec<String> {
        let names: Vec<&str> = self
            .options
            .iter()
            .map(|option| option.name.as_str())
            .collect();
        closest(name, &names)
            .into_iter()
            .map(str::to_owned)
            .collect()
    }

    /// The `setoption` lines: Threads first, then the order given, at last `UCI_Chess960`.
    pub(super) fn setoptions(&self, options: &[(String, String)], chess960: bool) -> String {
        let is_threads = |option: &&(String, String)| option.0.eq_ignore_ascii_case("Threads");
        let threads = options.iter().filter(is_threads);
        let others = options.iter().filter(|option| !is_threads(option));
        let mut text = String::new();
        for (name, value) in threads.chain(others) {
            self.setoption(&mut text, name, value);
        }
        if chess960 {
            text.push_str("setoption name UCI_Chess960 value true\n");
        }
        text
    }

    fn setoption(&self, text: &mut String, name: &str, value: &str) {
        let offered = self.option(name);
        let name = offered.map_or(name, |option| &option.name);
        let button = offered
            .is_some_and(|option| matches!(option.kind, crate::notation::uci::OptionKind::Button));
        let end = match (button, value) {
            (true, "false") => return,
            (true, _) => String::new(),
            (false, value) => format!(" value {value}"),
        };
        writeln!(text, "setoption name {name}{end}").expect("a string takes all text");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        let mut identity = Identity::default();
        for line in [
            "id name Fine\t Engine 1",
            "id author A. Author",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Threads type spin default 1 min 1 max 8",
            "option name Clear Hash type button",
            "option name SyzygyPath type string default <empty>",
            "nonsense",
        ] {
            identity.take(line);
        }
        identity
    }

    fn pairs(options: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        options.iter().map(owned).collect()
    }

    #[test]
    fn names_are_cleaned() {
        let identity = identity();
        assert_eq!(identity.name, "Fine Engine 1");
        assert_eq!(identity.author, "A. Author");
        assert_eq!(identity.options.len(), 4);
    }

    #[test]
    fn options_go_out_threads_first() {
        let options = pairs(&[
            ("hash", "64"),
            ("Clear Hash", "true"),
            ("threads", "2"),
            ("SyzygyPath", "/tb dir"),
        ]);
        insta::assert_snapshot!(identity().setoptions(&options, true), @r"
        setoption name Threads value 2
        setoption name Hash value 64
        setoption name Clear Hash
        setoption name SyzygyPath value /tb dir
        setoption name UCI_Chess960 value true
        ");
    }

    #[test]
    fn an_unknown_option_is_an_error_with_close_names() {
        let check = |name: &str, value: &str| identity().check(&pairs(&[(name, value)]));
        assert_eq!(check("Hash", "1024"), Ok(()));
        insta::assert_snapshot!(check("Thread", "1").unwrap_err(), @"there is no option `Thread`; did you mean `Threads`?");
        insta::assert_snapshot!(check("Contempt", "1").unwrap_err(), @"there is no option `Contempt`");
        insta::assert_snapshot!(check("Hash", "2048").unwrap_err(), @"option `Hash` cannot be `2048`: it takes a whole number from 1 to 1024");
    }
}
