//! A solved deal: the value of every reachable position between tricks.

mod codec;
pub(crate) mod evaluate;
pub(crate) mod file;
pub(crate) mod look_up;
mod look_up_one;
mod parquet_pages;
pub(crate) mod parquet_rows;
mod range_coder;
pub(crate) mod row_groups;
pub(crate) mod rows;
pub(crate) mod sample;
pub(crate) mod scores;
pub(crate) mod spread;
mod state_count;
pub(crate) mod trick_prefix;

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::deal::Deal;
use crate::declaration::Declaration;
use crate::solver::backward::{LevelValues, solve_level};
use crate::solver::level::{LANES, TRICKS, bits, lane, row};
use crate::solver::reachable::Reachable;
use crate::solver::rule_tables::RuleTables;
use crate::table::spread::SpreadTable;

/// On how many threads one table is solved. The answer is the same on any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The calling thread alone: best when many tables are solved at once.
    One,
    /// The rayon pool that the caller is in: best for a single table.
    Pool,
}

impl Threads {
    pub(crate) fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Pool => rayon::current_num_threads(),
        }
    }
}

/// How long the phases of solving a deal took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveTimes {
    /// Laying out the rules of the deal.
    pub setup: Duration,
    /// The forward pass: which positions are reachable.
    pub enumerate: Duration,
    /// The backward pass: what they are worth.
    pub solve: Duration,
}

impl SolveTimes {
    /// All phases together.
    pub fn total(&self) -> Duration {
        self.setup + self.enumerate + self.solve
    }
}

/// Every reachable position between tricks of a deal under a declaration, with the points that Team 0 still wins from
/// it under best play.
#[derive(Clone, Debug)]
pub struct Table {
    deal: Deal,
    declaration: Declaration,
    rules: RuleTables,
    reach: Reachable,
    values: [PackedValues; TRICKS + 1],
    /// The same values where every lane has its place, once somebody has asked for them.
    spread: OnceLock<Box<SpreadTable>>,
}

/// The values of a level's reachable positions, by row and then by lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackedValues {
    /// Where each four rows, one for each leader, start.
    starts: Vec<u32>,
    points: Vec<u8>,
}

impl PackedValues {
    /// Picks the reachable lanes out of a solved level.
    pub(crate) fn gather(reach: &[u64], level: &LevelValues) -> Self {
        let count = reach.iter().map(|lanes| lanes.count_ones() as usize).sum();
        let mut values =
            Self { starts: Vec::with_capacity(reach.len() / 4), points: Vec::with_capacity(count) };
        for (i, leaders) in reach.chunks_exact(4).enumerate() {
            values.starts.push(values.points.len() as u32);
            for (leader, &lanes) in leaders.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
                let row: &[u8; LANES] = level.row(4 * i + leader);
                values.points.extend(bits(lanes).map(|lane| row[lane as usize]));
            }
        }
        values
    }

    #[cfg(test)]
    pub(crate) fn points(&self) -> &[u8] {
        &self.points
    }

    #[inline(always)]
    fn index(&self, reach: &[u64], row: usize, lane: u32) -> Option<usize> {
        let lanes = reach[row];
        if lanes >> lane & 1 == 0 {
            return None;
        }
        let first = row & !3;
        let before: u32 = reach[first..row].iter().map(|lanes| lanes.count_ones()).sum();
        let below = (lanes & ((1 << lane) - 1)).count_ones();
        Some(self.starts[row / 4] as usize + (before + below) as usize)
    }
}

impl Table {
    /// Solves a deal.
    pub fn solve(deal: &Deal, declaration: Declaration, threads: Threads) -> Self {
        Self::solve_timed(deal, declaration, threads).0
    }

    /// Solves a deal and says how long each phase took.
    pub fn solve_timed(deal: &Deal, declaration: Declaration, threads: Threads) -> (Self, SolveTimes) {
        let started = Instant::now();
        let rules = RuleTables::new(deal, declaration);
        let setup = started.elapsed();
        let reach = Reachable::new(&rules, threads.count());
        let enumerate = started.elapsed() - setup;
        let mut values: [PackedValues; TRICKS + 1] = Default::default();
        let mut below = LevelValues::end();
        for (k, (lanes, values)) in reach.levels.iter().zip(&mut values).enumerate() {
            if k > 0 {
                below = solve_level(&rules, k, lanes, &below, threads.count());
            }
            *values = PackedValues::gather(lanes, &below);
        }
        let solve = started.elapsed() - setup - enumerate;
        let table = Self::from_parts(*deal, declaration, rules, reach, values);
        (table, SolveTimes { setup, enumerate, solve })
    }

