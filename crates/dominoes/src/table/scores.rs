//! Which scores go with which positions.

use crate::position::Position;
use crate::seat::Seat;
use crate::solver::level::{TRICKS, bits, hand_of_lane, hands_of_row};
use crate::solver::rule_tables::{RuleTables, TrickState};
use crate::table::Table;

/// For every reachable position between tricks, the set of Team 0's possible scores there, a bit for each.
pub(crate) struct Scores {
    levels: [Vec<u64>; TRICKS + 1],
}

impl Scores {
    /// The scores of every position.
    pub(crate) fn new(table: &Table) -> Self {
        Self::toward(table, [0; 4])
    }

    /// The scores of the positions that can lead to these hands, and of the hands themselves.
    pub(crate) fn toward(table: &Table, target: [u8; 4]) -> Self {
        let mut levels: [Vec<u64>; TRICKS + 1] = std::array::from_fn(|k| vec![0; table.points(k).len()]);
        levels[TRICKS][0] = 1;
        let leads_there =
            |held: [u8; 4]| held.iter().zip(target).all(|(held, target)| held & target == target);
        for k in (1 + target[1].count_ones() as usize..=TRICKS).rev() {
            let (lower, upper) = levels.split_at_mut(k);
            let mut next = upper[0].iter();
            for_each_position(table, k, |held, leader| {
                let scores = next.next().copied().unwrap_or(0);
                if scores == 0 || !leads_there(held) {
                    return;
                }
                for_each_trick(table.rules(), held, leader, |rest, trick| {
                    if let Some(index) = table.index(k - 1, rest, trick.winner()) {
                        lower[k - 1][index] |= scores << trick.gain();
                    }
                });
            });
        }
        Self { levels }
    }

    /// The scores at a position between tricks, if it is reachable.
    pub(crate) fn at(&self, table: &Table, held: [u8; 4], leader: usize) -> Option<u64> {
        let k = held[1].count_ones() as usize;
        table.index(k, held, leader).map(|index| self.levels[k][index])
    }

    /// The scores of a level, in the order of [`for_each_position`].
    pub(crate) fn level(&self, k: usize) -> &[u64] {
        &self.levels[k]
    }
}

/// Visits a level's reachable positions in the order of their values.
pub(crate) fn for_each_position(table: &Table, k: usize, mut visit: impl FnMut([u8; 4], usize)) {
    for (number, &lanes) in table.reach().levels[k].iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
        let (mut held, leader) = hands_of_row(k, number);
        for lane in bits(lanes) {
            held[0] = hand_of_lane(k, lane);
            visit(held, leader);
        }
    }
}

/// Visits every legal trick from a position: what is left of the hands, and how it ended.
fn for_each_trick(
    rules: &RuleTables,
    held: [u8; 4],
    leader: usize,
    mut visit: impl FnMut([u8; 4], TrickState),
) {
    let seats = [0, 1, 2, 3].map(|i| (leader + i) % 4);
    let play = |held: [u8; 4], seat: usize, local: u32| {
        let mut rest = held;
        rest[seat] &= !(1 << local);
        rest
    };
    let legal = |trick: TrickState, seat: usize| bits(u64::from(rules.legal(trick.suit, seat, held[seat])));
    for a in bits(u64::from(held[leader])) {
        let (rest, trick) = (play(held, leader, a), rules.lead(leader, a as usize));
        for b in legal(trick, seats[1]) {
            let (rest, trick) = (play(rest, seats[1], b), rules.follow(trick, seats[1], b as usize));
            for c in legal(trick, seats[2]) {
                let (rest, trick) = (play(rest, seats[2], c), rules.follow(trick, seats[2], c as usize));
                for d in legal(trick, seats[3]) {
                    visit(play(rest, seats[3], d), rules.follow(trick, seats[3], d as usize));
                }
            }
        }
    }
}

/// How many positions there are from a position between tricks to just before the trick's last play, by plays made.
pub(crate) fn prefixes(rules: &RuleTables, position: &Position) -> [u64; 4] {
    let leader = position.leader();
    let held = |seat: Seat| position.remaining(seat);
    let mut counts = [1, 0, 0, 0];
    for local in bits(u64::from(held(leader))) {
        let suit = rules.lead(leader.index(), local as usize).suit;
        let choices = |i: usize| {
            let seat = leader.after(i);
            u64::from(rules.legal(suit, seat.index(), held(seat)).count_ones())
        };
        counts[1] += 1;
        counts[2] += choices(1);
        counts[3] += choices(1) * choices(2);
    }
    counts
}
