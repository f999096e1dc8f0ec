//! Where a traversal takes a player's strategy from.

use crate::simd::Row;
use crate::tree::SequenceForm;

/// A strategy of one player in one tile of a deal: the current one, or the average.
pub(crate) trait StrategySource {
    /// Extends the reach probabilities of a block's roots to all sequences.
    fn propagate_reach(self, form: &SequenceForm, block: usize, reach: &mut [Row]);

    /// The strategy of a block, a row for each action.
    fn strategy(self, form: &SequenceForm, block: usize, strategy: &mut [Row]);
}
