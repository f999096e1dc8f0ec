//! The inner loops: one row holds one number for each of 16 hands.

use crate::cells::{Cell, Noise, Scale, step_of};
use crate::ends::Places;
use crate::simd::{Kernel, Lanes, Row, WIDTH};
use crate::tree::{Decision, Plan};
use std::ops::Range;

/// How many rows hold `hands` numbers.
pub(crate) fn blocks(hands: usize) -> usize {
    hands.div_ceil(WIDTH)
}

/// Runs an expression with `$n` as the constant number of a decision's actions, so that loops over them are unrolled and their
/// numbers stay in registers; another one if there are many.
macro_rules! by_actions {
    ($decision:expr, $n:ident => $few:block else $many:block) => {
        by_actions!(@ $decision, $n, $few, $many, 1 2 3 4 5 6)
    };
    (@ $decision:expr, $n:ident, $few:block, $many:block, $($count:literal)*) => {
        match $decision.actions {
            $($count => {
                const $n: usize = $count;
                $few
            })*
            _ => $many
        }
    };
}

pub(crate) use by_actions;

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
    fn row<L: Lanes, const PREDICTS: bool>(&self, lanes: L, d: usize, row: usize, cell: &C) -> L::Numbers {
        let mut weights = cell.steps(lanes);
        if PREDICTS {
            let step = lanes.splat(step_at(self.scales, d));
            let hint_step = lanes.splat(self.foresight * step_at(self.hint_scales, d));
            let hint = self.hints[row].steps(lanes);
            weights = lanes.add(lanes.mul(weights, step), lanes.mul(hint, hint_step));
        }
        lanes.max(weights, lanes.splat(0.0))
    }

    /// Shares `whole` out to the rows of a decision, in proportion to the weights; equally where all weights are zero.
    #[inline(always)]
    fn split<L: Lanes>(
        &self,
        lanes: L,
        d: usize,
        decision: &Decision,
        whole: L::Numbers,
        shares: &mut [Row],
    ) {
        if self.hints.is_empty() {
            self.split_by::<L, false>(lanes, d, decision, whole, shares);
        } else {
            self.split_by::<L, true>(lanes, d, decision, whole, shares);
        }
    }

    #[inline(always)]
    fn split_by<L: Lanes, const PREDICTS: bool>(
        &self,
        lanes: L,
        d: usize,
        decision: &Decision,
        whole: L::Numbers,
        shares: &mut [Row],
    ) {
        let rows = rows_of(decision);
        let first = rows.start;
        let (cells, shares) = (&self.cells[rows.clone()], &mut shares[rows]);
        by_actions!(decision, N => {
            let (cells, shares) = (&cells[..N], &mut shares[..N]);
            let mut weights = [lanes.splat(0.0); N];
            for i in 0..N {
                weights[i] = self.row::<L, PREDICTS>(lanes, d, first + i, &cells[i]);
            }
            let portion = Portion::new(lanes, sum(lanes, weights), whole, N);
            for i in 0..N {
                shares[i] = lanes.row(portion.of(lanes, weights[i]));
            }
        } else {
            let mut sum = lanes.splat(0.0);
            for (i, cell) in cells.iter().enumerate() {
                sum = lanes.add(sum, self.row::<L, PREDICTS>(lanes, d, first + i, cell));
            }
            let portion = Portion::new(lanes, sum, whole, cells.len());
            for (i, (cell, share)) in cells.iter().zip(shares).enumerate() {
                let weight = self.row::<L, PREDICTS>(lanes, d, first + i, cell);
                *share = lanes.row(portion.of(lanes, weight));
            }
        });
    }
}

/// How weights, none of them negative, become shares: by a factor, or equal ones where all weights are zero.
#[derive(Clone, Copy)]
struct Portion<N> {
    factor: N,
    equal: N,
}

impl<N: Copy> Portion<N> {
    /// For so many shares of `whole`, if weights sum to `sum`.
    #[inline(always)]
    fn new<L: Lanes<Numbers = N>>(lanes: L, sum: N, whole: N, count: usize) -> Self {
        let zero = lanes.splat(0.0);
        let some = lanes.sub(sum, lanes.splat(NOTHING));
        let equal = lanes.mul(whole, lanes.splat(1.0 / count as f32));
        Self {
            factor: lanes.where_positive(some, lanes.div(whole, sum), zero),
            equal: lanes.where_positive(some, zero, equal),
        }
    }

