//! Kernels against loops over one decision and one hand at a time, on plans with runs of every kind.

use super::*;
use crate::cells::{Cell, F32, I8, I16, Noise, U8, step_of};
use crate::simd::{Plain, run};
use crate::tree::{Decision, Plan};
use crate::{Discounts, NodeId};

/// Random numbers between −½ and ½.
struct Random(usize);

impl Random {
    fn row(&mut self) -> Row {
        self.0 += 1;
        Noise::new(&[self.0]).draws(Plain).next()
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.row()[0] + 0.5) * end as f32) as usize % end
    }

    /// Rows in which some numbers are zero, and some rows are nothing else.
    fn sparse(&mut self, rows: usize) -> Vec<Row> {
        let row = |random: &mut Self| match random.below(3) {
            0 => Row::ZERO,
            _ => Row(random.row().map(|number| (number + 0.2).max(0.0))),
        };
        (0..rows).map(|_| row(self)).collect()
    }
}

const ROOTS: usize = 3;

/// What is said to be needed next makes no difference.
const AHEAD: [u8; 999] = [1; 999];

/// Decisions with one to nine actions, some after others.
fn random_plan(random: &mut Random) -> Plan {
    let mut decisions: Vec<Decision> = Vec::new();
    // The slots that the next decisions may be in, and which root tree each is in.
    let mut slots: Vec<(u32, u32)> = (0..ROOTS as u32).map(|root| (root, root)).collect();
    let mut rows = 0;
    for _ in 0..3 {
        let count = 1 + random.below(9);
        let mut level: Vec<_> =
            (0..count).map(|_| (1 + random.below(9) as u32, slots[random.below(slots.len())])).collect();
        level.sort_by_key(|(actions, _)| *actions);
        slots.clear();
        for (actions, (slot, root)) in level {
            let node = NodeId(decisions.len() as u32);
            decisions.push(Decision { node, slot, row: rows, actions, root });
            slots.extend((rows..rows + actions).map(|row| (ROOTS as u32 + row, root)));
            rows += actions;
        }
    }
    Plan::new(decisions, ROOTS)
}

fn rows_of(decision: &Decision) -> std::ops::Range<usize> {
    decision.row as usize..(decision.row + decision.actions) as usize
}

/// What a hand plays by its regrets.
fn matched(plan: &Plan, regrets: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut shares = vec![0.0; plan.rows];
    for decision in &plan.decisions {
        let sum: f32 = rows_of(decision).map(|row| regrets(row).max(0.0)).sum();
        for row in rows_of(decision) {
            shares[row] = if sum > 0.0 { regrets(row).max(0.0) / sum } else { 1.0 / decision.actions as f32 };
        }
    }
    shares
}

/// How likely a hand gets to each slot, from its reaches at the roots.
fn realized(plan: &Plan, shares: &[f32], roots: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut reach: Vec<f32> = (0..ROOTS).map(roots).collect();
    reach.resize(plan.slots(), 0.0);
    for decision in &plan.decisions {
        for row in rows_of(decision) {
            reach[ROOTS + row] = reach[decision.slot as usize] * shares[row];
        }
    }
    reach
}

fn assert_near(rows: &[Row], hand: usize, expected: &[f32], what: &str) {
    for (place, (row, expected)) in rows.iter().zip(expected).enumerate() {
        let near = (row[hand] - expected).abs() <= 1e-5 * (1.0 + expected.abs());
        assert!(near, "{what} of hand {hand} at {place}: {} instead of {expected}", row[hand]);
    }
}

/// Runs a kernel in the best instruction set and in the plain one, on rows of its own each time; both must leave the same.
fn both<T: Clone + PartialEq + std::fmt::Debug>(of: T, best: impl Fn(&mut T), plain: impl Fn(&mut T)) -> T {
    let (mut a, mut b) = (of.clone(), of);
    best(&mut a);
    plain(&mut b);
    assert_eq!(a, b, "instruction sets differ");
    a
}

fn floats(rows: &[Row]) -> Vec<F32> {
    rows.iter().map(|row| F32::nearest(Plain, *row)).collect()
}

fn back<C: Cell>(cells: &[C]) -> Vec<Row> {
    cells.iter().map(|cell| cell.steps(Plain)).collect()
}

