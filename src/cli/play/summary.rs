//! The last words of a match.

use super::engines::Engines;
use crate::notation::uci::OptionKind;
use crate::play::engine::Identity;
use crate::play::tally::Tally;
use crate::play::{EngineSetup, Limit, Side};
use crate::report::PlaySummary;
use crate::stats::FastchessFigures;

/// What fastchess users expect to read at the end, from the games that are on disk.
pub(super) fn summary(engines: &Engines, book: &str, tally: &Tally) -> String {
    let pairs = tally.pairs();
    let both = |of: &dyn Fn(&EngineSetup, &Identity) -> String| {
        let [one, other] = &engines.setups;
        let [first, second] = &engines.identities;
        joined(of(one, first), of(other, second))
    };
    PlaySummary {
        engines: engines.setups.each_ref().map(|setup| setup.name.clone()),
        tc: both(&|setup, _| limit(setup.limit)),
        threads: both(&|setup, identity| number(setup, identity, "Threads", "t")),
        hash: both(&|setup, identity| number(setup, identity, "Hash", "MB")),
        book: book.to_owned(),
        wins_draws_losses: tally.paired_games(),
        pairs,
        figures: FastchessFigures::of(pairs, tally.even_decided()),
        faults: [Side::First, Side::Second].map(|side| tally.faults(side).total()),
    }
    .text()
}

fn joined(one: String, other: String) -> String {
    if one == other {
        one
    } else {
        format!("{one} - {other}")
    }
}

fn limit(limit: Limit) -> String {
    let parts = [
        limit.clock.map(|clock| clock.to_string()),
        limit
            .movetime
            .map(|time| format!("{}/move", time.as_secs_f64())),
        limit.nodes.map(|nodes| format!("{nodes} nodes")),
        limit.depth.map(|depth| format!("{depth} plies")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// What the engine is told, or else its own default, with the unit; `NULL` when it has no such option.
fn number(setup: &EngineSetup, identity: &Identity, name: &str, unit: &str) -> String {
    let Some(option) = identity.option(name) else {
        return "NULL".to_owned();
    };
    let told = setup
        .options
        .iter()
        .find(|(other, _)| other.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.clone());
    let own = match &option.kind {
        OptionKind::Spin { default, .. } => default.map(|default| default.to_string()),
        OptionKind::Check { .. }
        | OptionKind::Combo { .. }
        | OptionKind::Button
        | OptionKind::String { .. } => None,
    };
    told.or(own)
        .map_or_else(|| "NULL".to_owned(), |value| format!("{value}{unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn limits_in_fastchess_words() {
        let none = Limit::default();
        let clock = Some("1:00+0.6".parse().unwrap());
        assert_eq!(limit(Limit { clock, ..none }), "60+0.6");
        let movetime = Some(Duration::from_millis(250));
        assert_eq!(limit(Limit { movetime, ..none }), "0.25/move");
        let nodes = Some(5000);
        assert_eq!(limit(Limit { nodes, ..none }), "5000 nodes");
        let depth = Some(8);
        assert_eq!(
            limit(Limit {
                clock,
                depth,
                ..none
            }),
            "60+0.6 8 plies"
        );
        assert_eq!(joined("1t".to_owned(), "1t".to_owned()), "1t");
        assert_eq!(joined("1t".to_owned(), "2t".to_owned()), "1t - 2t");
    }
}
