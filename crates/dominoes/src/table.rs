//! A solved deal: the value of every reachable position between tricks.

use crate::deal::Deal;
use crate::declaration::Declaration;
use crate::level::{LANES, TRICKS, bits, lane, row};
use crate::reach::Reach;
use crate::sweep::{Solved, solve_level};
use crate::tables::Tables;

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

/// Every reachable position between tricks of a deal under a declaration, with the points that Team 0 still wins from
/// it under best play.
#[derive(Clone, Debug)]
pub struct Table {
    deal: Deal,
    declaration: Declaration,
    tables: Tables,
    reach: Reach,
    values: [Values; TRICKS + 1],
}

/// The values of a level's reachable positions, by row and then by lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    /// Where each four rows, one for each leader, start.
    starts: Vec<u32>,
    points: Vec<u8>,
}

impl Values {
    /// Picks the reachable lanes out of a solved level.
    pub(crate) fn gather(reach: &[u64], level: &Solved) -> Self {
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
        let tables = Tables::new(deal, declaration);
        let reach = Reach::new(&tables, threads.count());
        let mut values: [Values; TRICKS + 1] = Default::default();
        let mut below = Solved::end();
        for (k, (lanes, values)) in reach.levels.iter().zip(&mut values).enumerate() {
            if k > 0 {
                below = solve_level(&tables, k, lanes, &below, threads.count());
            }
            *values = Values::gather(lanes, &below);
        }
        Self { deal: *deal, declaration, tables, reach, values }
    }

    /// Puts together what was solved elsewhere or read from a file.
    pub(crate) fn from_parts(
        deal: Deal,
        declaration: Declaration,
        tables: Tables,
        reach: Reach,
        values: [Values; TRICKS + 1],
    ) -> Self {
        Self { deal, declaration, tables, reach, values }
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

    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    pub(crate) fn reach(&self) -> &Reach {
        &self.reach
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
