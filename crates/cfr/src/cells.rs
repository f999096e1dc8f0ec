//! How the solver's numbers are stored: floats, or integers with a scale that a block of them shares.
//!
//! A *cell* holds one number for each of [`HANDS`] hands. A block is the cells of one decision: all actions of 16 hands
//! that lie next to each other. Its scale is the upper half of a float, rounded up, so that the largest number of the
//! block always fits. Numbers between two steps are rounded up or down at random, by chances that keep the mean, so
//! that changes smaller than a step are not lost.

use crate::kernels::{HANDS, Row, ZERO};

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

    /// What the numbers of `cells` cells in `blocks` blocks take.
    pub(crate) fn bytes(self, cells: usize, blocks: usize) -> usize {
        let scales = if self == Self::Bits32 { 0 } else { blocks * size_of::<Scale>() };
        cells * HANDS * usize::from(self.bits()) / 8 + scales
    }
}

/// One number for each of 16 hands, in some precision.
pub(crate) trait Cell: Copy + Send + Sync + 'static {
    /// All zero.
    const ZERO: Self;

    /// The largest number of steps from zero; none for floats, which have no steps.
    const TOP: Option<f32>;

    /// The numbers, in steps.
    fn steps(&self) -> Row;

    /// Whole numbers of steps, within ±[`TOP`](Self::TOP).
    fn from_steps(steps: &Row) -> Self;
}

/// Floats.
#[derive(Clone, Copy)]
pub(crate) struct F32(Row);

impl Cell for F32 {
    const ZERO: Self = Self(ZERO);
    const TOP: Option<f32> = None;

    #[inline(always)]
    fn steps(&self) -> Row {
        self.0
    }

    #[inline(always)]
    fn from_steps(steps: &Row) -> Self {
        Self(*steps)
    }
}

macro_rules! integer_cell {
    ($(#[$doc:meta] $name:ident: $integer:ty),*) => {$(
        #[$doc]
        #[derive(Clone, Copy)]
        pub(crate) struct $name([$integer; HANDS]);

        impl Cell for $name {
            const ZERO: Self = Self([0; HANDS]);
            const TOP: Option<f32> = Some(<$integer>::MAX as f32);

            #[inline(always)]
            fn steps(&self) -> Row {
                let mut steps = ZERO;
                for h in 0..HANDS {
                    steps[h] = f32::from(self.0[h]);
                }
                steps
            }

            #[inline(always)]
            fn from_steps(steps: &Row) -> Self {
                let mut cell = Self::ZERO;
                for h in 0..HANDS {
                    cell.0[h] = steps[h] as i32 as $integer;
                }
                cell
            }
        }
    )*};
}

integer_cell!(
    /// Signed integers of 16 bits.
    I16: i16,
    /// Unsigned integers of 16 bits.
    U16: u16,
    /// Signed integers of 8 bits.
    I8: i8,
    /// Unsigned integers of 8 bits.
    U8: u8
);

const HALF: usize = HANDS / 2;

macro_rules! nibble_cell {
    ($(#[$doc:meta] $name:ident: top $top:literal, zero at $offset:literal),*) => {$(
        #[$doc]
        #[derive(Clone, Copy)]
        pub(crate) struct $name([u8; HALF]);

        impl Cell for $name {
            const ZERO: Self = Self([$offset | $offset << 4; HALF]);
            const TOP: Option<f32> = Some($top);

            #[inline(always)]
            fn steps(&self) -> Row {
                let mut steps = ZERO;
                for h in 0..HALF {
                    steps[h] = f32::from(self.0[h] & 15) - f32::from($offset as u8);
                    steps[HALF + h] = f32::from(self.0[h] >> 4) - f32::from($offset as u8);
                }
                steps
            }

            #[inline(always)]
            fn from_steps(steps: &Row) -> Self {
                let mut cell = Self::ZERO;
                for h in 0..HALF {
                    let low = (steps[h] as i32 + $offset) as u8;
                    let high = (steps[HALF + h] as i32 + $offset) as u8;
                    cell.0[h] = low | high << 4;
                }
                cell
            }
        }
    )*};
}

