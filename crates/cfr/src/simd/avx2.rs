//! AVX2: two registers of eight numbers. The instructions are called through `pulp`, whose token proves that the machine has them.

use super::lanes::{Kernel, Lanes, RECIPROCAL_BITS, Row, WIDTH};
use pulp::cast;
use pulp::x86::V3;
use std::arch::x86_64::{__m128i, __m256, __m256i, _MM_HINT_T0};

/// A machine with AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(V3);

impl From<V3> for Avx2 {
    #[inline(always)]
    fn from(token: V3) -> Self {
        Self(token)
    }
}

impl Avx2 {
    pub fn new() -> Option<Self> {
        V3::try_new().map(Self)
    }

    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        self.0.vectorize(
            #[inline(always)]
            || kernel.run(self),
        )
    }

    /// Maps both halves. The `map` of arrays is not always inlined, and would then be compiled for another instruction set.
    #[inline(always)]
    fn each<A: Copy, B>(self, pair: [A; 2], of: impl Fn(A) -> B) -> [B; 2] {
        [of(pair[0]), of(pair[1])]
    }

    #[inline(always)]
    fn both(self, a: [__m256; 2], b: [__m256; 2], of: impl Fn(__m256, __m256) -> __m256) -> [__m256; 2] {
        [of(a[0], b[0]), of(a[1], b[1])]
    }

    /// The nearest integers, as 16 integers of 16 bits in order.
    #[inline(always)]
    fn packed(self, numbers: [__m256; 2], pack: impl Fn(__m256i, __m256i) -> __m256i) -> __m256i {
        let [low, high] = self.each(
            numbers,
            #[inline(always)]
            |half| self.0.avx._mm256_cvtps_epi32(half),
        );
        // Packing works on 128-bit halves: put the quarters back in order.
        self.0.avx2._mm256_permute4x64_epi64::<0b11_01_10_00>(pack(low, high))
    }

    /// The nearest integers, as 16 integers of 8 bits in order.
    #[inline(always)]
    fn packed_bytes(self, numbers: [__m256; 2], pack: impl Fn(__m128i, __m128i) -> __m128i) -> __m128i {
        let [low, high] = self.each(
            numbers,
            #[inline(always)]
            |half| self.0.avx._mm256_cvtps_epi32(half),
        );
        let [first, second] = self.halves(self.0.avx2._mm256_packs_epi32(low, high));
        self.0.sse2._mm_shuffle_epi32::<0b11_01_10_00>(pack(first, second))
    }

    /// Splits 16 integers of 8 bits into two registers of eight.
    #[inline(always)]
    fn eights(self, bytes: [u64; 2]) -> [__m128i; 2] {
        self.each(
            bytes,
            #[inline(always)]
            |eight| self.0.sse2._mm_set_epi64x(0, eight as i64),
        )
    }

    #[inline(always)]
    fn halves(self, integers: __m256i) -> [__m128i; 2] {
        [self.0.avx._mm256_castsi256_si128(integers), self.0.avx2._mm256_extracti128_si256::<1>(integers)]
    }

    #[inline(always)]
    fn floats(self, low: __m256i, high: __m256i) -> [__m256; 2] {
        [self.0.avx._mm256_cvtepi32_ps(low), self.0.avx._mm256_cvtepi32_ps(high)]
    }

    /// Calls `each` with the place of each of the first `count` columns, the index of a half, and that half.
    #[inline(always)]
    fn columns(
        self,
        rows: &[Row; WIDTH],
        places: &[u32; WIDTH],
        count: usize,
        mut each: impl FnMut(u32, usize, __m256),
    ) {
        // Not a loop: the compiler would not unroll it, and would compute all addresses at run time.
        self.eight_columns::<0, 0>(rows, places, count, &mut each);
        self.eight_columns::<0, 1>(rows, places, count, &mut each);
        self.eight_columns::<1, 0>(rows, places, count, &mut each);
        self.eight_columns::<1, 1>(rows, places, count, &mut each);
    }

    /// The halves of eight columns on one side that lie in one group of eight rows.
    #[inline(always)]
    fn eight_columns<const SIDE: usize, const GROUP: usize>(
        self,
        rows: &[Row; WIDTH],
        places: &[u32; WIDTH],
        count: usize,
        each: &mut impl FnMut(u32, usize, __m256),
    ) {
        let mut eight = [&Row::ZERO; 8];
        for i in 0..8 {
            eight[i] = &rows[8 * GROUP + i];
        }
        let columns = self.transpose_eight(self.eight(eight, SIDE));
        let places = &places[8 * SIDE..8 * SIDE + 8];
        if count >= 8 * SIDE + 8 {
            for i in 0..8 {
                each(places[i], GROUP, columns[i]);
            }
        } else {
            for i in 0..count.saturating_sub(8 * SIDE) {
                each(places[i], GROUP, columns[i]);
            }
        }
    }

    /// Transposes eight rows into halves of columns.
    #[inline(always)]
    fn eight_rows<'r, const GROUP: usize>(self, row: &impl Fn(usize) -> &'r Row, columns: &mut [Row; WIDTH]) {
        let mut rows = [&Row::ZERO; 8];
        for (i, to) in rows.iter_mut().enumerate() {
            *to = row(8 * GROUP + i);
        }
        let (left, right) = columns.split_at_mut(8);
        for (side, columns) in [left, right].into_iter().enumerate() {
            let eight = self.transpose_eight(self.eight(rows, side));
            for i in 0..8 {
                halves_of_mut(&mut columns[i])[GROUP] = cast(eight[i]);
            }
        }
    }

    /// One half of eight rows.
    #[inline(always)]
    fn eight(self, rows: [&Row; 8], half: usize) -> [__m256; 8] {
        let mut halves = [self.0.avx._mm256_setzero_ps(); 8];
        for i in 0..8 {
            halves[i] = cast(halves_of(rows[i])[half]);
        }
        halves
    }

    /// Transposes eight rows of eight.
    #[inline(always)]
    fn transpose_eight(self, rows: [__m256; 8]) -> [__m256; 8] {
        let avx = self.0.avx;
        let [a, b, c, d, e, f, g, h] = rows;
        let pairs = [
            avx._mm256_unpacklo_ps(a, b),
            avx._mm256_unpackhi_ps(a, b),
            avx._mm256_unpacklo_ps(c, d),
            avx._mm256_unpackhi_ps(c, d),
            avx._mm256_unpacklo_ps(e, f),
            avx._mm256_unpackhi_ps(e, f),
            avx._mm256_unpacklo_ps(g, h),
            avx._mm256_unpackhi_ps(g, h),
        ];
        const LOW: i32 = 0b01_00_01_00;
        const HIGH: i32 = 0b11_10_11_10;
        let fours = [
            avx._mm256_shuffle_ps::<LOW>(pairs[0], pairs[2]),
            avx._mm256_shuffle_ps::<HIGH>(pairs[0], pairs[2]),
            avx._mm256_shuffle_ps::<LOW>(pairs[1], pairs[3]),
            avx._mm256_shuffle_ps::<HIGH>(pairs[1], pairs[3]),
            avx._mm256_shuffle_ps::<LOW>(pairs[4], pairs[6]),
            avx._mm256_shuffle_ps::<HIGH>(pairs[4], pairs[6]),
            avx._mm256_shuffle_ps::<LOW>(pairs[5], pairs[7]),
            avx._mm256_shuffle_ps::<HIGH>(pairs[5], pairs[7]),
        ];
        [
            avx._mm256_permute2f128_ps::<0x20>(fours[0], fours[4]),
            avx._mm256_permute2f128_ps::<0x20>(fours[1], fours[5]),
            avx._mm256_permute2f128_ps::<0x20>(fours[2], fours[6]),
            avx._mm256_permute2f128_ps::<0x20>(fours[3], fours[7]),
            avx._mm256_permute2f128_ps::<0x31>(fours[0], fours[4]),
            avx._mm256_permute2f128_ps::<0x31>(fours[1], fours[5]),
            avx._mm256_permute2f128_ps::<0x31>(fours[2], fours[6]),
            avx._mm256_permute2f128_ps::<0x31>(fours[3], fours[7]),
        ]
    }
}

