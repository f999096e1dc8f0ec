//! The classes of a strip, and the groups that they make.

use super::cell::{ClassCell, Colour};
use crate::range::group::{Pattern, Suits};
use crate::{HandClass, Rank};

/// A class in a strip, with what the runs below and above the strip do to it.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a> {
    pub(super) cell: &'a ClassCell,
    /// Its colour before the strip is painted.
    pub(super) before: Colour,
    /// Whether it is painted again after the strip.
    pub(super) covered: bool,
}

/// A strip's slots, suited and offsuit for each column.
pub(super) type Slots<'a> = Vec<[Option<Slot<'a>>; 2]>;

/// The hands under one high card, or the pairs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum StripKind {
    Pairs,
    Under(Rank),
}

impl StripKind {
    /// The suited and the offsuit class of each column, or the pair.
    pub(super) fn classes(self) -> Vec<[Option<HandClass>; 2]> {
        match self {
            Self::Pairs => Rank::all().map(|rank| [Some(HandClass::new(rank, rank)), None]).collect(),
            Self::Under(high) => Rank::all()
                .take_while(|&low| low < high)
                .map(|low| [Some(HandClass::new(high, low)), Some(HandClass::new(low, high))])
                .collect(),
        }
    }

    /// The letters of `AA`, `AK` or `AKs`.
    pub(super) fn pattern_letters(self, suits: Suits) -> u32 {
        if self == Self::Pairs || suits == Suits::Both { 2 } else { 3 }
    }

    pub(super) fn pattern(self, column: usize, suits: Suits) -> Option<Pattern> {
        let low = Rank::new(u8::try_from(column).ok()?)?;
        Some(match self {
            Self::Pairs => Pattern::new(low, low, Suits::Both),
            Self::Under(high) => Pattern::new(high, low, suits),
        })
    }
}
