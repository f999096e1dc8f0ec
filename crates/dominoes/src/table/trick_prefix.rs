//! How a trick begins, in the order of packed states, and the positions that have made these plays.
//!
//! From the highest bits down a packed state holds the plays, how many there are, the leader, the score and the hands
//! of seats 3, 2, 1 and 0. So the rows of a table are grouped by the beginning of a trick and its leader, and within a
//! group ordered by score and hands.

use crate::seat::Seat;
use crate::solver::level::{HANDS, MASKS, RANK, TRICKS, strides};
use crate::solver::trick_traversal::PlayableLanes;
use crate::table::Table;

/// Who leads a trick, and the plays so far, of which there are at most three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TrickPrefix {
    leader: Seat,
    plays: [Option<u8>; 3],
}

impl TrickPrefix {
    /// Every beginning of a trick, in the order of packed states: a play not made counts as the highest.
    pub(crate) fn all() -> Vec<Self> {
        let places = || (0..7).map(Some).chain([None]);
        let mut prefixes = Vec::new();
        for third in places() {
            for second in places() {
                for first in places() {
                    let in_order =
                        !(second.is_none() && third.is_some() || first.is_none() && second.is_some());
                    if in_order {
                        let plays = [first, second, third];
                        prefixes.extend(Seat::ALL.map(|leader| Self { leader, plays }));
                    }
                }
            }
        }
        prefixes
    }

    /// Who leads.
    pub(crate) fn leader(&self) -> Seat {
        self.leader
    }

    /// The local indices of the plays, from the leader's on.
    pub(crate) fn plays(&self) -> impl Iterator<Item = u8> {
        self.plays.into_iter().flatten()
    }

    /// What the seat has played to the trick.
    pub(crate) fn play_of(&self, seat: usize) -> Option<u8> {
        let turn = (seat + 4 - self.leader.index()) % 4;
        self.plays.get(turn).copied().flatten()
    }

    /// Visits the positions that can have made these plays, ascending by what seats 3, 2 and 1 still hold: the tricks
    /// left, the lanes of seat 0's hands, and what seats 1 to 3 held before the trick.
    #[inline(always)]
    pub(crate) fn for_each_row(
        &self,
        table: &Table,
        playable: &[PlayableLanes; TRICKS + 1],
        mut visit: impl FnMut(usize, u64, [u8; 4]),
    ) {
        let rules = table.rules();
        let leader = self.leader.index();
        let suit = self.plays[0].map(|lead| rules.lead(leader, usize::from(lead)).suit);
        let lowest = usize::from(suit.is_some());
        let may_have_held = |seat: usize, held: u8| match (self.play_of(seat), suit) {
            (None, _) => true,
            (Some(local), Some(suit)) if seat != leader => rules.legal(suit, seat, held) >> local & 1 == 1,
            (Some(local), _) => held >> local & 1 == 1,
        };
        // By tricks left: where the hands of seats 1 and 2 that fit are found.
        let fitting = |k: usize, seat: usize| -> Vec<(usize, u8)> {
            let hands = MASKS[k][..HANDS[k]].iter().filter(|&&held| may_have_held(seat, held));
            hands.map(|&held| (usize::from(RANK[usize::from(held)]) * strides(k)[seat], held)).collect()
        };
        let first_hands: [_; TRICKS + 1] = std::array::from_fn(|k| fitting(k, 1));
        let second_hands: [_; TRICKS + 1] = std::array::from_fn(|k| fitting(k, 2));
        for remaining in 0..128_u8 {
            let Some((k, third)) = before_play(remaining, self.play_of(3)) else { continue };
            if k < lowest || !may_have_held(3, third) {
                continue;
            }
            let open = match (self.play_of(0), suit) {
                (None, _) => u64::MAX,
                (Some(local), Some(suit)) if leader != 0 => playable[k].follow[suit][usize::from(local)],
                (Some(local), _) => playable[k].lead[usize::from(local)],
            };
            let rows = &table.reach().levels[k];
            let start = usize::from(RANK[usize::from(third)]) * strides(k)[3] + leader;
            for &(second_place, second) in &second_hands[k] {
                for &(first_place, first) in &first_hands[k] {
                    let lanes = rows[start + second_place + first_place] & open;
                    if lanes != 0 {
                        visit(k, lanes, [0, first, second, third]);
                    }
                }
            }
        }
    }
}

/// What a seat held before a play, and how many tricks were left then. None if it cannot have made the play.
fn before_play(remaining: u8, play: Option<u8>) -> Option<(usize, u8)> {
    let held = match play {
        Some(local) if remaining >> local & 1 == 1 => return None,
        Some(local) => remaining | 1 << local,
        None => remaining,
    };
    let k = held.count_ones() as usize;
    (k <= TRICKS).then_some((k, held))
}