/// A row as its halves.
#[inline(always)]
fn halves_of(row: &Row) -> &[[f32; 8]; 2] {
    bytemuck::cast_ref(row)
}

/// As [`halves_of`], to write.
#[inline(always)]
fn halves_of_mut(row: &mut Row) -> &mut [[f32; 8]; 2] {
    bytemuck::cast_mut(row)
}

impl Lanes for Avx2 {
    type Numbers = [__m256; 2];
    type Words = [__m256i; 2];

    #[inline(always)]
    fn splat(self, number: f32) -> [__m256; 2] {
        [self.0.avx._mm256_set1_ps(number); 2]
    }

    #[inline(always)]
    fn load(self, row: &Row) -> [__m256; 2] {
        self.each(*halves_of(row), cast)
    }

    #[inline(always)]
    fn row(self, numbers: [__m256; 2]) -> Row {
        cast(numbers)
    }

    #[inline(always)]
    fn add(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        self.both(
            a,
            b,
            #[inline(always)]
            |a, b| self.0.avx._mm256_add_ps(a, b),
        )
    }

    #[inline(always)]
    fn sub(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        self.both(
            a,
            b,
            #[inline(always)]
            |a, b| self.0.avx._mm256_sub_ps(a, b),
        )
    }

    #[inline(always)]
    fn mul(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        self.both(
            a,
            b,
            #[inline(always)]
            |a, b| self.0.avx._mm256_mul_ps(a, b),
        )
    }

