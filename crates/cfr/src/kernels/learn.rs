//! Learning: values go from the last decision back, and regrets learn how much better each action would have been.

use super::{add, by_actions};
use crate::Discounts;
use crate::cells::{self, Cell, Draws, Noise, Scale, step_of};
use crate::locks::BlockLocks;
use crate::simd::{Kernel, Lanes, Row};
use crate::tree::{Decision, Plan};

/// Lets one block of a tile learn.
pub(crate) struct Learn<'a, C> {
    pub plan: &'a Plan,
    /// The strategy that was played.
    pub strategy: &'a [Row],
    /// How the past counts in each root tree; none where nothing is learned.
    pub discounts: &'a [Option<Discounts>],
    /// Whether negative regrets are kept.
    pub keeps_negative: bool,
    pub noise: Noise,
    /// Of all slots. Those of the roots are what the block is worth.
    pub values: &'a mut [Row],
    pub cells: &'a mut [C],
    pub scales: &'a mut [Scale],
    /// What few solves have. By reference: it is large, and a call to this is short.
    pub special: Option<&'a mut Special<'a, C>>,
}

/// What makes learning special.
pub(crate) struct Special<'a, C> {
    /// The hands that have nothing to learn.
    pub locks: Option<BlockLocks<'a>>,
    /// The slots that were left out, if any: actions that lead there have nothing to learn.
    pub pruned: &'a [bool],
    /// Where predictions go, if there are any.
    pub hints: &'a mut [C],
    pub hint_scales: &'a mut [Scale],
}

impl<C: Cell> Kernel for Learn<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { plan, discounts, scales, mut special, .. } = self;
        let mut draws = self.noise.draws(lanes);
        let pace = Pace::new(discounts, self.keeps_negative);
        debug_assert!(special.is_some() || !C::IS_SIGNED || self.keeps_negative, "floors need no sign");
        for run in plan.runs.iter().rev() {
            let (before, values) = self.values.split_at_mut(plan.roots + run.row);
            let part = RunRows {
                first: run.decisions.start,
                decisions: &plan.decisions[run.decisions.clone()],
                before,
                strategy: &self.strategy[run.rows()],
                values,
                cells: &mut self.cells[run.rows()],
                scales,
            };
            match &mut special {
                None => by_actions!(run, N => {
                    part.learn_few::<L, N>(lanes, &pace, &mut draws);
                } else {
                    part.learn_many(lanes, run.actions, &pace, &mut draws, |_, _, _, _| {});
                }),
                Some(special) => part.learn_many(
                    lanes,
                    run.actions,
                    &pace,
                    &mut draws,
                    #[inline(always)]
                    |d, decision, gains, draws| special.look_at(lanes, d, decision, plan, gains, draws),
                ),
            }
        }
    }
}

/// The rows of a run's decisions.
struct RunRows<'a, C> {
    /// The number of the first decision.
    first: usize,
    decisions: &'a [Decision],
    /// The values of the slots before those of the run.
    before: &'a mut [Row],
    strategy: &'a [Row],
    values: &'a mut [Row],
    cells: &'a mut [C],
    /// Of all decisions of the plan.
    scales: &'a mut [Scale],
}

impl<C: Cell> RunRows<'_, C> {
    /// Lets decisions with `N` actions learn, with all numbers of one in registers.
    #[inline(always)]
    fn learn_few<L: Lanes, const N: usize>(self, lanes: L, pace: &Pace<'_>, draws: &mut Draws<L>) {
        let (strategy, values) = (self.strategy.as_chunks::<N>().0, self.values.as_chunks_mut::<N>().0);
        let rows = strategy.iter().zip(values).zip(self.cells.as_chunks_mut::<N>().0);
        for (d, (decision, ((strategy, values), cells))) in
            (self.first..).zip(self.decisions.iter().zip(rows))
        {
            let scale = self.scales.get_mut(d);
            let Some(fading) = pace.at(lanes, decision, scale.as_deref()) else { continue };
            let mean = Chunk { strategy, values, cells }.learn(lanes, fading, scale, draws);
            add(lanes, &mut self.before[decision.slot as usize], mean);
        }
    }

    /// Lets decisions with any number of actions learn; `look_at` may change what they gain.
    #[inline(always)]
    fn learn_many<L: Lanes>(
        self,
        lanes: L,
        actions: usize,
        pace: &Pace<'_>,
        draws: &mut Draws<L>,
        mut look_at: impl FnMut(usize, &Decision, &mut [Row], &mut Draws<L>),
    ) {
        let (strategy, values) = (self.strategy.chunks_exact(actions), self.values.chunks_exact_mut(actions));
        let rows = strategy.zip(values).zip(self.cells.chunks_exact_mut(actions));
        for (d, (decision, ((strategy, values), cells))) in
            (self.first..).zip(self.decisions.iter().zip(rows))
        {
            let scale = self.scales.get_mut(d);
            let Some(fading) = pace.at(lanes, decision, scale.as_deref()) else { continue };
            let mut rows = Rows { strategy, values, cells };
            let mean = rows.become_gains(lanes);
            look_at(d, decision, rows.values, draws);
            rows.learn(lanes, fading, scale, draws);
            add(lanes, &mut self.before[decision.slot as usize], mean);
        }
    }
}

