//! A solution as rows: one for each line, board, hand and action.

use crate::amount::Amount;
use crate::hands::hand_lines;
use crate::summary::NodeSummary;
use crate::table::{Column, ColumnType, TableCell, TableFormat, TableWriter};
use noregret_cards::{Board, Street};
use noregret_holdem::{
    Action, AmountFormat, Chips, Granularity, Line, LineError, NodeView, OOP, Player, Postflop, ReadError,
    ShownUnit, SolutionFile,
};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Which points of a solution to export. Only those where a player decides have rows.
#[derive(Clone, PartialEq, Debug)]
pub enum Extent {
    /// The end of one line.
    Line(Line),
    /// Every point of a street, on every board that is solved.
    Street(Street),
    /// Every point.
    Everything,
}

/// Why an export did not come to its end.
#[derive(Debug)]
pub enum ExportError {
    /// The line is not in the solution, or the file cannot be read.
    Read(ReadError),
    /// Nobody decides at the end of the line.
    NoDecision(Line),
    /// The spot starts after the street.
    NoStreet(Street),
    /// The disk said no.
    Io(io::Error),
    /// Whoever watches wanted it to stop.
    Stopped,
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ReadError> for ExportError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<LineError> for ExportError {
    fn from(error: LineError) -> Self {
        Self::Read(error.into())
    }
}

/// How far an export is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportProgress {
    /// Boards that are done.
    pub boards: usize,
    /// Boards in all.
    pub of: usize,
}

/// The columns of an export. Amounts are whole numbers unless they may have decimals.
pub fn columns(amount: ColumnType) -> Vec<Column> {
    use ColumnType::{Number, Text, Whole};
    [
        ("line", Text),
        ("board", Text),
        ("runouts", Whole),
        ("player", Text),
        ("hand", Text),
        ("action", Text),
        ("amount", amount),
        ("frequency", Number),
        ("action_ev", Number),
        ("ev", Number),
        ("equity", Number),
        ("reach", Number),
        ("share", Number),
    ]
    .map(|(name, kind)| Column::new(name, kind))
    .into()
}

/// Writes the rows of a solution; `watch` is told after every board. Returns what was written to, and how many rows.
pub fn export<W: Write + Send>(
    saved: &SolutionFile,
    extent: &Extent,
    shown: AmountFormat,
    format: TableFormat,
    out: W,
    mut watch: impl FnMut(ExportProgress) -> ControlFlow<()>,
) -> Result<(W, u64), ExportError> {
    let game = saved.game();
    let boards = boards(game, extent)?;
    let unit = shown.unit().to_string();
    let metadata = [("board", game.spot().board().to_string()), ("extent", name(extent)), ("unit", unit)];
    let amount = if has_whole_amounts(game, shown) { ColumnType::Whole } else { ColumnType::Number };
    let mut table = TableWriter::new(format, columns(amount), &metadata, out)?;
    if let Extent::Line(line) = extent {
        let view = saved.at(line)?;
        if view.player.is_none() {
            return Err(ExportError::NoDecision(line.clone()));
        }
        let line = game.betting().exact(game.spot().board(), line)?;
        write_node(&mut table, game, &view, (&line, 1), shown)?;
    }
    for (done, (board, runouts)) in boards.iter().enumerate() {
        if watch(ExportProgress { boards: done, of: boards.len() }).is_break() {
            return Err(ExportError::Stopped);
        }
        write_board(&mut table, saved, (board, *runouts), shown)?;
    }
    Ok(table.finish()?)
}

fn name(extent: &Extent) -> String {
    match extent {
        Extent::Line(line) => format!("line {line}"),
        Extent::Street(street) => street.to_string(),
        Extent::Everything => "everything".to_owned(),
    }
}

/// The boards whose points are all exported.
fn boards(game: &Postflop, extent: &Extent) -> Result<Vec<(Board, u32)>, ExportError> {
    match *extent {
        Extent::Line(_) => Ok(Vec::new()),
        Extent::Street(street) => match game.runouts(street) {
            boards if boards.is_empty() => Err(ExportError::NoStreet(street)),
            boards => Ok(boards),
        },
        Extent::Everything => Ok(Street::ALL.into_iter().flat_map(|street| game.runouts(street)).collect()),
    }
}

/// Every decision on a board.
fn write_board<W: Write + Send>(
    table: &mut TableWriter<W>,
    saved: &SolutionFile,
    (board, runouts): (&Board, u32),
    shown: AmountFormat,
) -> Result<(), ExportError> {
    let game = saved.game();
    let tree = game.betting();
    let dealt = &board.cards()[game.spot().board().cards().len()..];
    for &root in tree.street_roots(board.street()) {
        let Some(start) = tree.line_to(root, dealt) else { continue };
        for view in saved.street(&start)? {
            if let Some(line) = tree.line_to(view.node, dealt) {
                write_node(table, game, &view, (&line, runouts), shown)?;
            }
        }
    }
    Ok(())
}