nibble_cell!(
    /// Signed integers of 4 bits, −7 to 7: hands 0 to 7 in the lower halves of the bytes, 8 to 15 in the upper.
    I4: top 7.0, zero at 8,
    /// Unsigned integers of 4 bits, 0 to 15.
    U4: top 15.0, zero at 0
);

/// The size of a step: the upper half of a float.
pub(crate) type Scale = u16;

#[inline(always)]
pub(crate) fn step_of(scale: Scale) -> f32 {
    f32::from_bits(u32::from(scale) << 16)
}

/// The smallest scale whose step is not below `step`.
#[inline(always)]
fn scale_of(step: f32) -> Scale {
    ((step.to_bits() + 0xffff) >> 16) as Scale
}

/// The scale for steps of at least `needed`: the old one as long as it fits without wasting half of the range. Numbers
/// that hardly change then stay on whole steps, where rounding does nothing, instead of being rounded anew each time.
#[inline(always)]
fn fitting(old: Scale, needed: f32) -> Scale {
    let step = step_of(old);
    if needed <= step && step <= 2.0 * needed { old } else { scale_of(needed * HEADROOM) }
}

/// How much larger than needed a new step is, so that it lasts.
const HEADROOM: f32 = 1.1;

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

    /// A number in 0..1 for each hand of a row.
    #[inline(always)]
    fn row(self, row: usize) -> Row {
        let mut numbers = ZERO;
        for (h, number) in numbers.iter_mut().enumerate() {
            let key = ((row * HANDS + h) as u32).wrapping_mul(0x9e37_79b1);
            *number = (scramble(self.0 ^ key) >> 8) as i32 as f32 * (1.0 / (1 << 24) as f32);
        }
        numbers
    }
}

/// Mixes the bits of a number.
#[inline(always)]
fn scramble(number: u32) -> u32 {
    let number = (number ^ (number >> 16)).wrapping_mul(0x7feb_352d);
    let number = (number ^ (number >> 15)).wrapping_mul(0x846c_a68b);
    number ^ (number >> 16)
}

