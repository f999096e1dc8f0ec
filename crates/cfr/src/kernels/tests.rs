//! Kernels against loops over one information set at a time, on sequence forms with runs of every length.

use super::*;
use crate::quantize::{F32, I8, I16, Quantized, RoundingSeed, U8, step_of};
use crate::simd::{Kernel, Plain, Row, WIDTH, run};
use crate::tree::{Decision, SequenceForm};
use crate::{Discounts, NodeId};

/// Random numbers between −½ and ½.
struct Random(usize);

impl Random {
    fn row(&mut self) -> Row {
        self.0 += 1;
        RoundingSeed::new(&[self.0]).offsets(Plain).next()
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.row()[0] + 0.5) * end as f32) as usize % end
    }

    /// Rows with some zeros, and some rows of zeros.
    fn sparse(&mut self, rows: usize) -> Vec<Row> {
        let row = |random: &mut Self| match random.below(3) {
            0 => Row::ZERO,
            _ => Row(random.row().map(|number| (number + 0.2).max(0.0))),
        };
        (0..rows).map(|_| row(self)).collect()
    }
}

const ROOTS: usize = 3;

/// Bytes to prefetch: they must not change any result.
const PREFETCH: [u8; 999] = [1; 999];

/// Decisions with one to nine actions, some after others.
fn random_form(random: &mut Random) -> SequenceForm {
    let mut decisions: Vec<Decision> = Vec::new();
    // The sequences that may lead to the next decisions, each with its root tree.
    let mut sequences: Vec<(u32, u32)> = (0..ROOTS as u32).map(|root| (root, root)).collect();
    let mut rows = 0;
    for _ in 0..3 {
        let count = 1 + random.below(9);
        let mut level: Vec<_> = (0..count)
            .map(|_| (1 + random.below(9) as u32, sequences[random.below(sequences.len())]))
            .collect();
        level.sort_by_key(|(actions, _)| *actions);
        sequences.clear();
        for (actions, (sequence, root)) in level {
            let node = NodeId(decisions.len() as u32);
            decisions.push(Decision { node, sequence, row: rows, actions, root });
            sequences.extend((rows..rows + actions).map(|row| (ROOTS as u32 + row, root)));
            rows += actions;
        }
    }
    SequenceForm::new(decisions, ROOTS)
}

fn rows_of(decision: &Decision) -> std::ops::Range<usize> {
    decision.row as usize..(decision.row + decision.actions) as usize
}

/// The strategy of a hand by regret matching.
fn matched_strategy(form: &SequenceForm, regrets: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut strategy = vec![0.0; form.rows];
    for decision in &form.decisions {
        let sum: f32 = rows_of(decision).map(|row| regrets(row).max(0.0)).sum();
        for row in rows_of(decision) {
            strategy[row] =
                if sum > 0.0 { regrets(row).max(0.0) / sum } else { 1.0 / decision.actions as f32 };
        }
    }
    strategy
}

/// The reach probability of a hand in each sequence, from those at the roots.
fn propagated_reach(form: &SequenceForm, strategy: &[f32], roots: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut reach: Vec<f32> = (0..ROOTS).map(roots).collect();
    reach.resize(form.sequences(), 0.0);
    for decision in &form.decisions {
        for row in rows_of(decision) {
            reach[ROOTS + row] = reach[decision.sequence as usize] * strategy[row];
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
    rows.iter().map(|row| F32::encode(Plain, *row)).collect()
}

fn decoded<Q: Quantized>(encoded: &[Q]) -> Vec<Row> {
    encoded.iter().map(|row| row.decode(Plain)).collect()
}

fn weights<'a, Q>(regrets: &'a [Q], predictions: &'a [Q], scales: &'a [u8]) -> ActionWeights<'a, Q> {
    let prediction_scales = if predictions.is_empty() { &[] } else { scales };
    ActionWeights { regrets, scales, predictions, prediction_scales, prediction_weight: 0.5 }
}

