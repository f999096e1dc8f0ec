//! What players hold when they see a flop: ranges by position and action, and spots by name.
//!
//! The ranges are data, `preflop/*.toml` of this crate: a starting point from commonly known opening, calling and 3-betting
//! frequencies, not a solution of the game before the flop.
//!
//! ```
//! use noregret_holdem::preflop::{NamedSpot, RakePreset};
//!
//! let spot: NamedSpot = "BTN vs BB, single-raised, 100 bb".parse()?;
//! assert_eq!((spot.pot(), spot.stack()), (5.5, 97.5));
//! let spec = spot.spec("Ks7d2c", RakePreset::None)?;
//! assert_eq!(spec.spot.options().starting_pot.to_string(), "5.5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chart;
mod named_spot;
mod own_ranges;
mod rake_preset;
mod range_name;
mod sizing;
mod table;
#[cfg(test)]
mod tests;

pub use chart::{ChartEntry, ChartError, PreflopAction, PreflopChart, PreflopSituation};
pub use named_spot::{NamedSpot, NamedSpotError};
pub use own_ranges::{NoHands, OwnRanges};
pub use rake_preset::RakePreset;
pub use range_name::{RangeName, RangeNameError};
pub use sizing::{StreetTexts, street_sizes};
pub use table::{GameFormat, NameError, PotType, StackDepth, TablePosition};
