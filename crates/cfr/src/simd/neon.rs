//! NEON: four registers of four numbers, called through `pulp` like AVX2. Every 64-bit ARM processor has it.

use super::lanes::{Kernel, Lanes, RECIPROCAL_BITS, Row, WIDTH};
use pulp::cast;
use std::arch::aarch64::{float32x4_t, int16x8_t, int32x4_t, uint32x4_t};

/// A machine with NEON.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neon(pulp::core_arch::aarch64::Neon);

/// The registers of [`WIDTH`] numbers.
const REGISTERS: usize = 4;

type Floats = [float32x4_t; REGISTERS];
type Bits = [uint32x4_t; REGISTERS];

impl Neon {
    pub fn new() -> Option<Self> {
        pulp::core_arch::aarch64::Neon::try_new().map(Self)
    }

    /// Compiled like everything else: NEON is part of the target.
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn each<A: Copy, B>(self, four: [A; REGISTERS], of: impl Fn(A) -> B) -> [B; REGISTERS] {
        [of(four[0]), of(four[1]), of(four[2]), of(four[3])]
    }

    /// The nearest integers, ties to even.
    #[inline(always)]
    fn nearest(self, numbers: Floats) -> [int32x4_t; REGISTERS] {
        self.each(
            numbers,
            #[inline(always)]
            |numbers| self.0.vcvtnq_s32_f32(numbers),
        )
    }

    /// The nearest integers, saturated to 16 bits.
    #[inline(always)]
    fn nearest_i16(self, numbers: Floats) -> [int16x8_t; 2] {
        let [a, b, c, d] = self.nearest(numbers);
        let pack = |low, high| self.0.vqmovn_high_s32(self.0.vqmovn_s32(low), high);
        [pack(a, b), pack(c, d)]
    }

    /// Floats from 16 signed integers.
    #[inline(always)]
    fn floats_of_i16(self, [low, high]: [int16x8_t; 2]) -> Floats {
        let wide = [
            self.0.vmovl_s16(self.0.vget_low_s16(low)),
            self.0.vmovl_high_s16(low),
            self.0.vmovl_s16(self.0.vget_low_s16(high)),
            self.0.vmovl_high_s16(high),
        ];
        self.each(
            wide,
            #[inline(always)]
            |wide| self.0.vcvtq_f32_s32(wide),
        )
    }

    /// The columns of four quarters of rows.
    #[inline(always)]
    fn transpose_four(self, [a, b, c, d]: Floats) -> Floats {
        let pairs = [
            self.0.vtrn1q_f32(a, b),
            self.0.vtrn2q_f32(a, b),
            self.0.vtrn1q_f32(c, d),
            self.0.vtrn2q_f32(c, d),
        ];
        let first = |a, b| cast(self.0.vtrn1q_f64(cast::<float32x4_t, _>(a), cast::<float32x4_t, _>(b)));
        let second = |a, b| cast(self.0.vtrn2q_f64(cast::<float32x4_t, _>(a), cast::<float32x4_t, _>(b)));
        [
            first(pairs[0], pairs[2]),
            first(pairs[1], pairs[3]),
            second(pairs[0], pairs[2]),
            second(pairs[1], pairs[3]),
        ]
    }

    /// Calls `each` with the place of each of the first `count` columns, the index of a quarter, and that quarter.
    #[inline(always)]
    fn columns(
        self,
        rows: &[Row; WIDTH],
        places: &[u32; WIDTH],
        count: usize,
        mut each: impl FnMut(u32, usize, float32x4_t),
    ) {
        for side in 0..REGISTERS {
            if count <= 4 * side {
                return;
            }
            let places = &places[4 * side..4 * side + 4];
            for group in 0..REGISTERS {
                let four = self.four(
                    #[inline(always)]
                    |i| &rows[4 * group + i],
                    side,
                );
                let columns = self.transpose_four(four);
                if count >= 4 * side + 4 {
                    for i in 0..4 {
                        each(places[i], group, columns[i]);
                    }
                } else {
                    for i in 0..count - 4 * side {
                        each(places[i], group, columns[i]);
                    }
                }
            }
        }
    }

    /// One quarter of each of four rows.
    #[inline(always)]
    fn four<'r>(self, row: impl Fn(usize) -> &'r Row, quarter: usize) -> Floats {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| cast(quarters_of(row(i))[quarter]),
        )
    }
}

