//! One domino, its number and its text.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One of the 28 dominoes, numbered by high pip, then low: 0-0 is 0, 1-0 is 1, 1-1 is 2, … 6-6 is 27.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domino(u8);

impl Domino {
    /// How many dominoes there are.
    pub const COUNT: usize = 28;

    /// The domino with this number, if it is below 28.
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// The domino with these two pips, in either order, if both are at most 6.
    pub const fn from_pips(one: u8, other: u8) -> Option<Self> {
        let (high, low) = if one >= other { (one, other) } else { (other, one) };
        if high > 6 { None } else { Some(Self(high * (high + 1) / 2 + low)) }
    }

    /// Every domino, in order of number.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The number, 0..28.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The higher pip.
    pub const fn high(self) -> u8 {
        let mut high = 6;
        while high * (high + 1) / 2 > self.0 {
            high -= 1;
        }
        high
    }

    /// The lower pip.
    pub const fn low(self) -> u8 {
        let high = self.high();
        self.0 - high * (high + 1) / 2
    }

    /// Whether both pips are equal.
    pub const fn is_double(self) -> bool {
        self.high() == self.low()
    }

    /// Whether one of the pips is this one.
    pub const fn has_pip(self, pip: u8) -> bool {
        self.high() == pip || self.low() == pip
    }

    /// What the domino itself is worth to who takes it: ten for 5-5 and 6-4, five for 5-0, 4-1 and 3-2.
    pub const fn count(self) -> u8 {
        match self.high() + self.low() {
            sum @ (5 | 10) => sum,
            _ => 0,
        }
    }
}

impl fmt::Display for Domino {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.high(), self.low())
    }
}

/// A text that is no domino.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a domino: write two pips of 0 to 6, like `6-4`")]
pub struct ParseDominoError(pub(crate) String);

impl FromStr for Domino {
    type Err = ParseDominoError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let pip = |part: &str| match part.as_bytes() {
            [digit @ b'0'..=b'6'] => Some(digit - b'0'),
            _ => None,
        };
        text.split_once('-')
            .and_then(|(one, other)| Self::from_pips(pip(one)?, pip(other)?))
            .ok_or_else(|| ParseDominoError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_by_high_pip_then_low() {
        let texts: Vec<_> = Domino::all().take(7).map(|d| d.to_string()).collect();
        assert_eq!(texts, ["0-0", "1-0", "1-1", "2-0", "2-1", "2-2", "3-0"]);
        assert_eq!(Domino::new(27).unwrap().to_string(), "6-6");
        assert_eq!(Domino::new(28), None);
    }

    #[test]
    fn text_goes_there_and_back_in_either_order() {
        for domino in Domino::all() {
            assert_eq!(domino.to_string().parse(), Ok(domino));
            assert_eq!(format!("{}-{}", domino.low(), domino.high()).parse(), Ok(domino));
        }
    }

    #[test]
    fn a_text_that_is_no_domino_is_shown_in_the_error() {
        for text in ["", "6", "7-1", "6-", "-6", "6-4-2", "66", "６-4"] {
            let error = text.parse::<Domino>().unwrap_err().to_string();
            assert_eq!(error, format!("`{text}` is not a domino: write two pips of 0 to 6, like `6-4`"));
        }
    }

    #[test]
    fn counts_add_up_to_35() {
        assert_eq!(Domino::all().map(|d| u32::from(d.count())).sum::<u32>(), 35);
        let tens: Vec<_> = Domino::all().filter(|d| d.count() == 10).map(|d| d.to_string()).collect();
        assert_eq!(tens, ["5-5", "6-4"]);
    }
}
