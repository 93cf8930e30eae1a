//! All engines of any mix of matches, gauntlets and tournaments rated at once.

mod bootstrap;
mod fit;
mod groups;
mod matrix;
mod meetings;
mod spread;
mod standings;

pub use bootstrap::Bootstrap;
pub use spread::Interval;
pub use standings::{GroupTotals, Placed, Standing, Standings, White};

use super::Encounter;
use super::expectation::ELO_PER_UNIT;
use fit::{Strengths, Unknowns};
use matrix::Cholesky;
use meetings::Meetings;
use spread::Spread;

/// What is known of White's advantage before the games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum WhiteAdvantage {
    /// Nothing: it is fitted with the ratings.
    #[default]
    Fitted,
    /// It is this many Elo.
    Fixed(f64),
}

/// Why engines could not be rated.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidLeague {
    /// An encounter names an engine that is not there, or has an engine play itself.
    #[error("encounter {0} is not between two of the engines")]
    Encounter(usize),
    /// A known rating is beyond all sense.
    #[error("the known rating {0} is not between -50000 and 50000")]
    Anchor(f64),
    /// White's advantage is beyond all sense.
    #[error("a White advantage of {0} Elo is not between -1000 and 1000")]
    White(f64),
}

/// Engines, who met whom, and what is known beforehand.
#[derive(Clone, Debug)]
pub struct League {
    anchors: Vec<Option<f64>>,
    encounters: Vec<Encounter>,
    white: WhiteAdvantage,
}

impl League {
    /// A league of as many engines as `anchors` has entries: the rating of those that have a known one.
    ///
    /// # Errors
    /// When an encounter is not between two of the engines, or a number is not usable.
    pub fn new(
        anchors: Vec<Option<f64>>,
        encounters: Vec<Encounter>,
        white: WhiteAdvantage,
    ) -> Result<Self, InvalidLeague> {
        let engines = anchors.len();
        let wrong = |met: &Encounter| {
            met.white == met.black || met.white.place().max(met.black.place()) >= engines
        };
        if let Some(at) = encounters.iter().position(wrong) {
            return Err(InvalidLeague::Encounter(at));
        }
        let known = anchors.iter().flatten();
        if let Some(rating) = known
            .into_iter()
            .find(|rating| rating.is_nan() || rating.abs() > 50_000.0)
        {
            return Err(InvalidLeague::Anchor(*rating));
        }
        match white {
            WhiteAdvantage::Fixed(elo) if elo.is_nan() || elo.abs() > 1000.0 => {
                return Err(InvalidLeague::White(elo));
            }
            WhiteAdvantage::Fixed(_) | WhiteAdvantage::Fitted => {}
        }
        Ok(Self {
            anchors,
            encounters,
            white,
        })
    }

    /// Rates all engines that can be compared, group by group.
    ///
    /// Within a group the ratings and White's advantage are those of the greatest likelihood, a draw being half a win and half a
    /// loss; draws have a rate of their own, by Davidson's law, that makes as many to be expected as there were. Groups
    /// with engines of known rating keep those; other groups have a mean rating of nought.
    #[must_use]
    pub fn rate(&self, bootstrap: Option<Bootstrap>) -> Standings {
        let everything = Meetings::of(self.encounters.iter());
        let anchored: Vec<bool> = self.anchors.iter().map(Option::is_some).collect();
        let group = groups::groups(self.anchors.len(), &everything, &anchored);
        let pools = groups::pools(self.anchors.len(), &everything);
        let of = |engine: u32| group[engine as usize];
        let meetings =
            everything.only(|met| of(met.lower).is_some() && of(met.lower) == of(met.upper));
        let fitted = Fitted::new(self, &meetings, &group);
        let spread = fitted.spread(&meetings, &group, bootstrap);
        Standings::new(self, &everything, group, pools, &fitted, spread)
    }

    /// Engines whose rating moves: those of a group but for known ones, and for the first of a group without any.
    fn free(&self, group: &[Option<usize>]) -> Vec<bool> {
        let mut held: Vec<usize> = (0..group.len())
            .filter(|engine| self.anchors[*engine].is_some())
            .filter_map(|engine| group[engine])
            .collect();
        let free = group.iter().zip(&self.anchors).map(|(group, anchor)| {
            let Some(group) = group else { return false };
            if anchor.is_none() && !held.contains(group) {
                held.push(*group);
                return false;
            }
            anchor.is_none()
        });
        free.collect()
    }
}

/// The likeliest strengths.
struct Fitted {
    strengths: Strengths,
    unknowns: Unknowns,
    white: White,
    draw_rate: f64,
    /// Groups without an engine of known rating, whose ratings are about their mean.
    centred: Vec<bool>,
}

