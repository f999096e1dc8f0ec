//! How the solver's numbers are stored: floats, or integers with a scale that a block of them shares.
//!
//! A *cell* holds one number for each of 16 hands. A block is the cells of one decision: all actions of 16 hands
//! that lie next to each other. Its scale is a power of two, so that the largest number of the block just fits. Numbers
//! between two steps are rounded up or down at random, by chances that keep the mean, so that changes smaller than a step are
//! not lost.

use crate::simd::{Lanes, Row, WIDTH};
use bytemuck::{Pod, Zeroable};

/// How many bits a stored number has.
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
    /// All of them, coarsest first.
    pub const ALL: [Self; 4] = [Self::Bits4, Self::Bits8, Self::Bits16, Self::Bits32];

    /// How many bits a number has.
    pub fn bits(self) -> u8 {
        match self {
            Self::Bits4 => 4,
            Self::Bits8 => 8,
            Self::Bits16 => 16,
            Self::Bits32 => 32,
        }
    }

    /// What `cells` cells take.
    pub(crate) fn cell_bytes(self, cells: usize) -> usize {
        cells * WIDTH * usize::from(self.bits()) / 8
    }

    /// What the scales of `blocks` blocks take.
    pub(crate) fn scale_bytes(self, blocks: usize) -> usize {
        if self == Self::Bits32 { 0 } else { blocks * size_of::<Scale>() }
    }
}

/// One number for each of 16 hands, in some precision.
pub(crate) trait Cell: Copy + Send + Sync + Pod {
    /// All zero.
    const ZERO: Self;

    /// The largest number of steps from zero that is used; none for floats, which have no steps.
    const TOP: Option<f32>;

    /// Whether they are integers with a sign.
    const IS_SIGNED: bool;

    /// The numbers, in steps.
    fn steps<L: Lanes>(&self, lanes: L) -> L::Numbers;

    /// The nearest whole numbers of steps.
    fn nearest<L: Lanes>(lanes: L, steps: L::Numbers) -> Self;
}

/// Floats.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct F32(Row);

impl Cell for F32 {
    const ZERO: Self = Self(Row::ZERO);
    const TOP: Option<f32> = None;
    const IS_SIGNED: bool = false;

    #[inline(always)]
    fn steps<L: Lanes>(&self, lanes: L) -> L::Numbers {
        lanes.load(&self.0)
    }

    #[inline(always)]
    fn nearest<L: Lanes>(lanes: L, steps: L::Numbers) -> Self {
        Self(lanes.row(steps))
    }
}

macro_rules! integer_cell {
    ($(#[$doc:meta] $name:ident: $integer:ty, $align:literal, top $top:literal, $from:ident, $to:ident;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Pod, Zeroable)]
        #[repr(C, align($align))]
        pub(crate) struct $name([$integer; WIDTH]);

        impl Cell for $name {
            const ZERO: Self = Self([0; WIDTH]);
            const TOP: Option<f32> = Some($top);
            const IS_SIGNED: bool = <$integer>::MIN != 0;

            #[inline(always)]
            fn steps<L: Lanes>(&self, lanes: L) -> L::Numbers {
                lanes.$from(&self.0)
            }

            #[inline(always)]
            fn nearest<L: Lanes>(lanes: L, steps: L::Numbers) -> Self {
                Self(lanes.$to(steps))
            }
        }
    )*};
}

integer_cell!(
    /// Signed integers of 16 bits.
    I16: i16, 32, top 32_767.0, widen_i16, narrow_i16;
    /// Unsigned integers of 16 bits.
    U16: u16, 32, top 65_535.0, widen_u16, narrow_u16;
    /// Signed integers of 8 bits.
    I8: i8, 16, top 127.0, widen_i8, narrow_i8;
    /// Unsigned integers of 8 bits.
    U8: u8, 16, top 255.0, widen_u8, narrow_u8;
);

