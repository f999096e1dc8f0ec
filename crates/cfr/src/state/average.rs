//! The average strategy of one player, block by block.

use super::array::{QuantizedMut, QuantizedRef, with_strategy_encoding};
use super::layout::{block_start, form_size, tile_size, tile_start};
use crate::Player;
use crate::kernels::{CumulativeStrategy, DecodeStrategy, PropagateAverageReach, UpdateAverage};
use crate::quantize::RoundingSeed;
use crate::simd::{self, Row};
use crate::strategy_source::StrategySource;
use crate::tree::{SequenceForm, Tile};

/// An average strategy, to read.
#[derive(Clone, Copy)]
pub(crate) struct AverageRef<'a>(pub QuantizedRef<'a>);

impl<'a> AverageRef<'a> {
    fn block(self, form: &SequenceForm, block: usize) -> QuantizedRef<'a> {
        self.0.range(block_start(form, block).cumulative(), form_size(form).cumulative())
    }

    /// The bytes of the block after one, to prefetch.
    fn next_block(self, form: &SequenceForm, block: usize) -> &'a [u8] {
        self.0.bytes(block_start(form, block + 1).cumulative(), form_size(form).cumulative())
    }
}

impl StrategySource for AverageRef<'_> {
    fn propagate_reach(self, form: &SequenceForm, block: usize, reach: &mut [Row]) {
        let (rows, prefetch) = (self.block(form, block), self.next_block(form, block));
        with_strategy_encoding!(rows.encoding, Q => {
            let strategy = CumulativeStrategy::<Q> { rows: rows.of() };
            simd::run(PropagateAverageReach { form, strategy, reach, prefetch });
        });
    }

    fn strategy(self, form: &SequenceForm, block: usize, strategy: &mut [Row]) {
        let (rows, prefetch) = (self.block(form, block), self.next_block(form, block));
        with_strategy_encoding!(rows.encoding, Q => {
            let cumulative = CumulativeStrategy::<Q> { rows: rows.of() };
            simd::run(DecodeStrategy { form, cumulative, strategy, prefetch });
        });
    }
}

/// A player's own reach probabilities in the sequences of a block.
pub(crate) struct OwnReach<'a> {
    /// With the current strategy.
    pub current: &'a mut [Row],
    /// With the average strategy so far.
    pub average: &'a mut [Row],
}

/// An average strategy, to write.
pub(crate) struct AverageMut<'a>(pub QuantizedMut<'a>);

impl AverageMut<'_> {
    /// The same strategy, to read.
    pub fn read(&self) -> AverageRef<'_> {
        AverageRef(self.0.read())
    }

    /// A tile's strategy out of that of its deal.
    pub fn tile(&mut self, player: Player, tile: &Tile, blocks: usize) -> AverageMut<'_> {
        let start = tile_start(tile, player, blocks).cumulative();
        AverageMut(self.0.range(start, tile_size(tile, player, blocks).cumulative()))
    }

    /// Adds the current strategy to the average of a block, of which `past_weight` remains, and extends the reach probabilities
    /// of its roots to all sequences.
    pub fn update(
        &mut self,
        form: &SequenceForm,
        block: usize,
        strategy: &[Row],
        past_weight: f32,
        rounding: RoundingSeed,
        reach: OwnReach<'_>,
    ) {
        let len = form_size(form).cumulative();
        let (_, from_here) = self.0.whole().split(block_start(form, block).cumulative());
        let (mut rows, next) = from_here.split(len);
        let prefetch = next.read().bytes(0, len);
        with_strategy_encoding!(rows.encoding, Q => simd::run(UpdateAverage::<Q> {
            form,
            strategy,
            past_weight,
            rounding,
            cumulative: rows.of(),
            reach: reach.current,
            average_reach: reach.average,
            prefetch,
        }));
    }
}
