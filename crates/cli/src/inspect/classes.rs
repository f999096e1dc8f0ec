//! What the hands of a player make of the board, a line for each kind.

use super::point::{InspectedPoint, chips, percent};
use crate::palette::BOLD;
use crate::unit::ev_heading;
use noregret_report::{HandLine, MadeLine, made_lines};
use std::fmt;

/// The totals of each kind of made hand.
pub struct ClassesTable {
    actions: Vec<String>,
    ev_heading: String,
    lines: Vec<MadeLine>,
}

impl ClassesTable {
    pub fn new(point: &InspectedPoint<'_>, lines: &[HandLine]) -> Self {
        let acts = point.view.player == Some(point.player);
        Self {
            actions: if acts { point.action_names() } else { Vec::new() },
            ev_heading: ev_heading(point.format),
            lines: made_lines(point.saved.game(), lines, point.player),
        }
    }
}

impl fmt::Display for ClassesTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |name: &String| name.len().max(8) + 1;
        write!(f, "{BOLD}{:<15}{:>9}{:>8}", "makes", "combos", "share")?;
        for name in &self.actions {
            write!(f, "{name:>width$}", width = width(name))?;
        }
        write!(f, "{:>9}{:>9}{BOLD:#}", self.ev_heading, "equity")?;
        for MadeLine { made, share, line } in &self.lines {
            write!(f, "\n{:<15}{:>9.2}{:>8}", made.name(), line.combos, percent(Some(*share), 1))?;
            for (i, name) in self.actions.iter().enumerate() {
                let taken = line.strategy.as_ref().and_then(|strategy| strategy.get(i).copied());
                write!(f, "{:>width$}", percent(taken, 1), width = width(name))?;
            }
            write!(f, "{:>9}{:>9}", chips(line.ev), percent(line.equity, 1))?;
        }
        Ok(())
    }
}
