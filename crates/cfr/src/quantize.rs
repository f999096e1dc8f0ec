//! Quantisation: how regrets and strategies are encoded, as floats or as integers with a shared scale (block floating point).
//!
//! A quantised row holds one number for each of 16 hands. A *scale block* is the rows of one decision: all actions of 16
//! consecutive hands. Its scale is a power of two, the smallest with which the largest number of the block fits. Stochastic rounding
//! encodes a number between two integers as one of them at random, with probabilities that keep the mean, so that updates smaller
//! than a quantisation step are not lost.

use crate::simd::{Lanes, Row, WIDTH};
use bytemuck::{Pod, Zeroable};

/// How many bits an encoded number has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Precision {
    /// Integers of 4 bits, two in a byte.
    Bits4,
    /// Integers of 8 bits.
    Bits8,
    /// Integers of 16 bits.
    Bits16,
    /// Floats of 32 bits.
    #[default]
    Bits32,
}

impl Precision {
    /// All precisions, coarsest first.
    pub const ALL: [Self; 4] = [Self::Bits4, Self::Bits8, Self::Bits16, Self::Bits32];

    /// Bits of an encoded number.
    pub fn bits(self) -> u8 {
        match self {
            Self::Bits4 => 4,
            Self::Bits8 => 8,
            Self::Bits16 => 16,
            Self::Bits32 => 32,
        }
    }

    /// Bytes of `rows` quantised rows.
    pub(crate) fn row_bytes(self, rows: usize) -> usize {
        rows * WIDTH * usize::from(self.bits()) / 8
    }

    /// Bytes of the scales of `blocks` scale blocks; floats have none.
    pub(crate) fn scale_bytes(self, blocks: usize) -> usize {
        if self == Self::Bits32 { 0 } else { blocks * size_of::<Scale>() }
    }
}

/// A quantised row: one number for each of 16 hands, in some precision.
pub(crate) trait Quantized: Copy + Send + Sync + Pod {
    /// All zero.
    const ZERO: Self;

    /// The largest magnitude of an encoded integer, in quantisation steps; none for floats.
    const MAX_STEPS: Option<f32>;

    /// Whether the numbers are signed integers.
    const IS_SIGNED: bool;

    /// Whether kernels are compiled once more for each small number of actions. Few solves have 4 bits, for which it is not worth the
    /// compile time.
    const UNROLLS: bool = true;

    /// The numbers, in quantisation steps.
    fn decode<L: Lanes>(&self, lanes: L) -> L::Numbers;

    /// Rounds numbers, given in quantisation steps, to the nearest integers.
    fn encode<L: Lanes>(lanes: L, steps: L::Numbers) -> Self;
}

/// Floats.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct F32(Row);

impl Quantized for F32 {
    const ZERO: Self = Self(Row::ZERO);
    const MAX_STEPS: Option<f32> = None;
    const IS_SIGNED: bool = false;

    #[inline(always)]
    fn decode<L: Lanes>(&self, lanes: L) -> L::Numbers {
        lanes.load(&self.0)
    }

    #[inline(always)]
    fn encode<L: Lanes>(lanes: L, steps: L::Numbers) -> Self {
        Self(lanes.row(steps))
    }
}

macro_rules! integer_quantized {
    ($(#[$doc:meta] $name:ident: $integer:ty, $align:literal, max $max:literal, $from:ident, $to:ident;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Pod, Zeroable)]
        #[repr(C, align($align))]
        pub(crate) struct $name([$integer; WIDTH]);

        impl Quantized for $name {
            const ZERO: Self = Self([0; WIDTH]);
            const MAX_STEPS: Option<f32> = Some($max);
            const IS_SIGNED: bool = <$integer>::MIN != 0;

            #[inline(always)]
            fn decode<L: Lanes>(&self, lanes: L) -> L::Numbers {
                lanes.$from(&self.0)
            }

            #[inline(always)]
            fn encode<L: Lanes>(lanes: L, steps: L::Numbers) -> Self {
                Self(lanes.$to(steps))
            }
        }
    )*};
}

integer_quantized!(
    /// Signed integers of 16 bits.
    I16: i16, 32, max 32_767.0, widen_i16, narrow_i16;
    /// Unsigned integers of 16 bits.
    U16: u16, 32, max 65_535.0, widen_u16, narrow_u16;
    /// Signed integers of 8 bits.
    I8: i8, 16, max 127.0, widen_i8, narrow_i8;
    /// Unsigned integers of 8 bits.
    U8: u8, 16, max 255.0, widen_u8, narrow_u8;
);

