//! One line over many boards.

use super::common::RequestProblem;
use super::common::{Both, PlayerName, UnitName};
use super::solves::KeptStreets;
use serde::{Deserialize, Serialize};
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
    /// Whether this server is solving it now.
    pub running: bool,
    /// Whether this server can go on with it: it knows the spec and the plan.
    pub can_continue: bool,
    /// The id of the solve that is at work for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub solve: Option<String>,
    /// How many of its flops could not be solved in this run.
    pub failed: usize,
    /// Why the last of them could not, or why the run ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
}

/// A spec to solve on many flops.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBatch {
    /// The folder for the solutions: a path inside the library. Where it is taken, a number is added.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// The spec; its flop is replaced.
    pub toml: String,
    /// On how many flops, chosen to stand for all of them.
    #[schema(minimum = 1, maximum = 1755)]
    pub flops: u32,
    /// Which streets the solution files keep; the flop unless told.
    #[schema(nullable = false)]
    pub save: Option<KeptStreets>,
}

/// Which line a report is about.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RowsQuestion {
    /// Actions and cards from the root; nothing for the root.
    #[schema(max_length = 2000)]
    pub line: String,
}

/// How far a report is; the last line has the report or what is wrong.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct RowsProgress {
    /// How many boards are read.
    pub done: usize,
    /// Of how many.
    pub total: usize,
    /// The report, once it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<LineReport>)]
    pub report: Option<serde_json::Value>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<RequestProblem>,
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
    /// How many chips a big blind is, if that is known.
    #[schema(required)]
    pub big_blind: Option<f64>,
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
    /// How many pairs of hands of both players get there: a mean over boards counts each by its weight times this.
    pub matchups: f64,
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
