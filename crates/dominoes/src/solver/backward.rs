//! The backward pass: the value of every reachable position of a level from those of the level below.
//!
//! Backward induction over perfect information: the value of a position is the best of the values after each legal
//! play. Values here are the points that Team 0 will still win; the 64 lanes of a row are valued together.

use rayon::prelude::*;

use super::lanes::LaneValues;
use super::level::{LANES, bits, hands_of_row};
use super::rule_tables::RuleTables;
use super::trick_traversal::{PlayableLanes, PlayedTrick, TrickFold, TrickTraversal};

/// Four rows, one for each leader.
const BLOCK: usize = 4 * LANES;
/// Lanes are read up to this far before a row.
const MARGIN: usize = LANES;

/// One solved level: a block of rows for each three hands that are reachable with some hand of seat 0.
#[derive(Clone, Debug)]
pub(crate) struct LevelValues {
    /// Where the block of each three hands starts.
    places: Vec<u32>,
    values: Vec<u8>,
}

impl LevelValues {
    /// After the last trick nothing is left to win.
    pub(crate) fn end() -> Self {
        Self { places: vec![MARGIN as u32], values: vec![0; MARGIN + BLOCK] }
    }

    /// Puts a level's values back in their lanes.
    pub(crate) fn scatter(reach: &[u64], points: &[u8]) -> Self {
        let mut level = Self::empty(reach).0;
        let mut points = points.iter();
        for (number, &lanes) in reach.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
            let row = level.row_mut(number);
            for (lane, &points) in bits(lanes).zip(&mut points) {
                row[lane as usize] = points;
            }
        }
        level
    }

    /// Takes the reachable blocks out of a level in which every row has its place.
    #[cfg(feature = "gpu")]
    pub(crate) fn of_dense(reach: &[u64], dense: &[u8]) -> Self {
        let (mut level, reached) = Self::empty(reach);
        let blocks = level.values[MARGIN..].chunks_exact_mut(BLOCK);
        for (block, &triple) in blocks.zip(&reached) {
            block.copy_from_slice(&dense[triple as usize * BLOCK..][..BLOCK]);
        }
        level
    }

    /// Room for a level's values, and the three hands that are reachable, in order.
    pub(crate) fn empty(reach: &[u64]) -> (Self, Vec<u32>) {
        let mut reached = Vec::new();
        let mut places = vec![0; reach.len() / 4];
        for (triple, leaders) in reach.chunks_exact(4).enumerate() {
            if leaders != [0; 4] {
                places[triple] = (MARGIN + BLOCK * reached.len()) as u32;
                reached.push(triple as u32);
            }
        }
        let values = vec![0; MARGIN + BLOCK * reached.len()];
        (Self { places, values }, reached)
    }

    /// Where the block of each three hands starts in [`values`](Self::values).
    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }

    /// The values of all blocks, 64 lanes for each of four leaders.
    pub(crate) fn values(&self) -> &[u8] {
        &self.values
    }

    /// The values of a row; lanes that are not reachable hold anything.
    pub(crate) fn row(&self, row: usize) -> &[u8; LANES] {
        let at = self.places[row / 4] as usize + row % 4 * LANES;
        &self.values[at..].as_chunks().0[0]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [u8; LANES] {
        let at = self.places[row / 4] as usize + row % 4 * LANES;
        &mut self.values[at..].as_chunks_mut().0[0]
    }
}

/// Solves a level with `k` tricks left, on one thread or on rayon's.
pub(crate) fn solve_level(
    rules: &RuleTables,
    k: usize,
    reach: &[u64],
    below: &LevelValues,
    threads: usize,
) -> LevelValues {
    let (mut level, reached) = LevelValues::empty(reach);
    let values = &mut level.values[MARGIN..];
    let value_blocks = |(reached, values)| {
        pulp::Arch::new().dispatch(BackwardPass { rules, k, reach, below, reached, values })
    };
    if threads <= 1 || reached.len() < 200 {
        value_blocks((&reached[..], values));
    } else {
        const PART: usize = 64;
        reached.par_chunks(PART).zip(values.par_chunks_mut(PART * BLOCK)).for_each(value_blocks);
    }
    level
}

