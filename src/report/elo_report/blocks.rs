//! The blocks that people paste, in the words and with the decimals of the program each comes from.

use std::fmt::{self, Write};

use super::{Common, EloReport, Figures, Judged};
use crate::report::escape::one_line;
use crate::stats::Verdict;

impl EloReport {
    /// As fastchess reports a match.
    #[must_use]
    pub fn fastchess(&self) -> String {
        text(|block| self.write_fastchess(block))
    }

    /// As cutechess reports a match: over games, whatever pairs there are.
    #[must_use]
    pub fn cutechess(&self) -> String {
        text(|block| self.write_cutechess(block))
    }

    /// As OpenBench reports a test.
    #[must_use]
    pub fn openbench(&self) -> String {
        text(|block| self.write_openbench(block))
    }

    /// As fishtest reports a test.
    #[must_use]
    pub fn fishtest(&self) -> String {
        text(|block| self.write_fishtest(block))
    }

    fn write_fastchess(&self, block: &mut String) -> fmt::Result {
        let Common {
            games,
            points,
            elo,
            elo_error,
            nelo,
            nelo_error,
            los,
            draw_ratio,
            elo_reach: _,
        } = self.common();
        if let Some((first, second)) = &self.names {
            let title = format!("Results of {first} vs {second}:");
            writeln!(block, "{}", one_line(&title))?;
        }
        write!(block, "Elo: {elo:.2} +/- {elo_error:.2}, ")?;
        writeln!(block, "nElo: {nelo:.2} +/- {nelo_error:.2}")?;
        let (los, draws) = (100.0 * los, 100.0 * draw_ratio);
        write!(block, "LOS: {los:.2} %, DrawRatio: {draws:.2} %")?;
        if let Figures::Pairs { figures, .. } = &self.figures {
            write!(block, ", PairsRatio: {:.2}", figures.pairs_ratio)?;
        }
        write!(block, "\nGames: {games}")?;
        if let Some(of) = self.whole_games() {
            let (wins, losses, draws) = (of.wins, of.losses, of.draws);
            write!(block, ", Wins: {wins}, Losses: {losses}, Draws: {draws}")?;
        }
        let share = 100.0 * points / games as f64;
        writeln!(block, ", Points: {points:.1} ({share:.2} %)")?;
        if let Figures::Pairs {
            pairs, figures, wl, ..
        } = &self.figures
        {
            write!(block, "Ptnml(0-2): {:?}", pairs.counts())?;
            if wl.is_some() {
                write!(block, ", WL/DD Ratio: {:.2}", figures.wl_dd_ratio)?;
            }
            writeln!(block)?;
        }
        match &self.test {
            None => Ok(()),
            Some(test) => {
                let (lower, upper) = test.sprt.bounds();
                let (llr, share) = (test.llr, test.share());
                let (elo0, elo1) = (test.sprt.elo0(), test.sprt.elo1());
                writeln!(
                    block,
                    "LLR: {llr:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]"
                )
            }
        }
    }

    fn write_cutechess(&self, block: &mut String) -> fmt::Result {
        let names = self.names.as_ref();
        let (first, second) = names.map_or(("A", "B"), |(one, other)| (one, other));
        if let Some(games) = self.games {
            let score = games.points() / games.games() as f64;
            let title = format!(
                "Score of {first} vs {second}: {} - {} - {}  [{score:.3}] {}",
                games.wins,
                games.losses,
                games.draws,
                games.games()
            );
            writeln!(block, "{}", one_line(&title))?;
            let figures = games.figures();
            writeln!(
                block,
                "Elo difference: {:.1} +/- {:.1}, LOS: {:.1} %, DrawRatio: {:.1} %",
                figures.elo,
                figures.elo_error,
                100.0 * figures.decided_los,
                100.0 * figures.draw_ratio
            )?;
        }
        match &self.test {
            None => Ok(()),
            Some(test) => {
                let (lower, upper) = test.sprt.bounds();
                let decided = match test.verdict {
                    Verdict::Passed => " - H1 was accepted",
                    Verdict::Failed => " - H0 was accepted",
                    Verdict::Inconclusive => "",
                };
                writeln!(
                    block,
                    "SPRT: llr {:.3} ({:.1}%), lbound {lower:.2}, ubound {upper:.2}{decided}",
                    test.llr,
                    test.share()
                )
            }
        }
    }

    fn write_openbench(&self, block: &mut String) -> fmt::Result {
        let Common {
            games,
            elo,
            elo_reach,
            ..
        } = self.common();
        writeln!(block, "Elo   | {elo:.2} +- {elo_reach:.2} (95%)")?;
        if let Some(test) = &self.test {
            let (lower, upper) = test.sprt.bounds();
            let (elo0, elo1) = (test.sprt.elo0(), test.sprt.elo1());
            let llr = test.llr;
            writeln!(
                block,
                "LLR   | {llr:.2} ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]"
            )?;
        }
        writeln!(block, "Games | N: {games}{}", self.lettered())?;
        match &self.figures {
            Figures::Pairs { pairs, .. } => writeln!(block, "Penta | {:?}", pairs.counts()),
            Figures::Games { .. } => Ok(()),
        }
    }

    fn write_fishtest(&self, block: &mut String) -> fmt::Result {
        let Common {
            games,
            elo,
            elo_error,
            nelo,
            nelo_error,
            los,
            ..
        } = self.common();
        match &self.test {
            Some(test) => {
                let (lower, upper) = test.sprt.bounds();
                let (elo0, elo1) = (test.sprt.elo0(), test.sprt.elo1());
                let llr = test.llr;
                writeln!(
                    block,
                    "LLR: {llr:.2} ({lower:.2},{upper:.2}) <{elo0:.2},{elo1:.2}>"
                )?;
            }
            None => {
                let los = 100.0 * los;
                writeln!(block, "Elo: {elo:.2} ± {elo_error:.1} (95%) LOS: {los:.1}%")?;
            }
        }
        writeln!(block, "Total: {games}{}", self.lettered())?;
        match &self.figures {
            Figures::Pairs {
                pairs,
                figures,
                fishtest_nelo_error: error,
                ..
            } => {
                let [ll, ld, even, wd, ww] = pairs.counts();
                writeln!(block, "Ptnml(0-2): {ll}, {ld}, {even}, {wd}, {ww}")?;
                let ratio = figures.pairs_ratio;
                writeln!(
                    block,
                    "nElo: {nelo:.2} ± {error:.1} (95%) PairsRatio: {ratio:.2}"
                )
            }
            Figures::Games { .. } => {
                writeln!(block, "nElo: {nelo:.2} ± {nelo_error:.1} (95%)")
            }
        }
    }

    /// Results of all games, where they are known and all are part of pairs.
    fn whole_games(&self) -> Option<crate::stats::Trinomial> {
        let games = self.games?;
        (games.games() == self.common().games).then_some(games)
    }

    /// ` W: 1809 L: 1655 D: 3208`, or nothing.
    fn lettered(&self) -> String {
        self.whole_games().map_or_else(String::new, |games| {
            format!(" W: {} L: {} D: {}", games.wins, games.losses, games.draws)
        })
    }
}

impl Judged {
    /// The ratio in hundredths of the bound it goes towards, negative towards the lower one.
    pub(super) fn share(&self) -> f64 {
        let (lower, upper) = self.sprt.bounds();
        if self.llr >= 0.0 {
            100.0 * self.llr / upper
        } else {
            -100.0 * self.llr / lower
        }
    }
}

/// What is written, with figures that are no number as the programs print them.
fn text(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut block = String::new();
    write(&mut block).expect("a string takes all text");
    block.replace("NaN", "nan")
}
