//! One line over many boards: the flops of a batch, or the runouts of one solve.

mod average;
mod groups;
mod html;
mod rows;
mod setting;

use crate::summary::NodeSummary;
use crate::table::{Column, ColumnType, TableCell, TableFormat, TableWriter};
use noregret_holdem::{Action, AmountFormat, LinePattern, Player, ShownUnit};
use std::io::{self, Write};

pub use average::Average;
pub use groups::BoardGroup;
pub use html::{PAGE_OUTPUT, PAGE_STYLE, escaped, html};
pub use rows::{flop_row, runout_rows};
pub use setting::SpotSetting;

/// A board of a report.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportRow {
    /// The file that it is from.
    pub file: String,
    /// What sets it apart from the same board of another row: ranges and stack; empty if nothing does.
    pub variant: String,
    /// What was solved, apart from the board.
    pub setting: SpotSetting,
    /// How many boards it stands for.
    pub weight: f64,
    /// How exploitable the solution is, in percent of the pot; none if that was not measured.
    pub exploitability_pct: Option<f64>,
    /// What kind of board it is, in several ways.
    pub groups: Vec<BoardGroup>,
    /// How its amounts are shown.
    pub format: AmountFormat,
    /// What happens there.
    pub summary: NodeSummary,
}

/// What a report compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The flops of several solves.
    Flops,
    /// What can be dealt in one solve.
    Runouts,
}

/// A line over many boards.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// What is compared.
    pub subject: Subject,
    /// The line.
    pub line: LinePattern,
    /// The boards.
    pub rows: Vec<ReportRow>,
}

impl Report {
    /// A report over several solves. Those that differ in more than their board are variants of their own, and not averaged
    /// together.
    pub fn of_flops(line: LinePattern, mut rows: Vec<ReportRow>) -> Self {
        setting::set_apart(&mut rows);
        Self { subject: Subject::Flops, line, rows }
    }

    /// Who acts at the end of the line; none if nobody does, or not on all boards the same player.
    pub fn player(&self) -> Option<Player> {
        let first = self.rows.first()?.summary.player;
        first.filter(|_| self.rows.iter().all(|row| row.summary.player == first))
    }

    /// Every action that some board has, checks and folds first, then by amount.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions: Vec<Action> = Vec::new();
        for action in self.rows.iter().flat_map(|row| &row.summary.actions) {
            if !actions.contains(&action.action) {
                actions.push(action.action);
            }
        }
        actions.sort_by_key(|action| {
            let order = ["fold", "check", "call", "bet", "raise", "all-in"];
            let place = order.iter().position(|name| *name == action.name());
            (place.map(|place| place.min(3)), action.amount(), place)
        });
        actions
    }

    /// What the amounts are shown in; none if they are not all in the same unit.
    pub fn unit(&self) -> Option<ShownUnit> {
        let first = self.rows.first()?.format.unit();
        Some(first).filter(|first| self.rows.iter().all(|row| row.format.unit() == *first))
    }

    /// An action as it is shown, on the first board that has it.
    pub fn action_name(&self, action: Action) -> String {
        let has = |row: &&ReportRow| row.summary.actions.iter().any(|summary| summary.action == action);
        let name = |row: &ReportRow| row.summary.action_name(action, row.format);
        self.rows.iter().find(has).map_or_else(|| action.to_string(), name)
    }

    /// The variants, in the order of the rows.
    pub fn variants(&self) -> Vec<&str> {
        let mut variants: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !variants.contains(&row.variant.as_str()) {
                variants.push(&row.variant);
            }
        }
        variants
    }

    /// The mean over all boards of a variant, each counted as often as it happens.
    pub fn average(&self, variant: &str) -> Average {
        let rows: Vec<&ReportRow> = self.rows.iter().filter(|row| row.variant == variant).collect();
        Average::over(&rows, &self.actions())
    }

    /// The columns, and a row for each board, then one for all boards of each variant, whose board is `all`.
    pub fn table(&self) -> (Vec<Column>, Vec<Vec<TableCell>>) {
        let actions = self.actions();
        let boards = self.rows.iter().map(|row| {
            let average = Average::over(&[row], &actions);
            let board = row.summary.board.to_string();
            cells(&row.file, &row.variant, &board, &average, row.exploitability_pct)
        });
        let variants = self.variants();
        let averages =
            variants.iter().map(|&variant| cells("", variant, "all", &self.average(variant), None));
        (self.columns(&actions), boards.chain(averages).collect())
    }

    /// Writes the rows of the table.
    pub fn write<W: Write + Send>(&self, format: TableFormat, out: W) -> io::Result<(W, u64)> {
        let (mut columns, mut rows) = self.table();
        let unit = self.unit().map_or("mixed", ShownUnit::name).to_owned();
        let metadata = [("line", self.line.to_string()), ("unit", unit)];
        // Lines of JSON have no other place for it.
        if format == TableFormat::Json {
            columns.push(Column::new("unit", ColumnType::Text));
            rows.iter_mut().for_each(|row| row.push(TableCell::Text(metadata[1].1.clone())));
        }
        let mut table = TableWriter::new(format, columns, &metadata, out)?;
        rows.into_iter().try_for_each(|row| table.row(row))?;
        table.finish()
    }

    fn columns(&self, actions: &[Action]) -> Vec<Column> {
        use ColumnType::{Number, Text};
        let mut columns: Vec<Column> =
            ["file", "variant", "board"].map(|name| Column::new(name, Text)).into();
        let numbers = ["weight", "matchups", "pot", "exploitability_pct"];
        let players = ["oop_ev", "oop_equity", "oop_eqr", "ip_ev", "ip_equity", "ip_eqr"];
        columns.extend(numbers.into_iter().chain(players).map(|name| Column::new(name, Number)));
        for action in actions {
            let action = self.action_name(*action);
            for number in ["frequency", "ev", "equity", "eqr"] {
                columns.push(Column::new(format!("{action}: {number}"), Number));
            }
        }
        columns
    }
}

fn cells(
    file: &str,
    variant: &str,
    board: &str,
    average: &Average,
    exploitability: Option<f64>,
) -> Vec<TableCell> {
    let mut cells: Vec<TableCell> =
        [file, variant, board].map(|text| TableCell::Text(text.to_owned())).into();
    let numbers = [Some(average.weight), Some(average.matchups), average.pot, exploitability];
    cells.extend(numbers.map(TableCell::Number));
    for outlook in &average.players {
        cells.extend([outlook.ev, outlook.equity, outlook.eqr].map(TableCell::Number));
    }
    for action in &average.actions {
        let outlook = &action.outlook;
        cells.extend([action.frequency, outlook.ev, outlook.equity, outlook.eqr].map(TableCell::Number));
    }
    cells
}
