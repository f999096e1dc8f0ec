//! What a hand may still become.

use crate::{Board, Card, CardSet, Category, Hole, MadeHand, Rank, Street, Strength, Suit};
use std::fmt;

/// How near a hand is to a flush that it does not have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum FlushDraw {
    /// More than two cards away.
    #[default]
    None,
    /// Two cards away, on the flop.
    Backdoor,
    /// One card away.
    Draw,
}

/// How near a hand is to a straight that it does not have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum StraightDraw {
    /// No next card makes one.
    #[default]
    None,
    /// Cards of one rank make one.
    Gutshot,
    /// Cards of two or more ranks make one.
    OpenEnded,
}

/// What a hand may still become, with at least one of its own cards. Nothing on the river.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use noregret_cards::{Draws, FlushDraw, StraightDraw};
///
/// let draws = Draws::of("AhTh".parse()?, &"QsJh2h".parse()?);
/// assert_eq!((draws.flush, draws.straight, draws.overcards), (FlushDraw::Draw, StraightDraw::Gutshot, 1));
/// assert_eq!(draws.to_string(), "flush draw, gutshot, one overcard");
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Draws {
    /// To a flush.
    pub flush: FlushDraw,
    /// To a straight.
    pub straight: StraightDraw,
    /// How many of its cards are above the board, if it has made nothing: 0 to 2.
    pub overcards: u8,
}

impl Draws {
    /// The draws of `hole` on `board`; none if they share a card or the board is complete.
    pub fn of(hole: Hole, board: &Board) -> Self {
        let all = hole.set().union(board.set());
        let (Some(made), Some(strength)) = (MadeHand::of(hole, board), Strength::of(all)) else {
            return Self::default();
        };
        if board.street() == Street::River {
            return Self::default();
        }
        let category = strength.category();
        let is_above = |card: &Card| board.cards().iter().all(|other| other.rank() < card.rank());
        Self {
            flush: if category < Category::Flush { flush_draw(hole, board) } else { FlushDraw::None },
            straight: if category < Category::Straight {
                straight_draw(hole, board)
            } else {
                StraightDraw::None
            },
            overcards: if made.is_made() {
                0
            } else {
                hole.cards().iter().filter(|card| is_above(card)).count() as u8
            },
        }
    }

    /// Whether one more card may make a straight or a flush.
    pub fn is_draw(&self) -> bool {
        self.flush == FlushDraw::Draw || self.straight != StraightDraw::None
    }
}

impl fmt::Display for Draws {
    /// The names of all draws with commas between; empty if there is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flush = match self.flush {
            FlushDraw::None => None,
            FlushDraw::Backdoor => Some("backdoor flush draw"),
            FlushDraw::Draw => Some("flush draw"),
        };
        let straight = match self.straight {
            StraightDraw::None => None,
            StraightDraw::Gutshot => Some("gutshot"),
            StraightDraw::OpenEnded => Some("open-ended"),
        };
        let overcards = match self.overcards {
            0 => None,
            1 => Some("one overcard"),
            _ => Some("overcards"),
        };
        let names: Vec<&str> = [flush, straight, overcards].into_iter().flatten().collect();
        f.pad(&names.join(", "))
    }
}

fn flush_draw(hole: Hole, board: &Board) -> FlushDraw {
    let all = hole.set().union(board.set());
    let near = Suit::all().filter(|&suit| hole.cards().iter().any(|card| card.suit() == suit));
    let most = near.map(|suit| all.iter().filter(|card| card.suit() == suit).count()).max();
    match (most, board.street()) {
        (Some(4), _) => FlushDraw::Draw,
        (Some(3), Street::Flop) => FlushDraw::Backdoor,
        _ => FlushDraw::None,
    }
}

fn straight_draw(hole: Hole, board: &Board) -> StraightDraw {
    let (all, board) = (ranks(hole.set().union(board.set())), ranks(board.set()));
    let completes = |rank: &Rank| {
        let next = 1 << rank.index();
        highest_straight(all | next) > highest_straight(board | next)
    };
    match Rank::all().filter(completes).count() {
        0 => StraightDraw::None,
        1 => StraightDraw::Gutshot,
        _ => StraightDraw::OpenEnded,
    }
}

/// The ranks of some cards, one bit each.
fn ranks(cards: CardSet) -> u32 {
    cards.iter().fold(0, |ranks, card| ranks | 1 << card.rank().index())
}

