//! What several parts of the API have in common.

use noregret_report::Amount;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, schema::Type};
use utoipa::{PartialSchema, ToSchema};

/// Something of each player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Both<T> {
    /// The player who acts first on every street.
    pub oop: T,
    /// The player who acts last.
    pub ip: T,
}

impl<T> Both<T> {
    /// From an array by the players' index.
    pub fn new([oop, ip]: [T; 2]) -> Self {
        Self { oop, ip }
    }
}

/// A player's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlayerName {
    /// Acts first.
    Oop,
    /// Acts last.
    Ip,
}

/// A street.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StreetName {
    /// Three cards.
    Flop,
    /// The fourth.
    Turn,
    /// The fifth.
    River,
}

/// The body of every answer that is not a success.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong.
    pub error: RequestProblem,
}

/// Something wrong with a request.
#[derive(Clone, PartialEq, Debug, Default, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct RequestProblem {
    /// What, in one line.
    pub message: String,
    /// The field that it is about, like `ranges.oop`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub help: Option<String>,
    /// Where in the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub positions: Vec<TextPosition>,
}

/// A piece of a line of the text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Position)]
pub struct TextPosition {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in UTF-16 units as browsers count.
    pub column: usize,
    /// How long the piece is, in UTF-16 units.
    pub length: usize,
    /// A few words about it.
    pub message: String,
}

/// What all amounts of a spot are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Unit)]
pub enum UnitName {
    /// Chips, or any money.
    Chips,
    /// Big blinds.
    Bb,
}

/// An action: `bet 94` is `bet` with an amount of 94.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ActionName {
    /// `fold`, `check`, `call`, `bet`, `raise` or `all-in`.
    pub action: String,
    /// What the player has put in on this street in all; 0 where there is no amount.
    #[schema(value_type = f64)]
    pub amount: Amount,
    /// As in a line: `bet 94`.
    pub label: String,
}

/// `true`, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Yes;

/// `false`, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct No;

impl Serialize for Yes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(true)
    }
}

impl Serialize for No {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(false)
    }
}

fn only(value: bool) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([value])).into()
}

impl PartialSchema for Yes {
    fn schema() -> RefOr<Schema> {
        only(true)
    }
}

impl ToSchema for Yes {}

impl PartialSchema for No {
    fn schema() -> RefOr<Schema> {
        only(false)
    }
}

impl ToSchema for No {}

/// What is served, and by what.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Health {
    /// The program's version.
    pub version: String,
    /// Threads that a solve runs on.
    pub threads: usize,
    /// Memory.
    pub memory: ServerMemory,
    /// The instruction set that kernels use.
    pub instruction_set: String,
    /// The library folder.
    pub library: String,
    /// The names of the regret minimisers, the default first.
    pub algorithms: Vec<String>,
}

/// Memory of the machine, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Memory)]
pub struct ServerMemory {
    /// All that there is.
    pub total: u64,
    /// What can be had now.
    pub available: u64,
    /// What solves may take together.
    pub budget: u64,
}
