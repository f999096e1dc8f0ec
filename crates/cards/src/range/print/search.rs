//! Which runs with one gap, like `T9s-54s`, make the text shorter.
//!
//! Such a run crosses the strips. Painted after them it spares them its classes; painted before them it gives them a
//! ground. Candidates are switched on and off one at a time for as long as the text gets shorter, once beginning with
//! none and once with all.

use super::cell::{Cells, Colour, Palette};
use super::strip::{Slot, Strip, StripKind, Stroke};
use crate::range::group::{Group, Pattern, Suits};
use crate::{HandClass, Rank};

/// The strokes that are found to be the shortest, later over earlier.
pub(super) fn shortest(cells: &Cells, palette: &Palette) -> Vec<Stroke> {
    let diagonals = candidates(cells, palette);
    let mut from_none = Search::new(cells, palette, &diagonals, vec![false; diagonals.len()]);
    from_none.improve();
    let all_above = diagonals.iter().map(|diagonal| diagonal.layer == Layer::Above).collect();
    let mut from_all = Search::new(cells, palette, &diagonals, all_above);
    from_all.improve();
    if from_all.length < from_none.length { from_all.strokes() } else { from_none.strokes() }
}

/// When a diagonal is painted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    Below,
    Above,
}

/// A run with one gap.
struct Diagonal {
    stroke: Stroke,
    layer: Layer,
    classes: Vec<HandClass>,
    length: u32,
}

impl Diagonal {
    fn new(line: &[Pattern], colour: Colour, layer: Layer, palette: &Palette) -> Option<Self> {
        let (&top, &bottom) = (line.first()?, line.last()?);
        let group = Group::run(top, bottom)?;
        let length = group.to_string().len() as u32 + palette.suffix_length(colour) + 1;
        let classes = line.iter().flat_map(|pattern| pattern.classes()).collect();
        Some(Self { stroke: Stroke { group, colour }, layer, classes, length })
    }
}

fn candidates(cells: &Cells, palette: &Palette) -> Vec<Diagonal> {
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

/// The colour that all classes of a pattern mostly have, if they agree and it is not blank.
fn main_colour(pattern: Pattern, cells: &Cells) -> Option<Colour> {
    let mut colours = pattern.classes().map(|class| cells.get(class).main_colour());
    let first = colours.next().filter(|&colour| colour != Colour::BLANK)?;
    colours.all(|colour| colour == first).then_some(first)
}

/// The longest runs of one colour, to be painted above the strips.
fn unbroken_runs(line: &[Pattern], cells: &Cells, palette: &Palette) -> Vec<Diagonal> {
    line.chunk_by(|&a, &b| main_colour(a, cells) == main_colour(b, cells))
        .filter(|run| run.len() > 1)
        .filter_map(|run| Diagonal::new(run, main_colour(run[0], cells)?, Layer::Above, palette))
        .collect()
}

/// For each colour the run that would spare the most, with gaps to be filled by the strips painted above it.
fn broken_runs(line: &[Pattern], cells: &Cells, palette: &Palette) -> Vec<Diagonal> {
    let colours: Vec<Option<Colour>> = line.iter().map(|&pattern| main_colour(pattern, cells)).collect();
    let mut different: Vec<Colour> = colours.iter().copied().flatten().collect();
    different.sort_unstable();
    different.dedup();
    different
        .into_iter()
        .filter_map(|colour| {
            let gain = |at: usize| match colours[at] {
                Some(other) if other == colour => 4 + palette.suffix_length(colour) as i32,
                Some(_) => 0,
                None => -6,
            };
            let ends: Vec<usize> = (0..line.len()).filter(|&at| colours[at] == Some(colour)).collect();
            let runs =
                ends.iter().flat_map(|&a| ends.iter().filter(move |&&b| b > a + 1).map(move |&b| (a, b)));
            let broken = runs.filter(|&(a, b)| (a..b).any(|at| colours[at] != Some(colour)));
            let (a, b) = broken.max_by_key(|&(a, b)| (a..=b).map(gain).sum::<i32>())?;
            Diagonal::new(&line[a..=b], colour, Layer::Below, palette)
        })
        .collect()
}

/// A choice of diagonals, and how long the text is with it.
struct Search<'a> {
    cells: &'a Cells,
    palette: &'a Palette,
    diagonals: &'a [Diagonal],
    chosen: Vec<bool>,
    strip_lengths: Vec<u32>,
    length: u32,
}

