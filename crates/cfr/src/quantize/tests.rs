//! Encoded numbers decode within a step, with the same bits in every instruction set.

use super::*;
use crate::simd::{Kernel, Plain, run};

/// Encodes a scale block, as the trainer does.
struct EncodeBlock<'a, Q> {
    numbers: &'a [Row],
    rows: &'a mut [Q],
    scale: &'a mut Scale,
    rounding: RoundingSeed,
    /// How many rows of offsets were drawn before.
    drawn: usize,
}

impl<Q: Quantized> Kernel for EncodeBlock<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let mut offsets = self.rounding.offsets(lanes);
        for _ in 0..self.drawn {
            offsets.next();
        }
        encode_block(lanes, self.numbers, self.rows, Some(self.scale), &mut offsets);
    }
}

fn round_tripped<Q: Quantized>(numbers: &[Row], rounding: RoundingSeed) -> Vec<Row> {
    round_tripped_after::<Q>(numbers, rounding, 0)
}

fn round_tripped_after<Q: Quantized>(numbers: &[Row], rounding: RoundingSeed, drawn: usize) -> Vec<Row> {
    let mut rows = vec![Q::ZERO; numbers.len()];
    let mut scale = 0;
    run(EncodeBlock { numbers, rows: &mut rows, scale: &mut scale, rounding, drawn });
    // The result does not depend on the scale before, nor on the instruction set.
    for before in [0, scale.saturating_sub(1), scale, scale.saturating_add(1), Scale::MAX] {
        let mut again = [(vec![Q::ZERO; numbers.len()], before), (vec![Q::ZERO; numbers.len()], before)];
        let [best, plain] =
            again.each_mut().map(|(rows, scale)| EncodeBlock { numbers, rows, scale, rounding, drawn });
        run(best);
        plain.run(Plain);
        for (others, other) in &again {
            assert!(scale == *other, "scales differ after {before}");
            assert!(bytes_of(&rows) == bytes_of(others), "bits differ after {before}");
        }
    }
    decoded(&rows, scale)
}

fn bytes_of<Q: Quantized>(rows: &[Q]) -> &[u8] {
    bytemuck::cast_slice(rows)
}

fn decoded<Q: Quantized>(rows: &[Q], scale: Scale) -> Vec<Row> {
    rows.iter().map(|row| Row(row.decode(Plain).map(|steps| steps * step_of(scale)))).collect()
}

/// A random number in 0..1 for each hand of a row.
fn random(keys: &[usize]) -> Row {
    Row(RoundingSeed::new(keys).offsets(Plain).next().map(|number| number + 0.5))
}

/// Numbers over six orders of magnitude, of both signs or positive only.
fn numbers(seed: usize, signed: bool) -> Vec<Row> {
    (0..3)
        .map(|row| {
            let (sizes, signs) = (random(&[seed, row, 0]), random(&[seed, row, 1]));
            let mut numbers = Row(std::array::from_fn(|h| {
                let sign = if signed && signs[h] < 0.5 { -1.0 } else { 1.0 };
                sign * 10f32.powf(6.0 * sizes[h] - 3.0)
            }));
            numbers[0] = 1e3;
            numbers
        })
        .collect()
}

fn all(rows: &[Row]) -> impl Iterator<Item = f32> + '_ {
    rows.iter().flat_map(|row| row.0)
}

fn largest_of(rows: &[Row]) -> f32 {
    all(rows).fold(0f32, |largest, number| largest.max(number.abs()))
}

fn round_trip<Q: Quantized>(signed: bool) {
    for seed in 0..200 {
        let numbers = numbers(seed, signed);
        let back = round_tripped::<Q>(&numbers, RoundingSeed::new(&[seed, 1]));
        let step = 2.0 * largest_of(&numbers) / Q::MAX_STEPS.unwrap();
        for (number, back) in all(&numbers).zip(all(&back)) {
            assert!((number - back).abs() <= step * 1.001, "{number} decoded as {back}, step {step}");
        }
    }
}

