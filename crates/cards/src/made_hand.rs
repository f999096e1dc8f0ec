//! What a hand makes of a board.

use crate::{Board, CardSet, Category, Hole, Rank, Strength};
use std::fmt;

/// What a hand makes of a board with its own cards, weakest first. What the board has for everybody, like a pair on it,
/// does not count: ace-king on K-9-4-9 is top pair, as it is on K-9-4.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use noregret_cards::MadeHand;
///
/// let flop = "QsJh2h".parse()?;
/// assert_eq!(MadeHand::of("QdQc".parse()?, &flop), Some(MadeHand::Set));
/// assert_eq!(MadeHand::of("AhQh".parse()?, &flop), Some(MadeHand::TopPair));
/// assert_eq!(MadeHand::of("AhKh".parse()?, &flop), Some(MadeHand::AceHigh));
/// assert_eq!(MadeHand::of("Ah2h".parse()?, &flop), None); // the deuce is on the board
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MadeHand {
    /// No pair with its own cards, and neither of the next two.
    Nothing,
    /// No pair with its own cards, but a king, and neither an ace nor a king on the board.
    KingHigh,
    /// No pair with its own cards, but an ace that plays.
    AceHigh,
    /// A pair with the third rank of the board or a lower one.
    LowPair,
    /// A pair with the second rank of the board.
    SecondPair,
    /// A pair in the hand, with a higher card on the board.
    Underpair,
    /// A pair with the highest card of the board.
    TopPair,
    /// A pair in the hand, higher than the board.
    Overpair,
    /// Two pair, both with cards of the hand.
    TwoPair,
    /// Three of a kind with one card of the hand.
    Trips,
    /// Three of a kind with a pair in the hand.
    Set,
    /// Five ranks in a row.
    Straight,
    /// Five cards of one suit.
    Flush,
    /// Three of a kind and a pair.
    FullHouse,
    /// Four of a kind.
    Quads,
    /// A straight in one suit.
    StraightFlush,
}

impl MadeHand {
    /// All of them, weakest first.
    pub const ALL: [Self; 16] = [
        Self::Nothing,
        Self::KingHigh,
        Self::AceHigh,
        Self::LowPair,
        Self::SecondPair,
        Self::Underpair,
        Self::TopPair,
        Self::Overpair,
        Self::TwoPair,
        Self::Trips,
        Self::Set,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::Quads,
        Self::StraightFlush,
    ];

    /// What `hole` makes of `board`; none if they share a card.
    pub fn of(hole: Hole, board: &Board) -> Option<Self> {
        if hole.set().intersects(board.set()) {
            return None;
        }
        let strength = Strength::of(hole.set().union(board.set()))?;
        // A board of five that is not improved on plays for everybody.
        if Strength::of(board.set()) == Some(strength) {
            return Some(Self::Nothing);
        }
        let own = |times, ranks| own_ranks(hole, board, times, ranks);
        Some(match strength.category() {
            Category::HighCard => high_card(hole, board),
            Category::Pair | Category::TwoPair => match own(2, 2)[..] {
                [] => high_card(hole, board),
                [rank] => pair(hole, board, rank),
                _ => Self::TwoPair,
            },
            Category::Trips if own(3, 1).is_empty() => high_card(hole, board),
            Category::Trips if is_pair(hole) => Self::Set,
            Category::Trips => Self::Trips,
            Category::Straight => Self::Straight,
            Category::Flush => Self::Flush,
            Category::FullHouse => Self::FullHouse,
            Category::Quads if own(4, 1).is_empty() => high_card(hole, board),
            Category::Quads => Self::Quads,
            Category::StraightFlush => Self::StraightFlush,
        })
    }

    /// Whether it is one of the five kinds of one pair.
    pub fn is_pair(self) -> bool {
        (Self::LowPair..=Self::Overpair).contains(&self)
    }

    /// Whether it is a pair or better.
    pub fn is_made(self) -> bool {
        self >= Self::LowPair
    }

    /// Its name: `top pair`, `set`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::KingHigh => "king high",
            Self::AceHigh => "ace high",
            Self::LowPair => "low pair",
            Self::SecondPair => "second pair",
            Self::Underpair => "underpair",
            Self::TopPair => "top pair",
            Self::Overpair => "overpair",
            Self::TwoPair => "two pair",
            Self::Trips => "trips",
            Self::Set => "set",
            Self::Straight => "straight",
            Self::Flush => "flush",
            Self::FullHouse => "full house",
            Self::Quads => "quads",
            Self::StraightFlush => "straight flush",
        }
    }
}

impl fmt::Display for MadeHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn is_pair(hole: Hole) -> bool {
    hole.high().rank() == hole.low().rank()
}

