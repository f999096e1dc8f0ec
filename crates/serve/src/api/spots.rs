//! Spots by name, and the ranges that they are made of.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Everything that the name of a spot can be made of.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct SpotCatalogue {
    /// What the house takes, to choose from.
    pub rakes: Vec<RakeChoice>,
    /// Every spot that has a name.
    pub spots: Vec<SpotName>,
}

/// A common rake.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct RakeChoice {
    /// A word for it.
    pub id: String,
    /// What it is.
    pub name: String,
    /// The share of every pot that is won.
    pub rate: f64,
    /// The most that is taken, in big blinds.
    pub cap: f64,
}

/// A spot that has a name.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct SpotName {
    /// Like `BTN vs BB, single-raised, 100 bb`.
    pub name: String,
    /// `6-max` or `heads-up`.
    pub format: String,
    /// What both had at the start, in big blinds.
    pub depth: u32,
    /// Who was the first to raise or limp.
    pub opener: String,
    /// Who is still in.
    pub other: String,
    /// `single-raised`, `3-bet`, `4-bet` or `limped`.
    pub pot_type: String,
    /// The pot on the flop, in big blinds.
    pub pot: f64,
    /// What both have left on the flop, in big blinds.
    pub stack: f64,
}

/// A spot by name as a spec.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = NamedSpot)]
pub struct NamedSpotSpec {
    /// Its name.
    pub name: String,
    /// The position that acts first after the flop.
    pub oop: String,
    /// The position that acts last.
    pub ip: String,
    /// The spec; without a board where none was given.
    pub toml: String,
}

/// On what board, and with what rake.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SpotQuery {
    /// The id of a rake; `none` unless told.
    #[serde(default)]
    #[param(required = false, max_length = 40)]
    pub rake: String,
    /// Cards, like `QsJh2h`; nothing for none yet.
    #[serde(default)]
    #[param(required = false, max_length = 20)]
    pub board: String,
}

/// Which chart.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChartQuery {
    /// `6-max` or `heads-up`.
    #[param(max_length = 40)]
    pub format: String,
    /// 20, 40, 60, 100 or 200 big blinds.
    pub depth: u32,
}

/// A range of the library of ranges.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ChartRange {
    /// Like `BB calls BTN`.
    pub name: String,
    /// The range.
    pub text: String,
    /// The sum of its weights.
    pub combos: f64,
}
