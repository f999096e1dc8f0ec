//! Dominoes in the order they were played.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::domino::{Domino, ParseDominoError};

/// Dominoes in the order they were played, from the first lead of a deal on. Who played which follows from the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plays(pub Vec<Domino>);

/// A text that is no list of plays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParsePlaysError {
    /// A word in it is no domino.
    #[error("play {number}: {error}")]
    Domino {
        /// Its place, from 1 on.
        number: usize,
        /// What is wrong with it.
        error: ParseDominoError,
    },
    /// A domino is there twice.
    #[error("play {number}: {domino} was played before")]
    Twice {
        /// The place of the second, from 1 on.
        number: usize,
        /// Which domino.
        domino: Domino,
    },
}

impl FromStr for Plays {
    type Err = ParsePlaysError;

    /// Dominoes between spaces or commas, like `6-6 6-5 6-0 1-0`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut plays = Vec::new();
        let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        for (word, number) in words.zip(1..) {
            let domino = word.parse().map_err(|error| ParsePlaysError::Domino { number, error })?;
            if plays.contains(&domino) {
                return Err(ParsePlaysError::Twice { number, domino });
            }
            plays.push(domino);
        }
        Ok(Self(plays))
    }
}

impl fmt::Display for Plays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, domino) in self.0.iter().enumerate() {
            write!(f, "{}{domino}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plays_keep_their_order_and_bad_ones_are_named_by_place() {
        let plays: Plays = "6-6, 5-6 0-1".parse().unwrap();
        assert_eq!(plays.to_string(), "6-6 6-5 1-0");
        let error = |text: &str| text.parse::<Plays>().unwrap_err().to_string();
        assert_eq!(error("6-6 7-1"), "play 2: `7-1` is not a domino: write two pips of 0 to 6, like `6-4`");
        assert_eq!(error("6-5 1-0 5-6"), "play 3: 6-5 was played before");
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic_and_what_it_reads_prints_the_same(text in "[0-7 ,-]{0,60}", wild in any::<String>()) {
            for text in [text, wild] {
                if let Ok(plays) = text.parse::<Plays>() {
                    prop_assert_eq!(plays.to_string().parse(), Ok(plays));
                }
            }
        }
    }
}
