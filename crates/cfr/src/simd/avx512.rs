//! AVX-512: one register of sixteen numbers, called through `pulp` like AVX2.

use super::avx2::Avx2;
use super::lanes::{Kernel, Lanes, RECIPROCAL_BITS, Row, WIDTH};
use pulp::cast;
use pulp::x86::V4;
use std::arch::x86_64::{__m128, __m128i, __m256i, __m512, __m512i, _CMP_GT_OQ, _CMP_NEQ_UQ, _MM_HINT_T0};

/// A machine with AVX-512 (F, BW, CD, DQ and VL).
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(V4);

impl Avx512 {
    pub fn new() -> Option<Self> {
        V4::try_new().map(Self)
    }

    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        self.0.vectorize(
            #[inline(always)]
            || kernel.run(self),
        )
    }

    /// The nearest integers.
    #[inline(always)]
    fn nearest(self, numbers: __m512) -> __m512i {
        self.0.avx512f._mm512_cvtps_epi32(numbers)
    }

    /// The nearest integers; negative ones become zero.
    #[inline(always)]
    fn nearest_positive(self, numbers: __m512) -> __m512i {
        let avx512f = self.0.avx512f;
        avx512f._mm512_max_epi32(self.nearest(numbers), avx512f._mm512_setzero_si512())
    }

    /// Calls `each` with each of the first `count` columns and its place.
    #[inline(always)]
    fn columns(
        self,
        rows: &[Row; WIDTH],
        places: &[u32; WIDTH],
        count: usize,
        mut each: impl FnMut(u32, __m512),
    ) {
        let mut all = [&Row::ZERO; WIDTH];
        for i in 0..WIDTH {
            all[i] = &rows[i];
        }
        for quarter in 0..4 {
            let four = self.four_columns(all, quarter);
            for i in 0..4 {
                if 4 * quarter + i == count {
                    return;
                }
                each(places[4 * quarter + i], four[i]);
            }
        }
    }

    /// Four columns of sixteen rows. The quarters of every fourth row are loaded side by side, which leaves four transpositions of four
    /// by four numbers, done at once.
    #[inline(always)]
    fn four_columns(self, rows: [&Row; WIDTH], quarter: usize) -> [__m512; 4] {
        let avx512f = self.0.avx512f;
        let mut every_fourth = [avx512f._mm512_setzero_ps(); 4];
        for i in 0..4 {
            let one = avx512f._mm512_castps128_ps512(quarter_of(rows[i], quarter));
            let two = avx512f._mm512_insertf32x4::<1>(one, quarter_of(rows[i + 4], quarter));
            let three = avx512f._mm512_insertf32x4::<2>(two, quarter_of(rows[i + 8], quarter));
            every_fourth[i] = avx512f._mm512_insertf32x4::<3>(three, quarter_of(rows[i + 12], quarter));
        }
        let [a, b, c, d] = every_fourth;
        let low = [avx512f._mm512_unpacklo_ps(a, b), avx512f._mm512_unpacklo_ps(c, d)];
        let high = [avx512f._mm512_unpackhi_ps(a, b), avx512f._mm512_unpackhi_ps(c, d)];
        const LOW: i32 = 0b01_00_01_00;
        const HIGH: i32 = 0b11_10_11_10;
        [
            avx512f._mm512_shuffle_ps::<LOW>(low[0], low[1]),
            avx512f._mm512_shuffle_ps::<HIGH>(low[0], low[1]),
            avx512f._mm512_shuffle_ps::<LOW>(high[0], high[1]),
            avx512f._mm512_shuffle_ps::<HIGH>(high[0], high[1]),
        ]
    }
}

#[inline(always)]
fn quarter_of(row: &Row, quarter: usize) -> __m128 {
    let quarters: &[[f32; 4]; 4] = bytemuck::cast_ref(row);
    cast(quarters[quarter])
}

impl Lanes for Avx512 {
    type Numbers = __m512;
    type Words = __m512i;

    #[inline(always)]
    fn splat(self, number: f32) -> __m512 {
        self.0.avx512f._mm512_set1_ps(number)
    }

    #[inline(always)]
    fn load(self, row: &Row) -> __m512 {
        cast(row.0)
    }

