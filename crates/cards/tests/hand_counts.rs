//! Exact counts over every hand of six and of seven cards, known from combinatorics.

use noregret_cards::{Card, CardSet, Strength};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Hands by category and the strengths that occur.
#[derive(Default)]
struct HandCensus {
    counts: [u64; 9],
    seen: HashSet<Strength>,
}

impl HandCensus {
    /// Counts every hand that adds `more` cards below `lowest` to `cards`.
    fn extend(&mut self, cards: CardSet, lowest: Card, more: usize, recent: &mut LastHand) {
        for card in Card::all().take(lowest.index() as usize) {
            let cards = cards.with(card);
            if more > 1 {
                self.extend(cards, card, more - 1, recent);
                continue;
            }
            let strength = Strength::of(cards).expect("five to seven cards");
            self.counts[strength.category().index()] += 1;
            if recent.is_news(strength) {
                self.seen.insert(strength);
            }
        }
    }

    fn merge(mut self, other: Self) -> Self {
        self.counts.iter_mut().zip(other.counts).for_each(|(mine, theirs)| *mine += theirs);
        self.seen.extend(other.seen);
        self
    }
}

/// A small cache in front of the set of strengths, which is too slow to ask 133 million times.
struct LastHand(Vec<Option<Strength>>);

impl LastHand {
    fn is_news(&mut self, strength: Strength) -> bool {
        let slot = strength.bits().wrapping_mul(0x9e37_79b9) >> 16;
        self.0[slot as usize].replace(strength) != Some(strength)
    }
}

/// All hands of `size` cards, shared out among the processors by their highest card.
fn census(size: usize) -> HandCensus {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut census, mut recent) = (HandCensus::default(), LastHand(vec![None; 1 << 16]));
        while let Some(highest) = Card::all().rev().nth(next.fetch_add(1, Ordering::Relaxed)) {
            census.extend(CardSet::EMPTY.with(highest), highest, size - 1, &mut recent);
        }
        census
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker"))
            .fold(HandCensus::default(), HandCensus::merge)
    })
}

#[test]
fn seven_card_hands_have_the_known_counts() {
    let HandCensus { counts, seen } = census(7);
    assert_eq!(
        counts,
        [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584]
    );
    assert_eq!(counts.iter().sum::<u64>(), 133_784_560);
    assert_eq!(seen.len(), 4824);
}

#[test]
fn six_card_hands_have_the_known_counts() {
    let HandCensus { counts, seen } = census(6);
    assert_eq!(counts.iter().sum::<u64>(), 20_358_520);
    assert_eq!(seen.len(), 6075);
}
