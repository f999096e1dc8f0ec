//! The range that a player is given: that of the charts, or the nearest.

use crate::preflop_role::PreflopRole;
use noregret_cards::Range;
use noregret_holdem::preflop::{ChartEntry, GameFormat, PreflopChart, StackDepth};

/// The range of a player, and where it is from.
#[derive(Clone, PartialEq, Debug)]
pub struct RangeChoice {
    /// The hands.
    pub range: Range,
    /// Which range of the charts it is: `BTN opens, 6-max, 100 bb`.
    pub source: String,
    /// Why it is not exactly the one that was looked for; none if it is.
    pub note: Option<String>,
}

impl RangeChoice {
    /// The range of a role at a depth; none if no chart knows anything like it.
    pub(crate) fn of(role: PreflopRole, format: GameFormat, big_blinds: f64) -> Option<Self> {
        let nearest = StackDepth::nearest(big_blinds);
        let mut depths = StackDepth::ALL;
        let distance = |depth: &StackDepth| (f64::from(depth.big_blinds()) / big_blinds.max(1e-9)).ln().abs();
        depths.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let at = |depth: StackDepth| -> Option<(usize, &'static ChartEntry)> {
            let entries = PreflopChart::of(format, depth)?.entries.iter();
            let known = entries.filter(|entry| !entry.range.is_empty());
            known
                .filter_map(|entry| Some((role.distance(entry)?, entry)))
                .min_by_key(|(distance, _)| *distance)
        };
        let (depth, (seats, entry)) = depths.into_iter().find_map(|depth| Some((depth, at(depth)?)))?;
        let mut notes = Vec::new();
        let unlike =
            role.unlike.map_or_else(String::new, |unlike| format!(" where {} {unlike}", role.position));
        if seats > 0 || !unlike.is_empty() {
            notes.push(format!("no range for `{}`{unlike}: `{entry}` is nearest", role.words()));
        }
        if depth != nearest {
            notes.push(format!("no such range at {nearest}: that at {depth} is nearest"));
        }
        Some(Self {
            range: entry.range.clone(),
            source: format!("{entry}, {format}, {depth}"),
            note: (!notes.is_empty()).then(|| notes.join("; ")),
        })
    }
}
