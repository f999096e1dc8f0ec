//! The two cards that a player holds.

use crate::{Card, CardSet};
use std::fmt;

/// Two different cards in one hand, the higher first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hole {
    high: Card,
    low: Card,
}

impl Hole {
    /// How many hole pairs there are.
    pub const COUNT: usize = 1326;

    /// The pair of two cards, in either order; none if they are the same card.
    pub fn new(a: Card, b: Card) -> Option<Self> {
        match a.cmp(&b) {
            std::cmp::Ordering::Greater => Some(Self { high: a, low: b }),
            std::cmp::Ordering::Less => Some(Self { high: b, low: a }),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// All pairs, in the order of their indices.
    pub fn all() -> impl Iterator<Item = Self> {
        Card::all()
            .flat_map(|high| Card::all().take(high.index() as usize).map(move |low| Self { high, low }))
    }

    /// The pair with each card replaced; different cards must stay different.
    pub(crate) fn map(self, f: impl Fn(Card) -> Card) -> Self {
        let (a, b) = (f(self.high), f(self.low));
        Self { high: a.max(b), low: a.min(b) }
    }

    /// Position among all pairs: `high·(high−1)/2 + low` by card index.
    pub fn index(self) -> usize {
        let high = self.high.index() as usize;
        high * (high - 1) / 2 + self.low.index() as usize
    }

    /// The card with the higher index (rank first, then suit).
    pub fn high(self) -> Card {
        self.high
    }

    /// The card with the lower index.
    pub fn low(self) -> Card {
        self.low
    }

    /// Both cards, the higher first.
    pub fn cards(self) -> [Card; 2] {
        [self.high, self.low]
    }

    /// Both cards as a set.
    pub fn set(self) -> CardSet {
        CardSet::EMPTY.with(self.high).with(self.low)
    }
}

impl fmt::Display for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

impl fmt::Debug for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Hole {
    type Err = ParseHoleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseHoleError(text.to_owned());
        let (a, b) = text.split_at_checked(2).ok_or_else(error)?;
        let (a, b) = (a.parse().map_err(|_| error())?, b.parse().map_err(|_| error())?);
        Self::new(a, b).ok_or_else(error)
    }
}

/// A text that is not two different cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a hand: write two different cards, like `AhKh`")]
pub struct ParseHoleError(
    /// The text.
    pub String,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_come_in_index_order_and_parse_back() {
        let mut count = 0;
        for (i, hole) in Hole::all().enumerate() {
            assert_eq!(hole.index(), i);
            assert_eq!(hole.to_string().parse(), Ok(hole));
            assert_eq!(Hole::new(hole.low(), hole.high()), Some(hole));
            count += 1;
        }
        assert_eq!(count, Hole::COUNT);
    }

    #[test]
    fn a_bad_hand_is_named() {
        for bad in ["", "Ah", "AhAh", "AhK", "AhKhQh", "éé"] {
            let error = bad.parse::<Hole>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("`{bad}` is not a hand")), "{error}");
        }
    }
}
