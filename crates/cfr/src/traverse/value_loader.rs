//! From the values at terminal and chance nodes to those of sequences.

use crate::kernels::LanesToRows;
use crate::simd::{self, Row};
use crate::tree::LaneSequences;

/// Loads the values at the terminal and chance nodes of a tile, summed by sequence.
pub(super) struct ValueLoader<'a> {
    pub unset: &'a [u32],
    pub sources: [(&'a [LaneSequences], &'a [Row]); 2],
    pub hands: usize,
    /// Whether nodes have been evaluated; otherwise all values are zero.
    pub is_evaluated: bool,
    pub pruned: &'a [bool],
}

impl ValueLoader<'_> {
    pub fn load(&self, block: usize, sequences: &mut [Row]) {
        let &Self { unset, sources, hands, .. } = self;
        if self.is_evaluated {
            simd::run(LanesToRows { unset, sources, sequences, block, hands });
        } else {
            sequences.fill(Row::ZERO);
        }
        // Terminal nodes after a pruned action count for nothing, too.
        let pruned = sequences.iter_mut().zip(self.pruned).filter(|(_, pruned)| **pruned);
        pruned.for_each(|(sequence, _)| *sequence = Row::ZERO);
    }
}
