//! The two engines of a match: from arguments to what a runner is told.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::limits::LimitArgs;
use super::spec::EngineSpec;
use crate::cli::exit::Refused;
use crate::cli::remark;
use crate::play::engine::{EngineProcess, Identity, Supervision};
use crate::play::{EngineSetup, StopRequest, Waits};

/// Which engines play.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engines")]
pub(super) struct EngineArgs {
    /// One engine; give it twice, the one under test first
    ///
    /// KEY=VALUE pairs separated by commas: name, cmd (the only one that is needed), dir, args, tc, st (seconds a
    /// move), nodes, depth, margin (milliseconds), restart=on, and option.NAME for UCI options. A value with a comma,
    /// or with a quote at its beginning, stands in double quotes; inside, "" or \" is a quote. args are split at blanks;
    /// quotes inside keep blanks and commas together. What is not given here comes from the options for both engines.
    #[arg(long = "engine", value_name = "KEY=VALUE,…")]
    engines: Vec<EngineSpec>,
    /// The engine under test as a command line, named `candidate`; no shell sees it
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "baseline",
        conflicts_with = "engines"
    )]
    candidate: Option<String>,
    /// What it is compared with as a command line, named `baseline`
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "candidate",
        conflicts_with = "engines"
    )]
    baseline: Option<String>,
    /// UCI option Hash of both engines, in MiB
    #[arg(long, value_name = "MIB")]
    hash: Option<u64>,
    /// UCI option Threads of both engines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    threads: Option<u64>,
    /// A UCI option of both engines; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option_pair)]
    options: Vec<(String, String)>,
    /// The commit the engine under test was built from, for the manifest
    #[arg(long, value_name = "TEXT")]
    commit_candidate: Option<String>,
    /// The commit the other engine was built from, for the manifest
    #[arg(long, value_name = "TEXT")]
    commit_baseline: Option<String>,
}

fn option_pair(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(name, value)| (name.trim().to_owned(), value.to_owned()))
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| "write NAME=VALUE".to_owned())
}

/// The two engines, asked who they are.
#[derive(Debug)]
pub(super) struct Engines {
    pub(super) setups: [EngineSetup; 2],
    pub(super) identities: [Identity; 2],
}

impl EngineArgs {
    /// The engines as they were described. Nothing is started yet; a name that was not given is empty.
    pub(super) fn setups(&self, limits: &LimitArgs) -> anyhow::Result<[EngineSetup; 2]> {
        let [first, second] = self.specs()?;
        Ok([self.setup(first, limits)?, self.setup(second, limits)?])
    }

    /// What the person says the engines were built from.
    pub(super) fn commits(&self) -> [Option<String>; 2] {
        [self.commit_candidate.clone(), self.commit_baseline.clone()]
    }

    /// Starts both engines, asks who they are and whether they can be told what they will be told, and ends them.
    ///
    /// An engine without a name gets the one it calls itself.
    pub(super) fn greet(
        &self,
        mut setups: [EngineSetup; 2],
        waits: &Waits,
        stop: &StopRequest,
    ) -> anyhow::Result<Engines> {
        let [first, second] = &mut setups;
        let identities = [
            self.ask(first, waits, stop)?,
            self.ask(second, waits, stop)?,
        ];
        check_names(&setups)?;
        Ok(Engines { setups, identities })
    }

    fn ask(
        &self,
        setup: &mut EngineSetup,
        waits: &Waits,
        stop: &StopRequest,
    ) -> anyhow::Result<Identity> {
        let unnamed = setup.name.is_empty();
        if unnamed {
            setup.name = setup.command.to_string_lossy().into_owned();
        }
        let identity = identity(setup, waits, stop)?;
        drop_idle(&mut setup.options, &identity, "Threads", "1");
        if let Some(hash) = self.hash
            && drop_idle(&mut setup.options, &identity, "Hash", &hash.to_string())
        {
            remark(&format!(
                "the engine `{}` has no option Hash; it is not told a size",
                setup.name
            ));
        }
        check_options(setup, &identity)?;
        if unnamed {
            take_name(setup, &identity)?;
        }
        Ok(identity)
    }

