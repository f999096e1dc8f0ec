//! Drills: questions about solutions, and what answers cost.

use super::common::{ActionName, Both, PlayerName, StreetName, UnitName};
use noregret_drill::{DrillAnswer, DrillTotals, MistakeKind, Verdict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A drill to start.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDrill {
    /// The id of a solution, of an example, or of a folder of the library: then every hand is of one of its solutions.
    #[schema(min_length = 1, max_length = 400)]
    pub solution: String,
    /// What is asked, as the query of a link: `seed=7&play=decisions&street=turn&player=ip&hands=top+pair&line=check`. All of it can be
    /// left out.
    #[serde(default)]
    #[schema(required = false, max_length = 4000)]
    pub settings: String,
}

/// A session in short.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DrillSession {
    /// Its number.
    pub id: u32,
    /// When it was started: RFC 3339, UTC.
    #[schema(format = DateTime)]
    pub started: String,
    /// The solution or folder that it is about; empty if it asks again what went wrong.
    pub solution: String,
    /// What is asked, as the query of a link.
    pub settings: String,
    /// Whether it asks again what went wrong.
    pub is_review: bool,
    /// The name of the session of hands whose costly decisions it asks again; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hands: Option<String>,
    /// What the answers cost.
    pub totals: DrillTotals,
}

/// Where a session stands.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DrillState {
    /// The session.
    pub session: DrillSession,
    /// What is asked next; null if nothing is left to be asked again.
    #[schema(required)]
    pub question: Option<DrillQuestion>,
    /// What the session has left out so far: solutions that are gone or damaged, or have no such decision.
    pub skipped: Vec<DrillSkip>,
}

/// Something that a session does not ask about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct DrillSkip {
    /// The id of the solution.
    pub solution: String,
    /// The line of the decision that was to be asked again; in a drill the one that every hand begins with.
    pub line: String,
    /// Why, in a sentence.
    pub message: String,
}

/// A session with all answers.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DrillResults {
    /// The session.
    pub session: DrillSession,
    /// The answers, in order.
    pub answers: Vec<DrillAnswer>,
}

/// A question: a hand at a decision.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DrillQuestion {
    /// How many questions of the session were answered before.
    pub decision: usize,
    /// The number of the hand, from 0.
    pub hand: u64,
    /// How many questions are left with this one, where what went wrong is asked again; else null.
    #[schema(required)]
    pub left: Option<usize>,
    /// The id of the solution.
    pub solution: String,
    /// Actions and cards from the root.
    pub line: String,
    /// The same step by step.
    pub steps: Vec<DrillStep>,
    /// The public cards.
    pub board: Vec<String>,
    /// The street.
    pub street: StreetName,
    /// Who is asked.
    pub player: PlayerName,
    /// Their cards, like `AhKh`.
    pub hole: String,
    /// What all amounts are in.
    pub unit: UnitName,
    /// The big blind in chips; null if nobody said what it is.
    #[schema(required)]
    pub big_blind: Option<f64>,
    /// The chips in the middle.
    pub pot: f64,
    /// What there is to call.
    pub to_call: f64,
    /// What each player has left.
    pub stacks: Both<f64>,
    /// What can be done, the most passive first.
    pub actions: Vec<ActionName>,
}

/// A step to a question.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DrillStep {
    /// As in a line: `bet 94` or `Th`.
    pub label: String,
    /// Who acted; null for a card.
    #[schema(required)]
    pub player: Option<PlayerName>,
    /// The street on which it happened.
    pub street: StreetName,
    /// The pot before it.
    pub pot: f64,
}

/// An answer to a question.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrillReply {
    /// The number of the question, as it has it.
    pub decision: usize,
    /// What to do: the label of one of its actions.
    #[schema(min_length = 1, max_length = 40)]
    pub action: String,
}

/// What an answer cost.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DrillVerdict {
    /// The session with this answer.
    pub session: DrillSession,
    /// What could be done.
    pub actions: Vec<GradedAction>,
    /// Which of these was answered.
    pub chosen: usize,
    /// Which of these is worth most.
    pub best: usize,
    /// The EV of the best action less that of the answer, in the unit of the solution.
    pub ev_loss: f64,
    /// The same in percent of the pot.
    pub ev_loss_pct: f64,
    /// The same in big blinds; null if nobody said what the big blind is.
    #[schema(required)]
    pub ev_loss_bb: Option<f64>,
    /// How good that is.
    pub verdict: Verdict,
    /// What is wrong with it; null if it is as good as the best.
    #[schema(required)]
    pub mistake: Option<MistakeKind>,
    /// How the hand ended; null if it goes on.
    #[schema(required)]
    pub end: Option<DrillEnd>,
}

/// An action with what the solution says about it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct GradedAction {
    /// The action.
    #[serde(flatten)]
    pub name: ActionName,
    /// How often the solution takes it with the hand; null if it never plays the hand to here.
    #[schema(required)]
    pub frequency: Option<f64>,
    /// How often it takes it with all hands.
    #[schema(required)]
    pub range_frequency: Option<f64>,
    /// What the hand expects of it from here on.
    #[schema(required)]
    pub ev: Option<f64>,
}

/// Why a hand is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DrillEndKind {
    /// The one decision was answered.
    Answered,
    /// Somebody folded.
    Fold,
    /// The hands were compared.
    Showdown,
    /// The street is over that is asked about.
    Street,
    /// The solution never does with the hand what was answered, so it does not say how the hand goes on.
    Unplayed,
}

/// How a hand ended.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DrillEnd {
    /// Why it is over.
    pub kind: DrillEndKind,
    /// Who won the pot; null if they share it or nobody knows.
    #[schema(required)]
    pub winner: Option<PlayerName>,
    /// The opponent's cards; null where none were dealt.
    #[schema(required)]
    pub opponent_hole: Option<String>,
    /// The public cards at the end.
    pub board: Vec<String>,
    /// All that happened.
    pub line: String,
}

/// What went wrong and is to be asked again.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ReviewState {
    /// How many decisions are to be asked now.
    pub due: usize,
    /// How many there are in each of the five boxes.
    pub boxes: Vec<usize>,
}
