//! Hands that were played: sessions of them, what is solved for each, and what its decisions cost.

use noregret_hands::SessionTotals;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Hand histories to be kept as a session.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewHands {
    /// The text: PokerStars, GGPoker, or PHH.
    #[schema(min_length = 1, max_length = 4_194_304)]
    pub text: String,
    /// A name for the session; nothing for one after its first hand.
    #[serde(default)]
    #[schema(required = false, max_length = 100)]
    pub name: String,
    /// Whose decisions are looked at; the hero's unless told, and in texts without one those of everybody whose cards are known.
    #[schema(nullable = false, max_length = 200)]
    pub player: Option<String>,
    /// What the house takes: `as-played` unless told, `none`, `online-small`, `online-middle`, `online-high` or `live`.
    #[schema(nullable = false, max_length = 40)]
    pub rake: Option<String>,
    /// The exploitability to reach, in percent of the pot on the flop: 0.5 unless told.
    #[schema(nullable = false, minimum = 0.001, maximum = 100)]
    pub target_pct: Option<f64>,
}

/// A session in short.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct HandsSessionInfo {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// When it was made: RFC 3339, UTC.
    #[schema(format = DateTime)]
    pub created: String,
    /// Whose decisions are looked at; empty for the hero's.
    pub player: String,
    /// What the house takes.
    pub rake: String,
    /// The exploitability to reach, in percent of the pot on the flop.
    pub target_pct: f64,
    /// How many hands it has.
    pub hands: usize,
    /// How many of them are no spot.
    pub left_out: usize,
    /// How many parts of the text could not be read.
    pub errors: usize,
    /// How many different spots are to be solved.
    pub spots: usize,
    /// How many of these are in the library.
    pub solved: usize,
    /// Whether they are being solved now.
    pub running: bool,
    /// The id of the solve that is at work for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub solve: Option<String>,
    /// How many spots could not be solved in this run.
    pub failed: usize,
    /// Why the last of them could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
}

/// What a hand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HandKind {
    /// Its solution has been read.
    Solved,
    /// Its spot is to be solved.
    ToSolve,
    /// It is no spot.
    LeftOut,
}

/// A hand of a session in short.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct HandInfo {
    /// Its number in the session, from 0.
    pub number: usize,
    /// Its number in the history.
    pub hand: String,
    /// `PokerStars`, `GGPoker` or `PHH`.
    pub source: String,
    /// When it was played, as the history has it.
    pub time: String,
    /// What it is.
    pub kind: HandKind,
    /// The position of whoever is looked at; null if nobody is, or several are.
    #[schema(required)]
    pub position: Option<String>,
    /// Their cards; null where they are not known.
    #[schema(required)]
    pub hole: Option<String>,
    /// The public cards.
    pub board: String,
    /// What the player has won or lost, in big blinds; null if nobody or several are looked at.
    #[schema(required)]
    pub won_bb: Option<f64>,
    /// What the spot is, like `BB vs BTN, 3-bet`; or why there is none.
    pub summary: String,
    /// How many things the spot takes otherwise than they were.
    pub notes: usize,
    /// How many decisions are looked at.
    pub decisions: usize,
    /// What they cost, in big blinds; null if that is not known.
    #[schema(required)]
    pub ev_loss_bb: Option<f64>,
}

/// A part of the text that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct UnreadHand {
    /// The line of the text, from 1.
    pub line: u32,
    /// What stands there.
    pub text: String,
    /// What is wrong with it.
    pub message: String,
    /// The number of the hand; null if it has none.
    #[schema(required)]
    pub hand: Option<String>,
}

/// A solution that may be of a hand and could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct UnreadFile {
    /// Its id.
    pub solution: String,
    /// What is wrong with it.
    pub message: String,
}

/// A range that hands of a session take.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SessionRange {
    /// Which range of the charts it is, or in whose place it is: `BTN opens, 6-max, 100 bb`.
    pub name: String,
    /// The range, without hands that are added to it because they were played.
    pub text: String,
    /// Whether it is the session's own, in the place of that of the charts.
    pub own: bool,
    /// How many hands take it.
    pub hands: usize,
}

/// A session with its hands, and what their decisions cost.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct HandsReport {
    /// The session.
    pub session: HandsSessionInfo,
    /// The hands, in the order of the text.
    pub hands: Vec<HandInfo>,
    /// What could not be read.
    pub errors: Vec<UnreadHand>,
    /// Solutions that could not be read, and were skipped.
    pub unread_solutions: Vec<UnreadFile>,
    /// How many hands were skipped because they are there already.
    pub repeated: usize,
    /// How many hands have a solution that is more exploitable than what was asked for.
    pub missed: usize,
    /// What the decisions cost: in all, by street, by position, by kind of pot, and the ten costliest.
    pub totals: SessionTotals,
    /// For each of the ten costliest, the number of its hand in the session.
    pub costliest_hands: Vec<usize>,
    /// How many decisions cost so much that a drill can ask them again.
    pub to_train: usize,
    /// Its own ranges, in the place of those of the charts.
    pub own_ranges: Vec<SessionRange>,
}