    fn specs(&self) -> anyhow::Result<[EngineSpec; 2]> {
        if let (Some(candidate), Some(baseline)) = (&self.candidate, &self.baseline) {
            let spec = |name: &str, text: &str| {
                EngineSpec::of_command_line(name, text)
                    .map_err(|error| Refused(format!("--{name}: {error}")))
            };
            return Ok([spec("candidate", candidate)?, spec("baseline", baseline)?]);
        }
        let given = self.engines.len();
        <[EngineSpec; 2]>::try_from(self.engines.clone()).map_err(|_| {
            let message = format!(
                "a match needs two engines, not {given}: use --engine twice, or --candidate and --baseline"
            );
            Refused(message).into()
        })
    }

    fn setup(&self, spec: EngineSpec, limits: &LimitArgs) -> anyhow::Result<EngineSetup> {
        let shown = spec.name.clone().unwrap_or_else(|| spec.command.clone());
        let limit = limits.of_engine(spec.limit);
        if limit == crate::play::Limit::default() {
            let message = format!(
                "the engine `{shown}` has no limit: give --tc, --movetime, --nodes or --depth, or the same in its --engine"
            );
            bail!(Refused(message));
        }
        let command = locate(&spec.command, spec.directory.as_deref())
            .with_context(|| format!("the engine `{shown}`"))?;
        Ok(EngineSetup {
            name: spec.name.clone().unwrap_or_default(),
            command,
            arguments: spec.arguments.clone(),
            directory: spec
                .directory
                .as_deref()
                .map(std::path::absolute)
                .transpose()?,
            limit,
            margin: spec.margin.unwrap_or(limits.margin()),
            options: self.options_of(&spec),
            restart: spec.restart,
        })
    }

    /// Options for both engines, then the engine's own; the last one of a name counts.
    fn options_of(&self, spec: &EngineSpec) -> Vec<(String, String)> {
        let number = |name: &str, value: Option<u64>| Some((name.to_owned(), value?.to_string()));
        let common = number("Threads", self.threads)
            .into_iter()
            .chain(number("Hash", self.hash))
            .chain(self.options.iter().cloned());
        let mut options: Vec<(String, String)> = Vec::new();
        for (name, value) in common.chain(spec.options.iter().cloned()) {
            let same = |(other, _): &&mut (String, String)| other.eq_ignore_ascii_case(&name);
            match options.iter_mut().find(same) {
                Some(slot) => *slot = (name, value),
                None => options.push((name, value)),
            }
        }
        options
    }
}

/// The program by its whole path, so that it is the same wherever an engine is started: relative to where we are
/// or to the engine's folder, or on the path when there is no separator in it.
fn locate(command: &str, directory: Option<&Path>) -> anyhow::Result<PathBuf> {
    let given = Path::new(command);
    if given.components().count() > 1 || given.is_absolute() {
        return beside([Some(Path::new("")), directory], given)
            .with_context(|| format!("there is no program `{command}`"));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    beside(folders.iter().map(|folder| Some(folder.as_path())), given)
        .or_else(|| beside([directory], given))
        .with_context(|| {
            format!(
                "`{command}` is not on the path; a program in this folder is written `./{command}`"
            )
        })
}

fn beside<'a>(
    folders: impl IntoIterator<Item = Option<&'a Path>>,
    given: &Path,
) -> Option<PathBuf> {
    let suffix = std::env::consts::EXE_SUFFIX;
    let found = folders.into_iter().flatten().find_map(|folder| {
        let plain = folder.join(given);
        let mut suffixed = plain.clone().into_os_string();
        suffixed.push(suffix);
        [plain, PathBuf::from(suffixed)]
            .into_iter()
            .find(|program| program.is_file())
    })?;
    std::path::absolute(found).ok()
}

fn identity(setup: &EngineSetup, waits: &Waits, stop: &StopRequest) -> anyhow::Result<Identity> {
    let supervision = Supervision {
        interrupt: stop,
        watchdog: None,
    };
    let engine = EngineProcess::start_under(setup, waits, supervision)?;
    let identity = engine.identity().clone();
    engine.quit();
    Ok(identity)
}

/// An engine without the option need not be told this value of it: without Threads it has one, without Hash it has no
/// table. Answers whether it would have been.
fn drop_idle(
    options: &mut Vec<(String, String)>,
    identity: &Identity,
    name: &str,
    value: &str,
) -> bool {
    let told = options.len();
    if identity.option(name).is_none() {
        options.retain(|(other, set)| !(other.eq_ignore_ascii_case(name) && set == value));
    }
    options.len() < told
}

