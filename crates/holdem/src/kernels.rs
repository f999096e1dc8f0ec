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

/// A number that sums are kept in.
pub(crate) trait Number: Copy + Default + 'static {
    fn of(number: f32) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn narrow(self) -> f32;
    /// This thread's table for sums of this kind.
    fn with_table<R>(work: impl FnOnce(&mut SumTable<Self>) -> R) -> R;
}

macro_rules! number {
    ($number:ty, $table:ident) => {
        thread_local! {
            static $table: RefCell<SumTable<$number>> = RefCell::new(SumTable::zero());
        }

        impl Number for $number {
            #[inline(always)]
            fn of(number: f32) -> Self {
                Self::from(number)
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }

            #[inline(always)]
            fn narrow(self) -> f32 {
                self as f32
            }

            fn with_table<R>(work: impl FnOnce(&mut SumTable<Self>) -> R) -> R {
                $table.with_borrow_mut(work)
            }
        }
    };
}

number!(f32, FAST);
number!(f64, WIDE);

/// Running sums of the opponent's reach, weakest hands first: over all hands, and over the hands with each card.
pub(crate) struct SumTable<N> {
    all: Box<[[N; LEAVES]; MAX_SUMS]>,
    by_card: Box<[[N; LEAVES]; MAX_CARD_SUMS]>,
}

impl<N: Number> SumTable<N> {
    fn zero() -> Self {
        Self { all: boxed_zeros(), by_card: boxed_zeros() }
    }
}

fn boxed_zeros<N: Number, const LEN: usize>() -> Box<[[N; LEAVES]; LEN]> {
    // Through a vector, so that the array is never on the stack.
    let zeros = vec![[N::default(); LEAVES]; LEN].into_boxed_slice();
    zeros.try_into().unwrap_or_else(|_| unreachable!("a slice of LEN elements makes an array of LEN"))
}

/// What a showdown is worth, per leaf: `weaker`·(hands beaten) + `not_stronger`·(hands beaten or tied) + `all`·(all hands).
pub(crate) struct Stakes {
    pub weaker: LeafRow,
    pub not_stronger: LeafRow,
    pub all: LeafRow,
}

/// Values hands at showdowns. Hands of both players come weakest first, as in `table`.
#[inline(always)]
pub(crate) fn showdown<N: Number>(
    sums: &mut SumTable<N>,
    hands: &HandTable,
    table: &ShowdownTable,
    player: Player,
    stakes: &Stakes,
    reach: &[LeafRow],
    values: &mut [LeafRow],
) {
    let (all, by_card) = (&mut *sums.all, &mut *sums.by_card);
    let zero = [N::default(); LEAVES];
    let mut total = zero;
    all[0] = zero;
    for &first in table.first_entries(player.opponent()) {
        by_card[first as usize % MAX_CARD_SUMS] = zero;
    }
    for (i, (reach, entries)) in reach.iter().zip(table.entries(player.opponent())).enumerate() {
        for lane in 0..LEAVES {
            total[lane] = total[lane].plus(N::of(reach[lane]));
        }
        all[(i + 1) % MAX_SUMS] = total;
        for &entry in entries {
            let before = by_card[entry as usize % MAX_CARD_SUMS];
            let after = &mut by_card[(entry as usize + 1) % MAX_CARD_SUMS];
            for lane in 0..LEAVES {
                after[lane] = before[lane].plus(N::of(reach[lane]));
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
            let own = N::of(own[lane]);
            let met = |all: N, k: usize| all.minus(high[k][lane]).minus(low[k][lane]);
            let weaker = met(all_weaker[lane], 0).times(N::of(stakes.weaker[lane]));
            let not_stronger =
                met(all_not_stronger[lane], 1).plus(own).times(N::of(stakes.not_stronger[lane]));
            let any = met(total[lane], 2).plus(own).times(N::of(stakes.all[lane]));
            value[lane] = weaker.plus(not_stronger).plus(any).narrow();
        }
    }
}

/// Values hands where somebody folded: `payoff` times the opponent's hands that can be there.
#[inline(always)]
pub(crate) fn fold<N: Number>(
    hands: &HandTable,
    player: Player,
    payoff: &LeafRow,
    reach: &[LeafRow],
    values: &mut [LeafRow],
) {
    let zero = [N::default(); LEAVES];
    let mut total = zero;
    let mut by_card = [zero; 64];
    for (reach, hole) in reach.iter().zip(hands.hands(player.opponent())) {
        let [high, low] = hole.cards().map(slot);
        for lane in 0..LEAVES {
            let reach = N::of(reach[lane]);
            total[lane] = total[lane].plus(reach);
            by_card[high][lane] = by_card[high][lane].plus(reach);
            by_card[low][lane] = by_card[low][lane].plus(reach);
        }
    }
    for ((value, hole), &twin) in values.iter_mut().zip(hands.hands(player)).zip(hands.twins(player)) {
        let [high, low] = hole.cards().map(|card| &by_card[slot(card)]);
        let own = reach.get(twin as usize).copied().unwrap_or(ZERO);
        for lane in 0..LEAVES {
            let met = total[lane].minus(high[lane]).minus(low[lane]).plus(N::of(own[lane]));
            value[lane] = met.times(N::of(payoff[lane])).narrow();
        }
    }
}

#[inline(always)]
fn slot(card: Card) -> usize {
    card.index() as usize % 64
}
