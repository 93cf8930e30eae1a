//! What a match prints when it is over, in the layout fastchess made common, and one line on faults.

use std::fmt::{self, Write};

use crate::report::escape::one_line;
use crate::stats::{FastchessFigures, Pentanomial};

/// A match that was played, as its last words need it. Figures are over complete pairs.
#[derive(Clone, Debug)]
pub struct PlaySummary {
    /// The engines' names; every figure is from the first one's side.
    pub engines: [String; 2],
    /// The time control as it was given, the two with ` - ` between them where they differ: `10+0.1`.
    pub tc: String,
    /// Threads an engine has, `1t`; `NULL` when it offers no such option.
    pub threads: String,
    /// Hash an engine has, `16MB`; `NULL` when it offers no such option.
    pub hash: String,
    /// The book's name.
    pub book: String,
    /// Games won, drawn and lost by the first engine.
    pub wins_draws_losses: [u64; 3],
    /// The pairs.
    pub pairs: Pentanomial,
    /// What fastchess computes from them.
    pub figures: FastchessFigures,
    /// Games each engine lost by a fault (on time, by a crash, a stall or an illegal move), first engine first.
    pub faults: [u64; 2],
}

const RULE: &str = "--------------------------------------------------";

impl PlaySummary {
    /// The block, rules and a last line feed included.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write_text(&mut text).expect("a string takes all text");
        text
    }

    fn write_text(&self, text: &mut String) -> fmt::Result {
        let [first, second] = self.engines.each_ref().map(|name| one_line(name));
        let Self {
            tc,
            threads,
            hash,
            figures,
            ..
        } = self;
        let book = one_line(&self.book);
        writeln!(text, "{RULE}")?;
        writeln!(
            text,
            "Results of {first} vs {second} ({tc}, {threads}, {hash}, {book}):"
        )?;
        writeln!(
            text,
            "Elo: {} +/- {}, nElo: {} +/- {}",
            hundredths(figures.elo),
            hundredths(figures.elo_error),
            hundredths(figures.nelo),
            hundredths(figures.nelo_error)
        )?;
        writeln!(
            text,
            "LOS: {} %, DrawRatio: {} %, PairsRatio: {}",
            hundredths(100.0 * figures.los),
            hundredths(100.0 * figures.draw_ratio),
            hundredths(figures.pairs_ratio)
        )?;
        self.write_games(text)?;
        let [ll, ld, even, wd, ww] = self.pairs.counts();
        let ratio = hundredths(figures.wl_dd_ratio);
        writeln!(
            text,
            "Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}], WL/DD Ratio: {ratio}"
        )?;
        let [ours, theirs] = self.faults;
        writeln!(text, "Faults: {first} {ours}, {second} {theirs}")?;
        writeln!(text, "{RULE}")
    }

    fn write_games(&self, text: &mut String) -> fmt::Result {
        let [wins, draws, losses] = self.wins_draws_losses;
        let games = wins + draws + losses;
        let points = wins as f64 + draws as f64 / 2.0;
        writeln!(
            text,
            "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points:.1} ({} %)",
            hundredths(100.0 * points / games as f64)
        )
    }
}

/// Two decimals; `inf` and `nan` as they are.
fn hundredths(value: f64) -> String {
    if value.is_nan() {
        "nan".to_owned()
    } else {
        format!("{value:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(pairs: [u64; 5], even_by_wins: u64, wins_draws_losses: [u64; 3]) -> PlaySummary {
        let pairs = Pentanomial::new(pairs);
        PlaySummary {
            engines: ["new".to_owned(), "old\u{1b}[31m".to_owned()],
            tc: "10+0.1".to_owned(),
            threads: "1t".to_owned(),
            hash: "16MB".to_owned(),
            book: "openings.epd".to_owned(),
            wins_draws_losses,
            pairs,
            figures: FastchessFigures::of(pairs, even_by_wins),
            faults: [1, 0],
        }
    }

    #[test]
    fn a_match_in_fastchess_layout() {
        insta::assert_snapshot!(summary([2, 0, 10, 12, 6], 8, [32, 16, 12]).text(), @r"
        --------------------------------------------------
        Results of new vs old\x1b[31m (10+0.1, 1t, 16MB, openings.epd):
        Elo: 120.41 +/- 72.06, nElo: 161.99 +/- 87.91
        LOS: 99.98 %, DrawRatio: 33.33 %, PairsRatio: 9.00
        Games: 60, Wins: 32, Losses: 12, Draws: 16, Points: 40.0 (66.67 %)
        Ptnml(0-2): [2, 0, 10, 12, 6], WL/DD Ratio: 4.00
        Faults: new 1, old\x1b[31m 0
        --------------------------------------------------
        ");
    }

    #[test]
    fn a_match_without_a_game() {
        insta::assert_snapshot!(summary([0; 5], 0, [0; 3]).text(), @r"
        --------------------------------------------------
        Results of new vs old\x1b[31m (10+0.1, 1t, 16MB, openings.epd):
        Elo: nan +/- nan, nElo: nan +/- nan
        LOS: nan %, DrawRatio: nan %, PairsRatio: nan
        Games: 0, Wins: 0, Losses: 0, Draws: 0, Points: 0.0 (nan %)
        Ptnml(0-2): [0, 0, 0, 0, 0], WL/DD Ratio: nan
        Faults: new 1, old\x1b[31m 0
        --------------------------------------------------
        ");
    }

    #[test]
    fn a_clean_sweep() {
        insta::assert_snapshot!(summary([0, 0, 0, 0, 3], 0, [6, 0, 0]).text(), @r"
        --------------------------------------------------
        Results of new vs old\x1b[31m (10+0.1, 1t, 16MB, openings.epd):
        Elo: inf +/- nan, nElo: inf +/- nan
        LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf
        Games: 6, Wins: 6, Losses: 0, Draws: 0, Points: 6.0 (100.00 %)
        Ptnml(0-2): [0, 0, 0, 0, 3], WL/DD Ratio: nan
        Faults: new 1, old\x1b[31m 0
        --------------------------------------------------
        ");
    }
}
