//! Drills of Texas 42: a hand with one seat's dominoes seen, and what plays gave away.

use super::forty_two::{FinishedTrick, Play};
use noregret_drill::{DominoAnswer, DominoTotals, Verdict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A drill of Texas 42 to start.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDominoDrill {
    /// What is asked, as the query of a link: `seed=7&seat=0&decl=6&worlds=100`. All of it can be left out.
    #[serde(default)]
    #[schema(required = false, max_length = 4000)]
    pub settings: String,
}

/// A session of Texas 42 in short.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DominoSession {
    /// Its number.
    pub id: u32,
    /// When it was started: RFC 3339, UTC.
    #[schema(format = DateTime)]
    pub started: String,
    /// What is asked, as the query of a link.
    pub settings: String,
    /// What the plays gave away.
    pub totals: DominoTotals,
}

/// Where a session of Texas 42 stands.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DominoState {
    /// The session.
    pub session: DominoSession,
    /// The play that is asked for.
    pub question: DominoQuestion,
}

/// A session of Texas 42 with all answers.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DominoResults {
    /// The session.
    pub session: DominoSession,
    /// The plays, in order.
    pub answers: Vec<DominoAnswer>,
}

/// A play that is asked for, with what the player knows.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DominoQuestion {
    /// How many questions of the session were answered before.
    pub decision: usize,
    /// The number of the hand, from 0.
    pub hand: u64,
    /// The declaration, 0 to 9.
    pub declaration: u8,
    /// Who is asked, 0 to 3.
    pub seat: u8,
    /// The seven dominoes that the player was dealt.
    pub dealt: Vec<u8>,
    /// What the player still holds.
    pub held: Vec<u8>,
    /// What may be played.
    pub legal: Vec<u8>,
    /// Who led the trick.
    pub leader: u8,
    /// The trick under way.
    pub trick: Vec<Play>,
    /// The tricks that are over.
    pub tricks: Vec<FinishedTrick>,
    /// The points of team 0 (seats 0 and 2) and of team 1 so far.
    pub score: [u8; 2],
}

/// A play.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DominoReply {
    /// The number of the question, as it has it.
    pub decision: usize,
    /// What to play, 0 to 27.
    #[schema(minimum = 0, maximum = 27)]
    pub domino: u8,
}

/// What a play gave away.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DominoVerdict {
    /// The session with this play.
    pub session: DominoSession,
    /// What could be played, by domino.
    pub moves: Vec<DominoMove>,
    /// Which of these was played.
    pub chosen: usize,
    /// Which of these is worth most in the deal as it is.
    pub best: usize,
    /// Which of these is worth most over the deals that could be.
    pub best_known: usize,
    /// How many deals agree with what the player knew.
    pub possible: u64,
    /// How many of them were looked at.
    pub worlds: u64,
    /// Whether each of them was looked at.
    pub exact: bool,
    /// How good the play was, by what could be known.
    pub verdict: Verdict,
    /// The hand at its end; null if it goes on.
    #[schema(required)]
    pub end: Option<DominoEnd>,
}

/// A move with what it is worth. Values are final differences from the player's own side.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DominoMove {
    /// The domino, 0 to 27.
    pub domino: u8,
    /// What it is worth in the deal as it is.
    pub value: i8,
    /// What it gives away there.
    pub regret: u8,
    /// What it is worth on average over the deals that could be.
    pub mean: f64,
    /// What it gives away on average.
    pub known_regret: f64,
    /// What the mean may be off by; 0 if all deals were counted.
    pub standard_error: f64,
}

/// A hand of Texas 42 that is over.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct DominoEnd {
    /// The points of the player's team.
    pub points: u8,
    /// Its points if all four had played exactly.
    pub par: u8,
    /// What each seat was dealt.
    pub hands: Vec<Vec<u8>>,
    /// All tricks.
    pub tricks: Vec<FinishedTrick>,
}
