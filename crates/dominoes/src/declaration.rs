//! What is trump, and what that makes of each domino.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::domino::Domino;

/// The ten declarations, by number: a pip is trump (0–6), doubles are trump (7), doubles are a suit of their own
/// without trump power (8), no trump (9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Declaration(u8);

/// What a led domino asks the others for: one of the seven pips, or the doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Suit(u8);

impl Suit {
    /// The suit that the doubles form where a declaration takes them out of the pips.
    pub const DOUBLES: Self = Self(7);

    /// How many suits there can be: seven pips and the doubles.
    pub const COUNT: usize = 8;

    /// All eight.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The number, 0..8, to index by.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

const NAMES: [&str; 10] = [
    "blanks",
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "doubles-trump",
    "doubles-suit",
    "no-trump",
];

impl Declaration {
    /// Doubles are trump.
    pub const DOUBLES_TRUMP: Self = Self(7);
    /// Doubles are a suit of their own without trump power.
    pub const DOUBLES_SUIT: Self = Self(8);
    /// No trump.
    pub const NO_TRUMP: Self = Self(9);

    /// The declaration with this number, if it is below 10.
    pub const fn new(number: u8) -> Option<Self> {
        if number < 10 { Some(Self(number)) } else { None }
    }

    /// All ten, by number.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..10).map(Self)
    }

    /// The number, 0..10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The name, as users write it.
    pub const fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// The suit that beats the others, if there is one.
    pub const fn trump(self) -> Option<Suit> {
        match self.0 {
            0..=7 => Some(Suit(self.0)),
            _ => None,
        }
    }

    /// The suit set apart from the pips, which its dominoes belong to alone: trump, or the doubles of
    /// `doubles-suit`.
    const fn called(self) -> Option<Suit> {
        match self.0 {
            8 => Some(Suit::DOUBLES),
            _ => self.trump(),
        }
    }

    fn is_called(self, domino: Domino) -> bool {
        match self.called() {
            Some(Suit::DOUBLES) => domino.is_double(),
            Some(Suit(pip)) => domino.has_pip(pip),
            None => false,
        }
    }

    /// The suit that this domino asks for when it is led.
    pub fn suit_led(self, domino: Domino) -> Suit {
        match self.called() {
            Some(suit) if self.is_called(domino) => suit,
            _ => Suit(domino.high()),
        }
    }

    /// Whether the domino belongs to the suit and so follows it.
    pub fn follows(self, domino: Domino, suit: Suit) -> bool {
        if self.is_called(domino) {
            self.called() == Some(suit)
        } else {
            suit != Suit::DOUBLES && domino.has_pip(suit.0)
        }
    }

    /// Whether the domino is trump.
    pub fn is_trump(self, domino: Domino) -> bool {
        self.trump().is_some() && self.is_called(domino)
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no declaration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown declaration `{0}`: use a number of 0 to 9 or one of {names}", names = NAMES.join(", "))]
pub struct ParseDeclarationError(String);

impl FromStr for Declaration {
    type Err = ParseDeclarationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::all()
            .find(|d| d.name() == text || d.0.to_string() == text)
            .ok_or_else(|| ParseDeclarationError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domino(text: &str) -> Domino {
        text.parse().unwrap()
    }

    #[test]
    fn a_trump_pip_takes_its_dominoes_out_of_the_other_suits() {
        let fives: Declaration = "fives".parse().unwrap();
        assert_eq!(fives.suit_led(domino("6-5")), Suit(5));
        assert!(!fives.follows(domino("6-5"), Suit(6)));
        assert!(fives.follows(domino("6-4"), Suit(6)) && fives.follows(domino("6-4"), Suit(4)));
        assert!(fives.is_trump(domino("5-0")) && !fives.is_trump(domino("6-4")));
    }

    #[test]
    fn doubles_are_a_suit_of_their_own_with_and_without_trump_power() {
        for declaration in [Declaration::DOUBLES_TRUMP, Declaration::DOUBLES_SUIT] {
            assert_eq!(declaration.suit_led(domino("4-4")), Suit::DOUBLES);
            assert!(!declaration.follows(domino("4-4"), Suit(4)));
            assert!(declaration.follows(domino("4-4"), Suit::DOUBLES));
        }
        assert!(Declaration::DOUBLES_TRUMP.is_trump(domino("4-4")));
        assert!(!Declaration::DOUBLES_SUIT.is_trump(domino("4-4")));
    }

    #[test]
    fn without_trump_a_double_leads_and_follows_its_pip() {
        assert_eq!(Declaration::NO_TRUMP.suit_led(domino("4-4")), Suit(4));
        assert!(Declaration::NO_TRUMP.follows(domino("4-4"), Suit(4)));
        assert_eq!(Declaration::NO_TRUMP.suit_led(domino("5-4")), Suit(5));
    }

    #[test]
    fn names_and_numbers_parse_and_others_are_told_what_does() {
        for declaration in Declaration::all() {
            assert_eq!(declaration.name().parse(), Ok(declaration));
            assert_eq!(declaration.number().to_string().parse(), Ok(declaration));
        }
        for text in ["sevens", "10", "", "-1", "07"] {
            let error = text.parse::<Declaration>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("unknown declaration `{text}`")), "{error}");
            assert!(error.ends_with("doubles-trump, doubles-suit, no-trump"), "{error}");
        }
    }
}
