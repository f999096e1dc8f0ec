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

/// The different weights of a range, zero first.
pub(super) struct Palette {
    weights: Vec<f32>,
    suffix_lengths: Vec<u32>,
}

impl Palette {
    pub(super) fn of(range: &Range) -> Self {
        let mut weights: Vec<f32> = range.iter().map(|(_, weight)| weight).chain([0.0]).collect();
        weights.sort_unstable_by(f32::total_cmp);
        weights.dedup();
        let suffix_lengths = weights
            .iter()
            .map(|&weight| if weight == 1.0 { 0 } else { 1 + weight.to_string().len() as u32 })
            .collect();
        Self { weights, suffix_lengths }
    }

    pub(super) fn weight(&self, colour: Colour) -> f32 {
        self.weights[colour.0 as usize]
    }

    /// The length of a group's `:weight`.
    pub(super) fn suffix_length(&self, colour: Colour) -> u32 {
        self.suffix_lengths[colour.0 as usize]
    }

    fn colour(&self, weight: f32) -> Colour {
        Colour(self.weights.partition_point(|&other| other < weight) as u16)
    }
}

/// What a class costs in single combinations.
#[derive(Clone, Default)]
pub(super) struct Cell {
    /// The length of all its hole pairs as single combinations, each with a comma.
    all: u32,
    /// The part of that length in each colour, the longest first.
    spared: Vec<(Colour, u32)>,
}

impl Cell {
    fn of(class: HandClass, range: &Range, palette: &Palette) -> Self {
        let mut spared: BTreeMap<Colour, u32> = BTreeMap::new();
        for hole in class.holes() {
            let colour = palette.colour(range.weight(hole));
            *spared.entry(colour).or_default() += HOLE_LENGTH + palette.suffix_length(colour);
        }
        let mut spared: Vec<(Colour, u32)> = spared.into_iter().rev().collect();
        spared.sort_by_key(|&(_, length)| std::cmp::Reverse(length));
        Self { all: spared.iter().map(|&(_, length)| length).sum(), spared }
    }

    /// The length of the combinations that are still wrong after the class has been painted `colour`.
    pub(super) fn cost(&self, colour: Colour) -> u32 {
        self.all - self.spared(colour)
    }

    /// The length of the combinations that are right once the class has been painted `colour`.
    pub(super) fn spared(&self, colour: Colour) -> u32 {
        self.spared.iter().find(|&&(other, _)| other == colour).map_or(0, |&(_, length)| length)
    }

    /// The colours in the class, the most useful first.
    pub(super) fn colours(&self) -> impl Iterator<Item = Colour> + '_ {
        self.spared.iter().map(|&(colour, _)| colour)
    }

    /// The most useful colour.
    pub(super) fn main_colour(&self) -> Colour {
        self.colours().next().unwrap_or(Colour::BLANK)
    }
}

/// `AsAh,`
const HOLE_LENGTH: u32 = 5;

/// One cell per class.
pub(super) struct Cells(Vec<Cell>);

impl Cells {
    pub(super) fn of(range: &Range, palette: &Palette) -> Self {
        Self(HandClass::all().map(|class| Cell::of(class, range, palette)).collect())
    }

    pub(super) fn get(&self, class: HandClass) -> &Cell {
        &self.0[class.index()]
    }
}

const _: () = assert!(Hole::COUNT < u16::MAX as usize);
