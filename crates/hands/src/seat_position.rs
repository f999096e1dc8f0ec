//! Places at a table of two to nine.

use noregret_holdem::preflop::TablePosition;
use std::fmt;

/// A place at the table, in the order of action before the flop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SeatPosition {
    /// Under the gun.
    Utg,
    /// Next after it, at tables of eight and nine.
    Utg1,
    /// Next after that, at tables of nine.
    Utg2,
    /// Next after that, at tables of nine where nobody is in the small blind.
    Utg3,
    /// The lojack, at tables of seven and more.
    Lj,
    /// The hijack.
    Hj,
    /// The cutoff.
    Co,
    /// The button.
    Btn,
    /// The small blind.
    Sb,
    /// The big blind.
    Bb,
}

impl SeatPosition {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Utg,
        Self::Utg1,
        Self::Utg2,
        Self::Utg3,
        Self::Lj,
        Self::Hj,
        Self::Co,
        Self::Btn,
        Self::Sb,
        Self::Bb,
    ];

    /// The positions of so many players, 2 to 9, in the order of action before the flop. Heads-up the button posts the small
    /// blind. `small_blind` is whether somebody sits there: after a player has left, nobody may.
    pub fn of_table(players: usize, small_blind: bool) -> Vec<Self> {
        use SeatPosition::{Bb, Btn, Co, Hj, Lj, Sb, Utg, Utg1, Utg2, Utg3};
        let blinds: &[Self] = match (players, small_blind) {
            (2, _) => &[Btn, Bb],
            (_, true) => &[Btn, Sb, Bb],
            (_, false) => &[Btn, Bb],
        };
        let before: &[Self] = match players.saturating_sub(blinds.len()) {
            0 => &[],
            1 => &[Co],
            2 => &[Hj, Co],
            3 => &[Utg, Hj, Co],
            4 => &[Utg, Lj, Hj, Co],
            5 => &[Utg, Utg1, Lj, Hj, Co],
            6 => &[Utg, Utg1, Utg2, Lj, Hj, Co],
            _ => &[Utg, Utg1, Utg2, Utg3, Lj, Hj, Co],
        };
        [before, blinds].concat()
    }

    /// The position of the charts that is closest.
    pub fn chart_position(self) -> TablePosition {
        match self {
            Self::Utg | Self::Utg1 | Self::Utg2 | Self::Utg3 | Self::Lj => TablePosition::Utg,
            Self::Hj => TablePosition::Hj,
            Self::Co => TablePosition::Co,
            Self::Btn => TablePosition::Btn,
            Self::Sb => TablePosition::Sb,
            Self::Bb => TablePosition::Bb,
        }
    }
}

impl fmt::Display for SeatPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utg => "UTG",
            Self::Utg1 => "UTG+1",
            Self::Utg2 => "UTG+2",
            Self::Utg3 => "UTG+3",
            Self::Lj => "LJ",
            Self::Hj => "HJ",
            Self::Co => "CO",
            Self::Btn => "BTN",
            Self::Sb => "SB",
            Self::Bb => "BB",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(players: usize, small_blind: bool) -> String {
        let positions = SeatPosition::of_table(players, small_blind);
        positions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_table_has_its_positions() {
        for (players, positions) in [
            (2, "BTN BB"),
            (3, "BTN SB BB"),
            (4, "CO BTN SB BB"),
            (5, "HJ CO BTN SB BB"),
            (6, "UTG HJ CO BTN SB BB"),
            (7, "UTG LJ HJ CO BTN SB BB"),
            (8, "UTG UTG+1 LJ HJ CO BTN SB BB"),
            (9, "UTG UTG+1 UTG+2 LJ HJ CO BTN SB BB"),
        ] {
            assert_eq!(names(players, true), positions);
        }
        assert_eq!(names(3, false), "CO BTN BB");
        assert_eq!(names(2, false), "BTN BB");
        assert_eq!(names(9, false), "UTG UTG+1 UTG+2 UTG+3 LJ HJ CO BTN BB");
    }

    /// Documents name players by position.
    #[test]
    fn no_two_players_have_one_position() {
        for (players, small_blind) in (2..=9).flat_map(|players| [(players, true), (players, false)]) {
            let mut positions = SeatPosition::of_table(players, small_blind);
            positions.dedup();
            assert!(positions.is_sorted(), "{positions:?}");
            assert_eq!(positions.len(), players, "{players} {small_blind}");
        }
    }
}
