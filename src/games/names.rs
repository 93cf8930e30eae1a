//! Names of engines as small numbers.

use std::collections::HashMap;

use crate::notation::pgn::{decoded, unescaped};

/// Whose games are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Sides<'q> {
    /// Nobody's: only endings are counted.
    #[default]
    Nobody,
    /// One engine's, with its clocks and search.
    Match {
        candidate: &'q str,
        baseline: &'q str,
    },
    /// Every engine's.
    Everyone,
}

impl<'q> Sides<'q> {
    /// The engine whose games are asked for.
    pub(super) fn candidate(self) -> Option<&'q str> {
        match self {
            Self::Match { candidate, .. } => Some(candidate),
            Self::Nobody | Self::Everyone => None,
        }
    }

    /// The opponent that is expected.
    pub(super) fn baseline(self) -> Option<&'q str> {
        match self {
            Self::Match { baseline, .. } => Some(baseline),
            Self::Nobody | Self::Everyone => None,
        }
    }

    /// The name as it is shown. One side's own name is taken as it stands, others without the standard's escapes.
    pub(super) fn name(self, raw: &[u8]) -> String {
        let text = decoded(raw);
        let own = [self.candidate(), self.baseline()];
        if own.contains(&Some(text.as_ref())) {
            return text.into_owned();
        }
        unescaped(&text).into_owned()
    }
}

/// Names in order of first appearance, as they stand in the tags.
#[derive(Debug, Default)]
pub(super) struct RawNames {
    names: Vec<Box<[u8]>>,
    candidates: Vec<bool>,
    numbers: HashMap<Box<[u8]>, u32>,
    /// The two names met last: a match has no more.
    recent: [u32; 2],
}

impl RawNames {
    /// The name's number and whether it is the candidate's.
    #[inline]
    pub(super) fn number(&mut self, raw: &[u8], sides: Sides<'_>) -> (u32, bool) {
        let known = self.recent.into_iter().find(|&number| {
            self.names
                .get(number as usize)
                .is_some_and(|name| **name == *raw)
        });
        let number = match known {
            Some(number) => number,
            None => self.look_up(raw, sides),
        };
        (number, self.candidates[number as usize])
    }

    fn look_up(&mut self, raw: &[u8], sides: Sides<'_>) -> u32 {
        let number = match self.numbers.get(raw) {
            Some(&number) => number,
            None => {
                let number = u32::try_from(self.names.len()).expect("a piece has fewer names");
                self.names.push(raw.into());
                self.numbers.insert(raw.into(), number);
                let own = sides
                    .candidate()
                    .is_some_and(|name| sides.name(raw) == name);
                self.candidates.push(own);
                number
            }
        };
        self.recent = [number, self.recent[0]];
        number
    }

    pub(super) fn into_raw(self) -> Vec<Box<[u8]>> {
        self.names
    }
}

/// Names of all files, as shown, in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    pub(super) fn number(&mut self, name: String) -> u32 {
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        let number = u32::try_from(self.names.len()).expect("fewer names than games");
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    pub(super) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    pub(super) fn all(&self) -> &[String] {
        &self.names
    }
}