/// Regret matching with and without predictions.
fn check_matching<Q: Quantized>(random: &mut Random, form: &SequenceForm, scales: &[u8], step: f32) {
    let mut random_rows = || -> Vec<Q> {
        (0..form.rows).map(|_| Q::encode(Plain, Row(random.row().map(|number| 20.0 * number)))).collect()
    };
    let (regrets, predictions) = (random_rows(), random_rows());
    let roots = random.sparse(ROOTS);
    for predictions in [&[][..], &predictions] {
        let weights = || weights(&regrets, predictions, scales);
        let strategy = both(
            vec![Row([7.0; WIDTH]); form.rows],
            |strategy| run(MatchRegrets { form, weights: weights(), strategy, prefetch: &PREFETCH }),
            |strategy| MatchRegrets { form, weights: weights(), strategy, prefetch: &PREFETCH }.run(Plain),
        );
        let mut reach = roots.clone();
        reach.resize(form.sequences(), Row([7.0; WIDTH]));
        let reach = both(
            reach,
            |reach| run(PropagateReach { form, weights: weights(), reach, prefetch: &PREFETCH }),
            |reach| PropagateReach { form, weights: weights(), reach, prefetch: &PREFETCH }.run(Plain),
        );
        let (regrets, predictions) = (decoded(&regrets), decoded(predictions));
        for hand in 0..WIDTH {
            let prediction =
                |row: usize| predictions.get(row).map_or(0.0, |predictions| 0.5 * predictions[hand]);
            let expected = matched_strategy(form, |row| step * (regrets[row][hand] + prediction(row)));
            assert_near(&strategy, hand, &expected, "probability");
            assert_near(&reach, hand, &propagated_reach(form, &expected, |root| roots[root][hand]), "reach");
        }
    }
}

#[test]
fn regret_matching_of_runs_equals_that_of_single_decisions() {
    let mut random = Random(0);
    for _ in 0..60 {
        let form = random_form(&mut random);
        check_matching::<F32>(&mut random, &form, &[], 1.0);
        check_matching::<I8>(&mut random, &form, &vec![120; form.decisions.len()], 2f32.powi(-7));
    }
}

#[test]
fn averages_of_runs_equal_those_of_single_decisions() {
    let mut random = Random(1000);
    for _ in 0..60 {
        let form = &random_form(&mut random);
        // An average strategy, as cumulative probabilities, and the current strategy.
        let random_strategy = |random: &mut Random| {
            let rows: Vec<Row> = (0..form.rows).map(|_| random.row()).collect();
            let mut strategy = vec![Row::ZERO; form.rows];
            for hand in 0..WIDTH {
                let of_hand = matched_strategy(form, |row| rows[row][hand]);
                (0..form.rows).for_each(|row| strategy[row][hand] = of_hand[row]);
            }
            strategy
        };
        let (average, current) = (random_strategy(&mut random), random_strategy(&mut random));
        let mut sums = Vec::new();
        for decision in &form.decisions {
            let mut sum = Row::ZERO;
            for row in rows_of(decision).take(decision.actions as usize - 1) {
                (0..WIDTH).for_each(|hand| sum[hand] += average[row][hand]);
                sums.push(sum);
            }
        }
        let encoded = floats(&sums);
        let cumulative = || CumulativeStrategy { rows: &encoded };
        let strategy = both(
            vec![Row([7.0; WIDTH]); form.rows],
            |strategy| run(DecodeStrategy { form, cumulative: cumulative(), strategy, prefetch: &PREFETCH }),
            |strategy| {
                DecodeStrategy { form, cumulative: cumulative(), strategy, prefetch: &PREFETCH }.run(Plain)
            },
        );
        let (roots, average_roots) = (random.sparse(ROOTS), random.sparse(ROOTS));
        let padded = |roots: &[Row]| {
            let mut rows = roots.to_vec();
            rows.resize(form.sequences(), Row::ZERO);
            rows
        };
        let reach = both(
            padded(&average_roots),
            |reach| run(PropagateAverageReach { form, strategy: cumulative(), reach, prefetch: &PREFETCH }),
            |reach| {
                PropagateAverageReach { form, strategy: cumulative(), reach, prefetch: &PREFETCH }.run(Plain)
            },
        );
        let past_weight = 0.7;
        let rounding = RoundingSeed::new(&[5]);
        let update = |best: bool| {
            let (mut encoded, mut reach, mut average_reach) =
                (encoded.clone(), padded(&roots), padded(&average_roots));
            let kernel = UpdateAverage {
                form,
                strategy: &current,
                past_weight,
                rounding,
                cumulative: &mut encoded,
                reach: &mut reach,
                average_reach: &mut average_reach,
                prefetch: &PREFETCH,
            };
            if best {
                run(kernel)
            } else {
                kernel.run(Plain)
            }
            (decoded(&encoded), reach, average_reach)
        };
        let (updated, current_reach, average_reach) = update(true);
        let plain = update(false);
        assert_eq!((&updated, &current_reach, &average_reach), (&plain.0, &plain.1, &plain.2));
        for hand in 0..WIDTH {
            let of_hand = |rows: &[Row]| rows.iter().map(|row| row[hand]).collect::<Vec<f32>>();
            let (average, current) = (of_hand(&average), of_hand(&current));
            assert_near(&strategy, hand, &average, "probability");
            let before = propagated_reach(form, &average, |root| average_roots[root][hand]);
            assert_near(&reach, hand, &before, "reach");
            let reached = propagated_reach(form, &current, |root| roots[root][hand]);
            assert_near(&current_reach, hand, &reached, "current reach");
            let mut row_index = 0;
            for decision in &form.decisions {
                let sequence = decision.sequence as usize;
                let is_reached = current_reach[sequence].iter().any(|&reach| reach != 0.0);
                let weight = (1.0 - past_weight) * reached[sequence];
                let total = past_weight * before[sequence] + weight;
                let share = if is_reached && total > 0.0 { weight / total } else { 0.0 };
                let mut sum = 0.0;
                for row in rows_of(decision).take(decision.actions as usize - 1) {
                    sum += average[row] + share * (current[row] - average[row]);
                    let updated = updated[row_index][hand];
                    assert!((updated - sum).abs() < 1e-4, "{updated} {sum}");
                    row_index += 1;
                }
                // The reach of the average is not propagated where no hand of the block reaches the decision.
                if is_reached {
                    for row in rows_of(decision) {
                        let expected = before[sequence] * average[row];
                        assert!((average_reach[ROOTS + row][hand] - expected).abs() < 1e-5);
                    }
                }
            }
        }
    }
}

