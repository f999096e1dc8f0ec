//! What players do, as it was played.

use crate::money::Money;
use crate::play_street::PlayStreet;
use std::fmt;

/// What a player does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayedMove {
    /// Gives the pot up.
    Fold,
    /// Passes without a bet to answer.
    Check,
    /// Puts in what there is to call, or what is left.
    Call,
    /// Puts in the first chips of a street after the flop.
    Bet,
    /// Puts in more than there is to call.
    Raise,
}

impl fmt::Display for PlayedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fold => "fold",
            Self::Check => "check",
            Self::Call => "call",
            Self::Bet => "bet",
            Self::Raise => "raise",
        })
    }
}

/// An action of a hand, with the betting that it answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedAction {
    /// Who acts: a place in [`PlayedHand::seats`](crate::PlayedHand::seats).
    pub seat: usize,
    /// When.
    pub street: PlayStreet,
    /// What is done.
    pub action: PlayedMove,
    /// What the player puts in with it.
    pub added: Money,
    /// What the player has put in on the street after it; antes and dead blinds do not count.
    pub to: Money,
    /// Whether nothing is left after it.
    pub is_all_in: bool,
    /// All chips in the middle before it.
    pub pot: Money,
    /// What there was to call.
    pub to_call: Money,
    /// What the player had left before it.
    pub stack: Money,
    /// The line of the text, from 1.
    pub line: u32,
}

/// What is put in before the first action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PostKind {
    /// An ante, which nobody has to call.
    Ante,
    /// The small blind.
    SmallBlind,
    /// The big blind, also of somebody who has just sat down.
    BigBlind,
    /// A blind on top of the big one.
    Straddle,
    /// A blind that was missed: it goes to the pot, and nobody has to call it.
    Dead,
}

impl PostKind {
    /// Whether it counts towards what has to be called.
    pub fn is_live(self) -> bool {
        !matches!(self, Self::Ante | Self::Dead)
    }
}

impl fmt::Display for PostKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ante => "ante",
            Self::SmallBlind => "small blind",
            Self::BigBlind => "big blind",
            Self::Straddle => "straddle",
            Self::Dead => "dead blind",
        })
    }
}

/// Something that a player puts in before the first action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Post {
    /// Who: a place in [`PlayedHand::seats`](crate::PlayedHand::seats).
    pub seat: usize,
    /// What it is.
    pub kind: PostKind,
    /// How much.
    pub amount: Money,
    /// The line of the text, from 1.
    pub line: u32,
}