#[test]
fn scales_are_the_smallest_that_hold_a_number() {
    for top in [7.0f32, 15.0, 127.0, 255.0, 32_767.0, 65_535.0] {
        for exponent in [26, 27, 30, 100, 127, 133, 226] {
            let next_to_top = (top.to_bits() & 0x7f_ffff) | exponent << 23;
            let bits = (0..1 << 23).step_by(1021).map(|mantissa| exponent << 23 | mantissa);
            for bits in bits.chain([next_to_top - 1, next_to_top, next_to_top + 1]) {
                let number = f64::from(f32::from_bits(bits));
                let scale = scale_of(bits, top);
                let most = f64::from(top) * f64::from(step_of(scale));
                assert!(
                    number <= most && number > most / 2.0,
                    "{number} in {top} steps of 2^({scale} - 127)"
                );
                assert_eq!(step_of(scale) * inverse_step(scale), 1.0);
                let is_of = |scale: Scale| {
                    let [from, to] = magnitudes_of(scale, top);
                    (from..to).contains(&bits)
                };
                let may_be_encoded = (MIN_MAGNITUDE.to_bits()..=MAX_MAGNITUDE.to_bits()).contains(&bits);
                assert_eq!([scale - 1, scale, scale + 1].map(is_of), [false, may_be_encoded, false]);
            }
        }
    }
}

#[test]
fn every_encoding_decodes_within_a_step() {
    round_trip::<I16>(true);
    round_trip::<I8>(true);
    round_trip::<I4>(true);
    round_trip::<U16>(false);
    round_trip::<U8>(false);
    round_trip::<U4>(false);
    for row in numbers(1, true) {
        assert_eq!(F32::encode(Plain, row).decode(Plain), row);
    }
}

#[test]
fn the_largest_number_saturates_whatever_offset_is_drawn() {
    // A little less than a half, which the sum with a large number rounds to a half.
    let just_below = 0.5 - f32::EPSILON;
    let top = |row: Row| row[0];
    assert_eq!(top(U4::encode(Plain, Row([15.0 + just_below; WIDTH])).decode(Plain)), 15.0);
    assert_eq!(top(I4::encode(Plain, Row([7.0 + just_below; WIDTH])).decode(Plain)), 7.0);
    assert_eq!(top(U4::encode(Plain, Row([40.0; WIDTH])).decode(Plain)), 15.0);
    assert_eq!(top(I4::encode(Plain, Row([40.0; WIDTH])).decode(Plain)), 7.0);
    assert_eq!(top(U8::encode(Plain, Row([255.0 + just_below; WIDTH])).decode(Plain)), 255.0);
    assert_eq!(top(I8::encode(Plain, Row([127.0 + just_below; WIDTH])).decode(Plain)), 127.0);
}

fn mean_error<Q: Quantized>(signed: bool) -> f64 {
    let numbers = numbers(7, signed);
    let step = f64::from(step_of(scale_of(largest_of(&numbers).to_bits(), Q::MAX_STEPS.unwrap())));
    let draws = 20_000;
    let mut sums = vec![0.0; numbers.len() * WIDTH];
    for draw in 0..draws {
        let back = round_tripped_after::<Q>(&numbers, RoundingSeed::new(&[draw]), draw % 40);
        for (sum, back) in sums.iter_mut().zip(all(&back)) {
            *sum += f64::from(back);
        }
    }
    sums.iter()
        .zip(all(&numbers))
        .map(|(sum, number)| ((sum / draws as f64 - f64::from(number)) / step).abs())
        .fold(0.0, f64::max)
}

#[test]
fn stochastic_rounding_keeps_the_mean() {
    // The standard error of the mean of 20,000 draws is at most 0.5 / √20000 = 0.0035 steps; the worst of 48 numbers
    // is within four of those.
    for error in [
        mean_error::<I16>(true),
        mean_error::<I8>(true),
        mean_error::<I4>(true),
        mean_error::<U16>(false),
        mean_error::<U8>(false),
        mean_error::<U4>(false),
    ] {
        assert!(error < 0.015, "{error}");
    }
}

fn extremes<Q: Quantized>() {
    let zero = round_tripped::<Q>(&[Row::ZERO; 2], RoundingSeed::new(&[1]));
    assert!(all(&zero).all(|number| number == 0.0));
    for seed in 0..50 {
        let mut row = Row::ZERO;
        (row[3], row[9]) = (1e6, 1e-3);
        let back = round_tripped::<Q>(&[row], RoundingSeed::new(&[seed]));
        assert!(back[0][3] > 0.75e6 && back[0][0] == 0.0, "{back:?}");
    }
}

