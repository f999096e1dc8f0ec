//! The rounds of betting of a hand, the one before the flop included.

use noregret_cards::Street;
use std::fmt;

/// A round of betting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PlayStreet {
    /// Before the flop.
    Preflop,
    /// With three public cards.
    Flop,
    /// With four.
    Turn,
    /// With five.
    River,
}

impl PlayStreet {
    /// All four, in order of play.
    pub const ALL: [Self; 4] = [Self::Preflop, Self::Flop, Self::Turn, Self::River];

    /// How many public cards there are.
    pub fn board_cards(self) -> usize {
        match self {
            Self::Preflop => 0,
            Self::Flop => 3,
            Self::Turn => 4,
            Self::River => 5,
        }
    }

    /// The round after this one.
    pub fn next(self) -> Option<Self> {
        Self::ALL.get(self as usize + 1).copied()
    }

    /// The street of the betting tree; none before the flop.
    pub fn street(self) -> Option<Street> {
        match self {
            Self::Preflop => None,
            Self::Flop => Some(Street::Flop),
            Self::Turn => Some(Street::Turn),
            Self::River => Some(Street::River),
        }
    }
}

impl fmt::Display for PlayStreet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.street() {
            Some(street) => street.fmt(f),
            None => f.write_str("preflop"),
        }
    }
}
