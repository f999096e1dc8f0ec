//! The public cards: a flop, perhaps a turn, perhaps a river.

use crate::{Card, CardSet, ParseCardError};
use std::fmt;

/// A betting round after the flop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Street {
    /// Three public cards.
    Flop,
    /// Four public cards.
    Turn,
    /// Five public cards.
    River,
}

impl Street {
    /// All three, in order of play.
    pub const ALL: [Self; 3] = [Self::Flop, Self::Turn, Self::River];

    /// The street after this one.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::Flop => Some(Self::Turn),
            Self::Turn => Some(Self::River),
            Self::River => None,
        }
    }

    /// 0 for the flop to 2 for the river.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Street {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flop => "flop",
            Self::Turn => "turn",
            Self::River => "river",
        })
    }
}

/// Three to five different public cards, in the order in which they were dealt.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    cards: [Card; 5],
    len: u8,
}

/// Why cards do not make a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// One of them is not a card.
    #[error(transparent)]
    Card(#[from] ParseCardError),
    /// There are not three to five.
    #[error("a board has 3 to 5 cards, not {0}")]
    Count(usize),
    /// One comes twice.
    #[error("the card {0} comes twice")]
    Repeated(Card),
}

impl Board {
    /// A board of three to five different cards.
    pub fn new(cards: &[Card]) -> Result<Self, BoardError> {
        let mut seen = CardSet::EMPTY;
        if let Some(&card) = cards.iter().find(|&&card| !seen.insert(card)) {
            return Err(BoardError::Repeated(card));
        }
        match *cards {
            [a, b, c] => Ok(Self { cards: [a, b, c, c, c], len: 3 }),
            [a, b, c, d] => Ok(Self { cards: [a, b, c, d, d], len: 4 }),
            [a, b, c, d, e] => Ok(Self { cards: [a, b, c, d, e], len: 5 }),
            _ => Err(BoardError::Count(cards.len())),
        }
    }

    /// The cards, as dealt.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..self.len as usize]
    }

    /// The cards as a set.
    pub fn set(&self) -> CardSet {
        self.cards().iter().copied().collect()
    }

    /// The street that is being played on it.
    pub fn street(&self) -> Street {
        match self.len {
            3 => Street::Flop,
            4 => Street::Turn,
            _ => Street::River,
        }
    }

    /// The board with each card replaced; different cards must stay different.
    pub(crate) fn map(self, f: impl FnMut(Card) -> Card) -> Self {
        let Self { cards, len } = self;
        Self { cards: cards.map(f), len }
    }

    /// The board with one more card; none if it is complete or has that card.
    pub fn with(&self, card: Card) -> Option<Self> {
        let mut cards = self.cards().to_vec();
        cards.push(card);
        Self::new(&cards).ok()
    }
}

impl std::str::FromStr for Board {
    type Err = BoardError;

    /// Reads `QsJh2h`; blanks between the cards are fine.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let cards: Result<Vec<Card>, _> =
            letters.chunks(2).map(|pair| pair.iter().collect::<String>().parse()).collect();
        Self::new(&cards.map_err(BoardError::Card)?)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cards().iter().try_for_each(|card| card.fmt(f))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_parse_print_and_grow() {
        let flop: Board = "Qs Jh2h".parse().unwrap();
        assert_eq!((flop.to_string().as_str(), flop.street()), ("QsJh2h", Street::Flop));
        let turn = flop.with("8c".parse().unwrap()).unwrap();
        assert_eq!((turn.to_string().as_str(), turn.street()), ("QsJh2h8c", Street::Turn));
        assert_eq!(turn.with("Jh".parse().unwrap()), None);
    }

    #[test]
    fn a_bad_board_says_why() {
        let message = |text: &str| text.parse::<Board>().unwrap_err().to_string();
        assert_eq!(message("QsJh"), "a board has 3 to 5 cards, not 2");
        assert_eq!(message("QsJhQs"), "the card Qs comes twice");
        assert!(message("QsJh2").starts_with("`2` is not a card"));
        assert_eq!(message("QsJh2h3h4h5h"), "a board has 3 to 5 cards, not 6");
    }
}
