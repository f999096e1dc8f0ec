//! What may be chosen about the spots of hands.

use noregret_holdem::preflop::{OwnRanges, RakePreset};
use std::str::FromStr;

/// What the house takes in the spot of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HandRake {
    /// The share of the pot that was taken in the hand, and never more than was taken.
    #[default]
    AsPlayed,
    /// What card rooms commonly take.
    Preset(RakePreset),
}

impl FromStr for HandRake {
    type Err = RakeError;

    fn from_str(text: &str) -> Result<Self, RakeError> {
        match text {
            "as-played" => Ok(Self::AsPlayed),
            _ => RakePreset::of_id(text).map(Self::Preset).ok_or(RakeError),
        }
    }
}

/// A word for no rake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it is as-played or one of {}", RakePreset::ALL.map(RakePreset::id).join(", "))]
pub struct RakeError;

/// How hands become spots.
#[derive(Clone, PartialEq, Debug)]
pub struct SpotOptions {
    /// What the house takes.
    pub rake: HandRake,
    /// The exploitability to reach, in percent of the pot on the flop.
    pub target_pct: f64,
    /// Ranges in the place of those of the charts.
    pub own_ranges: OwnRanges,
}

impl Default for SpotOptions {
    fn default() -> Self {
        Self { rake: HandRake::default(), target_pct: 0.5, own_ranges: OwnRanges::default() }
    }
}
