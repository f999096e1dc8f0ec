//! One step of a line, and what is wrong with a text that is none.

use crate::betting::action::Action;
use noregret_cards::Card;
use std::fmt;
use std::ops::Range;

/// One step of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A player acts.
    Action(Action),
    /// A player puts everything in, whatever it comes to.
    AllIn,
    /// A card is dealt.
    Card(Card),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(action) => action.fmt(f),
            Self::AllIn => f.write_str("all-in"),
            Self::Card(card) => card.fmt(f),
        }
    }
}

/// A step of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternStep {
    /// This step.
    Step(Step),
    /// Every card that can come: `*`.
    AnyCard,
}

/// A step, and where in the text it was.
pub(crate) struct ParsedStep {
    pub span: Range<usize>,
    pub step: PatternStep,
}

/// A text that is not a line, and where in it the trouble is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseLineError {
    /// The offending bytes of the text.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub message: String,
}