/// A row as its quarters.
#[inline(always)]
fn quarters_of(row: &Row) -> &[[f32; 4]; REGISTERS] {
    bytemuck::cast_ref(row)
}

/// As [`quarters_of`], to write.
#[inline(always)]
fn quarters_of_mut(row: &mut Row) -> &mut [[f32; 4]; REGISTERS] {
    bytemuck::cast_mut(row)
}

impl Lanes for Neon {
    type Numbers = Floats;
    type Words = Bits;

    #[inline(always)]
    fn splat(self, number: f32) -> Floats {
        [self.0.vdupq_n_f32(number); REGISTERS]
    }

    #[inline(always)]
    fn load(self, row: &Row) -> Floats {
        self.each(*quarters_of(row), cast)
    }

    #[inline(always)]
    fn row(self, numbers: Floats) -> Row {
        cast(numbers)
    }

    #[inline(always)]
    fn add(self, a: Floats, b: Floats) -> Floats {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vaddq_f32(a[i], b[i]),
        )
    }

    #[inline(always)]
    fn sub(self, a: Floats, b: Floats) -> Floats {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vsubq_f32(a[i], b[i]),
        )
    }

    #[inline(always)]
    fn mul(self, a: Floats, b: Floats) -> Floats {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vmulq_f32(a[i], b[i]),
        )
    }

    #[inline(always)]
    fn mul_add(self, a: Floats, b: Floats, plus: Floats) -> Floats {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vfmaq_f32(plus[i], a[i], b[i]),
        )
    }

    #[inline(always)]
    fn less_mul(self, from: Floats, a: Floats, b: Floats) -> Floats {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vfmsq_f32(from[i], a[i], b[i]),
        )
    }

    #[inline(always)]
    fn div(self, a: Floats, b: Floats) -> Floats {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vdivq_f32(a[i], b[i]),
        )
    }

    #[inline(always)]
    fn max(self, a: Floats, b: Floats) -> Floats {
        // Not the instruction for maxima, which takes NaN and the signs of zeros otherwise.
        self.where_more(a, b, a, b)
    }

    #[inline(always)]
    fn where_more(self, a: Floats, b: Floats, yes: Floats, no: Floats) -> Floats {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vbslq_f32(self.0.vcgtq_f32(a[i], b[i]), yes[i], no[i]),
        )
    }

    #[inline(always)]
    fn where_negative(self, test: Floats, yes: Floats, no: Floats) -> Floats {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vbslq_f32(self.0.vcltzq_s32(cast(test[i])), yes[i], no[i]),
        )
    }

    #[inline(always)]
    fn is_zero(self, numbers: Floats) -> bool {
        let [a, b, c, d] = self.each(numbers, cast);
        let any = self.0.vorrq_u32(self.0.vorrq_u32(a, b), self.0.vorrq_u32(c, d));
        // Without the signs.
        self.0.vmaxvq_u32(self.0.vshlq_n_u32::<1>(any)) == 0
    }

    #[inline(always)]
    fn prefetch(self, _byte: &u8) {}

    #[inline(always)]
    fn words(self, words: &[u32; WIDTH]) -> Bits {
        cast(*words)
    }

    #[inline(always)]
    fn add_words(self, a: Bits, b: Bits) -> Bits {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vaddq_u32(a[i], b[i]),
        )
    }

    #[inline(always)]
    fn fractions(self, words: Bits) -> Floats {
        let (one, middle) = (self.0.vdupq_n_u32(0x3f80_0001), self.0.vdupq_n_f32(1.5));
        self.each(
            words,
            #[inline(always)]
            |words| {
                let bits = self.0.vorrq_u32(self.0.vshrq_n_u32::<9>(words), one);
                self.0.vsubq_f32(cast(bits), middle)
            },
        )
    }

    #[inline(always)]
    fn larger_bits(self, bits: Bits, numbers: Floats) -> Bits {
        self.each(
            [0, 1, 2, 3],
            #[inline(always)]
            |i| self.0.vmaxq_u32(bits[i], cast(numbers[i])),
        )
    }

    #[inline(always)]
    fn largest(self, words: Bits) -> u32 {
        let [a, b, c, d] = words;
        self.0.vmaxvq_u32(self.0.vmaxq_u32(self.0.vmaxq_u32(a, b), self.0.vmaxq_u32(c, d)))
    }

    #[inline(always)]
    fn largest_is_within(self, words: Bits, from: u32, to: u32) -> bool {
        (from..to).contains(&self.largest(words))
    }

    #[inline(always)]
    fn rough_reciprocal(self, numbers: Floats) -> Floats {
        let one = self.0.vdupq_n_u32(RECIPROCAL_BITS);
        self.each(
            numbers,
            #[inline(always)]
            |numbers| cast(self.0.vsubq_u32(one, cast(numbers))),
        )
    }

    #[inline(always)]
    fn widen_i16(self, integers: &[i16; WIDTH]) -> Floats {
        self.floats_of_i16(cast(*integers))
    }

    #[inline(always)]
    fn widen_u16(self, integers: &[u16; WIDTH]) -> Floats {
        let [low, high] = cast(*integers);
        let wide = [
            self.0.vmovl_u16(self.0.vget_low_u16(low)),
            self.0.vmovl_high_u16(low),
            self.0.vmovl_u16(self.0.vget_low_u16(high)),
            self.0.vmovl_high_u16(high),
        ];
        self.each(
            wide,
            #[inline(always)]
            |wide| self.0.vcvtq_f32_u32(wide),
        )
    }

    #[inline(always)]
    fn widen_i8(self, integers: &[i8; WIDTH]) -> Floats {
        let all = cast(*integers);
        self.floats_of_i16([self.0.vmovl_s8(self.0.vget_low_s8(all)), self.0.vmovl_high_s8(all)])
    }

    #[inline(always)]
    fn widen_u8(self, integers: &[u8; WIDTH]) -> Floats {
        let all = cast(*integers);
        // At most 255, so the same with a sign.
        let [low, high] = [self.0.vmovl_u8(self.0.vget_low_u8(all)), self.0.vmovl_high_u8(all)];
        self.floats_of_i16([cast(low), cast(high)])
    }

    #[inline(always)]
    fn narrow_i16(self, numbers: Floats) -> [i16; WIDTH] {
        cast(self.nearest_i16(numbers))
    }

    #[inline(always)]
    fn narrow_u16(self, numbers: Floats) -> [u16; WIDTH] {
        let [a, b, c, d] = self.nearest(numbers);
        let pack = |low, high| self.0.vqmovun_high_s32(self.0.vqmovun_s32(low), high);
        cast([pack(a, b), pack(c, d)])
    }

    #[inline(always)]
    fn narrow_i8(self, numbers: Floats) -> [i8; WIDTH] {
        let [low, high] = self.nearest_i16(numbers);
        cast(self.0.vqmovn_high_s16(self.0.vqmovn_s16(low), high))
    }

    #[inline(always)]
    fn narrow_u8(self, numbers: Floats) -> [u8; WIDTH] {
        let [low, high] = self.nearest_i16(numbers);
        cast(self.0.vqmovun_high_s16(self.0.vqmovun_s16(low), high))
    }

    #[inline(always)]
    fn transpose<'r>(self, row: impl Fn(usize) -> &'r Row, columns: &mut [Row; WIDTH]) {
        for group in 0..REGISTERS {
            let rows = self.each(
                [0, 1, 2, 3],
                #[inline(always)]
                |i| row(4 * group + i),
            );
            for side in 0..REGISTERS {
                let four = self.four(
                    #[inline(always)]
                    |i| rows[i],
                    side,
                );
                let four = self.transpose_four(four);
                for i in 0..4 {
                    quarters_of_mut(&mut columns[4 * side + i])[group] = cast(four[i]);
                }
            }
        }
    }

    #[inline(always)]
    fn put_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize) {
        self.columns(
            rows,
            places,
            count,
            #[inline(always)]
            |place, quarter, numbers| {
                quarters_of_mut(&mut to[place as usize])[quarter] = cast(numbers);
            },
        );
    }

    #[inline(always)]
    fn add_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize) {
        self.columns(
            rows,
            places,
            count,
            #[inline(always)]
            |place, quarter, numbers| {
                let quarter = &mut quarters_of_mut(&mut to[place as usize])[quarter];
                *quarter = cast(self.0.vaddq_f32(cast(*quarter), numbers));
            },
        );
    }
}
