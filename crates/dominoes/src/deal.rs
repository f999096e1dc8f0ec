//! Who holds what before the first trick.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::domino::{Domino, ParseDominoError};
use crate::hand::Hand;
use crate::mersenne::PythonRandom;
use crate::seat::Seat;

/// Seven dominoes to each of four seats, each hand sorted. A domino's place in its hand, 0..7, is its *local* index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deal([[Domino; 7]; 4]);

/// Four hands that are no deal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DealError {
    /// A word is no domino.
    #[error(transparent)]
    Domino(#[from] ParseDominoError),
    /// There are not four hands.
    #[error("a deal is four hands with `|` between them, not {0}")]
    Hands(usize),
    /// A hand has not seven dominoes.
    #[error("seat {seat} has {count} dominoes: each hand has 7")]
    Count {
        /// Whose hand.
        seat: Seat,
        /// How many it has.
        count: usize,
    },
    /// A domino is dealt twice.
    #[error("{0} is dealt twice: a set has one of each")]
    Twice(Domino),
}

impl Deal {
    /// The deal of a seed, as the datasets in use have it: Python's `random.Random(seed).shuffle(list(range(28)))`,
    /// seven to each seat in turn.
    pub fn from_seed(seed: u64) -> Self {
        let mut pack: Vec<Domino> = Domino::all().collect();
        PythonRandom::new(seed).shuffle(&mut pack);
        Self::of_pack(&pack)
    }

    /// A deal around the hand of seat 0, which must have seven dominoes: a seed shuffles the other 21.
    pub fn around(hand: Hand, seed: u64) -> Result<Self, DealError> {
        if hand.len() != 7 {
            return Err(DealError::Count { seat: Seat::ALL[0], count: hand.len() });
        }
        let mut rest: Vec<Domino> = Domino::all().filter(|&d| !hand.contains(d)).collect();
        PythonRandom::new(seed).shuffle(&mut rest);
        let pack: Vec<Domino> = hand.iter().chain(rest).collect();
        Ok(Self::of_pack(&pack))
    }

    /// The deal with these hands.
    pub fn from_hands(hands: [Hand; 4]) -> Result<Self, DealError> {
        let mut seen = Hand::EMPTY;
        for (seat, hand) in Seat::ALL.into_iter().zip(hands) {
            for domino in hand.iter() {
                if !seen.insert(domino) {
                    return Err(DealError::Twice(domino));
                }
            }
            if hand.len() != 7 {
                return Err(DealError::Count { seat, count: hand.len() });
            }
        }
        let pack: Vec<Domino> = hands.into_iter().flat_map(Hand::iter).collect();
        Ok(Self::of_pack(&pack))
    }

    fn of_pack(pack: &[Domino]) -> Self {
        let mut hands = [[pack[0]; 7]; 4];
        for (hand, dealt) in hands.iter_mut().zip(pack.chunks(7)) {
            hand.copy_from_slice(dealt);
            hand.sort_unstable();
        }
        Self(hands)
    }

    /// The hand dealt to the seat, sorted.
    pub fn hand(&self, seat: Seat) -> &[Domino; 7] {
        &self.0[seat.index()]
    }

    /// The dominoes that a mask of local indices picks from the seat's hand.
    pub fn held(&self, seat: Seat, mask: u8) -> Hand {
        self.hand(seat).iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, &d)| d).collect()
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, seat) in Seat::ALL.into_iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { " | " }, self.held(seat, 0x7f))?;
        }
        Ok(())
    }
}

impl FromStr for Deal {
    type Err = DealError;

