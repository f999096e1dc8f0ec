//! What a hand makes of a board.

use crate::{Board, CardSet, Category, Hole, Rank, Strength};
use std::fmt;

/// What a hand makes of a board with at least one of its own cards, weakest first. What the board has for everybody, like
/// a pair on it, is nothing.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use noregret_cards::MadeHand;
///
/// let flop = "QsJh2h".parse()?;
/// assert_eq!(MadeHand::of("QdQc".parse()?, &flop), Some(MadeHand::Set));
/// assert_eq!(MadeHand::of("AhQh".parse()?, &flop), Some(MadeHand::TopPair));
/// assert_eq!(MadeHand::of("AhKh".parse()?, &flop), Some(MadeHand::Nothing));
/// assert_eq!(MadeHand::of("Ah2h".parse()?, &flop), None); // the deuce is on the board
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MadeHand {
    /// No pair, or only what the board has.
    Nothing,
    /// A pair with the third card of the board or a lower one.
    LowPair,
    /// A pair with the second card of the board.
    MiddlePair,
    /// A pair in the hand, with a higher card on the board.
    Underpair,
    /// A pair with the highest card of the board.
    TopPair,
    /// A pair in the hand, higher than the board.
    Overpair,
    /// Two pair, one or both with the hand.
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
    pub const ALL: [Self; 14] = [
        Self::Nothing,
        Self::LowPair,
        Self::MiddlePair,
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
        Some(match strength.category() {
            Category::HighCard => Self::Nothing,
            Category::Pair => pair(hole, board),
            Category::TwoPair => if_own(hole, board, 2, 2, Self::TwoPair),
            Category::Trips if is_pair(hole) => if_own(hole, board, 3, 1, Self::Set),
            Category::Trips => if_own(hole, board, 3, 1, Self::Trips),
            Category::Straight => Self::Straight,
            Category::Flush => Self::Flush,
            Category::FullHouse => Self::FullHouse,
            Category::Quads => if_own(hole, board, 4, 1, Self::Quads),
            Category::StraightFlush => Self::StraightFlush,
        })
    }

    /// Whether it is one of the five kinds of one pair.
    pub fn is_pair(self) -> bool {
        (Self::LowPair..=Self::Overpair).contains(&self)
    }

    /// Its name: `top pair`, `set`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::LowPair => "low pair",
            Self::MiddlePair => "middle pair",
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

/// `made` if one of the highest `ranks` ranks that come `times` times or more is one of the hand's; else nothing.
fn if_own(hole: Hole, board: &Board, times: usize, ranks: usize, made: MadeHand) -> MadeHand {
    let all = hole.set().union(board.set());
    let mut making = Rank::all().rev().filter(|&rank| count(all, rank) >= times).take(ranks);
    if making.any(|rank| count(hole.set(), rank) > 0) { made } else { MadeHand::Nothing }
}

/// Which pair it is, where there is one and no more.
fn pair(hole: Hole, board: &Board) -> MadeHand {
    let mut board_ranks = Rank::all().rev().filter(|&rank| count(board.set(), rank) > 0);
    let (top, second) = (board_ranks.next(), board_ranks.next());
    if is_pair(hole) {
        let over = top.is_none_or(|top| hole.high().rank() > top);
        return if over { MadeHand::Overpair } else { MadeHand::Underpair };
    }
    let paired = hole.cards().into_iter().map(|card| card.rank()).find(|&rank| count(board.set(), rank) > 0);
    match paired {
        None => MadeHand::Nothing,
        rank if rank == top => MadeHand::TopPair,
        rank if rank == second => MadeHand::MiddlePair,
        Some(_) => MadeHand::LowPair,
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
            ("AhKh", "QsJh2h", "nothing"),
            ("Qh5c", "QsJh2h", "top pair"),
            ("Jd5c", "QsJh2h", "middle pair"),
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
            // What the board has for everybody is nothing.
            ("Ad5c", "KsKh2h", "nothing"),
            ("Ad5c", "KsKhKd", "nothing"),
            ("Ad5c", "KsKh7d7c", "nothing"),
            ("AdAc", "KsKh7d7c", "two pair"),
            ("3d3c", "KsKh7d7c", "nothing"),
            ("Ad7h", "KsKh7d", "two pair"),
            ("Ad2s", "KsKh7d7c2h", "nothing"),
            ("Ad3s", "9s8h7d6c5h", "nothing"),
            ("Td3s", "9s8h7d6c5h", "straight"),
            ("AdKs", "KcKdKhKs2h", "blocked"),
            ("AdQs", "KcKdKhKs2h", "nothing"),
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
        let own = match best.category() {
            Category::HighCard => false,
            Category::Pair | Category::TwoPair => every(&|five| core(five, 2)),
            Category::Trips => every(&|five| core(five, 3)),
            Category::Quads => every(&|five| core(five, 4)),
            _ => every(&|five| five.iter().any(mine)),
        };
        let ranks: std::collections::BTreeSet<Rank> = board.cards().iter().map(|card| card.rank()).collect();
        let pocket = hole.high().rank() == hole.low().rank();
        match best.category() {
            _ if !own => MadeHand::Nothing,
            Category::HighCard => MadeHand::Nothing,
            Category::Pair if pocket && ranks.iter().all(|&rank| rank < hole.high().rank()) => {
                MadeHand::Overpair
            }
            Category::Pair if pocket => MadeHand::Underpair,
            Category::Pair => {
                let paired = if ranks.contains(&hole.high().rank()) { hole.high() } else { hole.low() };
                match ranks.iter().filter(|&&rank| rank > paired.rank()).count() {
                    0 => MadeHand::TopPair,
                    1 => MadeHand::MiddlePair,
                    _ => MadeHand::LowPair,
                }
            }
            Category::TwoPair => MadeHand::TwoPair,
            Category::Trips if pocket => MadeHand::Set,
            Category::Trips => MadeHand::Trips,
            Category::Straight => MadeHand::Straight,
            Category::Flush => MadeHand::Flush,
            Category::FullHouse => MadeHand::FullHouse,
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
