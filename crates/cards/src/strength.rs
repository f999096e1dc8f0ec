//! Which of two hands wins.

use crate::CardSet;
use std::fmt;

/// The nine kinds of poker hand, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Category {
    /// None of the others.
    HighCard,
    /// Two cards of one rank.
    Pair,
    /// Two pairs of different ranks.
    TwoPair,
    /// Three cards of one rank.
    Trips,
    /// Five ranks in a row; the ace is also below the deuce.
    Straight,
    /// Five cards of one suit.
    Flush,
    /// Three cards of one rank and two of another.
    FullHouse,
    /// Four cards of one rank.
    Quads,
    /// A straight in one suit.
    StraightFlush,
}

impl Category {
    /// All nine, weakest first.
    pub const ALL: [Self; 9] = [
        Self::HighCard,
        Self::Pair,
        Self::TwoPair,
        Self::Trips,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::Quads,
        Self::StraightFlush,
    ];

    /// 0 for a high card to 8 for a straight flush.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HighCard => "high card",
            Self::Pair => "pair",
            Self::TwoPair => "two pair",
            Self::Trips => "trips",
            Self::Straight => "straight",
            Self::Flush => "flush",
            Self::FullHouse => "full house",
            Self::Quads => "quads",
            Self::StraightFlush => "straight flush",
        })
    }
}

/// How strong the best five cards of a hand are: the higher wins, equals tie.
///
/// Three fields of bits, compared from the left: the category, the ranks that make it, the ranks beside it. A set of
/// ranks is one bit per rank, so that of two sets of one size the one with the higher cards is the greater number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u32);

/// A set of ranks: bit 0 is the deuce, bit 12 the ace.
type Ranks = u32;

const RANK_BITS: u32 = 13;

impl Strength {
    /// The strength of the best five of five to seven cards; none for fewer or more.
    pub fn of(cards: CardSet) -> Option<Self> {
        (5..=7).contains(&cards.len()).then(|| Self::best_of(cards))
    }

    /// What kind of hand it is.
    pub fn category(self) -> Category {
        Category::ALL[(self.0 >> (2 * RANK_BITS)) as usize]
    }

    /// The number that it is compared by, below 2³⁰.
    pub fn bits(self) -> u32 {
        self.0
    }

    fn new(category: Category, made: Ranks, beside: Ranks) -> Self {
        Self((category as u32) << (2 * RANK_BITS) | made << RANK_BITS | beside)
    }

    fn best_of(cards: CardSet) -> Self {
        let suits = RanksBySuit::of(cards);

        // With seven cards, five of a suit leave no room for quads or a full house.
        if let Some(flush) = suits.with_five_cards() {
            return match straight(flush) {
                0 => Self::new(Category::Flush, highest(flush, 5), 0),
                top => Self::new(Category::StraightFlush, top, 0),
            };
        }

        let (mut one, mut two, mut three, mut four) = (0, 0, 0, 0);
        for suit in suits.each() {
            four |= three & suit;
            three |= two & suit;
            two |= one & suit;
            one |= suit;
        }

        if four != 0 {
            return Self::new(Category::Quads, four, highest(one & !four, 1));
        }
        if three != 0 {
            let trips = highest(three, 1);
            let pair = highest(two & !trips, 1);
            if pair != 0 {
                return Self::new(Category::FullHouse, trips, pair);
            }
        }
        let top = straight(one);
        if top != 0 {
            Self::new(Category::Straight, top, 0)
        } else if three != 0 {
            Self::new(Category::Trips, three, highest(one & !three, 2))
        } else if two.count_ones() >= 2 {
            let pairs = highest(two, 2);
            Self::new(Category::TwoPair, pairs, highest(one & !pairs, 1))
        } else if two != 0 {
            Self::new(Category::Pair, two, highest(one & !two, 3))
        } else {
            Self::new(Category::HighCard, 0, highest(one, 5))
        }
    }
}

impl fmt::Debug for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:#x})", self.category(), self.0)
    }
}

/// The ranks in each suit, sixteen bits per suit.
#[derive(Clone, Copy)]
struct RanksBySuit(u64);

