//! A report as a table for the terminal.

use crate::palette::{BOLD, DIM, Paint};
use noregret_holdem::ShownUnit;
use noregret_report::{Average, Report, Subject};
use std::fmt;

/// The table of a report.
pub struct ReportTable<'a> {
    pub report: &'a Report,
}

impl fmt::Display for ReportTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let actions = report.actions();
        let names: Vec<String> = actions.iter().map(|action| report.action_name(*action)).collect();
        let paints = Paint::of(&actions);
        let line = if report.line.steps.is_empty() { "the root".to_owned() } else { report.line.to_string() };
        writeln!(f, "{BOLD}Line{BOLD:#}   {line}\n")?;
        for variant in report.variants() {
            if !variant.is_empty() {
                writeln!(f, "{BOLD}{variant}{BOLD:#}")?;
            }
            let counted = match report.subject {
                Subject::Flops => "flops",
                Subject::Runouts => "",
            };
            write!(f, "{BOLD}{:<11}{counted:>7}", "board")?;
            for name in &names {
                write!(f, " {name:>8}")?;
            }
            writeln!(
                f,
                "{:>10}{:>8}{:>8}{:>10}{:>8}{:>8}{BOLD:#}",
                "OOP EV", "equity", "EQR", "IP EV", "equity", "EQR"
            )?;
            for row in report.rows.iter().filter(|row| row.variant == variant) {
                let average = Average::over(&[row], &actions);
                write_row(f, &row.summary.board.to_string(), &average, &names, &paints, report.subject)?;
            }
            write!(f, "{BOLD}")?;
            write_row(f, "all", &report.average(variant), &names, &paints, report.subject)?;
            write!(f, "{BOLD:#}")?;
        }
        write!(
            f,
            "{DIM}boards are averaged as often as they happen; EVs are in {} and count the pot{DIM:#}",
            report.unit().map_or("", ShownUnit::words)
        )
    }
}

fn write_row(
    f: &mut fmt::Formatter<'_>,
    board: &str,
    average: &Average,
    names: &[String],
    paints: &[Paint],
    subject: Subject,
) -> fmt::Result {
    let percent =
        |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.1}%", 100.0 * share));
    let weight = match subject {
        Subject::Flops => format!("{}", average.weight),
        Subject::Runouts => String::new(),
    };
    write!(f, "{board:<11}{weight:>7}")?;
    for ((action, name), paint) in average.actions.iter().zip(names).zip(paints) {
        let (style, width) = (paint.text(), name.len().max(8));
        write!(f, " {style}{:>width$}{style:#}", percent(action.frequency))?;
    }
    for outlook in &average.players {
        let ev = outlook.ev.map_or("–".to_owned(), |ev| format!("{:.2}", ev + 0.0));
        write!(f, "{ev:>10}{:>8}{:>8}", percent(outlook.equity), percent(outlook.eqr))?;
    }
    writeln!(f)
}
