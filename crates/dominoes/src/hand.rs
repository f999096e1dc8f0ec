//! A set of dominoes.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::domino::{Domino, ParseDominoError};

/// A set of dominoes, as one player holds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hand(u32);

impl Hand {
    /// No domino.
    pub const EMPTY: Self = Self(0);

    /// Whether the domino is in it.
    pub const fn contains(self, domino: Domino) -> bool {
        self.0 >> domino.number() & 1 == 1
    }

    /// Adds the domino; false if it was there.
    pub const fn insert(&mut self, domino: Domino) -> bool {
        let new = !self.contains(domino);
        self.0 |= 1 << domino.number();
        new
    }

    /// Takes the domino out; false if it was not there.
    pub const fn remove(&mut self, domino: Domino) -> bool {
        let had = self.contains(domino);
        self.0 &= !(1 << domino.number());
        had
    }

    /// How many dominoes it has.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its dominoes, by number.
    pub fn iter(self) -> impl Iterator<Item = Domino> {
        Domino::all().filter(move |&d| self.contains(d))
    }
}

impl FromIterator<Domino> for Hand {
    fn from_iter<I: IntoIterator<Item = Domino>>(dominoes: I) -> Self {
        let mut hand = Self::EMPTY;
        for domino in dominoes {
            hand.insert(domino);
        }
        hand
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, domino) in self.iter().enumerate() {
            write!(f, "{}{domino}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// A text that is no hand.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseHandError {
    /// A word in it is no domino.
    #[error(transparent)]
    Domino(#[from] ParseDominoError),
    /// A domino is there twice.
    #[error("{0} is in the hand twice: a set has one of each")]
    Twice(Domino),
}

impl FromStr for Hand {
    type Err = ParseHandError;

    /// Dominoes between spaces or commas, like `6-6 6-5 1-0`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut hand = Self::EMPTY;
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
            let domino = word.parse()?;
            if !hand.insert(domino) {
                return Err(ParseHandError::Twice(domino));
            }
        }
        Ok(hand)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_parses_and_prints_by_number() {
        let hand: Hand = "6-6, 0-1  6-5".parse().unwrap();
        assert_eq!((hand.len(), hand.to_string()), (3, "1-0 6-5 6-6".to_owned()));
        assert_eq!("".parse(), Ok(Hand::EMPTY));
    }

    #[test]
    fn a_domino_twice_is_an_error_even_when_turned_around() {
        let error = "6-4 1-0 4-6".parse::<Hand>().unwrap_err();
        assert_eq!(error.to_string(), "6-4 is in the hand twice: a set has one of each");
        let error = "6-4 x".parse::<Hand>().unwrap_err();
        assert_eq!(error.to_string(), "`x` is not a domino: write two pips of 0 to 6, like `6-4`");
    }
}