macro_rules! nibble_quantized {
    ($(#[$doc:meta] $name:ident: max $max:literal, zero at $offset:literal;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Pod, Zeroable)]
        #[repr(transparent)]
        pub(crate) struct $name(u64);

        impl Quantized for $name {
            const ZERO: Self = Self($offset * LOW_BITS);
            const MAX_STEPS: Option<f32> = Some($max);
            const IS_SIGNED: bool = $offset != 0;
            const UNROLLS: bool = false;

            #[inline(always)]
            fn decode<L: Lanes>(&self, lanes: L) -> L::Numbers {
                let halves = [self.0 & LOW_NIBBLES, self.0 >> 4 & LOW_NIBBLES];
                lanes.sub(lanes.widen_u8(&bytemuck::cast(halves)), lanes.splat($offset as f32))
            }

            #[inline(always)]
            fn encode<L: Lanes>(lanes: L, steps: L::Numbers) -> Self {
                // Conversion to bytes saturates, but that does not keep a number within four bits.
                let max = lanes.splat($max);
                let steps = lanes.where_more(steps, max, max, steps);
                let bytes = lanes.narrow_u8(lanes.add(steps, lanes.splat($offset as f32)));
                let [low, high]: [u64; 2] = bytemuck::cast(bytes);
                Self(low & LOW_NIBBLES | (high & LOW_NIBBLES) << 4)
            }
        }
    )*};
}

/// The lower half of every byte.
const LOW_NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
/// One in each half of every byte.
const LOW_BITS: u64 = 0x1111_1111_1111_1111;

nibble_quantized!(
    /// Signed integers of 4 bits, −7 to 7: hands 0 to 7 in the lower halves of the bytes, 8 to 15 in the upper.
    I4: max 7.0, zero at 8;
    /// Unsigned integers of 4 bits, 0 to 15.
    U4: max 15.0, zero at 0;
);

/// The quantisation step of a scale block, a power of two, as the exponent bits of a float. Zero if all numbers of the block are.
pub(crate) type Scale = u8;

/// The quantisation step that a scale stands for.
#[inline(always)]
pub(crate) fn step_of(scale: Scale) -> f32 {
    f32::from_bits(u32::from(scale) << 23)
}

/// The bits of 1.0.
const ONE: u32 = 1f32.to_bits();

/// The bits of a mantissa, all set.
const MANTISSA: u32 = 0x007f_ffff;

/// The smallest scale with which a number, given by its bits, is at most `max_steps` steps. Integer arithmetic does it, as the
/// exponent of a float stands above its mantissa.
#[inline(always)]
fn scale_of(bits: u32, max_steps: f32) -> Scale {
    ((bits + (ONE + MANTISSA) - max_steps.to_bits()) >> 23) as Scale
}

/// The inverse of [`scale_of`]: the bits of all numbers that have this scale and may be encoded, as a half-open range.
#[inline(always)]
fn magnitudes_of(scale: Scale, max_steps: f32) -> [u32; 2] {
    let from = (u32::from(scale) << 23) + max_steps.to_bits() - (ONE + MANTISSA);
    [from.max(MIN_MAGNITUDE.to_bits()), (from + MANTISSA + 1).min(MAX_MAGNITUDE.to_bits() + 1)]
}

/// The reciprocal of the step of a scale that is not zero.
#[inline(always)]
fn inverse_step(scale: Scale) -> f32 {
    step_of(254 - scale)
}

/// The factor on negative numbers when a scale is chosen; those that do not fit saturate. Regret matching uses positive regrets
/// only, and the large negative regrets of bad actions would otherwise leave few steps for them. On spot T with 8 bits for
/// regrets and strategies, this took 220 instead of more than 400 iterations to 0.1%.
const NEGATIVE_FACTOR: f32 = 1.0 / 16.0;

/// Blocks whose largest number is below this are encoded as zeros: so small a regret does not matter, and steps stay normal floats.
const MIN_MAGNITUDE: f32 = 1e-30;

/// Larger numbers saturate.
const MAX_MAGNITUDE: f32 = 1e30;

/// The seed of stochastic rounding for one block of hands at one iteration. A hash of keys rather than a shared stream, so that the
/// result does not depend on the number of threads.
#[derive(Clone, Copy)]
pub(crate) struct RoundingSeed {
    hash: u32,
    /// What is added to the random number of every hand.
    shift: u32,
}

/// The golden ratio modulo one, in units of 2⁻³²: its multiples are spread evenly between zero and one.
const GOLDEN_RATIO: u32 = 0x9e37_79b9;

impl RoundingSeed {
    /// The hash of keys: seed, iteration, player, deal…
    pub fn new(keys: &[usize]) -> Self {
        let hash = keys
            .iter()
            .fold(GOLDEN_RATIO, |hash, &key| mix_bits(hash ^ mix_bits(key as u32).wrapping_add(hash << 6)));
        Self { hash, shift: 0 }
    }

    /// The same for a number that is rounded again and again, at this one of its updates. Its offsets are spread evenly over time:
    /// small changes, each below a step, add up to as many steps as they should within two or three, where independent offsets would be
    /// off by the square root of their number. It is error feedback that needs no memory for the error.
    pub fn at_update(self, number: u32) -> Self {
        Self { shift: number.wrapping_mul(GOLDEN_RATIO), ..self }
    }

