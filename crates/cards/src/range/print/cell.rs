//! The weights of a range as colours, and what each class of hands needs.

use crate::{HandClass, Hole, Range};
use std::collections::BTreeMap;

/// One of the different weights of a range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Colour(u16);

impl Colour {
    /// The weight zero, which an unpainted hand has.
    pub(super) const BLANK: Self = Self(0);
}

/// What a letter costs.
pub(super) const LETTER: u32 = 2048;

/// The different weights of a range, zero first.
pub(super) struct Palette {
    weights: Vec<f32>,
    suffix_letters: Vec<u32>,
}

impl Palette {
    pub(super) fn of(range: &Range) -> Self {
        let mut weights: Vec<f32> = range.iter().map(|(_, weight)| weight).chain([0.0]).collect();
        weights.sort_unstable_by(f32::total_cmp);
        weights.dedup();
        let suffix_letters = weights
            .iter()
            .map(|&weight| if weight == 1.0 { 0 } else { 1 + weight.to_string().len() as u32 })
            .collect();
        Self { weights, suffix_letters }
    }

    pub(super) fn weight(&self, colour: Colour) -> f32 {
        self.weights[colour.0 as usize]
    }

    /// The letters of a group's `:weight`.
    pub(super) fn suffix_letters(&self, colour: Colour) -> u32 {
        self.suffix_letters[colour.0 as usize]
    }

    /// The cost of a group of classes whose hands take so many letters.
    pub(super) fn class_cost(&self, letters: u32, colour: Colour) -> u32 {
        // Taking hands back is hard to read: it must spare some letters.
        let hard_to_read = if colour == Colour::BLANK { 6 } else { 0 };
        self.cost(letters + hard_to_read, colour)
    }

    /// The cost of a group, with the comma after it.
    ///
    /// A letter outweighs any number of groups: of two texts of one length, the one with fewer groups costs less.
    fn cost(&self, letters: u32, colour: Colour) -> u32 {
        (letters + self.suffix_letters(colour) + 1) * LETTER + 1
    }

    fn colour(&self, weight: f32) -> Colour {
        Colour(self.weights.partition_point(|&other| other < weight) as u16)
    }
}

const _: () = assert!(Hole::COUNT < u16::MAX as usize && Hole::COUNT < LETTER as usize);

/// What a class costs in single combinations.
pub(super) struct ClassCell {
    /// All its hole pairs.
    all: u32,
    /// Those of each colour, the most costly first.
    spared: Vec<(Colour, u32)>,
}

impl ClassCell {
    fn of(class: HandClass, range: &Range, palette: &Palette) -> Self {
        const HOLE_LETTERS: u32 = 4;
        let mut spared: BTreeMap<Colour, u32> = BTreeMap::new();
        for hole in class.holes() {
            let colour = palette.colour(range.weight(hole));
            *spared.entry(colour).or_default() += palette.cost(HOLE_LETTERS, colour);
        }
        let mut spared: Vec<(Colour, u32)> = spared.into_iter().rev().collect();
        spared.sort_by_key(|&(_, cost)| std::cmp::Reverse(cost));
        Self { all: spared.iter().map(|&(_, cost)| cost).sum(), spared }
    }

    /// The cost of the combinations that are still wrong after the class has been painted `colour`.
    pub(super) fn cost(&self, colour: Colour) -> u32 {
        self.all - self.spared(colour)
    }

    /// The cost of the combinations that are right once the class has been painted `colour`.
    pub(super) fn spared(&self, colour: Colour) -> u32 {
        self.spared.iter().find(|&&(other, _)| other == colour).map_or(0, |&(_, cost)| cost)
    }

    /// The colours in the class, the most useful first.
    pub(super) fn colours(&self) -> impl Iterator<Item = Colour> + '_ {
        self.spared.iter().map(|&(colour, _)| colour)
    }

    /// The colour of most of the class.
    pub(super) fn main_colour(&self) -> Option<Colour> {
        self.colours().next().filter(|&colour| self.spared(colour) > self.all / 2)
    }
}

/// One cell per class.
pub(super) struct ClassCells(Vec<ClassCell>);

impl ClassCells {
    pub(super) fn of(range: &Range, palette: &Palette) -> Self {
        Self(HandClass::all().map(|class| ClassCell::of(class, range, palette)).collect())
    }

    pub(super) fn get(&self, class: HandClass) -> &ClassCell {
        &self.0[class.index()]
    }
}
