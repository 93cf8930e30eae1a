//! Where every engine of a league stands.

use super::super::{Gauntlet, Record, Rung};
use super::meetings::Meetings;
use super::spread::{Interval, Spread};
use super::{ELO_PER_UNIT, Fitted, League};
use crate::stats::GameScore;

/// Ratings of a whole league.
pub struct Standings {
    standings: Vec<Standing>,
    groups: Vec<GroupTotals>,
    white: White,
    white_margin: Option<f64>,
    draw_rate: f64,
    spread: Spread,
}

/// What was found of White's advantage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum White {
    /// The likeliest, in Elo.
    Fitted(f64),
    /// Given beforehand, in Elo.
    Fixed(f64),
    /// Nothing tells it from the engines' strengths, or it has no end: taken for nought.
    Unknown,
}

/// One engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Where it is placed.
    pub placed: Placed,
    /// All its games.
    pub games: u64,
    /// Those that were drawn.
    pub draws: u64,
    /// Points from all of them.
    pub points: f64,
    /// The engines with which any chain of games connects it, as the lowest of their places.
    pub pool: usize,
}

/// What is known of an engine's strength.
#[derive(Clone, Debug, PartialEq)]
pub enum Placed {
    /// It has a rating, which compares with those of its group.
    Rated {
        /// Its group.
        group: usize,
        /// In Elo.
        rating: f64,
        /// Half width of the 95 % interval from the curvature of the likelihood and the draw rate, were no two games to do with
        /// each other. Nought for a rating known beforehand.
        margin: f64,
        /// The 95 % interval from the bootstrap over pairs and single games; `None` without one.
        bootstrap: Option<Interval>,
        /// The rating was known beforehand.
        anchor: bool,
    },
    /// It won every point against a group: at least so strong, with 95 % confidence.
    Above {
        /// The group.
        group: usize,
        /// The bound in Elo.
        rating: f64,
    },
    /// It lost every point against a group: at most so strong, with 95 % confidence.
    Below {
        /// The group.
        group: usize,
        /// The bound in Elo.
        rating: f64,
    },
    /// It met no engine that has a rating.
    Unrated,
}

/// Engines that can be compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupTotals {
    /// How many have a rating.
    pub engines: usize,
    /// Whether some of the ratings were known beforehand; if not, their mean is nought.
    pub anchored: bool,
}

impl Standings {
    pub(super) fn new(
        league: &League,
        everything: &Meetings,
        group: Vec<Option<usize>>,
        pools: Vec<usize>,
        fitted: &Fitted,
        spread: Spread,
    ) -> Self {
        let mut groups = vec![
            GroupTotals {
                engines: 0,
                anchored: false
            };
            fitted.centred.len()
        ];
        for group in group.iter().flatten() {
            groups[*group].engines += 1;
            groups[*group].anchored = !fitted.centred[*group];
        }
        let ratings: Vec<f64> = fitted
            .strengths
            .engines
            .iter()
            .map(|s| s * ELO_PER_UNIT)
            .collect();
        let white = fitted.strengths.white * ELO_PER_UNIT;
        let bounds = Bounds {
            everything,
            group: &group,
            ratings: &ratings,
            white,
        };
        let place = |engine: usize| match group[engine] {
            Some(group) => Placed::Rated {
                group,
                rating: league.anchors[engine].unwrap_or(ratings[engine]),
                margin: spread.margin(engine),
                bootstrap: spread.interval(engine),
                anchor: league.anchors[engine].is_some(),
            },
            None => bounds.of(engine),
        };
        let mut standings: Vec<Standing> = (0..group.len())
            .map(|engine| Standing {
                placed: place(engine),
                games: 0,
                draws: 0,
                points: 0.0,
                pool: pools[engine],
            })
            .collect();
        count(league, &mut standings);
        Self {
            standings,
            groups,
            white: fitted.white,
            white_margin: spread.white_margin(),
            draw_rate: fitted.draw_rate,
            spread,
        }
    }

    /// Every engine, in the order of the league.
    #[must_use]
    pub fn engines(&self) -> &[Standing] {
        &self.standings
    }

