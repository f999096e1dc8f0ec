//! Why a drill has no question or no grade.

use noregret_cards::Hole;
use noregret_holdem::{Action, LineError, ReadError};

/// Why a drill has no question or no grade.
#[derive(Debug, thiserror::Error)]
pub enum DrillError {
    /// The solution cannot be read there.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The hand is over at the end of the line.
    #[error("line: the hand is over there: give a line that ends before that")]
    Over,
    /// No hand that is asked for is there.
    #[error("no hand that the settings choose comes to the line together with one of the opponent's")]
    NobodyThere,
    /// No hand came to such a decision.
    #[error(
        "no hand came to such a decision in {0} deals: choose more hands, another street, or a line that leads nearer to it"
    )]
    NoDecision(u64),
    /// The action does not exist there.
    #[error("`{action}` is no action there: there is {}", actions.join(", "))]
    Action {
        /// The action.
        action: String,
        /// What there is.
        actions: Vec<String>,
    },
    /// More was answered than was asked.
    #[error("the hand is over: nothing is asked any more")]
    Answered,
    /// A decision that is to be asked again names no hand.
    #[error("hole: `{0}` is no hand: two cards are, like AhKh")]
    Hole(String),
    /// The solution has no EV of the hand.
    #[error("the solution has no EV of {0} there")]
    NoValue(Hole),
}

impl DrillError {
    pub(crate) fn action(action: Action, actions: &[Action]) -> Self {
        Self::Action {
            action: action.to_string(),
            actions: actions.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<LineError> for DrillError {
    fn from(error: LineError) -> Self {
        Self::Read(error.into())
    }
}
