//! A report as one page that needs nothing but a browser.

use super::{Average, Report, ReportRow, Subject};
use crate::export::player_name;
use crate::summary::Outlook;
use noregret_holdem::{Action, ShownUnit};
use noregret_store::OutputKind;
use serde_json::{Value, json};

const PAGE: &str = include_str!("page.html");
/// The style of all pages.
pub const PAGE_STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Pages of reports, for knowing what they may be written over.
pub const PAGE_OUTPUT: OutputKind = OutputKind {
    name: "an HTML report of noregret",
    endings: &["html", "htm"],
    beginnings: &[b"<!doctype html>\n<html lang=\"en\">"],
};

/// The page of a report.
pub fn html(report: &Report, title: &str) -> String {
    let data = data(report, title).to_string();
    // Within a script element nothing but `<` could end it.
    let data = data.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let parts = [
        ("{{title}}", escaped(title)),
        ("{{style}}", PAGE_STYLE.to_owned()),
        ("{{script}}", SCRIPT.to_owned()),
        ("{{unit}}", report.unit().map_or("the unit of each solve", ShownUnit::words).to_owned()),
        ("{{data}}", data),
    ];
    parts.iter().fold(PAGE.to_owned(), |page, (place, text)| page.replacen(place, text, 1))
}

/// A text as it stands in a page, in an attribute too.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn data(report: &Report, title: &str) -> Value {
    let actions = report.actions();
    let action = |action: &Action| json!({"name": report.action_name(*action), "kind": action.name()});
    json!({
        "title": title,
        "line": report.line.to_string(),
        "unit": report.unit().map(ShownUnit::name),
        "subject": match report.subject { Subject::Flops => "flops", Subject::Runouts => "runouts" },
        "player": report.player().map(player_name),
        "actions": actions.iter().map(action).collect::<Vec<_>>(),
        "variants": report.variants(),
        "rows": report.rows.iter().map(|row| row_data(row, &actions)).collect::<Vec<_>>(),
    })
}

fn row_data(row: &ReportRow, actions: &[Action]) -> Value {
    let average = Average::over(&[row], actions);
    let cards: Vec<String> = row.summary.board.cards().iter().map(ToString::to_string).collect();
    let groups: Vec<Value> = row
        .groups
        .iter()
        .map(|group| json!({"by": group.by, "kind": group.kind, "order": group.order}))
        .collect();
    let numbers = |number: fn(&Outlook) -> Option<f64>| average.players.map(|player| number(&player));
    json!({
        "file": row.file, "variant": row.variant, "cards": cards, "weight": row.weight, "matchups": average.matchups,
        "pot": average.pot, "exploitability": row.exploitability_pct, "groups": groups,
        "ev": numbers(|outlook| outlook.ev), "equity": numbers(|outlook| outlook.equity),
        "actions": average.actions.iter().map(|action| json!({
            "frequency": action.frequency, "ev": action.outlook.ev, "equity": action.outlook.equity,
        })).collect::<Vec<_>>(),
    })
}
