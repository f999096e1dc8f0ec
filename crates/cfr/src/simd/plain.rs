//! Plain loops over arrays, for any machine. The compiler vectorises most of them.

use super::lanes::{Lanes, RECIPROCAL_BITS, Row, WIDTH};

/// The instruction set of plain Rust.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// Adding this to a number within ±2²¹ leaves the nearest integer in the lower bits of the sum.
const NEAREST: f32 = 12_582_912.0;

#[inline(always)]
fn each<R>(of: impl Fn(usize) -> R) -> [R; WIDTH] {
    std::array::from_fn(of)
}

#[inline(always)]
fn nearest(number: f32) -> i32 {
    (number + NEAREST).to_bits() as i32 - NEAREST.to_bits() as i32
}

/// `a * b + c`, rounded once.
#[inline(always)]
fn mul_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        a.mul_add(b, c)
    } else {
        mul_add_in_parts(a, b, c)
    }
}

/// As [`mul_add`], for machines without a fused instruction, where the library function is much slower.
#[inline(always)]
pub(super) fn mul_add_in_parts(a: f32, b: f32, c: f32) -> f32 {
    // The product of two floats is exact in 64 bits. The sum is rounded to odd: if it is not exact, it is truncated and its last bit
    // set, so that the second rounding, to 32 bits, gives the same as a single one.
    let (product, plus) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + plus;
    let added = sum - product;
    let error = (product - (sum - added)) + (plus - added);
    let is_inexact = (error > 0.0) | (error < 0.0);
    let bits = sum.to_bits();
    let towards_zero = bits.wrapping_sub(u64::from((error > 0.0) != (sum > 0.0)));
    (if is_inexact { f64::from_bits(towards_zero | 1) } else { sum }) as f32
}

impl Lanes for Plain {
    type Numbers = Row;
    type Words = [u32; WIDTH];

    #[inline(always)]
    fn splat(self, number: f32) -> Row {
        Row([number; WIDTH])
    }

    #[inline(always)]
    fn load(self, row: &Row) -> Row {
        *row
    }

    #[inline(always)]
    fn row(self, numbers: Row) -> Row {
        numbers
    }

    #[inline(always)]
    fn add(self, a: Row, b: Row) -> Row {
        Row(each(|i| a[i] + b[i]))
    }

    #[inline(always)]
    fn sub(self, a: Row, b: Row) -> Row {
        Row(each(|i| a[i] - b[i]))
    }

    #[inline(always)]
    fn mul(self, a: Row, b: Row) -> Row {
        Row(each(|i| a[i] * b[i]))
    }

    #[inline(always)]
    fn mul_add(self, a: Row, b: Row, plus: Row) -> Row {
        Row(each(|i| mul_add(a[i], b[i], plus[i])))
    }

    #[inline(always)]
    fn less_mul(self, from: Row, a: Row, b: Row) -> Row {
        Row(each(|i| mul_add(-a[i], b[i], from[i])))
    }

    #[inline(always)]
    fn div(self, a: Row, b: Row) -> Row {
        Row(each(|i| a[i] / b[i]))
    }

    #[inline(always)]
    fn max(self, a: Row, b: Row) -> Row {
        Row(each(|i| if a[i] > b[i] { a[i] } else { b[i] }))
    }

    #[inline(always)]
    fn where_more(self, a: Row, b: Row, yes: Row, no: Row) -> Row {
        Row(each(|i| if a[i] > b[i] { yes[i] } else { no[i] }))
    }

    #[inline(always)]
    fn where_negative(self, test: Row, yes: Row, no: Row) -> Row {
        Row(each(|i| if test[i].is_sign_negative() { yes[i] } else { no[i] }))
    }

    #[inline(always)]
    fn is_zero(self, numbers: Row) -> bool {
        numbers.iter().all(|&number| number == 0.0)
    }

    #[inline(always)]
    fn prefetch(self, _byte: &u8) {}

    #[inline(always)]
    fn words(self, words: &[u32; WIDTH]) -> [u32; WIDTH] {
        *words
    }

    #[inline(always)]
    fn add_words(self, a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        each(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    fn fractions(self, words: [u32; WIDTH]) -> Row {
        Row(words.map(|word| f32::from_bits(word >> 9 | 0x3f80_0001) - 1.5))
    }

    #[inline(always)]
    fn larger_bits(self, bits: [u32; WIDTH], numbers: Row) -> [u32; WIDTH] {
        each(|i| bits[i].max(numbers[i].to_bits()))
    }

    #[inline(always)]
    fn largest(self, words: [u32; WIDTH]) -> u32 {
        words.into_iter().fold(0, u32::max)
    }

    #[inline(always)]
    fn largest_is_within(self, words: [u32; WIDTH], from: u32, to: u32) -> bool {
        (from..to).contains(&self.largest(words))
    }

    #[inline(always)]
    fn rough_reciprocal(self, numbers: Row) -> Row {
        Row(numbers.map(|number| f32::from_bits(RECIPROCAL_BITS.wrapping_sub(number.to_bits()))))
    }

    #[inline(always)]
    fn widen_i16(self, integers: &[i16; WIDTH]) -> Row {
        Row(integers.map(f32::from))
    }

    #[inline(always)]
    fn widen_u16(self, integers: &[u16; WIDTH]) -> Row {
        Row(integers.map(f32::from))
    }

    #[inline(always)]
    fn widen_i8(self, integers: &[i8; WIDTH]) -> Row {
        Row(integers.map(f32::from))
    }

    #[inline(always)]
    fn widen_u8(self, integers: &[u8; WIDTH]) -> Row {
        Row(integers.map(f32::from))
    }

    #[inline(always)]
    fn narrow_i16(self, numbers: Row) -> [i16; WIDTH] {
        numbers.map(|number| nearest(number).clamp(i16::MIN.into(), i16::MAX.into()) as i16)
    }

    #[inline(always)]
    fn narrow_u16(self, numbers: Row) -> [u16; WIDTH] {
        numbers.map(|number| nearest(number).clamp(0, u16::MAX.into()) as u16)
    }

    #[inline(always)]
    fn narrow_i8(self, numbers: Row) -> [i8; WIDTH] {
        numbers.map(|number| nearest(number).clamp(i8::MIN.into(), i8::MAX.into()) as i8)
    }

    #[inline(always)]
    fn narrow_u8(self, numbers: Row) -> [u8; WIDTH] {
        numbers.map(|number| nearest(number).clamp(0, u8::MAX.into()) as u8)
    }

    #[inline(always)]
    fn transpose<'r>(self, row: impl Fn(usize) -> &'r Row, columns: &mut [Row; WIDTH]) {
        for i in 0..WIDTH {
            let row = row(i);
            for (column, &number) in columns.iter_mut().zip(&row.0) {
                column[i] = number;
            }
        }
    }

    #[inline(always)]
    fn put_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize) {
        for (lane, &place) in places.iter().enumerate().take(count) {
            to[place as usize] = Row(each(|i| rows[i][lane]));
        }
    }

    #[inline(always)]
    fn add_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize) {
        for (lane, &place) in places.iter().enumerate().take(count) {
            let to = &mut to[place as usize];
            for (number, row) in to.iter_mut().zip(rows) {
                *number += row[lane];
            }
        }
    }
}
