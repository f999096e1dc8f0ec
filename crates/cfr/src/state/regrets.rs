//! The cumulative regrets of one player, and the current strategy that follows from them.

use super::array::{QuantizedArray, QuantizedMut, QuantizedRef, StateBuffers, with_encoding};
use super::layout::{Offset, block_start, form_size, tile_size, tile_start};
use crate::kernels::{ActionWeights, MatchRegrets, PropagateReach, UpdateExtras, UpdateRegrets};
use crate::locks::BlockLocks;
use crate::quantize::{Precision, Quantized, RoundingSeed, Scale};
use crate::simd::{self, Row};
use crate::strategy_source::StrategySource;
use crate::tree::{SequenceForm, Tile};
use crate::{Discounts, Player};

/// Quantised rows with the scale of each block.
#[derive(Clone, Debug)]
pub(crate) struct ScaledArray {
    rows: QuantizedArray,
    scales: Vec<Scale>,
}

impl ScaledArray {
    fn zero(
        precision: Precision,
        signed: bool,
        (rows, blocks): (usize, usize),
        buffers: &mut StateBuffers,
    ) -> Self {
        let scales = precision.scale_bytes(blocks) / size_of::<Scale>();
        Self { rows: QuantizedArray::zero(precision, signed, rows, buffers), scales: vec![0; scales] }
    }

    fn allocated(&self) -> usize {
        self.rows.allocated() + size_of_val(self.scales.as_slice())
    }

    fn read(&self) -> ScaledRef<'_> {
        ScaledRef { rows: self.rows.read(), scales: &self.scales }
    }

    fn view(&mut self) -> ScaledMut<'_> {
        ScaledMut { rows: self.rows.view(), scales: &mut self.scales }
    }
}

/// A part of an array that may be empty altogether.
fn within<T>(all: &[T], start: usize, len: usize) -> &[T] {
    if all.is_empty() { all } else { &all[start..][..len] }
}

/// As [`within`], to write.
fn within_mut<T>(all: &mut [T], start: usize, len: usize) -> &mut [T] {
    if all.is_empty() { all } else { &mut all[start..][..len] }
}

/// Splits an array that may be empty altogether.
fn split_mut<T>(all: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
    let at = at.min(all.len());
    all.split_at_mut(at)
}

/// A part of a [`ScaledArray`], to read.
#[derive(Clone, Copy)]
pub(crate) struct ScaledRef<'a> {
    pub rows: QuantizedRef<'a>,
    pub scales: &'a [Scale],
}

impl ScaledRef<'_> {
    fn range(self, start: Offset, size: Offset) -> Self {
        Self {
            rows: self.rows.range(start.actions, size.actions),
            scales: within(self.scales, start.decisions, size.decisions),
        }
    }
}

/// A part of a [`ScaledArray`], to write.
pub(crate) struct ScaledMut<'a> {
    pub rows: QuantizedMut<'a>,
    pub scales: &'a mut [Scale],
}

impl<'a> ScaledMut<'a> {
    fn into_range(self, start: Offset, size: Offset) -> Self {
        Self {
            rows: self.rows.into_range(start.actions, size.actions),
            scales: within_mut(self.scales, start.decisions, size.decisions),
        }
    }

    fn range(&mut self, start: Offset, size: Offset) -> ScaledMut<'_> {
        ScaledMut { rows: self.rows.whole(), scales: self.scales }.into_range(start, size)
    }

    fn split(self, at: Offset) -> (Self, Self) {
        let (rows, right_rows) = self.rows.split(at.actions);
        let (scales, right_scales) = split_mut(self.scales, at.decisions);
        (Self { rows, scales }, Self { rows: right_rows, scales: right_scales })
    }

    fn read(&self) -> ScaledRef<'_> {
        ScaledRef { rows: self.rows.read(), scales: self.scales }
    }
}

