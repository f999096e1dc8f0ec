//! The 13×13 matrix: a cell for each kind of hand, coloured by what it does.

use super::overview::marks;
use super::point::{InspectedPoint, title};
use crate::palette::{BOLD, DIM, Paint};
use noregret_holdem::cards::{HandClass, Rank};
use noregret_report::{ClassLine, HandLine, class_lines};
use std::fmt;

/// Columns of a cell; with one between, thirteen of them take 77.
const WIDTH: usize = 5;

/// The matrix of a player's hands.
pub struct Matrix {
    title: String,
    cells: Vec<ClassLine>,
    paints: Vec<Paint>,
    marks: Vec<char>,
    legend: Vec<String>,
}

impl Matrix {
    pub fn new(point: &InspectedPoint<'_>, lines: &[HandLine]) -> Self {
        let acts = point.view.player == Some(point.player);
        let actions = if acts { &point.view.actions[..] } else { &[] };
        let what = if acts { "what they do" } else { "their equity" };
        Self {
            title: format!("{}'s hands and {what}", title(point.player)),
            cells: class_lines(point.saved.game(), lines, point.player),
            paints: Paint::of(actions),
            marks: marks(actions),
            legend: if acts { point.action_names() } else { Vec::new() },
        }
    }

    /// The two lines of a cell.
    fn cell(&self, class: HandClass) -> [String; 2] {
        let cell = &self.cells[class.index()];
        let name = format!("{class:^WIDTH$}", class = class.to_string());
        if cell.possible == 0.0 {
            return [format!("{DIM}{name}{DIM:#}"), format!("{DIM}{:^WIDTH$}{DIM:#}", "·")];
        }
        match (&cell.strategy, cell.equity) {
            (Some(strategy), _) => {
                let most =
                    (0..strategy.len()).max_by(|&a, &b| strategy[a].total_cmp(&strategy[b])).unwrap_or(0);
                let share = format!("{}{:>4.0}", self.marks[most], 100.0 * strategy[most]);
                let paints = self.columns(strategy);
                [painted(&name, &paints), painted(&share, &paints)]
            }
            (None, Some(equity)) => {
                let paint = vec![Paint::between_bad_and_good(2.0 * equity - 1.0); WIDTH];
                [painted(&name, &paint), painted(&format!("{:>4.0}%", 100.0 * equity), &paint)]
            }
            (None, None) => [format!("{DIM}{name}{DIM:#}"), format!("{DIM}{:^WIDTH$}{DIM:#}", "–")],
        }
    }

    /// The colour of each column of a cell, so that each action has its share of them.
    fn columns(&self, strategy: &[f64]) -> Vec<Paint> {
        let mut columns = Vec::with_capacity(WIDTH);
        let mut sum = 0.0;
        for (share, paint) in strategy.iter().zip(&self.paints) {
            sum += share;
            let end = ((sum * WIDTH as f64).round() as usize).min(WIDTH);
            columns.resize(end.max(columns.len()), *paint);
        }
        let last = self.paints.last().copied();
        columns.extend(last.into_iter().cycle().take(WIDTH - columns.len()));
        columns
    }
}

/// A text with a colour behind each character.
fn painted(text: &str, paints: &[Paint]) -> String {
    let letters: Vec<(char, Paint)> = text.chars().zip(paints.iter().copied()).collect();
    let run = |run: &[(char, Paint)]| {
        let style = run[0].1.behind();
        let letters: String = run.iter().map(|(letter, _)| letter).collect();
        format!("{style}{letters}{style:#}")
    };
    letters.chunk_by(|a, b| a.1 == b.1).map(run).collect()
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{BOLD}{}{BOLD:#}", self.title)?;
        for row in Rank::all().rev() {
            let cells: Vec<[String; 2]> =
                Rank::all().rev().map(|column| self.cell(HandClass::new(row, column))).collect();
            for line in 0..2 {
                let line: Vec<&str> = cells.iter().map(|cell| cell[line].as_str()).collect();
                writeln!(f, "{}", line.join(" "))?;
            }
        }
        for ((mark, paint), name) in self.marks.iter().zip(&self.paints).zip(&self.legend) {
            let style = paint.behind();
            write!(f, "{style} {mark} {style:#} {name}   ")?;
        }
        write!(f, "{DIM}–{DIM:#} does not get here   {DIM}·{DIM:#} not in the range")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noregret_holdem::Action;

    fn matrix() -> Matrix {
        let actions = [Action::Check, Action::Bet(50.into()), Action::Bet(100.into())];
        let mut cells = vec![ClassLine::default(); HandClass::COUNT];
        cells[0] = ClassLine {
            combos: 6.0,
            possible: 6.0,
            strategy: Some(vec![0.4, 0.2, 0.4]),
            ev: Some(10.0),
            equity: Some(0.8),
        };
        cells[1] = ClassLine { possible: 4.0, ..ClassLine::default() };
        Matrix {
            title: "OOP".to_owned(),
            cells,
            paints: Paint::of(&actions),
            marks: marks(&actions),
            legend: actions.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn every_action_has_its_share_of_a_cell() {
        let matrix = matrix();
        let [check, small, large] = matrix.paints[..] else { panic!() };
        assert_eq!(matrix.columns(&[0.4, 0.2, 0.4]), [check, check, small, large, large]);
        assert_eq!(matrix.columns(&[1.0, 0.0, 0.0]), [check; WIDTH]);
        assert_eq!(matrix.columns(&[0.0, 0.0, 1.0]), [large; WIDTH]);
        for sum in [0.0, 0.3, 0.999_999, 1.000_001] {
            assert_eq!(matrix.columns(&[sum, 0.0, 0.0]).len(), WIDTH);
        }
    }

    #[test]
    fn without_colours_it_reads_in_77_columns() {
        let text = anstream::adapter::strip_str(&matrix().to_string()).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 26 + 1);
        assert!(lines[1].starts_with(" AA    AKs   AQs "), "{text}");
        assert!(lines[2].starts_with("2  40   –     ·  "), "{text}");
        assert!(lines[1..27].iter().all(|line| line.chars().count() == 77), "{text}");
        assert!(lines[27].contains(" X  check    1  bet 50    2  bet 100 "), "{text}");
    }
}