fn weights<'a, C>(cells: &'a [C], hints: &'a [C], scales: &'a [u8]) -> Weights<'a, C> {
    let hint_scales = if hints.is_empty() { &[] } else { scales };
    Weights { cells, scales, hints, hint_scales, foresight: 0.5 }
}

/// What is played by regrets, with and without predictions.
fn check_matching<C: Cell>(random: &mut Random, plan: &Plan, scales: &[u8], step: f32) {
    let mut cells = || -> Vec<C> {
        (0..plan.rows).map(|_| C::nearest(Plain, Row(random.row().map(|number| 20.0 * number)))).collect()
    };
    let (cells, hints) = (cells(), cells());
    let roots = random.sparse(ROOTS);
    for hints in [&[][..], &hints] {
        let weights = || weights(&cells, hints, scales);
        let strategy = both(
            vec![Row([7.0; WIDTH]); plan.rows],
            |strategy| run(Normalize { plan, weights: weights(), strategy, ahead: &AHEAD }),
            |strategy| Normalize { plan, weights: weights(), strategy, ahead: &AHEAD }.run(Plain),
        );
        let mut reach = roots.clone();
        reach.resize(plan.slots(), Row([7.0; WIDTH]));
        let reach = both(
            reach,
            |reach| run(Realize { plan, weights: weights(), reach, ahead: &AHEAD }),
            |reach| Realize { plan, weights: weights(), reach, ahead: &AHEAD }.run(Plain),
        );
        let (cells, hints) = (back(&cells), back(hints));
        for hand in 0..WIDTH {
            let hint = |row: usize| hints.get(row).map_or(0.0, |hints| 0.5 * hints[hand]);
            let shares = matched(plan, |row| step * (cells[row][hand] + hint(row)));
            assert_near(&strategy, hand, &shares, "share");
            assert_near(&reach, hand, &realized(plan, &shares, |root| roots[root][hand]), "reach");
        }
    }
}

#[test]
fn runs_are_matched_like_single_decisions() {
    let mut random = Random(0);
    for _ in 0..60 {
        let plan = random_plan(&mut random);
        check_matching::<F32>(&mut random, &plan, &[], 1.0);
        check_matching::<I8>(&mut random, &plan, &vec![120; plan.decisions.len()], 2f32.powi(-7));
    }
}

#[test]
fn runs_are_averaged_like_single_decisions() {
    let mut random = Random(1000);
    for _ in 0..60 {
        let plan = &random_plan(&mut random);
        // An average of shares, as its running sums, and what is played now.
        let random_shares = |random: &mut Random| {
            let rows: Vec<Row> = (0..plan.rows).map(|_| random.row()).collect();
            let mut shares = vec![Row::ZERO; plan.rows];
            for hand in 0..WIDTH {
                let of_hand = matched(plan, |row| rows[row][hand]);
                (0..plan.rows).for_each(|row| shares[row][hand] = of_hand[row]);
            }
            shares
        };
        let (old, played) = (random_shares(&mut random), random_shares(&mut random));
        let mut sums = Vec::new();
        for decision in &plan.decisions {
            let mut sum = Row::ZERO;
            for row in rows_of(decision).take(decision.actions as usize - 1) {
                (0..WIDTH).for_each(|hand| sum[hand] += old[row][hand]);
                sums.push(sum);
            }
        }
        let cells = floats(&sums);
        let shares = || Shares { cells: &cells };
        let strategy = both(
            vec![Row([7.0; WIDTH]); plan.rows],
            |strategy| run(SpellOut { plan, shares: shares(), strategy, ahead: &AHEAD }),
            |strategy| SpellOut { plan, shares: shares(), strategy, ahead: &AHEAD }.run(Plain),
        );
        let (roots, average_roots) = (random.sparse(ROOTS), random.sparse(ROOTS));
        let padded = |roots: &[Row]| {
            let mut rows = roots.to_vec();
            rows.resize(plan.slots(), Row::ZERO);
            rows
        };
        let reach = both(
            padded(&average_roots),
            |reach| run(RealizeAverage { plan, shares: shares(), reach, ahead: &AHEAD }),
            |reach| RealizeAverage { plan, shares: shares(), reach, ahead: &AHEAD }.run(Plain),
        );
        let past_share = 0.7;
        let noise = Noise::new(&[5]);
        let accumulate = |best: bool| {
            let (mut cells, mut now, mut ever) = (cells.clone(), padded(&roots), padded(&average_roots));
            let kernel = Accumulate {
                plan,
                strategy: &played,
                past_share,
                noise,
                cells: &mut cells,
                reach: &mut now,
                average_reach: &mut ever,
                ahead: &AHEAD,
            };
            if best {
                run(kernel)
            } else {
                kernel.run(Plain)
            }
            (back(&cells), now, ever)
        };
        let (mixed, now, ever) = accumulate(true);
        assert_eq!((&mixed, &now, &ever), (&accumulate(false).0, &accumulate(false).1, &accumulate(false).2));
        for hand in 0..WIDTH {
            let of_hand = |rows: &[Row]| rows.iter().map(|row| row[hand]).collect::<Vec<f32>>();
            let (old, played) = (of_hand(&old), of_hand(&played));
            assert_near(&strategy, hand, &old, "share");
            let before = realized(plan, &old, |root| average_roots[root][hand]);
            assert_near(&reach, hand, &before, "reach");
            let reached = realized(plan, &played, |root| roots[root][hand]);
            assert_near(&now, hand, &reached, "reach now");
            let mut cell = 0;
            for decision in &plan.decisions {
                let slot = decision.slot as usize;
                let arrives = now[slot].iter().any(|&reach| reach != 0.0);
                let here = (1.0 - past_share) * reached[slot];
                let whole = past_share * before[slot] + here;
                let gain = if arrives && whole > 0.0 { here / whole } else { 0.0 };
                let mut sum = 0.0;
                for row in rows_of(decision).take(decision.actions as usize - 1) {
                    sum += old[row] + gain * (played[row] - old[row]);
                    assert!((mixed[cell][hand] - sum).abs() < 1e-4, "{} {sum}", mixed[cell][hand]);
                    cell += 1;
                }
                // Where nobody arrives, what follows is not looked at.
                if arrives {
                    for row in rows_of(decision) {
                        let expected = before[slot] * old[row];
                        assert!((ever[ROOTS + row][hand] - expected).abs() < 1e-5);
                    }
                }
            }
        }
    }
}

