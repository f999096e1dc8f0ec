//! A point of a solution.

use super::common::{Both, PlayerName, StreetName, UnitName};
use noregret_report::{ActionDocument, Outlook};
use serde::Serialize;
use utoipa::ToSchema;

/// What happens at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PointKind {
    /// A player acts.
    Decision,
    /// A card is dealt.
    Card,
    /// The hand is over.
    Terminal,
}

/// A step on the way to a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    /// A player has acted.
    Action,
    /// A card was dealt.
    Card,
}

/// A point of a solution, with all hands of both players. The same numbers as `noregret inspect --json`.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Node {
    /// The line in the tree's own words.
    pub line: String,
    /// The same as `r:0:c:b94`.
    #[schema(required)]
    pub colon: Option<String>,
    /// The public cards.
    pub board: Vec<String>,
    /// The street.
    pub street: StreetName,
    /// What all amounts and EVs are in.
    pub unit: UnitName,
    /// How many chips a big blind is; null if the spec does not say.
    #[schema(required)]
    pub big_blind: Option<f64>,
    /// The chips in the middle.
    pub pot: f64,
    /// What each player has left.
    pub stacks: Both<f64>,
    /// Who is to act; null where nobody is.
    #[schema(required)]
    pub player: Option<PlayerName>,
    /// What happens here.
    pub kind: PointKind,
    /// How exploitable the whole solution is, in percent of the pot; null if that was never measured.
    #[schema(required)]
    pub exploitability_pct: Option<f64>,
    /// The steps from the root to here.
    pub path: Vec<PathStep>,
    /// What can be done.
    pub actions: Vec<NodeAction>,
    /// Both players' hands together.
    pub players: Both<Outlook>,
    /// What both players' hands make of the board, strongest first.
    pub classes: Both<Vec<ClassTotal>>,
    /// Both players' hands one by one.
    pub hands: Both<Hands>,
}

/// The hands of a player that make the same of the board with their own cards.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ClassTotal {
    /// What they make, like `top pair`.
    pub made: String,
    /// How many combinations reach this point.
    pub combos: f64,
    /// Which share of all hands here they are, after card removal.
    pub share: f64,
    /// How often they take each action; null if the other player is to act or nobody.
    #[schema(required)]
    pub strategy: Option<Vec<f64>>,
    /// In the unit of the spec from here on, the pot counted; null without an opponent.
    #[schema(required)]
    pub ev: Option<f64>,
    /// The share of the pot if both check to the end; null as for `ev`.
    #[schema(required)]
    pub equity: Option<f64>,
}

/// One step from the root to a point. Pot, stacks and board are as they are before it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct PathStep {
    /// As in a line: `bet 94`, `Th`.
    pub label: String,
    /// The line up to it and with it.
    pub line: String,
    /// An action or a card.
    pub kind: StepKind,
    /// Who acts; null for a card.
    #[schema(required)]
    pub player: Option<PlayerName>,
    /// The chips in the middle.
    pub pot: f64,
    /// What each player has left.
    pub stacks: Both<f64>,
    /// The public cards.
    pub board: Vec<String>,
    /// What could be done instead, this included; for a card none.
    pub choices: Vec<PathChoice>,
}

/// One way to go on at a point of the path.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct PathChoice {
    /// As in a line.
    pub label: String,
    /// The line with it.
    pub line: String,
    /// How often it is taken; null where no hands of both players are together.
    #[schema(required)]
    pub frequency: Option<f64>,
}

/// An action at a point and what comes of it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct NodeAction {
    /// The action, how often it is taken and by what hands.
    #[serde(flatten)]
    pub summary: ActionDocument,
    /// As in a line: `bet 94`.
    pub label: String,
    /// The line with it.
    pub line: String,
}

/// A player's hands, column by column; null where a hand is not reached or has no opponent.
#[derive(Clone, PartialEq, Debug, Default, Serialize, ToSchema)]
pub struct Hands {
    /// The cards, like `AhKh`.
    pub hand: Vec<String>,
    /// The reach probability of the hand, from 0 to its weight.
    pub reach: Vec<f64>,
    /// Its reach after card removal, up to a constant.
    pub share: Vec<f64>,
    /// In the unit of the spec from here on, the pot counted.
    pub ev: Vec<Option<f64>>,
    /// The share of the pot if both check to the end.
    pub equity: Vec<Option<f64>>,
    /// EV over equity times pot.
    pub eqr: Vec<Option<f64>>,
    /// What it makes of the board, like `top pair`.
    pub made: Vec<String>,
    /// What it may still become, like `flush draw`.
    pub draws: Vec<Vec<String>>,
    /// How often each action is taken; null if the other player is to act or nobody.
    #[schema(required)]
    pub strategy: Option<Vec<Option<Vec<f64>>>>,
    /// What each action is worth, in the unit of the spec from here on; null as for `strategy`.
    #[schema(required)]
    pub action_evs: Option<Vec<Option<Vec<f64>>>>,
}

/// What each card that can come does.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = Runouts)]
pub struct RunoutCards {
    /// The line up to the card, in the tree's own words.
    pub line: String,
    /// The cards that can come.
    pub cards: Vec<RunoutCard>,
}

/// A card that can come.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct RunoutCard {
    /// The card.
    pub card: String,
    /// The line with it.
    pub line: String,
    /// The card that it is the same as but for the names of the suits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub same_as: Option<String>,
    /// What both players expect after it; null if the file leaves that street out.
    #[schema(required)]
    pub players: Option<Both<Outlook>>,
    /// What the first player to act does; empty if nobody acts or the file leaves that street out.
    pub actions: Vec<ActionShare>,
}

/// How often an action is taken.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ActionShare {
    /// As in a line.
    pub label: String,
    /// From 0 to 1; null where no hands of both players are together.
    #[schema(required)]
    pub frequency: Option<f64>,
}
