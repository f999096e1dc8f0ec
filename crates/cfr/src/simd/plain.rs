//! Plain loops over arrays, for any machine.
//!
//! Operations are not inlined: a loop over sixteen numbers by itself is always vectorised for whatever the compiler may assume of the
//! machine (SSE2 on x86-64), a kernel made of them is not, and takes long to compile.

use super::lanes::{Lanes, RECIPROCAL_BITS, Row, WIDTH};

/// The instruction set of plain Rust.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// Adding this to a number within ±2²¹ leaves the nearest integer in the lower bits of the sum.
const NEAREST: f32 = 12_582_912.0;

/// A loop rather than `from_fn`, which is not always inlined and then not vectorised either.
#[inline(always)]
fn each<R: Copy + Default>(of: impl Fn(usize) -> R) -> [R; WIDTH] {
    let mut all = [R::default(); WIDTH];
    for (i, one) in all.iter_mut().enumerate() {
        *one = of(i);
    }
    all
}

#[inline(always)]
fn nearest(number: f32) -> i32 {
    (number + NEAREST).to_bits() as i32 - NEAREST.to_bits() as i32
}

/// `a * b + c` in every lane, rounded once.
#[inline(always)]
pub(super) fn mul_add(a: &Row, b: &Row, c: &Row) -> Row {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        return Row(each(|i| a[i].mul_add(b[i], c[i])));
    }
    // The product of two floats is exact in 64 bits, and the sum is rounded there. To round it again to 32 bits is wrong only where it
    // has become a tie between two floats, or where floats are less precise than usual. Nearly always there is none of them among
    // sixteen, and compilers make vector instructions of this loop.
    let mut row = Row::ZERO;
    let mut doubts = 0;
    for i in 0..WIDTH {
        let sum = f64::from(a[i]) * f64::from(b[i]) + f64::from(c[i]);
        row[i] = sum as f32;
        let is_tie = sum.to_bits() as u32 & 0x1fff_ffff == 0x1000_0000;
        let is_tiny = (sum.abs() < f64::from(f32::MIN_POSITIVE)) & (sum != 0.0);
        doubts |= u32::from(is_tie) | u32::from(is_tiny);
    }
    if doubts == 0 { row } else { mul_add_with_ties(a, b, c) }
}

#[cold]
#[inline(never)]
fn mul_add_with_ties(a: &Row, b: &Row, c: &Row) -> Row {
    Row(each(|i| mul_add_in_parts(a[i], b[i], c[i])))
}

/// `a * b + c`, rounded once, without a fused instruction: the library function is much slower.
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

    // Operations are calls, so no number stays in a register.
    const UNROLLS: bool = false;

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

    #[inline(never)]
    fn add(self, a: Row, b: Row) -> Row {
        Row(each(|i| a[i] + b[i]))
    }

    #[inline(never)]
    fn sub(self, a: Row, b: Row) -> Row {
        Row(each(|i| a[i] - b[i]))
    }

    #[inline(never)]
    fn mul(self, a: Row, b: Row) -> Row {
        Row(each(|i| a[i] * b[i]))
    }

    #[inline(never)]
    fn mul_add(self, a: Row, b: Row, plus: Row) -> Row {
        mul_add(&a, &b, &plus)
    }

    #[inline(never)]
    fn less_mul(self, from: Row, a: Row, b: Row) -> Row {
        mul_add(&Row(each(|i| -a[i])), &b, &from)
    }

    #[inline(never)]
    fn div(self, a: Row, b: Row) -> Row {
        Row(each(|i| a[i] / b[i]))
    }

    #[inline(never)]
    fn max(self, a: Row, b: Row) -> Row {
        Row(each(|i| if a[i] > b[i] { a[i] } else { b[i] }))
    }

    #[inline(never)]
    fn where_more(self, a: Row, b: Row, yes: Row, no: Row) -> Row {
        Row(each(|i| if a[i] > b[i] { yes[i] } else { no[i] }))
    }

    #[inline(never)]
    fn where_negative(self, test: Row, yes: Row, no: Row) -> Row {
        Row(each(|i| if test[i].is_sign_negative() { yes[i] } else { no[i] }))
    }

    #[inline(never)]
    fn is_zero(self, numbers: Row) -> bool {
        // All of them, without a branch for each.
        let bits = numbers.iter().fold(0, |bits, number| bits | number.to_bits());
        bits << 1 == 0
    }

    #[inline(always)]
    fn prefetch(self, _byte: &u8) {}

    #[inline(always)]
    fn words(self, words: &[u32; WIDTH]) -> [u32; WIDTH] {
        *words
    }

    #[inline(never)]
    fn add_words(self, a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        each(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(never)]
    fn fractions(self, words: [u32; WIDTH]) -> Row {
        Row(each(|i| f32::from_bits(words[i] >> 9 | 0x3f80_0001) - 1.5))
    }

    #[inline(never)]
    fn larger_bits(self, bits: [u32; WIDTH], numbers: Row) -> [u32; WIDTH] {
        each(|i| bits[i].max(numbers[i].to_bits()))
    }

    #[inline(never)]
    fn largest(self, words: [u32; WIDTH]) -> u32 {
        words.into_iter().fold(0, u32::max)
    }

    #[inline(always)]
    fn largest_is_within(self, words: [u32; WIDTH], from: u32, to: u32) -> bool {
        (from..to).contains(&self.largest(words))
    }

    #[inline(never)]
    fn rough_reciprocal(self, numbers: Row) -> Row {
        Row(each(|i| f32::from_bits(RECIPROCAL_BITS.wrapping_sub(numbers[i].to_bits()))))
    }

    #[inline(never)]
    fn widen_i16(self, integers: &[i16; WIDTH]) -> Row {
        Row(each(|i| f32::from(integers[i])))
    }

    #[inline(never)]
    fn widen_u16(self, integers: &[u16; WIDTH]) -> Row {
        Row(each(|i| f32::from(integers[i])))
    }

    #[inline(never)]
    fn widen_i8(self, integers: &[i8; WIDTH]) -> Row {
        Row(each(|i| f32::from(integers[i])))
    }

    #[inline(never)]
    fn widen_u8(self, integers: &[u8; WIDTH]) -> Row {
        Row(each(|i| f32::from(integers[i])))
    }

    #[inline(never)]
    fn narrow_i16(self, numbers: Row) -> [i16; WIDTH] {
        each(|i| nearest(numbers[i]).clamp(i16::MIN.into(), i16::MAX.into()) as i16)
    }

    #[inline(never)]
    fn narrow_u16(self, numbers: Row) -> [u16; WIDTH] {
        each(|i| nearest(numbers[i]).clamp(0, u16::MAX.into()) as u16)
    }

    #[inline(never)]
    fn narrow_i8(self, numbers: Row) -> [i8; WIDTH] {
        each(|i| nearest(numbers[i]).clamp(i8::MIN.into(), i8::MAX.into()) as i8)
    }

    #[inline(never)]
    fn narrow_u8(self, numbers: Row) -> [u8; WIDTH] {
        each(|i| nearest(numbers[i]).clamp(0, u8::MAX.into()) as u8)
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

    #[inline(never)]
    fn put_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize) {
        for (lane, &place) in places.iter().enumerate().take(count) {
            to[place as usize] = Row(each(|i| rows[i][lane]));
        }
    }

    #[inline(never)]
    fn add_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize) {
        for (lane, &place) in places.iter().enumerate().take(count) {
            let to = &mut to[place as usize];
            for (number, row) in to.iter_mut().zip(rows) {
                *number += row[lane];
            }
        }
    }
}