    /// Four hands with `|` between them, each seven dominoes like `6-4` between spaces or commas.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<&str> = text.split('|').collect();
        let Ok(parts) = <[&str; 4]>::try_from(parts.as_slice()) else {
            return Err(DealError::Hands(parts.len()));
        };
        let mut hands = [Hand::EMPTY; 4];
        for (hand, part) in hands.iter_mut().zip(parts) {
            for word in part.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
                let domino = word.parse()?;
                if !hand.insert(domino) {
                    return Err(DealError::Twice(domino));
                }
            }
        }
        Self::from_hands(hands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    fn numbers(deal: &Deal) -> Vec<Vec<u8>> {
        Seat::ALL.iter().map(|&seat| deal.hand(seat).iter().map(|d| d.number()).collect()).collect()
    }

    #[test]
    fn seeds_0_and_42_deal_as_the_datasets_do() {
        assert_eq!(
            numbers(&Deal::from_seed(0)),
            [
                [0, 3, 5, 7, 10, 14, 17],
                [2, 4, 18, 19, 21, 23, 25],
                [6, 9, 11, 15, 20, 22, 26],
                [1, 8, 12, 13, 16, 24, 27]
            ]
        );
        assert_eq!(
            numbers(&Deal::from_seed(42)),
            [
                [5, 6, 10, 16, 18, 21, 27],
                [9, 11, 12, 14, 15, 19, 24],
                [1, 2, 4, 13, 17, 25, 26],
                [0, 3, 7, 8, 20, 22, 23]
            ]
        );
    }

    #[test]
    fn python_deals_the_same_for_a_thousand_seeds() {
        let script = "import random\n\
            seeds = list(range(1, 801)) + [2**e + d for e in range(24, 64) for d in (-1, 0, 1, 7, 99)]\n\
            for s in seeds:\n\
            \tp = list(range(28)); random.Random(s).shuffle(p)\n\
            \tprint(s, *(n for i in range(4) for n in sorted(p[7*i:7*i+7])))\n";
        let output = Command::new("python3").args(["-c", script]).output().expect("python3 runs");
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), 1000);
        for line in text.lines() {
            let mut words = line.split(' ').map(|w| w.parse::<u64>().unwrap());
            let seed = words.next().unwrap();
            let dealt = numbers(&Deal::from_seed(seed)).concat();
            assert!(dealt.into_iter().map(u64::from).eq(words), "seed {seed}");
        }
    }

    #[test]
    fn text_goes_there_and_back() {
        let deal = Deal::from_seed(7);
        assert_eq!(deal.to_string().parse(), Ok(deal));
    }

    #[test]
    fn text_that_is_no_deal_says_what_is_wrong() {
        let good = Deal::from_seed(0).to_string();
        let error = |text: &str| text.parse::<Deal>().unwrap_err().to_string();
        assert_eq!(error("0-0"), "a deal is four hands with `|` between them, not 1");
        assert_eq!(error(&good.replacen("0-0", "", 1)), "seat 0 has 6 dominoes: each hand has 7");
        assert_eq!(error(&good.replacen("0-0", "1-1", 1)), "1-1 is dealt twice: a set has one of each");
        assert_eq!(
            error(&good.replacen("0-0", "0-9", 1)),
            "`0-9` is not a domino: write two pips of 0 to 6, like `6-4`"
        );
    }

    #[test]
    fn a_deal_around_a_hand_keeps_it_and_moves_the_rest() {
        let hand: Hand = "6-6 6-5 6-4 5-5 4-4 1-0 2-0".parse().unwrap();
        let (one, other) = (Deal::around(hand, 1).unwrap(), Deal::around(hand, 2).unwrap());
        assert_eq!(one.held(Seat::ALL[0], 0x7f), hand);
        assert_ne!(one, other);
        assert_eq!(one.to_string().parse(), Ok(one));
        let error = Deal::around("6-6".parse().unwrap(), 1).unwrap_err();
        assert_eq!(error.to_string(), "seat 0 has 1 dominoes: each hand has 7");
    }

    proptest! {
        #[test]
        fn no_text_makes_the_readers_panic(text in "[0-9 ,|x-]{0,120}", wild in any::<String>()) {
            for text in [text, wild] {
                let _ = text.parse::<Deal>();
                let _ = text.parse::<Hand>();
                let _ = text.parse::<crate::Declaration>();
                let _ = text.parse::<crate::Layout>();
                let _ = text.parse::<noregret_store::Shard>();
                let _ = crate::TableJob::from_file_name(&text);
            }
        }
    }
}
