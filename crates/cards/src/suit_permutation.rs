//! The suits, exchanged.

use crate::{Board, Card, CardSet, Hole, Range, Suit};
use std::fmt;

/// One of the 24 ways to rename the suits.
///
/// No rule of the game tells one suit from another, so that a spot with renamed suits is the same spot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SuitPermutation {
    /// What clubs, diamonds, hearts and spades become.
    images: [Suit; Suit::COUNT],
}

impl SuitPermutation {
    /// How many there are.
    pub const COUNT: usize = 24;

    /// The permutation that makes clubs, diamonds, hearts and spades these suits; none if one comes twice.
    pub fn new(images: [Suit; Suit::COUNT]) -> Option<Self> {
        let all_there = Suit::all().all(|suit| images.contains(&suit));
        all_there.then_some(Self { images })
    }

    /// The one that changes nothing.
    pub fn identity() -> Self {
        Self { images: Suit::ALL }
    }

    /// All of them, the identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        let suits = Suit::ALL;
        suits.into_iter().flat_map(move |c| {
            suits.into_iter().flat_map(move |d| {
                suits
                    .into_iter()
                    .flat_map(move |h| suits.into_iter().filter_map(move |s| Self::new([c, d, h, s])))
            })
        })
    }

    /// Whether it changes nothing.
    pub fn is_identity(self) -> bool {
        self == Self::identity()
    }

    /// First this one, then `next`.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self { images: self.images.map(|suit| next.suit(suit)) }
    }

    /// The one that takes this one back.
    #[must_use]
    pub fn inverse(self) -> Self {
        let mut images = Suit::ALL;
        for suit in Suit::all() {
            images[self.suit(suit).index() as usize] = suit;
        }
        Self { images }
    }

    /// What a suit becomes.
    pub fn suit(self, suit: Suit) -> Suit {
        self.images[suit.index() as usize]
    }

    /// What a card becomes.
    pub fn card(self, card: Card) -> Card {
        Card::new(card.rank(), self.suit(card.suit()))
    }

    /// What a hole pair becomes.
    pub fn hole(self, hole: Hole) -> Hole {
        hole.map(|card| self.card(card))
    }

    /// What a set of cards becomes.
    pub fn set(self, cards: CardSet) -> CardSet {
        cards.iter().map(|card| self.card(card)).collect()
    }

    /// What a board becomes, card by card.
    pub fn board(self, board: Board) -> Board {
        board.map(|card| self.card(card))
    }

    /// What a range becomes: each hole pair's weight goes to what the pair becomes.
    pub fn range(self, range: &Range) -> Range {
        let mut renamed = Range::default();
        for hole in Hole::all() {
            renamed.weights[self.hole(hole).index()] = range.weight(hole);
        }
        renamed
    }

    /// Whether it leaves a range as it is: every hole pair weighs exactly as much as what it becomes.
    pub fn leaves(self, range: &Range) -> bool {
        Hole::all().all(|hole| range.weight(hole) == range.weight(self.hole(hole)))
    }
}

/// What clubs, diamonds, hearts and spades become, like `cdsh`.
impl fmt::Display for SuitPermutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.images.iter().try_for_each(|suit| write!(f, "{}", suit.to_char()))
    }
}

impl fmt::Debug for SuitPermutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn permutation(text: &str) -> SuitPermutation {
        SuitPermutation::all().find(|p| p.to_string() == text).unwrap()
    }

    #[test]
    fn there_are_24_permutations_and_they_form_a_group() {
        let all: Vec<SuitPermutation> = SuitPermutation::all().collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), SuitPermutation::COUNT);
        assert!(all[0].is_identity() && all.iter().filter(|p| p.is_identity()).count() == 1);
        for &p in &all {
            assert!(p.then(p.inverse()).is_identity() && p.inverse().then(p).is_identity());
            for &q in &all {
                assert!(Card::all().all(|card| p.then(q).card(card) == q.card(p.card(card))));
                assert_eq!(p.then(q).inverse(), q.inverse().then(p.inverse()));
            }
        }
        let clubs = Suit::ALL[0];
        assert_eq!(SuitPermutation::new([clubs; 4]), None);
    }

    #[test]
    fn everything_made_of_cards_is_renamed_card_by_card() {
        let p = permutation("dhcs");
        let hole: Hole = "AcKs".parse().unwrap();
        assert_eq!(p.hole(hole).to_string(), "AdKs");
        let board: Board = "QcJd2h3s4c".parse().unwrap();
        assert_eq!(p.board(board).to_string(), "QdJh2c3s4d");
        assert_eq!(p.set(board.set()), p.board(board).set());
        let range: Range = "AcKs:0.5,QQ,JdJc:0.25".parse().unwrap();
        assert_eq!(p.range(&range), "AdKs:0.5,QQ,JhJd:0.25".parse().unwrap());
        for p in SuitPermutation::all() {
            assert!(Hole::all().all(|hole| p.set(hole.set()) == p.hole(hole).set()));
        }
    }

    #[test]
    fn a_suit_in_a_range_breaks_the_symmetries_that_move_it() {
        let plain: Range = "22+:0.3,A2s+:0.7,KQo".parse().unwrap();
        assert!(SuitPermutation::all().all(|p| p.leaves(&plain)));
        let hearts: Range = "22+,AhKh:0.5".parse().unwrap();
        for p in SuitPermutation::all() {
            assert_eq!(p.leaves(&hearts), p.to_string().as_bytes()[2] == b'h', "{p}");
            assert_eq!(p.leaves(&hearts), p.range(&hearts) == hearts);
        }
    }
}
