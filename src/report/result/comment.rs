//! A result in a comment, and in the line of a commit status.

use std::fmt::{self, Write};

use super::MatchResult;
use crate::report::check::CheckedTest;
use crate::report::escape::inline;
use crate::report::number::{counted, grouped, grouped_rounded};
use crate::report::words;
use crate::stats::Verdict;

/// Characters of a name that are shown.
const LONGEST_NAME: usize = 80;

impl MatchResult {
    /// The result as Markdown for a comment; `run` is the address of the run with the whole report.
    #[must_use]
    pub fn comment(&self, title: &str, run: &str) -> String {
        let mut text = String::new();
        self.write(&mut text, title, run)
            .expect("a string takes all text");
        text
    }

    /// The result in one line without any name, for a commit status of up to 140 characters.
    #[must_use]
    pub fn status_line(&self) -> String {
        let line = &self.checked.line;
        match (self.verdict(), self.further) {
            // First, so that no cut takes it away.
            (Some(Verdict::Inconclusive), Some(further)) => format!(
                "about {} further pairs expected: {line}",
                grouped_rounded(further.pairs)
            ),
            (Some(_) | None, _) => line.clone(),
        }
    }

    fn write(&self, text: &mut String, title: &str, run: &str) -> fmt::Result {
        let checked = &self.checked;
        let verdict = self.verdict().map_or("", |verdict| match verdict {
            Verdict::Passed => ": passed",
            Verdict::Failed => ": failed",
            Verdict::Inconclusive => ": inconclusive so far",
        });
        writeln!(text, "### {title}{verdict}\n")?;
        let names = &checked.names;
        write!(
            text,
            "{} against {}",
            shown(&names.candidate),
            shown(&names.baseline)
        )?;
        if !names.tc.is_empty() {
            write!(text, " at {}", shown(&names.tc))?;
        }
        let pairs = counted(checked.pairs.pairs(), "pair");
        writeln!(text, ": **{}**, {pairs}.", checked.line)?;
        writeln!(text, "\n| pair score | 0 | 0.5 | 1 | 1.5 | 2 |")?;
        writeln!(text, "| --- | --: | --: | --: | --: | --: |")?;
        writeln!(
            text,
            "| pairs | {} |",
            checked.pairs.counts().map(grouped).join(" | ")
        )?;
        if let Some(test) = &checked.test {
            writeln!(text, "\n{}", self.sentences(test))?;
        }
        writeln!(text, "\n[The whole report]({run})")
    }

    fn sentences(&self, test: &CheckedTest) -> String {
        let mut text = format!("{}.", words::test(&test.sprt));
        let prior = test.prior.pairs();
        if prior > 0 {
            text += &format!(" {} of the test carried over.", counted(prior, "pair"));
        }
        if let (Verdict::Inconclusive, Some(further)) = (test.verdict, self.further) {
            text += &format!(
                " About {} further pairs are to be expected, in nine of ten cases no more than {}.",
                grouped_rounded(further.pairs),
                grouped_rounded(further.pairs_p90)
            );
        }
        text
    }
}

/// A name, escaped, and cut where it is longer than any sensible one.
fn shown(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return inline(name).into_owned();
    }
    let kept: String = name.chars().take(LONGEST_NAME).collect();
    inline(&(kept + "…")).into_owned()
}
