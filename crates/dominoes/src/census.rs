//! How many positions a deal has.

use crate::position::Position;
use crate::seat::Seat;
use crate::solver::level::TRICKS;
use crate::table::Table;
use crate::table::scores::{Scores, for_each_position, prefixes};

/// Reachable positions with a given number of dominoes still held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelCensus {
    /// Dominoes still held, by all four together.
    pub dominoes: usize,
    /// Positions without the score.
    pub to_go: u64,
    /// Positions with the score.
    pub scored: u64,
}

/// Reachable positions of a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// From the deal, with 28 dominoes held, to the end, with none.
    pub levels: Vec<LevelCensus>,
}

impl Census {
    /// Counts every position of a table.
    pub fn new(table: &Table) -> Self {
        let scores = Scores::new(table);
        let mut levels: Vec<LevelCensus> =
            (0..=4 * TRICKS).rev().map(|dominoes| LevelCensus { dominoes, ..Default::default() }).collect();
        for k in 0..=TRICKS {
            let mut scores = scores.level(k).iter();
            for_each_position(table, k, |held, leader| {
                let position = Position::between_unchecked(held, Seat::ALL[leader]);
                let ways = scores.next().map_or(0, |set| u64::from(set.count_ones()));
                for (played, count) in prefixes(table.rules(), &position).into_iter().enumerate() {
                    if let Some(level) = levels.get_mut(4 * (TRICKS - k) + played) {
                        level.to_go += count;
                        level.scored += count * ways;
                    }
                }
            });
        }
        Self { levels }
    }

    /// Positions without the score, in all.
    pub fn to_go(&self) -> u64 {
        self.levels.iter().map(|level| level.to_go).sum()
    }

    /// Positions with the score, in all.
    pub fn scored(&self) -> u64 {
        self.levels.iter().map(|level| level.scored).sum()
    }
}
