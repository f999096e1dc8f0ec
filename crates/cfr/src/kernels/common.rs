//! Helpers that several kernels share.

use crate::simd::{Lanes, Row};

/// Runs a block with `$n` as the number of actions of a run's decisions, known at compile time, so that loops over actions are
/// unrolled and their numbers stay in registers. Runs the other block for decisions with many actions, and where unrolling is not
/// worth its compile time: `$lanes` or `$quantized` say so.
macro_rules! by_actions {
    ($run:expr, $lanes:ty, $quantized:ty, $n:ident => $few:block else $many:block) => {
        by_actions!(@ $run, $lanes, $quantized, $n, $few, $many, 2 3 4 5 6)
    };
    (@ $run:expr, $lanes:ty, $quantized:ty, $n:ident, $few:block, $many:block, $($count:literal)*) => {
        if <$lanes>::UNROLLS && <$quantized>::UNROLLS {
            match $run.actions {
                $($count => {
                    const $n: usize = $count;
                    $few
                })*
                _ => $many
            }
        } else {
            $many
        }
    };
}

pub(super) use by_actions;

/// Prefetches the memory that is needed next, a few cache lines at a time. The hardware prefetcher stops at the end of a page,
/// and a processor cannot wait for many cache lines at once.
pub(super) struct Prefetch<'a> {
    rest: &'a [u8],
    /// How many bytes are prefetched in each step.
    step_bytes: usize,
}

impl<'a> Prefetch<'a> {
    /// Prefetches `bytes` in at most `steps` steps. Where they do not begin at a cache line, the last line may be left out.
    #[inline(always)]
    pub fn new(bytes: &'a [u8], steps: usize) -> Self {
        Self { rest: bytes, step_bytes: bytes.len().div_ceil(steps.max(1)).next_multiple_of(CACHE_LINE) }
    }

    /// Prefetches the next bytes.
    #[inline(always)]
    pub fn step<L: Lanes>(&mut self, lanes: L) {
        let (now, rest) = self.rest.split_at(self.step_bytes.min(self.rest.len()));
        self.rest = rest;
        for line in now.chunks(CACHE_LINE) {
            lanes.prefetch(&line[0]);
        }
    }
}

/// Bytes of a cache line.
const CACHE_LINE: usize = size_of::<Row>();

/// The numbers of a row, unless all are zero.
#[inline(always)]
pub(super) fn load_nonzero<L: Lanes>(lanes: L, row: &Row) -> Option<L::Numbers> {
    let numbers = lanes.load(row);
    (!lanes.is_zero(numbers)).then_some(numbers)
}

/// Sets the rows of a decision to zero. A loop, as they are too few for a call of `memset`.
#[inline(always)]
pub(super) fn set_zero<L: Lanes>(lanes: L, rows: &mut [Row]) {
    for row in rows {
        *row = lanes.row(lanes.splat(0.0));
    }
}

/// Adds numbers to a row.
#[inline(always)]
pub(super) fn add_to<L: Lanes>(lanes: L, target: &mut Row, numbers: L::Numbers) {
    *target = lanes.row(lanes.add(lanes.load(target), numbers));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Plain;

    #[test]
    fn prefetching_covers_all_bytes_in_the_given_number_of_steps() {
        for (len, steps) in [(0, 0), (0, 5), (1, 1), (64, 3), (65, 1), (1000, 7), (1000, 16), (1000, 200)] {
            let bytes = vec![0; len];
            let mut prefetch = Prefetch::new(&bytes, steps);
            let mut left = vec![len];
            for _ in 0..steps {
                prefetch.step(Plain);
                left.push(prefetch.rest.len());
            }
            assert_eq!(prefetch.rest.len(), 0, "{len} bytes in {steps} steps");
            let mut taken = left.windows(2).map(|pair| pair[0] - pair[1]).take_while(|&taken| taken > 0);
            // Whole cache lines, except in the last step.
            assert!(taken.all(|taken| taken % CACHE_LINE == 0 || taken == len % prefetch.step_bytes));
        }
    }
}