/// Refuses what the engine does not take, and writes the names of options as it does.
fn check_options(setup: &mut EngineSetup, identity: &Identity) -> Result<(), Refused> {
    identity
        .check(&setup.options)
        .map_err(|error| Refused(format!("the engine `{}`: {error}", setup.name)))?;
    for (name, _) in &mut setup.options {
        if let Some(option) = identity.option(name) {
            name.clone_from(&option.name);
        }
    }
    Ok(())
}

fn take_name(setup: &mut EngineSetup, identity: &Identity) -> Result<(), Refused> {
    if identity.name.is_empty() {
        return Err(Refused(format!(
            "the engine `{}` does not say its name: give name=… in its --engine",
            setup.name
        )));
    }
    setup.name.clone_from(&identity.name);
    Ok(())
}

fn check_names(setups: &[EngineSetup; 2]) -> Result<(), Refused> {
    let [first, second] = setups;
    if first.name == second.name {
        let message = format!(
            "both engines are called `{}`: give each a name of its own with name=… in its --engine",
            first.name
        );
        return Err(Refused(message));
    }
    for engine in setups {
        if engine.name.chars().any(char::is_control) || engine.name.trim() != engine.name {
            let message = format!(
                "an engine's name is one line without blanks around it, not `{}`",
                engine.name.escape_debug()
            );
            return Err(Refused(message));
        }
    }
    Ok(())
}

impl Engines {
    /// Threads of the engine that searches with more of them.
    pub(super) fn threads(&self) -> std::num::NonZeroUsize {
        let counts = self.setups.iter().zip(&self.identities).map(threads);
        counts.max().unwrap_or(std::num::NonZeroUsize::MIN)
    }
}

fn threads((setup, identity): (&EngineSetup, &Identity)) -> std::num::NonZeroUsize {
    use crate::notation::uci::OptionKind;
    let told = setup
        .options
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("Threads"))
        .and_then(|(_, value)| value.parse().ok());
    let own = identity
        .option("Threads")
        .and_then(|option| match option.kind {
            OptionKind::Spin { default, .. } => default?.try_into().ok(),
            OptionKind::Check { .. }
            | OptionKind::Combo { .. }
            | OptionKind::Button
            | OptionKind::String { .. } => None,
        });
    told.or(own)
        .and_then(std::num::NonZeroUsize::new)
        .unwrap_or(std::num::NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args() -> EngineArgs {
        EngineArgs {
            engines: Vec::new(),
            candidate: None,
            baseline: None,
            hash: Some(64),
            threads: Some(2),
            options: vec![("Ponder".to_owned(), "false".to_owned())],
            commit_candidate: None,
            commit_baseline: None,
        }
    }

    #[test]
    fn an_engines_own_options_override_those_of_both() {
        let spec: EngineSpec = "cmd=x,option.hash=8,option.Style=Risky".parse().unwrap();
        let options = args().options_of(&spec);
        let shown: Vec<String> = options.iter().map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(
            shown,
            ["Threads=2", "hash=8", "Ponder=false", "Style=Risky"]
        );
    }

    #[test]
    fn one_or_three_engines_are_no_match() {
        let mut args = args();
        args.engines = vec!["cmd=x".parse().unwrap()];
        let error = args.specs().unwrap_err();
        assert!(error.is::<Refused>());
        insta::assert_snapshot!(error, @"a match needs two engines, not 1: use --engine twice, or --candidate and --baseline");
    }

    #[test]
    fn programs_are_found_beside_us_in_the_folder_and_on_the_path() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("engine"), "").unwrap();
        let whole = folder.path().join("engine");
        let text = whole.to_str().unwrap();
        assert_eq!(locate(text, None).unwrap(), whole);
        assert_eq!(
            locate("./engine", Some(folder.path())).unwrap(),
            folder.path().join("./engine")
        );
        assert_eq!(locate("engine", Some(folder.path())).unwrap(), whole);
        let missing = locate("no-such-engine", None).unwrap_err();
        insta::assert_snapshot!(missing, @"`no-such-engine` is not on the path; a program in this folder is written `./no-such-engine`");
        insta::assert_snapshot!(locate("./no/such", None).unwrap_err(), @"there is no program `./no/such`");
    }
}
