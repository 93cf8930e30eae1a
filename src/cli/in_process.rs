//! One command run inside another, by the words that a person would type.

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::exit::Refused;

/// Reads the words behind `mache` as the command would.
///
/// # Errors
/// When the command refuses them.
pub(super) fn read<C: Args + FromArgMatches>(words: &[String]) -> Result<C, Refused> {
    let command = C::augment_args(Command::new("mache"));
    let given: ArgMatches = command.try_get_matches_from(words).map_err(refused)?;
    C::from_arg_matches(&given).map_err(refused)
}

/// What clap says, without the usage it adds.
fn refused(error: clap::Error) -> Refused {
    let text = error.to_string();
    let why = text.split("\n\n").next().unwrap_or_default();
    Refused(why.trim_start_matches("error: ").trim_end().to_owned())
}
