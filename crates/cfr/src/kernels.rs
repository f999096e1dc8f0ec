//! The inner loops: one row holds one number for each of 16 hands.

use crate::cells::{Cell, Draws, Noise, Scale, step_of};
use crate::ends::Places;
use crate::simd::{Kernel, Lanes, Row, WIDTH};
use crate::tree::{Decision, Plan, Run};

/// How many rows hold `hands` numbers.
pub(crate) fn blocks(hands: usize) -> usize {
    hands.div_ceil(WIDTH)
}

/// Runs an expression with `$n` as the constant number of actions that decisions of a run have, so that loops over them are unrolled
/// and their numbers stay in registers; another one if there are many.
macro_rules! by_actions {
    ($run:expr, $n:ident => $few:block else $many:block) => {
        by_actions!(@ $run, $n, $few, $many, 1 2 3 4 5 6)
    };
    (@ $run:expr, $n:ident, $few:block, $many:block, $($count:literal)*) => {
        match $run.actions {
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
    /// The weights of an action at a decision. The numbers of one decision share a scale, so without predictions it does not matter.
    #[inline(always)]
    fn of<L: Lanes>(&self, lanes: L, decision: usize, cell: &C, hint: Option<&C>) -> L::Numbers {
        let mut weights = cell.steps(lanes);
        if let Some(hint) = hint {
            let step = lanes.splat(step_at(self.scales, decision));
            let hint_step = lanes.splat(self.foresight * step_at(self.hint_scales, decision));
            weights = lanes.add(lanes.mul(weights, step), lanes.mul(hint.steps(lanes), hint_step));
        }
        positive(lanes, weights)
    }

    /// Shares out something at each decision of a run, in proportion to the weights; equally where all weights are zero. `whole` gives
    /// how much there is at a decision, or nothing where that is zero.
    #[inline(always)]
    fn split<L: Lanes>(
        &self,
        lanes: L,
        plan: &Plan,
        run: &Run,
        shares: &mut [Row],
        whole: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        let decisions = run.decisions.clone().zip(&plan.decisions[run.decisions.clone()]);
        let (cells, shares) = (&self.cells[run.rows()], &mut shares[..run.rows().len()]);
        if self.hints.is_empty() {
            by_actions!(run, N => {
                let (cells, shares) = (cells.as_chunks::<N>().0, shares.as_chunks_mut::<N>().0);
                for ((_, decision), (cells, shares)) in decisions.zip(cells.iter().zip(shares)) {
                    let Some(whole) = whole(decision) else {
                        for share in shares {
                            *share = lanes.row(lanes.splat(0.0));
                        }
                        continue;
                    };
                    let mut weights = [lanes.splat(0.0); N];
                    for a in 0..N {
                        weights[a] = positive(lanes, cells[a].steps(lanes));
                    }
                    let portion = Portion::new(lanes, sum(lanes, weights), whole, N);
                    for a in 0..N {
                        shares[a] = lanes.row(portion.of(lanes, weights[a]));
                    }
                }
                return;
            } else {});
        }
        let cells = cells.chunks_exact(run.actions).zip(shares.chunks_exact_mut(run.actions));
        for ((d, decision), (cells, shares)) in decisions.zip(cells) {
            let Some(whole) = whole(decision) else {
                shares.fill(Row::ZERO);
                continue;
            };
            let mut sum = lanes.splat(0.0);
            for (a, (cell, share)) in cells.iter().zip(&mut *shares).enumerate() {
                let weight = self.of(lanes, d, cell, self.hints.get(decision.row as usize + a));
                sum = lanes.add(sum, weight);
                *share = lanes.row(weight);
            }
            let portion = Portion::new(lanes, sum, whole, cells.len());
            for share in shares {
                *share = lanes.row(portion.of(lanes, lanes.load(share)));
            }
        }
    }
}

/// Numbers, those below zero counted as zero.
#[inline(always)]
fn positive<L: Lanes>(lanes: L, numbers: L::Numbers) -> L::Numbers {
    lanes.max(numbers, lanes.splat(0.0))
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
        let (zero, nothing) = (lanes.splat(0.0), lanes.splat(NOTHING));
        let equal = lanes.mul(whole, lanes.splat(1.0 / count as f32));
        Self {
            factor: lanes.where_more(sum, nothing, lanes.div(whole, sum), zero),
            equal: lanes.where_more(sum, nothing, zero, equal),
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
        for run in &self.plan.runs {
            self.weights.split(
                lanes,
                self.plan,
                run,
                &mut self.strategy[run.row..],
                #[inline(always)]
                |_| Some(one),
            );
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
        for run in &plan.runs {
            let (before, after) = reach.split_at_mut(plan.roots + run.row);
            weights.split(
                lanes,
                plan,
                run,
                after,
                #[inline(always)]
                |decision| some(lanes, &before[decision.slot as usize]),
            );
        }
    }
}

/// The numbers of a row, unless all are zero.
#[inline(always)]
fn some<L: Lanes>(lanes: L, row: &Row) -> Option<L::Numbers> {
    let numbers = lanes.load(row);
    (!lanes.is_zero(numbers)).then_some(numbers)
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

    /// Shares out something at each decision of a run. `whole` gives how much there is at a decision, or nothing where that is zero.
    #[inline(always)]
    fn split<L: Lanes>(
        &self,
        lanes: L,
        plan: &Plan,
        run: &Run,
        shares: &mut [Row],
        whole: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        let (zero, step) = (lanes.splat(0.0), lanes.splat(1.0 / Self::TOP));
        let (cells, decisions) = (&self.cells[run.shares()], &plan.decisions[run.decisions.clone()]);
        for (i, (decision, shares)) in decisions.iter().zip(shares.chunks_exact_mut(run.actions)).enumerate()
        {
            let Some(whole) = whole(decision) else {
                shares.fill(Row::ZERO);
                continue;
            };
            let whole = lanes.mul(whole, step);
            let [rest @ .., last] = shares else { continue };
            let mut before = zero;
            for (cell, share) in cells[i * rest.len()..].iter().zip(rest) {
                let sum = cell.steps(lanes);
                *share = lanes.row(lanes.mul(whole, lanes.max(lanes.sub(sum, before), zero)));
                before = sum;
            }
            let left = lanes.max(lanes.sub(lanes.splat(Self::TOP), before), zero);
            *last = lanes.row(lanes.mul(whole, left));
        }
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
        let one = lanes.splat(1.0);
        for run in &self.plan.runs {
            self.shares.split(
                lanes,
                self.plan,
                run,
                &mut self.strategy[run.row..],
                #[inline(always)]
                |_| Some(one),
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
        for run in &plan.runs {
            let (before, after) = reach.split_at_mut(plan.roots + run.row);
            shares.split(
                lanes,
                plan,
                run,
                after,
                #[inline(always)]
                |decision| some(lanes, &before[decision.slot as usize]),
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
        let mut draws = noise.draws(lanes);
        for run in &plan.runs {
            let mixing = Mixing {
                decisions: &plan.decisions[run.decisions.clone()],
                strategy: &strategy[run.rows()],
                cells: &mut cells[run.shares()],
                reach: reach.split_at_mut(plan.roots + run.row),
                average_reach: average_reach.split_at_mut(plan.roots + run.row),
            };
            by_actions!(run, N => {
                mixing.mix(lanes, N, past_share, &mut draws);
            } else {
                mixing.mix(lanes, run.actions, past_share, &mut draws);
            });
        }
    }
}

/// A run of decisions whose average takes something in. Reaches are those up to the run and from there on.
struct Mixing<'a, C> {
    decisions: &'a [Decision],
    strategy: &'a [Row],
    cells: &'a mut [C],
    reach: (&'a mut [Row], &'a mut [Row]),
    average_reach: (&'a mut [Row], &'a mut [Row]),
}

impl<C: Cell> Mixing<'_, C> {
    #[inline(always)]
    fn mix<L: Lanes>(self, lanes: L, actions: usize, past_share: f32, draws: &mut Draws<L>) {
        let (past, present) = (lanes.splat(past_share), lanes.splat(1.0 - past_share));
        let (zero, top) = (lanes.splat(0.0), lanes.splat(Shares::<C>::TOP));
        let (step, last) = (lanes.splat(1.0 / Shares::<C>::TOP), actions - 1);
        let (before, after) = self.reach;
        let (average_before, average_after) = self.average_reach;
        let reaches = after.chunks_exact_mut(actions).zip(average_after.chunks_exact_mut(actions));
        let rows = self.strategy.chunks_exact(actions).zip(reaches);
        for (i, (decision, (strategy, (reach, average_reach)))) in self.decisions.iter().zip(rows).enumerate()
        {
            let Some(here) = some(lanes, &before[decision.slot as usize]) else {
                for row in reach {
                    *row = lanes.row(zero);
                }
                continue;
            };
            let cells = &mut self.cells[i * last..][..last];
            let so_far = lanes.load(&average_before[decision.slot as usize]);
            let now = lanes.mul(here, present);
            let ever = lanes.add(lanes.mul(so_far, past), now);
            let gain = lanes.where_more(ever, zero, lanes.div(now, ever), zero);
            let so_far = lanes.mul(so_far, step);
            let noise = if C::TOP.is_some() { draws.next() } else { zero };
            let (mut played, mut sum_before) = (zero, zero);
            for a in 0..last {
                let share = lanes.load(&strategy[a]);
                reach[a] = lanes.row(lanes.mul(here, share));
                played = lanes.add(played, lanes.mul(share, top));
                let sum = cells[a].steps(lanes);
                let old_share = lanes.max(lanes.sub(sum, sum_before), zero);
                average_reach[a] = lanes.row(lanes.mul(so_far, old_share));
                sum_before = sum;
                let mixed = lanes.add(sum, lanes.mul(gain, lanes.sub(played, sum)));
                cells[a] = C::nearest(lanes, lanes.add(mixed, noise));
            }
            reach[last] = lanes.row(lanes.mul(here, lanes.load(&strategy[last])));
            let old_share = lanes.max(lanes.sub(top, sum_before), zero);
            average_reach[last] = lanes.row(lanes.mul(so_far, old_share));
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
        back_up(
            self.plan,
            self.values,
            #[inline(always)]
            |row, values, here| {
                let mut mean = lanes.splat(0.0);
                for (share, value) in self.strategy[row..].iter().zip(values) {
                    mean = lanes.add(mean, lanes.mul(lanes.load(share), lanes.load(value)));
                }
                add(lanes, here, mean);
            },
        );
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
        back_up(
            self.plan,
            self.values,
            #[inline(always)]
            |_, values, here| {
                let mut best = lanes.splat(f32::NEG_INFINITY);
                for value in values {
                    best = lanes.max(best, lanes.load(value));
                }
                add(lanes, here, best);
            },
        );
    }
}

/// Goes from the last run of decisions back: calls `each` with the first row of a decision, the values of its actions, and the
/// slot that what it is worth is added to.
#[inline(always)]
fn back_up(plan: &Plan, values: &mut [Row], mut each: impl FnMut(usize, &[Row], &mut Row)) {
    for run in plan.runs.iter().rev() {
        let (before, after) = values.split_at_mut(plan.roots + run.row);
        for decision in plan.decisions[run.decisions.clone()].iter().rev() {
            let row = decision.row as usize;
            let actions = &after[row - run.row..][..run.actions];
            each(row, actions, &mut before[decision.slot as usize]);
        }
    }
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

    /// What the instruction sets must agree on, of two rows.
    struct Compare(Row, Row);

    impl Kernel for Compare {
        type Output = (Row, Row, Row, u32);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let [a, b] = [&self.0, &self.1].map(|row| lanes.load(row));
            let (one, two) = (lanes.splat(1.0), lanes.splat(2.0));
            let words = lanes.larger_bits(lanes.words(&[7; WIDTH]), a);
            (
                lanes.row(lanes.where_negative(a, one, two)),
                lanes.row(lanes.where_more(a, b, one, two)),
                lanes.row(lanes.max(a, b)),
                lanes.first(lanes.largest(words)),
            )
        }
    }

    #[test]
    fn numbers_compare_alike_in_every_instruction_set() {
        let mut a = Row([1.0; WIDTH]);
        a[..6].copy_from_slice(&[-1.0, -0.0, 0.0, f32::NEG_INFINITY, f32::INFINITY, -f32::NAN]);
        let mut b = Row([1.0; WIDTH]);
        b[..7].copy_from_slice(&[-2.0, 0.0, -0.0, 1.0, 1.0, 1.0, 0.5]);
        let mut negative = Row([2.0; WIDTH]);
        (negative[0], negative[1], negative[3], negative[5]) = (1.0, 1.0, 1.0, 1.0);
        let mut more = Row([2.0; WIDTH]);
        (more[0], more[4], more[6]) = (1.0, 1.0, 1.0);
        for (is_negative, is_more, larger, largest) in [run(Compare(a, b)), Compare(a, b).run(Plain)] {
            assert_eq!((is_negative, is_more), (negative, more));
            // The second one where neither is larger, down to the sign of zero.
            assert_eq!(larger[..7], [-1.0, 0.0, 0.0, 1.0, f32::INFINITY, 1.0, 1.0]);
            assert!(larger[1].is_sign_positive() && larger[2].is_sign_negative());
            assert_eq!(largest, (-f32::NAN).to_bits());
        }
        for largest in [run(Compare(b, a)).3, Compare(b, a).run(Plain).3] {
            assert_eq!(largest, (-2f32).to_bits());
        }
    }
}
