//! Reports: one line over many boards.

use crate::api::common::{Both, UnitName};
use crate::api::reports::{
    BatchFolder, BoardKind, LineReport, LineReportRow, ReportGroup, ReportNumbers, ReportVariant,
};
use crate::failure::ApiFailure;
use crate::library::{Found, Library, ROOT};
use crate::problems::{of_line, of_reading};
use crate::{names, solutions};
use noregret_holdem::{
    Action, AmountFormat, Line, LinePattern, PatternStep, ReadError, ShownUnit, SolutionFile, Step,
};
use noregret_report::{Average, BATCH_LIST, BoardGroup, Listed, Subject, flop_row, parse_list, runout_rows};
use noregret_store::{Digest, Hasher};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// Counts up when rows get another field: those that were kept before are made anew.
const ROWS_VERSION: u8 = 2;

fn pattern(line: &str) -> Result<LinePattern, ApiFailure> {
    line.parse().map_err(|error| of_line(&error, line))
}

/// A folder that a batch has made, if it is one; whether it is being solved is for others to say.
pub fn batch(library: &Library, id: &str) -> Option<BatchFolder> {
    let listed = listed(library, id).ok()?;
    let is_there = |listed: &&Listed| solution(library, id, listed).is_ok_and(|found| found.is_some());
    Some(BatchFolder {
        id: id.to_owned(),
        name: id.rsplit('/').next().unwrap_or(id).to_owned(),
        solved: listed.iter().filter(is_there).count(),
        total: listed.len(),
        flops: listed.iter().map(|listed| u64::from(listed.weight)).sum(),
        running: false,
        can_continue: false,
        solve: None,
        failed: 0,
        error: None,
    })
}

/// The folders that batches have made.
pub fn batches(library: &Library) -> Result<Vec<BatchFolder>, ApiFailure> {
    Ok(library.folders_with(BATCH_LIST)?.iter().filter_map(|id| batch(library, id)).collect())
}

fn listed(library: &Library, batch: &str) -> Result<Vec<Listed>, ApiFailure> {
    let none =
        || ApiFailure::missing(format!("there is no {BATCH_LIST} in this folder: no batch has made it"));
    let text = library.text(batch, BATCH_LIST)?.ok_or_else(none)?;
    parse_list(&text).map_err(|line| {
        ApiFailure::conflict(format!("{BATCH_LIST}, line {line}: not a line of a batch's list"))
    })
}

/// The solution of a line of a list, if it is there. Its name comes from a file: it is checked like one from outside.
fn solution(library: &Library, batch: &str, listed: &Listed) -> Result<Option<Found>, ApiFailure> {
    let Some(stem) = listed.file.strip_suffix(".nrs") else { return Ok(None) };
    let id = if batch == ROOT { stem.to_owned() } else { format!("{batch}/{stem}") };
    library.listed(&id)
}

/// A line of a batch that is to be reported: the solutions that are there.
pub struct BatchLine {
    pattern: LinePattern,
    at: Line,
    files: Vec<(Listed, Found)>,
}

impl BatchLine {
    /// Finds the solutions of a batch.
    pub fn new(library: &Library, batch: &str, line: &str) -> Result<Self, ApiFailure> {
        library.check_folder(batch)?;
        let pattern = pattern(line)?;
        let Some(at) = pattern.line() else {
            return Err(ApiFailure::field(
                "line",
                "`*` is for the runouts of one solution: give the card, or ask for its report",
            ));
        };
        let found = |listed: Listed| {
            let found = solution(library, batch, &listed).transpose()?;
            Some(found.map(|found| (listed, found)))
        };
        let files = listed(library, batch)?.into_iter().filter_map(found).collect::<Result<_, _>>()?;
        Ok(Self { pattern, at, files })
    }

    /// A hash of all that the report depends on: the line, and the files as they are.
    pub fn digest(&self) -> Digest {
        let mut hasher = Hasher::default();
        hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
        hasher.update(&[ROWS_VERSION]);
        hasher.update(self.pattern.to_string().as_bytes());
        for (listed, found) in &self.files {
            let since = found.stamp.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            let file = (&listed.file, listed.weight, &listed.variant, found.stamp.bytes, since.as_nanos());
            hasher.update(format!("{file:?}").as_bytes());
            hasher.update(&found.stamp.version.to_le_bytes());
        }
        hasher.digest()
    }

    /// Reads every flop. `watch` is told how many of how many are read, from any thread.
    pub fn report(self, watch: &(dyn Fn(usize, usize) + Sync)) -> Result<LineReport, ApiFailure> {
        of_files(self, watch)
    }
}

