//! A moment of play, and the two ways to pack it into a 64-bit number.

use std::str::FromStr;

use thiserror::Error;

use crate::seat::Seat;

/// What a packed state holds: with the score so far or without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// 47 bits with Team 0's score; its value is the final difference under best play.
    Scored,
    /// 41 bits without the score; its value is the difference still to be won.
    ToGo,
}

impl Layout {
    /// The name, as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scored => "scored",
            Self::ToGo => "to-go",
        }
    }

    /// The bit where the leader starts; what was played follows.
    pub(crate) const fn leader_shift(self) -> u32 {
        match self {
            Self::Scored => 34,
            Self::ToGo => 28,
        }
    }
}

/// A text that names no layout.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown layout `{0}`: use scored or to-go")]
pub struct ParseLayoutError(String);

impl FromStr for Layout {
    type Err = ParseLayoutError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Scored, Self::ToGo]
            .into_iter()
            .find(|layout| layout.name() == text)
            .ok_or_else(|| ParseLayoutError(text.to_owned()))
    }
}

/// Which dominoes are still held, who leads the trick and what has been played to it, in local indices. The hands
/// are consistent: equal in count, less one for each seat that has played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    remaining: [u8; 4],
    leader: Seat,
    plays: [u8; 3],
    played: u8,
}

/// The place of a play that has not been made.
const NO_PLAY: u8 = 7;
pub(crate) const SCORE_SHIFT: u32 = 28;
/// All points of a deal: seven tricks and 35 on the dominoes.
pub const TOTAL_POINTS: u8 = 42;

/// A number that is no packed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StateError {
    /// There are bits beyond the layout's.
    #[error("state {0} has bits outside the {name} layout", name = .1.name())]
    Bits(i64, Layout),
    /// The score is over 42.
    #[error("state {0} has a score of {1}: a deal has 42 points")]
    Score(i64, u8),
    /// The hands do not have as many dominoes as the turn says.
    #[error("state {0} is not consistent: the hands must be equal, less one for each seat that has played")]
    Counts(i64),
    /// The plays are not those of a trick.
    #[error(
        "state {0} is not consistent: its plays must be dominoes no longer held, and 7 for each not yet made"
    )]
    Plays(i64),
}

impl Position {
    /// Before the first trick.
    pub const START: Self =
        Self { remaining: [0x7f; 4], leader: Seat::ALL[0], plays: [NO_PLAY; 3], played: 0 };

    /// Between two tricks. None if the hands are not equal in count.
    pub fn between(held: [u8; 4], leader: Seat) -> Option<Self> {
        let counts = held.map(u8::count_ones);
        let even = held.iter().all(|mask| mask < &0x80) && counts.iter().all(|&c| c == counts[0]);
        even.then_some(Self::between_unchecked(held, leader))
    }

    pub(crate) const fn between_unchecked(held: [u8; 4], leader: Seat) -> Self {
        Self { remaining: held, leader, plays: [NO_PLAY; 3], played: 0 }
    }

    /// With one more play, which must not be the fourth: that one ends the trick. None if the turn's seat does not
    /// hold the domino.
    pub fn with_play(mut self, local: u8) -> Option<Self> {
        let seat = self.turn().index();
        if self.played == 3 || local >= 7 || self.remaining[seat] >> local & 1 == 0 {
            return None;
        }
        self.remaining[seat] &= !(1 << local);
        self.plays[usize::from(self.played)] = local;
        self.played += 1;
        Some(self)
    }

    /// Reads a packed state. In the to-go layout the score comes back as 0.
    #[inline]
    pub fn unpack(state: i64, layout: Layout) -> Result<(Self, u8), StateError> {
        let shift = layout.leader_shift();
        let field = |at: u32, bits: u32| (state >> at & ((1 << bits) - 1)) as u8;
        if state < 0 || state >> (shift + 13) != 0 {
            return Err(StateError::Bits(state, layout));
        }
        let score = match layout {
            Layout::Scored => field(SCORE_SHIFT, 6),
            Layout::ToGo => 0,
        };
        if score > TOTAL_POINTS {
            return Err(StateError::Score(state, score));
        }
        let position = Self {
            remaining: [0, 7, 14, 21].map(|at| field(at, 7)),
            leader: Seat::ALL[usize::from(field(shift, 2))],
            played: field(shift + 2, 2),
            plays: [4, 7, 10].map(|at| field(shift + at, 3)),
        };
        position.check(state)?;
        Ok((position, score))
    }

    #[inline]
    fn check(&self, state: i64) -> Result<(), StateError> {
        let played = usize::from(self.played);
        for (i, &play) in self.plays.iter().enumerate() {
            let held = self.remaining[self.leader.after(i).index()];
            let made = play != NO_PLAY;
            if made != (i < played) || (made && held >> play & 1 == 1) {
                return Err(StateError::Plays(state));
            }
        }
        let before = self.held_before_trick().map(u8::count_ones);
        if before.iter().any(|&count| count != before[0]) || (before[0] == 0 && played > 0) {
            return Err(StateError::Counts(state));
        }
        Ok(())
    }

