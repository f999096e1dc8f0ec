//! An answer as it is kept.

use crate::grade::{Grade, MistakeKind, Verdict};
use crate::review::ReviewKey;
use noregret_cards::Board;
use serde::{Deserialize, Serialize};

/// An answer of a session with its grade.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DrillAnswer {
    /// The number of the hand in the drill, from 0.
    pub number: u64,
    /// Where it was, and with what cards.
    #[serde(flatten)]
    pub key: ReviewKey,
    /// The public cards, like `QsJh2h`.
    pub board: String,
    /// `flop`, `turn` or `river`.
    pub street: String,
    /// What was answered, as in a line.
    pub action: String,
    /// What is worth most.
    pub best: String,
    /// The EV of the best action less that of the answer, in the unit of the solution.
    pub ev_loss: f64,
    /// The same in percent of the pot.
    pub ev_loss_pct: f64,
    /// The same in big blinds; null if nobody said what the big blind is.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev_loss_bb: Option<f64>,
    /// How good that is.
    pub verdict: Verdict,
    /// What is wrong with it; null if it is as good as the best.
    #[cfg_attr(feature = "schema", schema(required))]
    pub mistake: Option<MistakeKind>,
}

impl DrillAnswer {
    /// An answer to the question with a number.
    pub fn new(number: u64, key: ReviewKey, board: &Board, grade: &Grade) -> Self {
        let name = |place: usize| {
            grade.answer.actions.get(place).map_or_else(String::new, |answer| answer.action.to_string())
        };
        Self {
            number,
            key,
            board: board.to_string(),
            street: board.street().to_string(),
            action: name(grade.answer.played),
            best: name(grade.best),
            ev_loss: grade.ev_loss,
            ev_loss_pct: grade.ev_loss_pct,
            ev_loss_bb: grade.ev_loss_bb,
            verdict: grade.verdict,
            mistake: grade.mistake,
        }
    }
}
