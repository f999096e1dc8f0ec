//! The best strokes for one strip of the matrix: the pairs, or all hands under one high card.
//!
//! A strip has a column per low card, lowest first, and two lanes: suited and offsuit. A stroke paints neighbouring
//! columns of one lane or of both. Strokes can be taken as nested or apart: of two that cross, the earlier can end
//! where the later begins without being longer. So the best strokes for a window of columns over a known background
//! are those for its parts, and there are few windows and few colours worth a stroke over several columns.

use super::cell::{Cell, Colour, Palette};
use crate::Rank;
use crate::range::group::{Group, Pattern, Suits};
use std::collections::{BTreeMap, BTreeSet};

/// A group with its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stroke {
    pub(super) group: Group,
    pub(super) colour: Colour,
}

/// A class in a strip, with what the runs below and above the strip do to it.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a> {
    pub(super) cell: &'a Cell,
    /// Its colour before the strip is painted.
    pub(super) before: Colour,
    /// Whether it is painted again after the strip.
    pub(super) covered: bool,
}

/// The hands under one high card, or the pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StripKind {
    Pairs,
    Under(Rank),
}

impl StripKind {
    fn pattern_length(self, suits: Suits) -> u32 {
        if self == Self::Pairs || suits == Suits::Both { 2 } else { 3 }
    }

    fn pattern(self, column: usize, suits: Suits) -> Option<Pattern> {
        let low = Rank::new(u8::try_from(column).ok()?)?;
        Some(match self {
            Self::Pairs => Pattern::new(low, low, Suits::Both),
            Self::Under(high) => Pattern::new(high, low, suits),
        })
    }
}

/// What is under a window in one lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    /// The lane is left out.
    Absent,
    /// What the slots had before.
    Before,
    /// One of the strip's colours.
    Painted(usize),
}

impl Ground {
    fn index(self) -> usize {
        match self {
            Self::Absent => 0,
            Self::Before => 1,
            Self::Painted(colour) => 2 + colour,
        }
    }
}

/// The columns from `from` to before `to`, over a background.
#[derive(Clone, Copy)]
struct Window {
    from: usize,
    to: usize,
    ground: [Ground; 2],
}

/// How the best strokes for a window begin at its first column.
#[derive(Clone, Copy)]
enum Choice {
    /// With that column on its own.
    Column,
    /// With each lane on its own.
    Split,
    /// With a stroke of a colour up to before a column.
    Run { suits: Suits, colour: usize, end: usize },
}

/// A length that is never the shortest and can be added to.
const NEVER: u32 = u32::MAX / 8;

/// One strip, and what is known about its windows.
pub(super) struct Strip<'a> {
    kind: StripKind,
    palette: &'a Palette,
    /// The colours that a stroke over several columns may have.
    colours: Vec<Colour>,
    columns: Vec<Column>,
    known: Vec<Option<(u32, Choice)>>,
}

impl<'a> Strip<'a> {
    /// A strip of the slots of both lanes, lowest column first. Pairs have one lane.
    pub(super) fn new(kind: StripKind, slots: &[[Option<Slot>; 2]], palette: &'a Palette) -> Self {
        let colours = run_colours(slots);
        let columns: Vec<Column> =
            slots.iter().map(|pair| Column::new(kind, pair, &colours, palette)).collect();
        let (width, grounds) = (columns.len() + 1, colours.len() + 2);
        let known = vec![None; width * width * grounds * grounds];
        Self { kind, palette, colours, columns, known }
    }

    /// The length of the best strokes and of the combinations that they leave.
    pub(super) fn length(&mut self) -> u32 {
        self.best(self.whole()).0
    }

    /// The best strokes, highest column first, later over earlier.
    pub(super) fn strokes(&mut self) -> Vec<Stroke> {
        let mut strokes = Vec::new();
        self.collect(self.whole(), &mut strokes);
        strokes
    }

    fn whole(&self) -> Window {
        let second = if self.kind == StripKind::Pairs { Ground::Absent } else { Ground::Before };
        Window { from: 0, to: self.columns.len(), ground: [Ground::Before, second] }
    }

    fn best(&mut self, window: Window) -> (u32, Choice) {
        if window.from == window.to {
            return (0, Choice::Column);
        }
        let (width, grounds) = (self.columns.len() + 1, self.colours.len() + 2);
        let [first, second] = window.ground.map(Ground::index);
        let place = ((window.from * width + window.to) * grounds + first) * grounds + second;
        if let Some(known) = self.known[place] {
            return known;
        }
        let best = self.find_best(window);
        self.known[place] = Some(best);
        best
    }