/// Every hand and action at a point.
fn write_node<W: Write + Send>(
    table: &mut TableWriter<W>,
    game: &Postflop,
    view: &NodeView,
    (line, runouts): (&Line, u32),
    shown: AmountFormat,
) -> io::Result<()> {
    let Some(player) = view.player else { return Ok(()) };
    let (line, board) = (line.to_string(), view.board.to_string());
    let summary = NodeSummary::new(game, view);
    let is_whole = has_whole_amounts(game, shown);
    let amount = |&action: &Action| match Amount::of(action).0 {
        whole if is_whole => TableCell::Whole(i64::from(whole.count())),
        _ => TableCell::Number(Some(amount(action, &summary, shown))),
    };
    let amounts: Vec<TableCell> = view.actions.iter().map(amount).collect();
    for hand in hand_lines(game, view, player) {
        let hand = hand.shown(shown, summary.pot);
        for (a, action) in view.actions.iter().enumerate() {
            let at =
                |numbers: &Option<Vec<f64>>| TableCell::Number(numbers.as_ref().map(|numbers| numbers[a]));
            table.row(vec![
                TableCell::Text(line.clone()),
                TableCell::Text(board.clone()),
                TableCell::Whole(i64::from(runouts)),
                TableCell::Text(player_name(player).to_owned()),
                TableCell::Text(hand.hole.to_string()),
                TableCell::Text(action.name().to_owned()),
                amounts[a].clone(),
                at(&hand.strategy),
                at(&hand.action_evs),
                TableCell::Number(hand.ev),
                TableCell::Number(hand.equity),
                TableCell::Number(Some(hand.reach)),
                TableCell::Number(Some(hand.share)),
            ])?;
        }
    }
    Ok(())
}

/// What an action comes to; 0 where there is no amount. In percent of the pot it is as sizes are written: a raise is what it is more
/// than a call, of the pot after calling.
fn amount(action: Action, summary: &NodeSummary, shown: AmountFormat) -> f64 {
    let Some(amount) = action.amount().map(Chips::as_f64) else { return 0.0 };
    let called = if shown.unit() == ShownUnit::Pot { summary.previous } else { 0.0 };
    shown.number(amount - called, summary.pot_called)
}

/// Whether no amount of a column can have decimals.
fn has_whole_amounts(game: &Postflop, shown: AmountFormat) -> bool {
    shown.is_own() && game.spot().granularity() == Granularity::Whole
}

/// `oop` or `ip`.
pub fn player_name(player: Player) -> &'static str {
    if player == OOP { "oop" } else { "ip" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_spots::saved_turn;
    use std::collections::HashMap;

    fn rows(solution: &SolutionFile, extent: Extent) -> Vec<HashMap<String, serde_json::Value>> {
        let (bytes, count) =
            export(solution, &extent, Default::default(), TableFormat::Json, Vec::new(), |_| {
                ControlFlow::Continue(())
            })
            .unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let rows: Vec<_> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len() as u64, count);
        rows
    }

    #[test]
    fn a_line_has_a_row_for_each_hand_and_action() {
        saved_turn(10, |solution| {
            let line: Line = "check, bet 50, call, Th, check".parse().unwrap();
            let view = solution.at(&line).unwrap();
            let rows = rows(solution, Extent::Line(line));
            assert_eq!(rows.len(), view.hands[1].len() * view.actions.len());
            for (row, hand) in rows.iter().step_by(view.actions.len()).zip(&view.hands[1]) {
                assert_eq!(row["line"], "check, bet 50, call, Th, check");
                assert_eq!(row["board"], "QsJh2h8cTh");
                assert_eq!((&row["player"], &row["action"]), (&"ip".into(), &"check".into()));
                assert_eq!(row["hand"], hand.hole.to_string());
                let number = |key: &str| row[key].as_f64();
                assert!((number("reach").unwrap() - hand.reach).abs() < 1e-9);
                assert!((number("equity").unwrap() - hand.equity.unwrap()).abs() < 1e-9);
                assert!((number("ev").unwrap() - hand.root_ev.unwrap() - 50.0).abs() < 1e-9);
            }
        });
    }

    #[test]
    fn everything_is_every_decision_of_every_board_once() {
        saved_turn(3, |solution| {
            let all = rows(solution, Extent::Everything);
            let by_street: usize = [Street::Turn, Street::River]
                .map(|street| rows(solution, Extent::Street(street)).len())
                .iter()
                .sum();
            assert_eq!(all.len(), by_street);
            let mut seen = std::collections::HashSet::new();
            for row in &all {
                assert!(seen.insert(["line", "hand", "action", "amount"].map(|key| row[key].to_string())));
            }
            let runouts: std::collections::BTreeSet<_> = all
                .iter()
                .filter(|row| row["board"].as_str().unwrap().len() == 10)
                .map(|row| (row["board"].to_string(), row["runouts"].as_i64().unwrap()))
                .collect();
            assert_eq!(runouts.iter().map(|(_, count)| count).sum::<i64>(), 48);
            // What a board's rows say is what its line says.
            let line: Line = "check, check, 2c".parse().unwrap();
            let alone = rows(solution, Extent::Line(line));
            let together: Vec<_> =
                all.iter().filter(|row| row["line"] == "check, check, 2c").cloned().collect();
            assert!(!alone.is_empty());
            for (a, b) in alone.iter().zip(&together) {
                assert_eq!((&a["hand"], &a["ev"], &a["frequency"]), (&b["hand"], &b["ev"], &b["frequency"]));
            }
        });
    }

    #[test]
    fn what_is_not_there_is_refused() {
        saved_turn(1, |solution| {
            let go = |extent| {
                let watch = |_| ControlFlow::Continue(());
                export(solution, &extent, Default::default(), TableFormat::Csv, Vec::new(), watch).err()
            };
            let line = |text: &str| Extent::Line(text.parse().unwrap());
            assert!(matches!(go(line("bet 7")), Some(ExportError::Read(ReadError::Line(_)))));
            assert!(matches!(go(line("check, check")), Some(ExportError::NoDecision(_))));
            assert!(matches!(go(Extent::Street(Street::Flop)), Some(ExportError::NoStreet(Street::Flop))));
            let stop = |_| ControlFlow::Break(());
            let stopped =
                export(solution, &Extent::Everything, Default::default(), TableFormat::Csv, Vec::new(), stop);
            assert!(matches!(stopped, Err(ExportError::Stopped)));
        });
    }
}
