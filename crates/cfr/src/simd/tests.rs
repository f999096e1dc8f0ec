//! All instruction sets give the same bits.

use super::*;
use crate::quantize::RoundingSeed;

/// Comparisons of two rows.
struct Compare(Row, Row);

impl Kernel for Compare {
    type Output = (Row, Row, Row, u32);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let [a, b] = [&self.0, &self.1].map(|row| lanes.load(row));
        let (one, two) = (lanes.splat(1.0), lanes.splat(2.0));
        let words = lanes.larger_bits(lanes.words(&[7; WIDTH]), a);
        (
            lanes.row(lanes.where_negative(a, one, two)),
            lanes.row(lanes.where_more(a, b, one, two)),
            lanes.row(lanes.max(a, b)),
            lanes.largest(words),
        )
    }
}

#[test]
fn comparisons_are_the_same_in_every_instruction_set() {
    let mut a = Row([1.0; WIDTH]);
    a[..6].copy_from_slice(&[-1.0, -0.0, 0.0, f32::NEG_INFINITY, f32::INFINITY, -f32::NAN]);
    let mut b = Row([1.0; WIDTH]);
    b[..7].copy_from_slice(&[-2.0, 0.0, -0.0, 1.0, 1.0, 1.0, 0.5]);
    let mut negative = Row([2.0; WIDTH]);
    (negative[0], negative[1], negative[3], negative[5]) = (1.0, 1.0, 1.0, 1.0);
    let mut more = Row([2.0; WIDTH]);
    (more[0], more[4], more[6]) = (1.0, 1.0, 1.0);
    for (is_negative, is_more, larger, largest) in [run(Compare(a, b)), Compare(a, b).run(Plain)] {
        assert_eq!((is_negative, is_more), (negative, more));
        // The second one if neither is larger, including the sign of zero.
        assert_eq!(larger[..7], [-1.0, 0.0, 0.0, 1.0, f32::INFINITY, 1.0, 1.0]);
        assert!(larger[1].is_sign_positive() && larger[2].is_sign_negative());
        assert_eq!(largest, (-f32::NAN).to_bits());
    }
    for largest in [run(Compare(b, a)).3, Compare(b, a).run(Plain).3] {
        assert_eq!(largest, (-2f32).to_bits());
    }
}

/// The results of every operation on the same inputs, as bits; every NaN counts as the same.
struct EveryOperation<'a> {
    numbers: &'a [Row; 3],
    words: &'a [u32; WIDTH],
    magnitudes: &'a [u32; WIDTH],
    small: &'a Row,
    count: usize,
}

fn bits(row: Row) -> Vec<u32> {
    row.iter().map(|number| if number.is_nan() { u32::MAX } else { number.to_bits() }).collect()
}

