//! Finds reach vectors that are zero for every hand.

use crate::simd::{Kernel, Lanes, Row};

/// Whether every `step`-th row from `start` on is zero.
pub(crate) struct AllZero<'a> {
    pub rows: &'a [Row],
    pub start: usize,
    pub step: usize,
}

impl Kernel for AllZero<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let mut at = self.start;
        while at < self.rows.len() {
            if !lanes.is_zero(lanes.load(&self.rows[at])) {
                return false;
            }
            at += self.step;
        }
        true
    }
}