/// The regrets of one player in one round, and the same for predictions where the schedule predicts.
#[derive(Clone, Debug)]
pub(crate) struct RoundRegrets {
    regrets: ScaledArray,
    predictions: ScaledArray,
    /// The last iteration in which each root tree of each deal was updated.
    last_update: Vec<u32>,
}

impl RoundRegrets {
    pub fn zero(
        precision: Precision,
        signed: bool,
        size: Offset,
        predicts: bool,
        buffers: &mut StateBuffers,
    ) -> Self {
        let all = (size.actions, size.decisions);
        let predicted = if predicts { all } else { (0, 0) };
        Self {
            regrets: ScaledArray::zero(precision, signed, all, buffers),
            predictions: ScaledArray::zero(precision, signed, predicted, buffers),
            last_update: vec![0; size.roots],
        }
    }

    /// Bytes of memory.
    pub fn allocated(&self) -> usize {
        self.regrets.allocated() + self.predictions.allocated() + size_of_val(self.last_update.as_slice())
    }

    /// Gives the memory back.
    pub fn recycle(self, buffers: &mut StateBuffers) {
        self.regrets.rows.recycle(buffers);
        self.predictions.rows.recycle(buffers);
    }

    pub fn read(&self) -> RegretsRef<'_> {
        RegretsRef {
            regrets: self.regrets.read(),
            predictions: self.predictions.read(),
            last_update: &self.last_update,
        }
    }

    pub fn view(&mut self) -> RegretsMut<'_> {
        RegretsMut {
            regrets: self.regrets.view(),
            predictions: self.predictions.view(),
            last_update: &mut self.last_update,
        }
    }
}

/// Regrets of consecutive deals, a deal or a tile, to read.
#[derive(Clone, Copy)]
pub(crate) struct RegretsRef<'a> {
    pub regrets: ScaledRef<'a>,
    pub predictions: ScaledRef<'a>,
    pub last_update: &'a [u32],
}

impl<'a> RegretsRef<'a> {
    /// Regrets in floats.
    #[cfg(test)]
    pub fn floats(floats: &'a [crate::quantize::F32]) -> Self {
        let array = |floats| ScaledRef { rows: QuantizedRef::floats(floats), scales: &[] };
        Self { regrets: array(floats), predictions: array(&[]), last_update: &[] }
    }

    pub fn range(self, start: Offset, size: Offset) -> Self {
        Self {
            regrets: self.regrets.range(start, size),
            predictions: self.predictions.range(start, size),
            last_update: within(self.last_update, start.roots, size.roots),
        }
    }

    /// The bytes of the block after one, to prefetch.
    fn next_block(self, form: &SequenceForm, block: usize) -> &'a [u8] {
        self.regrets.rows.bytes(block_start(form, block + 1).actions, form_size(form).actions)
    }

    fn weights<Q: Quantized>(
        self,
        form: &SequenceForm,
        block: usize,
        prediction_weight: f32,
    ) -> ActionWeights<'a, Q> {
        let Self { regrets, predictions, .. } = self.range(block_start(form, block), form_size(form));
        ActionWeights {
            regrets: regrets.rows.of(),
            scales: regrets.scales,
            predictions: predictions.rows.of(),
            prediction_scales: predictions.scales,
            prediction_weight,
        }
    }
}

/// The current strategy: regret matching on the cumulative regrets.
pub(crate) struct RegretMatching<'a> {
    pub regrets: RegretsRef<'a>,
    /// The weight of the predicted instantaneous regret.
    pub prediction_weight: f32,
}

