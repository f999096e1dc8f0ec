//! The forward pass: which positions between tricks any play can reach.

use rayon::prelude::*;

use super::level::{TRICKS, hands_of_row, lane, row, rows};
use super::rule_tables::RuleTables;
use super::trick_traversal::{PlayableLanes, PlayedTrick, TrickFold, TrickTraversal};

/// The reachable positions of a deal: for each level and row, the set of lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reachable {
    /// By tricks left.
    pub(crate) levels: [Vec<u64>; TRICKS + 1],
}

impl Reachable {
    /// Marks level after level from the deal on. On more than one thread each level is cut in as many parts.
    pub(crate) fn new(rules: &RuleTables, threads: usize) -> Self {
        let mut levels: [Vec<u64>; TRICKS + 1] = Default::default();
        let mut start = vec![0; rows(TRICKS)];
        start[row(TRICKS, [0x7f; 4], 0)] = 1 << lane(0x7f);
        levels[TRICKS] = start;
        for k in (1..=TRICKS).rev() {
            levels[k - 1] = next_level(rules, k, &levels[k], threads);
        }
        Self { levels }
    }

    /// How many positions are reachable, the empty ones at the end included.
    pub(crate) fn positions(&self) -> usize {
        self.levels.iter().flatten().map(|lanes| lanes.count_ones() as usize).sum()
    }
}

fn next_level(rules: &RuleTables, k: usize, level: &[u64], threads: usize) -> Vec<u64> {
    let part = |(start, part): (usize, &[u64])| {
        let mut next = vec![0; rows(k - 1)];
        pulp::Arch::new().dispatch(ForwardPass { rules, k, start, part, next: &mut next });
        next
    };
    if threads <= 1 || level.len() < 1000 {
        return part((0, level));
    }
    // Hands are ranked ascending, so that neighbours cost about the same: short parts keep the threads even.
    let size = level.len().div_ceil(4 * 16 * threads) * 4;
    let parts = level.par_chunks(size).enumerate().map(|(i, rows)| (i * size, rows));
    parts
        .fold(
            || vec![0; rows(k - 1)],
            |mut next, (start, part)| {
                pulp::Arch::new().dispatch(ForwardPass { rules, k, start, part, next: &mut next });
                next
            },
        )
        .reduce_with(|mut one, other| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
            one
        })
        .unwrap_or_default()
}

/// Marks what one part of a level leads to.
struct ForwardPass<'a> {
    rules: &'a RuleTables,
    k: usize,
    start: usize,
    part: &'a [u64],
    next: &'a mut [u64],
}

impl pulp::NullaryFnOnce for ForwardPass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rules, k, start, part, next } = self;
        let playable = PlayableLanes::new(rules, k);
        let mut mark = MarkReached { next };
        for (i, leaders) in part.chunks_exact(4).enumerate() {
            if leaders == [0; 4] {
                continue;
            }
            let (held, _) = hands_of_row(k, start + 4 * i);
            let trick = TrickTraversal::new(rules, &playable, k, held);
            if leaders[0] != 0 {
                trick.fold::<0, 1, 2, 3, _>(leaders[0], &mut mark);
            }
            if leaders[1] != 0 {
                trick.fold::<1, 2, 3, 0, _>(leaders[1], &mut mark);
            }
            if leaders[2] != 0 {
                trick.fold::<2, 3, 0, 1, _>(leaders[2], &mut mark);
            }
            if leaders[3] != 0 {
                trick.fold::<3, 0, 1, 2, _>(leaders[3], &mut mark);
            }
        }
    }
}

/// Adds the lanes of every finished trick to the row that it leads to.
struct MarkReached<'a> {
    next: &'a mut [u64],
}

impl TrickFold for MarkReached<'_> {
    type Value = ();

    #[inline(always)]
    fn finish(&mut self, trick: PlayedTrick) {
        self.next[4 * trick.triple + trick.state.winner()] |= trick.lanes;
    }

    #[inline(always)]
    fn start<const SEAT: usize>(&self) {}

    #[inline(always)]
    fn add_lead<const SEAT: usize>(&self, (): (), (): (), _: usize) {}

    #[inline(always)]
    fn add_follow<const SEAT: usize>(&self, (): (), (): (), _: usize, _: usize) {}
}
