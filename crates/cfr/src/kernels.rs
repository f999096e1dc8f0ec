//! The inner loops: one row holds one number for each of 16 hands.

mod average;
mod back_up;
mod learn;
mod matching;
mod moving;
#[cfg(test)]
mod tests;

pub(crate) use average::{Accumulate, RealizeAverage, Shares, SpellOut};
pub(crate) use back_up::{BackUpBest, BackUpMean};
pub(crate) use learn::{Learn, Special};
pub(crate) use matching::{Normalize, Realize, Weights};
pub(crate) use moving::{Carry, Collect, LanesToRows, RowsToLanes};

use crate::simd::{Kernel, Lanes, Row, WIDTH};

/// How many rows hold `hands` numbers.
pub(crate) fn blocks(hands: usize) -> usize {
    hands.div_ceil(WIDTH)
}

/// Runs an expression with `$n` as the constant number of actions that decisions of a run have, so that loops over them are unrolled
/// and their numbers stay in registers; another one if there are many.
macro_rules! by_actions {
    ($run:expr, $n:ident => $few:block else $many:block) => {
        by_actions!(@ $run, $n, $few, $many, 1 2 3 4 5 6)
    };
    (@ $run:expr, $n:ident, $few:block, $many:block, $($count:literal)*) => {
        match $run.actions {
            $($count => {
                const $n: usize = $count;
                $few
            })*
            _ => $many
        }
    };
}

use by_actions;

/// Whether there is nothing in any row from `start` on, every so many.
pub(crate) struct AreZero<'a> {
    pub rows: &'a [Row],
    pub start: usize,
    pub step: usize,
}

impl Kernel for AreZero<'_> {
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

/// Memory that will be needed soon, asked for bit by bit: processors foresee what is read in a row, but only to the end of a page, and
/// cannot wait for many lines at once.
pub(crate) struct Ahead<'a> {
    rest: &'a [u8],
    /// How much is asked for at a time.
    portion: usize,
}

impl<'a> Ahead<'a> {
    /// All of it is asked for in so many `steps`, but for what the last line has of it where it does not begin with a line.
    #[inline(always)]
    fn new(bytes: &'a [u8], steps: usize) -> Self {
        Self { rest: bytes, portion: bytes.len().div_ceil(steps.max(1)).next_multiple_of(LINE) }
    }

    /// Asks for the next portion.
    #[inline(always)]
    fn step<L: Lanes>(&mut self, lanes: L) {
        let (now, rest) = self.rest.split_at(self.portion.min(self.rest.len()));
        self.rest = rest;
        for line in now.chunks(LINE) {
            lanes.fetch(&line[0]);
        }
    }
}

/// How many bytes of memory a processor moves at a time.
const LINE: usize = size_of::<Row>();

/// The numbers of a row, unless all are zero.
#[inline(always)]
fn some<L: Lanes>(lanes: L, row: &Row) -> Option<L::Numbers> {
    let numbers = lanes.load(row);
    (!lanes.is_zero(numbers)).then_some(numbers)
}

/// Makes the rows of a decision zero: too few of them for a call.
#[inline(always)]
fn clear<L: Lanes>(lanes: L, rows: &mut [Row]) {
    for row in rows {
        *row = lanes.row(lanes.splat(0.0));
    }
}

#[inline(always)]
fn add<L: Lanes>(lanes: L, target: &mut Row, numbers: L::Numbers) {
    *target = lanes.row(lanes.add(lanes.load(target), numbers));
}
