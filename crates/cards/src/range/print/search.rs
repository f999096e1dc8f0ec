//! Which runs with one gap, like `T9s-54s`, make the text shorter.
//!
//! Such a run crosses the strips. Painted over them it spares them its classes; painted under them it gives them a
//! ground. Candidates are switched on and off one at a time for as long as the text gets shorter, beginning with none,
//! with the long ones, and with all.

use super::cell::{ClassCells, Colour, Palette};
use super::layers::best_strokes;
use super::slot::{Slot, Slots, StripKind};
use super::strip::{Strip, Stroke};
use crate::range::group::{HandGroup, Pattern, Suits};
use crate::{HandClass, Rank};
use std::collections::HashMap;

/// The strokes that are found to be the shortest, later over earlier.
pub(super) fn shortest(cells: &ClassCells, palette: &Palette) -> Vec<Stroke> {
    let diagonals = candidates(cells, palette);
    let mut search = Search { cells, palette, diagonals: &diagonals, strip_costs: HashMap::new() };
    let start = |columns: usize| diagonals.iter().map(|diagonal| diagonal.is_over_columns(columns)).collect();
    // At equal cost, the first is kept: the one with the fewest diagonals.
    let ends = [Rank::COUNT, 6, 4, 3, 2].map(|columns| search.descend(start(columns)));
    let best = ends.into_iter().min_by_key(|&(cost, _)| cost);
    best.map_or_else(Vec::new, |(_, chosen)| search.strokes(&chosen))
}

/// When a diagonal is painted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    Under,
    Over,
}

/// A run with one gap.
struct Diagonal {
    stroke: Stroke,
    layer: Layer,
    columns: usize,
    classes: Vec<HandClass>,
    cost: u32,
}

impl Diagonal {
    fn new(line: &[Pattern], colour: Colour, layer: Layer, palette: &Palette) -> Option<Self> {
        let group = HandGroup::run(*line.first()?, *line.last()?)?;
        let stroke = Stroke { group, colour };
        let classes = line.iter().flat_map(|pattern| pattern.classes()).collect();
        Some(Self { stroke, layer, columns: line.len(), classes, cost: stroke.cost(palette) })
    }

    /// Whether it is painted over the strips and crosses at least so many columns.
    fn is_over_columns(&self, columns: usize) -> bool {
        self.layer == Layer::Over && self.columns >= columns
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.classes.iter().any(|class| other.classes.contains(class))
    }
}

fn candidates(cells: &ClassCells, palette: &Palette) -> Vec<Diagonal> {
    let mut found = Vec::new();
    for gap in 1..Rank::COUNT as u8 {
        for suits in [Suits::Suited, Suits::Offsuit, Suits::Both] {
            let line: Vec<Pattern> = Rank::all()
                .rev()
                .filter_map(|low| Some(Pattern::new(Rank::new(low.index() + gap)?, low, suits)))
                .collect();
            found.extend(unbroken_runs(&line, cells, palette));
            found.extend(broken_runs(&line, cells, palette));
        }
    }
    found
}

/// The longest runs of one colour, to be painted over the strips.
fn unbroken_runs(line: &[Pattern], cells: &ClassCells, palette: &Palette) -> Vec<Diagonal> {
    let colour = |pattern: &Pattern| {
        let mut colours = pattern.classes().map(|class| cells.get(class).main_colour());
        let first = colours.next().flatten().filter(|&colour| colour != Colour::BLANK)?;
        colours.all(|colour| colour == Some(first)).then_some(first)
    };
    line.chunk_by(|a, b| colour(a) == colour(b))
        .filter(|run| run.len() > 1)
        .filter_map(|run| Diagonal::new(run, colour(&run[0])?, Layer::Over, palette))
        .collect()
}

/// For each colour the runs that would spare the most, with gaps for the strips to fill, to be painted under them.
fn broken_runs(line: &[Pattern], cells: &ClassCells, palette: &Palette) -> Vec<Diagonal> {
    const PER_COLOUR: usize = 2;
    let colours_at: Vec<Vec<Option<Colour>>> = line
        .iter()
        .map(|pattern| pattern.classes().map(|class| cells.get(class).main_colour()).collect())
        .collect();
    let mut colours: Vec<Colour> = colours_at.iter().flatten().copied().flatten().collect();
    colours.sort_unstable();
    colours.dedup();

    let mut found = Vec::new();
    for colour in colours.into_iter().filter(|&colour| colour != Colour::BLANK) {
        // About the letters that painting a class spares, or needs to be undone.
        let gain = |class: &Option<Colour>| match *class {
            Some(other) if other == colour => 4 + palette.suffix_letters(colour) as i32,
            Some(Colour::BLANK) => -6,
            _ => 0,
        };
        let gains: Vec<i32> = colours_at.iter().map(|classes| classes.iter().map(gain).sum()).collect();
        let ends: Vec<usize> = (0..line.len()).filter(|&at| colours_at[at].contains(&Some(colour))).collect();
        let mut runs: Vec<(i32, usize, usize)> = Vec::new();
        for &a in &ends {
            for &b in ends.iter().filter(|&&b| b > a) {
                if colours_at[a..=b].iter().flatten().any(|&other| other != Some(colour)) {
                    runs.push((gains[a..=b].iter().sum(), a, b));
                }
            }
        }
        runs.retain(|&(gain, a, b)| b > a + 1 && gain > 8 + palette.suffix_letters(colour) as i32);
        runs.sort_by_key(|&(gain, a, b)| (-gain, a, b));
        let best = runs.into_iter().take(PER_COLOUR);
        found.extend(best.filter_map(|(_, a, b)| Diagonal::new(&line[a..=b], colour, Layer::Under, palette)));
    }
    found
}

