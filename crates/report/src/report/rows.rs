//! Reading the rows of a report from solution files.

use super::{ReportRow, SpotSetting, groups};
use crate::summary::NodeSummary;
use noregret_cards::{Card, Street, flop_weight};
use noregret_holdem::{AmountFormat, Line, LinePattern, PatternStep, ReadError, SolutionFile, Step};

fn exploitability(saved: &SolutionFile) -> Option<f64> {
    saved.progress().history.last().map(|check| check.exploitability_pct)
}

/// The row of a solution at the end of a line, with amounts shown as asked for. Its weight is that of its flop unless it is known
/// better.
pub fn flop_row(
    saved: &SolutionFile,
    format: AmountFormat,
    file: &str,
    variant: &str,
    weight: Option<u32>,
    line: &Line,
) -> Result<ReportRow, ReadError> {
    let view = saved.at(line)?;
    Ok(ReportRow {
        file: file.to_owned(),
        variant: variant.to_owned(),
        setting: SpotSetting::of(saved.spec()),
        weight: f64::from(weight.unwrap_or_else(|| match saved.spec().spot.board().street() {
            Street::Flop => flop_weight(&view.board),
            // A turn or a river that was solved stands for itself.
            _ => 1,
        })),
        exploitability_pct: exploitability(saved),
        groups: groups::of_flop(&view.board),
        format,
        summary: NodeSummary::new(saved.game(), &view).shown(format),
    })
}

/// The rows of one solution for every card that a pattern leaves open, with amounts shown as asked for. `watch` is told how many of how many are done.
pub fn runout_rows(
    saved: &SolutionFile,
    format: AmountFormat,
    file: &str,
    pattern: &LinePattern,
    mut watch: impl FnMut(usize, usize),
) -> Result<Vec<ReportRow>, ReadError> {
    let game = saved.game();
    let lines = pattern.lines(game.betting(), game.spot().board())?;
    let open: Vec<usize> =
        (0..pattern.steps.len()).filter(|&step| pattern.steps[step] == PatternStep::AnyCard).collect();
    let mut rows = Vec::with_capacity(lines.len());
    for (done, line) in lines.iter().enumerate() {
        watch(done, lines.len());
        let view = saved.at(line)?;
        let card = |step: &usize| match line.steps.get(*step) {
            Some(Step::Card(card)) => Some(*card),
            _ => None,
        };
        let dealt: Vec<Card> = open.iter().filter_map(card).collect();
        rows.push(ReportRow {
            file: file.to_owned(),
            variant: String::new(),
            setting: SpotSetting::of(saved.spec()),
            weight: 1.0,
            exploitability_pct: exploitability(saved),
            groups: groups::of_runout(game.spot().board(), &dealt),
            format,
            summary: NodeSummary::new(game, &view).shown(format),
        });
    }
    Ok(rows)
}
