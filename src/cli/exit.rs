//! Exit codes, and which of them an error stands for.

use std::io;
use std::process::ExitCode;

/// The question was answered, whatever the answer.
pub const ANSWERED: ExitCode = ExitCode::SUCCESS;
/// Something failed: a file, an engine, counts that fit no test; or the verdict is one that `--fail-on` names.
pub const FAILED: u8 = 1;
/// The arguments were refused; nothing was read or played.
pub const REFUSED: u8 = 2;

/// Arguments that were each readable and make no sense together, found before any file was opened.
///
/// A command returns it as its error to end with [`REFUSED`] rather than [`FAILED`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// The exit code of a command that ended in this error.
#[must_use]
pub fn of_error(error: &anyhow::Error) -> ExitCode {
    if error.is::<Refused>() {
        return REFUSED.into();
    }
    if reader_is_gone(error) {
        return ANSWERED;
    }
    FAILED.into()
}

/// Whether whoever read our standard output closed it (`mache … | head -1`), which is no failure of ours.
#[must_use]
pub fn reader_is_gone(error: &anyhow::Error) -> bool {
    let io = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<io::Error>());
    io.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    /// Codes can only be compared by what they print.
    fn code(error: anyhow::Error) -> String {
        format!("{:?}", of_error(&error))
    }

    #[test]
    fn an_error_has_the_code_of_its_kind() {
        let refused = Refused("no".to_owned());
        assert_eq!(
            code(refused.into()),
            format!("{:?}", ExitCode::from(REFUSED))
        );
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(code(full.into()), format!("{:?}", ExitCode::from(FAILED)));
    }

    #[test]
    fn a_closed_pipe_is_found_below_its_context() {
        let closed = Err::<(), _>(io::Error::from(io::ErrorKind::BrokenPipe));
        let error = closed.context("cannot print").expect_err("it was made one");
        assert!(reader_is_gone(&error));
        assert_eq!(code(error), format!("{ANSWERED:?}"));
    }
}
