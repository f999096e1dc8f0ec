//! A session as one page that needs nothing but a browser.

use crate::decision_row::DecisionRow;
use crate::session::HandsSession;
use crate::session_totals::{LossTotal, SessionTotals};
use noregret_report::{PAGE_STYLE, escaped};
use std::fmt::Write as _;

/// The page of a session. `server` is the address of the page of a server whose library has the solutions, such as
/// `http://127.0.0.1:4242/`.
pub fn session_page(session: &HandsSession, title: &str, server: &str) -> String {
    let rows = DecisionRow::of_session(session);
    let totals = SessionTotals::of(&rows);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{0}</title>\n\
         <style>\n{PAGE_STYLE}\ntd, th {{ text-align: left; cursor: auto; }} td.n, th.n {{ text-align: right; }}\na {{ color: var(--accent); }}\n\
         .cards {{ margin-bottom: 16px; }} .columns {{ grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); }}\n</style>\n</head>\n<body>\n\
         <header><div><h1>{0}</h1><p>{1}</p></div></header>\n<main>\n",
        escaped(title),
        escaped(&subtitle(session)),
    );
    page.push_str("<section class=\"cards\">");
    card(&mut page, &format!("{}", totals.all.decisions), "decisions with a choice");
    card(&mut page, &format!("{:.2} bb", totals.all.ev_loss_bb), "lost in all");
    let mean = totals.all.ev_loss_bb / (totals.all.decisions.max(1)) as f64;
    card(&mut page, &format!("{mean:.3} bb"), "lost per decision");
    card(&mut page, &percent(totals.all.ev_loss_pct), "of the pot, on average");
    page.push_str("</section>\n<div class=\"columns\">\n");
    for (name, group) in
        [("Street", &totals.street), ("Position", &totals.position), ("Pot", &totals.pot_type)]
    {
        group_table(&mut page, name, group);
    }
    page.push_str("</div>\n");
    decision_table(&mut page, "The costliest decisions", &totals.costliest, server);
    decision_table(&mut page, "All decisions", &rows, server);
    own_range_table(&mut page, session);
    left_out_table(&mut page, session);
    page.push_str(
        "<footer>noregret · EVs are in big blinds, from the decision on · what is lost is the EV of the best action less that \
         of the one that was played, both with the solution's play from there on · exploitable: how far the \
         solution is from an equilibrium, in percent of the pot on the flop · links lead into <code>noregret serve \
         --library</code> with the folder of the solutions</footer>\n</main>\n</body>\n</html>\n",
    );
    page
}

fn subtitle(session: &HandsSession) -> String {
    let (solved, left_out) = (session.solved(), session.left_out());
    let hands = if session.hands.len() == 1 { "hand" } else { "hands" };
    let repeated = match session.repeated {
        0 => String::new(),
        repeated => format!(", {repeated} skipped that are there twice"),
    };
    let missed = match session.missed() {
        0 => String::new(),
        missed => format!(" ({missed} above the target)"),
    };
    format!(
        "{} {hands}, {solved} solved{missed}, {left_out} left out, {} that cannot be read{repeated}",
        session.hands.len(),
        session.errors.len()
    )
}

fn card(page: &mut String, number: &str, name: &str) {
    // Writing to a text cannot fail.
    let _ =
        write!(page, "<div class=\"card\"><b>{}</b><span>{}</span></div>", escaped(number), escaped(name));
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{share:.2}%"))
}

fn number(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{:.2}", number + 0.0))
}

fn group_table(page: &mut String, name: &str, group: &[LossTotal]) {
    let _ = write!(
        page,
        "<section class=\"panel\"><h2>{name}</h2><table><thead><tr><th>{name}</th><th class=\"n\">decisions</th>\
         <th class=\"n\">lost, bb</th><th class=\"n\">of the pot</th></tr></thead><tbody>"
    );
    for total in group {
        let _ = write!(
            page,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.2}</td><td class=\"n\">{}</td></tr>",
            escaped(&total.name),
            total.decisions,
            total.ev_loss_bb,
            percent(total.ev_loss_pct)
        );
    }
    page.push_str("</tbody></table></section>\n");
}

fn decision_table(page: &mut String, title: &str, rows: &[DecisionRow], server: &str) {
    let _ = write!(
        page,
        "<section class=\"panel\"><h2>{title}</h2><div class=\"scroll\"><table><thead><tr><th>hand</th><th>position</th><th>pot</th>\
         <th>board</th><th>cards</th><th>played</th><th>best</th><th class=\"n\">frequency</th><th class=\"n\">pot, bb</th>\
         <th class=\"n\">lost, bb</th><th class=\"n\">of the pot</th><th class=\"n\">exploitable</th></tr></thead><tbody>"
    );
    for row in rows {
        let hand = match row.link.is_empty() {
            true => escaped(&row.hand),
            false => {
                format!("<a href=\"{}{}\">{}</a>", escaped(server), escaped(&row.link), escaped(&row.hand))
            }
        };
        let action = |text: &str| escaped(&row.in_big_blinds(text));
        let _ = write!(
            page,
            "<tr><td>{hand}</td><td>{} vs {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{:.1}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escaped(&row.position),
            escaped(&row.opponent),
            escaped(&row.pot_type),
            escaped(&row.board),
            escaped(&row.hole),
            action(&row.played),
            row.best.as_deref().map_or_else(|| "–".to_owned(), action),
            percent(row.frequency.map(|frequency| 100.0 * frequency)),
            row.pot_bb,
            number(row.ev_loss_bb),
            percent(row.ev_loss_pct),
            percent(row.exploitability_pct)
        );
    }
    page.push_str("</tbody></table></div></section>\n");
}

/// The ranges that are not those of the charts.
fn own_range_table(page: &mut String, session: &HandsSession) {
    let own = session.own_ranges();
    if own.is_empty() {
        return;
    }
    page.push_str(
        "<section class=\"panel\"><h2>Your ranges</h2><table><thead><tr><th>in the place of</th><th class=\"n\">hands</th></tr>\
         </thead><tbody>",
    );
    for (name, hands) in own {
        let _ = write!(page, "<tr><td>{}</td><td class=\"n\">{hands}</td></tr>", escaped(&name.to_string()));
    }
    page.push_str("</tbody></table></section>\n");
}

fn left_out_table(page: &mut String, session: &HandsSession) {
    let reasons = session.hands.iter().filter_map(|hand| {
        let reason = hand.spot.as_ref().err()?;
        Some((hand.file.as_str(), hand.hand.id().to_owned(), reason.to_string()))
    });
    let errors = session.errors.iter().map(|error| {
        (error.file.as_str(), error.error.hand.clone().unwrap_or_default(), error.error.to_string())
    });
    let all: Vec<(&str, String, String)> = reasons.chain(errors).collect();
    if all.is_empty() {
        return;
    }
    page.push_str("<section class=\"panel\"><h2>Left out</h2><div class=\"scroll\"><table><thead><tr><th>file</th><th>hand</th><th>why</th></tr></thead><tbody>");
    for (file, hand, reason) in all {
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(file),
            escaped(&hand),
            escaped(&reason)
        );
    }
    page.push_str("</tbody></table></div></section>\n");
}
