//! Random numbers that depend on a seed and a number alone, and so on no thread and no order.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of a draw, by a seed and the draw's number.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        let mut stream = Self(seed);
        stream.0 = stream.next() ^ number;
        stream.0 = stream.next();
        stream
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below the bound, by the high half of a product. No number is likelier than another by more than
    /// `bound` in 2^64, and bounds here are below 2^30.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_fill_their_range_evenly() {
        let mut counts = [0_u32; 10];
        for number in 0..100_000 {
            counts[SplitMix64::new(7, number).below(10) as usize] += 1;
        }
        // Nine degrees of freedom: 27.9 is passed by one chance in a thousand.
        let chi_square: f64 = counts.iter().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
        assert!(chi_square < 27.9, "{counts:?}");
    }

    #[test]
    fn the_stream_is_the_published_one() {
        // The first numbers of SplitMix64 from a state of 1234567, as in the reference implementation.
        let mut stream = SplitMix64(1_234_567);
        assert_eq!(stream.next(), 6_457_827_717_110_365_317);
        assert_eq!(stream.next(), 3_203_168_211_198_807_973);
    }
}
