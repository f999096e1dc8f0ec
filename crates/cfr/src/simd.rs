//! Sixteen numbers at a time: one small set of operations, written once for each instruction set, chosen at run time.
//!
//! A kernel is written against [`Lanes`] and run by [`run`] with the best instruction set of this machine. Results have
//! the same bits on every one: each operation rounds once, sums have a fixed order, and a product and a sum are contracted where a
//! kernel says so, and nowhere else. The environment variable `NOREGRET_SIMD` picks a lesser one: `avx2` or `plain`. On ARM the plain one is compiled
//! to NEON, which every such machine has.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;

use bytemuck::{Pod, Zeroable};
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

pub use plain::Plain;

/// How many numbers a row has.
pub const WIDTH: usize = 16;

/// One number for each of [`WIDTH`] hands or leaves; a line of the cache.
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

/// The numbers of rows, one after the other.
#[inline(always)]
pub fn flat(rows: &[Row]) -> &[f32] {
    bytemuck::cast_slice(rows)
}

/// As [`flat`], to write.
#[inline(always)]
pub fn flat_mut(rows: &mut [Row]) -> &mut [f32] {
    bytemuck::cast_slice_mut(rows)
}

/// This less the bits of a number is near the bits of one over it: they are an exponent and, below it, a mantissa, which together are
/// nearly a logarithm.
const NEGATED_LOGARITHM: u32 = 0x7ef3_11c7;

/// Operations on [`WIDTH`] numbers at a time, in some instruction set. Values of this type prove that the machine has it.
pub trait Lanes: Copy {
    /// [`WIDTH`] floats.
    type Numbers: Copy;
    /// [`WIDTH`] words of 32 bits.
    type Words: Copy;

    /// The same number everywhere.
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
    /// Products plus something, rounded once.
    fn mul_add(self, a: Self::Numbers, b: Self::Numbers, plus: Self::Numbers) -> Self::Numbers;
    /// Something less products, rounded once.
    fn less_mul(self, from: Self::Numbers, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// Quotients.
    fn div(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// The larger of each two; the second one where neither is.
    fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// `yes` where `a` is more than `b`, else `no`.
    fn where_more(
        self,
        a: Self::Numbers,
        b: Self::Numbers,
        yes: Self::Numbers,
        no: Self::Numbers,
    ) -> Self::Numbers;
    /// `yes` where `test` has the sign of numbers below zero, else `no`.
    fn where_negative(self, test: Self::Numbers, yes: Self::Numbers, no: Self::Numbers) -> Self::Numbers;
    /// Whether all are zero.
    fn is_zero(self, numbers: Self::Numbers) -> bool;

    /// Asks for the line of the cache with a byte, which will be needed soon. Where there is no such instruction, nothing happens.
    fn fetch(self, byte: &u8);

    /// Reads words.
    fn words(self, words: &[u32; WIDTH]) -> Self::Words;
    /// Sums, modulo 2³².
    fn add_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// The upper bits of words as fractions, more than −½ and less than ½.
    fn fractions(self, words: Self::Words) -> Self::Numbers;
    /// The larger of each word and the bits of a number. Those of infinities, of what is not a number, and of whatever has the sign of
    /// numbers below zero are larger than those of all others.
    fn larger_bits(self, bits: Self::Words, numbers: Self::Numbers) -> Self::Words;
    /// The largest word.
    fn largest(self, words: Self::Words) -> u32;
    /// Whether the largest word is at least `from` and less than `to`. Unlike [`Lanes::largest`], only a branch waits for the answer.
    fn largest_is_within(self, words: Self::Words, from: u32, to: u32) -> bool;
    /// One over each number from 2⁻¹²⁶ to 2¹²⁵, off by up to 5.06%; what others become is not said, but is the same everywhere, if it is
    /// a number.
    fn rough_reciprocal(self, numbers: Self::Numbers) -> Self::Numbers;
    /// One over each number from 2⁻¹²⁶ to 2¹²⁵, off by its last bit at most; of others, as [`Lanes::rough_reciprocal`]. In place of
    /// divisions, which other instructions wait for.
    #[inline(always)]
    fn reciprocal(self, numbers: Self::Numbers) -> Self::Numbers {
        let one = self.splat(1.0);
        // What is missing to one, e, tells how far off it is: 1 / (1 - e) is 1 + e + e² + …
        let rough = self.rough_reciprocal(numbers);
        let missing = self.less_mul(one, numbers, rough);
        let near = self.mul_add(rough, self.mul_add(missing, missing, missing), rough);
        let missing = self.less_mul(one, numbers, near);
        self.mul_add(near, missing, near)
    }

    /// From signed integers of 16 bits.
    fn widen_i16(self, integers: &[i16; WIDTH]) -> Self::Numbers;
    /// From unsigned integers of 16 bits.
    fn widen_u16(self, integers: &[u16; WIDTH]) -> Self::Numbers;
    /// From signed integers of 8 bits.
    fn widen_i8(self, integers: &[i8; WIDTH]) -> Self::Numbers;
    /// From unsigned integers of 8 bits.
    fn widen_u8(self, integers: &[u8; WIDTH]) -> Self::Numbers;
    /// To the nearest integers; numbers must be within ±2²¹.
    fn narrow_i16(self, numbers: Self::Numbers) -> [i16; WIDTH];
    /// To the nearest integers; numbers must be within ±2²¹.
    fn narrow_u16(self, numbers: Self::Numbers) -> [u16; WIDTH];
    /// To the nearest integers; numbers must be within ±2²¹.
    fn narrow_i8(self, numbers: Self::Numbers) -> [i8; WIDTH];
    /// To the nearest integers; numbers must be within ±2²¹.
    fn narrow_u8(self, numbers: Self::Numbers) -> [u8; WIDTH];

    /// Turns rows into columns.
    fn transpose<'r>(self, row: impl Fn(usize) -> &'r Row, columns: &mut [Row; WIDTH]);
    /// Writes the first `count` columns of rows to the rows at these places.
    fn put_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize);
    /// Adds the first `count` columns of rows to the rows at these places.
    fn add_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize);
}

