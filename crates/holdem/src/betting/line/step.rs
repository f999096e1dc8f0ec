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
    /// A player bets or raises a share of the pot, whatever it comes to: `bet 33%`.
    PotShare(PotShare),
    /// A card is dealt.
    Card(Card),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(action) => action.fmt(f),
            Self::AllIn => f.write_str("all-in"),
            Self::PotShare(share) => share.fmt(f),
            Self::Card(card) => card.fmt(f),
        }
    }
}

/// A bet or a raise by its share of the pot; for a raise, of the pot after calling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PotShare {
    /// Whether it raises a bet.
    pub is_raise: bool,
    /// Hundredths of a percent.
    pub basis_points: u32,
}

impl PotShare {
    /// What the player will have put in on the street, where the opponent has put in `previous` and the pot after calling is `pot`.
    pub(crate) fn amount(self, pot: f64, previous: u32) -> f64 {
        f64::from(previous) + pot * f64::from(self.basis_points) / 10_000.0
    }
}

impl fmt::Display for PotShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.is_raise { "raise" } else { "bet" };
        write!(f, "{name} {}%", f64::from(self.basis_points) / 100.0)
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
