//! One trick, every legal play of every seat, for all hands of seat 0 at once.
//!
//! Three hands and a leader are fixed; the 64 lanes are the hands of seat 0 (see [`level`](super::level)). What seats 1
//! to 3 may play does not depend on the lane, so that the recursion branches on their plays and carries the set of
//! lanes through seat 0's. The forward and the backward pass differ in what they do at the end of a trick and in how
//! they combine the plays of a seat; both are a [`TrickFold`].

use super::level::{HANDS, MASKS, RANK, bits, lane, lane_shift, strides};
use super::rule_tables::{RuleTables, TrickState};

/// The lanes in which seat 0 may play each domino, when it leads and after a lead of each suit.
#[derive(Clone, Debug)]
pub(crate) struct PlayableLanes {
    pub(crate) lead: [u64; 7],
    pub(crate) follow: [[u64; 7]; 8],
}

impl PlayableLanes {
    /// For hands of `k` dominoes.
    pub(crate) fn new(rules: &RuleTables, k: usize) -> Self {
        Self {
            lead: playable_lanes(k, 0x7f),
            follow: rules.follow.map(|follow| playable_lanes(k, follow[0])),
        }
    }
}

/// The lanes in which seat 0, holding `k` dominoes, may play each of them after a lead that the dominoes of `follow`
/// follow. With all seven following, these are the lanes in which it may lead it.
fn playable_lanes(k: usize, follow: u8) -> [u64; 7] {
    let mut lanes = [0; 7];
    for &mask in &MASKS[k][..HANDS[k]] {
        let following = mask & follow;
        let legal = if following == 0 { mask } else { following };
        for (local, lanes) in lanes.iter_mut().enumerate() {
            *lanes |= u64::from(legal >> local & 1) << lane(mask);
        }
    }
    lanes
}

/// Some plays of a trick, in some lanes.
#[derive(Clone, Copy)]
pub(crate) struct PlayedTrick {
    /// The lanes that made these plays, moved to where they are after seat 0's play if it has played.
    pub(crate) lanes: u64,
    /// How far seat 0's play moved the lanes down.
    pub(crate) shift: usize,
    /// What the plays of seats 1 to 3 add to the number of the three hands that are left.
    pub(crate) triple: usize,
    /// Who takes the trick as it is, and for what.
    pub(crate) state: TrickState,
}

/// What a traversal computes: a value at the end of each trick, combined over the plays of each seat.
pub(crate) trait TrickFold {
    /// What a play leads to.
    type Value: Copy;

    /// The value of a finished trick.
    fn finish(&mut self, trick: PlayedTrick) -> Self::Value;

    /// The value of no play at all of the seat.
    fn start<const SEAT: usize>(&self) -> Self::Value;

    /// Adds a lead of the seat to what its leads so far lead to. Seat 0 may make it in some lanes only.
    fn add_lead<const SEAT: usize>(&self, plays: Self::Value, play: Self::Value, local: usize)
    -> Self::Value;

    /// Adds a play of the seat after a lead of the suit. Seat 0 may make it in some lanes only.
    fn add_follow<const SEAT: usize>(
        &self,
        plays: Self::Value,
        play: Self::Value,
        suit: usize,
        local: usize,
    ) -> Self::Value;
}

/// By led suit: which dominoes seat 0 may play in at least one of the lanes.
pub(crate) type OpenPlays = [u8; 8];

/// Three hands before a trick.
pub(crate) struct TrickTraversal<'a> {
    rules: &'a RuleTables,
    playable: &'a PlayableLanes,
    held: [u8; 4],
    /// By seat and domino: what playing it adds to the number of the three hands that are left.
    steps: [[usize; 8]; 4],
}

impl<'a> TrickTraversal<'a> {
    /// Before a trick with `k` dominoes in each hand. Seat 0's hand is the lane; `held[0]` is not read.
    #[inline(always)]
    pub(crate) fn new(rules: &'a RuleTables, playable: &'a PlayableLanes, k: usize, held: [u8; 4]) -> Self {
        let strides = strides(k - 1).map(|stride| stride / 4);
        let mut steps = [[0; 8]; 4];
        for seat in 1..4 {
            for local in bits(u64::from(held[seat])) {
                let rest = held[seat] & !(1 << local);
                steps[seat][local as usize] = usize::from(RANK[usize::from(rest)]) * strides[seat];
            }
        }
        Self { rules, playable, held, steps }
    }

    /// What seat 0 may play in these lanes to a trick that the seat `A` leads. It holds until seat 0 plays.
    #[inline(always)]
    pub(crate) fn open_plays<const A: usize>(&self, lanes: u64) -> OpenPlays {
        if A == 0 {
            [open_in(&self.playable.lead, lanes); 8]
        } else {
            let mut open = [0; 8];
            for (open, playable) in open.iter_mut().zip(&self.playable.follow) {
                *open = open_in(playable, lanes);
            }
            open
        }
    }

    /// What seat 0 may play in these lanes after a lead of the suit. Of other suits nothing is said.
    #[inline(always)]
    pub(crate) fn open_follows(&self, suit: usize, lanes: u64) -> OpenPlays {
        let mut open = [0; 8];
        open[suit & 7] = open_in(&self.playable.follow[suit & 7], lanes);
        open
    }

