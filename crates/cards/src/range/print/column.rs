//! One column of a strip: the suited and the offsuit hands of two ranks.

use super::cell::{Colour, LETTER, Palette};
use super::slot::{Slot, StripKind};
use crate::range::group::Suits;

/// What is under a window in one lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    /// The lane is left out.
    Absent,
    /// Whatever is painted there does not matter.
    Free,
    /// What the slots had before.
    Before,
    /// One of the strip's colours.
    Painted(usize),
}

/// What is under the suited and the offsuit lane.
pub(super) type Grounds = [Ground; 2];

impl Ground {
    /// All of them in a strip with so many colours, in the order of their indices.
    fn all(colours: usize) -> impl Iterator<Item = Self> {
        [Self::Absent, Self::Free, Self::Before].into_iter().chain((0..colours).map(Self::Painted))
    }

    /// How many there are in a strip with so many colours.
    pub(super) fn count(colours: usize) -> usize {
        Self::Painted(colours).index()
    }

    pub(super) fn index(self) -> usize {
        match self {
            Self::Absent => 0,
            Self::Free => 1,
            Self::Before => 2,
            Self::Painted(colour) => 3 + colour,
        }
    }
}

/// Whether both lanes are to be painted.
pub(super) fn has_two_lanes(ground: Grounds) -> bool {
    ground.iter().all(|lane| !matches!(lane, Ground::Absent | Ground::Free))
}

/// A cost that is never the least and can be added to.
const NEVER: u32 = u32::MAX / 8;

/// What one column of a strip costs.
pub(super) struct StripColumn {
    /// By lane and ground: the cost of the combinations that remain if it is left so.
    left: [Vec<u32>; 2],
    /// By lane: the best stroke for that class alone, with the combinations that remain.
    alone: [(u32, Colour); 2],
    /// The best stroke for both classes, with what remains.
    together: JointStroke,
    /// By ground of the first lane and of the second: the least cost.
    costs: Vec<u32>,
}

/// A stroke over both classes of a column.
struct JointStroke {
    cost: u32,
    colour: Colour,
    /// The lanes that are better painted again.
    redo: [bool; 2],
}

impl StripColumn {
    pub(super) fn new(
        kind: StripKind,
        slots: &[Option<Slot>; 2],
        colours: &[Colour],
        palette: &Palette,
    ) -> Self {
        let open = slots.map(|slot| slot.filter(|slot| !slot.covered));
        let left = open.map(|slot| {
            let cost = |colour| slot.map_or(0, |slot| slot.cell.cost(colour));
            let before = slot.map_or(0, |slot| slot.cell.cost(slot.before));
            [0, 0, before].into_iter().chain(colours.iter().map(|&colour| cost(colour))).collect()
        });
        let alone = [(0, Suits::Suited), (1, Suits::Offsuit)].map(|(lane, suits)| {
            let letters = kind.pattern_letters(suits);
            let best = open[lane].and_then(|slot: Slot| {
                let strokes =
                    slot.cell.colours().map(|c| (palette.class_cost(letters, c) + slot.cell.cost(c), c));
                strokes.min_by_key(|&(cost, _)| cost)
            });
            best.unwrap_or((NEVER, Colour::BLANK))
        });
        let together = JointStroke::new(kind, &open, &alone, palette);
        let mut column = Self { left, alone, together, costs: Vec::new() };
        let grounds = || Ground::all(colours.len());
        column.costs = grounds()
            .flat_map(|first| grounds().map(move |second| [first, second]))
            .map(|ground| column.apart(ground).min(column.together(ground)))
            .collect();
        column
    }

    /// The least cost for this column by strokes on it alone.
    pub(super) fn cost(&self, ground: Grounds) -> u32 {
        let [first, second] = ground.map(Ground::index);
        self.costs[first * self.left[1].len() + second]
    }

    /// The strokes that [`Self::cost`] counts.
    pub(super) fn strokes(&self, ground: Grounds) -> Vec<(Suits, Colour)> {
        let both = self.together(ground) < self.apart(ground);
        let first = both.then_some((Suits::Both, self.together.colour));
        let lanes = [(0, Suits::Suited), (1, Suits::Offsuit)].into_iter().filter_map(|(lane, suits)| {
            let alone_is_better = self.alone(lane, ground) < self.left(lane, ground);
            let needed = if both { self.together.redo[lane] } else { alone_is_better };
            let suits = if ground[1 - lane] == Ground::Free { Suits::Both } else { suits };
            needed.then_some((suits, self.alone[lane].1))
        });
        first.into_iter().chain(lanes).collect()
    }

    fn apart(&self, ground: Grounds) -> u32 {
        [0, 1].map(|lane| self.left(lane, ground).min(self.alone(lane, ground))).iter().sum()
    }

    fn together(&self, ground: Grounds) -> u32 {
        if has_two_lanes(ground) { self.together.cost } else { NEVER }
    }

    fn left(&self, lane: usize, ground: Grounds) -> u32 {
        self.left[lane][ground[lane].index()]
    }

    fn alone(&self, lane: usize, ground: Grounds) -> u32 {
        // Where the other lane does not matter, `AK` does for `AKs`.
        let spared = if ground[1 - lane] == Ground::Free { LETTER } else { 0 };
        self.alone[lane].0 - spared
    }
}

impl JointStroke {
    fn new(kind: StripKind, open: &[Option<Slot>; 2], alone: &[(u32, Colour); 2], palette: &Palette) -> Self {
        let letters = kind.pattern_letters(Suits::Both);
        let colours = open.iter().flatten().flat_map(|slot| slot.cell.colours());
        let strokes = colours.map(|colour| {
            let left = open.map(|slot| slot.map_or(0, |slot| slot.cell.cost(colour)));
            let redo = [0, 1].map(|lane| alone[lane].0 < left[lane]);
            let rest: u32 = [0, 1].map(|lane| left[lane].min(alone[lane].0)).iter().sum();
            Self { cost: palette.class_cost(letters, colour) + rest, colour, redo }
        });
        let never = Self { cost: NEVER, colour: Colour::BLANK, redo: [false; 2] };
        strokes.min_by_key(|together| together.cost).unwrap_or(never)
    }
}
