//! Rows of sixteen numbers, and the operations that every instruction set provides.

use bytemuck::{Pod, Zeroable};
use std::ops::{Deref, DerefMut};

/// Numbers in a row.
pub const WIDTH: usize = 16;

/// One number for each of [`WIDTH`] hands or terminal nodes; as large as a cache line.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Row(pub [f32; WIDTH]);

impl Row {
    /// All zero.
    pub const ZERO: Self = Self([0.0; WIDTH]);
}

impl Deref for Row {
    type Target = [f32; WIDTH];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Row {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// The numbers of rows as one slice.
#[inline(always)]
pub fn flat(rows: &[Row]) -> &[f32] {
    bytemuck::cast_slice(rows)
}

/// As [`flat`], to write.
#[inline(always)]
pub fn flat_mut(rows: &mut [Row]) -> &mut [f32] {
    bytemuck::cast_slice_mut(rows)
}

/// How many blocks of [`WIDTH`] there are in `hands` hands: the last one may be padded.
pub(crate) fn blocks(hands: usize) -> usize {
    hands.div_ceil(WIDTH)
}

/// The constant of the fast reciprocal: this minus the bits of a float approximates the bits of its reciprocal, because the bits,
/// exponent above mantissa, are nearly a logarithm.
pub(super) const RECIPROCAL_BITS: u32 = 0x7ef3_11c7;

/// Operations on [`WIDTH`] numbers at a time in some instruction set. A value of this type proves that the machine has it.
pub trait Lanes: Copy {
    /// [`WIDTH`] floats.
    type Numbers: Copy;
    /// [`WIDTH`] words of 32 bits.
    type Words: Copy;

    /// Whether kernels are compiled once more for each small number of actions, to keep their numbers in registers.
    const UNROLLS: bool = true;

    /// The same number in every lane.
    fn splat(self, number: f32) -> Self::Numbers;
    /// Reads a row.
    fn load(self, row: &Row) -> Self::Numbers;
    /// Makes a row.
    fn row(self, numbers: Self::Numbers) -> Row;
    /// Sums.
    fn add(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// Differences.
    fn sub(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// Products.
    fn mul(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// `a * b + plus`, rounded once (fused).
    fn mul_add(self, a: Self::Numbers, b: Self::Numbers, plus: Self::Numbers) -> Self::Numbers;
    /// `from - a * b`, rounded once (fused).
    fn less_mul(self, from: Self::Numbers, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// Quotients.
    fn div(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// The larger of each pair; the second one if neither is larger.
    fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// `yes` where `a` is more than `b`, else `no`.
    fn where_more(
        self,
        a: Self::Numbers,
        b: Self::Numbers,
        yes: Self::Numbers,
        no: Self::Numbers,
    ) -> Self::Numbers;
    /// `yes` where the sign bit of `test` is set, else `no`.
    fn where_negative(self, test: Self::Numbers, yes: Self::Numbers, no: Self::Numbers) -> Self::Numbers;
    /// Whether all numbers are zero.
    fn is_zero(self, numbers: Self::Numbers) -> bool;

    /// Prefetches the cache line of a byte. Does nothing where there is no such instruction.
    fn prefetch(self, byte: &u8);

    /// Reads words.
    fn words(self, words: &[u32; WIDTH]) -> Self::Words;
    /// Sums, modulo 2³².
    fn add_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// The upper bits of words as fractions between −½ and ½.
    fn fractions(self, words: Self::Words) -> Self::Numbers;
    /// The larger of each word and the bits of a number. The bits of infinity, of NaN and of all numbers with a sign bit are larger
    /// than those of every finite positive number.
    fn larger_bits(self, bits: Self::Words, numbers: Self::Numbers) -> Self::Words;
    /// The largest word.
    fn largest(self, words: Self::Words) -> u32;
    /// Whether the largest word is in `from..to`. Unlike with [`Lanes::largest`], only a branch waits for the result.
    fn largest_is_within(self, words: Self::Words, from: u32, to: u32) -> bool;
    /// The approximate reciprocals of numbers from 2⁻¹²⁶ to 2¹²⁵, with a relative error up to 5.06%. The results for other numbers
    /// are unspecified, but the same in every instruction set unless NaN.
    fn rough_reciprocal(self, numbers: Self::Numbers) -> Self::Numbers;
    /// The reciprocals of numbers from 2⁻¹²⁶ to 2¹²⁵, with an error in the last bit at most; of others, as
    /// [`Lanes::rough_reciprocal`]. Faster than divisions, which occupy their unit for many cycles.
    #[inline(always)]
    fn reciprocal(self, numbers: Self::Numbers) -> Self::Numbers {
        let one = self.splat(1.0);
        // With the error e = 1 - n r of an approximation r, the reciprocal is r / (1 - e) = r (1 + e + e² + …).
        let rough = self.rough_reciprocal(numbers);
        let error = self.less_mul(one, numbers, rough);
        let near = self.mul_add(rough, self.mul_add(error, error, error), rough);
        let error = self.less_mul(one, numbers, near);
        self.mul_add(near, error, near)
    }

    /// Floats from signed integers of 16 bits.
    fn widen_i16(self, integers: &[i16; WIDTH]) -> Self::Numbers;
    /// Floats from unsigned integers of 16 bits.
    fn widen_u16(self, integers: &[u16; WIDTH]) -> Self::Numbers;
    /// Floats from signed integers of 8 bits.
    fn widen_i8(self, integers: &[i8; WIDTH]) -> Self::Numbers;
    /// Floats from unsigned integers of 8 bits.
    fn widen_u8(self, integers: &[u8; WIDTH]) -> Self::Numbers;
    /// Rounds to the nearest integers and saturates; numbers must be within ±2²¹.
    fn narrow_i16(self, numbers: Self::Numbers) -> [i16; WIDTH];
    /// Rounds to the nearest integers and saturates; numbers must be within ±2²¹.
    fn narrow_u16(self, numbers: Self::Numbers) -> [u16; WIDTH];
    /// Rounds to the nearest integers and saturates; numbers must be within ±2²¹.
    fn narrow_i8(self, numbers: Self::Numbers) -> [i8; WIDTH];
    /// Rounds to the nearest integers and saturates; numbers must be within ±2²¹.
    fn narrow_u8(self, numbers: Self::Numbers) -> [u8; WIDTH];

    /// Transposes rows into columns.
    fn transpose<'r>(self, row: impl Fn(usize) -> &'r Row, columns: &mut [Row; WIDTH]);
    /// Writes the first `count` columns of `rows` to the rows of `to` at these places.
    fn put_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize);
    /// Adds the first `count` columns of `rows` to the rows of `to` at these places.
    fn add_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize);
}

/// A computation written once for all instruction sets. Every hot function that it calls must be `#[inline(always)]`.
pub trait Kernel {
    /// The result.
    type Output;

    /// Computes the result with the given instruction set.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}
