//! What notebooks show of sessions and drills.

use crate::html::{cards, escaped, number, open};
use noregret_drill::Question;
use noregret_hands::SessionTotals;
use noregret_report::player_name;
use std::fmt::Write as _;

/// The totals of a session, and its costliest decisions.
pub fn session(totals: &SessionTotals, heading: &str) -> String {
    let mut out = open();
    let heading = escaped(heading.trim_matches(['<', '>']));
    let _ = write!(out, "<div class=\"nr-head\"><b>{heading}</b></div><div class=\"nr-row nr-tables\">");
    out.push_str("<table><tr><th></th><th>decisions</th><th>lost, bb</th><th>of the pot</th></tr>");
    let groups = totals.street.iter().chain(&totals.position).chain(&totals.pot_type).chain([&totals.all]);
    for total in groups {
        let share = total.ev_loss_pct.map_or_else(|| "–".to_owned(), |share| format!("{share:.2}%"));
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{:.2}</td><td>{share}</td></tr>",
            total.name, total.decisions, total.ev_loss_bb
        );
    }
    out.push_str("</table>");
    if !totals.costliest.is_empty() {
        out.push_str(
            "<table><tr><th>hand</th><th>street</th><th>cards</th><th>played</th><th>best</th><th>lost, bb</th></tr>",
        );
        for row in &totals.costliest {
            let _ = write!(
                out,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2}</td></tr>",
                escaped(&row.hand),
                row.street,
                row.hole,
                row.played,
                row.best.as_deref().unwrap_or("–"),
                row.ev_loss_bb.unwrap_or(0.0)
            );
        }
        out.push_str("</table>");
    }
    out.push_str("</div></div>");
    out
}

/// A question: cards, board, what happened, what can be done.
pub fn question(question: &Question) -> String {
    let mut out = open();
    let hole = question.hole.to_string();
    let actions: Vec<String> = question.actions.iter().map(ToString::to_string).collect();
    let line =
        if question.line.steps.is_empty() { "root".to_owned() } else { escaped(&question.line.to_string()) };
    let _ = write!(
        out,
        "<div class=\"nr-head\"><b>{hole}</b> as {} · {} · pot {} · to call {}</div><div class=\"nr-caption\">{line}</div>\
         <div class=\"nr-caption\">{}</div></div>",
        player_name(question.player).to_uppercase(),
        cards(&question.board),
        number(question.pot),
        number(question.to_call),
        actions.join(" · ")
    );
    out
}
