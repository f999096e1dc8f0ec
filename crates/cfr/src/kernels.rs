//! The inner loops: one row holds one number for each of 16 hands.

use crate::cells::{self, Cell, Draws, Noise, Scale, step_of};
use crate::locks::BlockLocks;
use crate::simd::{Kernel, Lanes, Row, WIDTH};
use crate::tree::{Batch, Decision, MAX_ACTIONS, Plan};
use crate::{Discounts, Player};
use std::ops::Range;

/// How many rows hold `hands` numbers.
pub(crate) fn blocks(hands: usize) -> usize {
    hands.div_ceil(WIDTH)
}

/// Sums of weights that are not above this count as none: one over them may overflow.
const NOTHING: f32 = 1e-37;

/// One block of a tile's regrets, and of the predicted ones where there are any: what a strategy is proportional to.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a, C> {
    pub cells: &'a [C],
    pub scales: &'a [Scale],
    pub hints: &'a [C],
    pub hint_scales: &'a [Scale],
    pub foresight: f32,
}

impl<C: Cell> Weights<'_, C> {
    /// The weights of an action; negative ones count as zero. The numbers of one decision share a scale, so without predictions
    /// it does not matter.
    #[inline(always)]
    fn row<L: Lanes>(&self, lanes: L, decision: usize, row: usize) -> L::Numbers {
        let mut weights = self.cells[row].steps(lanes);
        if let Some(hint) = self.hints.get(row) {
            let step = lanes.splat(step_at(self.scales, decision));
            let hint_step = lanes.splat(self.foresight * step_at(self.hint_scales, decision));
            weights = lanes.add(lanes.mul(weights, step), lanes.mul(hint.steps(lanes), hint_step));
        }
        lanes.max(weights, lanes.splat(0.0))
    }

    /// Shares of `whole` in proportion to the weights of a decision's actions; equal ones where all weights are zero.
    #[inline(always)]
    fn split<L: Lanes, const MOST: usize>(
        &self,
        lanes: L,
        decision: usize,
        rows: Few<MOST>,
        whole: L::Numbers,
    ) -> [L::Numbers; MOST] {
        let zero = lanes.splat(0.0);
        let mut shares = [zero; MOST];
        let mut sum = zero;
        for (row, share) in rows.zip(&mut shares) {
            *share = self.row(lanes, decision, row);
            sum = lanes.add(sum, *share);
        }
        let some = lanes.sub(sum, lanes.splat(NOTHING));
        let factor = lanes.where_positive(some, lanes.div(whole, sum), zero);
        let uniform = lanes.mul(whole, lanes.splat(1.0 / rows.len() as f32));
        let rest = lanes.where_positive(some, zero, uniform);
        for (_, share) in rows.zip(&mut shares) {
            *share = lanes.add(lanes.mul(*share, factor), rest);
        }
        shares
    }
}

/// The rows of a decision with at most `MOST` actions, which are exactly `MOST` where that is small: loops over them are then
/// unrolled and their numbers stay in registers.
#[derive(Clone, Copy)]
struct Few<const MOST: usize> {
    start: usize,
    len: usize,
}

impl<const MOST: usize> Few<MOST> {
    #[inline(always)]
    fn of(decision: &Decision) -> Self {
        Self { start: decision.row as usize, len: decision.actions as usize }
    }

    #[inline(always)]
    fn len(self) -> usize {
        if MOST <= EXACT { MOST } else { self.len.min(MOST) }
    }

    /// The rows, each with one of `items`.
    #[inline(always)]
    fn zip<T>(self, items: impl IntoIterator<Item = T>) -> impl Iterator<Item = (usize, T)> {
        (self.start..self.start + self.len()).zip(items)
    }

    #[inline(always)]
    fn range(self) -> Range<usize> {
        self.start..self.start + self.len()
    }
}

/// Decisions with up to so many actions have code of their own.
const EXACT: usize = 4;

/// Runs an expression with `$most` as the constant that suits a decision's number of actions.
macro_rules! by_actions {
    ($decision:expr, $most:ident => $body:expr) => {
        match $decision.actions {
            2 => {
                const $most: usize = 2;
                $body
            }
            3 => {
                const $most: usize = 3;
                $body
            }
            4 => {
                const $most: usize = 4;
                $body
            }
            1 => {
                const $most: usize = 1;
                $body
            }
            ..=12 => {
                const $most: usize = 12;
                $body
            }
            _ => {
                const $most: usize = MAX_ACTIONS;
                $body
            }
        }
    };
}