#[test]
fn regret_updates_and_values_of_runs_equal_those_of_single_decisions() {
    let mut random = Random(2000);
    for round in 0..60 {
        let form = &random_form(&mut random);
        let encoded = floats(&(0..form.rows).map(|_| random.row()).collect::<Vec<_>>());
        let strategy = random.sparse(form.rows);
        let values: Vec<Row> = (0..form.sequences()).map(|_| random.row()).collect();
        // Root trees may be skipped, or updated after they were skipped.
        let discounts: Vec<Option<Discounts>> = (0..ROOTS)
            .map(|root| match (round + root) % 4 {
                0 if round % 2 == 0 => None,
                1 if round % 2 == 0 => Some(Discounts { positive: 0.5, negative: 0.25, average: 1.0 }),
                _ => Some(Discounts { positive: 0.75, negative: 0.5, average: 1.0 }),
            })
            .collect();
        let keeps_negative = round % 3 != 0;
        let update = |best: bool| {
            let (mut encoded, mut values) = (encoded.clone(), values.clone());
            let kernel = UpdateRegrets {
                form,
                strategy: &strategy,
                discounts: &discounts,
                keeps_negative,
                rounding: RoundingSeed::new(&[round]),
                values: &mut values,
                regrets: &mut encoded,
                scales: &mut [],
                extras: None,
            };
            if best {
                run(kernel)
            } else {
                kernel.run(Plain)
            }
            (decoded(&encoded), values[..ROOTS].to_vec())
        };
        let (updated, root_values) = update(true);
        let plain = update(false);
        assert_eq!((&updated, &root_values), (&plain.0, &plain.1));
        let mean = both(
            values.clone(),
            |values| run(BackpropagateMean { form, strategy: &strategy, values }),
            |values| BackpropagateMean { form, strategy: &strategy, values }.run(Plain),
        );
        let best = both(
            values.clone(),
            |values| run(BackpropagateBest { form, values }),
            |values| BackpropagateBest { form, values }.run(Plain),
        );
        let regrets = decoded(&encoded);
        for hand in 0..WIDTH {
            // Under the update, the mean and the best response.
            let mut expected_values: [Vec<f32>; 3] =
                [(); 3].map(|()| values.iter().map(|row| row[hand]).collect());
            let mut expected: Vec<f32> = regrets.iter().map(|row| row[hand]).collect();
            for decision in form.decisions.iter().rev() {
                let (sequence, actions) = (decision.sequence as usize, rows_of(decision));
                let means = [0, 1].map(|k| {
                    actions
                        .clone()
                        .map(|row| strategy[row][hand] * expected_values[k][ROOTS + row])
                        .sum::<f32>()
                });
                if let Some(discounts) = discounts[decision.root as usize] {
                    for row in actions.clone() {
                        let past = expected[row];
                        let discount = if past < 0.0 { discounts.negative } else { discounts.positive };
                        let regret = past * discount + expected_values[0][ROOTS + row] - means[0];
                        expected[row] = if keeps_negative { regret } else { regret.max(0.0) };
                    }
                    expected_values[0][sequence] += means[0];
                }
                expected_values[1][sequence] += means[1];
                let best =
                    actions.map(|row| expected_values[2][ROOTS + row]).fold(f32::NEG_INFINITY, f32::max);
                expected_values[2][sequence] += best;
            }
            assert_near(&updated, hand, &expected, "regret");
            assert_near(&root_values, hand, &expected_values[0][..ROOTS], "value");
            assert_near(&mean[..ROOTS], hand, &expected_values[1][..ROOTS], "mean");
            assert_near(&best[..ROOTS], hand, &expected_values[2][..ROOTS], "best");
        }
    }
}

