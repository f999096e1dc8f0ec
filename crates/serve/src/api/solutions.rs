//! Solutions in the library.

use super::common::{Both, UnitName};
use super::solves::KeptStreets;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A solution file in short.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SolutionInfo {
    /// Its path inside the library, without `.nrs`.
    pub id: String,
    /// The last part of the id.
    pub name: String,
    /// The size of the file.
    pub bytes: u64,
    /// When it was written: RFC 3339, UTC.
    #[schema(format = DateTime)]
    pub modified: String,
    /// The flop, like `QsJh2h`.
    pub flop: String,
    /// The turn card; null if it is not dealt.
    #[schema(required)]
    pub turn: Option<String>,
    /// The river card; null if it is not dealt.
    #[schema(required)]
    pub river: Option<String>,
    /// What all amounts and EVs are in.
    pub unit: UnitName,
    /// The pot at the root.
    pub pot: f64,
    /// What each player has left.
    pub stack: f64,
    /// How many iterations were made.
    pub iterations: u32,
    /// How exploitable it is, in percent of the pot; null if that was never measured.
    #[schema(required)]
    pub exploitability_pct: Option<f64>,
    /// The regret minimiser.
    pub algorithm: String,
    /// Bits of the average strategy on the river.
    pub strategy_bits: u8,
    /// Bits of the regrets on the river.
    pub regret_bits: u8,
    /// Which streets are in the file.
    pub saved_streets: KeptStreets,
    /// How many locks the spec has.
    pub locks: usize,
    /// Words to find it by, in order.
    pub tags: Vec<String>,
    /// A text that somebody wrote about it.
    pub note: String,
    /// Points of the tree to come back to.
    pub bookmarks: Vec<Bookmark>,
}

/// What was written about a solution.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Annotation {
    /// Words to find it by, in order.
    #[serde(default)]
    #[schema(required, max_items = 100)]
    pub tags: Vec<String>,
    /// A text.
    #[serde(default)]
    #[schema(required, max_length = 10000)]
    pub note: String,
    /// Points of the tree to come back to.
    #[serde(default)]
    #[schema(required, max_items = 100)]
    pub bookmarks: Vec<Bookmark>,
}

/// A point of the tree to come back to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Bookmark {
    /// What it is called.
    #[schema(min_length = 1, max_length = 60)]
    pub name: String,
    /// Actions and cards from the root; nothing for the root.
    #[schema(max_length = 2000)]
    pub line: String,
}

/// A new name for a solution.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewName {
    /// A path inside the library, without `.nrs`.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
}

/// What something is that was deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrashKind {
    /// A solution of the library.
    Solution,
    /// A session of hands.
    Hands,
    /// A session of a drill.
    Drill,
    /// A session of Texas 42.
    FortyTwo,
    /// A solve, with its checkpoint.
    Solve,
}

/// Something that was deleted or forgotten and can be taken back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TrashedItem {
    /// What it is: a solution is taken back here, the others where they were.
    pub kind: TrashKind,
    /// What its id or number was.
    pub id: String,
    /// What people call it; empty where it has no name.
    pub name: String,
    /// The size of its files.
    pub bytes: u64,
    /// When it was deleted: RFC 3339, UTC.
    #[schema(format = DateTime)]
    pub deleted: String,
}

/// All about a solution file.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct SolutionDetail {
    /// The short of it.
    #[serde(flatten)]
    pub info: SolutionInfo,
    /// The spec that it is the solution of.
    pub toml: String,
    /// What each player expects at the root, in the unit of the spec.
    pub ev: Both<f64>,
    /// The share of the pot that each player wins if both check to the end.
    pub equity: Both<f64>,
    /// The hash of the average strategies.
    pub strategy_digest: String,
}

/// What to call an upload.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// A path inside the library, without `.nrs`.
    #[param(min_length = 1, max_length = 200)]
    pub name: String,
}

/// Where to look in a solution.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LineQuery {
    /// Actions and cards from the root, like `check, bet 94, call, Th`; nothing for the root.
    #[serde(default)]
    #[param(required = false, max_length = 2000)]
    pub line: String,
}
