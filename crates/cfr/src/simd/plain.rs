//! Plain loops over arrays, which any machine can run; compilers turn most of them into what the machine has.

use super::{Lanes, Row, WIDTH};

/// No special instructions.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// Added to a number within ±2²¹, it leaves the nearest integer in the lower bits.
const NEAREST: f32 = 12_582_912.0;

#[inline(always)]
fn each<R>(of: impl Fn(usize) -> R) -> [R; WIDTH] {
    std::array::from_fn(of)
}

#[inline(always)]
fn nearest(number: f32) -> i32 {
    (number + NEAREST).to_bits() as i32 - NEAREST.to_bits() as i32
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
    fn words(self, words: &[u32; WIDTH]) -> [u32; WIDTH] {
        *words
    }

    #[inline(always)]
    fn step_words(self, words: [u32; WIDTH], times: u32, plus: u32) -> [u32; WIDTH] {
        words.map(|word| word.wrapping_mul(times).wrapping_add(plus))
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
    fn largest(self, words: [u32; WIDTH]) -> [u32; WIDTH] {
        [words.into_iter().fold(0, u32::max); WIDTH]
    }

    #[inline(always)]
    fn first(self, words: [u32; WIDTH]) -> u32 {
        words[0]
    }

    #[inline(always)]
    fn per_power(self, bits: [u32; WIDTH], factor: f32) -> Row {
        Row(each(|i| {
            let power = (f32::from_bits(bits[i]) * factor).to_bits().wrapping_add(0x007f_ffff);
            f32::from_bits(0x7f00_0000 - (power & 0x7f80_0000))
        }))
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