    /// The random offsets, row by row.
    #[inline(always)]
    pub fn offsets<L: Lanes>(self, lanes: L) -> RoundingOffsets<L> {
        let mut seeds = [0; WIDTH];
        for (i, seed) in seeds.iter_mut().enumerate() {
            *seed = mix_bits(self.hash ^ (i as u32).wrapping_mul(0x9e37_79b1)).wrapping_add(self.shift);
        }
        RoundingOffsets { lanes, words: lanes.words(&seeds) }
    }
}

/// An integer hash: every bit of the number affects every bit of the result.
#[inline(always)]
fn mix_bits(number: u32) -> u32 {
    let number = (number ^ (number >> 16)).wrapping_mul(0x7feb_352d);
    let number = (number ^ (number >> 15)).wrapping_mul(0x846c_a68b);
    number ^ (number >> 16)
}

/// A stream of rows of random offsets for stochastic rounding. Each hand starts at a random number and adds the golden ratio modulo
/// one for every row. Each offset is uniform, consecutive ones are spread evenly, some further apart (by 5, 8, 13…) are close to
/// each other, and different streams are independent.
pub(crate) struct RoundingOffsets<L: Lanes> {
    lanes: L,
    words: L::Words,
}

impl<L: Lanes> RoundingOffsets<L> {
    /// The next row, of offsets between −½ and ½.
    #[inline(always)]
    pub fn next(&mut self) -> L::Numbers {
        self.words = self.lanes.add_words(self.words, self.lanes.words(&[GOLDEN_RATIO; WIDTH]));
        self.lanes.fractions(self.words)
    }
}

/// Encodes the numbers of a scale block with stochastic rounding; floats are copied. As integers, numbers out of range
/// saturate and NaN becomes zero.
#[inline(always)]
pub(crate) fn encode_block<L: Lanes, Q: Quantized>(
    lanes: L,
    numbers: &[Row],
    rows: &mut [Q],
    scale: Option<&mut Scale>,
    offsets: &mut RoundingOffsets<L>,
) {
    let mut scale = scale;
    let mut try_encode = |numbers: &[Row]| {
        try_encode_block(
            lanes,
            #[inline(always)]
            |i| lanes.load(&numbers[i]),
            rows,
            scale.as_deref_mut(),
            offsets,
        )
    };
    if !try_encode(numbers) {
        try_encode(&numbers.iter().map(sanitized).collect::<Vec<Row>>());
    }
}

/// Numbers that can be encoded: clamped to the range, zero for NaN, and without negative zeros.
#[cold]
#[inline(never)]
fn sanitized(row: &Row) -> Row {
    // Adding zero makes a negative zero positive.
    Row(row
        .map(|number| if number.is_nan() { 0.0 } else { number.clamp(-MAX_MAGNITUDE, MAX_MAGNITUDE) + 0.0 }))
}

/// As [`encode_block`], but encodes nothing and returns false if a number is too large for the integers, NaN or negative zero. The
/// numbers are given by a function, so that they may stay in registers.
#[inline(always)]
pub(crate) fn try_encode_block<L: Lanes, Q: Quantized>(
    lanes: L,
    number: impl Fn(usize) -> L::Numbers,
    rows: &mut [Q],
    scale: Option<&mut Scale>,
    offsets: &mut RoundingOffsets<L>,
) -> bool {
    let (Some(max_steps), Some(scale)) = (Q::MAX_STEPS, scale) else {
        for (i, row) in rows.iter_mut().enumerate() {
            *row = Q::encode(lanes, number(i));
        }
        return true;
    };
    let mut largest = lanes.words(&[0; WIDTH]);
    let negative = lanes.splat(-NEGATIVE_FACTOR);
    for i in 0..rows.len() {
        // The larger of the two is not negative; if both are zeros, it is the second one.
        largest = lanes.larger_bits(largest, lanes.max(lanes.mul(number(i), negative), number(i)));
    }
    // Mostly the scale does not change. Then nothing waits for the largest number, which takes longer to compute than all the rest.
    let [from, to] = magnitudes_of(*scale, max_steps);
    if !lanes.largest_is_within(largest, from, to) {
        let largest = lanes.largest(largest);
        if largest > MAX_MAGNITUDE.to_bits() {
            return false;
        }
        if largest < MIN_MAGNITUDE.to_bits() {
            *scale = 0;
            rows.fill(Q::ZERO);
            return true;
        }
        *scale = scale_of(largest, max_steps);
    }
    let inverse_step = lanes.splat(inverse_step(*scale));
    // All actions of a hand are rounded with the same offset.
    let offset = offsets.next();
    for (i, row) in rows.iter_mut().enumerate() {
        *row = Q::encode(lanes, lanes.mul_add(number(i), inverse_step, offset));
    }
    true
}

#[cfg(test)]
mod tests;
