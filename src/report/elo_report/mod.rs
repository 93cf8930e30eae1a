//! Counts typed in or pasted, and the figures each community reads in them.

mod blocks;
mod document;

use crate::notation::PastedResult;
use crate::stats::{
    FastchessFigures, GameFigures, Pentanomial, Sprt, Trinomial, Unfittable, Verdict,
};

/// Why counts are no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InvalidCounts {
    /// There is neither a pair nor a game.
    #[error("no counts of games or pairs, or all of them nought")]
    Nothing,
    /// The pairs do not fit the games.
    #[error(
        "{pairs} pairs scored {pair_points} points, which {games} games with {points} points cannot hold"
    )]
    Contradiction {
        /// Pairs counted.
        pairs: u64,
        /// Points in them.
        pair_points: f64,
        /// Games counted.
        games: u64,
        /// Points in them.
        points: f64,
    },
    /// The test cannot be fitted.
    #[error(transparent)]
    Unfittable(#[from] Unfittable),
}

/// The figures of counts, over pairs when these are known and over games when not.
#[derive(Clone, Debug)]
pub struct EloReport {
    names: Option<(String, String)>,
    games: Option<Trinomial>,
    figures: Figures,
    test: Option<Judged>,
}

/// What the figures are over.
#[derive(Clone, Debug)]
enum Figures {
    Pairs {
        pairs: Pentanomial,
        figures: FastchessFigures,
        /// Even pairs with a win and a loss; `None` when nothing tells them from drawn ones.
        wl: Option<u64>,
        /// Half width of normalized Elo's interval as fishtest works it out.
        fishtest_nelo_error: f64,
    },
    Games {
        games: Trinomial,
        figures: GameFigures,
    },
}

/// A sequential test and what the counts decide.
#[derive(Clone, Debug)]
struct Judged {
    sprt: Sprt,
    llr: f64,
    verdict: Verdict,
}

/// Figures that both kinds of counts have.
#[derive(Clone, Copy, Debug)]
struct Common {
    games: u64,
    points: f64,
    elo: f64,
    elo_error: f64,
    elo_reach: f64,
    nelo: f64,
    nelo_error: f64,
    los: f64,
    draw_ratio: f64,
}

impl EloReport {
    /// Works out every figure.
    ///
    /// # Errors
    /// When there are no counts, pairs and games contradict each other, or the test cannot be fitted.
    pub fn new(result: PastedResult, test: Option<Sprt>) -> Result<Self, InvalidCounts> {
        let PastedResult {
            names,
            games,
            pairs,
        } = result;
        let games = games.filter(|games| games.games() > 0);
        let figures = match (pairs.filter(|pairs| pairs.pairs() > 0), games) {
            (Some(pairs), games) => Figures::of_pairs(pairs, games)?,
            (None, Some(games)) => Figures::Games {
                games,
                figures: games.figures(),
            },
            (None, None) => return Err(InvalidCounts::Nothing),
        };
        Ok(Self {
            test: test.map(|sprt| Judged::new(sprt, &figures)).transpose()?,
            names,
            games,
            figures,
        })
    }

    /// Whether the counts are pairs.
    #[must_use]
    pub const fn counts_pairs(&self) -> bool {
        matches!(self.figures, Figures::Pairs { .. })
    }

    /// Whether games are counted, one by one.
    #[must_use]
    pub const fn counts_games(&self) -> bool {
        self.games.is_some()
    }

    fn common(&self) -> Common {
        match &self.figures {
            Figures::Pairs { pairs, figures, .. } => Common {
                games: 2 * pairs.pairs(),
                points: points_of(*pairs),
                elo: figures.elo,
                elo_error: figures.elo_error,
                elo_reach: figures.elo_reach,
                nelo: figures.nelo,
                nelo_error: figures.nelo_error,
                los: figures.los,
                draw_ratio: figures.draw_ratio,
            },
            Figures::Games { games, figures } => Common {
                games: games.games(),
                points: games.points(),
                elo: figures.elo,
                elo_error: figures.elo_error,
                elo_reach: figures.elo_reach,
                nelo: figures.nelo,
                nelo_error: figures.nelo_error,
                los: figures.los,
                draw_ratio: figures.draw_ratio,
            },
        }
    }
}

impl Figures {
    fn of_pairs(pairs: Pentanomial, games: Option<Trinomial>) -> Result<Self, InvalidCounts> {
        let pair_points = points_of(pairs);
        if let Some(games) = games {
            // Games beyond the pairs' may be won, drawn or lost.
            let more = games.games().checked_sub(2 * pairs.pairs());
            let in_them = games.points() - pair_points;
            if !more.is_some_and(|more| (0.0..=more as f64).contains(&in_them)) {
                return Err(InvalidCounts::Contradiction {
                    pairs: pairs.pairs(),
                    pair_points,
                    games: games.games(),
                    points: games.points(),
                });
            }
        }
        let wl = games.and_then(|games| won_and_lost(pairs, games));
        Ok(Self::Pairs {
            pairs,
            figures: FastchessFigures::of(pairs, wl.unwrap_or(0)),
            wl,
            fishtest_nelo_error: FastchessFigures::fishtest_nelo_error(pairs),
        })
    }
}

impl Judged {
    fn new(sprt: Sprt, figures: &Figures) -> Result<Self, Unfittable> {
        let llr = match figures {
            Figures::Pairs { pairs, .. } => sprt.llr(*pairs)?,
            Figures::Games { games, .. } => games.llr(&sprt),
        };
        let verdict = sprt.verdict(llr);
        Ok(Self { sprt, llr, verdict })
    }
}

fn points_of(pairs: Pentanomial) -> f64 {
    let [_, ld, even, wd, ww] = pairs.counts();
    (ld + 2 * even + 3 * wd + 4 * ww) as f64 / 2.0
}

/// Even pairs with a win and a loss: those whose draws are not among the games' draws. `None` where games are part of no pair.
fn won_and_lost(pairs: Pentanomial, games: Trinomial) -> Option<u64> {
    let [_, ld, even, wd, _] = pairs.counts();
    let drawn_twice = games.draws.checked_sub(ld + wd)?;
    let whole = games.games() == 2 * pairs.pairs() && drawn_twice.is_multiple_of(2);
    even.checked_sub(drawn_twice / 2).filter(|_| whole)
}