/// Work that is written once for all instruction sets. Everything hot in it must be `#[inline(always)]`.
pub trait Kernel {
    /// What it results in.
    type Output;

    /// Does the work.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs a kernel with the best instruction set of this machine.
#[inline(always)]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    match *BEST {
        #[cfg(target_arch = "x86_64")]
        Best::Avx512(lanes) => lanes.run(kernel),
        #[cfg(target_arch = "x86_64")]
        Best::Avx2(lanes) => lanes.run(kernel),
        Best::Plain => kernel.run(Plain),
    }
}

/// The instruction set that is used.
#[derive(Clone, Copy)]
enum Best {
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    Plain,
}

/// What the machine has, unless told to use less.
static BEST: LazyLock<Best> = LazyLock::new(|| best(std::env::var("NOREGRET_SIMD").ok().as_deref()));

#[cfg(target_arch = "x86_64")]
fn best(limit: Option<&str>) -> Best {
    let avx512 = || avx512::Avx512::new().map(Best::Avx512);
    let avx2 = || avx2::Avx2::new().map(Best::Avx2);
    let best = match limit {
        Some("plain") => None,
        Some("avx2") => avx2(),
        _ => avx512().or_else(avx2),
    };
    best.unwrap_or(Best::Plain)
}

#[cfg(not(target_arch = "x86_64"))]
fn best(_limit: Option<&str>) -> Best {
    Best::Plain
}

/// The name of the instruction set that [`run`] uses.
pub fn instruction_set() -> &'static str {
    match *BEST {
        #[cfg(target_arch = "x86_64")]
        Best::Avx512(_) => "AVX-512",
        #[cfg(target_arch = "x86_64")]
        Best::Avx2(_) => "AVX2",
        Best::Plain if cfg!(target_arch = "aarch64") => "NEON",
        Best::Plain => "plain",
    }
}

#[cfg(test)]
mod tests;
