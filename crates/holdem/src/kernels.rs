//! Folds and showdowns for whole vectors of hands, one leaf per lane.
//!
//! A hand meets every opponent hand that shares no card with it. Sums over those come from sums over all hands,
//! less the hands with the one card, less the hands with the other, plus the one hand that was taken off twice.

use crate::hands::{HandTable, Reader, ShowdownTable};
use noregret_cards::Card;
use noregret_cfr::{LEAVES, LeafRow, Player};
use std::cell::RefCell;

/// More than the hands of a range, plus one; a power of two, so that an index can be masked instead of checked.
const MAX_SUMS: usize = 2048;
/// More than two entries for each hand and one for each card.
const MAX_CARD_SUMS: usize = 4096;

const ZERO: LeafRow = [0.0; LEAVES];

/// Running sums of the opponent's reach, weakest hands first: over all hands, and over the hands with each card.
pub(crate) struct Sums {
    all: Box<[LeafRow; MAX_SUMS]>,
    by_card: Box<[LeafRow; MAX_CARD_SUMS]>,
}

thread_local! {
    static SUMS: RefCell<Sums> = RefCell::new(Sums {
        all: boxed_zeros(),
        by_card: boxed_zeros(),
    });
}

/// Lends this thread's sums.
pub(crate) fn with_sums<R>(work: impl FnOnce(&mut Sums) -> R) -> R {
    SUMS.with_borrow_mut(work)
}

fn boxed_zeros<const N: usize>() -> Box<[LeafRow; N]> {
    // Through a vector, so that the array is never on the stack.
    vec![ZERO; N]
        .into_boxed_slice()
        .try_into()
        .unwrap_or_else(|_| unreachable!("N elements make an array of N"))
}

/// What a showdown is worth, per leaf: `weaker`·(hands beaten) + `not_stronger`·(hands beaten or tied) + `all`·(all hands).
pub(crate) struct Stakes {
    pub weaker: LeafRow,
    pub not_stronger: LeafRow,
    pub all: LeafRow,
}

/// Values hands at showdowns. Hands of both players come weakest first, as in `table`.
#[inline(always)]
pub(crate) fn showdown(
    sums: &mut Sums,
    hands: &HandTable,
    table: &ShowdownTable,
    player: Player,
    stakes: &Stakes,
    reach: &[LeafRow],
    values: &mut [LeafRow],
) {
    let (all, by_card) = (&mut *sums.all, &mut *sums.by_card);
    let mut total = ZERO;
    all[0] = ZERO;
    for &first in table.first_entries(player.opponent()) {
        by_card[first as usize % MAX_CARD_SUMS] = ZERO;
    }
    for (i, (reach, entries)) in reach.iter().zip(table.entries(player.opponent())).enumerate() {
        for lane in 0..LEAVES {
            total[lane] += reach[lane];
        }
        all[(i + 1) % MAX_SUMS] = total;
        for &entry in entries {
            let before = by_card[entry as usize % MAX_CARD_SUMS];
            let after = &mut by_card[(entry as usize + 1) % MAX_CARD_SUMS];
            for lane in 0..LEAVES {
                after[lane] = before[lane] + reach[lane];
            }
        }
    }
    let readers = table.readers(player);
    for ((value, reader), &twin) in values.iter_mut().zip(readers).zip(hands.twins(player)) {
        let Reader { weaker, not_stronger, high, low } = reader;
        let own = reach.get(twin as usize).copied().unwrap_or(ZERO);
        let card = |entry: u16| &by_card[entry as usize % MAX_CARD_SUMS];
        let all_weaker = &all[*weaker as usize % MAX_SUMS];
        let all_not_stronger = &all[*not_stronger as usize % MAX_SUMS];
        let high = high.map(card);
        let low = low.map(card);
        for lane in 0..LEAVES {
            let weaker = all_weaker[lane] - high[0][lane] - low[0][lane];
            let not_stronger = all_not_stronger[lane] - high[1][lane] - low[1][lane] + own[lane];
            let any = total[lane] - high[2][lane] - low[2][lane] + own[lane];
            value[lane] = stakes.weaker[lane] * weaker
                + stakes.not_stronger[lane] * not_stronger
                + stakes.all[lane] * any;
        }
    }
}

/// Values hands where somebody folded: `payoff` times the opponent's hands that can be there.
#[inline(always)]
pub(crate) fn fold(
    hands: &HandTable,
    player: Player,
    payoff: &LeafRow,
    reach: &[LeafRow],
    values: &mut [LeafRow],
) {
    let mut total = ZERO;
    let mut by_card = [ZERO; 64];
    for (reach, hole) in reach.iter().zip(hands.hands(player.opponent())) {
        let [high, low] = hole.cards().map(slot);
        for lane in 0..LEAVES {
            total[lane] += reach[lane];
            by_card[high][lane] += reach[lane];
            by_card[low][lane] += reach[lane];
        }
    }
    for ((value, hole), &twin) in values.iter_mut().zip(hands.hands(player)).zip(hands.twins(player)) {
        let [high, low] = hole.cards().map(|card| &by_card[slot(card)]);
        let own = reach.get(twin as usize).copied().unwrap_or(ZERO);
        for lane in 0..LEAVES {
            value[lane] = payoff[lane] * (total[lane] - high[lane] - low[lane] + own[lane]);
        }
    }
}

#[inline(always)]
fn slot(card: Card) -> usize {
    card.index() as usize % 64
}
