//! One state looked up as quickly as it goes: the bits of the state are read as they are, and of the trick only what
//! decides the next address is carried along.

use crate::position::{Layout, SCORE_SHIFT, TOTAL_POINTS};
use crate::solver::backward::LevelValues;
use crate::solver::level::{LANES, RANK, TRICKS, bits, lane, strides};
use crate::solver::rule_tables::{RuleTables, TrickState};
use crate::table::Table;
use crate::table::rows::{NOT_LEGAL, Row};
use crate::table::spread::SpreadTable;

/// By tricks left, [`strides`].
const STRIDES: [[usize; 4]; TRICKS + 1] = {
    let mut all = [[0; 4]; TRICKS + 1];
    let mut k = 0;
    while k <= TRICKS {
        all[k] = strides(k);
        k += 1;
    }
    all
};
/// A play that has not been made.
const NO_PLAY: u64 = 7;

/// Some plays of a trick, and what they add to the address of the position after it.
#[derive(Clone, Copy)]
struct TrickSoFar {
    state: TrickState,
    /// Of the row, four times over.
    row: usize,
    /// Seat 0's hand after its play.
    lane: usize,
}

/// A trick of one position.
struct OneTrick<'a> {
    rules: &'a RuleTables,
    below: &'a LevelValues,
    /// What a rank of each seat adds to a row of the level below.
    strides: &'static [usize; 4],
    /// What each seat held before the trick.
    held: [u8; 4],
}

impl OneTrick<'_> {
    #[inline(always)]
    fn lead(&self, seat: usize, local: usize) -> TrickSoFar {
        let start = TrickSoFar { state: self.rules.lead(seat, local), row: 0, lane: 0 };
        self.without(start, seat, local)
    }

    #[inline(always)]
    fn follow(&self, trick: TrickSoFar, seat: usize, local: usize) -> TrickSoFar {
        let next = TrickSoFar { state: self.rules.follow(trick.state, seat, local), ..trick };
        self.without(next, seat, local)
    }

    #[inline(always)]
    fn without(&self, trick: TrickSoFar, seat: usize, local: usize) -> TrickSoFar {
        let rest = self.held[seat & 3] & !(1 << (local & 7));
        let row = trick.row + usize::from(RANK[usize::from(rest & 127)]) * self.strides[seat & 3];
        let lane = if seat == 0 { lane(rest) as usize } else { trick.lane };
        TrickSoFar { row, lane, ..trick }
    }

    #[inline(always)]
    fn legal(&self, trick: TrickSoFar, seat: usize) -> u8 {
        self.rules.legal(trick.state.suit & 7, seat & 3, self.held[seat & 3])
    }

    /// The points that Team 0 wins from a finished trick on.
    #[inline(always)]
    fn finish(&self, trick: TrickSoFar) -> u8 {
        let block = self.below.places()[trick.row / 4] as usize;
        self.below.values()[block + trick.state.winner() * LANES + trick.lane] + trick.state.gain()
    }

    /// The best of what a seat may play.
    #[inline(always)]
    fn best(&self, trick: TrickSoFar, seat: usize, then: impl Fn(TrickSoFar) -> u8) -> u8 {
        let mut best = if seat & 1 == 0 { 0 } else { u8::MAX };
        for local in bits(u64::from(self.legal(trick, seat))) {
            let value = then(self.follow(trick, seat, local as usize));
            best = if seat & 1 == 0 { best.max(value) } else { best.min(value) };
        }
        best
    }

    #[inline(always)]
    fn after_three(&self, trick: TrickSoFar, seat: usize) -> u8 {
        self.best(
            trick,
            seat,
            #[inline(always)]
            |trick| self.finish(trick),
        )
    }

    #[inline(always)]
    fn after_two(&self, trick: TrickSoFar, seat: usize) -> u8 {
        self.best(
            trick,
            seat,
            #[inline(always)]
            |trick| self.after_three(trick, (seat + 1) & 3),
        )
    }

    #[inline(always)]
    fn after_one(&self, trick: TrickSoFar, seat: usize) -> u8 {
        self.best(
            trick,
            seat,
            #[inline(always)]
            |trick| self.after_two(trick, (seat + 1) & 3),
        )
    }
}