    /// Traverses the trick that the seat `A` leads and `B`, `C` and `D` follow, in some lanes.
    #[inline(always)]
    pub(crate) fn fold<const A: usize, const B: usize, const C: usize, const D: usize, F: TrickFold>(
        &self,
        lanes: u64,
        fold: &mut F,
    ) -> F::Value {
        let open = self.open_plays::<A>(lanes);
        let mut plays = fold.start::<A>();
        self.for_each_lead::<A>(
            &open,
            lanes,
            #[inline(always)]
            |local, trick| {
                let play = self.fold_from_second::<B, C, D, F>(&open, trick, fold);
                plays = fold.add_lead::<A>(plays, play, local);
            },
        );
        plays
    }

    /// The rest of a trick after the lead.
    #[inline(always)]
    pub(crate) fn fold_from_second<const B: usize, const C: usize, const D: usize, F: TrickFold>(
        &self,
        open: &OpenPlays,
        trick: PlayedTrick,
        fold: &mut F,
    ) -> F::Value {
        let mut plays = fold.start::<B>();
        self.for_each_follow::<B>(
            open,
            trick,
            #[inline(always)]
            |local, next| {
                let play = self.fold_from_third::<C, D, F>(open, next, fold);
                plays = fold.add_follow::<B>(plays, play, trick.state.suit, local);
            },
        );
        plays
    }

    /// The rest of a trick after two plays.
    #[inline(always)]
    pub(crate) fn fold_from_third<const C: usize, const D: usize, F: TrickFold>(
        &self,
        open: &OpenPlays,
        trick: PlayedTrick,
        fold: &mut F,
    ) -> F::Value {
        let mut plays = fold.start::<C>();
        self.for_each_follow::<C>(
            open,
            trick,
            #[inline(always)]
            |local, next| {
                let play = self.fold_from_fourth::<D, F>(open, next, fold);
                plays = fold.add_follow::<C>(plays, play, trick.state.suit, local);
            },
        );
        plays
    }

    /// The last play of a trick.
    #[inline(always)]
    pub(crate) fn fold_from_fourth<const D: usize, F: TrickFold>(
        &self,
        open: &OpenPlays,
        trick: PlayedTrick,
        fold: &mut F,
    ) -> F::Value {
        let mut plays = fold.start::<D>();
        self.for_each_follow::<D>(
            open,
            trick,
            #[inline(always)]
            |local, next| {
                let play = fold.finish(next);
                plays = fold.add_follow::<D>(plays, play, trick.state.suit, local);
            },
        );
        plays
    }

    /// Visits every lead of the seat, by the domino's local index.
    #[inline(always)]
    pub(crate) fn for_each_lead<const SEAT: usize>(
        &self,
        open: &OpenPlays,
        lanes: u64,
        mut visit: impl FnMut(usize, PlayedTrick),
    ) {
        let playable = if SEAT == 0 { open[0] } else { self.held[SEAT] };
        for local in bits(u64::from(playable)) {
            let local = local as usize;
            visit(local, self.after_lead::<SEAT>(lanes, local));
        }
    }

    /// Visits every legal play of the seat after the lead, by the domino's local index.
    #[inline(always)]
    pub(crate) fn for_each_follow<const SEAT: usize>(
        &self,
        open: &OpenPlays,
        trick: PlayedTrick,
        mut visit: impl FnMut(usize, PlayedTrick),
    ) {
        let suit = trick.state.suit & 7;
        let playable = if SEAT == 0 { open[suit] } else { self.rules.legal(suit, SEAT, self.held[SEAT]) };
        for local in bits(u64::from(playable)) {
            let local = local as usize;
            visit(local, self.after_follow::<SEAT>(trick, local));
        }
    }

    /// The trick after the seat leads a domino.
    #[inline(always)]
    pub(crate) fn after_lead<const SEAT: usize>(&self, lanes: u64, local: usize) -> PlayedTrick {
        let state = self.rules.lead(SEAT, local);
        if SEAT == 0 {
            let shift = lane_shift(local);
            PlayedTrick { lanes: (lanes & self.playable.lead[local]) >> shift, shift, triple: 0, state }
        } else {
            PlayedTrick { lanes, shift: 0, triple: self.steps[SEAT][local & 7], state }
        }
    }

    /// The trick after the seat plays a domino to it.
    #[inline(always)]
    pub(crate) fn after_follow<const SEAT: usize>(&self, trick: PlayedTrick, local: usize) -> PlayedTrick {
        let PlayedTrick { lanes, shift, triple, state } = trick;
        let next = self.rules.follow(state, SEAT, local);
        if SEAT == 0 {
            let shift = lane_shift(local);
            let lanes = (lanes & self.playable.follow[state.suit & 7][local]) >> shift;
            PlayedTrick { lanes, shift, triple, state: next }
        } else {
            PlayedTrick { lanes, shift, triple: triple + self.steps[SEAT][local & 7], state: next }
        }
    }
}

#[inline(always)]
fn open_in(playable: &[u64; 7], lanes: u64) -> u8 {
    let mut open = 0;
    for (local, playable) in playable.iter().enumerate() {
        open |= u8::from(lanes & playable != 0) << local;
    }
    open
}
