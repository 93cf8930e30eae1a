//! How games ended, and on whom each fault falls.

use std::collections::BTreeMap;
use std::fmt;

use memchr::memmem;
use shakmaty::Color;

use super::names::Names;
use crate::notation::pgn::{decoded, unescaped};

/// How a game ended: the Termination tag, with `abandoned` told apart by the reason in the last comment.
///
/// Ordered as reports list them: the known kinds first, other words after them by code point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndingKind {
    /// Mate or a draw by the rules.
    Normal,
    /// The runner ended it by its resign, draw, length or tablebase rule.
    Adjudication,
    /// A side overstepped its time.
    TimeForfeit,
    /// An engine's process ended.
    Disconnect,
    /// An engine no longer answered.
    Stall,
    /// An engine failed and no words say how.
    Abandoned,
    /// An engine answered with a move that cannot be played.
    IllegalMove,
    /// The game was broken off.
    Unterminated,
    /// A word of another program, or `unrecorded` where there is none.
    Other(String),
}

const KNOWN: [EndingKind; 8] = [
    EndingKind::Normal,
    EndingKind::Adjudication,
    EndingKind::TimeForfeit,
    EndingKind::Disconnect,
    EndingKind::Stall,
    EndingKind::Abandoned,
    EndingKind::IllegalMove,
    EndingKind::Unterminated,
];

impl EndingKind {
    /// `true` if an engine failed, so that the result says nothing about its chess.
    #[must_use]
    pub const fn is_fault(&self) -> bool {
        match self {
            Self::TimeForfeit
            | Self::Disconnect
            | Self::Stall
            | Self::Abandoned
            | Self::IllegalMove => true,
            Self::Normal | Self::Adjudication | Self::Unterminated | Self::Other(_) => false,
        }
    }

    /// The kind's name in every output.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Normal => "normal",
            Self::Adjudication => "adjudication",
            Self::TimeForfeit => "time forfeit",
            Self::Disconnect => "disconnect",
            Self::Stall => "stall",
            Self::Abandoned => "abandoned",
            Self::IllegalMove => "illegal move",
            Self::Unterminated => "unterminated",
            Self::Other(word) => word,
        }
    }

    /// The kind of that name; any other word is a kind of its own.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        KNOWN
            .into_iter()
            .find(|kind| kind.as_str() == word)
            .unwrap_or_else(|| Self::Other(word.to_owned()))
    }

    fn of(termination: Option<&[u8]>, reason: &[u8]) -> Self {
        let word = match termination {
            None | Some(b"") => return Self::Other("unrecorded".into()),
            Some(word) => word,
        };
        if word == b"abandoned" {
            return if memmem::find(reason, b"connection stalls").is_some() {
                Self::Stall
            } else if memmem::find(reason, b"disconnects").is_some() {
                Self::Disconnect
            } else {
                Self::Abandoned
            };
        }
        KNOWN
            .into_iter()
            .find(|kind| kind.as_str().as_bytes() == word)
            .unwrap_or_else(|| Self::Other(unescaped(&decoded(word)).into_owned()))
    }
}

impl fmt::Display for EndingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Games that ended one way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// How many.
    pub count: u64,
    /// Engines the words in the games blame, and how often. For a disconnect the loser is blamed
    /// even where the words name the other side: a runner may name the side to move.
    pub blamed: BTreeMap<String, u64>,
    /// The same, and where a fault left no words (as on the first move after the book) the loser by the Result.
    pub at_fault: BTreeMap<String, u64>,
}

/// How the games of one or more files ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endings {
    games: u64,
    kinds: BTreeMap<EndingKind, Ending>,
}

/// No game; the known kinds are listed with nought.
impl Default for Endings {
    fn default() -> Self {
        let kinds = KNOWN.map(|kind| (kind, Ending::default()));
        Self {
            games: 0,
            kinds: kinds.into(),
        }
    }
}

impl Endings {
    /// Games with two players, finished or not, whoever played them.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Every known kind and then the others that occurred, in the order of reports.
    pub fn iter(&self) -> impl Iterator<Item = (&EndingKind, &Ending)> {
        self.kinds.iter()
    }

    /// Games of one kind.
    #[must_use]
    pub fn get(&self, kind: &EndingKind) -> Option<&Ending> {
        self.kinds.get(kind)
    }