    fn find_best(&mut self, window: Window) -> (u32, Choice) {
        let Window { from, to, ground } = window;
        let column = self.columns[from].length(ground) + self.best(window.after(from + 1)).0;
        let mut best = (column, Choice::Column);
        if let Some([suited, offsuit]) = window.lanes() {
            let split = self.best(suited).0 + self.best(offsuit).0;
            if split < best.0 {
                best = (split, Choice::Split);
            }
        }
        for &suits in window.suits() {
            for colour in 0..self.colours.len() {
                let inside = painted(ground, suits, colour);
                // A stroke that does not help its first column can begin at the next.
                if self.columns[from].left(inside) >= self.columns[from].left(ground) {
                    continue;
                }
                for end in from + 2..=to {
                    let mut length = self.run_length(suits, colour, end);
                    if length < best.0 {
                        length += self.best(Window { to: end, ground: inside, ..window }).0;
                        length += self.best(window.after(end)).0;
                    }
                    if length < best.0 {
                        best = (length, Choice::Run { suits, colour, end });
                    }
                }
            }
        }
        best
    }

    /// The length of a group over several columns to before `end`, with its comma: `A2s+,` or `A9s-A6s,`.
    fn run_length(&self, suits: Suits, colour: usize, end: usize) -> u32 {
        let pattern = self.kind.pattern_length(suits);
        let hands = if end == self.columns.len() { pattern + 1 } else { 2 * pattern + 1 };
        hands + self.palette.suffix_length(self.colours[colour]) + 1
    }

    fn collect(&mut self, window: Window, strokes: &mut Vec<Stroke>) {
        if window.from == window.to {
            return;
        }
        match self.best(window).1 {
            Choice::Column => {
                self.collect(window.after(window.from + 1), strokes);
                for (suits, colour) in self.columns[window.from].strokes(window.ground) {
                    strokes.extend(self.stroke(window.from, window.from + 1, suits, colour));
                }
            }
            Choice::Split => {
                window.lanes().into_iter().flatten().for_each(|lane| self.collect(lane, strokes))
            }
            Choice::Run { suits, colour, end } => {
                self.collect(window.after(end), strokes);
                strokes.extend(self.stroke(window.from, end, suits, self.colours[colour]));
                let ground = painted(window.ground, suits, colour);
                self.collect(Window { to: end, ground, ..window }, strokes);
            }
        }
    }

    fn stroke(&self, from: usize, end: usize, suits: Suits, colour: Colour) -> Option<Stroke> {
        let (bottom, top) = (self.kind.pattern(from, suits)?, self.kind.pattern(end - 1, suits)?);
        Some(Stroke { group: Group::run(top, bottom)?, colour })
    }
}

impl Window {
    /// The part from a column on.
    fn after(self, from: usize) -> Self {
        Self { from, ..self }
    }

    /// Its two lanes apart, if it has two.
    fn lanes(self) -> Option<[Self; 2]> {
        let [first, second] = self.ground;
        (!self.ground.contains(&Ground::Absent)).then_some([
            Self { ground: [first, Ground::Absent], ..self },
            Self { ground: [Ground::Absent, second], ..self },
        ])
    }

    /// The kinds of stroke that may be made in it.
    fn suits(self) -> &'static [Suits] {
        match self.ground {
            [_, Ground::Absent] => &[Suits::Suited],
            [Ground::Absent, _] => &[Suits::Offsuit],
            _ => &[Suits::Both, Suits::Suited, Suits::Offsuit],
        }
    }
}

/// The ground after a stroke over all of it.
fn painted(ground: [Ground; 2], suits: Suits, colour: usize) -> [Ground; 2] {
    let new = Ground::Painted(colour);
    match suits {
        Suits::Both => [new, new],
        Suits::Suited => [new, ground[1]],
        Suits::Offsuit => [ground[0], new],
    }
}

