//! The best strokes for one strip of the matrix: the pairs, or all hands under one high card.
//!
//! A strip has a column per low card, lowest first, and two lanes: suited and offsuit. A stroke paints neighbouring
//! columns of one lane or of both. In one lane, strokes can be taken as nested or apart: of two that cross, the earlier
//! can end where the later begins without being longer. So the best strokes for a window of columns over a known ground
//! are put together from those for its parts. Windows are few, and so are colours worth a stroke over several columns.

use super::cell::{ClassCell, Colour, LETTER, Palette};
use super::column::{Ground, Grounds, StripColumn, has_two_lanes};
use super::slot::{Slots, StripKind};
use crate::range::group::{HandGroup, Suits};
use std::collections::{BTreeMap, BTreeSet};

/// A group with its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stroke {
    pub(super) group: HandGroup,
    pub(super) colour: Colour,
}

impl Stroke {
    pub(super) fn cost(&self, palette: &Palette) -> u32 {
        palette.class_cost(self.group.to_string().len() as u32, self.colour)
    }
}

/// The columns from `from` to before `to`, over a ground.
#[derive(Clone, Copy)]
struct Window {
    from: usize,
    to: usize,
    ground: Grounds,
}

/// How the best strokes for a window begin at its first column.
#[derive(Clone, Copy)]
enum WindowChoice {
    /// With that column on its own.
    Column,
    /// With each lane on its own.
    Split,
    /// With a stroke up to before a column, under the others there.
    Under(StrokeRun),
    /// With a stroke in one lane up to before a column, over what the other lane needs there.
    Over(StrokeRun),
}

/// A stroke over several columns, from the first of a window to before `end`.
#[derive(Clone, Copy)]
struct StrokeRun {
    suits: Suits,
    colour: usize,
    end: usize,
}

/// One strip, and what is known about its windows.
pub(super) struct Strip<'a> {
    kind: StripKind,
    palette: &'a Palette,
    /// The colours that a stroke over several columns may have.
    colours: Vec<Colour>,
    columns: Vec<StripColumn>,
    ground: Grounds,
    known: Vec<Option<(u32, WindowChoice)>>,
}

impl<'a> Strip<'a> {
    /// A strip of the slots of one lane or both, lowest column first.
    pub(super) fn new(kind: StripKind, slots: &Slots, palette: &'a Palette) -> Self {
        let colours = run_colours(slots);
        let columns: Vec<StripColumn> =
            slots.iter().map(|column| StripColumn::new(kind, column, &colours, palette)).collect();
        let ground = [0, 1].map(|lane| {
            if slots.iter().any(|column| column[lane].is_some()) { Ground::Before } else { Ground::Absent }
        });
        let (width, grounds) = (columns.len() + 1, Ground::count(colours.len()));
        let known = vec![None; width * width * grounds * grounds];
        Self { kind, palette, colours, columns, ground, known }
    }

    /// The cost of the best strokes and of the combinations that they leave.
    pub(super) fn cost(&mut self) -> u32 {
        self.best(self.whole()).0
    }

    /// The best strokes, highest column first, later over earlier.
    pub(super) fn strokes(&mut self) -> Vec<Stroke> {
        let mut strokes = Vec::new();
        self.collect(self.whole(), &mut strokes);
        strokes
    }

    fn whole(&self) -> Window {
        Window { from: 0, to: self.columns.len(), ground: self.ground }
    }

    fn best(&mut self, window: Window) -> (u32, WindowChoice) {
        if window.from == window.to {
            return (0, WindowChoice::Column);
        }
        let (width, grounds) = (self.columns.len() + 1, Ground::count(self.colours.len()));
        let [first, second] = window.ground.map(Ground::index);
        let place = ((window.from * width + window.to) * grounds + first) * grounds + second;
        if let Some(known) = self.known[place] {
            return known;
        }
        let best = self.find_best(window);
        self.known[place] = Some(best);
        best
    }

    fn find_best(&mut self, window: Window) -> (u32, WindowChoice) {
        let column = self.columns[window.from].cost(window.ground);
        let mut best = (column + self.best(window.after(window.from + 1)).0, WindowChoice::Column);
        if has_two_lanes(window.ground) {
            self.consider(WindowChoice::Split, 0, window, &mut best);
        }
        for &suits in window.suits() {
            for colour in 0..self.colours.len() {
                self.consider_runs(suits, colour, window, &mut best);
            }
        }
        best
    }

    fn consider_runs(&mut self, suits: Suits, colour: usize, window: Window, best: &mut (u32, WindowChoice)) {
        let mut spared = self.spared(window.from, suits, colour, window);
        // A run need not begin at a column that it does not help, nor end there, but for a `+`.
        if spared == 0 {
            return;
        }
        for end in window.from + 2..=window.to {
            let by_last = self.spared(end - 1, suits, colour, window);
            spared += by_last;
            let run = StrokeRun { suits, colour, end };
            let cost = self.run_cost(run);
            if by_last == 0 && end < self.columns.len() || cost >= best.0 {
                continue;
            }
            if cost < spared {
                self.consider(WindowChoice::Under(run), cost, window, best);
            }
            // Under this run the other lane may be painted by strokes over both, which are a little shorter.
            let by_other_lane = (end - window.from) as u32 * LETTER;
            if suits != Suits::Both && has_two_lanes(window.ground) && cost < spared + by_other_lane {
                self.consider(WindowChoice::Over(run), cost, window, best);
            }
        }
    }