macro_rules! nibble_cell {
    ($(#[$doc:meta] $name:ident: top $top:literal, zero at $offset:literal;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, Pod, Zeroable)]
        #[repr(transparent)]
        pub(crate) struct $name(u64);

        impl Cell for $name {
            const ZERO: Self = Self($offset * LOW_BITS);
            const TOP: Option<f32> = Some($top);
            const IS_SIGNED: bool = $offset != 0;

            #[inline(always)]
            fn steps<L: Lanes>(&self, lanes: L) -> L::Numbers {
                let halves = [self.0 & LOW_NIBBLES, self.0 >> 4 & LOW_NIBBLES];
                lanes.sub(lanes.widen_u8(&bytemuck::cast(halves)), lanes.splat($offset as f32))
            }

            #[inline(always)]
            fn nearest<L: Lanes>(lanes: L, steps: L::Numbers) -> Self {
                // Whole bytes stop at their largest number; halves would begin again.
                let top = lanes.splat($top);
                let steps = lanes.where_more(steps, top, top, steps);
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

nibble_cell!(
    /// Signed integers of 4 bits, −7 to 7: hands 0 to 7 in the lower halves of the bytes, 8 to 15 in the upper.
    I4: top 7.0, zero at 8;
    /// Unsigned integers of 4 bits, 0 to 15.
    U4: top 15.0, zero at 0;
);

/// The size of a step, a power of two: the exponent of a float. Zero if all numbers of the block are.
pub(crate) type Scale = u8;

#[inline(always)]
pub(crate) fn step_of(scale: Scale) -> f32 {
    f32::from_bits(u32::from(scale) << 23)
}

/// The bits of one.
const ONE: u32 = 1f32.to_bits();

/// The bits of a mantissa, all set.
const MANTISSA: u32 = 0x007f_ffff;

/// The smallest scale with which a number, given by its bits, is not more than `top` steps: by integers, as exponents are in front of
/// mantissas.
#[inline(always)]
fn scale_of(bits: u32, top: f32) -> Scale {
    ((bits + (ONE + MANTISSA) - top.to_bits()) >> 23) as Scale
}

/// The opposite of [`scale_of`]: the bits of all numbers that have this scale and may be stored, from the first and less than the
/// second.
#[inline(always)]
fn numbers_of(scale: Scale, top: f32) -> [u32; 2] {
    let from = (u32::from(scale) << 23) + top.to_bits() - (ONE + MANTISSA);
    [from.max(NOTHING.to_bits()), (from + MANTISSA + 1).min(MOST.to_bits() + 1)]
}

/// One over the step of a scale that is not zero.
#[inline(always)]
fn per_step(scale: Scale) -> f32 {
    step_of(254 - scale)
}

/// How much numbers below zero count when a scale is chosen; those that do not fit become the lowest that does. Only regrets above zero
/// are played by, and what an action lost by being hopeless would otherwise leave few steps for them. On spot T with 8 bits for
/// regrets and strategies, this took 220 instead of more than 400 iterations to 0.1%.
const BELOW_ZERO: f32 = 1.0 / 16.0;

/// Blocks whose largest number is below this are stored as zeros: nothing that small matters, and steps stay normal.
const NOTHING: f32 = 1e-30;

/// Blocks never hold a larger number.
const MOST: f32 = 1e30;

/// Random numbers for one block of hands at one iteration: the same for the same place, whoever asks.
#[derive(Clone, Copy)]
pub(crate) struct Noise(u32);

impl Noise {
    /// `keys` name the place: seed, iteration, player, deal…
    pub fn new(keys: &[usize]) -> Self {
        Self(
            keys.iter().fold(0x9e37_79b9, |hash, &key| {
                scramble(hash ^ scramble(key as u32).wrapping_add(hash << 6))
            }),
        )
    }

    /// The random numbers, row by row.
    #[inline(always)]
    pub fn draws<L: Lanes>(self, lanes: L) -> Draws<L> {
        let mut seeds = [0; WIDTH];
        for (i, seed) in seeds.iter_mut().enumerate() {
            *seed = scramble(self.0 ^ (i as u32).wrapping_mul(0x9e37_79b1));
        }
        Draws { lanes, words: lanes.words(&seeds) }
    }
}

/// Mixes the bits of a number.
#[inline(always)]
fn scramble(number: u32) -> u32 {
    let number = (number ^ (number >> 16)).wrapping_mul(0x7feb_352d);
    let number = (number ^ (number >> 15)).wrapping_mul(0x846c_a68b);
    number ^ (number >> 16)
}

/// A stream of random rows: from a random start for each hand, on by the golden section each time. Each number alone is uniform, those
/// that follow each other are spread evenly, and some further apart (by 5, 8, 13…) are alike; streams have nothing to do with each other.
pub(crate) struct Draws<L: Lanes> {
    lanes: L,
    words: L::Words,
}

impl<L: Lanes> Draws<L> {
    /// The next row, of numbers between −½ and ½.
    #[inline(always)]
    pub fn next(&mut self) -> L::Numbers {
        self.words = self.lanes.add_words(self.words, self.lanes.words(&[0x9e37_79b9; WIDTH]));
        self.lanes.fractions(self.words)
    }
}

/// Stores the numbers of a block, one for each cell, whatever they are.
#[inline(always)]
pub(crate) fn store<L: Lanes, C: Cell>(
    lanes: L,
    numbers: &[Row],
    cells: &mut [C],
    scale: Option<&mut Scale>,
    draws: &mut Draws<L>,
) {
    let mut scale = scale;
    let mut stores = |numbers: &[Row]| {
        try_store(
            lanes,
            #[inline(always)]
            |i| lanes.load(&numbers[i]),
            cells,
            scale.as_deref_mut(),
            draws,
        )
    };
    if !stores(numbers) {
        stores(&numbers.iter().map(tame).collect::<Vec<Row>>());
    }
}

/// Numbers of which those that are too large to be stored have become the largest there may be, those that are none zero, and zeros
/// below zero zeros.
#[cold]
#[inline(never)]
fn tame(row: &Row) -> Row {
    // Zero is added so that a zero has no sign.
    Row(row.map(|number| if number.is_nan() { 0.0 } else { number.clamp(-MOST, MOST) + 0.0 }))
}

/// Stores the numbers of a block, one for each cell, unless one of them is too large, not a number, or a zero below zero. By a
/// function, so that they may stay in registers.
#[inline(always)]
pub(crate) fn try_store<L: Lanes, C: Cell>(
    lanes: L,
    number: impl Fn(usize) -> L::Numbers,
    cells: &mut [C],
    scale: Option<&mut Scale>,
    draws: &mut Draws<L>,
) -> bool {
    let (Some(top), Some(scale)) = (C::TOP, scale) else {
        for (i, cell) in cells.iter_mut().enumerate() {
            *cell = C::nearest(lanes, number(i));
        }
        return true;
    };
    let mut largest = lanes.words(&[0; WIDTH]);
    let below = lanes.splat(-BELOW_ZERO);
    for i in 0..cells.len() {
        // None of these is below zero: of two zeros, it is the second one.
        largest = lanes.larger_bits(largest, lanes.max(lanes.mul(number(i), below), number(i)));
    }
    // A scale mostly stays what it was. Then nothing waits for the largest number, which takes longer to find than all else here.
    let [from, to] = numbers_of(*scale, top);
    if !lanes.largest_is_within(largest, from, to) {
        let largest = lanes.largest(largest);
        if largest > MOST.to_bits() {
            return false;
        }
        if largest < NOTHING.to_bits() {
            *scale = 0;
            cells.fill(C::ZERO);
            return true;
        }
        *scale = scale_of(largest, top);
    }
    let per_step = lanes.splat(per_step(*scale));
    // All actions of a hand are rounded by the same random number.
    let noise = draws.next();
    for (i, cell) in cells.iter_mut().enumerate() {
        *cell = C::nearest(lanes, lanes.mul_add(number(i), per_step, noise));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, Plain, run};

    /// Stores numbers, as the solver does.
    struct Store<'a, C> {
        numbers: &'a [Row],
        cells: &'a mut [C],
        scale: &'a mut Scale,
        noise: Noise,
        /// How many rows were drawn before.
        drawn: usize,
    }

    impl<C: Cell> Kernel for Store<'_, C> {
        type Output = ();

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) {
            let mut draws = self.noise.draws(lanes);
            for _ in 0..self.drawn {
                draws.next();
            }
            store(lanes, self.numbers, self.cells, Some(self.scale), &mut draws);
        }
    }

    fn stored<C: Cell>(numbers: &[Row], noise: Noise) -> Vec<Row> {
        stored_after::<C>(numbers, noise, 0)
    }

    fn stored_after<C: Cell>(numbers: &[Row], noise: Noise, drawn: usize) -> Vec<Row> {
        let mut cells = vec![C::ZERO; numbers.len()];
        let mut scale = 0;
        run(Store { numbers, cells: &mut cells, scale: &mut scale, noise, drawn });
        // Whatever the scale was before, and in the plain instructions.
        for before in [0, scale.saturating_sub(1), scale, scale.saturating_add(1), Scale::MAX] {
            let mut again = [(vec![C::ZERO; numbers.len()], before), (vec![C::ZERO; numbers.len()], before)];
            let [best, plain] =
                again.each_mut().map(|(cells, scale)| Store { numbers, cells, scale, noise, drawn });
            run(best);
            plain.run(Plain);
            for (others, other) in &again {
                assert!(scale == *other, "scales differ after {before}");
                assert!(bytes_of(&cells) == bytes_of(others), "bits differ after {before}");
            }
        }
        read(&cells, scale)
    }

    fn bytes_of<C: Cell>(cells: &[C]) -> &[u8] {
        bytemuck::cast_slice(cells)
    }

    fn read<C: Cell>(cells: &[C], scale: Scale) -> Vec<Row> {
        cells.iter().map(|cell| Row(cell.steps(Plain).map(|steps| steps * step_of(scale)))).collect()
    }

    /// A random number in 0..1 for each hand of a row.
    fn random(keys: &[usize]) -> Row {
        Row(Noise::new(keys).draws(Plain).next().map(|number| number + 0.5))
    }

    /// Numbers of both signs, or of one, over six orders of magnitude.
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

    fn round_trip<C: Cell>(signed: bool) {
        for seed in 0..200 {
            let numbers = numbers(seed, signed);
            let back = stored::<C>(&numbers, Noise::new(&[seed, 1]));
            let step = 2.0 * largest_of(&numbers) / C::TOP.unwrap();
            for (number, back) in all(&numbers).zip(all(&back)) {
                assert!((number - back).abs() <= step * 1.001, "{number} came back as {back}, step {step}");
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
                    assert_eq!(step_of(scale) * per_step(scale), 1.0);
                    let is_of = |scale: Scale| {
                        let [from, to] = numbers_of(scale, top);
                        (from..to).contains(&bits)
                    };
                    let may_be_stored = (NOTHING.to_bits()..=MOST.to_bits()).contains(&bits);
                    assert_eq!([scale - 1, scale, scale + 1].map(is_of), [false, may_be_stored, false]);
                }
            }
        }
    }

    #[test]
    fn every_cell_gives_numbers_back_within_a_step() {
        round_trip::<I16>(true);
        round_trip::<I8>(true);
        round_trip::<I4>(true);
        round_trip::<U16>(false);
        round_trip::<U8>(false);
        round_trip::<U4>(false);
        for row in numbers(1, true) {
            assert_eq!(F32::nearest(Plain, row).steps(Plain), row);
        }
    }

    #[test]
    fn the_largest_number_stays_the_largest_whatever_is_drawn() {
        // A little less than a half, which the sum with a large number rounds to a half.
        let just_below = 0.5 - f32::EPSILON;
        let top = |cell: Row| cell[0];
        assert_eq!(top(U4::nearest(Plain, Row([15.0 + just_below; WIDTH])).steps(Plain)), 15.0);
        assert_eq!(top(I4::nearest(Plain, Row([7.0 + just_below; WIDTH])).steps(Plain)), 7.0);
        assert_eq!(top(U4::nearest(Plain, Row([40.0; WIDTH])).steps(Plain)), 15.0);
        assert_eq!(top(I4::nearest(Plain, Row([40.0; WIDTH])).steps(Plain)), 7.0);
        assert_eq!(top(U8::nearest(Plain, Row([255.0 + just_below; WIDTH])).steps(Plain)), 255.0);
        assert_eq!(top(I8::nearest(Plain, Row([127.0 + just_below; WIDTH])).steps(Plain)), 127.0);
    }

    fn mean_error<C: Cell>(signed: bool) -> f64 {
        let numbers = numbers(7, signed);
        let step = f64::from(step_of(scale_of(largest_of(&numbers).to_bits(), C::TOP.unwrap())));
        let draws = 20_000;
        let mut sums = vec![0.0; numbers.len() * WIDTH];
        for draw in 0..draws {
            let back = stored_after::<C>(&numbers, Noise::new(&[draw]), draw % 40);
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
    fn rounding_keeps_the_mean() {
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

    fn extremes<C: Cell>() {
        let zero = stored::<C>(&[Row::ZERO; 2], Noise::new(&[1]));
        assert!(all(&zero).all(|number| number == 0.0));
        for seed in 0..50 {
            let mut row = Row::ZERO;
            (row[3], row[9]) = (1e6, 1e-3);
            let back = stored::<C>(&[row], Noise::new(&[seed]));
            assert!(back[0][3] > 0.75e6 && back[0][0] == 0.0, "{back:?}");
        }
    }

    fn stored_whatever_the_scale_was<C: Cell>() {
        for number in [0.0, 9.9e-31, 1.01e-30, 3e-30, 1.0, 127.0, 65_535.0, 9.9e29, 1.01e30, f32::INFINITY] {
            let numbers = [Row([number; WIDTH]), Row([number / 3.0; WIDTH])];
            let after = |before: Scale| {
                let (mut cells, mut scale, noise) = ([C::ZERO; 2], before, Noise::new(&[3]));
                run(Store { numbers: &numbers, cells: &mut cells, scale: &mut scale, noise, drawn: 0 });
                (bytes_of(&cells).to_vec(), scale)
            };
            for before in 1..=Scale::MAX {
                assert_eq!(after(before), after(0), "{number} after a scale of {before}");
            }
        }
    }

    #[test]
    fn numbers_are_stored_alike_whatever_the_scale_was() {
        stored_whatever_the_scale_was::<I16>();
        stored_whatever_the_scale_was::<U16>();
        stored_whatever_the_scale_was::<I8>();
        stored_whatever_the_scale_was::<U8>();
        stored_whatever_the_scale_was::<I4>();
        stored_whatever_the_scale_was::<U4>();
    }

    #[test]
    fn zero_stays_zero_and_the_largest_survives() {
        extremes::<I16>();
        extremes::<U16>();
        extremes::<I8>();
        extremes::<U8>();
        extremes::<I4>();
        extremes::<U4>();
    }

    #[test]
    fn numbers_far_below_zero_become_the_lowest() {
        let mut row = Row([1.0; WIDTH]);
        (row[1], row[2]) = (-5.0, -1.0);
        let back = stored::<I8>(&[row], Noise::new(&[1]));
        // The step is 1/64: the smallest power of two of which 127 make up one.
        assert_eq!((back[0][0], back[0][1], back[0][2]), (1.0, -2.0, -1.0));
    }

    #[test]
    fn numbers_on_whole_steps_are_not_rounded_again() {
        let mut cells = [U8::ZERO; 2];
        let mut scale = 0;
        let first = &numbers(3, false)[..2];
        run(Store {
            numbers: first,
            cells: &mut cells,
            scale: &mut scale,
            noise: Noise::new(&[1]),
            drawn: 0,
        });
        for again in 0..100 {
            let before = cells.map(|cell| cell.0);
            let numbers = read(&cells, scale);
            let noise = Noise::new(&[2, again]);
            run(Store { numbers: &numbers, cells: &mut cells, scale: &mut scale, noise, drawn: 0 });
            assert_eq!(cells.map(|cell| cell.0), before);
        }
    }

    #[test]
    fn what_is_not_a_number_never_enters_a_block() {
        let mut row = Row([1.0; WIDTH]);
        (row[0], row[1], row[2]) = (f32::NAN, f32::INFINITY, f32::NEG_INFINITY);
        for back in [stored::<I16>(&[row], Noise::new(&[1])), stored::<U4>(&[row], Noise::new(&[1]))] {
            assert!(all(&back).all(f32::is_finite));
        }
        // A zero with the sign of numbers below it is a zero.
        let mut row = Row([1.0; WIDTH]);
        (row[1], row[2]) = (-0.0, -1.0);
        for back in [stored::<I8>(&[row], Noise::new(&[1])), stored::<I4>(&[row], Noise::new(&[1]))] {
            assert_eq!((back[0][0], back[0][1], back[0][2]), (1.0, 0.0, -1.0));
        }
        let tiny = stored::<I8>(&[Row([1e-38; WIDTH])], Noise::new(&[1]));
        assert!(all(&tiny).all(|number| number == 0.0));
    }

    #[test]
    fn random_numbers_are_spread_evenly() {
        let mut counts = [0; 10];
        for place in 0..100 {
            let mut draws = Noise::new(&[5, place]).draws(Plain);
            for number in (0..10).flat_map(|_| draws.next().0) {
                counts[((number + 0.5) * 10.0) as usize] += 1;
            }
        }
        assert!(counts.iter().all(|&count| (1400..1800).contains(&count)), "{counts:?}");
    }
}
