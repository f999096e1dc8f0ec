//! What a player can do.

use super::chips::Chips;
use std::fmt;

/// What a player does. Amounts are what the player has put in on this street in all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Gives the pot up.
    Fold,
    /// Passes without a bet to answer.
    Check,
    /// Answers a bet with as much.
    Call,
    /// Puts in the first chips of the street.
    Bet(Chips),
    /// Answers a bet with more.
    Raise(Chips),
    /// Bets or raises everything.
    AllIn(Chips),
}

impl Action {
    /// What the player has put in on this street after a bet, a raise or an all-in.
    pub fn amount(self) -> Option<Chips> {
        match self {
            Self::Fold | Self::Check | Self::Call => None,
            Self::Bet(amount) | Self::Raise(amount) | Self::AllIn(amount) => Some(amount),
        }
    }

    /// The word for it: `fold`, `check`, `call`, `bet`, `raise` or `all-in`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::Check => "check",
            Self::Call => "call",
            Self::Bet(_) => "bet",
            Self::Raise(_) => "raise",
            Self::AllIn(_) => "all-in",
        }
    }
}

impl fmt::Display for Action {
    /// As in a line: `check`, `bet 94`, `all-in 910`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.amount().map_or(Ok(()), |amount| write!(f, " {amount}"))
    }
}
