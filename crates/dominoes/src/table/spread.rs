//! A solved deal laid out for many look-ups: every lane has its place, and 64 positions are valued together.

use crate::position::Position;
use crate::solver::backward::{LaneMasks, LevelValues, Minimax};
use crate::solver::lanes::LaneValues;
use crate::solver::level::{TRICKS, hand_of_lane, lane, row};
use crate::solver::rule_tables::RuleTables;
use crate::solver::search::move_points;
use crate::solver::trick_traversal::{PlayableLanes, TrickFold, TrickTraversal};

/// The values of all levels where every lane has its place, and what the lanes of each level hold. Up to 30 MB.
#[derive(Clone, Debug)]
pub(crate) struct SpreadTable {
    /// By tricks left: the values between tricks.
    pub(crate) levels: [LevelValues; TRICKS + 1],
    pub(crate) playable: [PlayableLanes; TRICKS + 1],
    pub(crate) masks: [LaneMasks; TRICKS + 1],
    /// By tricks left: what seat 0's hand counts in each lane.
    lane_counts: [LaneValues; TRICKS + 1],
    /// By seat and hand: what the hand counts.
    pub(crate) hand_counts: [[u8; 128]; 4],
}

impl SpreadTable {
    pub(crate) fn new(rules: &RuleTables, levels: [LevelValues; TRICKS + 1]) -> Self {
        let playable = std::array::from_fn(|k| PlayableLanes::new(rules, k));
        let hand_counts: [[u8; 128]; 4] = std::array::from_fn(|seat| {
            std::array::from_fn(|hand| {
                let mut held = [0; 4];
                held[seat] = hand as u8;
                rules.counts(held)
            })
        });
        Self {
            levels,
            masks: std::array::from_fn(|k| LaneMasks::new(&playable[k])),
            playable,
            lane_counts: std::array::from_fn(|k| {
                LaneValues::from_lanes(|lane| hand_counts[0][usize::from(hand_of_lane(k, lane))])
            }),
            hand_counts,
        }
    }

    /// What some hands count.
    #[inline(always)]
    pub(crate) fn counts(&self, held: [u8; 4]) -> u8 {
        (0..4).map(|seat| self.hand_counts[seat][usize::from(held[seat] & 127)]).sum()
    }

    /// The points that Team 0 still wins after each legal move at a reachable position with `k` tricks left.
    #[inline(always)]
    pub(crate) fn move_points(&self, rules: &RuleTables, k: usize, position: &Position) -> [Option<u8>; 7] {
        let Some(k) = k.checked_sub(1) else { return [None; 7] };
        let below = &self.levels[k];
        move_points(rules, position, &|held, leader| below.row(row(k, held, leader))[lane(held[0]) as usize])
    }

    /// The points still to be won by either team, before a trick, in each lane of three hands.
    #[inline(always)]
    pub(crate) fn points_left(&self, k: usize, held: [u8; 4]) -> LaneValues {
        let others: u8 = (1..4).map(|seat| self.hand_counts[seat][usize::from(held[seat] & 127)]).sum();
        self.lane_counts[k].plus(others + k as u8)
    }
}

/// What the moves of 64 positions are worth.
pub(crate) struct LaneMoves {
    /// The moves that are legal in at least one lane.
    pub(crate) legal: u8,
    pub(crate) moves: [LaneValues; 8],
    pub(crate) best: LaneValues,
}

impl LaneMoves {
    /// When all is played.
    pub(crate) const NONE: Self =
        Self { legal: 0, moves: [LaneValues::splat(0); 8], best: LaneValues::splat(0) };
}

/// Values every move of the seat whose turn it is after some plays.
#[inline(always)]
pub(crate) fn move_values<const A: usize, const B: usize, const C: usize, const D: usize>(
    trick: &TrickTraversal<'_>,
    minimax: &mut Minimax<'_>,
    lanes: u64,
    is_open: bool,
    plays: &[usize],
) -> LaneMoves {
    let mut legal = 0;
    let mut moves = [LaneValues::splat(0); 8];
    let open = match plays {
        _ if !is_open => [0; 8],
        [] => trick.open_plays::<A>(lanes),
        [lead, ..] => trick.open_follows(trick.after_lead::<A>(lanes, *lead).state.suit, lanes),
    };
    let best = match *plays {
        [] => {
            let mut best = minimax.start::<A>();
            trick.for_each_lead::<A>(
                &open,
                lanes,
                #[inline(always)]
                |local, next| {
                    let value = trick.fold_from_second::<B, C, D, _>(&open, next, minimax);
                    best = minimax.add_lead::<A>(best, value, local);
                    legal |= 1 << local;
                    moves[local & 7] = value;
                },
            );
            best
        }
        [lead] => {
            let played = trick.after_lead::<A>(lanes, lead);
            let mut best = minimax.start::<B>();
            trick.for_each_follow::<B>(
                &open,
                played,
                #[inline(always)]
                |local, next| {
                    let value = trick.fold_from_third::<C, D, _>(&open, next, minimax);
                    best = minimax.add_follow::<B>(best, value, played.state.suit, local);
                    legal |= 1 << local;
                    moves[local & 7] = value;
                },
            );
            best
        }
        [lead, second] => {
            let played = trick.after_follow::<B>(trick.after_lead::<A>(lanes, lead), second);
            let mut best = minimax.start::<C>();
            trick.for_each_follow::<C>(
                &open,
                played,
                #[inline(always)]
                |local, next| {
                    let value = trick.fold_from_fourth::<D, _>(&open, next, minimax);
                    best = minimax.add_follow::<C>(best, value, played.state.suit, local);
                    legal |= 1 << local;
                    moves[local & 7] = value;
                },
            );
            best
        }
        [lead, second, third, ..] => {
            let played = trick.after_follow::<B>(trick.after_lead::<A>(lanes, lead), second);
            let played = trick.after_follow::<C>(played, third);
            let mut best = minimax.start::<D>();
            trick.for_each_follow::<D>(
                &open,
                played,
                #[inline(always)]
                |local, next| {
                    let value = minimax.finish(next);
                    best = minimax.add_follow::<D>(best, value, played.state.suit, local);
                    legal |= 1 << local;
                    moves[local & 7] = value;
                },
            );
            best
        }
    };
    LaneMoves { legal, moves, best }
}