/// Where the highest straight among these ranks begins, counted from 1 for the ace below the deuce; 0 if there is none.
fn highest_straight(ranks: u32) -> u32 {
    let with_low_ace = ranks << 1 | ranks >> 12;
    let run = (1..5).fold(with_low_ace, |run, shift| run & with_low_ace >> shift);
    u32::BITS - run.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn draws(hole: &str, board: &str) -> String {
        Draws::of(hole.parse().unwrap(), &board.parse().unwrap()).to_string()
    }

    #[test]
    fn draws_are_called_what_players_call_them() {
        for (hole, board, names) in [
            ("AhKh", "QsJh2h", "flush draw, gutshot, overcards"),
            ("Td9d", "QsJh2h", "open-ended"),
            ("Th9h", "QsJh2h", "flush draw, open-ended"),
            ("AdKc", "8s7h2h", "overcards"),
            ("AdTd", "8s7d2h", "backdoor flush draw, overcards"),
            ("AdTd", "8s7d2hKc", "one overcard"),
            ("Ad5c", "8s7h2h", "one overcard"),
            ("Ad4c", "3s2hKh", "gutshot, one overcard"),
            ("9d5c", "8s7h6h", ""), // has the straight
            ("Ad5c", "8s7h6h", "open-ended, one overcard"),
            ("Td6c", "8s7h4h", "open-ended, one overcard"), // a double gutshot
            ("AdAc", "8s7h6h5d", ""),                       // the straight would be everybody's
            ("AdKc", "QsJhTh", ""),
            ("AhKc", "QhJhTh", "flush draw"),
            ("AhKc", "QsJh2h3c9d", ""),
            ("QdQc", "QsJh2h", ""),
            ("8c8d", "QcJc2c", "flush draw"),
            ("QsKs", "QsJh2h", ""),
        ] {
            assert_eq!(draws(hole, board), names, "{hole} on {board}");
        }
    }

    /// Every choice of five of the cards.
    fn fives(cards: &[Card]) -> Vec<Vec<Card>> {
        let pick =
            |bits: u32| cards.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1).map(|(_, &c)| c);
        (0u32..1 << cards.len())
            .filter(|bits| bits.count_ones() == 5)
            .map(|bits| pick(bits).collect())
            .collect()
    }

    /// The top of a straight by sorting, as people do it.
    fn straight(five: &[Card]) -> Option<u8> {
        let mut ranks: Vec<u8> = five.iter().map(|card| card.rank().index()).collect();
        ranks.sort_unstable();
        match ranks[..] {
            [0, 1, 2, 3, 12] => Some(3),
            _ => ranks.windows(2).all(|pair| pair[1] == pair[0] + 1).then(|| ranks[4]),
        }
    }

    fn best_straight(cards: &[Card]) -> Option<u8> {
        fives(cards).iter().filter_map(|five| straight(five)).max()
    }

    fn naive(hole: Hole, board: &Board) -> (FlushDraw, StraightDraw) {
        let cards: Vec<Card> = hole.cards().into_iter().chain(board.cards().iter().copied()).collect();
        let is_flush = |five: &Vec<Card>| five.iter().all(|card| card.suit() == five[0].suit());
        let mine = |five: &Vec<Card>| hole.cards().iter().any(|card| five.contains(card));
        let more = |dealt: &[Card]| -> Vec<Vec<Card>> {
            let free = Card::all().filter(|card| !dealt.contains(card));
            free.map(|card| [dealt, &[card]].concat()).collect()
        };
        let has_flush = |cards: &[Card]| fives(cards).iter().any(|five| is_flush(five) && mine(five));
        let flush = if has_flush(&cards) {
            FlushDraw::None
        } else if more(&cards).iter().any(|cards| has_flush(cards)) {
            FlushDraw::Draw
        } else if board.street() == Street::Flop
            && Suit::all().any(|suit| {
                let of_suit = |card: &&Card| card.suit() == suit;
                cards.iter().filter(of_suit).count() == 3 && hole.cards().iter().any(|card| of_suit(&card))
            })
        {
            FlushDraw::Backdoor
        } else {
            FlushDraw::None
        };
        let outs: std::collections::BTreeSet<Rank> = Card::all()
            .filter(|card| !cards.contains(card))
            .filter(|&card| {
                let with = best_straight(&[&cards[..], &[card]].concat());
                with.is_some() && with > best_straight(&[board.cards(), &[card]].concat())
            })
            .map(|card| card.rank())
            .collect();
        let made = Strength::of(cards.iter().copied().collect()).unwrap().category();
        let straight = match outs.len() {
            _ if made >= Category::Straight => StraightDraw::None,
            0 => StraightDraw::None,
            1 => StraightDraw::Gutshot,
            _ => StraightDraw::OpenEnded,
        };
        (if made >= Category::Flush { FlushDraw::None } else { flush }, straight)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn draws_are_what_trying_every_next_card_says(
            cards in prop_oneof![
                prop::sample::subsequence(Card::all().collect::<Vec<_>>(), 5..=6).prop_shuffle(),
                prop::sample::subsequence(Card::all().take(28).collect::<Vec<_>>(), 5..=6).prop_shuffle(),
            ]
        ) {
            let (hole, board) = (Hole::new(cards[0], cards[1]).unwrap(), Board::new(&cards[2..]).unwrap());
            let draws = Draws::of(hole, &board);
            prop_assert_eq!((draws.flush, draws.straight), naive(hole, &board), "{} on {}", hole, board);
        }
    }
}