/// The rows of a decision.
struct Rows<'a, C> {
    strategy: &'a [Row],
    values: &'a mut [Row],
    cells: &'a mut [C],
}

impl<C: Cell> Rows<'_, C> {
    /// Turns values into gains over their mean, which is what the decision is worth.
    #[inline(always)]
    fn become_gains<L: Lanes>(&mut self, lanes: L) -> L::Numbers {
        let mut mean = lanes.splat(0.0);
        for (share, value) in self.strategy.iter().zip(&*self.values) {
            mean = lanes.mul_add(lanes.load(share), lanes.load(value), mean);
        }
        for value in &mut *self.values {
            *value = lanes.row(lanes.sub(lanes.load(value), mean));
        }
        mean
    }

    /// Adds gains to the regrets; their rows become regrets too.
    #[inline(always)]
    fn learn<L: Lanes>(
        &mut self,
        lanes: L,
        fading: Fading<L::Numbers>,
        scale: Option<&mut Scale>,
        draws: &mut Draws<L>,
    ) {
        for (value, cell) in self.values.iter_mut().zip(&*self.cells) {
            *value = lanes.row(fading.floored(lanes, cell, lanes.load(value)));
        }
        cells::store(lanes, self.values, self.cells, scale, draws);
    }
}

/// The rows of a decision with few actions.
struct Chunk<'a, C, const N: usize> {
    strategy: &'a [Row; N],
    values: &'a mut [Row; N],
    cells: &'a mut [C; N],
}

impl<C: Cell, const N: usize> Chunk<'_, C, N> {
    /// Learns from the values, with all numbers in registers; what the decision is worth.
    #[inline(always)]
    fn learn<L: Lanes>(
        self,
        lanes: L,
        fading: Fading<L::Numbers>,
        mut scale: Option<&mut Scale>,
        draws: &mut Draws<L>,
    ) -> L::Numbers {
        let Self { strategy, values, cells } = self;
        let mut mean = lanes.mul(lanes.load(&strategy[0]), lanes.load(&values[0]));
        for i in 1..N {
            mean = lanes.mul_add(lanes.load(&strategy[i]), lanes.load(&values[i]), mean);
        }
        let mut regrets = [mean; N];
        for i in 0..N {
            let gain = lanes.sub(lanes.load(&values[i]), mean);
            // Who floors regrets and has integers with a sign predicts, which is special.
            regrets[i] = if C::IS_SIGNED {
                fading.add(lanes, &cells[i], gain)
            } else {
                fading.floored(lanes, &cells[i], gain)
            };
        }
        let is_stored = cells::try_store(
            lanes,
            #[inline(always)]
            |i| regrets[i],
            cells,
            scale.as_deref_mut(),
            draws,
        );
        if !is_stored {
            // Read again rather than kept for what hardly ever happens: there are few registers.
            let (strategy, values) = std::hint::black_box((strategy, values));
            let mut rows = Rows { strategy, values, cells };
            rows.become_gains(lanes);
            rows.learn(lanes, fading, scale, draws);
        }
        mean
    }
}

/// How the past counts in each root tree of a tile.
struct Pace<'a> {
    discounts: &'a [Option<Discounts>],
    /// What all of them have in common, as mostly when nothing slept.
    even: Option<Discounts>,
    keeps_negative: bool,
}

impl<'a> Pace<'a> {
    #[inline(always)]
    fn new(discounts: &'a [Option<Discounts>], keeps_negative: bool) -> Self {
        let first = discounts.first().copied().flatten();
        let even = first.filter(|first| discounts.iter().all(|discounts| discounts.as_ref() == Some(first)));
        Self { discounts, even, keeps_negative }
    }

    /// How the past fades at a decision, whose numbers have a scale or are floats; nothing if it does not learn.
    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        lanes: L,
        decision: &Decision,
        scale: Option<&Scale>,
    ) -> Option<Fading<L::Numbers>> {
        let discounts = match self.even {
            Some(even) => even,
            None => self.discounts[decision.root as usize]?,
        };
        // A power of two, so that nothing is rounded unless it is too small to matter.
        let step = scale.map_or(1.0, |&scale| step_of(scale));
        Some(Fading {
            positive: lanes.splat(step * discounts.positive),
            negative: lanes.splat(step * discounts.negative),
            floor: lanes.splat(if self.keeps_negative { f32::NEG_INFINITY } else { 0.0 }),
        })
    }
}