impl<'a> Search<'a> {
    fn new(cells: &'a Cells, palette: &'a Palette, diagonals: &'a [Diagonal], chosen: Vec<bool>) -> Self {
        let mut search = Self { cells, palette, diagonals, chosen, strip_lengths: Vec::new(), length: 0 };
        let ground = search.ground();
        search.strip_lengths = strip_kinds().map(|kind| search.strip(kind, &ground).length()).collect();
        search.length = search.total(&ground);
        search
    }

    /// Switches diagonals on if that is shorter and off if it is no longer, until neither helps.
    fn improve(&mut self) {
        while (0..self.diagonals.len()).filter(|&i| self.try_switching(i)).count() > 0 {}
    }

    fn try_switching(&mut self, i: usize) -> bool {
        let before = (self.length, self.strip_lengths.clone());
        self.chosen[i] = !self.chosen[i];
        let ground = self.ground();
        for (at, kind) in strip_kinds().enumerate() {
            if self.diagonals[i].classes.iter().any(|class| kind == StripKind::Under(class.high())) {
                self.strip_lengths[at] = self.strip(kind, &ground).length();
            }
        }
        self.length = self.total(&ground);
        let better = self.length < before.0 || self.length == before.0 && !self.chosen[i];
        if !better {
            (self.length, self.strip_lengths) = before;
            self.chosen[i] = !self.chosen[i];
        }
        better
    }

    fn strokes(&self) -> Vec<Stroke> {
        let ground = self.ground();
        let layer = |layer| self.chosen().filter(move |d| d.layer == layer).map(|d| d.stroke);
        let strips = strip_kinds().flat_map(|kind| self.strip(kind, &ground).strokes());
        layer(Layer::Below).chain(strips).chain(layer(Layer::Above)).collect()
    }

    fn chosen(&self) -> impl Iterator<Item = &'a Diagonal> + '_ {
        self.diagonals.iter().zip(&self.chosen).filter(|&(_, &chosen)| chosen).map(|(diagonal, _)| diagonal)
    }

    fn ground(&self) -> Ground {
        let mut ground =
            Ground { before: vec![Colour::BLANK; HandClass::COUNT], after: vec![None; HandClass::COUNT] };
        for diagonal in self.chosen() {
            for class in &diagonal.classes {
                match diagonal.layer {
                    Layer::Below => ground.before[class.index()] = diagonal.stroke.colour,
                    Layer::Above => ground.after[class.index()] = Some(diagonal.stroke.colour),
                }
            }
        }
        ground
    }

    fn total(&self, ground: &Ground) -> u32 {
        let diagonals: u32 = self.chosen().map(|diagonal| diagonal.length).sum();
        let covered = HandClass::all()
            .filter_map(|class| Some(self.cells.get(class).cost(ground.after[class.index()]?)));
        diagonals + covered.sum::<u32>() + self.strip_lengths.iter().sum::<u32>()
    }

    fn strip(&self, kind: StripKind, ground: &Ground) -> Strip<'a> {
        let slot = |class: HandClass| {
            let (before, covered) = (ground.before[class.index()], ground.after[class.index()].is_some());
            Some(Slot { cell: self.cells.get(class), before, covered })
        };
        let slots: Vec<[Option<Slot>; 2]> = match kind {
            StripKind::Pairs => Rank::all().map(|rank| [slot(HandClass::new(rank, rank)), None]).collect(),
            StripKind::Under(high) => Rank::all()
                .take_while(|&low| low < high)
                .map(|low| [slot(HandClass::new(high, low)), slot(HandClass::new(low, high))])
                .collect(),
        };
        Strip::new(kind, &slots, self.palette)
    }
}

/// The colour of each class below the strips, and above them where there is one.
struct Ground {
    before: Vec<Colour>,
    after: Vec<Option<Colour>>,
}

/// The pairs, then the high cards from the ace down.
fn strip_kinds() -> impl Iterator<Item = StripKind> {
    std::iter::once(StripKind::Pairs).chain(Rank::all().rev().map(StripKind::Under))
}
