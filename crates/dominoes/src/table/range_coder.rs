//! A binary range coder with adaptive probabilities: carry-propagating, 32 bits of range, bytes out.

const TOP: u32 = 1 << 24;
const PROBABILITY_BITS: u32 = 15;

/// The probability that a bit is set, learned as bits pass: the mean of a quick and a slow average.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitProbability {
    quick: u16,
    slow: u16,
}

impl BitProbability {
    pub(crate) const EVEN: Self = Self { quick: 1 << 15, slow: 1 << 15 };

    /// The share of the range for a set bit, never empty and never all.
    #[inline(always)]
    fn share(self, range: u32) -> u32 {
        let mean = (u32::from(self.quick) + u32::from(self.slow)) >> 2;
        (range >> PROBABILITY_BITS) * mean.clamp(16, (1 << PROBABILITY_BITS) - 16)
    }

    #[inline(always)]
    fn update(&mut self, bit: bool) {
        let target = if bit { 0xffff } else { 0 };
        let step = |from: u16, rate: u32| (i32::from(from) + ((target - i32::from(from)) >> rate)) as u16;
        self.quick = step(self.quick, 4);
        self.slow = step(self.slow, 7);
    }
}

/// Writes bits.
pub(crate) struct Encoder {
    low: u64,
    range: u32,
    pending: u64,
    cache: u8,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self { low: 0, range: u32::MAX, pending: 1, cache: 0, bytes: Vec::new() }
    }

    #[inline(always)]
    pub(crate) fn bit(&mut self, probability: &mut BitProbability, bit: bool) {
        let share = probability.share(self.range);
        if bit {
            self.range = share;
        } else {
            self.low += u64::from(share);
            self.range -= share;
        }
        probability.update(bit);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
    }

    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            let mut byte = self.cache;
            while self.pending > 0 {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xff;
                self.pending -= 1;
            }
            self.cache = (self.low >> 24) as u8;
        }
        self.pending += 1;
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

/// Reads bits back. Past the end it reads zero bytes: what they mean is checked by who asks.
pub(crate) struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { code: 0, range: u32::MAX, bytes: bytes.iter() };
        for _ in 0..5 {
            decoder.shift();
        }
        decoder
    }

    #[inline(always)]
    pub(crate) fn bit(&mut self, probability: &mut BitProbability) -> bool {
        let share = probability.share(self.range);
        let bit = self.code < share;
        if bit {
            self.range = share;
        } else {
            self.code -= share;
            self.range -= share;
        }
        probability.update(bit);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
        bit
    }

    #[inline(always)]
    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }

    /// Whether all bytes were read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.bytes.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_come_back_in_order(bits in prop::collection::vec((0_usize..3, any::<bool>()), 0..3000), skew in any::<bool>()) {
            let mut chances = [BitProbability::EVEN; 3];
            let mut encoder = Encoder::new();
            for &(context, bit) in &bits {
                encoder.bit(&mut chances[context], bit && !(skew && context == 0));
            }
            let bytes = encoder.finish();
            let mut chances = [BitProbability::EVEN; 3];
            let mut decoder = Decoder::new(&bytes);
            for &(context, bit) in &bits {
                prop_assert_eq!(decoder.bit(&mut chances[context]), bit && !(skew && context == 0));
            }
            prop_assert!(decoder.is_at_end());
        }

        #[test]
        fn any_bytes_decode_to_some_bits(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut decoder = Decoder::new(&bytes);
            let mut probability = BitProbability::EVEN;
            for _ in 0..2000 {
                decoder.bit(&mut probability);
            }
        }
    }
}