/// How the past fades and something is added to it.
#[derive(Clone, Copy)]
struct Fading<N> {
    /// What is left of a step above zero.
    positive: N,
    /// What is left of a step below zero.
    negative: N,
    floor: N,
}

impl<N: Copy> Fading<N> {
    /// A regret, after some in the past and a gain.
    #[inline(always)]
    fn add<L: Lanes<Numbers = N>, C: Cell>(self, lanes: L, past: &C, gain: N) -> N {
        let past = past.steps(lanes);
        lanes.mul_add(past, lanes.where_negative(past, self.negative, self.positive), gain)
    }

    /// As [`Fading::add`], but not below the floor.
    #[inline(always)]
    fn floored<L: Lanes<Numbers = N>, C: Cell>(self, lanes: L, past: &C, gain: N) -> N {
        lanes.max(self.add(lanes, past, gain), self.floor)
    }
}

impl<C: Cell> Special<'_, C> {
    /// Takes out gains that are not to be learned, and keeps the others as predictions where there are any.
    #[inline(always)]
    fn look_at<L: Lanes>(
        &mut self,
        lanes: L,
        d: usize,
        decision: &Decision,
        plan: &Plan,
        gains: &mut [Row],
        draws: &mut Draws<L>,
    ) {
        if let Some(free) = self.locks.as_ref().and_then(|locks| locks.free(d)) {
            let free = lanes.load(free);
            gains.iter_mut().for_each(|gain| *gain = lanes.row(lanes.mul(lanes.load(gain), free)));
        }
        let first = decision.row as usize;
        if !self.pruned.is_empty() {
            let pruned =
                gains.iter_mut().zip(&self.pruned[plan.roots + first..]).filter(|(_, pruned)| **pruned);
            pruned.for_each(|(gain, _)| *gain = Row::ZERO);
        }
        if !self.hints.is_empty() {
            // A zero with a sign, as where a gain is locked away, would not be stored at once.
            let zero = lanes.splat(0.0);
            gains.iter_mut().for_each(|gain| *gain = lanes.row(lanes.add(lanes.load(gain), zero)));
            let hints = &mut self.hints[first..][..gains.len()];
            cells::store(lanes, gains, hints, self.hint_scales.get_mut(d), draws);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeId;
    use crate::cells::{I8, step_of};
    use crate::simd::{Plain, WIDTH, run};

    /// What one decision with two actions has learned from nothing, and what it is worth.
    fn learned(values: [f32; 2], instructions: impl FnOnce(Learn<'_, I8>)) -> ([Row; 2], Row) {
        let decision = Decision { node: NodeId::ROOT, slot: 0, row: 0, actions: 2, root: 0 };
        let plan = Plan::new(vec![decision], 1);
        let mut slots = [Row::ZERO, Row([values[0]; WIDTH]), Row([values[1]; WIDTH])];
        let (mut cells, mut scales) = ([I8::ZERO; 2], [0]);
        instructions(Learn {
            plan: &plan,
            strategy: &[Row([0.5; WIDTH]); 2],
            discounts: &[Some(Discounts { positive: 1.0, negative: 1.0, average: 1.0 })],
            keeps_negative: true,
            noise: Noise::new(&[7]),
            values: &mut slots,
            cells: &mut cells,
            scales: &mut scales,
            special: None,
        });
        let regrets = cells.map(|cell| Row(cell.steps(Plain).map(|steps| steps * step_of(scales[0]))));
        (regrets, slots[0])
    }

    #[test]
    fn numbers_that_cannot_be_stored_are_tamed() {
        for values in [[3.0, 1.0], [1e35, -1e35], [f32::INFINITY, 0.0], [f32::NAN, 1.0]] {
            let best = learned(values, |learn| run(learn));
            let plain = learned(values, |learn| learn.run(Plain));
            assert_eq!(best.0, plain.0, "{values:?}");
            assert!(best.0.iter().flat_map(|row| row.0).all(f32::is_finite), "{values:?} became {best:?}");
        }
        let ([first, second], worth) = learned([3.0, 1.0], |learn| run(learn));
        assert!(worth.iter().all(|&worth| worth == 2.0));
        assert!(first.iter().all(|&regret| (regret - 1.0).abs() < 0.02), "{first:?}");
        // Numbers below zero count a sixteenth when the scale is chosen.
        assert!(second.iter().all(|&regret| (regret + 1.0).abs() < 0.02), "{second:?}");
        let ([first, _], _) = learned([1e35, -1e35], |learn| run(learn));
        assert!(first.iter().all(|&regret| regret > 0.9e30), "{first:?}");
    }
}
