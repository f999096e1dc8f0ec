//! A rank, a suit, a card, and a set of cards.

use std::fmt;
use std::str::FromStr;

const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"cdhs";

/// One of the thirteen ranks, deuce lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 13;
    /// The highest.
    pub const ACE: Self = Self(12);
    /// The second highest.
    pub const KING: Self = Self(11);

    /// The rank at `index`, 0 for the deuce to 12 for the ace.
    pub fn new(index: u8) -> Option<Self> {
        (index < 13).then_some(Self(index))
    }

    /// All ranks, deuce first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..13).map(Self)
    }

    /// The ranks from `low` to `high`, both included.
    pub fn between(low: Self, high: Self) -> impl DoubleEndedIterator<Item = Self> {
        (low.0..=high.0).map(Self)
    }

    /// The rank just below; none below the deuce.
    pub fn below(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }

    /// 0 for the deuce to 12 for the ace.
    pub fn index(self) -> u8 {
        self.0
    }

    /// The rank that a letter names, in either case.
    pub fn from_char(c: char) -> Option<Self> {
        let letter = u8::try_from(c).ok()?.to_ascii_uppercase();
        RANKS.iter().position(|&r| r == letter).map(|i| Self(i as u8))
    }

    /// Its letter: one of `23456789TJQKA`.
    pub fn to_char(self) -> char {
        RANKS[self.0 as usize] as char
    }
}

/// One of the four suits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Suit(u8);

impl Suit {
    /// How many suits there are.
    pub const COUNT: usize = 4;

    /// All suits: clubs, diamonds, hearts, spades.
    pub const ALL: [Self; Self::COUNT] = [Self(0), Self(1), Self(2), Self(3)];

    /// The suit at `index`: clubs, diamonds, hearts, spades.
    pub fn new(index: u8) -> Option<Self> {
        (index < 4).then_some(Self(index))
    }

    /// All suits: clubs, diamonds, hearts, spades.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        Self::ALL.into_iter()
    }

    /// 0 for clubs to 3 for spades.
    pub fn index(self) -> u8 {
        self.0
    }

    /// The suit that a letter names, in either case.
    pub fn from_char(c: char) -> Option<Self> {
        let letter = u8::try_from(c).ok()?.to_ascii_lowercase();
        SUITS.iter().position(|&s| s == letter).map(|i| Self(i as u8))
    }

    /// Its letter: one of `cdhs`.
    pub fn to_char(self) -> char {
        SUITS[self.0 as usize] as char
    }
}

/// One of the 52 cards, ordered by rank and then by suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many cards there are.
    pub const COUNT: usize = 52;

    /// The card of a rank and a suit.
    pub fn new(rank: Rank, suit: Suit) -> Self {
        Self(rank.0 * 4 + suit.0)
    }

    /// The card at `index`: four times the rank's index plus the suit's.
    pub fn from_index(index: u8) -> Option<Self> {
        (index < 52).then_some(Self(index))
    }

    /// All cards: 2c, 2d, 2h, 2s, 3c, … As.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..52).map(Self)
    }

    /// Four times the rank's index plus the suit's: 0 for 2c to 51 for As.
    pub fn index(self) -> u8 {
        self.0
    }

    /// Its rank.
    pub fn rank(self) -> Rank {
        Rank(self.0 / 4)
    }

    /// Its suit.
    pub fn suit(self) -> Suit {
        Suit(self.0 % 4)
    }
}

/// A text that is not a card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a card: write a rank (23456789TJQKA) and a suit (cdhs), like `Qs`")]
pub struct ParseCardError(
    /// The text.
    pub String,
);

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut chars = text.chars();
        match (chars.next().and_then(Rank::from_char), chars.next().and_then(Suit::from_char), chars.next()) {
            (Some(rank), Some(suit), None) => Ok(Self::new(rank, suit)),
            _ => Err(ParseCardError(text.to_owned())),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().to_char(), self.suit().to_char())
    }
}

macro_rules! debug_as_display {
    ($($t:ty => |$v:ident| $e:expr),*) => {$(
        impl fmt::Debug for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let $v = self;
                write!(f, "{}", $e)
            }
        }
    )*};
}
debug_as_display!(Rank => |r| r.to_char(), Suit => |s| s.to_char(), Card => |c| c);

/// A set of cards, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// No cards.
    pub const EMPTY: Self = Self(0);

    /// One bit per card, at the card's index.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Whether `card` is in the set.
    pub fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Adds `card`; false if it was there.
    pub fn insert(&mut self, card: Card) -> bool {
        let fresh = !self.contains(card);
        self.0 |= 1 << card.0;
        fresh
    }

    /// The set with `card` in it.
    #[must_use]
    pub fn with(mut self, card: Card) -> Self {
        self.insert(card);
        self
    }

    /// Whether the two sets share a card.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The cards of both sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// How many cards are in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards, lowest index first.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let next = (rest != 0).then(|| Card(rest.trailing_zeros() as u8));
            rest &= rest.wrapping_sub(1);
            next
        })
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_prints_and_parses_back() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
            assert_eq!(Card::from_index(card.index()), Some(card));
        }
        assert_eq!("qS".parse::<Card>().map(|c| c.to_string()), Ok("Qs".to_owned()));
    }

    #[test]
    fn a_bad_card_is_named() {
        for bad in ["", "Q", "Qx", "1s", "Qss", "♠Q", "é"] {
            let error = bad.parse::<Card>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("`{bad}` is not a card")), "{error}");
        }
    }

    #[test]
    fn sets_count_and_iterate_in_order() {
        let cards: Vec<Card> = ["As", "2c", "Th"].iter().map(|c| c.parse().unwrap()).collect();
        let set: CardSet = cards.iter().copied().collect();
        assert_eq!(set.len(), 3);
        assert_eq!(format!("{set:?}"), "{2c, Th, As}");
        assert!(set.contains(cards[0]) && !set.contains("Ac".parse().unwrap()));
    }
}