impl Fitted {
    fn new(league: &League, meetings: &Meetings, group: &[Option<usize>]) -> Self {
        let fixed = match league.white {
            WhiteAdvantage::Fitted => None,
            WhiteAdvantage::Fixed(elo) => Some(elo),
        };
        let known = league.anchors.iter();
        let start = Strengths {
            engines: known
                .map(|anchor| anchor.unwrap_or(0.0) / ELO_PER_UNIT)
                .collect(),
            white: fixed.unwrap_or(0.0) / ELO_PER_UNIT,
        };
        let start = near_anchors(league, group, start);
        let unknowns = Unknowns::new(&league.free(group), fixed.is_none());
        let fit =
            |unknowns: &Unknowns| fit::likeliest(unknowns, &meetings.all, &meetings.sums, &start);
        let (unknowns, strengths, white) = match (fit(&unknowns), fixed) {
            (Ok(strengths), None) => (unknowns, strengths, White::Fitted(0.0)),
            (Ok(strengths), Some(elo)) => (unknowns, strengths, White::Fixed(elo)),
            (Err(fit::NoWhite), _) => {
                let unknowns = unknowns.without_white();
                let strengths = fit(&unknowns).unwrap_or_else(|_| start.clone());
                (unknowns, strengths, White::Unknown)
            }
        };
        let white = match white {
            White::Fitted(_) => White::Fitted(strengths.white * ELO_PER_UNIT),
            other => other,
        };
        let groups = group.iter().flatten().max().map_or(0, |most| most + 1);
        let mut centred = vec![true; groups];
        for (group, anchor) in group.iter().zip(&league.anchors) {
            if let (Some(group), Some(_)) = (group, anchor) {
                centred[*group] = false;
            }
        }
        let mut fitted = Self {
            draw_rate: fit::draw_rate(meetings, &strengths),
            strengths,
            unknowns,
            white,
            centred,
        };
        fitted.centre(group);
        fitted
    }

    /// Moves every group without a known rating to a mean of nought.
    fn centre(&mut self, group: &[Option<usize>]) {
        centre(&mut self.strengths.engines, group, &self.centred);
    }

    fn spread(
        &self,
        meetings: &Meetings,
        group: &[Option<usize>],
        bootstrap: Option<Bootstrap>,
    ) -> Spread {
        let with = |spread: &dyn Fn(f64) -> f64| {
            fit::curvature(
                &self.unknowns,
                &meetings.all,
                &meetings.sums,
                &self.strengths,
                spread,
            )
        };
        let Ok(factor) = Cholesky::of(with(&fit::decided)) else {
            return Spread::none(group.len());
        };
        let level = self.draw_rate;
        let of_a_game =
            |score: f64| fit::decided(score) - super::expectation::drawn(score, level) / 4.0;
        let covariance = factor.inverse().sandwich(&with(&of_a_game));
        let replicates = bootstrap.map(|bootstrap| {
            let mut moved = bootstrap::replicates(
                bootstrap,
                &self.unknowns,
                meetings,
                &self.strengths,
                &factor,
            );
            for replicate in &mut moved {
                centre(&mut replicate.engines, group, &self.centred);
            }
            moved
        });
        Spread::new(&self.unknowns, covariance, replicates, group, &self.centred)
    }
}

/// Engines without a known rating start at the mean of those their group has.
fn near_anchors(league: &League, group: &[Option<usize>], mut start: Strengths) -> Strengths {
    let groups = group.iter().flatten().max().map_or(0, |most| most + 1);
    let mut sums = vec![(0.0, 0.0); groups];
    for (engine, group) in group.iter().enumerate() {
        if let (Some(group), Some(_)) = (group, league.anchors[engine]) {
            sums[*group].0 += start.engines[engine];
            sums[*group].1 += 1.0;
        }
    }
    for (engine, group) in group.iter().enumerate() {
        if let (Some(group), None) = (group, league.anchors[engine])
            && sums[*group].1 > 0.0
        {
            start.engines[engine] = sums[*group].0 / sums[*group].1;
        }
    }
    start
}

/// Moves every group that is to be centred to a mean of nought.
fn centre(strengths: &mut [f64], group: &[Option<usize>], centred: &[bool]) {
    let mut sums = vec![(0.0, 0.0); centred.len()];
    for (strength, group) in strengths.iter().zip(group) {
        if let Some(group) = group {
            sums[*group].0 += strength;
            sums[*group].1 += 1.0;
        }
    }
    for (strength, group) in strengths.iter_mut().zip(group) {
        if let Some(group) = group.filter(|group| centred[*group]) {
            *strength -= sums[group].0 / sums[group].1;
        }
    }
}

#[cfg(test)]
mod tests;
