//! Buffers of a traversal, kept per thread from one visit to the next.

use crate::Discounts;
use crate::reach::ReachProbabilities;
use crate::simd::{Row, WIDTH};
use std::cell::RefCell;

/// How many buffers for sums over deals a thread keeps.
pub(super) const KEPT_SUMS: usize = 4;

/// Buffers of one visit.
#[derive(Default)]
pub(super) struct Scratch {
    /// The current or average strategy of a block.
    pub strategy: Vec<Row>,
    /// Reach probabilities or counterfactual values of a block, by sequence.
    pub sequences: Vec<Row>,
    /// Reach probabilities with the average strategy, by sequence.
    pub average_sequences: Vec<Row>,
    pub terminal_reach: Vec<Row>,
    pub terminal_values: Vec<Row>,
    /// At the chance nodes: a row of sixteen chance nodes for each (batch of them, hand).
    pub chance_reach: ReachProbabilities,
    /// At the chance nodes, in the same order.
    pub chance_values: Vec<Row>,
    /// At the roots of the next deal.
    pub next_reach: ReachProbabilities,
    pub next_values: Vec<Row>,
    /// Whether the opponent reaches each root tree of the tile.
    pub reached: Vec<bool>,
    /// The discounts of each root tree of the tile; none where regrets are not updated.
    pub discounts: Vec<Option<Discounts>>,
    /// A flag for each of the player's sequences that is pruned, or none at all.
    pub pruned: Vec<bool>,
}

thread_local! {
    static SCRATCH: RefCell<Vec<Scratch>> = const { RefCell::new(Vec::new()) };
    /// Buffers for sums over deals. They move between threads, so each thread keeps a few only.
    static SUMS: RefCell<Vec<Vec<[f64; WIDTH]>>> = const { RefCell::new(Vec::new()) };
}

/// Lends a scratch that no other visit on this thread is using.
pub(super) fn with_scratch<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
    let mut scratch = SCRATCH.with_borrow_mut(Vec::pop).unwrap_or_default();
    let result = work(&mut scratch);
    SCRATCH.with_borrow_mut(|pool| pool.push(scratch));
    result
}

/// The first `len` rows of a buffer, which grows if it is shorter; their contents are arbitrary.
pub(super) fn at_least(buffer: &mut Vec<Row>, len: usize) -> &mut [Row] {
    if buffer.len() < len {
        buffer.resize(len, Row::ZERO);
    }
    &mut buffer[..len]
}

/// A buffer of zeros, reused where there is one.
pub(super) fn zeros(len: usize) -> Vec<[f64; WIDTH]> {
    let mut buffer = SUMS.with_borrow_mut(Vec::pop).unwrap_or_default();
    buffer.clear();
    buffer.resize(len, [0.0; WIDTH]);
    buffer
}

/// Keeps a buffer for later [`zeros`], unless the thread has enough.
pub(super) fn give_back(buffer: Vec<[f64; WIDTH]>) {
    SUMS.with_borrow_mut(|pool| {
        if pool.len() < KEPT_SUMS {
            pool.push(buffer);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_do_not_pile_up() {
        (0..100).for_each(|len| give_back(vec![[1.0; WIDTH]; len]));
        assert_eq!(SUMS.with_borrow(Vec::len), KEPT_SUMS);
        assert_eq!(zeros(200), vec![[0.0; WIDTH]; 200]);
        assert_eq!(SUMS.with_borrow(Vec::len), KEPT_SUMS - 1);
    }
}
