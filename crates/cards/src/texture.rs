//! What kind of flop it is.

use crate::{Board, Rank};
use std::collections::BTreeSet;
use std::fmt;

/// How many suits a flop has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FlopSuits {
    /// Three.
    Rainbow,
    /// Two.
    TwoTone,
    /// One.
    Monotone,
}

/// How many cards of a flop have the same rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FlopRanks {
    /// None.
    Unpaired,
    /// Two.
    Paired,
    /// All three.
    Trips,
}

/// How near the ranks of a flop are to a straight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FlopGaps {
    /// No hand has a straight, and no two cards are within a gap of one.
    Disconnected,
    /// No hand has a straight, but two cards are neighbours or have one rank between them.
    SemiConnected,
    /// Some hand has a straight.
    Connected,
}

/// What kind of flop it is: by suits, by pairs, by straights and by its highest card.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use noregret_cards::Texture;
///
/// let texture = Texture::of(&"QsJh2h".parse()?);
/// assert_eq!(texture.to_string(), "Q high, two-tone, unpaired, semi-connected");
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Texture {
    /// Its highest rank.
    pub high: Rank,
    /// How many suits it has.
    pub suits: FlopSuits,
    /// Whether it is paired.
    pub ranks: FlopRanks,
    /// How near to a straight it is.
    pub gaps: FlopGaps,
}

impl Texture {
    /// The texture of the flop of a board.
    pub fn of(board: &Board) -> Self {
        let flop = &board.cards()[..3];
        let suits: BTreeSet<_> = flop.iter().map(|card| card.suit()).collect();
        let ranks: BTreeSet<Rank> = flop.iter().map(|card| card.rank()).collect();
        Self {
            high: flop.iter().map(|card| card.rank()).fold(flop[0].rank(), Ord::max),
            suits: match suits.len() {
                1 => FlopSuits::Monotone,
                2 => FlopSuits::TwoTone,
                _ => FlopSuits::Rainbow,
            },
            ranks: match ranks.len() {
                1 => FlopRanks::Trips,
                2 => FlopRanks::Paired,
                _ => FlopRanks::Unpaired,
            },
            gaps: gaps(&ranks),
        }
    }
}

fn gaps(ranks: &BTreeSet<Rank>) -> FlopGaps {
    // The ace counts above the king and below the deuce.
    let mut steps: Vec<u8> = ranks.iter().map(|rank| rank.index() + 1).collect();
    if steps.last() == Some(&13) {
        steps.insert(0, 0);
    }
    let within = |cards: usize, span: u8| steps.windows(cards).any(|run| run[cards - 1] - run[0] <= span);
    if ranks.len() == 3 && within(3, 4) {
        FlopGaps::Connected
    } else if within(2, 2) {
        FlopGaps::SemiConnected
    } else {
        FlopGaps::Disconnected
    }
}

impl fmt::Display for FlopSuits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Rainbow => "rainbow",
            Self::TwoTone => "two-tone",
            Self::Monotone => "monotone",
        })
    }
}

impl fmt::Display for FlopRanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unpaired => "unpaired",
            Self::Paired => "paired",
            Self::Trips => "trips",
        })
    }
}

impl fmt::Display for FlopGaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Disconnected => "disconnected",
            Self::SemiConnected => "semi-connected",
            Self::Connected => "connected",
        })
    }
}

impl fmt::Display for Texture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} high, {}, {}, {}", self.high.to_char(), self.suits, self.ranks, self.gaps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Category, Hole, Strength, distinct_flops};

    #[test]
    fn flops_are_called_what_players_call_them() {
        for (flop, text) in [
            ("AsKd7c", "A high, rainbow, unpaired, semi-connected"),
            ("AsAdAc", "A high, rainbow, trips, disconnected"),
            ("Ts9s8s", "T high, monotone, unpaired, connected"),
            ("As5d3s", "A high, two-tone, unpaired, connected"),
            ("Kd4cKh", "K high, rainbow, paired, disconnected"),
            ("QdQcJh", "Q high, rainbow, paired, semi-connected"),
            ("Ks8d3c", "K high, rainbow, unpaired, disconnected"),
            ("As2d9c", "A high, rainbow, unpaired, semi-connected"),
        ] {
            assert_eq!(Texture::of(&flop.parse().unwrap()).to_string(), text, "{flop}");
        }
    }

    #[test]
    fn a_flop_is_connected_if_and_only_if_some_hand_has_a_straight() {
        for flop in distinct_flops() {
            let has_straight = Hole::all().any(|hole| {
                !hole.set().intersects(flop.board.set())
                    && Strength::of(hole.set().union(flop.board.set())).is_some_and(|strength| {
                        matches!(strength.category(), Category::Straight | Category::StraightFlush)
                    })
            });
            assert_eq!(Texture::of(&flop.board).gaps == FlopGaps::Connected, has_straight, "{}", flop.board);
        }
    }
}
