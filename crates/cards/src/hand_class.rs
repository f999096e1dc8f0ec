//! The 169 kinds of hole pair: pairs, suited hands and offsuit hands.

use crate::{Card, Hole, Rank, Suit};
use std::fmt;

/// All hole pairs of two ranks that differ only in their suits: `AA`, `AKs` or `AKo`.
///
/// The order is that of the usual 13×13 matrix, row by row from `AA` at the top left: suited hands are above the
/// diagonal, offsuit hands below it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HandClass {
    row: Rank,
    column: Rank,
}

/// What the two cards of a [`HandClass`] have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// Their rank.
    Pair,
    /// Their suit.
    Suited,
    /// Neither rank nor suit.
    Offsuit,
}

impl HandClass {
    /// How many classes there are.
    pub const COUNT: usize = 169;

    /// The class in a cell of the matrix: suited if `row` is above `column`, offsuit if it is below.
    pub fn new(row: Rank, column: Rank) -> Self {
        Self { row, column }
    }

    /// The class that a hole pair belongs to.
    pub fn of(hole: Hole) -> Self {
        let [high, low] = hole.cards();
        if high.suit() == low.suit() {
            Self::new(high.rank(), low.rank())
        } else {
            Self::new(low.rank(), high.rank())
        }
    }

    /// All classes in the order of the matrix: AA, AKs, … A2s, AKo, KK, … 22.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        Rank::all().rev().flat_map(|row| Rank::all().rev().map(move |column| Self { row, column }))
    }

    /// Position in that order, 0 to 168: 13 times the row plus the column, both counted from the ace.
    pub fn index(self) -> usize {
        let from_ace = |rank: Rank| 12 - rank.index() as usize;
        from_ace(self.row) * Rank::COUNT + from_ace(self.column)
    }

    /// The rank that names its row of the matrix.
    pub fn row(self) -> Rank {
        self.row
    }

    /// The rank that names its column of the matrix.
    pub fn column(self) -> Rank {
        self.column
    }

    /// The higher of its two ranks.
    pub fn high(self) -> Rank {
        self.row.max(self.column)
    }

    /// The lower of its two ranks.
    pub fn low(self) -> Rank {
        self.row.min(self.column)
    }

    /// Whether it is a pair, suited or offsuit.
    pub fn shape(self) -> Shape {
        match self.row.cmp(&self.column) {
            std::cmp::Ordering::Equal => Shape::Pair,
            std::cmp::Ordering::Greater => Shape::Suited,
            std::cmp::Ordering::Less => Shape::Offsuit,
        }
    }

    /// Its hole pairs: 6 of a pair, 4 suited, 12 offsuit.
    pub fn holes(self) -> impl Iterator<Item = Hole> {
        let suits = Suit::all().rev().flat_map(|a| Suit::all().rev().map(move |b| (a, b)));
        suits
            .filter(move |(a, b)| match self.shape() {
                Shape::Pair => a > b,
                Shape::Suited => a == b,
                Shape::Offsuit => a != b,
            })
            .filter_map(move |(a, b)| Hole::new(Card::new(self.high(), a), Card::new(self.low(), b)))
    }
}

impl fmt::Display for HandClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.shape() {
            Shape::Pair => "",
            Shape::Suited => "s",
            Shape::Offsuit => "o",
        };
        write!(f, "{}{}{suffix}", self.high().to_char(), self.low().to_char())
    }
}

impl fmt::Debug for HandClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_classes_come_in_matrix_order_and_split_all_hole_pairs() {
        let mut seen = HashSet::new();
        for (i, class) in HandClass::all().enumerate() {
            assert_eq!(class.index(), i);
            let holes: Vec<Hole> = class.holes().collect();
            let size = match class.shape() {
                Shape::Pair => 6,
                Shape::Suited => 4,
                Shape::Offsuit => 12,
            };
            assert_eq!(holes.len(), size, "{class}");
            for hole in holes {
                assert_eq!(HandClass::of(hole), class);
                assert!(seen.insert(hole));
            }
        }
        assert_eq!((HandClass::all().count(), seen.len()), (HandClass::COUNT, Hole::COUNT));
    }

    #[test]
    fn classes_have_their_usual_names() {
        let names: Vec<String> = HandClass::all().map(|class| class.to_string()).collect();
        assert_eq!((&*names[0], &*names[1], &*names[13], &*names[168]), ("AA", "AKs", "AKo", "22"));
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), HandClass::COUNT);
    }
}