    #[inline(always)]
    fn row(self, numbers: __m512) -> Row {
        Row(cast(numbers))
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_add_ps(a, b)
    }

    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_sub_ps(a, b)
    }

    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_mul_ps(a, b)
    }

    #[inline(always)]
    fn mul_add(self, a: __m512, b: __m512, plus: __m512) -> __m512 {
        self.0.avx512f._mm512_fmadd_ps(a, b, plus)
    }

    #[inline(always)]
    fn less_mul(self, from: __m512, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_fnmadd_ps(a, b, from)
    }

    #[inline(always)]
    fn div(self, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_div_ps(a, b)
    }

    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_max_ps(a, b)
    }

    #[inline(always)]
    fn where_more(self, a: __m512, b: __m512, yes: __m512, no: __m512) -> __m512 {
        let avx512f = self.0.avx512f;
        let more = avx512f._mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b);
        avx512f._mm512_mask_blend_ps(more, no, yes)
    }

    #[inline(always)]
    fn where_negative(self, test: __m512, yes: __m512, no: __m512) -> __m512 {
        let avx512f = self.0.avx512f;
        let negative = avx512f._mm512_cmplt_epi32_mask(cast(test), avx512f._mm512_setzero_si512());
        avx512f._mm512_mask_blend_ps(negative, no, yes)
    }

    #[inline(always)]
    fn is_zero(self, numbers: __m512) -> bool {
        let avx512f = self.0.avx512f;
        avx512f._mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(numbers, avx512f._mm512_setzero_ps()) == 0
    }

    #[inline(always)]
    fn prefetch(self, byte: &u8) {
        self.0.sse._mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast());
    }

    #[inline(always)]
    fn words(self, words: &[u32; WIDTH]) -> __m512i {
        cast(*words)
    }

    #[inline(always)]
    fn add_words(self, a: __m512i, b: __m512i) -> __m512i {
        self.0.avx512f._mm512_add_epi32(a, b)
    }

    #[inline(always)]
    fn fractions(self, words: __m512i) -> __m512 {
        let avx512f = self.0.avx512f;
        let one = avx512f._mm512_set1_epi32(0x3f80_0001);
        let bits = avx512f._mm512_or_si512(avx512f._mm512_srli_epi32::<9>(words), one);
        avx512f._mm512_sub_ps(cast(bits), self.splat(1.5))
    }

    #[inline(always)]
    fn larger_bits(self, bits: __m512i, numbers: __m512) -> __m512i {
        self.0.avx512f._mm512_max_epu32(bits, cast(numbers))
    }

    #[inline(always)]
    fn largest(self, words: __m512i) -> u32 {
        // A machine with AVX-512 has AVX2.
        Avx2::from(*self.0).largest(cast(words))
    }

    #[inline(always)]
    fn largest_is_within(self, words: __m512i, from: u32, to: u32) -> bool {
        let avx512f = self.0.avx512f;
        let from = avx512f._mm512_set1_epi32(from as i32);
        let to = avx512f._mm512_set1_epi32(to as i32);
        avx512f._mm512_cmpge_epu32_mask(words, to) == 0 && avx512f._mm512_cmpge_epu32_mask(words, from) != 0
    }

    #[inline(always)]
    fn rough_reciprocal(self, numbers: __m512) -> __m512 {
        let avx512f = self.0.avx512f;
        cast(avx512f._mm512_sub_epi32(avx512f._mm512_set1_epi32(RECIPROCAL_BITS as i32), cast(numbers)))
    }

    #[inline(always)]
    fn widen_i16(self, integers: &[i16; WIDTH]) -> __m512 {
        let integers: __m256i = cast(*integers);
        self.0.avx512f._mm512_cvtepi32_ps(self.0.avx512f._mm512_cvtepi16_epi32(integers))
    }

    #[inline(always)]
    fn widen_u16(self, integers: &[u16; WIDTH]) -> __m512 {
        let integers: __m256i = cast(*integers);
        self.0.avx512f._mm512_cvtepi32_ps(self.0.avx512f._mm512_cvtepu16_epi32(integers))
    }

    #[inline(always)]
    fn widen_i8(self, integers: &[i8; WIDTH]) -> __m512 {
        let integers: __m128i = cast(*integers);
        self.0.avx512f._mm512_cvtepi32_ps(self.0.avx512f._mm512_cvtepi8_epi32(integers))
    }

    #[inline(always)]
    fn widen_u8(self, integers: &[u8; WIDTH]) -> __m512 {
        let integers: __m128i = cast(*integers);
        self.0.avx512f._mm512_cvtepi32_ps(self.0.avx512f._mm512_cvtepu8_epi32(integers))
    }

    #[inline(always)]
    fn narrow_i16(self, numbers: __m512) -> [i16; WIDTH] {
        cast(self.0.avx512f._mm512_cvtsepi32_epi16(self.nearest(numbers)))
    }

    #[inline(always)]
    fn narrow_u16(self, numbers: __m512) -> [u16; WIDTH] {
        cast(self.0.avx512f._mm512_cvtusepi32_epi16(self.nearest_positive(numbers)))
    }

    #[inline(always)]
    fn narrow_i8(self, numbers: __m512) -> [i8; WIDTH] {
        cast(self.0.avx512f._mm512_cvtsepi32_epi8(self.nearest(numbers)))
    }

    #[inline(always)]
    fn narrow_u8(self, numbers: __m512) -> [u8; WIDTH] {
        cast(self.0.avx512f._mm512_cvtusepi32_epi8(self.nearest_positive(numbers)))
    }

    #[inline(always)]
    fn transpose<'r>(self, row: impl Fn(usize) -> &'r Row, columns: &mut [Row; WIDTH]) {
        let mut rows = [&Row::ZERO; WIDTH];
        for (i, to) in rows.iter_mut().enumerate() {
            *to = row(i);
        }
        for quarter in 0..4 {
            let four = self.four_columns(rows, quarter);
            for i in 0..4 {
                columns[4 * quarter + i] = self.row(four[i]);
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
            |place, column| to[place as usize] = self.row(column),
        );
    }

    #[inline(always)]
    fn add_columns(self, rows: &[Row; WIDTH], to: &mut [Row], places: &[u32; WIDTH], count: usize) {
        self.columns(
            rows,
            places,
            count,
            #[inline(always)]
            |place, column| {
                let to = &mut to[place as usize];
                *to = self.row(self.add(self.load(to), column));
            },
        );
    }
}