/// Values some blocks of a level.
struct BackwardPass<'a> {
    rules: &'a RuleTables,
    k: usize,
    reach: &'a [u64],
    below: &'a LevelValues,
    reached: &'a [u32],
    values: &'a mut [u8],
}

impl pulp::NullaryFnOnce for BackwardPass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rules, k, reach, below, reached, values } = self;
        let playable = PlayableLanes::new(rules, k);
        let masks = LaneMasks::new(&playable);
        let mut minimax = Minimax::new(&masks, below);
        for (&triple, block) in reached.iter().zip(values.chunks_exact_mut(BLOCK)) {
            let first = 4 * triple as usize;
            let (held, _) = hands_of_row(k, first);
            let trick = TrickTraversal::new(rules, &playable, k, held);
            let rows: &mut [[u8; LANES]] = block.as_chunks_mut().0;
            let lanes = &reach[first..first + 4];
            if lanes[0] != 0 {
                trick.fold::<0, 1, 2, 3, _>(lanes[0], &mut minimax).store(&mut rows[0]);
            }
            if lanes[1] != 0 {
                trick.fold::<1, 2, 3, 0, _>(lanes[1], &mut minimax).store(&mut rows[1]);
            }
            if lanes[2] != 0 {
                trick.fold::<2, 3, 0, 1, _>(lanes[2], &mut minimax).store(&mut rows[2]);
            }
            if lanes[3] != 0 {
                trick.fold::<3, 0, 1, 2, _>(lanes[3], &mut minimax).store(&mut rows[3]);
            }
        }
    }
}

/// The lanes in which seat 0 may play each domino, when it leads and after a lead of each suit: all ones there, else
/// zero.
#[derive(Clone, Debug)]
pub(crate) struct LaneMasks {
    pub(crate) lead: [LaneValues; 8],
    pub(crate) follow: [[LaneValues; 8]; 8],
}

impl LaneMasks {
    pub(crate) fn new(playable: &PlayableLanes) -> Self {
        Self {
            lead: LaneValues::where_each_set(&playable.lead),
            follow: playable.follow.each_ref().map(LaneValues::where_each_set),
        }
    }
}

/// The best value for each seat in turn, over the values of the level below. In lanes in which seat 0 may not make a
/// play, the play gets the worst value for seat 0, so that another one is better.
pub(crate) struct Minimax<'a> {
    masks: &'a LaneMasks,
    below: &'a LevelValues,
}

impl<'a> Minimax<'a> {
    #[inline(always)]
    pub(crate) fn new(masks: &'a LaneMasks, below: &'a LevelValues) -> Self {
        Self { masks, below }
    }
}

impl TrickFold for Minimax<'_> {
    type Value = LaneValues;

    /// The values after a finished trick, moved to the lanes from before it.
    #[inline(always)]
    fn finish(&mut self, trick: PlayedTrick) -> LaneValues {
        let block = self.below.places[trick.triple] as usize;
        let at = block + trick.state.winner() * LANES - trick.shift;
        LaneValues::load(&self.below.values, at).plus(trick.state.gain())
    }

    #[inline(always)]
    fn start<const SEAT: usize>(&self) -> LaneValues {
        LaneValues::worst::<SEAT>()
    }

    #[inline(always)]
    fn add_lead<const SEAT: usize>(&self, plays: LaneValues, play: LaneValues, local: usize) -> LaneValues {
        let play = if SEAT == 0 { play.only::<0>(&self.masks.lead[local & 7]) } else { play };
        plays.or_better::<SEAT>(play)
    }

    #[inline(always)]
    fn add_follow<const SEAT: usize>(
        &self,
        plays: LaneValues,
        play: LaneValues,
        suit: usize,
        local: usize,
    ) -> LaneValues {
        let play = if SEAT == 0 { play.only::<0>(&self.masks.follow[suit & 7][local & 7]) } else { play };
        plays.or_better::<SEAT>(play)
    }
}
