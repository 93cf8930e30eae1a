//! A result in a comment, and in the line of a commit status.

use std::fmt::{self, Write};

use super::{MatchResult, Model, ResultVerdict, TestResult};
use crate::report::escape::inline;
use crate::report::number::{bound, counted, grouped, grouped_rounded, short};

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
        let figure = self.figure();
        let Some(test) = &self.sprt else {
            return format!("{figure}, {}", counted(self.pairs, "pair"));
        };
        match (test.verdict, test.further) {
            (ResultVerdict::Inconclusive, Some(further)) => format!(
                "inconclusive, LLR {} so far; about {} further pairs expected",
                test.ratio(),
                grouped_rounded(further.measured.pairs)
            ),
            (verdict, _) => format!("{}, {figure}, LLR {}", verdict.word(), test.ratio()),
        }
    }

    fn write(&self, text: &mut String, title: &str, run: &str) -> fmt::Result {
        let verdict = self.verdict().map_or("", |verdict| match verdict {
            ResultVerdict::Passed => ": passed",
            ResultVerdict::Failed => ": failed",
            ResultVerdict::Inconclusive => ": inconclusive so far",
        });
        writeln!(text, "### {title}{verdict}\n")?;
        write!(
            text,
            "{} against {}",
            inline(&shown(&self.candidate)),
            inline(&shown(&self.baseline))
        )?;
        if !self.tc.is_empty() {
            write!(text, " at {}", inline(&shown(&self.tc)))?;
        }
        let (pairs, games) = (counted(self.pairs, "pair"), counted(self.games, "game"));
        writeln!(text, ": **{}**, {pairs} from {games}.", self.figure())?;
        writeln!(text, "\n| pair score | 0 | 0.5 | 1 | 1.5 | 2 |")?;
        writeln!(text, "| --- | --: | --: | --: | --: | --: |")?;
        let counts: Vec<String> = self.pentanomial.iter().copied().map(grouped).collect();
        writeln!(text, "| pairs | {} |", counts.join(" | "))?;
        if let Some(test) = &self.sprt {
            writeln!(text, "\n{}", test.sentences())?;
        }
        writeln!(text, "\n[The whole report]({run})")
    }

    /// `+12.3 ±4.5 Elo`, or what there is of it.
    fn figure(&self) -> String {
        match (self.elo, self.margin) {
            (Some(elo), Some(margin)) => format!("{:+.1} ±{margin:.1} Elo", elo + 0.0),
            (Some(elo), None) => format!("{:+.1} Elo", elo + 0.0),
            (None, _) => "no Elo figure".to_owned(),
        }
    }
}

impl TestResult {
    /// `1.74 (-2.94, 2.94)`.
    fn ratio(&self) -> String {
        format!("{:.2} ({:.2}, {:.2})", self.llr, self.lower, self.upper)
    }

    fn sentences(&self) -> String {
        let unit = match self.model {
            Model::Logistic => "Elo",
            Model::Normalized => "normalized Elo",
            Model::Bayesian => "BayesElo",
        };
        let mut text = format!(
            "SPRT [{}, {}] {unit} at error rates of {}% and {}%: LLR {}.",
            bound(self.elo0),
            bound(self.elo1),
            short(100.0 * self.alpha),
            short(100.0 * self.beta),
            self.ratio()
        );
        let prior = self.prior.iter().sum::<u64>();
        if prior > 0 {
            text += &format!(" {} of the test were carried over.", counted(prior, "pair"));
        }
        if let (ResultVerdict::Inconclusive, Some(further)) = (self.verdict, self.further) {
            text += &format!(
                " About {} further pairs are to be expected, in nine of ten cases no more than {}.",
                grouped_rounded(further.measured.pairs),
                grouped_rounded(further.measured.pairs_p90)
            );
        }
        text
    }
}

/// A name, cut where it is longer than any sensible one.
fn shown(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    let kept: String = name.chars().take(LONGEST_NAME).collect();
    kept + "…"
}