#[test]
fn runs_learn_and_are_worth_as_much_as_single_decisions() {
    let mut random = Random(2000);
    for round in 0..60 {
        let plan = &random_plan(&mut random);
        let cells = floats(&(0..plan.rows).map(|_| random.row()).collect::<Vec<_>>());
        let strategy = random.sparse(plan.rows);
        let values: Vec<Row> = (0..plan.slots()).map(|_| random.row()).collect();
        // Root trees may be asleep, or have slept.
        let discounts: Vec<Option<Discounts>> = (0..ROOTS)
            .map(|root| match (round + root) % 4 {
                0 if round % 2 == 0 => None,
                1 if round % 2 == 0 => Some(Discounts { positive: 0.5, negative: 0.25, average: 1.0 }),
                _ => Some(Discounts { positive: 0.75, negative: 0.5, average: 1.0 }),
            })
            .collect();
        let keeps_negative = round % 3 != 0;
        let learn = |best: bool| {
            let (mut cells, mut values) = (cells.clone(), values.clone());
            let kernel = Learn {
                plan,
                strategy: &strategy,
                discounts: &discounts,
                keeps_negative,
                noise: Noise::new(&[round]),
                values: &mut values,
                cells: &mut cells,
                scales: &mut [],
                special: None,
            };
            if best {
                run(kernel)
            } else {
                kernel.run(Plain)
            }
            (back(&cells), values[..ROOTS].to_vec())
        };
        let (learned, worth) = learn(true);
        assert_eq!((&learned, &worth), (&learn(false).0, &learn(false).1));
        let mean = both(
            values.clone(),
            |values| run(BackUpMean { plan, strategy: &strategy, values }),
            |values| BackUpMean { plan, strategy: &strategy, values }.run(Plain),
        );
        let best = both(
            values.clone(),
            |values| run(BackUpBest { plan, values }),
            |values| BackUpBest { plan, values }.run(Plain),
        );
        let cells = back(&cells);
        for hand in 0..WIDTH {
            let mut up: [Vec<f32>; 3] = [(); 3].map(|()| values.iter().map(|row| row[hand]).collect());
            let mut expected: Vec<f32> = cells.iter().map(|row| row[hand]).collect();
            for decision in plan.decisions.iter().rev() {
                let (slot, actions) = (decision.slot as usize, rows_of(decision));
                let means = [0, 1].map(|k| {
                    actions.clone().map(|row| strategy[row][hand] * up[k][ROOTS + row]).sum::<f32>()
                });
                if let Some(discounts) = discounts[decision.root as usize] {
                    for row in actions.clone() {
                        let past = expected[row];
                        let fades = if past < 0.0 { discounts.negative } else { discounts.positive };
                        let regret = past * fades + up[0][ROOTS + row] - means[0];
                        expected[row] = if keeps_negative { regret } else { regret.max(0.0) };
                    }
                    up[0][slot] += means[0];
                }
                up[1][slot] += means[1];
                up[2][slot] += actions.map(|row| up[2][ROOTS + row]).fold(f32::NEG_INFINITY, f32::max);
            }
            assert_near(&learned, hand, &expected, "regret");
            assert_near(&worth, hand, &up[0][..ROOTS], "worth");
            assert_near(&mean[..ROOTS], hand, &up[1][..ROOTS], "mean");
            assert_near(&best[..ROOTS], hand, &up[2][..ROOTS], "best");
        }
    }
}

