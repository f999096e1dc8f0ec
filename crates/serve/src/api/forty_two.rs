//! Texas 42.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct DeclarationName {
    /// 0 to 9.
    pub id: u8,
    /// Its name.
    pub name: String,
}

/// A domino.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct DominoFace {
    /// 0 to 27.
    pub id: u8,
    /// The higher pip.
    pub high: u8,
    /// The lower pip.
    pub low: u8,
    /// The points that it counts.
    pub count: u8,
}

/// Four hands: as text with `|` between them, or as the numbers of their dominoes.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum HandsInput {
    /// `6-6 6-5 … | … | … | …`.
    Text(String),
    /// Seven numbers of dominoes for each of four seats.
    Ids(Vec<Vec<u8>>),
}

/// A deal to make. Without a seed or hands it is a random one.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DealQuestion {
    /// The seed to deal from.
    #[schema(nullable = false, minimum = 0, maximum = 9007199254740991i64)]
    pub seed: Option<u64>,
    /// The hands, instead.
    #[schema(nullable = false)]
    pub hands: Option<HandsInput>,
}

/// A deal.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DealAnswer {
    /// The seed, if it was dealt from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seed: Option<u64>,
    /// The hands of the four seats.
    pub hands: Vec<Vec<DominoFace>>,
    /// The same as text.
    pub text: String,
}

/// A position to look at.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionQuestion {
    /// The deal: a seed, or hands.
    pub deal: DealQuestion,
    /// The declaration, 0 to 9.
    #[schema(minimum = 0, maximum = 9)]
    pub declaration: u8,
    /// The dominoes played so far, in order, by number.
    #[schema(max_items = 28)]
    pub plays: Vec<u8>,
}

/// A play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Play {
    /// By which seat, 0 to 3.
    pub seat: u8,
    /// Which domino, 0 to 27.
    pub domino: u8,
}

/// A trick that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct FinishedTrick {
    /// Who led.
    pub leader: u8,
    /// The plays, in order.
    pub plays: Vec<Play>,
    /// Who took it.
    pub winner: u8,
    /// Its points.
    pub points: u8,
}

/// A legal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Move {
    /// The domino, 0 to 27.
    pub domino: u8,
    /// The final difference for team 0 after it, under best play.
    pub value: i8,
    /// What it gives away against the best move, from the mover's own side.
    pub regret: u8,
}

/// A position and what it is worth.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct PositionAnswer {
    /// Whose turn it is; null when all is played.
    #[schema(required)]
    pub seat: Option<u8>,
    /// Who leads, or led, the trick.
    pub leader: u8,
    /// The trick under way.
    pub trick: Vec<Play>,
    /// The tricks that are over.
    pub tricks: Vec<FinishedTrick>,
    /// The points of team 0 (seats 0 and 2) and of team 1 so far.
    pub score: [u8; 2],
    /// The final difference for team 0 under best play.
    pub value: i8,
    /// The final points of both teams under best play.
    pub points: [u8; 2],
    /// The legal moves.
    pub moves: Vec<Move>,
    /// What each seat still holds.
    pub hands: Vec<Vec<DominoFace>>,
    /// Best play from here to the end.
    pub best_line: Vec<Play>,
    /// Whether all dominoes are played.
    pub finished: bool,
}

/// A hand to bid on.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BidQuestion {
    /// The numbers of its seven dominoes.
    #[schema(min_items = 7, max_items = 7)]
    pub hand: Vec<u8>,
    /// How many deals of the other dominoes to solve, 1 to 1000; 50 unless told.
    #[schema(nullable = false, minimum = 1, maximum = 1000)]
    pub samples: Option<u32>,
    /// What the draws depend on; 0 unless told.
    #[schema(nullable = false, minimum = 0, maximum = 9007199254740991i64)]
    pub seed: Option<u64>,
    /// Bid as high as is made in at least this share of the deals; 0.5 unless told.
    #[schema(nullable = false, exclusive_minimum = 0, maximum = 1)]
    pub chance: Option<f64>,
}

