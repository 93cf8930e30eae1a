//! Results as people paste them: blocks of fastchess, cutechess, OpenBench and fishtest.

use crate::stats::{Pentanomial, Trinomial};

/// What a pasted text says. Of figures given several times, as a log does, the last ones count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastedResult {
    /// The first engine and the second, where they are named.
    pub names: Option<(String, String)>,
    /// Games lost, drawn and won by the first engine.
    pub games: Option<Trinomial>,
    /// Its pairs.
    pub pairs: Option<Pentanomial>,
}

impl PastedResult {
    /// Reads every line that is known: `Score of A vs B: W - L - D  [s] N`, `Results of A vs B (…):`,
    /// `Games: N, Wins: W, Losses: L, Draws: D, …`, `Games | N: … W: … L: … D: …`, `Total: N W: … L: … D: …`,
    /// `Ptnml(0-2): …` and `Penta | […]`. All else is passed over.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut result = Self::default();
        for line in text.lines() {
            result.take(line.trim_start_matches(|c: char| c.is_whitespace() || ">|`".contains(c)));
        }
        result
    }

    fn take(&mut self, line: &str) {
        if let Some(score) = line.strip_prefix("Score of ") {
            self.take_score(score);
        } else if let Some(title) = line.strip_prefix("Results of ") {
            // The brackets that hold time control and book are the last ones; a name may have its own.
            let names = title.rsplit_once(" (").map_or(title, |(names, _)| names);
            self.names = two_names(names.trim_end_matches([':', ' ']));
        } else if let Some(counts) = after_word(line, "Ptnml(0-2)").or(after_word(line, "Penta")) {
            let counts = counts.split(", WL/DD").next().unwrap_or(counts);
            self.pairs = five(counts).or(self.pairs);
        } else if let Some(rest) = after_word(line, "Games").or(after_word(line, "Total")) {
            self.games = lettered(rest).or(self.games);
        }
    }

    /// `A vs B: W - L - D  [s] N`. Names may hold colons.
    fn take_score(&mut self, line: &str) {
        let Some((names, counts)) = line.rsplit_once(": ") else {
            return;
        };
        let counts = counts.split('[').next().unwrap_or(counts);
        let mut counts = counts.split(" - ").map(|count| count.trim().parse().ok());
        if let (Some(Some(wins)), Some(Some(losses)), Some(Some(draws)), None) =
            (counts.next(), counts.next(), counts.next(), counts.next())
        {
            self.names = two_names(names);
            self.games = Some(Trinomial {
                losses,
                draws,
                wins,
            });
        }
    }
}

fn two_names(text: &str) -> Option<(String, String)> {
    let (first, second) = text.split_once(" vs ")?;
    Some((first.to_owned(), second.to_owned()))
}

/// What follows the word and a colon or bar behind it.
fn after_word<'t>(line: &'t str, word: &str) -> Option<&'t str> {
    line.strip_prefix(word)?
        .trim_start()
        .strip_prefix([':', '|'])
}

/// Five numbers with commas between them, in brackets or not.
fn five(text: &str) -> Option<Pentanomial> {
    let text = text.trim().trim_matches(['[', ']']);
    let counts: Option<Vec<u64>> = text
        .split(',')
        .map(|count| count.trim().parse().ok())
        .collect();
    Some(Pentanomial::new(counts?.try_into().ok()?))
}

/// Counts behind `W:` or `Wins:`, `L:` or `Losses:`, `D:` or `Draws:`.
fn lettered(text: &str) -> Option<Trinomial> {
    let words: Vec<&str> = text
        .split([' ', ',', '\t'])
        .filter(|word| !word.is_empty())
        .collect();
    let count = |names: [&str; 2]| {
        let at = words.iter().position(|word| names.contains(word))?;
        words.get(at + 1)?.parse().ok()
    };
    Some(Trinomial {
        losses: count(["L:", "Losses:"])?,
        draws: count(["D:", "Draws:"])?,
        wins: count(["W:", "Wins:"])?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn case(
        text: &str,
        names: Option<(&str, &str)>,
        games: Option<[u64; 3]>,
        pairs: Option<[u64; 5]>,
    ) {
        let read = PastedResult::read(text);
        let named = read
            .names
            .as_ref()
            .map(|(one, other)| (one.as_str(), other.as_str()));
        assert_eq!(named, names);
        let counted = read
            .games
            .map(|games| [games.wins, games.losses, games.draws]);
        assert_eq!(counted, games, "{text}");
        assert_eq!(read.pairs.map(Pentanomial::counts), pairs, "{text}");
    }

    #[test]
    fn a_block_of_fastchess() {
        let text = "Results of new (dev) vs old (10+0.1, 1t, 16MB, book.epd):\n\
                    Elo: 120.41 +/- 72.06, nElo: 161.99 +/- 87.91\n\
                    LOS: 99.98 %, DrawRatio: 33.33 %, PairsRatio: 9.00\n\
                    Games: 60, Wins: 32, Losses: 12, Draws: 16, Points: 40.0 (66.67 %)\n\
                    Ptnml(0-2): [2, 0, 10, 12, 6], WL/DD Ratio: 4.00\n\
                    LLR: 0.30 (10.1%) (-2.94, 2.94) [0.00, 5.00]\n";
        case(
            text,
            Some(("new (dev)", "old")),
            Some([32, 12, 16]),
            Some([2, 0, 10, 12, 6]),
        );
    }

    #[test]
    fn a_log_of_cutechess() {
        let text = "Score of A vs B: 1 - 0 - 0  [1.000] 1\nFinished game 2 (B vs A): 1/2-1/2 {Draw}\n\
                    Score of A: 2 vs B: 491 - 179 - 606  [0.622] 1276\nElo difference: 86.7 +/- 13.8\n";
        case(text, Some(("A: 2", "B")), Some([491, 179, 606]), None);
    }

    #[test]
    fn blocks_of_openbench_and_fishtest() {
        let text = "Elo   | 29.65 +- 9.89 (95%)\nSPRT  | 8.0+0.08s Threads=1 Hash=32MB\n\
                    LLR   | 2.96 (-2.94, 2.94) [0.00, 5.00]\nGames | N: 1386 W: 366 L: 248 D: 772\n\
                    Penta | [10, 83, 415, 149, 36]\n";
        case(
            text,
            None,
            Some([366, 248, 772]),
            Some([10, 83, 415, 149, 36]),
        );
        let text = "> LLR: 2.95 (-2.94,2.94) <0.00,2.00>\r\n> Total: 6672 W: 1809 L: 1655 D: 3208\r\n\
                    > Ptnml(0-2): 63, 600, 1868, 730, 75\r\n";
        case(
            text,
            None,
            Some([1809, 1655, 3208]),
            Some([63, 600, 1868, 730, 75]),
        );
    }

    #[test]
    fn broken_lines_say_nothing() {
        for text in [
            "",
            "Ptnml(0-2): 1, 2, 3, 4",
            "Penta | [1, 2, x, 4, 5]",
            "Score of A vs B: 1 - 2",
            "Games: 10, Wins: -1, Losses: 2, Draws: 3",
            "Gamesmanship: W: 1 L: 2 D: 3",
        ] {
            case(text, None, None, None);
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_pasted(text in r"(Score of |Results of |Ptnml\(0-2\): |Games[:|]|[ -~\n]){0,12}") {
            let _ = PastedResult::read(&text);
        }
    }
}