/// The step of a decision's numbers; floats have steps of one.
#[inline(always)]
fn step_at(scales: &[Scale], decision: usize) -> f32 {
    scales.get(decision).map_or(1.0, |&scale| step_of(scale))
}

#[inline(always)]
fn rows_of(decision: &Decision) -> Range<usize> {
    decision.row as usize..(decision.row + decision.actions) as usize
}

/// Each decision's weights, divided by their sum; uniform where the sum is zero.
pub(crate) struct Normalize<'a, C> {
    pub plan: &'a Plan,
    pub weights: Weights<'a, C>,
    pub strategy: &'a mut [Row],
}

impl<C: Cell> Kernel for Normalize<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let one = lanes.splat(1.0);
        for (d, decision) in self.plan.decisions.iter().enumerate() {
            by_actions!(decision, MOST => {
                let rows = Few::<MOST>::of(decision);
                for (row, share) in rows.zip(self.weights.split(lanes, d, rows, one)) {
                    self.strategy[row] = lanes.row(share);
                }
            });
        }
    }
}

/// How likely a player takes each of its sequences: extends the reaches of the roots to all slots, by the strategy that
/// `weights` stand for. Where no hand of the row arrives, the weights are not even looked at.
pub(crate) struct Realize<'a, C> {
    pub plan: &'a Plan,
    pub weights: Weights<'a, C>,
    pub reach: &'a mut [Row],
}

impl<C: Cell> Kernel for Realize<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { plan, weights, reach } = self;
        for (d, decision) in plan.decisions.iter().enumerate() {
            let here = lanes.load(&reach[decision.slot as usize]);
            if lanes.is_zero(here) {
                let rows = rows_of(decision);
                reach[plan.roots + rows.start..plan.roots + rows.end].fill(Row::ZERO);
                continue;
            }
            by_actions!(decision, MOST => {
                let rows = Few::<MOST>::of(decision);
                for (row, arriving) in rows.zip(weights.split(lanes, d, rows, here)) {
                    reach[plan.roots + row] = lanes.row(arriving);
                }
            });
        }
    }
}

/// One block of a tile's average strategy. For each decision and hand it holds how often one of the first *k* actions is taken,
/// for every *k* but the last, in steps of one over [`Cell::TOP`]: running sums, which rounded by the same random number stay in
/// order, so that shares are never negative and always add up to one.
#[derive(Clone, Copy)]
pub(crate) struct Shares<'a, C> {
    pub cells: &'a [C],
}

impl<C: Cell> Shares<'_, C> {
    /// What a whole is.
    pub const TOP: f32 = match C::TOP {
        Some(top) => top,
        None => 1.0,
    };

    /// Calls `each` with the share of every action of a decision, in steps.
    #[inline(always)]
    fn of<L: Lanes>(&self, lanes: L, d: usize, decision: &Decision, mut each: impl FnMut(usize, L::Numbers)) {
        let zero = lanes.splat(0.0);
        let rows = rows_of(decision);
        let mut before = zero;
        for row in rows.start..rows.end - 1 {
            let sum = self.cells[row - d].steps(lanes);
            each(row, lanes.max(lanes.sub(sum, before), zero));
            before = sum;
        }
        each(rows.end - 1, lanes.max(lanes.sub(lanes.splat(Self::TOP), before), zero));
    }
}

/// An average strategy, spelled out.
pub(crate) struct SpellOut<'a, C> {
    pub plan: &'a Plan,
    pub shares: Shares<'a, C>,
    pub strategy: &'a mut [Row],
}

impl<C: Cell> Kernel for SpellOut<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let step = lanes.splat(1.0 / Shares::<C>::TOP);
        for (d, decision) in self.plan.decisions.iter().enumerate() {
            self.shares.of(
                lanes,
                d,
                decision,
                #[inline(always)]
                |row, share| self.strategy[row] = lanes.row(lanes.mul(share, step)),
            );
        }
    }
}

/// As [`Realize`], by an average strategy.
pub(crate) struct RealizeAverage<'a, C> {
    pub plan: &'a Plan,
    pub shares: Shares<'a, C>,
    pub reach: &'a mut [Row],
}

