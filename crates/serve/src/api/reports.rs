//! One line over many boards.

use super::common::{Both, PlayerName, UnitName};
use serde::Serialize;
use utoipa::ToSchema;

/// A folder of solutions that a batch has made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Batch)]
pub struct BatchFolder {
    /// Its path inside the library; `~` is the library itself.
    pub id: String,
    /// The last part of the path.
    pub name: String,
    /// How many of its solutions are there.
    pub solved: usize,
    /// How many there will be.
    pub total: usize,
    /// How many flops they stand for.
    pub flops: u64,
}

/// A line over many boards.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = Report)]
pub struct LineReport {
    /// The line; `*` stands for every card.
    pub line: String,
    /// One for each pair of ranges and stack, in the order of the batch: those are different games and averaged apart.
    pub variants: Vec<ReportVariant>,
}

/// A line over the boards of one pair of ranges and one stack.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ReportVariant {
    /// Ranges and stack, where a batch has several; else empty.
    pub name: String,
    /// What its EVs are in.
    pub unit: UnitName,
    /// Who acts at its end; null if nobody does, or not on all boards the same player.
    #[schema(required)]
    pub player: Option<PlayerName>,
    /// Every action that some board has.
    pub actions: Vec<String>,
    /// The boards.
    pub rows: Vec<LineReportRow>,
    /// The mean over all boards, each counted as often as it happens.
    pub average: ReportNumbers,
    /// The same for kinds of boards.
    pub groups: Vec<ReportGroup>,
}

/// Numbers of a board, or of many.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ReportNumbers {
    /// How often each action is taken, in the order of the variant's actions; null where it is not there or no hands of both players are together.
    pub frequencies: Vec<Option<f64>>,
    /// What each player expects from there on, the pot counted.
    pub ev: Both<Option<f64>>,
    /// The share of the pot if both check to the end.
    pub equity: Both<Option<f64>>,
    /// EV over equity times pot.
    pub eqr: Both<Option<f64>>,
}

/// A board.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = ReportRow)]
pub struct LineReportRow {
    /// The flop, like `QsJh2h`.
    pub flop: String,
    /// The public cards at the end of the line.
    pub board: Vec<String>,
    /// How many boards it stands for.
    pub weight: f64,
    /// What kind of board it is.
    pub texture: Vec<BoardKind>,
    /// Its numbers.
    #[serde(flatten)]
    pub numbers: ReportNumbers,
    /// How exploitable the solution is, in percent of the pot.
    #[schema(required)]
    pub exploitability_pct: Option<f64>,
    /// The id of the solution.
    pub solution: String,
}

/// One way to sort boards, and where a board is in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Kind)]
pub struct BoardKind {
    /// By what: `high card`, `suits`…
    pub by: String,
    /// What kind of it: `two-tone`…
    pub kind: String,
    /// Its place among the kinds.
    pub order: u8,
}

/// All boards of a kind.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ReportGroup {
    /// Which.
    #[serde(flatten)]
    pub kind: BoardKind,
    /// How many rows.
    pub rows: usize,
    /// How many boards they stand for.
    pub weight: f64,
    /// Their mean.
    pub average: ReportNumbers,
}