    /// Puts together what was solved elsewhere or read from a file.
    pub(crate) fn from_parts(
        deal: Deal,
        declaration: Declaration,
        rules: RuleTables,
        reach: Reachable,
        values: [PackedValues; TRICKS + 1],
    ) -> Self {
        Self { deal, declaration, rules, reach, values, spread: OnceLock::new() }
    }

    /// The deal that was solved.
    pub fn deal(&self) -> &Deal {
        &self.deal
    }

    /// The declaration it was solved under.
    pub fn declaration(&self) -> Declaration {
        self.declaration
    }

    /// How many positions between tricks are reachable, the empty ones at the end included.
    pub fn positions(&self) -> usize {
        self.reach.positions()
    }

    pub(crate) fn rules(&self) -> &RuleTables {
        &self.rules
    }

    pub(crate) fn reach(&self) -> &Reachable {
        &self.reach
    }

    /// The values where every lane has its place: up to 30 MB, made the first time.
    pub(crate) fn spread(&self) -> &SpreadTable {
        self.spread.get_or_init(|| {
            let level = |k: usize| LevelValues::scatter(&self.reach.levels[k], self.points(k));
            Box::new(SpreadTable::new(&self.rules, std::array::from_fn(level)))
        })
    }

    /// The same if they have been made.
    pub(crate) fn spread_if_made(&self) -> Option<&SpreadTable> {
        self.spread.get().map(|spread| &**spread)
    }

    /// The values of a level, in the order of rows and lanes.
    pub(crate) fn points(&self, k: usize) -> &[u8] {
        &self.values[k].points
    }

    /// The place of a position in [`points`](Self::points), if it is reachable.
    #[inline(always)]
    pub(crate) fn index(&self, k: usize, held: [u8; 4], leader: usize) -> Option<usize> {
        self.values[k].index(&self.reach.levels[k], row(k, held, leader), lane(held[0]))
    }

    /// The reachable lanes of the row of three hands.
    pub(crate) fn reach_of(&self, k: usize, held: [u8; 4], leader: usize) -> u64 {
        self.reach.levels[k][row(k, held, leader)]
    }

    /// The place of the first reachable lane of three hands in [`points`](Self::points).
    pub(crate) fn first_index(&self, k: usize, held: [u8; 4], leader: usize) -> usize {
        let (row, reach) = (row(k, held, leader), &self.reach.levels[k]);
        let before: u32 = reach[row & !3..row].iter().map(|lanes| lanes.count_ones()).sum();
        self.values[k].starts[row / 4] as usize + before as usize
    }

    /// The row and the lane of a value in [`points`](Self::points).
    pub(crate) fn row_and_lane(&self, k: usize, index: usize) -> (usize, u32) {
        let starts = &self.values[k].starts;
        let triple = starts.partition_point(|&start| start as usize <= index) - 1;
        let mut left = index - starts[triple] as usize;
        let mut row = 4 * triple;
        let reach = &self.reach.levels[k];
        while left >= reach[row].count_ones() as usize {
            left -= reach[row].count_ones() as usize;
            row += 1;
        }
        let lane = bits(reach[row]).nth(left).unwrap_or(0);
        (row, lane)
    }

    /// The points that Team 0 still wins from a position between tricks, if it is reachable.
    #[inline(always)]
    pub(crate) fn points_between(&self, held: [u8; 4], leader: usize) -> Option<u8> {
        let k = held[1].count_ones() as usize;
        self.index(k, held, leader).map(|index| self.values[k].points[index])
    }
}

impl PartialEq for Table {
    /// Two tables are equal if they are of the same deal and declaration and hold the same values.
    fn eq(&self, other: &Self) -> bool {
        self.deal == other.deal
            && self.declaration == other.declaration
            && self.reach == other.reach
            && self.values == other.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_and_many_give_the_same_table() {
        for (seed, declaration) in [(0, "blanks"), (5, "no-trump"), (930, "doubles-trump")] {
            let (deal, declaration) = (Deal::from_seed(seed), declaration.parse().unwrap());
            let one = Table::solve(&deal, declaration, Threads::One);
            assert!(one == Table::solve(&deal, declaration, Threads::Pool));
        }
    }
}