    #[inline(always)]
    fn mul_add(self, a: [__m256; 2], b: [__m256; 2], plus: [__m256; 2]) -> [__m256; 2] {
        self.each(
            [0, 1],
            #[inline(always)]
            |i| self.0.fma._mm256_fmadd_ps(a[i], b[i], plus[i]),
        )
    }

    #[inline(always)]
    fn less_mul(self, from: [__m256; 2], a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        self.each(
            [0, 1],
            #[inline(always)]
            |i| self.0.fma._mm256_fnmadd_ps(a[i], b[i], from[i]),
        )
    }

    #[inline(always)]
    fn div(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        self.both(
            a,
            b,
            #[inline(always)]
            |a, b| self.0.avx._mm256_div_ps(a, b),
        )
    }

    #[inline(always)]
    fn max(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        self.both(
            a,
            b,
            #[inline(always)]
            |a, b| self.0.avx._mm256_max_ps(a, b),
        )
    }

    #[inline(always)]
    fn where_more(self, a: [__m256; 2], b: [__m256; 2], yes: [__m256; 2], no: [__m256; 2]) -> [__m256; 2] {
        let avx = self.0.avx;
        self.each(
            [0, 1],
            #[inline(always)]
            |i| {
                // Not a blend: mostly `yes` or `no` is zero, and then this compiles to a single instruction.
                let more = avx._mm256_cmp_ps::<{ std::arch::x86_64::_CMP_GT_OQ }>(a[i], b[i]);
                avx._mm256_or_ps(avx._mm256_and_ps(more, yes[i]), avx._mm256_andnot_ps(more, no[i]))
            },
        )
    }

    #[inline(always)]
    fn where_negative(self, test: [__m256; 2], yes: [__m256; 2], no: [__m256; 2]) -> [__m256; 2] {
        self.each(
            [0, 1],
            #[inline(always)]
            |i| self.0.avx._mm256_blendv_ps(no[i], yes[i], test[i]),
        )
    }

    #[inline(always)]
    fn is_zero(self, numbers: [__m256; 2]) -> bool {
        let avx = self.0.avx;
        let either = avx._mm256_or_ps(numbers[0], numbers[1]);
        let differs =
            avx._mm256_cmp_ps::<{ std::arch::x86_64::_CMP_NEQ_UQ }>(either, avx._mm256_setzero_ps());
        avx._mm256_movemask_ps(differs) == 0
    }