/// Stores the numbers of a block, whose first row in its tile is `first_row`.
#[inline(always)]
pub(crate) fn store<C: Cell>(
    numbers: &[Row],
    cells: &mut [C],
    scale: Option<&mut Scale>,
    noise: Noise,
    first_row: usize,
) {
    let (Some(top), Some(scale)) = (C::TOP, scale) else {
        for (number, cell) in numbers.iter().zip(cells) {
            *cell = C::from_steps(number);
        }
        return;
    };
    let mut largest = ZERO;
    for row in numbers {
        for h in 0..HANDS {
            largest[h] = largest[h].max(row[h].abs());
        }
    }
    let largest = largest.iter().fold(0.0, |largest: f32, &number| largest.max(number)).min(MOST);
    if largest < NOTHING {
        *scale = 0;
        cells.fill(C::ZERO);
        return;
    }
    *scale = fitting(*scale, largest / top);
    let per_step = 1.0 / step_of(*scale);
    for (i, (row, cell)) in numbers.iter().zip(cells).enumerate() {
        let noise = noise.row(first_row + i);
        let mut steps = ZERO;
        for h in 0..HANDS {
            // A number that is not one fails the comparison and is stored as zero.
            let number = if row[h].abs() <= MOST { row[h] } else { 0.0 };
            steps[h] = (number * per_step + noise[h]).floor().clamp(-top, top);
        }
        *cell = C::from_steps(&steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored<C: Cell>(numbers: &[Row], noise: Noise) -> Vec<Row> {
        let mut cells = vec![C::ZERO; numbers.len()];
        let mut scale = 0;
        store(numbers, &mut cells, Some(&mut scale), noise, 0);
        let step = if C::TOP.is_some() { step_of(scale) } else { 1.0 };
        cells.iter().map(|cell| cell.steps().map(|steps| steps * step)).collect()
    }

    /// Numbers of both signs, or of one, over six orders of magnitude.
    fn numbers(seed: usize, signed: bool) -> Vec<Row> {
        let noise = Noise::new(&[seed]);
        (0..3)
            .map(|row| {
                let (sizes, signs) = (noise.row(row), noise.row(row + 100));
                std::array::from_fn(|h| {
                    let sign = if signed && signs[h] < 0.5 { -1.0 } else { 1.0 };
                    sign * 10f32.powf(6.0 * sizes[h] - 3.0)
                })
            })
            .collect()
    }

    fn round_trip<C: Cell>(signed: bool) {
        for seed in 0..200 {
            let numbers = numbers(seed, signed);
            let back = stored::<C>(&numbers, Noise::new(&[seed, 1]));
            let largest = numbers.iter().flatten().fold(0f32, |m, x| m.max(x.abs()));
            // A scale is rounded up by less than one part in 128.
            let step = C::TOP.map_or(0.0, |top| largest / top * HEADROOM * (1.0 + 1.0 / 128.0));
            for (number, back) in numbers.iter().flatten().zip(back.iter().flatten()) {
                assert!((number - back).abs() <= step * 1.001, "{number} came back as {back}, step {step}");
            }
        }
    }

    #[test]
    fn every_cell_gives_numbers_back_within_a_step() {
        round_trip::<F32>(true);
        round_trip::<I16>(true);
        round_trip::<I8>(true);
        round_trip::<I4>(true);
        round_trip::<U16>(false);
        round_trip::<U8>(false);
        round_trip::<U4>(false);
    }

    fn mean_error<C: Cell>(signed: bool) -> f64 {
        let numbers = numbers(7, signed);
        let largest = numbers.iter().flatten().fold(0f32, |m, x| m.max(x.abs()));
        let step = f64::from(largest / C::TOP.unwrap());
        let draws = 20_000;
        let mut sums = vec![0.0; numbers.len() * HANDS];
        for draw in 0..draws {
            let back = stored::<C>(&numbers, Noise::new(&[draw]));
            for (sum, back) in sums.iter_mut().zip(back.iter().flatten()) {
                *sum += f64::from(*back);
            }
        }
        let errors = sums.iter().zip(numbers.iter().flatten());
        errors
            .map(|(sum, &number)| ((sum / draws as f64 - f64::from(number)) / step).abs())
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
        let zero = stored::<C>(&[ZERO; 2], Noise::new(&[1]));
        assert!(zero.iter().flatten().all(|&number| number == 0.0));
        for seed in 0..50 {
            let mut row = ZERO;
            (row[3], row[9]) = (1e6, 1e-3);
            let back = stored::<C>(&[row], Noise::new(&[seed]));
            assert!(back[0][3] > 0.85e6 && back[0][0] == 0.0, "{back:?}");
        }
    }

    #[test]
    fn zero_stays_zero_and_the_largest_survives() {
        extremes::<I16>();
        extremes::<U16>();
        extremes::<I8>();
        extremes::<U8>();
        extremes::<U4>();
        extremes::<F32>();
    }

    #[test]
    fn numbers_on_whole_steps_are_not_rounded_again() {
        let mut cells = [U8::ZERO; 2];
        let mut scale = 0;
        store(&numbers(3, false)[..2], &mut cells, Some(&mut scale), Noise::new(&[1]), 0);
        for again in 0..100 {
            let before = cells.map(|cell| cell.0);
            let read = cells.map(|cell| cell.steps().map(|steps| steps * step_of(scale)));
            store(&read, &mut cells, Some(&mut scale), Noise::new(&[2, again]), 0);
            assert_eq!(cells.map(|cell| cell.0), before);
        }
    }

    #[test]
    fn what_is_not_a_number_never_enters_a_block() {
        let mut row = [1.0; HANDS];
        (row[0], row[1], row[2]) = (f32::NAN, f32::INFINITY, f32::NEG_INFINITY);
        for back in [stored::<I16>(&[row], Noise::new(&[1])), stored::<U4>(&[row], Noise::new(&[1]))] {
            assert!(back.iter().flatten().all(|number| number.is_finite()));
        }
        let tiny = stored::<I8>(&[[1e-38; HANDS]], Noise::new(&[1]));
        assert!(tiny.iter().flatten().all(|&number| number == 0.0));
    }

    #[test]
    fn random_numbers_are_spread_evenly() {
        let mut counts = [0; 10];
        for place in 0..1000 {
            for number in Noise::new(&[5, place]).row(place % 7) {
                counts[(number * 10.0) as usize] += 1;
            }
        }
        assert!(counts.iter().all(|&count| (1400..1800).contains(&count)), "{counts:?}");
    }
}
