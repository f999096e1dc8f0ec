//! A plain search inside one trick, down to values that are known between tricks.

use super::level::bits;
use super::rule_tables::{RuleTables, TrickState, better, worst};
use crate::position::Position;
use crate::seat::Seat;

/// The points that Team 0 still wins after each legal move, by local index. `after_trick` is what it wins from a
/// position between tricks: the hands and who leads.
pub(crate) fn move_points(
    rules: &RuleTables,
    position: &Position,
    after_trick: &impl Fn([u8; 4], usize) -> u8,
) -> [Option<u8>; 7] {
    let search = TrickSearch { rules, after_trick };
    let remaining = Seat::ALL.map(|seat| position.remaining(seat));
    let turn = position.turn().index();
    let mut moves = [None; 7];
    let Some(trick) = rules.trick_at(position) else {
        for local in bits(u64::from(remaining[turn])) {
            let trick = rules.lead(turn, local as usize);
            moves[local as usize] = Some(search.after_one(without(remaining, turn, local), trick, turn));
        }
        return moves;
    };
    let leader = position.leader().index();
    for local in bits(u64::from(rules.legal(trick.suit, turn, remaining[turn]))) {
        let trick = rules.follow(trick, turn, local as usize);
        let remaining = without(remaining, turn, local);
        moves[local as usize] = Some(match position.plays().len() {
            1 => search.after_two(remaining, trick, leader),
            2 => search.after_three(remaining, trick, leader),
            _ => search.after_four(remaining, trick),
        });
    }
    moves
}

#[inline(always)]
fn without(mut remaining: [u8; 4], seat: usize, local: u32) -> [u8; 4] {
    remaining[seat & 3] &= !(1 << local);
    remaining
}

/// The rest of a trick after so many plays, each level of the search a function of its own so that all are inlined.
struct TrickSearch<'a, F> {
    rules: &'a RuleTables,
    after_trick: &'a F,
}

impl<F: Fn([u8; 4], usize) -> u8> TrickSearch<'_, F> {
    #[inline(always)]
    fn best(
        &self,
        remaining: [u8; 4],
        trick: TrickState,
        seat: usize,
        then: impl Fn([u8; 4], TrickState) -> u8,
    ) -> u8 {
        let turn = Seat::ALL[seat];
        let mut best = worst(turn);
        for local in bits(u64::from(self.rules.legal(trick.suit, seat, remaining[seat]))) {
            let trick = self.rules.follow(trick, seat, local as usize);
            best = better(turn, best, then(without(remaining, seat, local), trick));
        }
        best
    }

    fn after_one(&self, remaining: [u8; 4], trick: TrickState, leader: usize) -> u8 {
        self.best(remaining, trick, (leader + 1) & 3, |remaining, trick| {
            self.after_two(remaining, trick, leader)
        })
    }

    #[inline(always)]
    fn after_two(&self, remaining: [u8; 4], trick: TrickState, leader: usize) -> u8 {
        self.best(remaining, trick, (leader + 2) & 3, |remaining, trick| {
            self.after_three(remaining, trick, leader)
        })
    }

    #[inline(always)]
    fn after_three(&self, remaining: [u8; 4], trick: TrickState, leader: usize) -> u8 {
        self.best(remaining, trick, (leader + 3) & 3, |remaining, trick| self.after_four(remaining, trick))
    }

    #[inline(always)]
    fn after_four(&self, remaining: [u8; 4], trick: TrickState) -> u8 {
        trick.gain() + (self.after_trick)(remaining, trick.winner())
    }
}