    #[inline(always)]
    fn prefetch(self, byte: &u8) {
        self.0.sse._mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast());
    }

    #[inline(always)]
    fn words(self, words: &[u32; WIDTH]) -> [__m256i; 2] {
        cast(*words)
    }

    #[inline(always)]
    fn add_words(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        self.each(
            [0, 1],
            #[inline(always)]
            |i| self.0.avx2._mm256_add_epi32(a[i], b[i]),
        )
    }

    #[inline(always)]
    fn fractions(self, words: [__m256i; 2]) -> [__m256; 2] {
        let one = self.0.avx._mm256_set1_epi32(0x3f80_0001);
        let middle = self.0.avx._mm256_set1_ps(1.5);
        self.each(
            words,
            #[inline(always)]
            |words| {
                let bits = self.0.avx2._mm256_or_si256(self.0.avx2._mm256_srli_epi32::<9>(words), one);
                self.0.avx._mm256_sub_ps(cast(bits), middle)
            },
        )
    }

    #[inline(always)]
    fn larger_bits(self, bits: [__m256i; 2], numbers: [__m256; 2]) -> [__m256i; 2] {
        self.each(
            [0, 1],
            #[inline(always)]
            |i| self.0.avx2._mm256_max_epu32(bits[i], cast(numbers[i])),
        )
    }

    #[inline(always)]
    fn largest(self, words: [__m256i; 2]) -> u32 {
        let avx2 = self.0.avx2;
        let [first, second] = self.halves(avx2._mm256_max_epu32(words[0], words[1]));
        let (sse2, sse4_1) = (self.0.sse2, self.0.sse4_1);
        let four = sse4_1._mm_max_epu32(first, second);
        let two = sse4_1._mm_max_epu32(four, sse2._mm_shuffle_epi32::<0b01_00_11_10>(four));
        let one = sse4_1._mm_max_epu32(two, sse2._mm_shuffle_epi32::<0b10_11_00_01>(two));
        sse2._mm_cvtsi128_si32(one) as u32
    }

    #[inline(always)]
    fn largest_is_within(self, words: [__m256i; 2], from: u32, to: u32) -> bool {
        let (avx, avx2) = (self.0.avx, self.0.avx2);
        let largest = avx2._mm256_max_epu32(words[0], words[1]);
        // AVX2 has no unsigned comparisons: a word is at least another if it is the maximum of both.
        let from = avx2._mm256_max_epu32(largest, avx._mm256_set1_epi32(from as i32));
        let to = avx2._mm256_max_epu32(largest, avx._mm256_set1_epi32(to as i32));
        avx2._mm256_movemask_epi8(avx2._mm256_cmpeq_epi32(to, largest)) == 0
            && avx2._mm256_movemask_epi8(avx2._mm256_cmpeq_epi32(from, largest)) != 0
    }

    #[inline(always)]
    fn rough_reciprocal(self, numbers: [__m256; 2]) -> [__m256; 2] {
        let one = self.0.avx._mm256_set1_epi32(RECIPROCAL_BITS as i32);
        self.each(
            numbers,
            #[inline(always)]
            |numbers| cast(self.0.avx2._mm256_sub_epi32(one, cast(numbers))),
        )
    }

    #[inline(always)]
    fn widen_i16(self, integers: &[i16; WIDTH]) -> [__m256; 2] {
        let [low, high] = self.halves(cast(*integers));
        self.floats(self.0.avx2._mm256_cvtepi16_epi32(low), self.0.avx2._mm256_cvtepi16_epi32(high))
    }

    #[inline(always)]
    fn widen_u16(self, integers: &[u16; WIDTH]) -> [__m256; 2] {
        let [low, high] = self.halves(cast(*integers));
        self.floats(self.0.avx2._mm256_cvtepu16_epi32(low), self.0.avx2._mm256_cvtepu16_epi32(high))
    }

    #[inline(always)]
    fn widen_i8(self, integers: &[i8; WIDTH]) -> [__m256; 2] {
        let [low, high] = self.eights(cast(*integers));
        self.floats(self.0.avx2._mm256_cvtepi8_epi32(low), self.0.avx2._mm256_cvtepi8_epi32(high))
    }

    #[inline(always)]
    fn widen_u8(self, integers: &[u8; WIDTH]) -> [__m256; 2] {
        let [low, high] = self.eights(cast(*integers));
        self.floats(self.0.avx2._mm256_cvtepu8_epi32(low), self.0.avx2._mm256_cvtepu8_epi32(high))
    }

    #[inline(always)]
    fn narrow_i16(self, numbers: [__m256; 2]) -> [i16; WIDTH] {
        cast(self.packed(
            numbers,
            #[inline(always)]
            |a, b| self.0.avx2._mm256_packs_epi32(a, b),
        ))
    }

    #[inline(always)]
    fn narrow_u16(self, numbers: [__m256; 2]) -> [u16; WIDTH] {
        cast(self.packed(
            numbers,
            #[inline(always)]
            |a, b| self.0.avx2._mm256_packus_epi32(a, b),
        ))
    }

    #[inline(always)]
    fn narrow_i8(self, numbers: [__m256; 2]) -> [i8; WIDTH] {
        cast(self.packed_bytes(
            numbers,
            #[inline(always)]
            |a, b| self.0.sse2._mm_packs_epi16(a, b),
        ))
    }

    #[inline(always)]
    fn narrow_u8(self, numbers: [__m256; 2]) -> [u8; WIDTH] {
        cast(self.packed_bytes(
            numbers,
            #[inline(always)]
            |a, b| self.0.sse2._mm_packus_epi16(a, b),
        ))
    }

    #[inline(always)]
    fn transpose<'r>(self, row: impl Fn(usize) -> &'r Row, columns: &mut [Row; WIDTH]) {
        self.eight_rows::<0>(&row, columns);
        self.eight_rows::<1>(&row, columns);
    }

    #[inline(always)]
    fn put_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize) {
        self.columns(
            rows,
            places,
            count,
            #[inline(always)]
            |place, half, numbers| halves_of_mut(&mut to[place as usize])[half] = cast(numbers),
        );
    }

    #[inline(always)]
    fn add_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize) {
        self.columns(
            rows,
            places,
            count,
            #[inline(always)]
            |place, half, numbers| {
                let half = &mut halves_of_mut(&mut to[place as usize])[half];
                *half = cast(self.0.avx._mm256_add_ps(cast(*half), numbers));
            },
        );
    }
}