impl<C: Cell> Kernel for RealizeAverage<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { plan, shares, reach } = self;
        let step = lanes.splat(1.0 / Shares::<C>::TOP);
        for (d, decision) in plan.decisions.iter().enumerate() {
            let here = lanes.load(&reach[decision.slot as usize]);
            let rows = rows_of(decision);
            if lanes.is_zero(here) {
                reach[plan.roots + rows.start..plan.roots + rows.end].fill(Row::ZERO);
                continue;
            }
            let here = lanes.mul(here, step);
            shares.of(
                lanes,
                d,
                decision,
                #[inline(always)]
                |row, share| reach[plan.roots + row] = lanes.row(lanes.mul(here, share)),
            );
        }
    }
}

/// Mixes what a player just played into its average, of which `past_share` remains, and finds out how likely it takes each of its
/// sequences, in what it just played and in the average so far.
///
/// An average strategy is the mean of the played ones, weighed by how likely each got there. How likely all of them together did is
/// the product of the average's own shares on the way. Where no hand of a row gets there now, nothing changes.
pub(crate) struct Accumulate<'a, C> {
    pub plan: &'a Plan,
    pub strategy: &'a [Row],
    pub past_share: f32,
    pub noise: Noise,
    pub cells: &'a mut [C],
    pub reach: &'a mut [Row],
    pub average_reach: &'a mut [Row],
}

impl<C: Cell> Kernel for Accumulate<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { plan, strategy, past_share, noise, cells, reach, average_reach } = self;
        let (past, present) = (lanes.splat(past_share), lanes.splat(1.0 - past_share));
        let (zero, top) = (lanes.splat(0.0), lanes.splat(Shares::<C>::TOP));
        let step = lanes.splat(1.0 / Shares::<C>::TOP);
        let mut draws = noise.draws(lanes);
        for (d, decision) in plan.decisions.iter().enumerate() {
            let here = lanes.load(&reach[decision.slot as usize]);
            let rows = rows_of(decision);
            if lanes.is_zero(here) {
                reach[plan.roots + rows.start..plan.roots + rows.end].fill(Row::ZERO);
                continue;
            }
            let so_far = lanes.load(&average_reach[decision.slot as usize]);
            let now = lanes.mul(here, present);
            let ever = lanes.add(lanes.mul(so_far, past), now);
            let gain = lanes.where_positive(ever, lanes.div(now, ever), zero);
            let so_far = lanes.mul(so_far, step);
            let noise = if C::TOP.is_some() { draws.next() } else { zero };
            let (mut played, mut before) = (zero, zero);
            for row in rows.start..rows.end - 1 {
                let share = lanes.load(&strategy[row]);
                reach[plan.roots + row] = lanes.row(lanes.mul(here, share));
                played = lanes.add(played, lanes.mul(share, top));
                let sum = cells[row - d].steps(lanes);
                let old_share = lanes.max(lanes.sub(sum, before), zero);
                average_reach[plan.roots + row] = lanes.row(lanes.mul(so_far, old_share));
                before = sum;
                let mixed = lanes.add(sum, lanes.mul(gain, lanes.sub(played, sum)));
                cells[row - d] = C::nearest(lanes, lanes.add(mixed, noise));
            }
            let last = rows.end - 1;
            reach[plan.roots + last] = lanes.row(lanes.mul(here, lanes.load(&strategy[last])));
            let old_share = lanes.max(lanes.sub(top, before), zero);
            average_reach[plan.roots + last] = lanes.row(lanes.mul(so_far, old_share));
        }
    }
}

/// Values from the last decision back: a decision is worth the strategy's mean of its actions.
pub(crate) struct BackUpMean<'a> {
    pub plan: &'a Plan,
    pub strategy: &'a [Row],
    pub values: &'a mut [Row],
}

impl Kernel for BackUpMean<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for decision in self.plan.decisions.iter().rev() {
            let mean = mean_of(lanes, self.plan, decision, self.strategy, self.values);
            add(lanes, &mut self.values[decision.slot as usize], mean);
        }
    }
}

/// Values from the last decision back: a decision is worth its best action.
pub(crate) struct BackUpBest<'a> {
    pub plan: &'a Plan,
    pub values: &'a mut [Row],
}