/// What one decision learns, whose past is in steps, in some precision.
fn learned_in_steps<C: Cell>(past: [f32; 2], scale: u8, values: [f32; 2], keeps_negative: bool) -> [f32; 2] {
    let decision = Decision { node: NodeId::ROOT, slot: 0, row: 0, actions: 2, root: 0 };
    let plan = &Plan::new(vec![decision], 1);
    let learn = |best: bool| {
        let mut slots = [Row::ZERO, Row([values[0]; WIDTH]), Row([values[1]; WIDTH])];
        let mut cells = past.map(|steps| C::nearest(Plain, Row([steps; WIDTH])));
        let mut scales = [scale];
        let kernel = Learn {
            plan,
            strategy: &[Row([0.25; WIDTH]), Row([0.75; WIDTH])],
            discounts: &[Some(Discounts { positive: 0.75, negative: 0.5, average: 1.0 })],
            keeps_negative,
            noise: Noise::new(&[11]),
            values: &mut slots,
            cells: &mut cells,
            scales: &mut scales,
            special: None,
        };
        if best {
            run(kernel)
        } else {
            kernel.run(Plain)
        }
        cells.map(|cell| Row(cell.steps(Plain).map(|steps| steps * step_of(scales[0]))))
    };
    let learned = learn(true);
    assert_eq!(learned, learn(false));
    learned.map(|row| row.iter().sum::<f32>() / WIDTH as f32)
}

#[test]
fn regrets_of_integers_go_on_from_their_steps() {
    // Steps of an eighth, with a past of 10 and -5, and gains of 3 and -1 over a mean of 2.
    let (scale, values, past) = (124, [5.0, 1.0], [80.0, -40.0]);
    let [first, second] = learned_in_steps::<I8>(past, scale, values, true);
    assert!((first - 10.5).abs() < 0.13 && (second + 3.5).abs() < 0.13, "{first}, {second}");
    let [first, second] = learned_in_steps::<I16>([20480.0, -10240.0], scale - 8, values, true);
    assert!((first - 10.5).abs() < 0.01 && (second + 3.5).abs() < 0.01, "{first}, {second}");
    let [first, second] = learned_in_steps::<U8>([80.0, 40.0], scale, values, false);
    assert!((first - 10.5).abs() < 0.13 && (second - 2.75).abs() < 0.13, "{first}, {second}");
}

#[test]
fn what_will_be_needed_is_gone_through_in_so_many_steps() {
    for (len, steps) in [(0, 0), (0, 5), (1, 1), (64, 3), (65, 1), (1000, 7), (1000, 16), (1000, 200)] {
        let bytes = vec![0; len];
        let mut ahead = Ahead::new(&bytes, steps);
        let mut left = vec![len];
        for _ in 0..steps {
            ahead.step(Plain);
            left.push(ahead.rest.len());
        }
        assert_eq!(ahead.rest.len(), 0, "{len} bytes in {steps} steps");
        let fewer = left.windows(2).map(|pair| pair[0] - pair[1]);
        // By as much as lines have, but for the last.
        assert!(
            fewer.take_while(|&some| some > 0).all(|some| some % LINE == 0 || some == len % ahead.portion)
        );
    }
}