    /// Games that ended by a fault of an engine.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.faulty().map(|(_, ending)| ending.count).sum()
    }

    /// The faults in a line; `None` when there is none.
    #[must_use]
    pub fn fault_remark(&self) -> Option<String> {
        let kinds: Vec<String> = self
            .faulty()
            .map(|(kind, ending)| format!("{} by {kind}{}", ending.count, shares(ending)))
            .collect();
        (!kinds.is_empty()).then(|| {
            format!(
                "{} of {} games ended by a fault and not by play: {}",
                self.faults(),
                self.games,
                kinds.join(", ")
            )
        })
    }

    fn faulty(&self) -> impl Iterator<Item = (&EndingKind, &Ending)> {
        self.iter()
            .filter(|(kind, ending)| kind.is_fault() && ending.count > 0)
    }
}

fn shares(ending: &Ending) -> String {
    if ending.at_fault.is_empty() {
        return String::new();
    }
    let shares: Vec<String> = ending
        .at_fault
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    format!(" ({})", shares.join(", "))
}

/// How one game ended, by colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) kind: EndingKind,
    pub(super) blamed: Option<Color>,
    pub(super) at_fault: Option<Color>,
}

impl Verdict {
    /// From the Termination tag, the reason (the last comment) and who lost.
    pub(super) fn of(termination: Option<&[u8]>, reason: &[u8], loser: Option<Color>) -> Self {
        let kind = EndingKind::of(termination, reason);
        let named = blame(reason);
        let blamed = match (&kind, named, loser) {
            (EndingKind::Disconnect, Some(_), Some(loser)) => Some(loser),
            (_, named, _) => named,
        };
        let at_fault = blamed.or(loser.filter(|_| kind.is_fault()));
        Self {
            kind,
            blamed,
            at_fault,
        }
    }
}

/// The colour that the first words of blame in a reason name.
fn blame(reason: &[u8]) -> Option<Color> {
    const WORDS: [&[u8]; 4] = [
        b" loses on time",
        b"'s connection stalls",
        b" disconnects",
        b" makes an illegal move",
    ];
    let colours: [(Color, &[u8]); 2] = [(Color::White, b"White"), (Color::Black, b"Black")];
    colours
        .into_iter()
        .flat_map(|(colour, word)| {
            memmem::find_iter(reason, word).filter_map(move |at| {
                let after = &reason[at + word.len()..];
                let told = starts_a_word(reason, at) && WORDS.iter().any(|w| after.starts_with(w));
                told.then_some((at, colour))
            })
        })
        .min_by_key(|(at, _)| *at)
        .map(|(_, colour)| colour)
}

fn starts_a_word(text: &[u8], at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| {
        !(text[before].is_ascii_alphanumeric() || text[before] == b'_' || !text[before].is_ascii())
    })
}

/// Counts of endings by numbers of names.
#[derive(Clone, Debug, Default)]
pub(super) struct EndingCounts {
    games: u64,
    faults: u64,
    kinds: BTreeMap<EndingKind, Count>,
}

#[derive(Clone, Debug, Default)]
struct Count {
    games: u64,
    blamed: BTreeMap<u32, u64>,
    at_fault: BTreeMap<u32, u64>,
}

impl EndingCounts {
    /// Counts a game; `name` numbers the engine of a colour.
    pub(super) fn add_game(&mut self, verdict: Verdict, mut name: impl FnMut(Color) -> u32) {
        self.games += 1;
        self.faults += u64::from(verdict.kind.is_fault());
        let count = self.kinds.entry(verdict.kind).or_default();
        count.games += 1;
        if let Some(colour) = verdict.blamed {
            *count.blamed.entry(name(colour)).or_default() += 1;
        }
        if let Some(colour) = verdict.at_fault {
            *count.at_fault.entry(name(colour)).or_default() += 1;
        }
    }

    /// Adds counts whose names are numbered otherwise.
    pub(super) fn add(&mut self, other: Self, names: &[u32]) {
        let translate = |mine: &mut BTreeMap<u32, u64>, theirs: BTreeMap<u32, u64>| {
            for (name, count) in theirs {
                *mine.entry(names[name as usize]).or_default() += count;
            }
        };
        self.games += other.games;
        self.faults += other.faults;
        for (kind, count) in other.kinds {
            let mine = self.kinds.entry(kind).or_default();
            mine.games += count.games;
            translate(&mut mine.blamed, count.blamed);
            translate(&mut mine.at_fault, count.at_fault);
        }
    }