impl Kernel for BackUpBest<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for decision in self.plan.decisions.iter().rev() {
            let mut best = lanes.splat(f32::NEG_INFINITY);
            for row in rows_of(decision) {
                best = lanes.max(best, lanes.load(&self.values[self.plan.roots + row]));
            }
            add(lanes, &mut self.values[decision.slot as usize], best);
        }
    }
}

/// Values from the last decision back, while regrets learn how much better each action would have been.
pub(crate) struct Learn<'a, C> {
    pub plan: &'a Plan,
    /// The strategy that was played.
    pub strategy: &'a [Row],
    /// How the past counts in each root tree; none where nothing is learned.
    pub discounts: &'a [Option<Discounts>],
    /// Whether negative regrets are kept.
    pub keeps_negative: bool,
    /// The hands that have nothing to learn.
    pub locks: Option<BlockLocks<'a>>,
    /// The slots that were left out, if any: actions that lead there have nothing to learn.
    pub pruned: &'a [bool],
    pub noise: Noise,
    pub values: &'a mut [Row],
    pub cells: &'a mut [C],
    pub scales: &'a mut [Scale],
    pub hints: &'a mut [C],
    pub hint_scales: &'a mut [Scale],
}

impl<C: Cell> Kernel for Learn<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) {
        let mut draws = self.noise.draws(lanes);
        for (d, decision) in self.plan.decisions.iter().enumerate().rev() {
            if let Some(discounts) = self.discounts[decision.root as usize] {
                by_actions!(decision, MOST => self.decide::<L, MOST>(lanes, d, decision, discounts, &mut draws));
            }
        }
    }
}

impl<C: Cell> Learn<'_, C> {
    #[inline(always)]
    fn decide<L: Lanes, const MOST: usize>(
        &mut self,
        lanes: L,
        d: usize,
        decision: &Decision,
        discounts: Discounts,
        draws: &mut Draws<L>,
    ) {
        let rows = Few::<MOST>::of(decision);
        let zero = lanes.splat(0.0);
        let mut gains = [zero; MOST];
        let mut mean = zero;
        for (row, gain) in rows.zip(&mut gains) {
            *gain = lanes.load(&self.values[self.plan.roots + row]);
            mean = lanes.add(mean, lanes.mul(lanes.load(&self.strategy[row]), *gain));
        }
        let free = self.locks.as_ref().and_then(|locks| locks.free(d)).map(|free| lanes.load(free));
        for (_, gain) in rows.zip(&mut gains) {
            *gain = lanes.sub(*gain, mean);
            if let Some(free) = free {
                *gain = lanes.mul(*gain, free);
            }
        }
        if !self.pruned.is_empty() {
            for (row, gain) in rows.zip(&mut gains) {
                if self.pruned[self.plan.roots + row] {
                    *gain = zero;
                }
            }
        }
        if !self.hints.is_empty() {
            let hints = &mut self.hints[rows.range()];
            cells::store(lanes, &gains[..rows.len()], hints, self.hint_scales.get_mut(d), draws);
        }
        let step = step_at(self.scales, d);
        let positive = lanes.splat(discounts.positive * step);
        let negative = lanes.splat(discounts.negative * step);
        let floor = lanes.splat(if self.keeps_negative { f32::NEG_INFINITY } else { 0.0 });
        let mut regrets = gains;
        for (row, regret) in rows.zip(&mut regrets) {
            let past = self.cells[row].steps(lanes);
            let past = lanes.mul(past, lanes.where_positive(past, positive, negative));
            *regret = lanes.max(lanes.add(past, *regret), floor);
        }
        let cells = &mut self.cells[rows.range()];
        cells::store(lanes, &regrets[..rows.len()], cells, self.scales.get_mut(d), draws);
        add(lanes, &mut self.values[decision.slot as usize], mean);
    }
}

#[inline(always)]
fn mean_of<L: Lanes>(
    lanes: L,
    plan: &Plan,
    decision: &Decision,
    strategy: &[Row],
    values: &[Row],
) -> L::Numbers {
    let mut mean = lanes.splat(0.0);
    for row in rows_of(decision) {
        let value = lanes.load(&values[plan.roots + row]);
        mean = lanes.add(mean, lanes.mul(lanes.load(&strategy[row]), value));
    }
    mean
}

