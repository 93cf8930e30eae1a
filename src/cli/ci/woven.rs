//! The words of a `mache ci` command with those woven in that come from the environment and the plan.

use std::ffi::{OsStr, OsString};

use clap::{Arg, ArgAction, Command};

use crate::ci::{Settings, SettingsError};

/// `mache ci COMMAND …` with a flag for every setting that is not among the words: the value of the variable
/// `MACHE_SOME_NAME` for `--some-name`, else that of `some_name` in the plan. Anything else comes back as it is.
///
/// # Errors
/// When the plan cannot be read.
pub(in crate::cli) fn woven(
    program: &Command,
    words: Vec<OsString>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, SettingsError> {
    let Some(command) = step(program, &words) else {
        return Ok(words);
    };
    let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
    let settings = match given(&words, "plan").or_else(|| variable("MACHE_PLAN")) {
        Some(plan) => Settings::parse(&plan.to_string_lossy())?,
        None => Settings::default(),
    };
    let mut woven = words.clone();
    for argument in command.get_arguments() {
        let Some(long) = argument.get_long().filter(|long| *long != "help") else {
            continue;
        };
        if given(&words, long).is_some() {
            continue;
        }
        let name = long.replace('-', "_");
        let value = variable(&format!("MACHE_{}", name.to_uppercase()))
            .or_else(|| settings.get(&name).map(OsString::from));
        if let Some(value) = value {
            woven.extend(flags(argument, long, &value));
        }
    }
    Ok(woven)
}

/// The step that the words ask for.
fn step<'a>(program: &'a Command, words: &[OsString]) -> Option<&'a Command> {
    let [_, ci, step, ..] = words else {
        return None;
    };
    if ci != "ci" {
        return None;
    }
    program.find_subcommand("ci")?.find_subcommand(step)
}

/// The value of a long flag among the words; an empty one when it stands alone.
fn given(words: &[OsString], long: &str) -> Option<OsString> {
    let flag = format!("--{long}");
    words.iter().enumerate().find_map(|(at, word)| {
        if *word == *flag {
            return Some(words.get(at + 1).cloned().unwrap_or_default());
        }
        let value = word
            .to_str()?
            .strip_prefix(flag.as_str())?
            .strip_prefix('=')?;
        Some(value.into())
    })
}

/// `--long=value`, or one a line for a flag that may be given several times.
fn flags(argument: &Arg, long: &str, value: &OsStr) -> Vec<OsString> {
    let flag = |value: &OsStr| {
        let mut word = OsString::from(format!("--{long}="));
        word.push(value);
        word
    };
    match (argument.get_action(), value.to_str()) {
        (ArgAction::Append, Some(lines)) => lines
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(|line| flag(line.as_ref()))
            .collect(),
        (_, _) => vec![flag(value)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Command {
        let step = Command::new("step").args([
            Arg::new("elo0").long("elo0"),
            Arg::new("time-control").long("time-control"),
            Arg::new("options")
                .long("options")
                .action(ArgAction::Append),
            Arg::new("plan").long("plan"),
        ]);
        Command::new("mache").subcommand(Command::new("ci").subcommand(step))
    }

    fn weave(words: &[&str], variables: &[(&str, &str)]) -> Vec<String> {
        let words = words.iter().map(OsString::from).collect();
        let variable = |name: &str| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let woven = woven(&program(), words, variable).expect("a sound plan");
        woven
            .into_iter()
            .map(|word| word.into_string().expect("text"))
            .collect()
    }

    #[test]
    fn flags_win_over_variables_and_those_over_the_plan() {
        let plan = r#"{"elo0": 1, "time_control": "8+0.08", "unknown": "x"}"#;
        let variables = [("MACHE_PLAN", plan), ("MACHE_ELO0", "-2")];
        let words = ["mache", "ci", "step"];
        assert_eq!(
            weave(&words, &variables)[3..],
            [
                "--elo0=-2",
                "--time-control=8+0.08",
                &format!("--plan={plan}")
            ]
        );
        let words = ["mache", "ci", "step", "--elo0", "3", "--time-control=1+0"];
        assert_eq!(weave(&words, &variables)[6..], [format!("--plan={plan}")]);
        let words = ["mache", "ci", "step", r#"--plan={"elo0": 7}"#];
        assert_eq!(weave(&words, &variables[1..])[4..], ["--elo0=-2"]);
        assert_eq!(weave(&words, &[])[4..], ["--elo0=7"]);
    }

    #[test]
    fn an_empty_variable_is_none() {
        let words = ["mache", "ci", "step"];
        assert_eq!(weave(&words, &[("MACHE_ELO0", "")]), words);
    }

    #[test]
    fn a_value_cannot_become_a_flag() {
        let words = ["mache", "ci", "step"];
        let variables = [("MACHE_TIME_CONTROL", "--elo0 5\n--elo0=5")];
        assert_eq!(
            weave(&words, &variables)[3..],
            ["--time-control=--elo0 5\n--elo0=5"]
        );
    }

    #[test]
    fn a_list_has_one_value_a_line() {
        let words = ["mache", "ci", "step"];
        let variables = [("MACHE_OPTIONS", "Hash=16\n\n  Style=a b \n")];
        assert_eq!(
            weave(&words, &variables)[3..],
            ["--options=Hash=16", "--options=Style=a b"]
        );
    }

    #[test]
    fn other_commands_are_left_alone() {
        for words in [
            &["mache", "play"][..],
            &["mache", "ci"],
            &["mache", "ci", "none"],
        ] {
            assert_eq!(weave(words, &[("MACHE_ELO0", "1")]), words);
        }
    }
}