impl RanksBySuit {
    /// Turns a set with four bits per rank into one with sixteen bits per suit.
    ///
    /// The place of a card is a six-bit number, rank then suit. Each step swaps two of those six bits for all cards at
    /// once; after four steps it is suit then rank.
    fn of(cards: CardSet) -> Self {
        let mut bits = cards.bits();
        for (mask, shift) in [
            (0x0000_0000_cccc_cccc, 30), // bits 5 and 1 of the place
            (0x00cc_00cc_00cc_00cc, 6),  // 3 and 1
            (0x0000_aaaa_0000_aaaa, 15), // 4 and 0
            (0x0a0a_0a0a_0a0a_0a0a, 3),  // 2 and 0
        ] {
            let differ = (bits ^ bits >> shift) & mask;
            bits ^= differ | differ << shift;
        }
        Self(bits)
    }

    fn each(self) -> [Ranks; 4] {
        [0, 16, 32, 48].map(|shift| (self.0 >> shift & 0xffff) as Ranks)
    }

    /// The ranks of the suit with at least five cards, of which seven cards have at most one.
    fn with_five_cards(self) -> Option<Ranks> {
        // Counts for all four suits side by side: in pairs of bits, in fours, then the sum of the four fours.
        let pairs = self.0 - (self.0 >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let eights = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        let counts = (eights + (eights >> 8)) & 0x001f_001f_001f_001f;
        // Adding eleven carries five and more, up to thirteen, into bit 4.
        let five = (counts + 0x000b_000b_000b_000b) & 0x0010_0010_0010_0010;
        (five != 0).then(|| (self.0 >> (five.trailing_zeros() & !0xf) & 0xffff) as Ranks)
    }
}

/// The highest `count` of the ranks.
fn highest(mut ranks: Ranks, count: u32) -> Ranks {
    for _ in count..ranks.count_ones() {
        ranks &= ranks - 1;
    }
    ranks
}

/// The top rank of the best five in a row, as a set; empty if there are none.
fn straight(ranks: Ranks) -> Ranks {
    const ACE: u32 = RANK_BITS - 1;
    let with_low_ace = ranks << 1 | ranks >> ACE;
    let bottoms =
        with_low_ace & with_low_ace >> 1 & with_low_ace >> 2 & with_low_ace >> 3 & with_low_ace >> 4;
    highest(bottoms << 3, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Card;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The rules as a player would say them, for five cards: the category, then the ranks, most frequent first.
    fn naive_of_five(cards: &[Card]) -> (Category, Vec<u8>) {
        let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
        for card in cards {
            *counts.entry(card.rank().index()).or_default() += 1;
        }
        let mut groups: Vec<(usize, u8)> = counts.into_iter().map(|(rank, count)| (count, rank)).collect();
        groups.sort_unstable_by(|a, b| b.cmp(a));
        let sizes: Vec<usize> = groups.iter().map(|&(count, _)| count).collect();
        let mut ranks: Vec<u8> = groups.iter().map(|&(_, rank)| rank).collect();

        let flush = cards.iter().all(|card| card.suit() == cards[0].suit());
        if ranks == [12, 3, 2, 1, 0] {
            ranks = vec![3, 2, 1, 0];
        }
        let in_a_row = ranks.windows(2).all(|pair| pair[0] == pair[1] + 1);
        let straight = sizes == [1, 1, 1, 1, 1] && in_a_row;
        let category = match (&*sizes, straight, flush) {
            (_, true, true) => Category::StraightFlush,
            ([4, 1], ..) => Category::Quads,
            ([3, 2], ..) => Category::FullHouse,
            (_, _, true) => Category::Flush,
            (_, true, _) => Category::Straight,
            ([3, 1, 1], ..) => Category::Trips,
            ([2, 2, 1], ..) => Category::TwoPair,
            ([2, 1, 1, 1], ..) => Category::Pair,
            _ => Category::HighCard,
        };
        (category, ranks)
    }

    /// The best of all five-card subsets.
    fn naive(cards: &[Card]) -> (Category, Vec<u8>) {
        if cards.len() == 5 {
            return naive_of_five(cards);
        }
        let without = |i| [&cards[..i], &cards[i + 1..]].concat();
        (0..cards.len()).map(|i| naive(&without(i))).max().unwrap()
    }

    fn strength(text: &str) -> Strength {
        let cards: CardSet = text.split_whitespace().map(|card| card.parse::<Card>().unwrap()).collect();
        Strength::of(cards).unwrap()
    }

    fn hands_of_five() -> impl Iterator<Item = [Card; 5]> {
        Card::all().flat_map(|a| {
            let below = |card: Card| Card::all().take(card.index() as usize);
            below(a).flat_map(move |b| {
                below(b).flat_map(move |c| below(c).flat_map(move |d| below(d).map(move |e| [a, b, c, d, e])))
            })
        })
    }

    #[test]
    fn all_five_card_hands_are_ordered_by_the_rules_and_counted_by_category() {
        let mut classes: BTreeMap<Strength, (Category, Vec<u8>)> = BTreeMap::new();
        let mut counts = [0; 9];
        for hand in hands_of_five() {
            let strength = Strength::of(hand.into_iter().collect()).unwrap();
            counts[strength.category().index()] += 1;
            let expected = naive_of_five(&hand);
            assert_eq!(classes.entry(strength).or_insert_with(|| expected.clone()), &expected, "{hand:?}");
        }
        assert_eq!(counts, [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]);
        assert_eq!(classes.len(), 7462);
        assert!(classes.values().is_sorted_by(|a, b| a < b));
        assert!(classes.iter().all(|(strength, (category, _))| strength.category() == *category));
    }

    #[test]
    fn known_hands_have_their_category() {
        for (cards, category) in [
            ("As Kd Jh 9c 7s 5d 2h", Category::HighCard),
            ("As Ad Jh 9c 7s 5d 2h", Category::Pair),
            ("As Ad Jh Jc 7s 7d 2h", Category::TwoPair),
            ("As Ad Ah Jc 7s 5d 2h", Category::Trips),
            ("As 2d 3h 4c 5s Kd Kh", Category::Straight),
            ("As 2s 9s 4s 5s Kd Kh", Category::Flush),
            ("As Ad Ah Kc Kd Kh 2c", Category::FullHouse),
            ("As Ad Ah Ac Kd Kh Kc", Category::Quads),
            ("As 2s 3s 4s 5s 6d 7h", Category::StraightFlush),
        ] {
            assert_eq!(strength(cards).category(), category, "{cards}");
        }
    }

    #[test]
    fn close_hands_fall_the_right_way() {
        // The wheel is the lowest straight, also in one suit.
        assert!(strength("As 2d 3h 4c 5s") < strength("2s 3d 4h 5c 6s"));
        assert!(strength("As 2s 3s 4s 5s Ad Ah") < strength("2s 3s 4s 5s 6s Ad Ah"));
        // No straight goes round the corner.
        assert_eq!(strength("Qs Kd Ah 2c 3s").category(), Category::HighCard);
        // A third pair is a kicker, and so is a lower trips in a full house.
        assert_eq!(strength("As Ad Kh Kc 7s 7d 2h"), strength("As Ad Kh Kc 7s 6d 2h"));
        assert_eq!(strength("As Ad Ah Kc Kd Kh 2c"), strength("As Ad Ah Kc Kd 3h 2c"));
        // The board plays.
        assert_eq!(strength("Ts Js Qs Ks As 2d 2h"), strength("Ts Js Qs Ks As 9s 8s"));
        // Beyond the fifth card nothing counts.
        assert_eq!(strength("As Ks Qs Js 9s 8s 2d"), strength("As Ks Qs Js 9s 3s 2d"));
    }

    #[test]
    fn four_or_eight_cards_have_no_strength() {
        let first = |n| Strength::of(Card::all().take(n).collect());
        assert_eq!([0, 1, 4, 8, 52].map(first), [None; 5]);
        assert!([5, 6, 7].map(first).iter().all(Option::is_some));
    }

    fn cards(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Card>> {
        prop::collection::btree_set(0..52_u8, count)
            .prop_map(|indices| indices.into_iter().filter_map(Card::from_index).collect())
    }

    /// Hands from few ranks and suits, where pairs, flushes and straights are common.
    fn crowded_cards(count: usize) -> impl Strategy<Value = Vec<Card>> {
        (0..10_u8, prop::collection::btree_set(0..16_u8, count)).prop_map(|(lowest, indices)| {
            indices.into_iter().filter_map(|index| Card::from_index((lowest * 4 + index) % 52)).collect()
        })
    }

    fn check(a: &[Card], b: &[Card]) -> Result<(), TestCaseError> {
        let strength = |cards: &[Card]| Strength::of(cards.iter().copied().collect()).unwrap();
        prop_assert_eq!(strength(a).cmp(&strength(b)), naive(a).cmp(&naive(b)));
        prop_assert_eq!(strength(a).category(), naive(a).0);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn six_and_seven_cards_rank_as_their_best_five(a in cards(6..=7), b in cards(6..=7)) {
            check(&a, &b)?;
        }

        #[test]
        fn crowded_hands_rank_as_their_best_five(a in crowded_cards(7), b in crowded_cards(7)) {
            check(&a, &b)?;
        }
    }
}
