//! Ranges as text and as hands.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A range as text.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RangeText {
    /// Groups with commas between, like `88+,A5s-A2s:0.5,AhKh`; nothing for no hands.
    #[schema(max_length = 100000)]
    pub text: String,
    /// A board whose cards no hand has, like `QsJh2h`.
    #[schema(nullable = false, max_length = 20)]
    pub board: Option<String>,
}

/// A hand and its weight.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WeighedHand {
    /// Two cards, like `AhKh`.
    #[schema(max_length = 10)]
    pub hand: String,
    /// From 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    pub weight: f64,
}

/// A range as hands.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct RangeHands {
    /// The hands with a weight above 0.
    pub hands: Vec<WeighedHand>,
    /// The sum of their weights.
    pub combos: f64,
    /// The shortest text for the range.
    pub text: String,
}

/// Hands to write as text.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HandList {
    /// The hands; those that are not here have weight 0.
    #[schema(max_items = 1326)]
    pub hands: Vec<WeighedHand>,
}

/// Hands as text.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct PrintedRange {
    /// The shortest text for the range.
    pub text: String,
    /// The sum of the weights.
    pub combos: f64,
}

/// A range that was saved under a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SavedRange {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A range to save.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RangeToSave {
    /// Its text.
    #[schema(max_length = 100000)]
    pub text: String,
}