    #[inline(always)]
    fn of<L: Lanes<Numbers = N>>(self, lanes: L, weight: N) -> N {
        lanes.add(lanes.mul(weight, self.factor), self.equal)
    }
}

/// The sum of some numbers, first to last.
#[inline(always)]
fn sum<L: Lanes, const N: usize>(lanes: L, numbers: [L::Numbers; N]) -> L::Numbers {
    let mut sum = numbers[0];
    for number in &numbers[1..] {
        sum = lanes.add(sum, *number);
    }
    sum
}

/// The step of a decision's numbers; floats have steps of one.
#[inline(always)]
pub(crate) fn step_at(scales: &[Scale], decision: usize) -> f32 {
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
            self.weights.split(lanes, d, decision, one, self.strategy);
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
            let arriving = &mut reach[plan.roots..];
            if lanes.is_zero(here) {
                clear(lanes, decision, arriving);
            } else {
                weights.split(lanes, d, decision, here, arriving);
            }
        }
    }
}

/// Makes the rows of a decision zero: too few of them for a call.
#[inline(always)]
fn clear<L: Lanes>(lanes: L, decision: &Decision, rows: &mut [Row]) {
    let rows = &mut rows[rows_of(decision)];
    by_actions!(decision, N => {
        for row in &mut rows[..N] {
            *row = lanes.row(lanes.splat(0.0));
        }
    } else {
        rows.fill(Row::ZERO);
    });
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
            if lanes.is_zero(here) {
                clear(lanes, decision, &mut reach[plan.roots..]);
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
                clear(lanes, decision, &mut reach[plan.roots..]);
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

/// Whether there is nothing in any row from `start` on, every so many.
pub(crate) struct AreZero<'a> {
    pub rows: &'a [Row],
    pub start: usize,
    pub step: usize,
}

impl Kernel for AreZero<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let mut at = self.start;
        while at < self.rows.len() {
            if !lanes.is_zero(lanes.load(&self.rows[at])) {
                return false;
            }
            at += self.step;
        }
        true
    }
}

#[inline(always)]
pub(crate) fn add<L: Lanes>(lanes: L, target: &mut Row, numbers: L::Numbers) {
    *target = lanes.row(lanes.add(lanes.load(target), numbers));
}

/// Spreads the slots of a block of hands, a row each, to ends, a lane each: the rows of its hands are in
/// `out[p * hands + block * 16..]` for the ends of `places[p]`.
pub(crate) struct RowsToLanes<'a> {
    pub places: &'a [Places],
    pub slots: &'a [Row],
    pub block: usize,
    pub hands: usize,
    pub out: &'a mut [Row],
}

impl Kernel for RowsToLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (p, places) in self.places.iter().enumerate() {
            let (out, _) = self.out[p * self.hands + self.block * WIDTH..].as_chunks_mut::<WIDTH>();
            lanes.transpose(
                #[inline(always)]
                |lane| &self.slots[places.slots[lane] as usize],
                &mut out[0],
            );
        }
    }
}

/// Loads the slots of a block of hands, a row each, with the sums of its ends, a lane each.
pub(crate) struct LanesToRows<'a> {
    /// Slots that no end is the first for.
    pub bare: &'a [u32],
    /// The ends of some kinds, as [`RowsToLanes`] has them.
    pub ends: [(&'a [Places], &'a [Row]); 2],
    pub slots: &'a mut [Row],
    pub block: usize,
    pub hands: usize,
}

impl Kernel for LanesToRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let zero = lanes.row(lanes.splat(0.0));
        for &slot in self.bare {
            self.slots[slot as usize] = zero;
        }
        for (places, values) in self.ends {
            for (p, places) in places.iter().enumerate() {
                let (values, _) = values[p * self.hands + self.block * WIDTH..].as_chunks::<WIDTH>();
                if places.are_first {
                    lanes.put_columns(&values[0], self.slots, &places.slots, places.count);
                } else {
                    lanes.add_columns(&values[0], self.slots, &places.slots, places.count);
                }
            }
        }
    }
}