    /// The groups of engines that can be compared, the largest first.
    #[must_use]
    pub fn groups(&self) -> &[GroupTotals] {
        &self.groups
    }

    /// White's advantage.
    #[must_use]
    pub const fn white(&self) -> White {
        self.white
    }

    /// Half width of its 95 % interval in Elo; `None` when it was not fitted.
    #[must_use]
    pub const fn white_margin(&self) -> Option<f64> {
        self.white_margin
    }

    /// Share of games between equal engines without White's advantage that are drawn, 0 to 1.
    #[must_use]
    pub const fn draw_rate(&self) -> f64 {
        self.draw_rate
    }

    /// Whether [`superiority`](Self::superiority) is from the bootstrap; if not, it is from the likelihood.
    #[must_use]
    pub fn is_bootstrapped(&self) -> bool {
        self.spread.is_bootstrapped()
    }

    /// The chance, 0 to 1, that the first engine is stronger than the second; `None` unless both are rated in one group.
    #[must_use]
    pub fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        let rated = |engine: usize| match self.standings.get(engine)?.placed {
            Placed::Rated { group, rating, .. } => Some((group, rating)),
            Placed::Above { .. } | Placed::Below { .. } | Placed::Unrated => None,
        };
        let ((first, high), (second, low)) = (rated(one)?, rated(other)?);
        (first == second).then(|| self.spread.superiority(one, other, high - low))
    }
}

fn count(league: &League, standings: &mut [Standing]) {
    for met in &league.encounters {
        for score in [Some(met.score), met.returned].into_iter().flatten() {
            let sides = [(met.white, score), (met.black, score.flipped())];
            for (player, score) in sides {
                let own = &mut standings[player.place()];
                own.games += 1;
                own.draws += u64::from(score == GameScore::Draw);
                own.points += score.points();
            }
        }
    }
}

/// Bounds for engines that won or lost everything.
struct Bounds<'a> {
    everything: &'a Meetings,
    group: &'a [Option<usize>],
    ratings: &'a [f64],
    white: f64,
}

impl Bounds<'_> {
    fn of(&self, engine: usize) -> Placed {
        let against =
            |of: Option<usize>| self.rungs(engine, |group| of.is_none_or(|of| of == group));
        let games = |group: &usize| -> u64 {
            let rungs = against(Some(*group)).into_iter();
            rungs.map(|rung| rung.record().games()).sum()
        };
        let count = self.group.iter().flatten().max().map_or(0, |most| most + 1);
        let met = (0..count)
            .rev()
            .max_by_key(games)
            .filter(|group| games(group) > 0);
        let Some(group) = met else {
            return Placed::Unrated;
        };
        match Gauntlet::fit(&against(Some(group))) {
            Some(Gauntlet::Above(bound)) => Placed::Above {
                group,
                rating: bound.rating,
            },
            Some(Gauntlet::Below(bound)) => Placed::Below {
                group,
                rating: bound.rating,
            },
            Some(Gauntlet::Rated(_)) | None => Placed::Unrated,
        }
    }

    /// The opponents of some groups. White's advantage makes them weaker when the engine has White, stronger when it has Black.
    fn rungs(&self, engine: usize, of: impl Fn(usize) -> bool) -> Vec<Rung> {
        let mut rungs = Vec::new();
        for (meeting, sums) in self.everything.all.iter().zip(&self.everything.sums) {
            let sides = [meeting.lower as usize, meeting.upper as usize];
            let Some(own) = sides.iter().position(|side| *side == engine) else {
                continue;
            };
            let opponent = sides[1 - own];
            if !self.group[opponent].is_some_and(&of) {
                continue;
            }
            for colour in 0..2 {
                let games = sums.games[colour];
                let lower = sums.points[colour];
                let points = if own == 0 { lower } else { games - lower };
                let has_white = (colour == 0) == (own == 0);
                let white = if has_white { -self.white } else { self.white };
                let record = Record::one_sided(games as u64, points > 0.0);
                rungs.extend(Rung::new(self.ratings[opponent] + white, record));
            }
        }
        rungs
    }
}
