//! The forward pass: which positions between tricks any play can reach.

use rayon::prelude::*;

use crate::level::{RANK, TRICKS, bits, hands_of_row, lane_shift, playable_lanes, rows, strides};
use crate::tables::{Standing, Tables};

/// The reachable positions of a deal: for each level and row, the set of lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// By tricks left.
    pub(crate) levels: [Vec<u64>; TRICKS + 1],
}

impl Reach {
    /// Marks level after level from the deal on. On more than one thread each level is cut in as many parts.
    pub(crate) fn new(tables: &Tables, threads: usize) -> Self {
        let mut levels: [Vec<u64>; TRICKS + 1] = Default::default();
        let mut root = vec![0; rows(TRICKS)];
        root[0] = 1 << 63;
        levels[TRICKS] = root;
        for k in (1..=TRICKS).rev() {
            levels[k - 1] = next_level(tables, k, &levels[k], threads);
        }
        Self { levels }
    }

    /// How many positions are reachable, the empty ones at the end included.
    pub(crate) fn positions(&self) -> usize {
        self.levels.iter().flatten().map(|lanes| lanes.count_ones() as usize).sum()
    }
}

fn next_level(tables: &Tables, k: usize, level: &[u64], threads: usize) -> Vec<u64> {
    let part = |(start, part): (usize, &[u64])| {
        let mut next = vec![0; rows(k - 1)];
        pulp::Arch::new().dispatch(Mark { tables, k, start, part, next: &mut next });
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
                pulp::Arch::new().dispatch(Mark { tables, k, start, part, next: &mut next });
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
struct Mark<'a> {
    tables: &'a Tables,
    k: usize,
    start: usize,
    part: &'a [u64],
    next: &'a mut [u64],
}

impl pulp::NullaryFnOnce for Mark<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { tables, k, start, part, next } = self;
        let may_follow = tables.follow.map(|follow| playable_lanes(k, follow[0]));
        let may_lead = playable_lanes(k, 0x7f);
        let strides = strides(k - 1);
        for (i, leaders) in part.chunks_exact(4).enumerate() {
            if leaders == [0; 4] {
                continue;
            }
            let (held, _) = hands_of_row(k, start + 4 * i);
            let mut steps = [[0; 8]; 4];
            for seat in 1..4 {
                for local in bits(u64::from(held[seat])) {
                    let rest = held[seat] & !(1 << local);
                    steps[seat][local as usize] = usize::from(RANK[usize::from(rest)]) * strides[seat];
                }
            }
            let trick = Walk { tables, may_follow: &may_follow, may_lead: &may_lead, held, steps };
            trick.play::<0, 1, 2, 3>(leaders[0], next);
            trick.play::<1, 2, 3, 0>(leaders[1], next);
            trick.play::<2, 3, 0, 1>(leaders[2], next);
            trick.play::<3, 0, 1, 2>(leaders[3], next);
        }
    }
}

/// One row's way through a trick: every play of every seat, all lanes at once.
struct Walk<'a> {
    tables: &'a Tables,
    may_follow: &'a [[u64; 7]; 8],
    may_lead: &'a [u64; 7],
    held: [u8; 4],
    /// By seat and domino: the part of the next row's number.
    steps: [[usize; 8]; 4],
}

/// A trick under way in some lanes of a row.
#[derive(Clone, Copy)]
struct Front {
    lanes: u64,
    row: usize,
    standing: Standing,
}

impl Walk<'_> {
    #[inline(always)]
    fn play<const A: usize, const B: usize, const C: usize, const D: usize>(
        &self,
        lanes: u64,
        next: &mut [u64],
    ) {
        if lanes == 0 {
            return;
        }
        self.lead::<A>(
            lanes,
            #[inline(always)]
            |front| {
                self.follow::<B>(
                    front,
                    #[inline(always)]
                    |front| {
                        self.follow::<C>(
                            front,
                            #[inline(always)]
                            |front| {
                                self.follow::<D>(
                                    front,
                                    #[inline(always)]
                                    |front| next[front.row + front.standing.winner()] |= front.lanes,
                                );
                            },
                        );
                    },
                );
            },
        );
    }

    #[inline(always)]
    fn lead<const SEAT: usize>(&self, lanes: u64, mut then: impl FnMut(Front)) {
        if SEAT == 0 {
            for local in 0..7 {
                let lanes = (lanes & self.may_lead[local]) >> lane_shift(local);
                if lanes != 0 {
                    then(Front { lanes, row: 0, standing: self.tables.lead(0, local) });
                }
            }
        } else {
            for local in bits(u64::from(self.held[SEAT])) {
                let local = local as usize;
                then(Front {
                    lanes,
                    row: self.steps[SEAT][local & 7],
                    standing: self.tables.lead(SEAT, local),
                });
            }
        }
    }

    #[inline(always)]
    fn follow<const SEAT: usize>(&self, front: Front, mut then: impl FnMut(Front)) {
        let Front { lanes, row, standing } = front;
        if SEAT == 0 {
            for local in 0..7 {
                let lanes = (lanes & self.may_follow[standing.suit][local]) >> lane_shift(local);
                if lanes != 0 {
                    then(Front { lanes, row, standing: self.tables.follow(standing, 0, local) });
                }
            }
        } else {
            for local in bits(u64::from(self.tables.legal(standing.suit, SEAT, self.held[SEAT]))) {
                let local = local as usize;
                let standing = self.tables.follow(standing, SEAT, local);
                then(Front { lanes, row: row + self.steps[SEAT][local & 7], standing });
            }
        }
    }
}
