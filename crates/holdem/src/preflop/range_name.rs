//! The name of a range of the charts, as it is printed wherever the range is taken: `BTN opens, 6-max, 100 bb`.

use super::chart::{ChartEntry, PreflopAction, PreflopChart, PreflopSituation};
use super::table::{GameFormat, StackDepth, TablePosition};
use crate::text::excerpt;
use noregret_cards::Range;
use std::fmt;
use std::str::FromStr;

/// A range of the charts by game, depth, and what a position does in which situation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RangeName {
    format: GameFormat,
    depth: StackDepth,
    situation: PreflopSituation,
    position: TablePosition,
    action: PreflopAction,
}

/// A text that names no range of the charts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RangeNameError {
    /// None is called so.
    #[error("`{text}` is no range of the charts{}", or_this(.nearest))]
    Unknown {
        /// The text.
        text: String,
        /// A name that is close to it.
        nearest: Option<RangeName>,
    },
    /// The names of several begin so.
    #[error("`{text}` is the beginning of {count} names: write all of one, like `{first}`")]
    Ambiguous {
        /// The text.
        text: String,
        /// How many names begin so.
        count: usize,
        /// The first of them.
        first: RangeName,
    },
}

fn or_this(name: &Option<RangeName>) -> String {
    match name {
        Some(name) => format!("; did you mean `{name}`?"),
        None => ": their names are like `BTN opens, 6-max, 100 bb`".to_owned(),
    }
}

impl RangeName {
    /// The name of an entry of a chart.
    pub fn of(chart: &PreflopChart, entry: &ChartEntry) -> Self {
        let &ChartEntry { position, situation, action, .. } = entry;
        Self { format: chart.format, depth: chart.depth, situation, position, action }
    }

    /// Every name there is, chart by chart.
    pub fn all() -> impl Iterator<Item = Self> {
        PreflopChart::all().iter().flat_map(|chart| chart.entries.iter().map(|entry| Self::of(chart, entry)))
    }

    /// The range that the charts have; it may have no hands.
    pub fn chart_range(self) -> Option<&'static Range> {
        PreflopChart::of(self.format, self.depth)?.range(self.position, self.situation, self.action)
    }
}

impl fmt::Display for RangeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { format, depth, situation, position, action } = self;
        let entry = ChartEntry { position, situation, action, range: Range::default() };
        write!(f, "{entry}, {format}, {depth}")
    }
}

impl FromStr for RangeName {
    type Err = RangeNameError;

    /// Reads what is printed, without regard to upper and lower case.
    fn from_str(text: &str) -> Result<Self, RangeNameError> {
        let wanted = text.trim().to_lowercase();
        let known: Vec<(Self, String)> =
            Self::all().map(|name| (name, name.to_string().to_lowercase())).collect();
        if let Some((name, _)) = known.iter().find(|(_, printed)| *printed == wanted) {
            return Ok(*name);
        }
        let beginning = format!("{},", wanted.trim_end_matches(','));
        let begun: Vec<Self> = known
            .iter()
            .filter(|(_, printed)| printed.starts_with(&beginning))
            .map(|(name, _)| *name)
            .collect();
        if let [first, _, ..] = begun[..] {
            return Err(RangeNameError::Ambiguous { text: excerpt(text), count: begun.len(), first });
        }
        // Longer texts are no names, and would take long to compare.
        let compared: String = wanted.chars().take(100).collect();
        let close = |printed: &str| strsim::jaro_winkler(printed, &compared);
        let best = known.iter().map(|(name, printed)| (name, close(printed)));
        let best = best.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, close)| *close > 0.8);
        Err(RangeNameError::Unknown { text: excerpt(text), nearest: best.map(|(name, _)| *name) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_range_of_the_charts_has_a_name_of_its_own() {
        let names: Vec<RangeName> = RangeName::all().collect();
        let printed: HashSet<String> = names.iter().map(|name| name.to_string().to_lowercase()).collect();
        assert_eq!(printed.len(), names.len());
        // No name is read for another: that would take a range from one situation into the next.
        for name in names.into_iter().step_by(41) {
            assert_eq!(name.to_string().parse(), Ok(name));
            assert!(name.chart_range().is_some(), "{name}");
        }
    }

    #[test]
    fn a_name_is_read_in_any_case_and_only_whole() {
        let name: RangeName = " btn OPENS, 6-max, 100 bb ".parse().unwrap();
        assert_eq!(name.to_string(), "BTN opens, 6-max, 100 bb");
        let error = |text: &str| text.parse::<RangeName>().unwrap_err().to_string();
        assert_eq!(
            error("BTN opens"),
            "`BTN opens` is the beginning of 10 names: write all of one, like `BTN opens, 6-max, 20 bb`"
        );
        assert_eq!(
            error(&"x".repeat(100_000)),
            format!(
                "`{}…` is no range of the charts: their names are like `BTN opens, 6-max, 100 bb`",
                "x".repeat(40)
            )
        );
    }
}
