//! Python's random numbers: the Mersenne Twister MT19937, seeded and drawn from as CPython does.

const SIZE: usize = 624;
const MIDDLE: usize = 397;

/// `random.Random(seed)` for a seed that is not negative.
pub struct PythonRandom {
    state: [u32; SIZE],
    next: usize,
}

impl PythonRandom {
    /// Seeds by the words of the number, least significant first, as CPython does.
    pub fn new(seed: u64) -> Self {
        let words = [seed as u32, (seed >> 32) as u32];
        let key = if words[1] == 0 { &words[..1] } else { &words[..] };
        let mut state = [0_u32; SIZE];
        state[0] = 19_650_218;
        for i in 1..SIZE {
            state[i] = mix(state[i - 1]).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        let (mut i, mut j) = (1, 0);
        for _ in 0..SIZE {
            state[i] = (state[i] ^ mix(state[i - 1]).wrapping_mul(1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            i = advance(i, &mut state);
            j = (j + 1) % key.len();
        }
        for _ in 0..SIZE - 1 {
            state[i] = (state[i] ^ mix(state[i - 1]).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i = advance(i, &mut state);
        }
        state[0] = 0x8000_0000;
        Self { state, next: SIZE }
    }

    fn next_u32(&mut self) -> u32 {
        if self.next == SIZE {
            self.refill();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    fn refill(&mut self) {
        for i in 0..SIZE {
            let joined = self.state[i] & 0x8000_0000 | self.state[(i + 1) % SIZE] & 0x7fff_ffff;
            let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + MIDDLE) % SIZE] ^ joined >> 1 ^ twist;
        }
        self.next = 0;
    }

    /// A number below `bound` (at least 1): whole bits are drawn until they fit.
    fn below(&mut self, bound: usize) -> usize {
        let bits = usize::BITS - bound.leading_zeros();
        loop {
            let drawn = (self.next_u32() >> (32 - bits)) as usize;
            if drawn < bound {
                return drawn;
            }
        }
    }

    /// `random.shuffle`, for up to 2³² − 1 items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

fn mix(word: u32) -> u32 {
    word ^ word >> 30
}

fn advance(i: usize, state: &mut [u32; SIZE]) -> usize {
    if i + 1 == SIZE {
        state[0] = state[SIZE - 1];
        1
    } else {
        i + 1
    }
}
