//! Specs before they are solved.

use super::common::{ActionName, Both, No, PlayerName, RequestProblem, StreetName, UnitName, Yes};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A spec that is ready to be solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Preset)]
pub struct SpecPreset {
    /// A short name, which is a file name too.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// The spec.
    pub toml: String,
}

/// A spec to check.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecText {
    /// The spec, as TOML.
    pub toml: String,
}

/// Whether a text is a spec, and how large the spot is.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SpecCheck {
    /// It is.
    Valid(ValidSpec),
    /// It is not.
    Invalid(InvalidSpec),
}

/// A spec that can be solved, if it fits into memory.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ValidSpec {
    /// Always true.
    pub valid: Yes,
    /// The spot in short.
    pub summary: SpotSummary,
    /// The betting tree.
    pub tree: TreeSize,
    /// What a solve allocates, by part.
    pub memory: Vec<MemoryPart>,
    /// All of it, on the threads that a solve would run on.
    pub memory_bytes: u64,
    /// The same in other precisions, finest first.
    pub precisions: Vec<PrecisionOption>,
    /// Whether it fits into the budget.
    pub fits: bool,
    /// How much memory solves may take, in bytes.
    pub budget: u64,
}

/// A text that is no spec.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct InvalidSpec {
    /// Always false.
    pub valid: No,
    /// What is wrong.
    pub errors: Vec<RequestProblem>,
}

/// A spot in short.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct SpotSummary {
    /// The flop, like `QsJh2h`.
    pub flop: String,
    /// The turn card; null if it is not dealt.
    #[schema(required)]
    pub turn: Option<String>,
    /// The river card; null if it is not dealt.
    #[schema(required)]
    pub river: Option<String>,
    /// What all amounts are in.
    pub unit: UnitName,
    /// The pot at the root.
    pub pot: f64,
    /// What each player has left.
    pub stack: f64,
    /// How many hands each player has: first oop, then ip.
    pub hands: [usize; 2],
}

/// How large a betting tree is, without the cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TreeSize {
    /// Points where a player decides.
    pub decisions: usize,
    /// Ends of the hand.
    pub terminals: usize,
    /// The same by street, from the spot's first street on.
    pub by_street: Vec<StreetSize>,
}

/// One street of a betting tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct StreetSize {
    /// The street.
    pub street: StreetName,
    /// Points where a player decides.
    pub decisions: usize,
    /// Ends of the hand.
    pub terminals: usize,
    /// Boards that are solved; isomorphic ones count once.
    pub boards: usize,
}

/// A part of what a solve allocates.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct MemoryPart {
    /// `tree`, `tables`, `regrets`, `strategy`, `warm_start` (the coarser tree that is solved first) or `buffers`.
    pub part: String,
    /// How much.
    pub bytes: u64,
}

/// What a solve takes in some precision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PrecisionOption {
    /// Bits of the average strategy.
    pub strategy_bits: u8,
    /// Bits of the regrets.
    pub regret_bits: u8,
    /// All memory.
    pub memory_bytes: u64,
}

/// A point of a tree that is not solved.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeQuestion {
    /// The spec, as TOML.
    pub toml: String,
    /// Actions and cards from the root, like `check, bet 94, call, Th`; nothing for the root.
    #[schema(max_length = 2000)]
    pub line: String,
}

/// What can be done at a point of a tree.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct TreePoint {
    /// The line in the tree's own words.
    pub line: String,
    /// The public cards.
    pub board: Vec<String>,
    /// The street.
    pub street: StreetName,
    /// What all amounts are in.
    pub unit: UnitName,
    /// The chips in the middle.
    pub pot: f64,
    /// What each player has left.
    pub stacks: Both<f64>,
    /// Who is to act; null where nobody is.
    #[schema(required)]
    pub player: Option<PlayerName>,
    /// What can be done.
    pub actions: Vec<ActionName>,
    /// Whether the next card is dealt here.
    pub deals_card: bool,
}
