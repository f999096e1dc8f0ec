//! Why a hand is no spot.

use noregret_holdem::Chips;

/// Why a hand has nothing to be solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LeftOut {
    /// It ended before the flop.
    #[error("it ended before the flop")]
    Preflop,
    /// More than two saw the flop.
    #[error("{0} players saw the flop, and heads-up pots are solved")]
    Multiway(usize),
    /// All chips went in before the flop.
    #[error("all chips were in before the flop")]
    AllIn,
    /// Nobody who is looked at decides anything after the flop.
    #[error("nobody who is looked at decides anything after the flop")]
    NoDecision,
    /// No chart has a range for it.
    #[error("no chart has a range for `{0}`")]
    NoRange(String),
    /// The pot or the stacks have more chips than a spec can say.
    #[error("the pot or the stacks are above {max} of the smallest amount, and no spot can be larger", max = Chips::MAX_COUNT)]
    TooLarge,
    /// What was played makes no spec.
    #[error("{0}")]
    Spec(String),
}

impl LeftOut {
    /// A word for it, for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Preflop => "preflop",
            Self::Multiway(_) => "multiway",
            Self::AllIn => "all-in",
            Self::NoDecision => "no-decision",
            Self::NoRange(_) => "no-range",
            Self::TooLarge => "too-large",
            Self::Spec(_) => "spec",
        }
    }
}