/// The search for the best choice of diagonals.
struct Search<'a> {
    cells: &'a ClassCells,
    palette: &'a Palette,
    diagonals: &'a [Diagonal],
    /// The least cost of a strip by what the diagonals leave of it.
    strip_costs: HashMap<(StripKind, Vec<Around>), u32>,
}

/// What the diagonals do to a class: its colour under the strip, and over it where there is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Around {
    before: Colour,
    after: Option<Colour>,
}

impl<'a> Search<'a> {
    /// Switches diagonals one by one while that is better, and gives the cost and the choice that it ends with.
    fn descend(&mut self, mut chosen: Vec<bool>) -> (u32, Vec<bool>) {
        let mut cost = self.cost(&chosen);
        loop {
            let before = cost;
            for i in 0..chosen.len() {
                for next in self.switched(&chosen, i) {
                    let next_cost = self.cost(&next);
                    if next_cost < cost {
                        (cost, chosen) = (next_cost, next);
                        break;
                    }
                }
            }
            if cost == before {
                return (cost, chosen);
            }
        }
    }

    /// The choice with one diagonal switched, and if it comes on, also with that in place of all that it overlaps.
    fn switched(&self, chosen: &[bool], i: usize) -> Vec<Vec<bool>> {
        let mut switched = chosen.to_vec();
        switched[i] = !chosen[i];
        let mut in_place = switched.clone();
        for (j, other) in self.diagonals.iter().enumerate() {
            in_place[j] &= i == j || !other.overlaps(&self.diagonals[i]);
        }
        if chosen[i] || in_place == switched { vec![switched] } else { vec![switched, in_place] }
    }

    fn strokes(&self, chosen: &[bool]) -> Vec<Stroke> {
        let around = self.around(chosen);
        let layer = |layer| self.chosen(chosen).filter(move |d| d.layer == layer).map(|d| d.stroke);
        let strips =
            strip_kinds().flat_map(|kind| best_strokes(kind, &self.slots(kind, &around), self.palette));
        layer(Layer::Under).chain(strips).chain(layer(Layer::Over)).collect()
    }

    fn cost(&mut self, chosen: &[bool]) -> u32 {
        let around = self.around(chosen);
        let diagonals: u32 = self.chosen(chosen).map(|diagonal| diagonal.cost).sum();
        let covered: u32 = HandClass::all()
            .filter_map(|class| Some(self.cells.get(class).cost(around[class.index()].after?)))
            .sum();
        let strips: u32 = strip_kinds().map(|kind| self.strip_cost(kind, &around)).sum();
        diagonals + covered + strips
    }

    fn strip_cost(&mut self, kind: StripKind, around: &[Around]) -> u32 {
        let key = (
            kind,
            kind.classes().into_iter().flatten().flatten().map(|class| around[class.index()]).collect(),
        );
        if let Some(&known) = self.strip_costs.get(&key) {
            return known;
        }
        let cost = Strip::new(kind, &self.slots(kind, around), self.palette).cost();
        self.strip_costs.insert(key, cost);
        cost
    }

    fn slots(&self, kind: StripKind, around: &[Around]) -> Slots<'a> {
        let slot = |class: HandClass| {
            let Around { before, after } = around[class.index()];
            Slot { cell: self.cells.get(class), before, covered: after.is_some() }
        };
        kind.classes().into_iter().map(|column| column.map(|class| class.map(slot))).collect()
    }

    fn around(&self, chosen: &[bool]) -> Vec<Around> {
        let mut around = vec![Around { before: Colour::BLANK, after: None }; HandClass::COUNT];
        for diagonal in self.chosen(chosen) {
            for class in &diagonal.classes {
                let around = &mut around[class.index()];
                match diagonal.layer {
                    Layer::Under => around.before = diagonal.stroke.colour,
                    Layer::Over => around.after = Some(diagonal.stroke.colour),
                }
            }
        }
        around
    }

    fn chosen(&self, chosen: &[bool]) -> impl Iterator<Item = &'a Diagonal> {
        self.diagonals.iter().zip(chosen).filter(|&(_, &chosen)| chosen).map(|(diagonal, _)| diagonal)
    }
}

/// The pairs, then the high cards from the ace down.
fn strip_kinds() -> impl Iterator<Item = StripKind> {
    std::iter::once(StripKind::Pairs).chain(Rank::all().rev().map(StripKind::Under))
}