    pub(super) const fn faults(&self) -> u64 {
        self.faults
    }

    /// Adds these counts to `endings`, under the names themselves.
    pub(super) fn add_to(&self, endings: &mut Endings, names: &Names) {
        let spell = |mine: &mut BTreeMap<String, u64>, theirs: &BTreeMap<u32, u64>| {
            for (name, count) in theirs {
                *mine.entry(names.name(*name).to_owned()).or_default() += count;
            }
        };
        endings.games += self.games;
        for (kind, count) in &self.kinds {
            let mine = endings.kinds.entry(kind.clone()).or_default();
            mine.count += count.games;
            spell(&mut mine.blamed, &count.blamed);
            spell(&mut mine.at_fault, &count.at_fault);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(termination: &str, reason: &str, loser: Option<Color>, expected: (&str, &str, &str)) {
        let verdict = Verdict::of(Some(termination.as_bytes()), reason.as_bytes(), loser);
        let colour = |colour: Option<Color>| colour.map_or_else(String::new, |c| c.to_string());
        let (blamed, at_fault) = (colour(verdict.blamed), colour(verdict.at_fault));
        assert_eq!(
            (verdict.kind.as_str(), blamed.as_str(), at_fault.as_str()),
            expected
        );
    }

    #[test]
    fn kinds_and_blame() {
        let black = Some(Color::Black);
        case(
            "normal",
            "+1/2 0.1s, White mates",
            black,
            ("normal", "", ""),
        );
        case(
            "time forfeit",
            "x, Black loses on time (102ms overrun)",
            black,
            ("time forfeit", "black", "black"),
        );
        case(
            "abandoned",
            "White's connection stalls",
            Some(Color::White),
            ("stall", "white", "white"),
        );
        case("abandoned", "book", black, ("abandoned", "", "black"));
        case("abandoned", "book", None, ("abandoned", "", ""));
        case("resigned", "Black resigns", black, ("resigned", "", ""));
        case("", "x", black, ("unrecorded", "", ""));
        case(
            "normal",
            "White disconnects",
            black,
            ("normal", "white", "white"),
        );
    }

    #[test]
    fn a_disconnect_is_the_losers_whatever_the_words_say() {
        let black = Some(Color::Black);
        case(
            "abandoned",
            "White disconnects",
            black,
            ("disconnect", "black", "black"),
        );
        case(
            "abandoned",
            "White disconnects",
            None,
            ("disconnect", "white", "white"),
        );
    }

    #[test]
    fn blame_needs_the_exact_words() {
        let lost = Some(Color::Black);
        for reason in [
            "white loses on time",
            "White lost on time",
            "NotWhite loses on time",
            "Black loses\non time",
        ] {
            case("time forfeit", reason, lost, ("time forfeit", "", "black"));
        }
        case(
            "time forfeit",
            "x/White loses on time, Black disconnects",
            lost,
            ("time forfeit", "white", "white"),
        );
    }

    #[test]
    fn the_fault_remark_names_kinds_and_engines() {
        let mut names = Names::default();
        let mut counts = EndingCounts::default();
        for (reason, termination) in [
            ("Black loses on time", "time forfeit"),
            ("White disconnects", "abandoned"),
            ("White mates", "normal"),
            ("book", "abandoned"),
        ] {
            let verdict = Verdict::of(Some(termination.as_bytes()), reason.as_bytes(), None);
            counts.add_game(verdict, |colour| match colour {
                Color::White => names.number("new".into()),
                Color::Black => names.number("old".into()),
            });
        }
        let mut endings = Endings::default();
        assert_eq!(endings.fault_remark(), None);
        counts.add_to(&mut endings, &names);
        assert_eq!(counts.faults(), 3);
        assert_eq!(
            endings.fault_remark().unwrap(),
            "3 of 4 games ended by a fault and not by play: 1 by time forfeit (old 1), 1 by disconnect (new 1), 1 by abandoned"
        );
    }
}