impl Kernel for EveryOperation<'_> {
    type Output = Vec<(&'static str, Vec<u32>)>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let [a, b, c] = [0, 1, 2].map(
            #[inline(always)]
            |i| lanes.load(&self.numbers[i]),
        );
        let mut all = Vec::new();
        let (words, magnitudes) = (lanes.words(self.words), lanes.words(self.magnitudes));
        all.push(("splat", bits(lanes.row(lanes.splat(self.numbers[0][0])))));
        all.push(("load", bits(lanes.row(a))));
        all.push(("add", bits(lanes.row(lanes.add(a, b)))));
        all.push(("sub", bits(lanes.row(lanes.sub(a, b)))));
        all.push(("mul", bits(lanes.row(lanes.mul(a, b)))));
        all.push(("mul, add", bits(lanes.row(lanes.add(lanes.mul(a, b), c)))));
        all.push(("mul, sub", bits(lanes.row(lanes.sub(lanes.mul(a, b), c)))));
        all.push(("mul_add", bits(lanes.row(lanes.mul_add(a, b, c)))));
        all.push(("less_mul", bits(lanes.row(lanes.less_mul(c, a, b)))));
        // Differences that nearly cancel: all that is left is the rounding error of the product.
        let product = lanes.mul(a, b);
        all.push(("less_mul, rounding error", bits(lanes.row(lanes.less_mul(product, a, b)))));
        all.push(("div", bits(lanes.row(lanes.div(a, b)))));
        all.push(("max", bits(lanes.row(lanes.max(a, b)))));
        all.push(("where_more", bits(lanes.row(lanes.where_more(a, b, c, a)))));
        all.push(("where_more, or zero", bits(lanes.row(lanes.where_more(a, b, c, lanes.splat(0.0))))));
        all.push(("where_negative", bits(lanes.row(lanes.where_negative(a, b, c)))));
        let zero = lanes.mul(lanes.splat(-0.0), lanes.load(self.small));
        all.push((
            "is_zero",
            [a, b, zero]
                .map(
                    #[inline(always)]
                    |numbers| lanes.is_zero(numbers).into(),
                )
                .to_vec(),
        ));
        // A single lane that is not zero.
        let mut alone = Row::ZERO;
        alone[self.count % WIDTH] = self.numbers[0][0];
        all.push(("is_zero alone", vec![lanes.is_zero(lanes.load(&alone)).into()]));
        let sums = lanes.add_words(words, magnitudes);
        all.push(("fractions", bits(lanes.row(lanes.fractions(words)))));
        let larger = lanes.larger_bits(magnitudes, a);
        // Fractions show the upper bits; after nine doublings, the lower ones.
        for (name, words) in [("add_words", sums), ("larger_bits", larger)] {
            all.push((name, bits(lanes.row(lanes.fractions(words)))));
            let mut lower = words;
            for _ in 0..9 {
                lower = lanes.add_words(lower, lower);
            }
            all.push((name, bits(lanes.row(lanes.fractions(lower)))));
        }
        all.push(("largest", vec![lanes.largest(larger), lanes.largest(magnitudes), lanes.largest(words)]));
        for of in [larger, magnitudes, words] {
            let largest = lanes.largest(of);
            let bounds = [largest.saturating_sub(1), largest, largest.saturating_add(1)];
            let pairs = bounds.iter().flat_map(|&from| bounds.map(|to| (from, to)));
            let within: Vec<u32> =
                pairs.map(|(from, to)| lanes.largest_is_within(of, from, to).into()).collect();
            assert_eq!(within.iter().sum::<u32>(), if largest == u32::MAX { 0 } else { 2 });
            all.push(("largest_is_within", within));
        }
        let normal = lanes.load(&bytemuck::cast(*self.magnitudes));
        all.push(("rough_reciprocal", bits(lanes.row(lanes.rough_reciprocal(normal)))));
        all.push(("reciprocal", bits(lanes.row(lanes.reciprocal(normal)))));
        // For any input: unspecified, but the same.
        all.push(("rough_reciprocal of anything", bits(lanes.row(lanes.rough_reciprocal(b)))));
        all.push(("reciprocal of anything", bits(lanes.row(lanes.reciprocal(b)))));
        let halves: [u16; WIDTH] = std::array::from_fn(|i| (self.words[i] >> 7) as u16);
        let bytes: [u8; WIDTH] = std::array::from_fn(|i| (self.words[i] >> 11) as u8);
        all.push(("widen_u16", bits(lanes.row(lanes.widen_u16(&halves)))));
        all.push(("widen_i16", bits(lanes.row(lanes.widen_i16(bytemuck::cast_ref(&halves))))));
        all.push(("widen_u8", bits(lanes.row(lanes.widen_u8(&bytes)))));
        all.push(("widen_i8", bits(lanes.row(lanes.widen_i8(bytemuck::cast_ref(&bytes))))));
        let small = lanes.load(self.small);
        all.push(("narrow_i16", lanes.narrow_i16(small).iter().map(|&i| i as u32).collect()));
        all.push(("narrow_u16", lanes.narrow_u16(small).iter().map(|&i| i as u32).collect()));
        all.push(("narrow_i8", lanes.narrow_i8(small).iter().map(|&i| i as u32).collect()));
        all.push(("narrow_u8", lanes.narrow_u8(small).iter().map(|&i| i as u32).collect()));
        let rows: [Row; WIDTH] = std::array::from_fn(|i| {
            let mut row = self.numbers[i % 3];
            row.rotate_left(i);
            row[i] = i as f32;
            row
        });
        let flat_bits = |rows: &[Row]| rows.iter().flat_map(|&row| bits(row)).collect::<Vec<_>>();
        let mut columns = [Row::ZERO; WIDTH];
        lanes.transpose(|i| &rows[i], &mut columns);
        all.push(("transpose", flat_bits(&columns)));
        let places: [u32; WIDTH] = std::array::from_fn(|i| (i as u32 * 7 + 3) % 24);
        let mut to = vec![*self.small; 24];
        lanes.put_columns(&rows, &mut to, &places, self.count);
        all.push(("put_columns", flat_bits(&to)));
        lanes.add_columns(&rows, &mut to, &places, self.count);
        all.push(("add_columns", flat_bits(&to)));
        all
    }
}

/// Numbers of three kinds: arbitrary bits, edge cases, and between −100 and 100.
fn number(word: u32, kind: usize) -> f32 {
    const EDGES: [f32; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f32::MIN_POSITIVE,
        -f32::MIN_POSITIVE / 8.0,
        1e-45,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        1.5,
        -f32::NAN,
    ];
    match kind % 3 {
        0 => f32::from_bits(word),
        1 => EDGES[(word >> 8) as usize % EDGES.len()],
        _ => (word as f32 / 2f32.powi(31) - 1.0) * 100.0,
    }
}

