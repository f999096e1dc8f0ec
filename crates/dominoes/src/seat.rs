//! Who sits where, and with whom.

use std::fmt;

/// A place at the table, 0 to 3 in the order of play; seat 0 leads the first trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The four seats in the order of play.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// The seat with this number, if it is below 4.
    pub const fn new(number: u8) -> Option<Self> {
        if number < 4 { Some(Self(number)) } else { None }
    }

    /// The seat that plays this many turns later.
    pub const fn after(self, turns: usize) -> Self {
        Self(((self.0 as usize + turns) % 4) as u8)
    }

    /// The number, 0..4, to index by.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Seats 0 and 2 play together, and so do 1 and 3.
    pub const fn team(self) -> Team {
        if self.0.is_multiple_of(2) { Team::Zero } else { Team::One }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Two partners. Values are from [`Team::Zero`]'s side: it wants them high, the other low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Team {
    /// Seats 0 and 2.
    Zero,
    /// Seats 1 and 3.
    One,
}

impl Team {
    /// The better of two values for this team.
    pub fn better<T: Ord>(self, one: T, other: T) -> T {
        match self {
            Self::Zero => one.max(other),
            Self::One => one.min(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_alternate_between_the_teams() {
        assert_eq!(Seat::ALL.map(Seat::team), [Team::Zero, Team::One, Team::Zero, Team::One]);
        assert_eq!(Seat::ALL[3].after(2), Seat::ALL[1]);
        assert_eq!(Seat::new(4), None);
    }
}