impl SpreadTable {
    /// The row of a state at which a move can be made. None if it is no such state, or not one of this table: what is
    /// wrong with it, [`Table::look_up`] says.
    #[inline(always)]
    pub(crate) fn look_up(&self, table: &Table, state: i64, layout: Layout) -> Option<Row> {
        let packed = state as u64;
        let (score, shift) = match layout {
            Layout::Scored => ((packed >> SCORE_SHIFT & 63) as u8, layout.leader_shift()),
            Layout::ToGo => (0, layout.leader_shift()),
        };
        let leader = (packed >> shift & 3) as usize;
        let played = (packed >> (shift + 2) & 3) as usize;
        let plays = packed >> (shift + 4);
        // What follows the plays made must be sevens and nothing above.
        if plays >> (3 * played) != 0x1ff >> (3 * played) {
            return None;
        }
        let play = |turn: usize| (plays >> (3 * turn) & NO_PLAY) as usize;
        let mut held = [0, 7, 14, 21].map(|at| (packed >> at & 127) as u8);
        let mut is_held = false;
        for turn in 0..played {
            let (hand, domino) = (&mut held[(leader + turn) & 3], 1 << play(turn));
            is_held |= *hand & domino != 0;
            *hand |= domino;
        }
        let k = held[0].count_ones() as usize;
        let is_even = held[1..].iter().all(|hand| hand.count_ones() as usize == k);
        // A seven among the plays made has set the eighth bit of a hand.
        let is_hands = held.iter().fold(0, |all, hand| all | hand) < 128;
        if is_held || !is_even || !is_hands || k == 0 {
            return None;
        }
        let ranks = held.map(|hand| usize::from(RANK[usize::from(hand & 127)]));
        let above = &STRIDES[k & 7];
        let row = ranks[1] * above[1] + ranks[2] * above[2] + ranks[3] * above[3] + leader;
        if table.reach().levels[k & 7][row] >> lane(held[0]) & 1 == 0 {
            return None;
        }
        let points_left = k as u8 + self.counts(held);
        if score > TOTAL_POINTS - points_left {
            return None;
        }
        let (below, strides) = (&self.levels[(k - 1) & 7], &STRIDES[(k - 1) & 7]);
        let trick = OneTrick { rules: table.rules(), below, strides, held };
        let mut values = Values { points: [0; 8], legal: held[leader], best: 0 };
        if played == 0 {
            values.of_moves(
                leader,
                #[inline(always)]
                |local| trick.after_one(trick.lead(leader, local), (leader + 1) & 3),
            );
        } else {
            let mut so_far = trick.lead(leader, play(0));
            for turn in 1..played {
                let seat = (leader + turn) & 3;
                if trick.legal(so_far, seat) >> play(turn) & 1 == 0 {
                    return None;
                }
                so_far = trick.follow(so_far, seat, play(turn));
            }
            let turn = (leader + played) & 3;
            let next = (turn + 1) & 3;
            values.legal = trick.legal(so_far, turn);
            match played {
                1 => values.of_moves(
                    turn,
                    #[inline(always)]
                    |local| trick.after_two(trick.follow(so_far, turn, local), next),
                ),
                2 => values.of_moves(
                    turn,
                    #[inline(always)]
                    |local| trick.after_three(trick.follow(so_far, turn, local), next),
                ),
                _ => values.of_moves(
                    turn,
                    #[inline(always)]
                    |local| trick.finish(trick.follow(so_far, turn, local)),
                ),
            }
        }
        let value = |points: u8| match layout {
            Layout::ToGo => (2 * points).wrapping_sub(points_left) as i8,
            Layout::Scored => (2 * (points + score)).wrapping_sub(TOTAL_POINTS) as i8,
        };
        let mut moves = [NOT_LEGAL; 7];
        for (local, (place, &points)) in moves.iter_mut().zip(&values.points).enumerate() {
            if values.legal >> local & 1 == 1 {
                *place = value(points);
            }
        }
        Some(Row { state, value: value(values.best), moves })
    }
}

/// The points that Team 0 wins after each legal move, and after the best.
struct Values {
    points: [u8; 8],
    legal: u8,
    best: u8,
}

impl Values {
    #[inline(always)]
    fn of_moves(&mut self, turn: usize, value: impl Fn(usize) -> u8) {
        self.best = if turn & 1 == 0 { 0 } else { u8::MAX };
        for local in bits(u64::from(self.legal)) {
            let points = value(local as usize);
            self.points[local as usize & 7] = points;
            self.best = if turn & 1 == 0 { self.best.max(points) } else { self.best.min(points) };
        }
    }
}