/// The colours that several columns have, the most useful first.
fn run_colours(slots: &[[Option<Slot>; 2]]) -> Vec<Colour> {
    /// Real ranges have fewer that make runs; the number bounds the time for the others.
    const MAX: usize = 6;
    let mut uses: BTreeMap<Colour, (usize, u32)> = BTreeMap::new();
    for column in slots {
        let open = column.iter().flatten().filter(|slot| !slot.covered);
        let colours: BTreeSet<Colour> = open.flat_map(|slot| slot.cell.colours()).collect();
        for colour in colours {
            let spared = |slot: &Slot| slot.cell.spared(colour);
            let entry = uses.entry(colour).or_default();
            *entry = (entry.0 + 1, entry.1 + column.iter().flatten().map(spared).sum::<u32>());
        }
    }
    let mut useful: Vec<(u32, Colour)> = uses
        .into_iter()
        .filter(|&(_, (columns, _))| columns > 1)
        .map(|(colour, (_, spared))| (spared, colour))
        .collect();
    useful.sort_unstable_by(|a, b| b.cmp(a));
    useful.into_iter().take(MAX).map(|(_, colour)| colour).collect()
}

/// What one column of a strip costs.
struct Column {
    /// By lane and ground: the length of the combinations that remain if it is left so.
    left: [Vec<u32>; 2],
    /// By lane: the best stroke for that class alone, with the combinations that remain.
    alone: [(u32, Colour); 2],
    /// The best stroke for both classes, with what remains.
    together: Together,
}

/// A stroke over both classes of a column.
struct Together {
    length: u32,
    colour: Colour,
    /// The lanes that are better painted again.
    redo: [bool; 2],
}

impl Column {
    fn new(kind: StripKind, slots: &[Option<Slot>; 2], colours: &[Colour], palette: &Palette) -> Self {
        let open = slots.map(|slot| slot.filter(|slot| !slot.covered));
        let stroke = |suits, colour| kind.pattern_length(suits) + palette.suffix_length(colour) + 1;
        let left = open.map(|slot| {
            let cost = |colour| slot.map_or(0, |slot| slot.cell.cost(colour));
            let before = slot.map_or(0, |slot| slot.cell.cost(slot.before));
            [0, before].into_iter().chain(colours.iter().map(|&colour| cost(colour))).collect()
        });
        let alone = [(0, Suits::Suited), (1, Suits::Offsuit)].map(|(lane, suits)| {
            let best = open[lane].and_then(|slot: Slot| {
                let strokes = slot.cell.colours().map(|c| (stroke(suits, c) + slot.cell.cost(c), c));
                strokes.min_by_key(|&(length, _)| length)
            });
            best.unwrap_or((NEVER, Colour::BLANK))
        });
        let together = open.iter().flatten().flat_map(|slot| slot.cell.colours()).map(|colour| {
            let cost = [0, 1].map(|lane| open[lane].map_or(0, |slot: Slot| slot.cell.cost(colour)));
            let redo = [0, 1].map(|lane| alone[lane].0 < cost[lane]);
            let rest: u32 =
                [0, 1].map(|lane| if redo[lane] { alone[lane].0 } else { cost[lane] }).iter().sum();
            Together { length: stroke(Suits::Both, colour) + rest, colour, redo }
        });
        let never = Together { length: NEVER, colour: Colour::BLANK, redo: [false; 2] };
        let together =
            together.min_by_key(|both| both.length).filter(|_| kind != StripKind::Pairs).unwrap_or(never);
        Self { left, alone, together }
    }

    /// The combinations that remain if nothing is painted here.
    fn left(&self, ground: [Ground; 2]) -> u32 {
        self.left[0][ground[0].index()] + self.left[1][ground[1].index()]
    }

    /// The least for this column by strokes on it alone.
    fn length(&self, ground: [Ground; 2]) -> u32 {
        self.apart(ground).min(self.together(ground))
    }

    fn apart(&self, ground: [Ground; 2]) -> u32 {
        [0, 1].map(|lane| self.left[lane][ground[lane].index()].min(self.alone[lane].0)).iter().sum()
    }

    fn together(&self, ground: [Ground; 2]) -> u32 {
        if ground.contains(&Ground::Absent) { NEVER } else { self.together.length }
    }

    /// The strokes that [`Self::length`] counts.
    fn strokes(&self, ground: [Ground; 2]) -> Vec<(Suits, Colour)> {
        let both = self.together(ground) < self.apart(ground);
        let lane = |lane: usize, suits| {
            let needed = if both {
                self.together.redo[lane]
            } else {
                self.alone[lane].0 < self.left[lane][ground[lane].index()]
            };
            needed.then_some((suits, self.alone[lane].1))
        };
        let first = both.then_some((Suits::Both, self.together.colour));
        first.into_iter().chain(lane(0, Suits::Suited)).chain(lane(1, Suits::Offsuit)).collect()
    }
}