/// What a hand is worth under each declaration: as `noregret forty-two bid --json`.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct BidAnswer {
    /// The hand.
    pub hand: String,
    /// What the draws depend on.
    pub seed: u64,
    /// The share of deals in which a bid has to be made.
    pub chance: f64,
    /// Always true: after the lead, deals are solved with all hands seen by everyone.
    pub all_hands_seen: bool,
    /// By declaration.
    pub declarations: Vec<DeclarationBids>,
    /// The bid to make; null is to pass.
    #[schema(required)]
    pub best: Option<BestBid>,
    /// Whether another declaration may be as good: at the best bid, its 95% interval overlaps.
    pub too_close: bool,
    /// Whether all deals are solved.
    pub finished: bool,
}

/// A declaration and the chances of each bid.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DeclarationBids {
    /// The declaration, 0 to 9.
    pub decl: u8,
    /// Its name.
    pub name: String,
    /// How many deals were solved.
    pub deals: u64,
    /// The lead with the highest mean, which the figures are of.
    pub lead: String,
    /// The mean points.
    pub mean_points: f64,
    /// The bids, 30 to 42.
    pub bids: Vec<BidChance>,
    /// The highest that is made often enough; null if none is.
    #[schema(required)]
    pub highest_bid: Option<u8>,
}

/// A bid and how often it is made.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct BidChance {
    /// The bid.
    pub bid: u8,
    /// The share of deals in which it is made.
    pub chance: f64,
    /// The lower end of the 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The bid to make.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BestBid {
    /// The declaration, 0 to 9.
    pub decl: u8,
    /// Its name.
    pub name: String,
    /// The bid.
    pub bid: u8,
}

/// What a player knows: the own hand, and what was played. It is that player's turn.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectationQuestion {
    /// The numbers of the seven dominoes that were dealt to the player.
    #[schema(min_items = 7, max_items = 7)]
    pub hand: Vec<u8>,
    /// The declaration, 0 to 9.
    #[schema(minimum = 0, maximum = 9)]
    pub declaration: u8,
    /// The dominoes played so far, in order, by number. Seat 0 leads the first trick.
    #[schema(max_items = 27)]
    pub plays: Vec<u8>,
    /// How many deals to draw, 1 to 10000; 1000 unless told. If there are no more than that, each counts once.
    #[schema(nullable = false, minimum = 1, maximum = 10000)]
    pub worlds: Option<u64>,
    /// What the draws depend on; 0 unless told.
    #[schema(nullable = false, minimum = 0, maximum = 9007199254740991i64)]
    pub seed: Option<u64>,
}

/// What each legal move is worth over the deals that agree with what a player knows.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ExpectationAnswer {
    /// The player, 0 to 3.
    pub seat: u8,
    /// How many deals agree with what the player knows.
    pub possible: u64,
    /// How many of them were looked at so far.
    pub worlds: u64,
    /// Whether each of them was looked at, so that nothing is left to chance.
    pub exact: bool,
    /// The legal moves, by domino.
    pub moves: Vec<ExpectedMove>,
    /// The domino with the highest mean, the first of equals.
    #[schema(required)]
    pub best: Option<u8>,
    /// Whether another move may be as good: its 95% interval overlaps.
    pub too_close: bool,
    /// Whether this is the last line.
    pub finished: bool,
}

/// A legal move over many deals, each solved with all hands seen by everyone.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ExpectedMove {
    /// The domino, 0 to 27.
    pub domino: u8,
    /// The mean of the final difference for the player's own team.
    pub mean: f64,
    /// Its standard deviation over the deals.
    pub spread: f64,
    /// What the mean may be off by; 0 if all deals were looked at.
    pub standard_error: f64,
    /// What it gives away on average against the move with the highest mean.
    pub regret: f64,
}
