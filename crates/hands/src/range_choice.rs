//! The range that a player is given: that of the charts, or the nearest; or one's own in its place.

use crate::preflop_role::PreflopRole;
use noregret_cards::Range;
use noregret_holdem::preflop::{ChartEntry, GameFormat, OwnRanges, PreflopChart, RangeName, StackDepth};
use std::fmt;

/// The range of a player, and where it is from.
#[derive(Clone, PartialEq, Debug)]
pub struct RangeChoice {
    /// The hands.
    pub range: Range,
    /// Which range of the charts it is: `BTN opens, 6-max, 100 bb`.
    pub source: RangeName,
    /// Whether it is one's own, in the place of that of the charts.
    pub is_own: bool,
    /// Why it is not exactly the one of the charts that was looked for; none if it is.
    pub note: Option<String>,
}

impl RangeChoice {
    /// The range of a role at a depth; none if no chart knows anything like it. A range of one's own counts as one that the charts
    /// have, also where theirs has no hands.
    pub(crate) fn of(
        role: PreflopRole,
        format: GameFormat,
        big_blinds: f64,
        own: &OwnRanges,
    ) -> Option<Self> {
        let nearest = StackDepth::nearest(big_blinds);
        let mut depths = StackDepth::ALL;
        let distance = |depth: &StackDepth| (f64::from(depth.big_blinds()) / big_blinds.max(1e-9)).ln().abs();
        depths.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let at = |depth: StackDepth| -> Option<(usize, &'static ChartEntry)> {
            let chart = PreflopChart::of(format, depth)?;
            let is_known = |entry: &&ChartEntry| {
                !entry.range.is_empty() || own.get(RangeName::of(chart, entry)).is_some()
            };
            let known = chart.entries.iter().filter(is_known);
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
        let source = RangeName::of(PreflopChart::of(format, depth)?, entry);
        let is_own = own.get(source).is_some();
        if is_own {
            notes.push(format!("the range is yours, in the place of `{source}`"));
        }
        Some(Self {
            range: own.get(source).unwrap_or(&entry.range).clone(),
            source,
            is_own,
            note: (!notes.is_empty()).then(|| notes.join("; ")),
        })
    }
}

impl fmt::Display for RangeChoice {
    /// In a sentence: the range `BTN opens, 6-max, 100 bb`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} range `{}`", if self.is_own { "your" } else { "the" }, self.source)
    }
}