    /// Packs the position. The to-go layout leaves the score out.
    pub fn pack(&self, layout: Layout, score: u8) -> i64 {
        let shift = layout.leader_shift();
        let mut state = 0;
        for (i, mask) in self.remaining.into_iter().enumerate() {
            state |= i64::from(mask) << (7 * i);
        }
        if layout == Layout::Scored {
            state |= i64::from(score) << SCORE_SHIFT;
        }
        state |= (self.leader.index() as i64) << shift | i64::from(self.played) << (shift + 2);
        for (i, play) in self.plays.into_iter().enumerate() {
            state |= i64::from(play) << (shift as usize + 4 + 3 * i);
        }
        state
    }

    /// Packs a position without a score from its parts.
    pub(crate) fn pack_parts(
        remaining: [u8; 4],
        leader: Seat,
        plays: impl Iterator<Item = u8>,
        layout: Layout,
    ) -> i64 {
        let mut position = Self { remaining, leader, plays: [NO_PLAY; 3], played: 0 };
        for (place, play) in position.plays.iter_mut().zip(plays) {
            *place = play;
            position.played += 1;
        }
        position.pack(layout, 0)
    }

    /// The bits of a score in the scored layout.
    pub(crate) const fn score_bits(score: u8) -> i64 {
        (score as i64) << SCORE_SHIFT
    }

    /// The local indices that the seat still holds, as a mask.
    #[inline]
    pub fn remaining(&self, seat: Seat) -> u8 {
        self.remaining[seat.index()]
    }

    /// What each seat held when the trick began.
    #[inline]
    pub fn held_before_trick(&self) -> [u8; 4] {
        let mut held = self.remaining;
        for (i, &local) in self.plays().iter().enumerate() {
            held[self.leader.after(i).index()] |= 1 << local;
        }
        held
    }

    /// Tricks not yet finished, the one under way included.
    #[inline]
    pub fn tricks_left(&self) -> usize {
        self.held_before_trick()[self.leader.index()].count_ones() as usize
    }

    /// Who leads, or led, the trick.
    pub fn leader(&self) -> Seat {
        self.leader
    }

    /// The plays to the trick so far, as local indices of the leader and the seats after.
    #[inline]
    pub fn plays(&self) -> &[u8] {
        &self.plays[..usize::from(self.played)]
    }

    /// Whose turn it is.
    #[inline]
    pub fn turn(&self) -> Seat {
        self.leader.after(usize::from(self.played))
    }

    /// Whether all dominoes are played.
    pub fn is_over(&self) -> bool {
        self.tricks_left() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_start_packs_as_the_layouts_say() {
        let plays = 0x1ff;
        assert_eq!(Position::START.pack(Layout::ToGo, 0), 0x0fff_ffff | plays << 32);
        assert_eq!(Position::START.pack(Layout::Scored, 0), 0x0fff_ffff | plays << 38);
        assert_eq!(Position::START.pack(Layout::Scored, 42), 0x0fff_ffff | 42 << 28 | plays << 38);
    }

    #[test]
    fn numbers_that_are_no_states_say_why() {
        let error = |state, layout| Position::unpack(state, layout).unwrap_err().to_string();
        let start = Position::START.pack(Layout::ToGo, 0);
        assert_eq!(error(-1, Layout::ToGo), "state -1 has bits outside the to-go layout");
        assert_eq!(
            error(1 << 47, Layout::Scored),
            format!("state {} has bits outside the scored layout", 1_i64 << 47)
        );
        let over = Position::START.pack(Layout::Scored, 43);
        assert_eq!(
            error(over, Layout::Scored),
            format!("state {over} has a score of 43: a deal has 42 points")
        );
        let uneven = start - 1;
        assert_eq!(
            error(uneven, Layout::ToGo),
            format!(
                "state {uneven} is not consistent: the hands must be equal, less one for each seat that has played"
            )
        );
        let unmade = start | 1 << 30;
        let message = "its plays must be dominoes no longer held, and 7 for each not yet made";
        assert_eq!(error(unmade, Layout::ToGo), format!("state {unmade} is not consistent: {message}"));
    }

    proptest! {
        #[test]
        fn what_unpacks_packs_to_the_same(state in any::<i64>(), bits in 0_u32..64, scored in any::<bool>()) {
            let layout = if scored { Layout::Scored } else { Layout::ToGo };
            let state = state >> bits;
            if let Ok((position, score)) = Position::unpack(state, layout) {
                prop_assert_eq!(position.pack(layout, score), state);
            }
        }

        #[test]
        fn what_packs_unpacks_to_the_same(
            mask in 1_u8..0x80, leader in 0_u8..4, picks in prop::collection::vec(0_u8..7, 0..4), score in 0_u8..=42,
        ) {
            let mut position = Position::between([mask; 4], Seat::new(leader).unwrap()).unwrap();
            for pick in picks {
                position = position.with_play(pick).unwrap_or(position);
            }
            prop_assert_eq!(Position::unpack(position.pack(Layout::Scored, score), Layout::Scored), Ok((position, score)));
            prop_assert_eq!(Position::unpack(position.pack(Layout::ToGo, 0), Layout::ToGo), Ok((position, 0)));
        }
    }
}