fn check_any_scale_before<Q: Quantized>() {
    for number in [0.0, 9.9e-31, 1.01e-30, 3e-30, 1.0, 127.0, 65_535.0, 9.9e29, 1.01e30, f32::INFINITY] {
        let numbers = [Row([number; WIDTH]), Row([number / 3.0; WIDTH])];
        let after = |before: Scale| {
            let (mut rows, mut scale, rounding) = ([Q::ZERO; 2], before, RoundingSeed::new(&[3]));
            run(EncodeBlock { numbers: &numbers, rows: &mut rows, scale: &mut scale, rounding, drawn: 0 });
            (bytes_of(&rows).to_vec(), scale)
        };
        for before in 1..=Scale::MAX {
            assert_eq!(after(before), after(0), "{number} after a scale of {before}");
        }
    }
}

#[test]
fn encoding_does_not_depend_on_the_scale_before() {
    check_any_scale_before::<I16>();
    check_any_scale_before::<U16>();
    check_any_scale_before::<I8>();
    check_any_scale_before::<U8>();
    check_any_scale_before::<I4>();
    check_any_scale_before::<U4>();
}

#[test]
fn zero_stays_zero_and_the_largest_is_kept() {
    extremes::<I16>();
    extremes::<U16>();
    extremes::<I8>();
    extremes::<U8>();
    extremes::<I4>();
    extremes::<U4>();
}

#[test]
fn large_negative_numbers_saturate() {
    let mut row = Row([1.0; WIDTH]);
    (row[1], row[2]) = (-5.0, -1.0);
    let back = round_tripped::<I8>(&[row], RoundingSeed::new(&[1]));
    // The step is 1/64: the smallest power of two of which 127 make up one.
    assert_eq!((back[0][0], back[0][1], back[0][2]), (1.0, -2.0, -1.0));
}

#[test]
fn numbers_on_whole_steps_do_not_change() {
    let mut rows = [U8::ZERO; 2];
    let mut scale = 0;
    let first = &numbers(3, false)[..2];
    run(EncodeBlock {
        numbers: first,
        rows: &mut rows,
        scale: &mut scale,
        rounding: RoundingSeed::new(&[1]),
        drawn: 0,
    });
    for again in 0..100 {
        let before = rows.map(|row| row.0);
        let numbers = decoded(&rows, scale);
        let rounding = RoundingSeed::new(&[2, again]);
        run(EncodeBlock { numbers: &numbers, rows: &mut rows, scale: &mut scale, rounding, drawn: 0 });
        assert_eq!(rows.map(|row| row.0), before);
    }
}

#[test]
fn nan_and_infinity_are_never_encoded() {
    let mut row = Row([1.0; WIDTH]);
    (row[0], row[1], row[2]) = (f32::NAN, f32::INFINITY, f32::NEG_INFINITY);
    for back in [
        round_tripped::<I16>(&[row], RoundingSeed::new(&[1])),
        round_tripped::<U4>(&[row], RoundingSeed::new(&[1])),
    ] {
        assert!(all(&back).all(f32::is_finite));
    }
    // A negative zero is a zero.
    let mut row = Row([1.0; WIDTH]);
    (row[1], row[2]) = (-0.0, -1.0);
    for back in [
        round_tripped::<I8>(&[row], RoundingSeed::new(&[1])),
        round_tripped::<I4>(&[row], RoundingSeed::new(&[1])),
    ] {
        assert_eq!((back[0][0], back[0][1], back[0][2]), (1.0, 0.0, -1.0));
    }
    let tiny = round_tripped::<I8>(&[Row([1e-38; WIDTH])], RoundingSeed::new(&[1]));
    assert!(all(&tiny).all(|number| number == 0.0));
}

#[test]
fn offsets_are_uniform() {
    let mut counts = [0; 10];
    for place in 0..100 {
        let mut offsets = RoundingSeed::new(&[5, place]).offsets(Plain);
        for number in (0..10).flat_map(|_| offsets.next().0) {
            counts[((number + 0.5) * 10.0) as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&count| (1400..1800).contains(&count)), "{counts:?}");
}

#[test]
fn small_changes_add_up_over_time() {
    // Of a number that grows by a thirtieth of a step in every update, each lane is where it should be within three steps; with
    // independent offsets some would be off by more than ten.
    let (mut numbers, change) = ([0.0f32; WIDTH], 1.0 / 30.0);
    for update in 1..=3000u32 {
        let offsets = RoundingSeed::new(&[7]).at_update(update).offsets(Plain).next();
        numbers
            .iter_mut()
            .zip(offsets.0)
            .for_each(|(number, offset)| *number = (*number + change + offset).round());
        let exact = change * update as f32;
        assert!(numbers.iter().all(|number| (number - exact).abs() < 3.0), "{update}: {numbers:?}");
    }
}
