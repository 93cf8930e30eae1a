//! Which engines can be compared with which.
//!
//! A likeliest rating exists where every engine has scored against the others, directly or through third ones (Ford, *Solution of
//! a ranking problem from binary comparisons*, American Mathematical Monthly 64, 1957). So engines are grouped by
//! mutual reach along "scored against": the strongly connected components of that graph.

use super::meetings::Meetings;

/// The group of every engine, groups numbered from nought by size; `None` for those that stand alone.
pub(super) fn groups(engines: usize, meetings: &Meetings, anchored: &[bool]) -> Vec<Option<usize>> {
    let reach = Reach::new(engines, meetings, anchored);
    let components = reach.components();
    let count = components.iter().max().map_or(0, |most| most + 1);
    let mut members = vec![Vec::new(); count];
    for (engine, component) in components.iter().enumerate() {
        members[*component].push(engine);
    }
    let mut kept: Vec<Vec<usize>> = members
        .into_iter()
        .filter(|members| members.len() > 1 || anchored[members[0]])
        .collect();
    kept.extend(lone_references(engines, meetings, &kept));
    kept.sort_by_key(|members| (std::cmp::Reverse(members.len()), members[0]));
    let mut group = vec![None; engines];
    for (number, members) in kept.iter().enumerate() {
        for engine in members {
            group[*engine] = Some(number);
        }
    }
    group
}

/// Where engines met and none can be rated, the one with the most games stands for a group, so that the others have a bound.
fn lone_references(engines: usize, meetings: &Meetings, kept: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let pools = pools(engines, meetings);
    let mut games = vec![0.0; engines];
    for (meeting, sums) in meetings.all.iter().zip(&meetings.sums) {
        games[meeting.lower as usize] += sums.all_games();
        games[meeting.upper as usize] += sums.all_games();
    }
    let mut lone: Vec<Vec<usize>> = Vec::new();
    let mut served = vec![false; engines];
    for engine in kept.iter().flatten() {
        served[pools[*engine]] = true;
    }
    let mut by_games: Vec<usize> = (0..engines).filter(|engine| games[*engine] > 0.0).collect();
    by_games.sort_by(|one, other| games[*other].total_cmp(&games[*one]));
    for engine in by_games {
        if !std::mem::replace(&mut served[pools[engine]], true) {
            lone.push(vec![engine]);
        }
    }
    lone
}

/// For every engine the lowest one it is connected with by any chain of games.
pub(super) fn pools(engines: usize, meetings: &Meetings) -> Vec<usize> {
    let mut root: Vec<usize> = (0..engines).collect();
    fn find(root: &mut [usize], mut engine: usize) -> usize {
        while root[engine] != engine {
            root[engine] = root[root[engine]];
            engine = root[engine];
        }
        engine
    }
    for meeting in &meetings.all {
        let one = find(&mut root, meeting.lower as usize);
        let other = find(&mut root, meeting.upper as usize);
        root[one.max(other)] = one.min(other);
    }
    (0..engines).map(|engine| find(&mut root, engine)).collect()
}

/// Who scored against whom.
struct Reach {
    forward: Vec<Vec<u32>>,
    backward: Vec<Vec<u32>>,
}

impl Reach {
    fn new(engines: usize, meetings: &Meetings, anchored: &[bool]) -> Self {
        let mut reach = Self {
            forward: vec![Vec::new(); engines],
            backward: vec![Vec::new(); engines],
        };
        for (meeting, sums) in meetings.all.iter().zip(&meetings.sums) {
            let points = sums.all_points();
            if points > 0.0 {
                reach.join(meeting.lower, meeting.upper);
            }
            if points < sums.all_games() {
                reach.join(meeting.upper, meeting.lower);
            }
        }
        // Engines of known rating are compared already.
        let anchors: Vec<u32> = (0..engines as u32)
            .filter(|engine| anchored[*engine as usize])
            .collect();
        for pair in anchors.windows(2) {
            reach.join(pair[0], pair[1]);
            reach.join(pair[1], pair[0]);
        }
        reach
    }

