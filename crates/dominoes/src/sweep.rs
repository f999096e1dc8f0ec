//! The backward pass: the value of every reachable position of a level from those of the level below.
//!
//! Values here are the points that Team 0 will still win. A row's 64 lanes are valued together, and a trick's inside is
//! walked for all of them at once: what the other three seats may play does not depend on seat 0's hand, and where seat
//! 0 plays, the lanes in which it may are blended in.

use rayon::prelude::*;

use crate::lanes::Row;
use crate::level::{LANES, RANK, bits, hands_of_row, lane_shift, playable_lanes, strides};
use crate::tables::{Standing, Tables};

/// Four rows, one for each leader.
const BLOCK: usize = 4 * LANES;
/// Lanes are read up to this far before a row.
const MARGIN: usize = LANES;

/// One solved level: a block of rows for each three hands that are reachable with some hand of seat 0.
pub(crate) struct Solved {
    /// Where the block of each three hands starts.
    places: Vec<u32>,
    values: Vec<u8>,
}

impl Solved {
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
    tables: &Tables,
    k: usize,
    reach: &[u64],
    below: &Solved,
    threads: usize,
) -> Solved {
    let (mut level, reached) = Solved::empty(reach);
    let values = &mut level.values[MARGIN..];
    let sweep =
        |(reached, values)| pulp::Arch::new().dispatch(Sweep { tables, k, reach, below, reached, values });
    if threads <= 1 || reached.len() < 200 {
        sweep((&reached[..], values));
    } else {
        const PART: usize = 64;
        reached.par_chunks(PART).zip(values.par_chunks_mut(PART * BLOCK)).for_each(sweep);
    }
    level
}

/// Values some blocks of a level.
struct Sweep<'a> {
    tables: &'a Tables,
    k: usize,
    reach: &'a [u64],
    below: &'a Solved,
    reached: &'a [u32],
    values: &'a mut [u8],
}

impl pulp::NullaryFnOnce for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { tables, k, reach, below, reached, values } = self;
        let may_follow = tables.follow.map(|follow| playable_lanes(k, follow[0]));
        let may_lead = playable_lanes(k, 0x7f);
        let follow_rows = may_follow.map(|lanes| Row::where_each_set(&lanes));
        let lead_rows = Row::where_each_set(&may_lead);
        let strides = strides(k - 1).map(|stride| stride / 4);
        for (&triple, block) in reached.iter().zip(values.chunks_exact_mut(BLOCK)) {
            let first = 4 * triple as usize;
            let (held, _) = hands_of_row(k, first);
            let mut steps = [[0; 8]; 4];
            for seat in 1..4 {
                for local in bits(u64::from(held[seat])) {
                    let rest = held[seat] & !(1 << local);
                    steps[seat][local as usize] = usize::from(RANK[usize::from(rest)]) * strides[seat];
                }
            }
            let walk = Walk {
                tables,
                may_follow: &may_follow,
                may_lead: &may_lead,
                follow_rows: &follow_rows,
                lead_rows: &lead_rows,
                below,
                held,
                steps,
            };
            let rows: &mut [[u8; LANES]] = block.as_chunks_mut().0;
            let lanes = &reach[first..first + 4];
            walk.value::<0, 1, 2, 3>(lanes[0], &mut rows[0]);
            walk.value::<1, 2, 3, 0>(lanes[1], &mut rows[1]);
            walk.value::<2, 3, 0, 1>(lanes[2], &mut rows[2]);
            walk.value::<3, 0, 1, 2>(lanes[3], &mut rows[3]);
        }
    }
}

/// One row's way through a trick and back.
struct Walk<'a> {
    tables: &'a Tables,
    may_follow: &'a [[u64; 7]; 8],
    may_lead: &'a [u64; 7],
    follow_rows: &'a [[Row; 8]; 8],
    lead_rows: &'a [Row; 8],
    below: &'a Solved,
    held: [u8; 4],
    steps: [[usize; 8]; 4],
}

/// A trick under way in some lanes of a row.
#[derive(Clone, Copy)]
struct Front {
    shift: usize,
    triple: usize,
    standing: Standing,
}

impl Walk<'_> {
    #[inline(always)]
    fn value<const A: usize, const B: usize, const C: usize, const D: usize>(
        &self,
        lanes: u64,
        out: &mut [u8; LANES],
    ) {
        if lanes == 0 {
            return;
        }
        let playable = |may: &[u64; 7]| {
            let mut open = 0;
            for (local, may) in may.iter().enumerate() {
                open |= u8::from(lanes & may != 0) << local;
            }
            open
        };
        let open =
            if A == 0 { [playable(self.may_lead); 8] } else { self.may_follow.each_ref().map(playable) };
        let best = self.lead::<A>(
            &open,
            #[inline(always)]
            |front| {
                self.follow::<B>(
                    &open,
                    front,
                    #[inline(always)]
                    |front| {
                        self.follow::<C>(
                            &open,
                            front,
                            #[inline(always)]
                            |front| {
                                self.follow::<D>(
                                    &open,
                                    front,
                                    #[inline(always)]
                                    |front| self.after(front),
                                )
                            },
                        )
                    },
                )
            },
        );
        best.store(out);
    }

    /// The values after a finished trick, moved to the lanes from before it.
    #[inline(always)]
    fn after(&self, front: Front) -> Row {
        let block = self.below.places[front.triple] as usize;
        let at = block + front.standing.winner() * LANES - front.shift;
        Row::load(&self.below.values, at).plus(front.standing.gain())
    }

    #[inline(always)]
    fn lead<const SEAT: usize>(&self, open: &[u8; 8], mut then: impl FnMut(Front) -> Row) -> Row {
        let mut best = Row::worst::<SEAT>();
        if SEAT == 0 {
            for local in bits(u64::from(open[0])) {
                let local = local as usize;
                let standing = self.tables.lead(0, local);
                let row = then(Front { shift: lane_shift(local), triple: 0, standing });
                best = best.or_better::<SEAT>(row.only::<SEAT>(&self.lead_rows[local & 7]));
            }
        } else {
            for local in bits(u64::from(self.held[SEAT])) {
                let local = local as usize;
                let standing = self.tables.lead(SEAT, local);
                let row = then(Front { shift: 0, triple: self.steps[SEAT][local & 7], standing });
                best = best.or_better::<SEAT>(row);
            }
        }
        best
    }

    #[inline(always)]
    fn follow<const SEAT: usize>(
        &self,
        open: &[u8; 8],
        front: Front,
        mut then: impl FnMut(Front) -> Row,
    ) -> Row {
        let Front { shift, triple, standing } = front;
        let mut best = Row::worst::<SEAT>();
        if SEAT == 0 {
            for local in bits(u64::from(open[standing.suit & 7])) {
                let local = local as usize;
                let after = self.tables.follow(standing, 0, local);
                let row = then(Front { shift: lane_shift(local), triple, standing: after });
                best =
                    best.or_better::<SEAT>(row.only::<SEAT>(&self.follow_rows[standing.suit & 7][local & 7]));
            }
        } else {
            for local in bits(u64::from(self.tables.legal(standing.suit, SEAT, self.held[SEAT]))) {
                let local = local as usize;
                let standing = self.tables.follow(standing, SEAT, local);
                let row = then(Front { shift, triple: triple + self.steps[SEAT][local & 7], standing });
                best = best.or_better::<SEAT>(row);
            }
        }
        best
    }
}