/// Moves reaches to a deal from the one before: from a line of sixteen exits for each hand there, to a row of sixteen hands for
/// each (block, root) here.
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
        debug_assert_eq!(self.to.len(), blocks(self.origin.len()) * self.roots, "all rows are written");
        let mut rest = [Row::ZERO; WIDTH];
        for (origin, to) in self.origin.chunks(WIDTH).zip(self.to.chunks_exact_mut(self.roots.max(1))) {
            let (batches, tail) = to.as_chunks_mut::<WIDTH>();
            let mut lines = self.from.chunks_exact(self.from_hands.max(1));
            for rows in batches {
                let from = lines.next().unwrap_or_default();
                lanes.transpose(
                    #[inline(always)]
                    |h| origin.get(h).map_or(&Row::ZERO, |&hand| &from[hand as usize]),
                    rows,
                );
            }
            if !tail.is_empty() {
                let from = lines.next().unwrap_or_default();
                lanes.transpose(
                    #[inline(always)]
                    |h| origin.get(h).map_or(&Row::ZERO, |&hand| &from[hand as usize]),
                    &mut rest,
                );
                tail.copy_from_slice(&rest[..tail.len()]);
            }
        }
    }
}

/// The opposite of [`Carry`]: adds values of a deal, a row for each (block, root), to those of the deal before, once for every
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
        let mut lines = [Row::ZERO; WIDTH];
        for (block, values) in self.values.chunks_exact(self.roots.max(1)).enumerate() {
            let batches = values.chunks(WIDTH).zip(self.sums.chunks_exact_mut(self.hands.max(1)));
            for (values, sums) in batches {
                lanes.transpose(
                    #[inline(always)]
                    |root| values.get(root).unwrap_or(&Row::ZERO),
                    &mut lines,
                );
                for origin in self.origins {
                    for (line, &hand) in lines.iter().zip(&origin[block * WIDTH..]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Plain, run};

    /// A number that tells where it belongs.
    fn mark(exit: usize, hand: usize) -> f32 {
        (100 * exit + hand + 1) as f32
    }

    /// Every third hand of the deal before, from the last one down.
    fn origin(hands: usize) -> Vec<u16> {
        (0..hands).map(|hand| (3 * (hands - hand) - 1) as u16).collect()
    }

    #[test]
    fn reaches_are_carried_to_their_hands_and_values_back() {
        for (roots, hands) in [(1usize, 1), (1, 16), (9, 15), (16, 16), (17, 33), (41, 40), (48, 48)] {
            let from_hands = blocks(3 * hands) * WIDTH;
            let mut from = vec![Row::ZERO; roots.div_ceil(WIDTH) * from_hands];
            for exit in 0..roots {
                for hand in 0..3 * hands {
                    from[exit / WIDTH * from_hands + hand][exit % WIDTH] = mark(exit, hand);
                }
            }
            let origin = origin(hands);
            // What was there before does not matter.
            let mut to = vec![Row([-1.0; WIDTH]); blocks(hands) * roots];
            run(Carry { from: &from, from_hands, origin: &origin, roots, to: &mut to });
            for (place, row) in to.iter().enumerate() {
                let (block, root) = (place / roots, place % roots);
                for (lane, &number) in row.iter().enumerate() {
                    let hand = origin.get(block * WIDTH + lane);
                    assert_eq!(number, hand.map_or(0.0, |&hand| mark(root, hand.into())), "{roots}, {hands}");
                }
            }
            let mut sums = vec![[0.5; WIDTH]; from.len()];
            let origins = [origin.clone(), origin.iter().rev().copied().collect()];
            run(Collect { values: &to, roots, origins: &origins, sums: &mut sums, hands: from_hands });
            for exit in 0..roots {
                for hand in 0..3 * hands {
                    let came = |origin: &Vec<u16>| {
                        let place = origin.iter().position(|&from| usize::from(from) == hand);
                        place.map_or(0.0, |place| f64::from(to[place / WIDTH * roots + exit][place % WIDTH]))
                    };
                    let sum = sums[exit / WIDTH * from_hands + hand][exit % WIDTH];
                    assert_eq!(sum, 0.5 + came(&origins[0]) + came(&origins[1]), "{roots}, {hands}");
                }
            }
        }
    }

    struct Signs(Row);

    impl Kernel for Signs {
        type Output = Row;

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Row {
            lanes.row(lanes.where_negative(lanes.load(&self.0), lanes.splat(1.0), lanes.splat(2.0)))
        }
    }

    #[test]
    fn signs_are_told_alike_by_every_instruction_set() {
        let mut row = Row([1.0; WIDTH]);
        row[..6].copy_from_slice(&[-1.0, -0.0, 0.0, f32::NEG_INFINITY, f32::INFINITY, -f32::NAN]);
        let mut expected = Row([2.0; WIDTH]);
        (expected[0], expected[1], expected[3], expected[5]) = (1.0, 1.0, 1.0, 1.0);
        assert_eq!(run(Signs(row)), expected);
        assert_eq!(Signs(row).run(Plain), expected);
    }
}
