//! Mutations, the same in every run.

/// What is put into inputs: numbers at their limits, and what texts have.
const PIECES: [&[u8]; 18] = [
    b"\0",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\0\0\0\0",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"0",
    b"-1",
    b"1e309",
    b"nan",
    b"99999999999999999999",
    b"\n",
    b",",
    b":",
    b"\"",
    b"\xc3\xa9",
    b"*",
];

/// Makes inputs out of others.
#[derive(Clone, Debug)]
pub struct Mutator(u64);

impl Mutator {
    /// The same seed, the same mutations.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number below another (Marsaglia's xorshift).
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count.max(1) as u64) as usize
    }

    /// One of the inputs, changed in a few places; now and then with a piece of another.
    pub fn mutated(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = corpus[self.below(corpus.len())].clone();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(8)).min(bytes.len());
            match self.below(7) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                1 if at < bytes.len() => bytes[at] = self.below(256) as u8,
                2 => drop(bytes.drain(at..end)),
                3 => drop(bytes.splice(at..end, PIECES[self.below(PIECES.len())].iter().copied())),
                4 => drop(bytes.splice(at..at, PIECES[self.below(PIECES.len())].iter().copied())),
                5 => {
                    let other = &corpus[self.below(corpus.len())];
                    let from = self.below(other.len() + 1);
                    let to = (from + self.below(40)).min(other.len());
                    bytes.splice(at..end, other[from..to].iter().copied());
                }
                _ if self.below(4) == 0 => bytes.truncate(at),
                _ => {
                    let piece = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        bytes
    }
}