fn of_files(line: BatchLine, watch: &(dyn Fn(usize, usize) + Sync)) -> Result<LineReport, ApiFailure> {
    let BatchLine { pattern, at, files, .. } = line;
    let done = AtomicUsize::new(0);
    watch(0, files.len());
    let row = |(listed, found): &(Listed, Found)| {
        let saved = solutions::open(found)?;
        let read = flop_row(
            &saved,
            own_format(&saved),
            found.id.as_str(),
            &listed.variant,
            Some(listed.weight),
            &at,
        );
        watch(done.fetch_add(1, Ordering::Relaxed) + 1, files.len());
        match read {
            Ok(row) => Ok(Some(row)),
            // The same line may not exist with another stack: the others are still worth a report.
            Err(ReadError::Line(_)) if files.len() > 1 => Ok(None),
            Err(error) => Err(of_reading(&error)),
        }
    };
    let rows: Vec<Option<noregret_report::ReportRow>> =
        files.par_iter().map(row).collect::<Result<_, _>>()?;
    let rows: Vec<_> = rows.into_iter().flatten().collect();
    if rows.is_empty() && !files.is_empty() {
        return Err(ApiFailure::field("line", format!("no solution of the batch has `{at}`")));
    }
    Ok(told(&noregret_report::Report::of_flops(pattern, rows)))
}

/// A line of one solution over every card that it leaves open; one without `*` gets one at its end.
pub fn of_runouts(found: &Found, saved: &SolutionFile, line: &str) -> Result<LineReport, ApiFailure> {
    let mut pattern = pattern(line)?;
    if pattern.line().is_some() {
        pattern.steps.push(PatternStep::AnyCard);
    }
    let is_card =
        |step: &&PatternStep| matches!(step, PatternStep::AnyCard | PatternStep::Step(Step::Card(_)));
    let dealt = pattern.steps.iter().filter(is_card).count();
    let last = saved.game().spot().board().street().index() + dealt;
    if last > saved.summary().keep.last().index() {
        let kept = saved.summary().keep;
        let message =
            format!("the file keeps the streets up to `{kept}`: a report needs the one of its last card");
        return Err(ApiFailure::field("line", message));
    }
    let rows = runout_rows(saved, own_format(saved), found.id.as_str(), &pattern, |_, _| ())
        .map_err(|error| of_reading(&error))?;
    Ok(told(&noregret_report::Report { subject: Subject::Runouts, line: pattern, rows }))
}

/// Amounts in the unit of their spec: the page shows them in others.
fn own_format(saved: &SolutionFile) -> AmountFormat {
    saved.spec().spot.options().amount_format(None).unwrap_or_default()
}

fn told(report: &noregret_report::Report) -> LineReport {
    let variant = |name: &str| {
        let rows = report.rows.iter().filter(|row| row.variant == name).cloned().collect();
        told_variant(name, &noregret_report::Report { line: report.line.clone(), rows, ..*report })
    };
    LineReport {
        line: report.line.to_string(),
        variants: report.variants().into_iter().map(variant).collect(),
    }
}

fn told_variant(name: &str, report: &noregret_report::Report) -> ReportVariant {
    let actions = report.actions();
    let all: Vec<&noregret_report::ReportRow> = report.rows.iter().collect();
    let mut kinds: Vec<&BoardGroup> = Vec::new();
    for group in report.rows.iter().flat_map(|row| &row.groups) {
        if !kinds.contains(&group) {
            kinds.push(group);
        }
    }
    let ways: Vec<&str> =
        report.rows.first().map_or_else(Vec::new, |row| row.groups.iter().map(|group| group.by).collect());
    kinds.sort_by_key(|group| (ways.iter().position(|by| *by == group.by), group.order));
    let group = |group: &BoardGroup| {
        let rows: Vec<&noregret_report::ReportRow> =
            report.rows.iter().filter(|row| row.groups.contains(group)).collect();
        let average = Average::over(&rows, &actions);
        ReportGroup {
            kind: kind(group),
            rows: rows.len(),
            weight: average.weight,
            average: numbers(&average),
        }
    };
    ReportVariant {
        name: name.to_owned(),
        unit: match report.unit() {
            Some(ShownUnit::Bb) => UnitName::Bb,
            // Solves in other units are variants of their own.
            _ => UnitName::Chips,
        },
        big_blind: report.rows.first().and_then(|row| row.setting.big_blind),
        player: report.player().map(names::player),
        actions: actions.iter().map(ToString::to_string).collect(),
        rows: report.rows.iter().map(|row| told_row(row, &actions)).collect(),
        average: numbers(&Average::over(&all, &actions)),
        groups: kinds.into_iter().map(group).collect(),
    }
}

fn told_row(row: &noregret_report::ReportRow, actions: &[Action]) -> LineReportRow {
    let board = &row.summary.board;
    LineReportRow {
        flop: names::cards(board).flop,
        board: names::board(board),
        weight: row.weight,
        matchups: row.summary.matchups,
        texture: row.groups.iter().map(kind).collect(),
        numbers: numbers(&Average::over(&[row], actions)),
        exploitability_pct: row.exploitability_pct,
        solution: row.file.clone(),
    }
}

fn numbers(average: &Average) -> ReportNumbers {
    let both = |number: fn(&noregret_report::Outlook) -> Option<f64>| {
        Both::new(average.players.map(|player| number(&player)))
    };
    ReportNumbers {
        frequencies: average.actions.iter().map(|action| action.frequency).collect(),
        ev: both(|outlook| outlook.ev),
        equity: both(|outlook| outlook.equity),
        eqr: both(|outlook| outlook.eqr),
    }
}

fn kind(group: &BoardGroup) -> BoardKind {
    BoardKind { by: group.by.to_owned(), kind: group.kind.clone(), order: group.order }
}