/// Numbers that may be narrowed: halves of integers, those near the ends of each range, and others.
fn small(word: u32, kind: usize) -> f32 {
    const ENDS: [f32; 11] =
        [0.0, 127.0, 128.0, 255.0, 256.0, 32767.0, 32768.0, 65535.0, 65536.0, 2_097_152.0, 7.0];
    let sign = if word & 1 == 0 { 1.0 } else { -1.0 };
    let number = match kind % 3 {
        0 => (word >> 10) as f32 / 2.0,
        1 => ENDS[(word >> 8) as usize % ENDS.len()] + ((word >> 20) % 9) as f32 / 4.0 - 1.0,
        _ => word as f32 / 2f32.powi(11),
    };
    sign * number.min(2_097_152.0)
}

/// A generator of random words, seeded by keys.
fn words(keys: &[usize]) -> impl FnMut() -> u32 {
    let mut place = [&[0], keys].concat();
    move || {
        place[0] += 1;
        let numbers = RoundingSeed::new(&place).offsets(Plain).next();
        let half = |number: f32| u32::from(((number + 0.5) * 65536.0) as u16);
        half(numbers[3]) << 16 | half(numbers[11])
    }
}

/// Approximate and refined reciprocals.
struct Reciprocals(Row);

impl Kernel for Reciprocals {
    type Output = [Row; 2];

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [Row; 2] {
        let numbers = lanes.load(&self.0);
        [lanes.row(lanes.rough_reciprocal(numbers)), lanes.row(lanes.reciprocal(numbers))]
    }
}

#[test]
fn reciprocals_are_within_the_documented_error() {
    for exponent in [1, 2, 64, 127, 128, 200, 251] {
        for mantissa in (0..1 << 23).step_by(4099) {
            let numbers: [f32; WIDTH] = std::array::from_fn(|i| {
                f32::from_bits((exponent << 23) | ((mantissa + 200 * i as u32) % (1 << 23)))
            });
            let [rough, near] = run(Reciprocals(Row(numbers)));
            for ((number, rough), near) in numbers.into_iter().zip(rough.0).zip(near.0) {
                let relative_error =
                    |reciprocal: f32| (f64::from(number) * f64::from(reciprocal) - 1.0).abs();
                assert!(relative_error(rough) < 0.0506, "{number}: {rough}");
                assert!(near.to_bits().abs_diff((1.0 / number).to_bits()) <= 1, "{number}: {near}");
            }
        }
    }
}

#[test]
fn plain_mul_add_rounds_once() {
    let mut word = words(&[1]);
    for round in 0..200_000 {
        let [a, b, mut c] = [0, 1, 2].map(|i| number(word(), if round % 2 == 0 { 0 } else { round + i }));
        // An addend that nearly cancels the product.
        if round % 4 < 2 {
            c = -(a * b) * (1.0 + number(word(), 2) * 2f32.powi(-(round as i32 / 4 % 40)));
        }
        let once = a.mul_add(b, c);
        // Alone, and in a lane of a row whose other lanes are never ties.
        let mut rows = [[1.0; WIDTH], [3.0; WIDTH], [0.5; WIDTH]].map(Row);
        let lane = round % WIDTH;
        (rows[0][lane], rows[1][lane], rows[2][lane]) = (a, b, c);
        let row = plain::mul_add(&rows[0], &rows[1], &rows[2]);
        for plain in [plain::mul_add_in_parts(a, b, c), row[lane]] {
            let is_same = once.to_bits() == plain.to_bits() || once.is_nan() && plain.is_nan();
            assert!(is_same, "{a:?} * {b:?} + {c:?}: {once:?}, {plain:?}");
        }
        assert_eq!(row[(lane + 1) % WIDTH], 3.5);
    }
}

#[test]
fn every_operation_has_the_same_bits_in_every_instruction_set() {
    let mut word = words(&[]);
    for round in 0..3000 {
        let kind = if round % 4 == 3 { word() as usize } else { round };
        let mut row = |kind: usize| Row(std::array::from_fn(|_| number(word(), kind)));
        let numbers = [row(kind), row(kind / 3), row(kind / 9)];
        let words = std::array::from_fn(|_| word());
        let magnitudes = std::array::from_fn(|_| 0x2000_0000 + word() % 0x4000_0000);
        let small = Row(std::array::from_fn(|_| small(word(), kind)));
        let every = || EveryOperation {
            numbers: &numbers,
            words: &words,
            magnitudes: &magnitudes,
            small: &small,
            count: round % (WIDTH + 1),
        };
        let plain = every().run(Plain);
        let mut others = vec![("the best", run(every()))];
        // AVX2 too where AVX-512 is the best.
        #[cfg(target_arch = "x86_64")]
        others.extend(avx2::Avx2::new().map(|lanes| ("AVX2", lanes.run(every()))));
        #[cfg(target_arch = "aarch64")]
        others.extend(neon::Neon::new().map(|lanes| ("NEON", lanes.run(every()))));
        for (name, other) in others {
            for (plain, other) in plain.iter().zip(&other) {
                assert_eq!(
                    plain, other,
                    "{name}, round {round}: {numbers:?} {words:x?} {magnitudes:x?} {small:?}"
                );
            }
        }
    }
}