    /// What a stroke spares a column.
    fn spared(&self, column: usize, suits: Suits, colour: usize, window: Window) -> u32 {
        let column = &self.columns[column];
        column.cost(window.ground).saturating_sub(column.cost(painted(window.ground, suits, colour)))
    }

    /// Takes a choice if its own cost and that of the windows that it leaves are less than the best so far.
    fn consider(
        &mut self,
        choice: WindowChoice,
        mut cost: u32,
        window: Window,
        best: &mut (u32, WindowChoice),
    ) {
        for part in window.parts(choice).into_iter().flatten() {
            if cost >= best.0 {
                return;
            }
            cost += self.best(part).0;
        }
        if cost < best.0 {
            *best = (cost, choice);
        }
    }

    /// The cost of a group over several columns: `A2s+` or `A9s-A6s`.
    fn run_cost(&self, StrokeRun { suits, colour, end }: StrokeRun) -> u32 {
        let pattern = self.kind.pattern_letters(suits);
        let letters = if end == self.columns.len() { pattern + 1 } else { 2 * pattern + 1 };
        self.palette.class_cost(letters, self.colours[colour])
    }

    fn collect(&mut self, window: Window, strokes: &mut Vec<Stroke>) {
        if window.from == window.to {
            return;
        }
        let choice = self.best(window).1;
        for (i, part) in window.parts(choice).into_iter().flatten().enumerate() {
            match (choice, i) {
                (WindowChoice::Under(run), 1) | (WindowChoice::Over(run), 2) => {
                    strokes.extend(self.stroke(window.from, run.end, run.suits, self.colours[run.colour]));
                }
                _ => {}
            }
            self.collect(part, strokes);
        }
        if let WindowChoice::Column = choice {
            for (suits, colour) in self.columns[window.from].strokes(window.ground) {
                strokes.extend(self.stroke(window.from, window.from + 1, suits, colour));
            }
        }
    }

    fn stroke(&self, from: usize, end: usize, suits: Suits, colour: Colour) -> Option<Stroke> {
        let (bottom, top) = (self.kind.pattern(from, suits)?, self.kind.pattern(end - 1, suits)?);
        Some(Stroke { group: HandGroup::run(top, bottom)?, colour })
    }
}

impl Window {
    /// The part from a column on.
    fn after(self, from: usize) -> Self {
        Self { from, ..self }
    }

    /// The kinds of stroke that are worth making in it.
    fn suits(self) -> &'static [Suits] {
        match self.ground {
            [_, Ground::Absent] => &[Suits::Suited],
            [Ground::Absent, _] => &[Suits::Offsuit],
            // Where the other lane does not matter, both are named in fewer letters than one.
            [_, Ground::Free] | [Ground::Free, _] => &[Suits::Both],
            _ => &[Suits::Both, Suits::Suited, Suits::Offsuit],
        }
    }

    /// The windows that remain when a choice has been made, in the order in which they are painted. The stroke of an
    /// `Under` comes before the second of them, that of an `Over` before the third.
    fn parts(self, choice: WindowChoice) -> [Option<Self>; 3] {
        let [first, second] = self.ground;
        match choice {
            WindowChoice::Column => [Some(self.after(self.from + 1)), None, None],
            WindowChoice::Split => {
                let lane = |ground| Some(Self { ground, ..self });
                [lane([first, Ground::Absent]), lane([Ground::Absent, second]), None]
            }
            WindowChoice::Under(StrokeRun { suits, colour, end }) => {
                let inside = Self { to: end, ground: painted(self.ground, suits, colour), ..self };
                [Some(self.after(end)), Some(inside), None]
            }
            WindowChoice::Over(StrokeRun { suits, colour, end }) => {
                let new = Ground::Painted(colour);
                let (other, own) = match suits {
                    Suits::Suited => ([Ground::Free, second], [new, Ground::Absent]),
                    _ => ([first, Ground::Free], [Ground::Absent, new]),
                };
                let inside = |ground| Some(Self { to: end, ground, ..self });
                [Some(self.after(end)), inside(other), inside(own)]
            }
        }
    }
}

/// The ground after a stroke over all of it.
fn painted(ground: Grounds, suits: Suits, colour: usize) -> Grounds {
    let paint = |lane: Ground| if lane == Ground::Free { lane } else { Ground::Painted(colour) };
    match suits {
        Suits::Both => ground.map(paint),
        Suits::Suited => [paint(ground[0]), ground[1]],
        Suits::Offsuit => [ground[0], paint(ground[1])],
    }
}

/// The colours that several columns have, the most useful first.
fn run_colours(slots: &Slots) -> Vec<Colour> {
    /// Real ranges have fewer that make runs; the number bounds the time for the others.
    const MAX: usize = 6;
    let mut uses: BTreeMap<Colour, (usize, u32)> = BTreeMap::new();
    for column in slots {
        let open: Vec<&ClassCell> =
            column.iter().flatten().filter(|slot| !slot.covered).map(|slot| slot.cell).collect();
        let colours: BTreeSet<Colour> = open.iter().flat_map(|cell| cell.colours()).collect();
        for colour in colours {
            let (columns, spared) = uses.entry(colour).or_default();
            *columns += 1;
            *spared += open.iter().map(|cell| cell.spared(colour)).sum::<u32>();
        }
    }
    let several = uses.into_iter().filter(|&(_, (columns, _))| columns > 1);
    let mut useful: Vec<(u32, Colour)> = several.map(|(colour, (_, spared))| (spared, colour)).collect();
    useful.sort_unstable_by(|a, b| b.cmp(a));
    useful.into_iter().take(MAX).map(|(_, colour)| colour).collect()
}