/// The regrets of one decision after an update, from encoded regrets in some precision.
fn updated_regrets<Q: Quantized>(
    past: [f32; 2],
    scale: u8,
    values: [f32; 2],
    keeps_negative: bool,
) -> [f32; 2] {
    let decision = Decision { node: NodeId::ROOT, sequence: 0, row: 0, actions: 2, root: 0 };
    let form = &SequenceForm::new(vec![decision], 1);
    let update = |best: bool| {
        let mut sequences = [Row::ZERO, Row([values[0]; WIDTH]), Row([values[1]; WIDTH])];
        let mut encoded = past.map(|steps| Q::encode(Plain, Row([steps; WIDTH])));
        let mut scales = [scale];
        let kernel = UpdateRegrets {
            form,
            strategy: &[Row([0.25; WIDTH]), Row([0.75; WIDTH])],
            discounts: &[Some(Discounts { positive: 0.75, negative: 0.5, average: 1.0 })],
            keeps_negative,
            rounding: RoundingSeed::new(&[11]),
            values: &mut sequences,
            regrets: &mut encoded,
            scales: &mut scales,
            extras: None,
        };
        if best {
            run(kernel)
        } else {
            kernel.run(Plain)
        }
        encoded.map(|row| Row(row.decode(Plain).map(|steps| steps * step_of(scales[0]))))
    };
    let updated = update(true);
    assert_eq!(updated, update(false));
    updated.map(|row| row.iter().sum::<f32>() / WIDTH as f32)
}

#[test]
fn quantised_regrets_are_decoded_discounted_and_added_to() {
    // Steps of an eighth, cumulative regrets of 10 and -5, and instantaneous regrets of 3 and -1 with a mean of 2.
    let (scale, values, past) = (124, [5.0, 1.0], [80.0, -40.0]);
    let [first, second] = updated_regrets::<I8>(past, scale, values, true);
    assert!((first - 10.5).abs() < 0.13 && (second + 3.5).abs() < 0.13, "{first}, {second}");
    let [first, second] = updated_regrets::<I16>([20480.0, -10240.0], scale - 8, values, true);
    assert!((first - 10.5).abs() < 0.01 && (second + 3.5).abs() < 0.01, "{first}, {second}");
    let [first, second] = updated_regrets::<U8>([80.0, 40.0], scale, values, false);
    assert!((first - 10.5).abs() < 0.13 && (second - 2.75).abs() < 0.13, "{first}, {second}");
}
