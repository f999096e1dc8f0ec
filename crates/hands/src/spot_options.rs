//! What may be chosen about the spots of hands.

use noregret_holdem::preflop::RakePreset;
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

/// How hands become spots.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpotOptions {
    /// What the house takes.
    pub rake: HandRake,
    /// The exploitability to reach, in percent of the pot on the flop.
    pub target_pct: f64,
}

impl Default for SpotOptions {
    fn default() -> Self {
        Self { rake: HandRake::default(), target_pct: 0.5 }
    }
}

impl FromStr for HandRake {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || {
            let ids: Vec<&str> = RakePreset::ALL.into_iter().map(RakePreset::id).collect();
            format!("it is as-played or one of {}", ids.join(", "))
        };
        match text {
            "as-played" => Ok(Self::AsPlayed),
            _ => RakePreset::of_id(text).map(Self::Preset).ok_or_else(known),
        }
    }
}
