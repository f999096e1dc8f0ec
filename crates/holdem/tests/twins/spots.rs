//! Small spots: random ones from a seed, and ones that are written out.

use noregret_cfr::Player;
use noregret_holdem::cards::{Board, Card, Hole, Range, Street};
use noregret_holdem::{BettingTree, Rake, SizeKind, SizeList, Spot, StreetSizes, TreeOptions};

/// SplitMix64: the same numbers from the same seed on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }

    pub fn cards(&mut self, count: usize, deck: &[Card]) -> Vec<Card> {
        let mut cards: Vec<Card> = Vec::new();
        while cards.len() < count {
            let card = self.pick(deck);
            if !cards.contains(&card) {
                cards.push(card);
            }
        }
        cards
    }
}

pub fn sizes(bet: &str, raise: &str) -> StreetSizes {
    let list = |text: &str, kind| {
        if text.is_empty() { SizeList::default() } else { SizeList::parse(text, kind).unwrap() }
    };
    StreetSizes { bet: list(bet, SizeKind::Bet), raise: list(raise, SizeKind::Raise) }
}

/// The same sizes on every street, and no others.
pub fn options(pot: u16, stack: u16, bet: &str, raise: &str) -> TreeOptions {
    let mut options = TreeOptions::new(pot.into(), stack.into());
    options.add_allin_threshold = 0.0;
    for street in Street::ALL {
        options.set_street(street, sizes(bet, raise));
    }
    options
}

pub fn spot(board: &str, ranges: [&str; 2], options: TreeOptions) -> Spot {
    Spot::new(ranges.map(|range| range.parse().unwrap()), board.parse().unwrap(), options).unwrap()
}

/// A spot that begins on `street`, with at most so many hands for each player and so many nodes in its tree.
///
/// Its cards come from a short deck, so that ties, shared cards and equal hands are common.
pub fn random(seed: u64, street: Street, hands: usize, nodes: usize) -> Spot {
    let mut random = Random(seed);
    loop {
        let lowest = random.below(9);
        let deck: Vec<Card> = Card::all().filter(|card| usize::from(card.rank().index()) >= lowest).collect();
        let board = Board::new(&random.cards(3 + street.index(), &deck)).unwrap();
        let ranges = [(); 2].map(|()| range(&mut random, hands, &deck));
        let options = random_options(&mut random);
        let small = BettingTree::count(&options, street, nodes).is_ok();
        if let (true, Ok(spot)) = (small, Spot::new(ranges, board, options)) {
            return spot;
        }
    }
}

fn range(random: &mut Random, hands: usize, deck: &[Card]) -> Range {
    let mut range = Range::default();
    for _ in 0..hands {
        let cards = random.cards(2, deck);
        let weight = if random.below(2) == 0 { 1.0 } else { random.share() };
        range.set(Hole::new(cards[0], cards[1]).unwrap(), weight).unwrap();
    }
    range
}

fn random_options(random: &mut Random) -> TreeOptions {
    let pot = 20 + random.below(180) as u16;
    let stack = 1 + random.below(3 * usize::from(pot)) as u16;
    let mut options = TreeOptions::new(pot.into(), stack.into());
    options.add_allin_threshold = random.pick(&[0.0, 1.5]);
    options.rake = random.pick(&[
        Rake::default(),
        Rake { rate: 0.05, cap: Some(4.0) },
        Rake { rate: 0.1, cap: None },
        Rake { rate: 0.1, cap: Some(0.0) },
    ]);
    for street in Street::ALL {
        for player in Player::BOTH {
            let bet = random.pick(&["", "50%", "a", "33%,110%", "70%"]);
            let raise = random.pick(&["", "2.5x", "a"]);
            options.sizes[street.index()][player.index()] = sizes(bet, raise);
        }
        if street != Street::Flop {
            options.donk[street.index()] =
                random.pick(&[None, Some("20%"), Some("")]).map(|bet| sizes(bet, "").bet);
        }
    }
    options
}