    fn join(&mut self, from: u32, to: u32) {
        self.forward[from as usize].push(to);
        self.backward[to as usize].push(from);
    }

    /// Component of every engine (Kosaraju and Sharir): in the reverse order of leaving, what is reached backwards.
    fn components(&self) -> Vec<usize> {
        let engines = self.forward.len();
        let mut left = Vec::with_capacity(engines);
        let mut seen = vec![false; engines];
        for engine in 0..engines {
            visit(&self.forward, engine, &mut seen, |engine| left.push(engine));
        }
        let mut component = vec![0; engines];
        let mut seen = vec![false; engines];
        let mut count = 0;
        for engine in left.into_iter().rev() {
            if seen[engine] {
                continue;
            }
            visit(&self.backward, engine, &mut seen, |engine| {
                component[engine] = count
            });
            count += 1;
        }
        component
    }
}

/// Goes through all that is reached and not yet seen, depth first, telling each engine as it is left.
fn visit(edges: &[Vec<u32>], from: usize, seen: &mut [bool], mut leave: impl FnMut(usize)) {
    if std::mem::replace(&mut seen[from], true) {
        return;
    }
    let mut path = vec![(from, 0)];
    while let Some((engine, next)) = path.last_mut() {
        match edges[*engine].get(*next) {
            Some(to) => {
                *next += 1;
                let to = *to as usize;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                leave(*engine);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Encounter, Player};
    use super::*;
    use crate::stats::GameScore;

    /// Games as `white black score`, such as `0>1` won and `0=1` drawn.
    fn grouped(engines: usize, games: &[&str], anchors: &[usize]) -> Vec<Option<usize>> {
        let encounters: Vec<Encounter> = games
            .iter()
            .map(|game| {
                let (white, black) = game.split_once(['>', '=']).unwrap();
                let player = |text: &str| Player::new(text.parse().unwrap());
                Encounter {
                    white: player(white),
                    black: player(black),
                    score: if game.contains('=') {
                        GameScore::Draw
                    } else {
                        GameScore::Win
                    },
                    returned: None,
                }
            })
            .collect();
        let anchored: Vec<bool> = (0..engines)
            .map(|engine| anchors.contains(&engine))
            .collect();
        groups(engines, &Meetings::of(encounters.iter()), &anchored)
    }

    #[test]
    fn scores_both_ways_or_round_a_ring_connect() {
        assert_eq!(grouped(3, &["0>1", "1>2", "2>0"], &[]), [Some(0); 3]);
        assert_eq!(grouped(3, &["0=1", "1=2"], &[]), [Some(0); 3]);
        assert_eq!(
            grouped(3, &["0=1", "0>2", "1>2"], &[]),
            [Some(0), Some(0), None]
        );
    }

    #[test]
    fn engines_that_never_met_are_apart() {
        let found = grouped(6, &["0=1", "2=3", "3=4"], &[]);
        assert_eq!(found, [Some(1), Some(1), Some(0), Some(0), Some(0), None]);
        // Two that beat all of the other two are comparable among themselves only.
        let found = grouped(4, &["0=1", "2=3", "0>2", "1>3"], &[]);
        assert_eq!(found, [Some(0), Some(0), Some(1), Some(1)]);
    }

    #[test]
    fn anchors_are_connected_with_each_other() {
        let found = grouped(4, &["0=1", "2=3"], &[1, 2]);
        assert_eq!(found, [Some(0); 4]);
        assert_eq!(grouped(2, &["0>1"], &[1]), [None, Some(0)]);
    }

    #[test]
    fn where_all_went_one_way_the_busiest_is_the_reference() {
        assert_eq!(grouped(3, &["0>1", "2>1"], &[]), [None, Some(0), None]);
    }
}