impl StrategySource for RegretMatching<'_> {
    fn propagate_reach(self, form: &SequenceForm, block: usize, reach: &mut [Row]) {
        with_encoding!(self.regrets.regrets.rows.encoding, Q => {
            let weights = self.regrets.weights::<Q>(form, block, self.prediction_weight);
            simd::run(PropagateReach { form, weights, reach, prefetch: self.regrets.next_block(form, block) });
        });
    }

    fn strategy(self, form: &SequenceForm, block: usize, strategy: &mut [Row]) {
        with_encoding!(self.regrets.regrets.rows.encoding, Q => {
            let weights = self.regrets.weights::<Q>(form, block, self.prediction_weight);
            simd::run(MatchRegrets { form, weights, strategy, prefetch: self.regrets.next_block(form, block) });
        });
    }
}

/// Regrets of consecutive deals, a deal or a tile, to write.
pub(crate) struct RegretsMut<'a> {
    pub regrets: ScaledMut<'a>,
    pub predictions: ScaledMut<'a>,
    /// The last iteration in which each root tree was updated.
    pub last_update: &'a mut [u32],
}

impl<'a> RegretsMut<'a> {
    pub fn split(self, at: Offset) -> (Self, Self) {
        let (regrets, right_regrets) = self.regrets.split(at);
        let (predictions, right_predictions) = self.predictions.split(at);
        let (last_update, right_last_update) = split_mut(self.last_update, at.roots);
        let right =
            Self { regrets: right_regrets, predictions: right_predictions, last_update: right_last_update };
        (Self { regrets, predictions, last_update }, right)
    }

    pub fn into_range(self, start: Offset, size: Offset) -> Self {
        Self {
            regrets: self.regrets.into_range(start, size),
            predictions: self.predictions.into_range(start, size),
            last_update: within_mut(self.last_update, start.roots, size.roots),
        }
    }

    fn range(&mut self, start: Offset, size: Offset) -> RegretsMut<'_> {
        RegretsMut {
            regrets: self.regrets.range(start, size),
            predictions: self.predictions.range(start, size),
            last_update: within_mut(self.last_update, start.roots, size.roots),
        }
    }

    /// The same regrets, to read.
    pub fn read(&self) -> RegretsRef<'_> {
        RegretsRef {
            regrets: self.regrets.read(),
            predictions: self.predictions.read(),
            last_update: self.last_update,
        }
    }

    /// A tile's regrets out of those of its deal.
    pub fn tile(&mut self, player: Player, tile: &Tile, blocks: usize) -> RegretsMut<'_> {
        self.range(tile_start(tile, player, blocks), tile_size(tile, player, blocks))
    }

    /// Backpropagates the counterfactual values of a block to its roots, and updates its regrets on the way.
    pub fn update(
        &mut self,
        form: &SequenceForm,
        block: usize,
        update: RegretUpdate<'_>,
        values: &mut [Row],
    ) {
        let RegretUpdate { strategy, discounts, keeps_negative, rounding, locks, pruned } = update;
        let mut part = self.range(block_start(form, block), form_size(form));
        let has_extras = locks.is_some() || !pruned.is_empty() || !part.predictions.rows.is_empty();
        with_encoding!(part.regrets.rows.encoding, Q => {
            let mut extras = has_extras.then(|| UpdateExtras {
                locks,
                pruned,
                predictions: part.predictions.rows.of(),
                prediction_scales: part.predictions.scales,
            });
            simd::run(UpdateRegrets::<Q> {
                form,
                strategy,
                discounts,
                keeps_negative,
                rounding,
                values,
                regrets: part.regrets.rows.of(),
                scales: part.regrets.scales,
                extras: extras.as_mut(),
            });
        });
    }
}

/// How the regrets of a block are updated.
pub(crate) struct RegretUpdate<'a> {
    /// The current strategy.
    pub strategy: &'a [Row],
    /// The discounts of each root tree; none where nothing is updated.
    pub discounts: &'a [Option<Discounts>],
    pub keeps_negative: bool,
    pub rounding: RoundingSeed,
    /// The hands whose regrets stay as they are.
    pub locks: Option<BlockLocks<'a>>,
    /// A flag for each sequence that was pruned, or none at all.
    pub pruned: &'a [bool],
}
