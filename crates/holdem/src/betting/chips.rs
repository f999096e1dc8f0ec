//! Whole chips.

use std::fmt;

/// A number of whole chips, at most [`Chips::MAX`], so that no sum of a pot and two stacks overflows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Chips(u32);

impl Chips {
    /// No chips.
    pub const ZERO: Self = Self(0);
    /// The most that a pot, a stack or a bet may be: a billion.
    pub const MAX: Self = Self(1_000_000_000);

    /// That many chips; none if they are more than [`Chips::MAX`].
    pub fn new(count: u64) -> Option<Self> {
        u32::try_from(count).ok().map(Self).filter(|&chips| chips <= Self::MAX)
    }

    /// That many chips, or [`Chips::MAX`] if they are more: for the tree's own sums, which a stack bounds.
    pub(crate) fn saturating(count: u32) -> Self {
        Self(count).min(Self::MAX)
    }

    /// How many.
    pub fn get(self) -> u32 {
        self.0
    }

    /// How many, as a float.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0)
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<u16> for Chips {
    fn from(count: u16) -> Self {
        Self(u32::from(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_billion_chips_cannot_be_held() {
        assert_eq!(Chips::new(1_000_000_000), Some(Chips::MAX));
        assert_eq!(Chips::new(1_000_000_001), None);
        assert_eq!(Chips::new(u64::MAX), None);
        assert_eq!(Chips::saturating(u32::MAX), Chips::MAX);
    }
}
