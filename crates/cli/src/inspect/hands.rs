//! Hands one by one.

use super::point::{InspectedPoint, chips, percent, title};
use crate::palette::{BOLD, DIM, Paint};
use crate::unit::ev_heading;
use noregret_holdem::cards::{Draws, FlushDraw, Hole, StraightDraw};
use noregret_report::HandLine;
use std::fmt;

/// A line for each hand.
pub struct HandsTable<'a> {
    pub point: &'a InspectedPoint<'a>,
    pub lines: &'a [HandLine],
    /// How many there are without the filter.
    pub of: usize,
}

impl fmt::Display for HandsTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let acts = self.point.view.player == Some(self.point.player);
        let actions = if acts { &self.point.view.actions[..] } else { &[] };
        let names = if acts { self.point.action_names() } else { Vec::new() };
        let name = title(self.point.player);
        writeln!(f, "{BOLD}{} of {name}'s {} hands{BOLD:#}", self.lines.len(), self.of)?;
        let ev = ev_heading(self.point.format);
        write!(f, "{BOLD}hand  {:<14} {:<9} {:>6} {ev:>9} {:>7}", "made", "draws", "reach", "equity")?;
        for name in &names {
            write!(f, " {name:>8}")?;
        }
        writeln!(f, "{BOLD:#}")?;
        let paints = Paint::of(actions);
        for line in self.lines {
            write!(f, "{:<5} {:<14} {:<9} ", line.hole.to_string(), line.made, short(&line.draws))?;
            if !line.is_here() {
                writeln!(f, "{DIM}does not get here{DIM:#}")?;
                continue;
            }
            let reach = percent(Some(line.reach), 1);
            write!(f, "{reach:>6} {:>9} {:>7}", chips(line.ev), percent(line.equity, 1))?;
            for (a, name) in names.iter().enumerate() {
                let style = paints[a].text();
                let width = name.len().max(8);
                let share = percent(line.strategy.as_ref().map(|strategy| strategy[a]), 1);
                write!(f, " {style}{share:>width$}{style:#}")?;
            }
            writeln!(f)?;
        }
        write!(
            f,
            "{DIM}draws: FD flush draw, bd backdoor flush draw, OE open-ended, GS gutshot, 2o 1o overcards{DIM:#}"
        )
    }
}

/// The draws in two letters each.
fn short(draws: &Draws) -> String {
    let flush = match draws.flush {
        FlushDraw::None => "",
        FlushDraw::Backdoor => "bd",
        FlushDraw::Draw => "FD",
    };
    let straight = match draws.straight {
        StraightDraw::None => "",
        StraightDraw::Gutshot => "GS",
        StraightDraw::OpenEnded => "OE",
    };
    let overcards = ["", "1o", "2o"][usize::from(draws.overcards.min(2))];
    let names: Vec<&str> = [flush, straight, overcards].into_iter().filter(|name| !name.is_empty()).collect();
    names.join(" ")
}

/// Everything about one hand.
pub struct HandDetail<'a> {
    point: &'a InspectedPoint<'a>,
    hole: Hole,
    line: Option<HandLine>,
}

impl<'a> HandDetail<'a> {
    pub fn new(point: &'a InspectedPoint<'a>, hole: Hole, lines: &[HandLine]) -> Self {
        Self { point, hole, line: lines.iter().find(|line| line.hole == hole).cloned() }
    }

    fn absence(&self) -> String {
        let Self { hole, point, .. } = self;
        if hole.set().intersects(point.view.board.set()) {
            format!("{hole} is not possible: the board has a card of it")
        } else {
            format!("{hole} is not in {}'s range", title(point.player))
        }
    }
}

impl fmt::Display for HandDetail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(line) = &self.line else { return write!(f, "{}", self.absence()) };
        let draws = if line.draws == Draws::default() { String::new() } else { format!(", {}", line.draws) };
        writeln!(f, "{BOLD}{} of {}{BOLD:#}: {}{draws}", line.hole, title(self.point.player), line.made)?;
        if !line.is_here() {
            return write!(f, "It does not get here.");
        }
        let eqr = line.ev.zip(line.equity).filter(|(_, equity)| *equity > 0.0);
        let eqr = eqr.map(|(ev, equity)| ev / (equity * self.point.summary.pot));
        write!(
            f,
            "reach {}   EV {}   equity {}   EQR {}",
            percent(Some(line.reach), 2),
            chips(line.ev),
            percent(line.equity, 2),
            percent(eqr, 1)
        )?;
        let actions = &self.point.view.actions;
        let (Some(strategy), Some(evs)) = (&line.strategy, &line.action_evs) else { return Ok(()) };
        let best = evs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let names = self.point.action_names();
        let heading = ev_heading(self.point.format);
        let width = names.iter().map(String::len).max().unwrap_or(0);
        write!(f, "\n\n{BOLD}{:<width$}{:>9}  {:20}{heading:>10}{:>10}{BOLD:#}", "", "", "", "to best")?;
        for (((name, share), ev), paint) in names.iter().zip(strategy).zip(evs).zip(Paint::of(actions)) {
            let (style, bar) = (paint.text(), "█".repeat((share * 20.0).round() as usize));
            let (share, behind) = (percent(Some(*share), 2), chips(Some(ev - best)));
            let ev = chips(Some(*ev));
            write!(f, "\n{name:<width$}{share:>9}  {style}{bar:<20}{style:#}{ev:>10}{behind:>10}")?;
        }
        Ok(())
    }
}