#[inline(always)]
fn add<L: Lanes>(lanes: L, target: &mut Row, numbers: L::Numbers) {
    *target = lanes.row(lanes.add(lanes.load(target), numbers));
}

/// Spreads the slots of a block of hands, a row each, to leaves, a lane each: batch `b` gets the rows of its hands in
/// `out[b * hands + block * 16..]`.
pub(crate) struct RowsToLanes<'a> {
    pub batches: &'a [Batch],
    pub player: Player,
    pub slots: &'a [Row],
    pub block: usize,
    pub hands: usize,
    pub out: &'a mut [Row],
}

impl Kernel for RowsToLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (b, batch) in self.batches.iter().enumerate() {
            let (out, _) = self.out[b * self.hands + self.block * WIDTH..].as_chunks_mut::<WIDTH>();
            let rows = batch.slots[self.player.index()].map(|slot| &self.slots[slot as usize]);
            lanes.transpose(rows, &mut out[0]);
        }
    }
}

/// Adds the leaves of a block of hands, a lane each, to their slots, a row each.
pub(crate) struct LanesToRows<'a> {
    pub batches: &'a [Batch],
    pub player: Player,
    pub slots: &'a mut [Row],
    pub block: usize,
    pub hands: usize,
    pub values: &'a [Row],
}

impl Kernel for LanesToRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let mut rows = [Row::ZERO; WIDTH];
        for (b, batch) in self.batches.iter().enumerate() {
            let (values, _) = self.values[b * self.hands + self.block * WIDTH..].as_chunks::<WIDTH>();
            lanes.transpose(values[0].each_ref(), &mut rows);
            for (row, &slot) in rows.iter().zip(&batch.slots[self.player.index()]).take(batch.nodes.len()) {
                add(lanes, &mut self.slots[slot as usize], lanes.load(row));
            }
        }
    }
}

/// Moves reaches to a deal from the one before: from a line of sixteen exits for each hand there, to a row of sixteen hands for
/// each (root, block) here.
pub(crate) struct Carry<'a> {
    /// Lines for each (batch of exits, hand).
    pub from: &'a [Row],
    /// How many lines a batch has.
    pub from_hands: usize,
    /// Where each hand was.
    pub origin: &'a [u16],
    pub roots: usize,
    pub to: &'a mut [Row],
}

impl Kernel for Carry<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let blocks = blocks(self.origin.len());
        let mut rows = [Row::ZERO; WIDTH];
        for (batch, from) in self.from.chunks_exact(self.from_hands.max(1)).enumerate() {
            let here = batch * WIDTH..self.roots.min((batch + 1) * WIDTH);
            for (block, origin) in self.origin.chunks(WIDTH).enumerate() {
                let line = |h: usize| origin.get(h).map_or(&Row::ZERO, |&hand| &from[hand as usize]);
                lanes.transpose(std::array::from_fn(line), &mut rows);
                for (root, row) in here.clone().zip(&rows) {
                    self.to[root * blocks + block] = *row;
                }
            }
        }
    }
}

/// The opposite of [`Carry`]: adds values of a deal, a row for each (root, block), to those of the deal before, once for every
/// chance event that leads here.
pub(crate) struct Collect<'a> {
    pub values: &'a [Row],
    pub roots: usize,
    /// For each event, where each hand was.
    pub origins: &'a [Vec<u16>],
    /// Lines for each (batch of exits, hand), in wide floats.
    pub sums: &'a mut [[f64; WIDTH]],
    /// How many lines a batch has.
    pub hands: usize,
}

impl Kernel for Collect<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let blocks = self.values.len() / self.roots;
        let mut lines = [Row::ZERO; WIDTH];
        for (batch, sums) in self.sums.chunks_exact_mut(self.hands.max(1)).enumerate() {
            for block in 0..blocks {
                let row = |root: usize| {
                    let root = batch * WIDTH + root;
                    if root < self.roots { &self.values[root * blocks + block] } else { &Row::ZERO }
                };
                lanes.transpose(std::array::from_fn(row), &mut lines);
                for origin in self.origins {
                    let origin = &origin[block * WIDTH..];
                    for (line, &hand) in lines.iter().zip(origin) {
                        let sum = &mut sums[hand as usize];
                        for lane in 0..WIDTH {
                            sum[lane] += f64::from(line[lane]);
                        }
                    }
                }
            }
        }
    }
}