fn count(cards: CardSet, rank: Rank) -> usize {
    cards.iter().filter(|card| card.rank() == rank).count()
}

/// Of the highest `ranks` ranks that come `times` times or more, those that the hand has a card of.
fn own_ranks(hole: Hole, board: &Board, times: usize, ranks: usize) -> Vec<Rank> {
    let all = hole.set().union(board.set());
    let making = Rank::all().rev().filter(|&rank| count(all, rank) >= times).take(ranks);
    making.filter(|&rank| count(hole.set(), rank) > 0).collect()
}

/// What a hand is called that makes no pair with its own cards.
fn high_card(hole: Hole, board: &Board) -> MadeHand {
    let is_there = |rank: Rank| count(board.set(), rank) > 0;
    match hole.high().rank() {
        Rank::ACE if !is_there(Rank::ACE) => MadeHand::AceHigh,
        Rank::KING if !is_there(Rank::ACE) && !is_there(Rank::KING) => MadeHand::KingHigh,
        _ => MadeHand::Nothing,
    }
}

/// Which pair it is that a hand makes with one of its ranks.
fn pair(hole: Hole, board: &Board, rank: Rank) -> MadeHand {
    let higher = Rank::all().filter(|&other| other > rank && count(board.set(), other) > 0).count();
    match (is_pair(hole), higher) {
        (true, 0) => MadeHand::Overpair,
        (true, _) => MadeHand::Underpair,
        (false, 0) => MadeHand::TopPair,
        (false, 1) => MadeHand::SecondPair,
        (false, _) => MadeHand::LowPair,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Card;
    use proptest::prelude::*;

    fn made(hole: &str, board: &str) -> &'static str {
        MadeHand::of(hole.parse().unwrap(), &board.parse().unwrap()).map_or("blocked", MadeHand::name)
    }

    #[test]
    fn hands_are_called_what_players_call_them() {
        for (hole, board, name) in [
            ("AhKh", "QsJh2h", "ace high"),
            ("Kd5c", "QsJh2h", "king high"),
            ("Kd5c", "AsJh2h", "nothing"),
            ("9d5c", "QsJh2h", "nothing"),
            ("Qh5c", "QsJh2h", "top pair"),
            ("Jd5c", "QsJh2h", "second pair"),
            ("5c2c", "QsJh2h", "low pair"),
            ("KdKc", "QsJh2h", "overpair"),
            ("8d8c", "QsJh2h", "underpair"),
            ("QdJc", "QsJh2h", "two pair"),
            ("Qd2c", "QsJh2h", "two pair"),
            ("2d2c", "QsJh2h", "set"),
            ("Kd5c", "KsKh2h", "trips"),
            ("AdKc", "QsJhTh", "straight"),
            ("Ah5h", "QhJh2h", "flush"),
            ("Kd2c", "KsKh2h", "full house"),
            ("KdKc", "KsKh2h", "quads"),
            ("AhKh", "QhJhTh", "straight flush"),
            ("QsAh", "QsJh2h", "blocked"),
            // What the board has for everybody does not count.
            ("AdKc", "Kh9h4c9s", "top pair"),
            ("7d7c", "Kh9h4c9s", "underpair"),
            ("5d4d", "Kh9h4c9s", "low pair"),
            ("AdAc", "Kh9h4c9s", "overpair"),
            ("AdQc", "Kh9h4c9s", "ace high"),
            ("Kc4d", "Kh9h4c9s", "top pair"),
            ("9c5d", "Kh9h4c9s", "trips"),
            ("QdJd", "QsJh2h2c", "two pair"),
            ("Ad5c", "KsKh2h", "ace high"),
            ("Qd5c", "KsKh2h", "nothing"),
            ("Ad5c", "KsKhKd", "ace high"),
            ("Ad5c", "KsKh7d7c", "ace high"),
            ("AdAc", "KsKh7d7c", "overpair"),
            ("3d3c", "KsKh7d7c", "nothing"),
            ("Ad7h", "KsKh7d", "second pair"),
            ("Ad2s", "KsKh7d7c2h", "ace high"),
            ("Ad3s", "9s8h7d6c5h", "nothing"),
            ("Td3s", "9s8h7d6c5h", "straight"),
            ("AdKs", "KcKdKhKs2h", "blocked"),
            ("AdQs", "KcKdKhKs2h", "ace high"),
            ("2s3s", "AhKh9h5h4h", "nothing"),
            ("3h2s", "AhKh9h5h4h", "nothing"),
            ("Qh2s", "AhKh9h5h4h", "flush"),
        ] {
            assert_eq!(made(hole, board), name, "{hole} on {board}");
        }
    }

    #[test]
    fn names_are_distinct_and_in_order() {
        assert!(MadeHand::ALL.is_sorted());
        let names: std::collections::HashSet<_> = MadeHand::ALL.iter().map(|made| made.name()).collect();
        assert_eq!(names.len(), MadeHand::ALL.len());
    }

    /// The best five cards, found by trying all, and whether some best five has a card of the hand in what makes it.
    fn naive(hole: Hole, board: &Board) -> MadeHand {
        let cards: Vec<Card> = hole.set().union(board.set()).iter().collect();
        let fives = (0u32..1 << cards.len()).filter(|bits| bits.count_ones() == 5).map(|bits| {
            cards.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &card)| card).collect()
        });
        let fives: Vec<Vec<Card>> = fives.collect();
        let strength = |five: &[Card]| Strength::of(five.iter().copied().collect()).unwrap();
        let best = fives.iter().map(|five| strength(five)).max().unwrap();
        let mine = |card: &Card| hole.cards().contains(card);
        let of_rank = |five: &[Card], card: Card| five.iter().filter(|c| c.rank() == card.rank()).count();
        // The cards of a five that make its category: those with a twin, or all.
        let core =
            |five: &[Card], least: usize| five.iter().any(|card| mine(card) && of_rank(five, *card) >= least);
        let every = |test: &dyn Fn(&[Card]) -> bool| {
            fives.iter().filter(|five| strength(five) == best).all(|five| test(five))
        };
        let plays = |rank: Rank| every(&|five| five.iter().any(|card| mine(card) && card.rank() == rank));
        let ranks: std::collections::BTreeSet<Rank> = board.cards().iter().map(|card| card.rank()).collect();
        let pocket = hole.high().rank() == hole.low().rank();
        // The pairs of every best five that have a card of the hand in them.
        let own_pairs: std::collections::BTreeSet<Rank> = hole
            .cards()
            .into_iter()
            .filter(|&card| {
                every(&|five| {
                    five.iter().any(|c| mine(c) && c.rank() == card.rank()) && of_rank(five, card) >= 2
                })
            })
            .map(|card| card.rank())
            .collect();
        let high_card = || match hole.high().rank() {
            Rank::ACE if plays(Rank::ACE) && !ranks.contains(&Rank::ACE) => MadeHand::AceHigh,
            Rank::KING
                if !ranks.contains(&Rank::ACE) && !ranks.contains(&Rank::KING) && plays(Rank::KING) =>
            {
                MadeHand::KingHigh
            }
            _ => MadeHand::Nothing,
        };
        // A five of the board alone is as good.
        let board_plays = !every(&|five| five.iter().any(mine));
        match best.category() {
            _ if board_plays => MadeHand::Nothing,
            Category::HighCard => high_card(),
            Category::Pair | Category::TwoPair if own_pairs.is_empty() => high_card(),
            Category::Pair | Category::TwoPair if own_pairs.len() == 2 => MadeHand::TwoPair,
            Category::Pair | Category::TwoPair => {
                let paired = *own_pairs.first().unwrap();
                match (pocket, ranks.iter().filter(|&&rank| rank > paired).count()) {
                    (true, 0) => MadeHand::Overpair,
                    (true, _) => MadeHand::Underpair,
                    (false, 0) => MadeHand::TopPair,
                    (false, 1) => MadeHand::SecondPair,
                    (false, _) => MadeHand::LowPair,
                }
            }
            Category::Trips if !every(&|five| core(five, 3)) => high_card(),
            Category::Trips if pocket => MadeHand::Set,
            Category::Trips => MadeHand::Trips,
            Category::Straight => MadeHand::Straight,
            Category::Flush => MadeHand::Flush,
            Category::FullHouse => MadeHand::FullHouse,
            Category::Quads if !every(&|five| core(five, 4)) => high_card(),
            Category::Quads => MadeHand::Quads,
            Category::StraightFlush => MadeHand::StraightFlush,
        }
    }

    /// A hand and a board, from all cards or from few ranks, where pairs and straights are common.
    fn dealt() -> impl Strategy<Value = (Hole, Board)> {
        let deck = |cards: std::ops::Range<u8>| {
            let cards: Vec<Card> = cards.filter_map(Card::from_index).collect();
            prop::sample::subsequence(cards, 5..=7).prop_shuffle()
        };
        prop_oneof![deck(0..52), deck(0..20), deck(28..52)]
            .prop_map(|cards| (Hole::new(cards[0], cards[1]).unwrap(), Board::new(&cards[2..]).unwrap()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn what_is_made_is_what_the_best_five_cards_say((hole, board) in dealt()) {
            prop_assert_eq!(MadeHand::of(hole, &board), Some(naive(hole, &board)), "{} on {}", hole, board);
        }
    }
}
